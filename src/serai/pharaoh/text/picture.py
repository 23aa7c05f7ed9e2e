"""The table as an SVG picture: the pyramid with passages, figures, lamps and treasures; the players beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from serai.core import CHANCE
from serai.drawing import SERIF, at, circle, panel, picture, rect, seat_disc, shortened, strokes, text
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CELLS,
    FALLEN,
    FIGURES,
    FIRST_CHAMBER,
    LAMPS,
    NOWHERE,
    SIZE,
    TILE_NAMES,
    is_chamber,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.text.art import TILE, cracks, figure_drawing, lamp_drawing, tile, treasure_drawing
from serai.pharaoh.text.telling import name_of, plural

_MARGIN, _RIM, _SHOWN, _SIDE = 14, 36, 500, 372
_SCALE: Final = _SHOWN / (SIZE * TILE + 2 * _RIM)
_WIDTH, _HEIGHT = _MARGIN * 3 + _SHOWN + _SIDE, _MARGIN * 2 + _SHOWN
_GROUND, _STONE, _LINE, _LIGHT, _SOFT, _GOLD = "#1b1410", "#2a1c12", "#5c4229", "#f7ead3", "#d6bd98", "#e8c48d"
_CORNERS: Final = ((False, True), (True, True), (False, False), (True, False))
"""Every seat has a corner of its own on every tile, clear of passages and signs: (east, south)."""


def draw_picture(view: PharaohState, *, names: Sequence[str]) -> str:
    """Map and players, the same for everybody: nothing is secret."""
    said = _headline(view, names)
    return picture(
        _WIDTH,
        _HEIGHT,
        at(_MARGIN, _MARGIN, _board(view), scale=_SCALE),
        at(2 * _MARGIN + _SHOWN, _MARGIN, _side(view, names, said)),
        title=f"Das Gold des Pharao. {said}",
        ground=_GROUND,
    )


def _headline(view: PharaohState, names: Sequence[str]) -> str:
    if view.over:
        return f"The game is over: {' and '.join(name_of(seat, names) for seat in view.winners())} won"
    who = shortened(name_of(view.turn, names), 14)
    if view.actor is CHANCE:
        doing = f"{who} turns over {CELL_NAMES[view.site]}"
    elif view.drawn != NOWHERE:
        doing = f"{who} lays the {TILE_NAMES[view.drawn]} on {CELL_NAMES[view.site]}"
    else:
        doing = f"{who}, {plural(view.moves_left, 'move')} left"
    return f"Round {view.round} · {doing}"


# -- the board ---------------------------------------------------------------------------------------------------------


def _board(view: PharaohState) -> str:
    size = SIZE * TILE + 2 * _RIM
    drawn = [rect(0, 0, size, size, rx=26, fill=_STONE, stroke=_LINE, stroke_width=3)]
    for place in range(SIZE):
        middle = _RIM + TILE * (place + 0.5)
        for x, y, said in (
            (middle, size - 9, "abcdef"[place]),
            (middle, 27, "abcdef"[place]),
            (18, size - middle + 8, str(place + 1)),
            (size - 18, size - middle + 8, str(place + 1)),
        ):
            drawn.append(text(x, y, said, 24, fill=_GOLD, anchor="middle", bold=True, font=SERIF))
    drawn += [_cell(view, cell) for cell in CELLS]
    drawn += [_things(view, cell) for cell in CELLS]
    return "".join(drawn)


def _corner(cell: int) -> tuple[float, float]:
    row, column = divmod(cell, SIZE)
    return _RIM + TILE * column, _RIM + TILE * (SIZE - 1 - row)


def _cell(view: PharaohState, cell: int) -> str:
    drawn = tile(view.tiles[cell])
    if view.falls and view.tiles[cell] != FALLEN and view.falls[cell] == _next_ring(view):
        drawn += cracks()
    if cell == view.site:
        drawn += rect(5, 5, 90, 90, rx=8, fill="none", stroke="#ffd76a", stroke_width=4, stroke_dasharray="9 6")
    return at(*_corner(cell), drawn)


def _next_ring(view: PharaohState) -> int:
    """The ring that falls next; the chamber of the mask counts as the first of them."""
    return 0 if view.clock == NOWHERE else view.ring + 1


def _things(view: PharaohState, cell: int) -> str:
    """Lamps, treasures and figures on a tile."""
    x, y = _corner(cell)
    drawn = []
    for seat in range(view.players):
        east, south = _CORNERS[seat % len(_CORNERS)]
        here = [figure for figure in FIGURES if view.cell_of(seat, figure) == cell]
        if cell in view.lamps[seat]:
            across, down = (11, 44) if here else (18, 16)
            drawn.append(
                at(
                    x + (TILE - across if east else across),
                    y + (TILE - down if south else down),
                    lamp_drawing(seat),
                    scale=0.62 if here else 0.9,
                )
            )
        for number, figure in enumerate(here):
            across = (16 if len(here) == 1 else 12) + 14 * number
            scale = 1.02 if len(here) == 1 else 0.82
            left = x + (TILE - across if east else across) - 15 * scale
            top = y + (TILE - 40 * scale + 1 if south else 0)
            drawn.append(at(left, top, figure_drawing(seat, figure), scale=scale))
            if figure == "archaeologist" and view.carried[seat]:
                inwards = left - 12 if east else left + 22 * scale
                drawn.append(at(inwards, top + 14, treasure_drawing(view.carried[seat]), scale=0.45))
    lying = [value for place, value in view.lying if place == cell]
    pitch = min(20, 50 / max(1, len(lying)))
    for number, value in enumerate(lying):
        left = x + TILE / 2 + (number - (len(lying) - 1) / 2) * pitch - 11
        drawn.append(at(left, y + (3 if is_chamber(view.tiles[cell]) else 39), treasure_drawing(value), scale=0.56))
    return "".join(drawn)


# -- beside it ---------------------------------------------------------------------------------------------------------

_ROW: Final = 84


def _side(view: PharaohState, names: Sequence[str], said: str) -> str:
    drawn = [text(2, 20, shortened(said, 40), 18, fill=_GOLD, bold=True, font=SERIF)]
    drawn.append(panel(0, 34, _SIDE, _ROW * view.players + 8, fill=_STONE, edge=_LINE))
    drawn += [at(0, 38 + _ROW * seat, _player(view, seat, names)) for seat in range(view.players)]
    top = 38 + _ROW * view.players + 26
    for number, line in enumerate(_notes(view, names)):
        drawn.append(text(4, top + 20 * number, line, 14, fill=_SOFT))
    return "".join(drawn)


def _player(view: PharaohState, seat: int, names: Sequence[str]) -> str:
    shown = seat in view.winners() if view.over else seat == view.turn
    drawn = [rect(3, 1, _SIDE - 6, _ROW - 2, rx=12, fill="#46320f", stroke="#d9a21b", stroke_width=2)] if shown else []
    covered = view.options.hide_scores and not view.over
    points = "?" if covered else str(view.points[seat])
    drawn += [
        seat_disc(24, 22, 13, seat),
        text(46, 27, shortened(name_of(seat, names), 18), 16, fill=_LIGHT, bold=True),
        text(_SIDE - 16, 30, points, 24, fill=_LIGHT, anchor="end", bold=True, font=SERIF),
        text(46, 47, " · ".join(_figures(view, seat)), 13, fill=_SOFT),
    ]
    photos = view.photos.count(seat)
    x = 46.0
    for _ in range(photos):
        drawn.append(
            rect(x, 56, 16, 19, rx=2, fill="#fdf8ea", stroke="#8a7350") + rect(x + 2, 58, 12, 12, fill="#5b4426")
        )
        x += 20
    for value in view.museums[seat]:
        covering = circle(x + 10, 66, 8, fill="#b98a2b", stroke="#4a2f06", stroke_width=1.2)
        drawn.append(covering if covered else at(x, 56, treasure_drawing(value), scale=0.5))
        x += 23
    if x == 46:
        drawn.append(text(46, 70, "nothing in the museum yet", 13, fill=_SOFT))
    for lamp in range(LAMPS):
        left = _SIDE - 18 - 19 * (LAMPS - 1 - lamp)
        drawn.append(
            at(left, 66, lamp_drawing(seat), scale=0.5)
            if lamp < view.supplies[seat]
            else at(left, 66, strokes("M-11 2H13", _LINE, 3), scale=0.5)
        )
    return "".join(drawn)


def _figures(view: PharaohState, seat: int) -> list[str]:
    cells = [(figure, view.cell_of(seat, figure)) for figure in FIGURES]
    return [f"{figure} {'lost' if cell == NOWHERE else CELL_NAMES[cell]}" for figure, cell in cells]


def _notes(view: PharaohState, names: Sequence[str]) -> list[str]:
    notes = []
    if view.countdown and not view.over:
        turns = plural(view.countdown, "turn end")
        notes.append(f"Mask in {CELL_NAMES[view.mask_chamber]}: falls in {turns} of {name_of(view.finder, names)}")
    elif view.falls_by_itself and not view.over:
        notes.append(f"Ring {view.ring + 1} falls at the end of this round")
    elif view.falls and view.clock == NOWHERE and not view.over:
        notes.append(f"Restless: falls after this round, from {CELL_NAMES[view.centre]}")
    elif view.clock != NOWHERE and not view.over:
        notes.append(f"Ring {view.ring + 1} falls as {shortened(name_of(view.clock, names), 14)}'s turn ends")
    tees, corners, straights = view.unseen[:FIRST_CHAMBER]
    chambers = sum(view.unseen[FIRST_CHAMBER:])
    if view.players < 4 or not notes:
        notes.append(f"Unseen: {tees} tees, {corners} corners, {straights} straights, {chambers} chambers")
    return notes
