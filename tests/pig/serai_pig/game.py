"""Pig as a :class:`serai.core.Game`: values, rules, words, all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from serai.core import CHANCE, Action, Event, Game, Option, State
from serai.core.parts import Text
from serai.errors import BadNotation, IllegalAction, phrase

FACES = range(1, 7)
phrase({"pig.nothing": "there is nothing to hold yet: roll"})


class Roll(Action, frozen=True, tag="roll"):
    """Roll the die: its points are gathered, a 1 loses them all."""

    def __str__(self) -> str:
        return "roll"


class Hold(Action, frozen=True, tag="hold"):
    """Bank what was gathered; the next player's turn."""

    def __str__(self) -> str:
        return "hold"


class Die(Action, frozen=True, tag="die"):
    """The die falls."""

    pips: int

    def __str__(self) -> str:
        return f"die {self.pips}"


class DieTaken(Event, frozen=True, tag="die_taken"):
    seat: int


class DieFell(Event, frozen=True, tag="die_fell"):
    seat: int
    pips: int
    gathered: int


class Banked(Event, frozen=True, tag="banked"):
    seat: int
    points: int
    total: int


class Options(msgspec.Struct, frozen=True):
    target: int = 100


class PigState(State, frozen=True):
    options: Options
    turn: int
    gathered: int
    banked: tuple[int, ...]

    def actions(self) -> tuple[Action, ...]:
        if self.actor is None:
            return ()
        if self.actor is CHANCE:
            return tuple(map(Die, FACES))
        return (Roll(), Hold()) if self.gathered else (Roll(),)

    def weights(self) -> tuple[int, ...]:
        return (1,) * len(FACES) if self.actor is CHANCE else ()

    def step(self, action: Any) -> tuple[PigState, tuple[Event, ...]]:
        if self.actor is None:
            raise IllegalAction("core.over")
        match action:
            case Die(pips) if self.actor is CHANCE:
                return self._fallen(pips)
            case Die():
                raise IllegalAction("core.player_first", seat=self.turn)
            case Roll() | Hold() if self.actor is CHANCE:
                raise IllegalAction("core.chance_first", kinds=("die",))
            case Roll():
                return msgspec.structs.replace(self, actor=CHANCE), (DieTaken(self.turn),)
            case Hold() if self.gathered:
                return self._held()
            case Hold():
                raise IllegalAction("pig.nothing")
        raise IllegalAction("core.foreign", action=repr(action), game="pig")

    def seen_by(self, seat: int | None) -> PigState:
        return self

    def scores(self) -> tuple[int, ...]:
        return self.banked

    def _fallen(self, pips: int) -> tuple[PigState, tuple[Event, ...]]:
        gathered = 0 if pips == 1 else self.gathered + pips
        seat = self._next if pips == 1 else self.turn
        after = msgspec.structs.replace(self, actor=seat, turn=seat, gathered=gathered)
        return after, (DieFell(self.turn, pips, gathered),)

    def _held(self) -> tuple[PigState, tuple[Event, ...]]:
        total = self.banked[self.turn] + self.gathered
        banked = (*self.banked[: self.turn], total, *self.banked[self.turn + 1 :])
        actor = None if total >= self.options.target else self._next
        turn = self.turn if actor is None else actor
        after = msgspec.structs.replace(self, actor=actor, turn=turn, gathered=0, banked=banked)
        return after, (Banked(self.turn, self.gathered, total),)

    @property
    def _next(self) -> int:
        return (self.turn + 1) % len(self.banked)


class PigText(Text[PigState, Event]):
    def _draw(self, view: Any, seat: int | None, names: Sequence[str], colour: bool) -> str:
        rows = [f"First to {view.options.target}; gathered in this turn: {view.gathered}"]
        rows += [f"{points:5}  {names[at]}" for at, points in enumerate(view.banked)]
        return "\n".join(rows)

    def _tell(self, event: Any, names: Sequence[str]) -> str:
        match event:
            case DieFell(seat, 1):
                return f"{names[seat]} rolls a 1 and loses what was gathered."
            case DieFell(seat, pips, gathered):
                return f"{names[seat]} rolls a {pips}: {gathered} gathered."
            case Banked(seat, points, total):
                return f"{names[seat]} banks {points} and has {total}."
        return ""


class Pig(Game[PigState, Action, Event]):
    """A die, and when to stop: for 2 to 6 players."""

    name = "pig"
    version = "1"
    players = range(2, 7)
    options: ClassVar[tuple[Option, ...]] = (Option("target", "count", 100, "pig.option.target"),)
    bots = ("random", "cautious")
    hides = False
    text = PigText()
    state_type: ClassVar[type[State]] = PigState
    action_type: ClassVar[Any] = Roll | Hold | Die
    event_type: ClassVar[Any] = DieTaken | DieFell | Banked

    def _new(self, players: int, options: dict[str, Any]) -> PigState:
        return PigState(actor=0, options=Options(**options), turn=0, gathered=0, banked=(0,) * players)

    def parse(self, text: str) -> Action:
        for action in (Roll(), Hold(), *map(Die, FACES)):
            if str(action) == text:
                return action
        raise BadNotation(f"{text!r} is no Pig action; actions: roll, hold, die PIPS", text=text)


GAME = Pig()
