"""Events as English sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from serai.pharaoh.rules import events as ev
from serai.pharaoh.rules.pieces import CELL_NAMES, FIRST_CHAMBER, MASK, NOWHERE, SIDE_NAMES, TILE_NAMES

Names = Sequence[str]
Name = Callable[[int], str]
"""A player's name by seat."""


def tell(event: ev.AnyEvent, names: Names) -> str:
    """The event as a sentence; empty if the sentence of another event says it."""
    sentence = _SENTENCES.get(type(event))
    return sentence(event, lambda seat: name_of(seat, names)) if sentence else ""


def name_of(seat: int, names: Names) -> str:
    """A player's name, or ``Seat 2`` for one without."""
    return names[seat] if seat < len(names) else f"Seat {seat}"


def plural(count: int, noun: str) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _treasure(value: int) -> str:
    return "the death mask" if value == MASK else f"a treasure of {value}"


def _walked(event: ev.Walked, name: Name) -> str:
    lit = " through the lamp light" if len(event.way) > 2 else ""
    return f"{name(event.seat)}'s {event.figure} walks to {CELL_NAMES[event.way[-1]]}{lit}."


def _drawn(event: ev.TileDrawn, name: Name) -> str:
    if event.tile < FIRST_CHAMBER:
        return f"It is a {TILE_NAMES[event.tile]}."
    return f"A chamber! {name(event.seat)} has found the {TILE_NAMES[event.tile]} on {CELL_NAMES[event.cell]}."


def _photo(event: ev.PhotoTaken, name: Name) -> str:
    omen = f" and a {event.omen}" if event.omen else ""
    return f"{name(event.seat)}'s photo shows {plural(event.treasures, 'treasure')}{omen}."


def _dropped(event: ev.TreasureDropped, name: Name) -> str:
    verb = "loses hold of" if event.frightened else "drops"
    return f"{name(event.seat)} {verb} {_treasure(event.value)} on {CELL_NAMES[event.cell]}."


def _countdown(event: ev.CountdownWent, name: Name) -> str:
    if not event.turns:
        return f"The time of {name(event.seat)}'s find has run out."
    return f"The chamber of the mask falls after {plural(event.turns, 'more turn')} of {name(event.seat)}."


def _ring(event: ev.RingFell, name: Name) -> str:
    unseen = f", {event.unseen} of them never seen" if event.unseen else ""
    return f"Ring {event.ring} falls: {plural(len(event.cells), 'cell')}{unseen}."


def _treasure_lost(event: ev.TreasureLost, name: Name) -> str:
    whose = "" if event.seat == NOWHERE else f", carried by {name(event.seat)},"
    return f"{_treasure(event.value).capitalize()}{whose} is lost on {CELL_NAMES[event.cell]}."


def _counted(event: ev.ScoreCounted, name: Name) -> str:
    treasures = "+".join(map(str, event.treasures)) or "0"
    lost = f", lost figures {event.lost}" if event.lost else ""
    return f"{name(event.seat)}: photos {event.photos}, treasures {treasures}{lost}: {plural(event.total, 'point')}."


def _ended(event: ev.GameEnded, name: Name) -> str:
    winners = [name(seat) for seat in event.winners]
    why = "The pyramid is gone." if event.why == "collapse" else "The last round is over."
    if len(winners) == 1:
        return f"{why} {winners[0]} wins with {plural(event.scores[event.winners[0]], 'point')}."
    return f"{why} {', '.join(winners[:-1])} and {winners[-1]} share the victory."


