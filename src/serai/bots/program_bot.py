"""Bots that are programs: what makes them, and one that plays a seat of a game.

A process plays game after game, unless whoever asks for a bot wants a new one. It never plays two games of one *pair*,
that is with the same dice, so what it remembers of one tells it nothing of the other.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any, NoReturn

import msgspec

from serai.bots.contract import NoAnswer
from serai.bots.lines import (
    MAX_RANDOM,
    Decide,
    Greeting,
    Hello,
    Misspoken,
    NewGame,
    Over,
    Quit,
    read_choice,
    read_greeting,
    written,
)
from serai.bots.program import START_SECONDS, Broken, Command, Program
from serai.core.errors import UnknownName
from serai.core.game import Game

STARTS = 4
"""So often is a program started for one game before it is given up: once, and again when it was lost."""
IDLE = 16
"""Processes of one kind that are kept for later games."""
GAMES = 200
"""After so many games a process is replaced by a new one."""

_event_encoder = msgspec.json.Encoder()
_QUIT = written(Quit())


class Seated:
    """A process that has said hello, and the games that it has played."""

    def __init__(self, command: Command) -> None:
        self.program = Program(command)
        self.pairs: set[Hashable] = set()
        try:
            self.greeting: Greeting = read_greeting(self.program.ask(written(Hello()), START_SECONDS))
        except (Broken, Misspoken) as error:
            printed = self.program.printed
            self.program.end()
            raise NoAnswer(f"{error}, when it was told hello", printed) from None

    def end(self) -> None:
        """Let it go."""
        self.program.end(_QUIT)


class ProgramMaker:
    """What makes bots of a program: called, one with a process of its own for this one game."""

    def __init__(self, game: Game, command: Command, title: str) -> None:
        self.command = command
        self._game, self._title = game, title
        self._idle: list[Seated] = []
        self._notes: dict[Any, tuple[str, int | None]] = {}

    def __call__(self) -> ProgramBot:
        """A bot with a new process, which ends with the game."""
        return self._bot(None)

    def make_for(self, pair: Hashable) -> ProgramBot:
        """A bot for a game of this pair, with a process that has played none of them, and may play others later."""
        return self._bot(pair)

    def _bot(self, pair: Hashable | None) -> ProgramBot:
        seated = self.process(pair)
        return (WatchingProgramBot if seated.greeting.events else ProgramBot)(self, pair, seated)

    def greeting(self) -> Greeting:
        """What the program says of itself, started for that alone."""
        seated = Seated(self.command)
        seated.end()
        return seated.greeting

    def process(self, pair: Hashable | None) -> Seated:
        """A process for a game of that pair."""
        for seated in self._idle:
            if pair is not None and pair not in seated.pairs:
                self._idle.remove(seated)
                seated.pairs.add(pair)
                return seated
        seated = Seated(self.command)
        known = seated.greeting.games
        if known is not None and self._game.name not in known:
            seated.end()
            raise UnknownName(
                f"{self._title} does not play {self._game.name}; it says that it plays {', '.join(known)}"
            )
        seated.pairs.add(pair)
        return seated

    def keep(self, seated: Seated) -> None:
        """It has come to the end of its game."""
        if None in seated.pairs or len(seated.pairs) >= GAMES:
            seated.end()
            return
        self._idle.append(seated)
        if len(self._idle) > IDLE:
            self._idle.pop(0).end()

    def close(self) -> None:
        """Let all go that are kept."""
        while self._idle:
            self._idle.pop().end()

    def told(self, view: Any) -> tuple[list[str], list[int] | None]:
        """The actions of a view in notation and in numbers."""
        notes, words, numbers = self._notes, [], []
        for action in view.actions():
            note = notes.get(action)
            if note is None:
                encoding = self._game.encoding
                note = notes[action] = (str(action), None if encoding is None else int(encoding.number(action)))
            words.append(note[0])
            numbers.append(note[1])
        return words, None if None in numbers else numbers  # type: ignore[return-value]

    def lines_of(self, view: Any, seconds: float | None) -> tuple[bytes, bytes]:
        """How a game would begin in which this is seen, and a decision there be asked for."""
        words, numbers = self.told(view)
        return self.new_game(view), written(Decide(words, numbers, seconds, 1, view, []))

    def new_game(self, view: Any) -> bytes:
        """How a game in which this is seen begins."""
        players = getattr(view, "players", None) or len(view.scores())
        game = self._game
        return written(NewGame(game.name, game.version, view.actor, players, view.options))


class ProgramBot:
    """A program on one seat of one game."""

    def __init__(self, maker: ProgramMaker, pair: Hashable | None, seated: Seated) -> None:
        self._maker, self._pair = maker, pair
        self._seated: Seated | None = seated
        self._starts = 1
        self._begun = b""
        """How this game began, once it is known."""
        self._told = False
        """Whether the process has been told of it."""
        self._seen: list[msgspec.Raw] = []
        """All that happened, as this seat saw it."""
        self._shown = 0
        """So much of it the process knows."""

    @property
    def greeting(self) -> Greeting:
        """What the program says of itself."""
        return self._process().greeting

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process().program.pid

    def decide(self, view: Any, rng: random.Random) -> Any:
        """What it answers, however long it takes."""
        return self.decide_within(view, rng, None)

    def decide_within(self, view: Any, rng: random.Random, seconds: float | None) -> Any:
        """What it answers; ``NoAnswer`` if there is nothing within so many seconds that can be understood."""
        words, numbers = self._maker.told(view)
        drawn = rng.randrange(MAX_RANDOM)
        seated = self._process()
        try:
            if not self._told:
                self._begun = self._begun or self._maker.new_game(view)
                seated.program.tell(self._begun)
                self._told = True
            question = Decide(words, numbers, seconds, drawn, view, self._seen[self._shown :])
            self._shown = len(self._seen)
            choice = read_choice(seated.program.ask(written(question), seconds))
        except (Broken, Misspoken) as error:
            printed = seated.program.printed
            self._lose()
            raise NoAnswer(str(error), printed) from None
        except BaseException:
            self._lose()  # somebody broke off while it was thinking: what it answers comes too late
            raise
        if choice.fault is not None:
            raise NoAnswer(_told_in_brief(choice.fault), seated.program.hear())
        if choice.action is not None:
            return choice.action
        if numbers is None or choice.number not in numbers:
            raise NoAnswer(f"answered number {choice.number}, which is not legal; legal: {_listed(numbers)}")
        return words[numbers.index(choice.number)]

    def __reduce__(self) -> NoReturn:
        raise TypeError("a program that plays cannot be copied: what it remembers is in its own process")

    def over(self, view: Any) -> None:
        """The game has ended so."""
        seated = self._seated
        if seated is None or not self._told:
            return
        self._told = False
        try:
            seated.program.tell(written(Over(view.scores(), view.winners(), self._seen[self._shown :])))
        except Broken:
            self._lose()
            return
        self._seated = None
        self._starts = STARTS
        self._maker.keep(seated)

    def close(self) -> None:
        """It is needed no more."""
        if self._seated is not None:
            self._seated.end()
            self._seated = None
        self._starts = STARTS

    def _process(self) -> Seated:
        if self._seated is None:
            if self._starts >= STARTS:
                raise NoAnswer("was lost too often in this game, or its game has ended: it is not started again")
            self._starts += 1
            self._seated = self._maker.process(self._pair)
        return self._seated

    def _lose(self) -> None:
        """End its process; the next decision starts another, which is told everything from the beginning."""
        if self._seated is not None:
            self._seated.program.end()
        self._seated, self._told, self._shown = None, False, 0


class WatchingProgramBot(ProgramBot):
    """One that wants to know what happens between its decisions."""

    def watch(self, event: Any) -> None:
        """Tell it of this event with its next decision."""
        self._seen.append(msgspec.Raw(_event_encoder.encode(event)))


def _told_in_brief(fault: str) -> str:
    """What a program says of its own failure, without what a terminal would take for a command."""
    return "".join(letter for letter in " ".join(fault.split()) if letter.isprintable())[:_BRIEF] or "failed"


_BRIEF = 300


def _listed(numbers: list[int] | None) -> str:
    return "the action in notation" if numbers is None else ", ".join(map(str, numbers))
