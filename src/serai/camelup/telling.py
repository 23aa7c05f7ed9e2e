"""Every event of the camel race as an English sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from serai.camelup import events as ev
from serai.camelup.pieces import CAMEL_NAMES, LAST_SPACE, OASIS, Stack

Names = Sequence[str]


def tell(event: ev.AnyEvent, names: Names) -> str:
    """The event as a sentence; empty for what another event's sentence says too."""
    sentence = _SENTENCES.get(type(event))
    return sentence(event, names) if sentence else ""


def name_of(seat: int, names: Names) -> str:
    """A player's name, or ``seat 2`` for one without."""
    return names[seat] if seat < len(names) else f"seat {seat}"


def side_name(side: int) -> str:
    """How a side of a desert tile is called."""
    return "oasis" if side == OASIS else "mirage"


def _camels(stack: Stack) -> str:
    return _listed([CAMEL_NAMES[camel] for camel in stack])


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def _pounds(amount: int) -> str:
    return "1 pound" if abs(amount) == 1 else f"{abs(amount)} pounds"


def _unit(unit: Stack) -> str:
    first = CAMEL_NAMES[unit[0]].capitalize()
    return f"{first}, carrying {_camels(unit[1:])}," if len(unit) > 1 else first


def _camel_placed(event: ev.CamelPlaced, names: Names) -> str:
    on_top = f", on top of {CAMEL_NAMES[event.stack[-1]]}" if event.stack else ""
    return f"{CAMEL_NAMES[event.camel].capitalize()} starts on {event.space}{on_top}."


def _leg_began(event: ev.LegBegan, names: Names) -> str:
    return f"Leg {event.leg} begins with {name_of(event.marker, names)}."


def _leg_tile_taken(event: ev.LegTileTaken, names: Names) -> str:
    return f"{name_of(event.seat, names)} takes the {CAMEL_NAMES[event.camel]} leg tile worth {event.value}."


def _desert_placed(event: ev.DesertPlaced, names: Names) -> str:
    who = name_of(event.seat, names)
    if event.moved_from:
        return f"{who} moves the desert tile from {event.moved_from} to {event.space}, {side_name(event.side)} up."
    tile = "an oasis" if event.side == OASIS else "a mirage"
    return f"{who} puts {tile} on {event.space}."


def _card_laid(event: ev.CardLaid, names: Names) -> str:
    card = "a race card" if event.camel is None else f"the {CAMEL_NAMES[event.camel]} race card"
    return f"{name_of(event.seat, names)} lays {card} on the {event.deck} deck."


def _pyramid_tile_taken(event: ev.PyramidTileTaken, names: Names) -> str:
    return f"{name_of(event.seat, names)} shakes the pyramid."


def _die_drawn(event: ev.DieDrawn, names: Names) -> str:
    return f"The {CAMEL_NAMES[event.camel]} die shows {event.pips}."


def _desert_met(event: ev.DesertMet, names: Names) -> str:
    way = "one space on" if event.side == OASIS else "one space back"
    return f"The {side_name(event.side)} on {event.space} sends it {way}."


def _pound_paid(event: ev.PoundPaid, names: Names) -> str:
    return f"{name_of(event.seat, names)} gets {_pounds(event.amount)} for that."


def _unit_landed(event: ev.UnitLanded, names: Names) -> str:
    if event.space > LAST_SPACE:
        return ""
    on_top = f", on top of {CAMEL_NAMES[event.stack[-1]]}" if event.stack else ""
    return f"{_unit(event.unit)} comes to {event.space}{on_top}."


def _unit_slid_under(event: ev.UnitSlidUnder, names: Names) -> str:
    under = f", underneath {CAMEL_NAMES[event.stack[0]]}" if event.stack else ""
    return f"{_unit(event.unit)} ends on {event.space}{under}."


def _finish_crossed(event: ev.FinishCrossed, names: Names) -> str:
    return f"{_unit(event.unit)} crosses the finish line!"


def _leg_ended(event: ev.LegEnded, names: Names) -> str:
    first, second = (CAMEL_NAMES[camel] for camel in event.ranking[:2])
    return f"Leg {event.leg} is over: {first} leads, {second} is second."


def _leg_scored(event: ev.LegScored, names: Names) -> str:
    parts = [f"{CAMEL_NAMES[tile.camel]} {tile.value}: {tile.amount:+}" for tile in event.tiles]
    if event.pyramid_tiles:
        parts.append(f"rolls: {event.pyramid_tiles:+}")
    return f"{name_of(event.seat, names)} {_paid(event.total, event.paid)}" + (
        f" ({', '.join(parts)})." if parts else "."
    )


def _race_ended(event: ev.RaceEnded, names: Names) -> str:
    return f"The race is over: {CAMEL_NAMES[event.winner]} won, {CAMEL_NAMES[event.loser]} came last."


def _card_scored(event: ev.CardScored, names: Names) -> str:
    right = "right" if event.right else "wrong"
    card = f"{event.deck.capitalize()} card {event.place}, {CAMEL_NAMES[event.camel]}, is {right}"
    return f"{card}: {name_of(event.seat, names)} {_paid(event.amount, event.paid)}."


def _game_ended(event: ev.GameEnded, names: Names) -> str:
    winners = _listed([name_of(seat, names) for seat in event.winners])
    verb = "win" if len(event.winners) > 1 else "wins"
    return f"{winners} {verb} with {_pounds(max(event.money))}."


def _paid(due: int, paid: int) -> str:
    if due >= 0:
        return f"gets {_pounds(due)}" if due else "gets nothing"
    if paid == due:
        return f"pays {_pounds(due)}"
    return f"owes {_pounds(due)} and pays {_pounds(paid) if paid else 'nothing'}"


_SENTENCES: dict[type[Any], Callable[[Any, Names], str]] = {
    ev.CamelPlaced: _camel_placed,
    ev.LegBegan: _leg_began,
    ev.LegTileTaken: _leg_tile_taken,
    ev.DesertPlaced: _desert_placed,
    ev.CardLaid: _card_laid,
    ev.PyramidTileTaken: _pyramid_tile_taken,
    ev.DieDrawn: _die_drawn,
    ev.DesertMet: _desert_met,
    ev.PoundPaid: _pound_paid,
    ev.UnitLanded: _unit_landed,
    ev.UnitSlidUnder: _unit_slid_under,
    ev.FinishCrossed: _finish_crossed,
    ev.LegEnded: _leg_ended,
    ev.LegScored: _leg_scored,
    ev.RaceEnded: _race_ended,
    ev.CardScored: _card_scored,
    ev.GameEnded: _game_ended,
}
"""No words for a unit lifted or hopping: where it lands says it."""
