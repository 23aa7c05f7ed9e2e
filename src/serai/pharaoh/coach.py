"""Das Gold des Pharao for the coach: who plays on in playouts, and the reasons for an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

from msgspec.structs import replace

from serai.core.parts import Coach, Finding, Reason
from serai.core.play import Ply
from serai.errors import phrase
from serai.pharaoh.bots.explorer import Escape
from serai.pharaoh.memory import STANDOFF
from serai.pharaoh.progress import gets_on, idles
from serai.pharaoh.rules.actions import AnyAction, Archaeologist, End, Lamp, Lay, Steal, Take, Tile, Turn
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CHAMBER_NAMES,
    FIRST_CHAMBER,
    MOVES,
    NOWHERE,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import moves_from


class PharaohCoach(Coach[PharaohState, AnyAction]):
    """Some rounds are played on by players of all kinds, where a fitted value gives the chance of victory."""

    packages: ClassVar[tuple[str, ...]] = ("numpy", "numba")
    policy: ClassVar[str] = "even"
    fewest_actions: ClassVar[int] = 4
    playouts: ClassVar[int] = 128
    compared: ClassVar[int] = 64
    thorough: ClassVar[int | None] = 700
    reference: ClassVar[str] = "jackal"
    difficulty: ClassVar[float] = 0.05
    points: ClassVar[float | None] = 25.0
    objections: ClassVar[frozenset[str]] = frozenset(
        {"coach.pharaoh.cut_off", "coach.pharaoh.too_late", "coach.pharaoh.dark"}
    )

    @cached_property
    def parameters(self) -> str:  # type: ignore[override]
        """The fitted value, how far it is played and by whom, how much more early points count, and when all wait."""
        from serai.pharaoh.policy.rollouts import EARLY, ROUNDS, VALUE
        from serai.pharaoh.policy.styles import EXPECTED_AFTER_MASK, EXPECTED_PLAYERS

        players = f"{EXPECTED_PLAYERS} {EXPECTED_AFTER_MASK}"
        return f"{VALUE.read_text(encoding='utf-8')} {ROUNDS} {EARLY} {players} {STANDOFF}"

    def kind(self, action: AnyAction) -> str:
        """Walks, the helper's walks, discoveries, walls, lamps, treasure, and the end of a turn."""
        return _KINDS[action.kind]

    def theme(self, view: PharaohState, action: AnyAction) -> str:
        """Walks with a treasure, or once the pyramid falls, are about the way home."""
        kind = self.kind(action)
        if kind not in ("walk", "reveal", "end"):
            return kind
        return "home" if view.carried[view.turn] or view.clock >= 0 else "walk"

    def alike(self, outcome: AnyAction) -> object:
        """Chambers differ by their picture alone."""
        return CHAMBER_NAMES if isinstance(outcome, Tile) and outcome.tile >= FIRST_CHAMBER else outcome

    def idles(self, view: PharaohState, action: AnyAction) -> bool:
        """Ending the turn, as long as no time presses."""
        return idles(view, action)

    def gets_on(self, view: PharaohState, action: AnyAction) -> bool:
        """Discovering, picking up, and walking towards what the seat is there for."""
        return gets_on(view, action)

    def advice(self, action: AnyAction) -> object | None:
        """To turn a tile is one advice, whichever way; to end the turn is another each time."""
        match action:
            case Turn(cell, _):
                return f"turn {CELL_NAMES[cell]}"
            case End():
                return None
        return str(action)

    def findings(self, plies: Sequence[Ply], seats: Sequence[int]) -> list[Finding]:
        """Turns that went by one after the other with nothing done."""
        return [finding for seat in seats for finding in _passing(plies, seat)]

    def alternatives(self, view: PharaohState) -> Sequence[AnyAction]:
        """Everything but what shuts oneself in or has no purpose, if that leaves a choice."""
        from serai.pharaoh.policy.choose import promising

        actions = view.actions()
        found = promising(view, actions)
        return found if len(found) > 1 else actions

    def reasons(self, view: PharaohState, actions: Sequence[AnyAction]) -> list[tuple[Reason, ...]]:
        """How far home is behind each action, and whether one gets there in time."""
        return [tuple(_reasons(view, action)) for action in actions]


