"""Odd situations that a bot will meet sooner or later, and whether it gets through them (``serai check-bot``)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from serai.bots import speech
from serai.bots.contract import Bot, BotFactory, close, over
from serai.bots.program_bot import ProgramBot, ProgramMaker
from serai.bots.referee import Failed, ask, show
from serai.bots.specs import find_bot
from serai.core.chance import CHANCE, any_kind
from serai.core.errors import SeraiError
from serai.core.game import Game

_SEED = 2014
_OPENING = 6
"""Decisions at the beginning of a game by which an option shows whether it is understood."""
_PLIES = 5000
"""A game that is longer is left: bots can play one that never ends."""
_SEARCHED = 40
"""Random games that are looked through for odd positions."""


class Finding(msgspec.Struct, frozen=True):
    """One situation, and what went wrong in it."""

    game: str
    situation: str
    fault: str = ""
    printed: str = ""
    """What the bot itself said about it."""
    decisions: int = 0
    slowest: float = 0.0
    """Seconds."""


class _Fault(Exception):
    """The bot failed; the message says how."""

    def __init__(self, reason: str, printed: str = "") -> None:
        super().__init__(reason)
        self.printed = printed


class _Story(msgspec.Struct, frozen=True):
    """A position in which somebody is to act, and all that happened before."""

    state: Any
    events: tuple[Any, ...]


def check(game: Game, spec: str, seconds: float | None = 10.0) -> Iterator[Finding]:
    """Every situation of this game, as it has been gone through; one that cannot even begin ends it all."""
    checked = _Check(game, spec, seconds)
    make = checked.make
    yield checked.try_out("it can be made", lambda: close(make()))
    if checked.failed:
        return
    for situation, meet in checked.situations():
        yield checked.try_out(situation, meet)
    if isinstance(make, ProgramMaker):
        for situation, fault in speech.check(make.command, checked.position_lines(), seconds):
            yield Finding(game.name, situation, fault)


class _Check:
    """One bot at one game."""

    def __init__(self, game: Game, spec: str, seconds: float | None) -> None:
        self.game, self.seconds = game, seconds
        self.make: BotFactory = find_bot(game, spec)
        self.failed = False
        self._decisions, self._slowest = 0, 0.0
        self._stories = _found_stories(game)

    def situations(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Each with its name."""
        game = self.game
        fewest, most = game.players[0], game.players[-1]
        for name, story in self._stories.items():
            yield name, lambda story=story: self._decide_at(story)  # type: ignore[misc]
        yield f"a whole game of {fewest}", lambda: self._play(fewest)
        yield f"a whole game of {most}", lambda: self._play(most)
        for option, value in _unusual(game):
            yield f"option {option}={value}", lambda o=option, v=value: self._play(fewest, _OPENING, {o: v})  # type: ignore[misc]
        yield "all seats of one game", lambda: self._play(fewest, everybody=True)
        if isinstance(self.make, ProgramMaker):
            yield "game after game in one process", self._play_again

    def position_lines(self) -> tuple[bytes, bytes]:
        """How a game begins and a decision is asked for, as a program is told."""
        assert isinstance(self.make, ProgramMaker)
        story = self._stories["the first decision"]
        return self.make.lines_of(story.state.seen_by(story.state.actor), self.seconds)

    def try_out(self, situation: str, meet: Callable[[], None]) -> Finding:
        """Meet a situation; what came of it."""
        self._decisions, self._slowest, fault, printed = 0, 0.0, "", ""
        try:
            meet()
        except _Fault as failed:
            fault, printed = str(failed), failed.printed
        except (SeraiError, Exception) as error:
            reason = getattr(error, "reason", "")
            fault, printed = reason or f"{type(error).__name__}: {error}", getattr(error, "printed", "")
        self.failed = bool(fault)
        return Finding(self.game.name, situation, fault, printed, self._decisions, self._slowest)

    # -- playing -------------------------------------------------------------------------------------------------------

    def _decide_at(self, story: _Story) -> None:
        """In the middle of a game that it has never seen: all that happened is told at once."""
        bot = self.make()
        try:
            self._watch(bot, story.events, story.state.actor)
            self._decided(bot, story.state, random.Random(_SEED))
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
            raise _Fault("could not be told that its game was over")

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

    def _watch(self, bot: Bot, events: tuple[Any, ...], seat: int) -> None:
        watch = getattr(bot, "watch", None)
        failed = None if watch is None else show(watch, events, seat, self.seconds)
        if failed is not None:
            raise _Fault(failed.reason, failed.trace)

    def _decided(self, bot: Bot, state: Any, rng: random.Random) -> Any:
        began = time.perf_counter()
        answer = ask(bot, state.seen_by(state.actor), rng, self.seconds)
        self._slowest = max(self._slowest, time.perf_counter() - began)
        self._decisions += 1
        if isinstance(answer, Failed):
            raise _Fault(answer.reason, answer.trace)
        return answer


# -- looking for odd positions -----------------------------------------------------------------------------------------


def _found_stories(game: Game) -> dict[str, _Story]:
    """Positions out of random games, by what is odd about them; what a game does not have is not there."""
    rng = random.Random(_SEED)
    found: dict[str, _Story] = {}
    most_hidden = longest = -1
    for number in range(_SEARCHED):
        last: _Story | None = None
        for story in _stories(game, game.players[number % len(game.players)], rng):
            last = story
            found.setdefault("the first decision", story)
            if len(story.state.actions()) == 1:
                found.setdefault("a forced move", story)
        assert last is not None
        hidden = msgspec.json.encode(last.state.seen_by(last.state.actor)).count(b"null")
        if hidden > most_hidden:
            most_hidden, found["much that is hidden"] = hidden, last
        if len(last.events) > longest:
            longest, found["a long story told at once"] = len(last.events), last
        found.setdefault("the last decision of a game", last)
    if not most_hidden:
        del found["much that is hidden"]
    return found


def _stories(game: Game, players: int, rng: random.Random) -> Iterator[_Story]:
    """Each position of a random game in which a player is to act."""
    state: Any = game.new(players=players)
    events: list[Any] = []
    while not state.over:
        if state.actor is CHANCE:
            action = state.sample(rng)
        else:
            yield _Story(state, tuple(events))
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
