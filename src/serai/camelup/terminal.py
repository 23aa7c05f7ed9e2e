"""Camel Up in a terminal: the table as text of at most 60 columns, and every event as a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from serai.camelup import events as ev
from serai.camelup.pieces import CAMEL_LETTERS, CAMEL_NAMES, CAMELS, LAST_SPACE, LEG_VALUES, MIRAGE, OASIS, Stack
from serai.camelup.rules import CamelUpState, Cards
from serai.camelup.track import ranking

WIDTH = 60


def draw(view: CamelUpState, *, seat: int | None, names: Sequence[str], colour: bool) -> str:
    """The table as ``seat`` sees it: the track with its stacks, pyramid and leg tiles, the players, the race cards."""
    brush = _Brush(colour)
    lines = [_headline(view, brush), "", *_track(view, brush), ""]
    lines += [*_pyramid(view, brush), "", *_players(view, seat, names, brush), ""]
    lines += _race_cards(view, seat, names, brush)
    return "\n".join(line.rstrip() for line in lines)


def tell(event: ev.AnyEvent, names: Sequence[str]) -> str:
    """The event as a sentence; empty for what another event's sentence says too."""
    sentence = _SENTENCES.get(type(event))
    return sentence(event, names) if sentence else ""


# -- the drawing -------------------------------------------------------------------------------------------------------

_CAMEL_COLOURS = (
    "1;38;5;231;48;5;26",
    "1;38;5;231;48;5;28",
    "1;38;5;16;48;5;208",
    "1;38;5;16;48;5;226",
    "1;38;5;16;48;5;255",
)
_OASIS_COLOUR, _MIRAGE_COLOUR = "1;38;5;231;48;5;30", "1;38;5;16;48;5;180"
_SAND = "38;5;94;48;5;223"
_NAME_WIDTH = 12
_LEG_TILES_AT = 42
"""The column in which the leg tiles of a player's row begin."""