_KINDS: Final[Mapping[str, str]] = {
    "archaeologist": "walk",
    "helper": "helper",
    "reveal": "reveal",
    "lay": "tile",
    "turn": "tile",
    "lamp": "lamp",
    "unlamp": "lamp",
    "take": "treasure",
    "drop": "treasure",
    "steal": "treasure",
    "end": "end",
}


MANY_PASSES: Final = STANDOFF
"""So many turns passed one after the other are told."""


def _passing(plies: Sequence[Ply], seat: int) -> Iterator[Finding]:
    """Each longest row of turns that a seat passed though it could have got on, while no time pressed."""
    row: list[tuple[int, int]] = []
    """Of each of these turns the round, and the place of its end in the record."""
    done = 0
    for place, ply in enumerate(plies):
        if ply.drawn or ply.before.turn != seat:
            continue
        done += 1
        if ply.after.turn == seat and not ply.after.over:
            continue
        passed = done == 1 and idles(ply.before, ply.action)
        done = 0
        if not passed:
            yield from _told(seat, row)
            row = []
        elif any(gets_on(ply.before, action) for action in ply.before.seen_by(seat).actions()):
            row.append((ply.before.round, place))
    yield from _told(seat, row)


def _told(seat: int, row: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    if len(row) >= MANY_PASSES:
        values = {"seat": seat, "turns": len(row), "first": row[0][0], "last": row[-1][0]}
        yield Finding(seat, row[0][1], row[-1][1], Reason("coach.pharaoh.passed", values, exact=True))


def _reasons(view: PharaohState, action: AnyAction) -> list[Reason]:
    seat = view.turn
    match action:
        case Lamp():
            return [_lit(view, view.apply(action))]
        case Take(value):
            return [Reason("coach.pharaoh.take", {"value": value}, exact=True), *_way_home(view, view, seat)]
        case Steal(victim):
            return [Reason("coach.pharaoh.steal", {"value": view.carried[victim], "seat": victim}, exact=True)]
        case Archaeologist(cell):
            after = view.apply(action)
            return [*_at_the_end_of(view, cell), *_to_treasure(view, after), *_way_home(view, after, seat)]
        case Turn():
            after = view.apply(action)
            own = [reason for reason in _way_home(view, after, seat) if reason not in _way_home(view, view, seat)]
            return [*_in_the_way_of(view, after), *_to_treasure(view, after), *own]
        case Lay():
            after = view.apply(action)
            return [*_in_the_way_of(view, after), *_way_home(view, after, seat)]
        case End():
            return _way_home(view, view.apply(action), seat)
    return []


def _lit(view: PharaohState, after: PharaohState) -> Reason:
    """Which ways a lamp shortens: those of its owner from home to anywhere."""
    seat = view.turn
    before, behind = (moves_from(state.tiles, state.lamps[seat], state.start) for state in (view, after))
    saved = sum(far > now for far, now in zip(before, behind, strict=True) if far != NOWHERE)
    cell = CELL_NAMES[view.helpers[seat]]
    key = "coach.pharaoh.lamp" if saved else "coach.pharaoh.dark"
    return Reason(key, {"cell": cell, "cells": saved}, exact=True)


def _at_the_end_of(view: PharaohState, cell: int) -> list[Reason]:
    """What waits where a walk leads: safety for what is carried, or something to carry."""
    seat, where = view.turn, {"cell": CELL_NAMES[cell]}
    carried = view.carried[seat]
    if carried:
        return [Reason("coach.pharaoh.safe", {"value": carried}, exact=True)] if cell == view.start else []
    held = [(value, rival) for rival, value in enumerate(view.carried) if view.archaeologists[rival] == cell]
    value, rival = max(held, default=(0, seat))
    lying = max((value for place, value in view.lying if place == cell), default=0)
    if lying:
        return [Reason("coach.pharaoh.lies", {**where, "value": lying}, exact=True)]
    return [Reason("coach.pharaoh.victim", {**where, "value": value, "seat": rival}, exact=True)] if value else []


def _to_treasure(view: PharaohState, after: PharaohState) -> list[Reason]:
    """How far the nearest treasure is then, if the way there got shorter for hands that are empty."""
    seat = view.turn
    if view.carried[seat] or not view.lying or after.archaeologists[seat] == NOWHERE:
        return []
    far, near = (moves_from(state.tiles, state.lamps[seat], state.archaeologists[seat]) for state in (view, after))
    reached = [(near[cell], -value, cell) for cell, value in view.lying if near[cell] > 0]
    moves, value, cell = min(reached, default=(0, 0, 0))
    if not moves or (far[cell] != NOWHERE and far[cell] <= moves):
        return []
    values = {"cell": CELL_NAMES[cell], "value": -value, "moves": moves}
    return [Reason("coach.pharaoh.nearer", values, exact=True)]


def _in_the_way_of(view: PharaohState, after: PharaohState) -> list[Reason]:
    """The rival whose way home a tile makes longest, most of all of those who carry something."""
    hindered = []
    for rival, cell in enumerate(view.archaeologists):
        if rival == view.turn or cell in (NOWHERE, view.start):
            continue
        before, then = (moves_from(state.tiles, state.lamps[rival], state.start)[cell] for state in (view, after))
        if before != NOWHERE and (then == NOWHERE or then > before):
            hindered.append((view.carried[rival], len(CELL_NAMES) if then == NOWHERE else then, rival))
    if not hindered:
        return []
    _, moves, rival = max(hindered)
    if moves == len(CELL_NAMES):
        return [Reason("coach.pharaoh.shuts_in", {"seat": rival}, exact=True)]
    return [Reason("coach.pharaoh.hinders", {"seat": rival, "moves": moves}, exact=True)]


def _way_home(view: PharaohState, after: PharaohState, seat: int) -> list[Reason]:
    """How many moves home the archaeologist has then; and, once the pyramid falls, whether they are too many."""
    cell = after.archaeologists[seat]
    if cell in (NOWHERE, view.start):
        return []
    home = moves_from(after.tiles, after.lamps[seat], after.start)
    where = {"cell": CELL_NAMES[cell]}
    if home[cell] == NOWHERE:
        return [Reason("coach.pharaoh.cut_off", where, exact=True)]
    left = after.moves_left if after.turn == seat else MOVES
    if not Escape(replace(after, turn=seat), home).gets_home(cell, left):
        return [Reason("coach.pharaoh.too_late", {**where, "moves": home[cell]}, exact=True)]
    return [Reason("coach.pharaoh.home", {**where, "moves": home[cell]}, exact=True)]


phrase(
    {
        "coach.pharaoh.take": "{value} points in hand, if they get home",
        "coach.pharaoh.steal": "{value} points out of seat {seat}'s hands",
        "coach.pharaoh.safe": "{value} points brought to safety",
        "coach.pharaoh.lies": "{value} points lie on {cell}",
        "coach.pharaoh.victim": "on {cell} stands seat {seat} with {value} points",
        "coach.pharaoh.nearer": "then it is {moves:move} to {value} points on {cell}",
        "coach.pharaoh.hinders": "then it is {moves:move} home for seat {seat}",
        "coach.pharaoh.shuts_in": "then no way leads home for seat {seat}",
        "coach.pharaoh.lamp": "a lamp on {cell} shortens the way to {cells:cell}",
        "coach.pharaoh.dark": "a lamp on {cell} shortens no way",
        "coach.pharaoh.home": "from {cell} it is {moves:move} home",
        "coach.pharaoh.cut_off": "from {cell} no way leads home",
        "coach.pharaoh.passed": "passed {turns} turns running (rounds {first} to {last}) with something to do",
        "coach.pharaoh.too_late": "from {cell} it is {moves:move} home, and the way falls first",
    }
)
