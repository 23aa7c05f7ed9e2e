"""Every event of the pyramid as an English sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from serai.pharaoh import events as ev
from serai.pharaoh.pieces import CELL_NAMES, FIRST_CHAMBER, MASK, NOWHERE, SIDE_NAMES, TILE_NAMES

Names = Sequence[str]


def tell(event: ev.AnyEvent, names: Names) -> str:
    """The event as a sentence; empty for what another event's sentence says too."""
    sentence = _SENTENCES.get(type(event))
    return sentence(event, names) if sentence else ""


def name_of(seat: int, names: Names) -> str:
    """A player's name, or ``Seat 2`` for one without."""
    return names[seat] if seat < len(names) else f"Seat {seat}"


def plural(count: int, noun: str) -> str:
    """``1 move``, ``2 moves``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _treasure(value: int) -> str:
    return "the death mask" if value == MASK else f"a treasure of {value}"


def _the_treasure(value: int) -> str:
    return "The death mask" if value == MASK else f"A treasure of {value}"


def _walked(event: ev.Walked, names: Names) -> str:
    lit = " through the lamp light" if len(event.way) > 2 else ""
    return f"{name_of(event.seat, names)}'s {event.figure} walks to {CELL_NAMES[event.way[-1]]}{lit}."


def _drawn(event: ev.TileDrawn, names: Names) -> str:
    if event.tile < FIRST_CHAMBER:
        return f"It is a {TILE_NAMES[event.tile]}."
    return (
        f"A chamber! {name_of(event.seat, names)} has found the {TILE_NAMES[event.tile]} on {CELL_NAMES[event.cell]}."
    )


def _photo(event: ev.PhotoTaken, names: Names) -> str:
    omen = f" and a {event.omen}" if event.omen else ""
    return f"{name_of(event.seat, names)}'s photo shows {plural(event.treasures, 'treasure')}{omen}."


def _dropped(event: ev.TreasureDropped, names: Names) -> str:
    verb = "loses hold of" if event.frightened else "drops"
    return f"{name_of(event.seat, names)} {verb} {_treasure(event.value)} on {CELL_NAMES[event.cell]}."


def _slept(event: ev.OmenSlept, names: Names) -> str:
    return f"No way leads out of the chamber: the {event.omen} stays inside."


def _countdown(event: ev.CountdownWent, names: Names) -> str:
    if not event.turns:
        return f"The time of {name_of(event.seat, names)}'s find has run out."
    return f"The chamber of the mask falls after {plural(event.turns, 'more turn')} of {name_of(event.seat, names)}."


def _ring(event: ev.RingFell, names: Names) -> str:
    unseen = f", {event.unseen} of them never seen" if event.unseen else ""
    return f"Ring {event.ring} falls: {plural(len(event.cells), 'cell')}{unseen}."


def _treasure_lost(event: ev.TreasureLost, names: Names) -> str:
    whose = "" if event.seat == NOWHERE else f", carried by {name_of(event.seat, names)},"
    return f"{_the_treasure(event.value)}{whose} is lost on {CELL_NAMES[event.cell]}."


def _turn_ended(event: ev.TurnEnded, names: Names) -> str:
    who = name_of(event.seat, names)
    return {"end": "", "omen": f"That ends {who}'s turn.", "mask": f"That ends {who}'s turn."}[event.why]


def _counted(event: ev.ScoreCounted, names: Names) -> str:
    treasures = "+".join(map(str, event.treasures)) or "0"
    lost = f", lost figures {event.lost}" if event.lost else ""
    who = name_of(event.seat, names)
    return f"{who}: photos {event.photos}, treasures {treasures}{lost}: {plural(event.total, 'point')}."


def _ended(event: ev.GameEnded, names: Names) -> str:
    winners = [name_of(seat, names) for seat in event.winners]
    why = "The pyramid is gone." if event.why == "collapse" else "The last round is over."
    if len(winners) == 1:
        return f"{why} {winners[0]} wins with {plural(event.scores[event.winners[0]], 'point')}."
    return f"{why} {', '.join(winners[:-1])} and {winners[-1]} share the victory."


_SENTENCES: dict[type[Any], Callable[[Any, Names], str]] = {
    ev.TurnBegan: lambda event, names: f"Round {event.round}: {name_of(event.seat, names)}'s turn.",
    ev.Walked: _walked,
    ev.TileOpened: lambda event, names: f"{name_of(event.seat, names)} turns over {CELL_NAMES[event.cell]}.",
    ev.TileDrawn: _drawn,
    ev.TileLaid: lambda event, names: (
        f"{name_of(event.seat, names)} lays it on {CELL_NAMES[event.cell]}, open to {SIDE_NAMES[event.openings]}."
    ),
    ev.TileTurned: lambda event, names: (
        f"{name_of(event.seat, names)}'s helper turns {CELL_NAMES[event.cell]}: "
        f"open to {SIDE_NAMES[event.openings]}, no longer {SIDE_NAMES[event.before]}."
    ),
    ev.FigureShutIn: lambda event, names: (
        f"{name_of(event.seat, names)}'s {event.figure} is shut in on {CELL_NAMES[event.cell]}!"
    ),
    ev.LampPutUp: lambda event, names: (
        f"{name_of(event.seat, names)} puts up a lamp on {CELL_NAMES[event.cell]}; {event.supply} left."
    ),
    ev.LampTakenDown: lambda event, names: (
        f"{name_of(event.seat, names)} takes down the lamp on {CELL_NAMES[event.cell]}."
    ),
    ev.TreasureTaken: lambda event, names: (
        f"{name_of(event.seat, names)} takes {_treasure(event.value)} on {CELL_NAMES[event.cell]}."
    ),
    ev.TreasureDropped: _dropped,
    ev.TreasureStolen: lambda event, names: (
        f"{name_of(event.seat, names)} steals {_treasure(event.value)} from {name_of(event.victim, names)}"
        f" on {CELL_NAMES[event.cell]}!"
    ),
    ev.TreasureBanked: lambda event, names: f"{name_of(event.seat, names)} brings {_treasure(event.value)} to safety.",
    ev.PhotoTaken: _photo,
    ev.TreasureLaidOut: lambda event, names: f"{_the_treasure(event.value)} lies in the chamber.",
    ev.MaskFound: lambda event, names: (
        f"The death mask! Its chamber falls when {name_of(event.seat, names)} has had {event.turns} more turns."
    ),
    ev.MummyWoke: lambda event, names: "The mummy wakes and walks out of the pyramid.",
    ev.FigureFled: lambda event, names: (
        f"{name_of(event.seat, names)}'s {event.figure} flees from {CELL_NAMES[event.cell]} to the start tile."
    ),
    ev.CurseSpread: lambda event, names: "The curse blows out of the pyramid.",
    ev.LampBlownOut: lambda event, names: f"{name_of(event.seat, names)}'s lamp on {CELL_NAMES[event.cell]} goes out.",
    ev.OmenSlept: _slept,
    ev.CountdownWent: _countdown,
    ev.MaskCarriedOut: lambda event, names: f"{name_of(event.seat, names)} carries the death mask out of its chamber!",
    ev.ClockMoved: lambda event, names: (
        f"From now on a ring falls at the end of every turn of {name_of(event.seat, names)}."
    ),
    ev.ChamberFell: lambda event, names: f"The chamber on {CELL_NAMES[event.cell]} falls.",
    ev.RingFell: _ring,
    ev.FigureLost: lambda event, names: (
        f"{name_of(event.seat, names)}'s {event.figure} is lost on {CELL_NAMES[event.cell]} ({event.points})."
    ),
    ev.TreasureLost: _treasure_lost,
    ev.LampLost: lambda event, names: f"{name_of(event.seat, names)}'s lamp on {CELL_NAMES[event.cell]} is gone.",
    ev.TurnEnded: _turn_ended,
    ev.ScoreCounted: _counted,
    ev.GameEnded: _ended,
}