_SENTENCES: dict[type[Any], Callable[[Any, Name], str]] = {
    ev.TurnBegan: lambda event, name: f"Round {event.round}: {name(event.seat)}'s turn.",
    ev.Walked: _walked,
    ev.TileOpened: lambda event, name: f"{name(event.seat)} turns over {CELL_NAMES[event.cell]}.",
    ev.TileDrawn: _drawn,
    ev.TileLaid: lambda event, name: (
        f"{name(event.seat)} lays it on {CELL_NAMES[event.cell]}, open to {SIDE_NAMES[event.openings]}."
    ),
    ev.TileTurned: lambda event, name: (
        f"{name(event.seat)}'s helper turns {CELL_NAMES[event.cell]}: "
        f"open to {SIDE_NAMES[event.openings]}, no longer {SIDE_NAMES[event.before]}."
    ),
    ev.FigureShutIn: lambda event, name: (
        f"{name(event.seat)}'s {event.figure} is {'shut in' if event.alone else 'cut off'} on {CELL_NAMES[event.cell]}!"
    ),
    ev.LampPutUp: lambda event, name: (
        f"{name(event.seat)} puts up a lamp on {CELL_NAMES[event.cell]}; {event.supply} left."
    ),
    ev.LampTakenDown: lambda event, name: f"{name(event.seat)} takes down the lamp on {CELL_NAMES[event.cell]}.",
    ev.TreasureTaken: lambda event, name: (
        f"{name(event.seat)} takes {_treasure(event.value)} on {CELL_NAMES[event.cell]}."
    ),
    ev.TreasureDropped: _dropped,
    ev.TreasureStolen: lambda event, name: (
        f"{name(event.seat)} steals {_treasure(event.value)} from {name(event.victim)} on {CELL_NAMES[event.cell]}!"
    ),
    ev.TreasureBanked: lambda event, name: f"{name(event.seat)} brings {_treasure(event.value)} to safety.",
    ev.PhotoTaken: _photo,
    ev.TreasureLaidOut: lambda event, name: f"{_treasure(event.value).capitalize()} lies in the chamber.",
    ev.MaskFound: lambda event, name: (
        f"The death mask! Its chamber falls when {name(event.seat)} has had {event.turns} more turns."
        if event.turns
        else "The death mask, in a pyramid that falls already!"
    ),
    ev.MummyWoke: lambda event, name: "The mummy wakes and walks out of the pyramid.",
    ev.FigureFled: lambda event, name: (
        f"{name(event.seat)}'s {event.figure} flees from {CELL_NAMES[event.cell]} to the start tile."
    ),
    ev.CurseSpread: lambda event, name: "The curse blows out of the pyramid.",
    ev.LampBlownOut: lambda event, name: f"{name(event.seat)}'s lamp on {CELL_NAMES[event.cell]} goes out.",
    ev.OmenSlept: lambda event, name: f"No way leads out of the chamber: the {event.omen} stays inside.",
    ev.CountdownWent: _countdown,
    ev.MaskCarriedOut: lambda event, name: f"{name(event.seat)} carries the death mask out of its chamber!",
    ev.ClockMoved: lambda event, name: f"From now on a ring falls at the end of every turn of {name(event.seat)}.",
    ev.ChamberFell: lambda event, name: f"The chamber on {CELL_NAMES[event.cell]} falls.",
    ev.RingFell: _ring,
    ev.Rumbled: lambda event, name: (
        f"The pyramid grows restless: if no tile is revealed and nobody scores, it begins to fall after this round, "
        f"at {CELL_NAMES[event.cell]}."
    ),
    ev.Calmed: lambda event, name: "The pyramid is quiet again.",
    ev.CollapseBegan: lambda event, name: (
        f"The pyramid falls by itself: {CELL_NAMES[event.cell]} now, then a ring at the end of each round."
    ),
    ev.FigureLost: lambda event, name: (
        f"{name(event.seat)}'s {event.figure} is lost on {CELL_NAMES[event.cell]} ({event.points})."
    ),
    ev.TreasureLost: _treasure_lost,
    ev.LampLost: lambda event, name: f"{name(event.seat)}'s lamp on {CELL_NAMES[event.cell]} is gone.",
    ev.TurnEnded: lambda event, name: "" if event.why == "end" else f"That ends {name(event.seat)}'s turn.",
    ev.ScoreCounted: _counted,
    ev.GameEnded: _ended,
}
