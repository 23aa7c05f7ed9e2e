"""Events as English sentences."""

from __future__ import annotations

from collections.abc import Sequence

from serai.camelup.rules import events as ev
from serai.camelup.rules.pieces import CAMEL_NAMES, LAST_SPACE, OASIS, Stack

Names = Sequence[str]


def tell(event: ev.AnyEvent, names: Names) -> str:
    """The event as a sentence; empty if the sentence of another event says it, as the landing of a unit its hops."""

    def name(seat: int) -> str:
        return name_of(seat, names)

    match event:
        case ev.CamelPlaced(camel, space, stack):
            return f"{CAMEL_NAMES[camel].capitalize()} starts on {space}{_on_top_of(stack)}."
        case ev.LegBegan(leg, marker):
            return f"Leg {leg} begins with {name(marker)}."
        case ev.LegTileTaken(seat, camel, value):
            return f"{name(seat)} takes the {CAMEL_NAMES[camel]} leg tile worth {value}."
        case ev.DesertPlaced(seat, space, side, moved_from) if moved_from:
            return f"{name(seat)} moves the desert tile from {moved_from} to {space}, {side_name(side)} up."
        case ev.DesertPlaced(seat, space, side):
            return f"{name(seat)} puts {'an oasis' if side == OASIS else 'a mirage'} on {space}."
        case ev.CardLaid(seat, deck, camel):
            card = "a race card" if camel is None else f"the {CAMEL_NAMES[camel]} race card"
            return f"{name(seat)} lays {card} on the {deck} deck."
        case ev.PyramidTileTaken(seat):
            return f"{name(seat)} shakes the pyramid."
        case ev.DieDrawn(_, camel, pips):
            return f"The {CAMEL_NAMES[camel]} die shows {pips}."
        case ev.DesertMet(space, side):
            return f"The {side_name(side)} on {space} sends it one space {'on' if side == OASIS else 'back'}."
        case ev.PoundPaid(seat, amount):
            return f"{name(seat)} gets {_pounds(amount)} for that."
        case ev.UnitLanded(unit, space, stack) if space <= LAST_SPACE:
            return f"{_unit(unit)} comes to {space}{_on_top_of(stack)}."
        case ev.UnitSlidUnder(unit, space, stack):
            under = f", underneath {CAMEL_NAMES[stack[0]]}" if stack else ""
            return f"{_unit(unit)} ends on {space}{under}."
        case ev.FinishCrossed(unit):
            return f"{_unit(unit)} crosses the finish line!"
        case ev.LegEnded(leg, ranking):
            first, second = (CAMEL_NAMES[camel] for camel in ranking[:2])
            return f"Leg {leg} is over: {first} leads, {second} is second."
        case ev.LegScored(seat, tiles, rolls, total, paid):
            parts = [f"{CAMEL_NAMES[tile.camel]} {tile.value}: {tile.amount:+}" for tile in tiles]
            parts += [f"rolls: {rolls:+}"] * bool(rolls)
            return f"{name(seat)} {_paid(total, paid)}" + (f" ({', '.join(parts)})." if parts else ".")
        case ev.RaceEnded(winner, loser):
            return f"The race is over: {CAMEL_NAMES[winner]} won, {CAMEL_NAMES[loser]} came last."
        case ev.CardScored(deck, place, seat, camel, right, amount, paid):
            card = f"{deck.capitalize()} card {place}, {CAMEL_NAMES[camel]}, is {'right' if right else 'wrong'}"
            return f"{card}: {name(seat)} {_paid(amount, paid)}."
        case ev.GameEnded(money, winners):
            verb = "win" if len(winners) > 1 else "wins"
            return f"{_listed([name(seat) for seat in winners])} {verb} with {_pounds(max(money))}."
    return ""


def name_of(seat: int, names: Names) -> str:
    """A player's name, or ``seat 2`` for one without."""
    return names[seat] if seat < len(names) else f"seat {seat}"


def side_name(side: int) -> str:
    """The name of a side of a desert tile."""
    return "oasis" if side == OASIS else "mirage"


def _on_top_of(stack: Stack) -> str:
    return f", on top of {CAMEL_NAMES[stack[-1]]}" if stack else ""


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def _pounds(amount: int) -> str:
    return "1 pound" if abs(amount) == 1 else f"{abs(amount)} pounds"


def _unit(unit: Stack) -> str:
    first, *riders = (CAMEL_NAMES[camel] for camel in unit)
    return f"{first.capitalize()}, carrying {_listed(riders)}," if riders else first.capitalize()


def _paid(due: int, paid: int) -> str:
    if due >= 0:
        return f"gets {_pounds(due)}" if due else "gets nothing"
    if paid == due:
        return f"pays {_pounds(due)}"
    return f"owes {_pounds(due)} and pays {_pounds(paid) if paid else 'nothing'}"