class _Brush:
    """Paints with ANSI colours, or marks with brackets where there are none."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def paint(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.colour else text

    def camel(self, camel: int | None) -> str:
        """A piece three columns wide; ``None`` is a card face down."""
        letter = "?" if camel is None else CAMEL_LETTERS[camel]
        if not self.colour:
            return f"[{letter}]"
        return self.paint(f" {letter} ", "7" if camel is None else _CAMEL_COLOURS[camel])

    def desert(self, placed: int) -> str:
        sign = "+" if placed > 0 else "-"
        return self.paint(f" {sign} ", _OASIS_COLOUR if placed > 0 else _MIRAGE_COLOUR) if self.colour else f"({sign})"

    def worth(self, camel: int, value: int) -> str:
        """A leg tile: its colour and value."""
        return self.paint(f"{CAMEL_LETTERS[camel]}{value}", _CAMEL_COLOURS[camel])

    def strong(self, text: str) -> str:
        return self.paint(text, "1")

    def faint(self, text: str) -> str:
        return self.paint(text, "2")


def _headline(view: CamelUpState, brush: _Brush) -> str:
    order = ranking(view.track)
    if view.leg == 0:
        return brush.strong("The camels come to the start")
    title = "The race is over" if view.over else f"Leg {view.leg}"
    return f"{brush.strong(title)}, from first to last: {''.join(map(brush.camel, order))}"


def _track(view: CamelUpState, brush: _Brush) -> list[str]:
    """The stacks upright on their numbered spaces; desert tiles lie on theirs."""
    deserts = {abs(placed): placed for placed in view.deserts if placed}
    spaces = range(1, len(view.track))
    rows = []
    for level in reversed(range(max(1, *map(len, view.track)))):
        cells = []
        for space in spaces:
            stack = view.track[space]
            if level < len(stack):
                cell = brush.camel(stack[level])
            else:
                cell = brush.desert(deserts[space]) if level == 0 and space in deserts else "   "
            cells.append(cell)
        rows.append(_with_finish(cells, brush))
    numbers = [brush.paint(f"{space:^3}", _SAND) if space <= LAST_SPACE else "   " for space in spaces]
    return [*rows, _with_finish(numbers, brush)]


def _with_finish(cells: list[str], brush: _Brush) -> str:
    return "".join(cells[:LAST_SPACE]) + brush.strong("║") + "".join(cells[LAST_SPACE:])


def _pyramid(view: CamelUpState, brush: _Brush) -> list[str]:
    inside = "".join(brush.camel(camel) for camel in CAMELS if not view.tents[camel]) or "empty"
    outside = " ".join(brush.worth(camel, view.tents[camel]) for camel in CAMELS if view.tents[camel])
    tops = [
        brush.worth(camel, LEG_VALUES[len(view.leg_bets[camel])])
        for camel in CAMELS
        if len(view.leg_bets[camel]) < len(LEG_VALUES)
    ]
    return [
        f"In the pyramid  {inside}" + (f"   rolled: {outside}" if outside else ""),
        f"Leg tiles       {' '.join(tops) or 'all taken'}",
    ]


def _players(view: CamelUpState, seat: int | None, names: Sequence[str], brush: _Brush) -> list[str]:
    rows = [brush.faint(f"  {'':{_NAME_WIDTH}} {'EP':>3}  {'desert':9} rolls cards leg tiles")]
    winners = view.winners() if view.over else ()
    for player in range(view.players):
        covered = view.options.hide_money and player != seat and not view.over
        mark = "*" if player in winners else ">" if player == view.turn and not view.over else " "
        name = f"{_short(_name(names, player)):{_NAME_WIDTH}}"
        tiles = [
            brush.worth(camel, value)
            for camel, takers in enumerate(view.leg_bets)
            for taker, value in zip(takers, LEG_VALUES, strict=False)
            if taker == player
        ]
        figures = (
            f" {'?' if covered else view.money[player]:>3}  {_desert(view.deserts[player]):9}"
            f" {view.pyramid_tiles[player] or '-':>5} {len(view.hands[player]):>5} "
        )
        first, *more = _filled(tiles, WIDTH - _LEG_TILES_AT) or [""]
        rows.append(f"{mark} {brush.strong(name) if player == seat else name}{figures}{first}")
        rows += [" " * _LEG_TILES_AT + line for line in more]
    return rows


def _race_cards(view: CamelUpState, seat: int | None, names: Sequence[str], brush: _Brush) -> list[str]:
    lines: list[str] = []
    for title, deck in (("On the winner", view.winner_deck), ("On the loser", view.loser_deck)):
        lines += _deck(title, deck, names, brush)
    if seat is not None and not view.over:
        hand = "".join(brush.camel(camel) for camel in view.hands[seat]) or "none left"
        lines.append(f"{'Your race cards':16}{hand}")
    return lines


def _deck(title: str, deck: Cards, names: Sequence[str], brush: _Brush) -> list[str]:
    laid = [f"{_short(_name(names, owner))} {brush.camel(camel)}" for owner, camel in deck] or ["no card yet"]
    return [f"{title if number == 0 else '':16}{line}" for number, line in enumerate(_filled(laid, WIDTH - 16, "  "))]


def _desert(placed: int) -> str:
    return f"{_side(OASIS if placed > 0 else MIRAGE)} {abs(placed)}" if placed else "-"


def _filled(pieces: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Pieces side by side in lines of that width, their colours not counted."""
    lines: list[str] = []
    for piece in pieces:
        if lines and _columns(lines[-1]) + len(gap) + _columns(piece) <= width:
            lines[-1] += gap + piece
        else:
            lines.append(piece)
    return lines


def _columns(text: str) -> int:
    return len(re.sub(r"\033\[[\d;]*m", "", text))


def _short(name: str) -> str:
    return name if len(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1] + "…"


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if seat < len(names) else f"seat {seat}"


# -- the sentences -----------------------------------------------------------------------------------------------------


def _camels(stack: Stack) -> str:
    return _listed([CAMEL_NAMES[camel] for camel in stack])


