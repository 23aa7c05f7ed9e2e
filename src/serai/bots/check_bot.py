"""Checks of a bot in odd situations, and of a program against its protocol (``serai check-bot``)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from serai.bots.contract import Bot, BotFactory, NoAnswer, close, over
from serai.bots.program import START_SECONDS, ProgramBot, ProgramMaker
from serai.bots.protocol import BadLine, Hello, Quit, read_choice, read_greeting, write_line
from serai.bots.referee import Failed, ask, show
from serai.bots.specs import find_bot
from serai.bots.traces import bot_trace
from serai.core.chance import CHANCE, any_kind, seat_of
from serai.core.game import Event, Game, State
from serai.errors import BotCannotStart
from serai.processes.program import Command, Program, ProgramLost

_SEED = 2014
_OPENING = 6
"""Decisions at the beginning of a game that show whether a bot copes with an option."""
_PLIES = 5000
"""A longer game is broken off: bots can play one that never ends."""
_SEARCHED = 40
"""Random games that are searched for odd positions."""


class Finding(msgspec.Struct, frozen=True):
    """One situation, and what went wrong in it."""

    game: str
    situation: str
    fault: str = ""
    printed: str = ""
    """The traceback, or what the bot printed."""
    decisions: int = 0
    slowest: float = 0.0
    """Seconds."""


class _Position(msgspec.Struct, frozen=True):
    """A state in which a player is to act, and all events before it."""

    state: Any
    events: tuple[Any, ...]


def check(game: Game, spec: str, seconds: float | None = 10.0) -> Iterator[Finding]:
    """Check every situation of this game, one after the other; a bot that cannot be made is not checked further."""
    checked = _Check(game, spec, seconds)
    make = checked.make
    yield checked.try_out("it can be made", lambda: close(make()))
    if checked.failed:
        return
    for situation, meet in checked.situations():
        yield checked.try_out(situation, meet)
    if isinstance(make, ProgramMaker):
        for situation, fault in _check_protocol(make.command, checked.first_lines(), seconds):
            yield Finding(game.name, situation, fault)


def first_decision(game: Game, spec: str, seconds: float | None = 10.0) -> str:
    """What went wrong when this bot was to decide for the first time in a new game; empty if nothing did."""
    make, rng = find_bot(game, spec), random.Random(_SEED)
    try:
        bot = make()
    except Exception as error:
        return f"raised {type(error).__name__}: {error}"
    position = next(_positions(game, game.players[0], rng))
    try:
        answer = ask(bot, position.state.seen_by(position.state.actor), rng, seconds)
        return answer.reason if isinstance(answer, Failed) else ""
    finally:
        close(bot)


class _Check:
    """One bot at one game."""

    def __init__(self, game: Game, spec: str, seconds: float | None) -> None:
        self.game, self.seconds = game, seconds
        self.make: BotFactory = find_bot(game, spec)
        self.failed = False
        self._decisions, self._slowest = 0, 0.0
        self._positions = _odd_positions(game)

    def situations(self) -> Iterator[tuple[str, Callable[[], None]]]:
        game = self.game
        fewest, most = game.players[0], game.players[-1]
        for name, position in self._positions.items():
            yield name, lambda position=position: self._decide_at(position)  # type: ignore[misc]
        yield f"a whole game of {fewest}", lambda: self._play(fewest)
        yield f"a whole game of {most}", lambda: self._play(most)
        for option, value in _unusual(game):
            yield f"option {option}={value}", lambda o=option, v=value: self._play(fewest, _OPENING, {o: v})  # type: ignore[misc]
        yield "all seats of one game", lambda: self._play(fewest, everybody=True)
        if isinstance(self.make, ProgramMaker):
            yield "game after game in one process", self._play_again

    def first_lines(self) -> tuple[bytes, bytes]:
        """The lines that begin a game and ask a program for its first decision."""
        assert isinstance(self.make, ProgramMaker)
        position = self._positions["the first decision"]
        return self.make.first_lines(position.state.seen_by(position.state.actor), self.seconds)

    def try_out(self, situation: str, meet: Callable[[], None]) -> Finding:
        self._decisions, self._slowest, fault, printed = 0, 0.0, "", ""
        try:
            meet()
        except NoAnswer as error:
            fault, printed = error.reason, error.printed
        except BotCannotStart as error:
            fault, printed = error.reason, error.trace
        except Exception as error:
            fault, printed = f"{type(error).__name__}: {error}", bot_trace(error)
        self.failed = bool(fault)
        return Finding(self.game.name, situation, fault, printed, self._decisions, self._slowest)

    # -- playing -------------------------------------------------------------------------------------------------------

    def _decide_at(self, position: _Position) -> None:
        """In the middle of a game that it has never seen: it is shown all events at once."""
        bot = self.make()
        try:
            self._watch(bot, position.events, position.state.actor)
            self._decided(bot, position.state, random.Random(_SEED))
        finally:
            close(bot)

    def _play(
        self,
        players: int,
        decisions: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        everybody: bool = False,
    ) -> None:
        bots = {seat: self.make() for seat in (range(players) if everybody else [players - 1])}
        try:
            self._play_with(bots, players, decisions, options or {})
        finally:
            for bot in bots.values():
                close(bot)

    def _play_again(self) -> None:
        """A process that has played one game plays another, in another seat and of another size."""
        assert isinstance(self.make, ProgramMaker)
        pids, ended = [], True
        for number, players in enumerate((self.game.players[0], self.game.players[-1])):
            bot: ProgramBot = self.make.make_for(number)
            pids.append(bot.pid)
            try:
                ended &= self._play_with({number % players: bot}, players, None, {})
            finally:
                close(bot)
        self.make.close()
        if ended and pids[0] != pids[1]:
            raise NoAnswer("did not take the message that its game was over")

    def _play_with(
        self, bots: Mapping[int, Bot], players: int, decisions: int | None, options: Mapping[str, Any]
    ) -> bool:
        """Whether the game came to its end."""
        rng = random.Random(_SEED)
        state: Any = self.game.new(players=players, **options)
        left, plies = decisions, 0
        while not state.over and left != 0 and plies < _PLIES:
            plies += 1
            if state.actor is CHANCE:
                action = state.sample(rng)
            elif state.actor in bots:
                action = self._decided(bots[state.actor], state, rng)
                left = None if left is None else left - 1
            else:
                action = any_kind(state.actions(), rng)
            state, events = state.step(action)
            for seat, bot in bots.items():
                self._watch(bot, events, seat)
        if state.over:
            for seat, bot in bots.items():
                over(bot, state.seen_by(seat))
        return bool(state.over)

    def _watch(self, bot: Bot, events: tuple[Event, ...], seat: int) -> None:
        watch = getattr(bot, "watch", None)
        failed = None if watch is None else show(watch, events, seat, self.seconds)
        if failed is not None:
            raise NoAnswer(failed.reason, failed.trace)

    def _decided(self, bot: Bot, state: State, rng: random.Random) -> Any:
        began = time.perf_counter()
        answer = ask(bot, state.seen_by(seat_of(state.actor)), rng, self.seconds)
        self._slowest = max(self._slowest, time.perf_counter() - began)
        self._decisions += 1
        if isinstance(answer, Failed):
            raise NoAnswer(answer.reason, answer.trace)
        return answer


# -- looking for odd positions -----------------------------------------------------------------------------------------


def _odd_positions(game: Game) -> dict[str, _Position]:
    """Positions of random games by what is odd about them, as far as the game has such positions."""
    rng = random.Random(_SEED)
    found: dict[str, _Position] = {}
    most_hidden = longest = -1
    for number in range(_SEARCHED):
        last: _Position | None = None
        for position in _positions(game, game.players[number % len(game.players)], rng):
            last = position
            found.setdefault("the first decision", position)
            if len(position.state.actions()) == 1:
                found.setdefault("a forced move", position)
        assert last is not None
        hidden = msgspec.json.encode(last.state.seen_by(last.state.actor)).count(b"null")
        if hidden > most_hidden:
            most_hidden, found["much that is hidden"] = hidden, last
        if len(last.events) > longest:
            longest, found["a long game shown at once"] = len(last.events), last
        found.setdefault("the last decision of a game", last)
    if not most_hidden:
        del found["much that is hidden"]
    return found


def _positions(game: Game, players: int, rng: random.Random) -> Iterator[_Position]:
    """Each position of a random game in which a player is to act."""
    state: Any = game.new(players=players)
    events: list[Any] = []
    while not state.over:
        if state.actor is CHANCE:
            action = state.sample(rng)
        else:
            yield _Position(state, tuple(events))
            action = any_kind(state.actions(), rng)
        state, happened = state.step(action)
        events += happened


def _unusual(game: Game) -> Iterator[tuple[str, Any]]:
    """Every option with a value that it does not usually have."""
    for option in game.options:
        match option.type:
            case "bool":
                yield option.name, not option.default
            case "choice":
                yield option.name, next(choice for choice in reversed(option.choices) if choice != option.default)
            case "seat":
                yield option.name, 1


# -- the protocol of programs ------------------------------------------------------------------------------------------

_PIECE, _PIECES = 7, 12
"""Bytes in each of the first pieces when a line arrives slowly, and how many of these pieces there are."""
_BETWEEN = 0.01
_UNKNOWN = b'{"type":"something of a later version","with":["anything"]}\n'


def _check_protocol(command: Command, lines: tuple[bytes, bytes], seconds: float | None) -> Iterator[tuple[str, str]]:
    """Each situation that a game would hardly show, and what went wrong in it.

    ``lines`` begin a game and ask for a decision.
    """
    situations: dict[str, Callable[[Program, bytes, bytes, float | None], None]] = {
        "a line that comes in pieces": _slowly,
        "a message that it does not know": _unknown,
        "the same decision asked twice": _twice,
        "its input ends while it thinks": _ends_thinking,
        "its input ends while it waits": _ends_waiting,
    }
    for situation, meet in situations.items():
        program = Program(command)
        try:
            read_greeting(program.ask(write_line(Hello()), START_SECONDS))
            meet(program, *lines, seconds)
            yield situation, ""
        except (ProgramLost, BadLine) as error:
            yield situation, str(error)
        finally:
            program.end()


def _slowly(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    whole = begin + decide
    for piece in range(_PIECES):
        program.send(whole[piece * _PIECE : (piece + 1) * _PIECE])
        time.sleep(_BETWEEN)
    read_choice(program.ask(whole[_PIECES * _PIECE :], seconds))


def _unknown(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    program.send(_UNKNOWN + begin + _UNKNOWN)
    read_choice(program.ask(decide, seconds))


def _twice(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    """With the same random number: a bot whose games can be repeated answers alike."""
    program.send(begin)
    first, second = (read_choice(program.ask(decide, seconds)) for _ in range(2))
    if first != second:
        raise BadLine(
            f"answered {first.action or first.number} at first and {second.action or second.number} then: draw "
            "randomness from the field random alone, or its games cannot be repeated"
        )


def _ends_thinking(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    program.send(begin)
    _must_end(program, decide)


def _ends_waiting(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    program.send(begin)
    read_choice(program.ask(decide, seconds))
    _must_end(program, write_line(Quit()))


def _must_end(program: Program, last: bytes) -> None:
    if program.end(last) is None:
        raise BadLine("goes on when its input has ended, and had to be killed: end when there is no more to read")
