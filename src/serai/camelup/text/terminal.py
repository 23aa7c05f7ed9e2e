"""Camel Up in a terminal: the table as text of at most 60 columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial

from serai.camelup.rules.pieces import CAMEL_LETTERS, CAMELS, LAST_SPACE, LEG_VALUES, MIRAGE, OASIS
from serai.camelup.rules.rules import CamelUpState, Cards
from serai.camelup.rules.scoring import tiles_of
from serai.camelup.rules.track import ranking
from serai.camelup.text.position import Position
from serai.camelup.text.telling import name_of, side_name
from serai.core import CHANCE

WIDTH = 60


def draw(view: CamelUpState, *, seat: int | None, names: Sequence[str], colour: bool) -> str:
    """The table as ``seat`` sees it: the track with its stacks, pyramid and leg tiles, the players, the race cards."""
    brush = _Brush(colour)
    lines = [_headline(view, brush), "", *_track(view, brush), ""]
    lines += [*_pyramid(view, brush), "", *_players(view, seat, names, brush), ""]
    lines += _race_cards(view, seat, names, brush)
    return "\n".join(line.rstrip() for line in lines)


def brief(view: CamelUpState) -> str:
    """A few lines: the position in notation, and a line for each seat."""
    dice = tuple(camel for camel in CAMELS if not view.tents[camel])
    tiles = tuple(placed for placed in view.deserts if placed)
    title = (
        "over"
        if view.over
        else f"leg {view.leg}, {'a die falls' if view.actor is CHANCE else f'seat {view.turn} to act'}"
    )
    return "\n".join(
        [f"camelup {title}: {Position(view.track, tiles, dice)}", *map(partial(_holding, view), range(view.players))]
    )


def _holding(view: CamelUpState, seat: int) -> str:
    money = "?" if view.options.hide_money and not view.over else view.money[seat]
    words = [f"seat {seat}: {money} EP", f"hand {_letters(view.hands[seat])}"]
    bets = [f"{CAMEL_LETTERS[camel]}{value}" for camel, value in tiles_of(view.leg_bets, seat)]
    for name, deck in (("winner", view.winner_deck), ("loser", view.loser_deck)):
        laid = [camel for owner, camel in deck if owner == seat]
        words += [f"{name} {_letters(laid)}"] * bool(laid)
    words += [f"leg tiles {' '.join(bets)}"] * bool(bets)
    words += [f"rolled {view.pyramid_tiles[seat]}"] * bool(view.pyramid_tiles[seat])
    words += [_desert(view.deserts[seat])] * bool(view.deserts[seat])
    return ", ".join(words)


def _letters(cards: Iterable[int | None]) -> str:
    return "".join("?" if camel is None else CAMEL_LETTERS[camel] for camel in cards) or "-"


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
        name = f"{_short(name_of(player, names)):{_NAME_WIDTH}}"
        tiles = [brush.worth(camel, value) for camel, value in tiles_of(view.leg_bets, player)]
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
    laid = [f"{_short(name_of(owner, names))} {brush.camel(camel)}" for owner, camel in deck] or ["no card yet"]
    return [f"{title if number == 0 else '':16}{line}" for number, line in enumerate(_filled(laid, WIDTH - 16, "  "))]


def _desert(placed: int) -> str:
    return f"{side_name(OASIS if placed > 0 else MIRAGE)} {abs(placed)}" if placed else "-"


def _filled(pieces: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Pieces side by side in lines of that width, ANSI colours not counted."""
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