def _listed(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def _pounds(amount: int) -> str:
    return "1 pound" if abs(amount) == 1 else f"{abs(amount)} pounds"


def _side(side: int) -> str:
    return "oasis" if side == OASIS else "mirage"


def _unit(unit: Stack) -> str:
    first = CAMEL_NAMES[unit[0]].capitalize()
    return f"{first}, carrying {_camels(unit[1:])}," if len(unit) > 1 else first


def _camel_placed(event: ev.CamelPlaced, names: Sequence[str]) -> str:
    on_top = f", on top of {CAMEL_NAMES[event.stack[-1]]}" if event.stack else ""
    return f"{CAMEL_NAMES[event.camel].capitalize()} starts on {event.space}{on_top}."


def _leg_began(event: ev.LegBegan, names: Sequence[str]) -> str:
    return f"Leg {event.leg} begins with {_name(names, event.marker)}."


def _leg_tile_taken(event: ev.LegTileTaken, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} takes the {CAMEL_NAMES[event.camel]} leg tile worth {event.value}."


def _desert_placed(event: ev.DesertPlaced, names: Sequence[str]) -> str:
    who = _name(names, event.seat)
    if event.moved_from:
        return f"{who} moves the desert tile from {event.moved_from} to {event.space}, {_side(event.side)} up."
    tile = "an oasis" if event.side == OASIS else "a mirage"
    return f"{who} puts {tile} on {event.space}."


def _card_laid(event: ev.CardLaid, names: Sequence[str]) -> str:
    card = "a race card" if event.camel is None else f"the {CAMEL_NAMES[event.camel]} race card"
    return f"{_name(names, event.seat)} lays {card} on the {event.deck} deck."


def _pyramid_tile_taken(event: ev.PyramidTileTaken, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} shakes the pyramid."


def _die_drawn(event: ev.DieDrawn, names: Sequence[str]) -> str:
    return f"The {CAMEL_NAMES[event.camel]} die shows {event.pips}."


def _desert_met(event: ev.DesertMet, names: Sequence[str]) -> str:
    way = "one space on" if event.side == OASIS else "one space back"
    return f"The {_side(event.side)} on {event.space} sends it {way}."


def _pound_paid(event: ev.PoundPaid, names: Sequence[str]) -> str:
    return f"{_name(names, event.seat)} gets {_pounds(event.amount)} for that."


def _unit_landed(event: ev.UnitLanded, names: Sequence[str]) -> str:
    if event.space > LAST_SPACE:
        return ""
    on_top = f", on top of {CAMEL_NAMES[event.stack[-1]]}" if event.stack else ""
    return f"{_unit(event.unit)} comes to {event.space}{on_top}."


def _unit_slid_under(event: ev.UnitSlidUnder, names: Sequence[str]) -> str:
    under = f", underneath {CAMEL_NAMES[event.stack[0]]}" if event.stack else ""
    return f"{_unit(event.unit)} ends on {event.space}{under}."


def _finish_crossed(event: ev.FinishCrossed, names: Sequence[str]) -> str:
    return f"{_unit(event.unit)} crosses the finish line!"


def _leg_ended(event: ev.LegEnded, names: Sequence[str]) -> str:
    first, second = (CAMEL_NAMES[camel] for camel in event.ranking[:2])
    return f"Leg {event.leg} is over: {first} leads, {second} is second."


def _leg_scored(event: ev.LegScored, names: Sequence[str]) -> str:
    parts = [f"{CAMEL_NAMES[tile.camel]} {tile.value}: {tile.amount:+}" for tile in event.tiles]
    if event.pyramid_tiles:
        parts.append(f"rolls: {event.pyramid_tiles:+}")
    return f"{_name(names, event.seat)} {_paid(event.total, event.paid)}" + (
        f" ({', '.join(parts)})." if parts else "."
    )


def _race_ended(event: ev.RaceEnded, names: Sequence[str]) -> str:
    return f"The race is over: {CAMEL_NAMES[event.winner]} won, {CAMEL_NAMES[event.loser]} came last."


def _card_scored(event: ev.CardScored, names: Sequence[str]) -> str:
    right = "right" if event.right else "wrong"
    card = f"{event.deck.capitalize()} card {event.place}, {CAMEL_NAMES[event.camel]}, is {right}"
    return f"{card}: {_name(names, event.seat)} {_paid(event.amount, event.paid)}."


def _game_ended(event: ev.GameEnded, names: Sequence[str]) -> str:
    winners = _listed([_name(names, seat) for seat in event.winners])
    verb = "win" if len(event.winners) > 1 else "wins"
    return f"{winners} {verb} with {_pounds(max(event.money))}."


def _paid(due: int, paid: int) -> str:
    if due >= 0:
        return f"gets {_pounds(due)}" if due else "gets nothing"
    if paid == due:
        return f"pays {_pounds(due)}"
    return f"owes {_pounds(due)} and pays {_pounds(paid) if paid else 'nothing'}"


_SENTENCES: dict[type[Any], Callable[[Any, Sequence[str]], str]] = {
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
