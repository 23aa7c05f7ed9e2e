"""Das Gold des Pharao in a terminal: the map, 74 columns wide, the players and what is still unseen."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from serai.core import CHANCE
from serai.pharaoh.rules.actions import Archaeologist, Helper, Reveal
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CHAMBER_CODE,
    CHAMBER_NAMES,
    COUNTDOWN,
    EAST,
    FACE_DOWN,
    FALLEN,
    FIGURES,
    FIRST_CHAMBER,
    LAMPS,
    MASK,
    NORTH,
    NOWHERE,
    OPENINGS,
    PHOTOS,
    SIZE,
    SOUTH,
    START,
    TILE_NAMES,
    TREASURE_VALUES,
    WEST,
    Shown,
    is_chamber,
    treasure_name,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import linked
from serai.pharaoh.text.position import map_signs
from serai.pharaoh.text.telling import name_of, plural

ARCHAEOLOGIST_LETTERS, HELPER_LETTERS = "ABCD", "abcd"

_WIDE, _HIGH = 11, 3
_CENTRE = _WIDE // 2
_HUBS = "·╹╺╚╻║╔╠╸╝═╩╗╣╦╬"
"""The middle of a passage, by its openings."""
_SEAT_STYLES = ("1;31", "1;34", "1;32", "1;35")
_FAINT, _STRONG, _GOLD = "2", "1", "1;33"
_MARK = "1;36"
_NAME_WIDTH = 14

Style = str
Canvas = list[list[tuple[str, Style]]]


def draw(view: PharaohState, *, seat: int | None, names: Sequence[str], colour: bool) -> str:
    """The map, the players, and for the seat to act the cells that one move reaches."""
    marks = _Marks(view, seat)
    lines = [*_headlines(view, names), "", *_map(view, marks, colour), "", *_players(view, names, colour), ""]
    lines += [*_pieces_left(view), *_legend(marks)]
    return "\n".join(line.rstrip() for line in lines)


def brief(view: PharaohState) -> str:
    """A few lines: the map in signs, a headline beside it, and a line for each seat."""
    lines = ["".join(row) for row in map_signs(view)]
    beside = [f"pharaoh: {line}" for line in _headlines(view, ())]
    beside += [_holding(view, seat) for seat in range(view.players)]
    return "\n".join(
        f"{line:{SIZE}}  {words}".rstrip() for line, words in itertools.zip_longest(lines, beside, fillvalue="")
    )


def _holding(view: PharaohState, seat: int) -> str:
    covered = view.options.hide_scores and not view.over
    points = f"seat {seat}: {'?' if covered else view.points[seat]} points"
    cells = [(figure, view.cell_of(seat, figure)) for figure in FIGURES]
    places = [f"{figure} {'lost' if cell == NOWHERE else CELL_NAMES[cell]}" for figure, cell in cells]
    carried = [f"carries {treasure_name(view.carried[seat])}"] * bool(view.carried[seat])
    lamps = [f"lamps {' '.join(CELL_NAMES[cell] for cell in view.lamps[seat])}"] * bool(view.lamps[seat])
    return ", ".join([points, *places, *carried, *lamps])


class _Marks:
    """The cells that the viewer's next move can reach or reveal, if it is their turn."""

    def __init__(self, view: PharaohState, seat: int | None) -> None:
        mine = view.actions() if seat is not None and seat == view.actor else ()
        self.archaeologist = {action.cell for action in mine if isinstance(action, Archaeologist)}
        self.helper = {action.cell for action in mine if isinstance(action, Helper)}
        self.reveal = {action.cell for action in mine if isinstance(action, Reveal)}


# -- the map -----------------------------------------------------------------------------------------------------------


def _map(view: PharaohState, marks: _Marks, colour: bool) -> list[str]:
    columns = "   " + " ".join(name.center(_WIDE) for name in "abcdef")
    lines = [columns]
    for row in reversed(range(SIZE)):
        cells = range(row * SIZE, (row + 1) * SIZE)
        drawn = [_cell(view, cell, marks) for cell in cells]
        for line in range(_HIGH):
            label = str(row + 1) if line == _HIGH // 2 else " "
            inked: list[tuple[str, Style]] = []
            for cell, canvas in zip(cells, drawn, strict=True):
                if cell != cells[0]:
                    joined = line == _HIGH // 2 and cell - 1 in linked(view.tiles, cell)
                    inked.append(("═" if joined else " ", ""))
                inked += canvas[line]
            lines.append(f"{label}  {_ink(inked, colour)}")
        if row:
            joins = ["║" if cell - SIZE in linked(view.tiles, cell) else " " for cell in cells]
            lines.append("   " + " ".join(join.center(_WIDE) for join in joins))
    return lines


def _cell(view: PharaohState, cell: int, marks: _Marks) -> Canvas:
    code = view.tiles[cell]
    if code == FALLEN:
        return _filled(" ")
    if code == FACE_DOWN:
        return _face_down(view, cell, marks)
    canvas = _filled(" ")
    _passages(canvas, code)
    _label(canvas, code, cell, marks)
    _write(canvas[0], 0, [(ARCHAEOLOGIST_LETTERS[one], _seat_style(one)) for one in _on(view.archaeologists, cell)])
    _write_right(canvas[0], [(HELPER_LETTERS[one], _seat_style(one)) for one in _on(view.helpers, cell)])
    _write(canvas[2], 0, _treasures(view, cell))
    lamps = [(HELPER_LETTERS[one], _seat_style(one)) for one, lit in enumerate(view.lamps) if cell in lit]
    if lamps:
        _write_right(canvas[2], [("*", _GOLD), *lamps])
    return canvas


def _filled(char: str) -> Canvas:
    return [[(char, _FAINT) for _ in range(_WIDE)] for _ in range(_HIGH)]


def _face_down(view: PharaohState, cell: int, marks: _Marks) -> Canvas:
    canvas = _filled("░")
    word = ""
    if cell == view.site:
        word = "?" if view.drawn == NOWHERE else TILE_NAMES[view.drawn]
    elif cell in marks.reveal:
        word = "reveal"
    if word:
        _write(canvas[1], (_WIDE - len(word) - 2) // 2, [(char, _MARK) for char in f" {word} "])
    return canvas


def _passages(canvas: Canvas, code: int) -> None:
    openings = OPENINGS[code]
    if openings & NORTH:
        canvas[0][_CENTRE] = ("║", "")
    if openings & SOUTH:
        canvas[2][_CENTRE] = ("║", "")
    for column in range(_WIDE):
        if (column < _CENTRE and openings & WEST) or (column > _CENTRE and openings & EAST):
            canvas[1][column] = ("═", "")
    canvas[1][_CENTRE] = (_HUBS[openings], "")


def _label(canvas: Canvas, code: int, cell: int, marks: _Marks) -> None:
    """The name of a chamber or of the start, and brackets: ( the archaeologist, ) the helper can walk here."""
    word = "START" if code == START else CHAMBER_NAMES[code - CHAMBER_CODE] if is_chamber(code) else ""
    at = _CENTRE - (len(word) // 2 if word else 0)
    _write(canvas[1], at, [(char, _GOLD if is_chamber(code) else _STRONG) for char in word])
    if cell in marks.archaeologist:
        _write(canvas[1], at - 1, [("(", _MARK)])
    if cell in marks.helper:
        _write(canvas[1], at + max(len(word), 1), [(")", _MARK)])


def _treasures(view: PharaohState, cell: int) -> list[tuple[str, Style]]:
    """Treasures there, the dearest first; a plus sign for those that do not fit."""
    values = sorted((value for place, value in view.lying if place == cell), reverse=True)
    signs = ["M" if value == MASK else str(value) for value in values]
    if len(signs) > _CENTRE:
        signs = [*signs[: _CENTRE - 1], "+"]
    return [(sign, _GOLD) for sign in signs]


def _on(places: Sequence[int], cell: int) -> list[int]:
    return [seat for seat, place in enumerate(places) if place == cell]


def _write(line: list[tuple[str, Style]], at: int, inked: Iterable[tuple[str, Style]]) -> None:
    for column, char in enumerate(inked, start=at):
        line[column] = char


def _write_right(line: list[tuple[str, Style]], inked: list[tuple[str, Style]]) -> None:
    _write(line, _WIDE - len(inked), inked)


def _ink(inked: Iterable[tuple[str, Style]], colour: bool) -> str:
    runs = itertools.groupby(inked, key=lambda one: one[1] if one[0] != " " else "")
    return "".join(_paint("".join(char for char, _ in run), style, colour) for style, run in runs)


def _paint(text: str, style: Style, colour: bool) -> str:
    return f"\033[{style}m{text}\033[0m" if colour and style else text


def _seat_style(seat: int) -> Style:
    return _SEAT_STYLES[seat]


# -- words round the map -----------------------------------------------------------------------------------------------


def _headlines(view: PharaohState, names: Sequence[str]) -> list[str]:
    if view.over:
        return [f"The game is over after {plural(view.round, 'round')}."]
    who = _short_name(view.turn, names)
    if view.actor is CHANCE:
        doing = f"{who} turns over {CELL_NAMES[view.site]}"
    elif view.drawn != NOWHERE:
        doing = f"{who} lays the {TILE_NAMES[view.drawn]} on {CELL_NAMES[view.site]}"
    else:
        doing = f"{who} to play, {plural(view.moves_left, 'move')} left"
    return [f"Round {view.round} · {doing}", *_danger(view, names)]


def _danger(view: PharaohState, names: Sequence[str]) -> list[str]:
    if view.countdown:
        # the end of the finding turn already counts one down
        turns = plural(min(view.countdown, COUNTDOWN), "more turn")
        where = CELL_NAMES[view.mask_chamber]
        return [f"The mask is in {where}: its chamber falls after {turns} of {_short_name(view.finder, names)}"]
    if view.falls_by_itself:
        return [f"The pyramid falls by itself: ring {view.ring + 1} at the end of this round"]
    if view.clock != NOWHERE:
        return [f"Ring {view.ring + 1} falls at the end of {_short_name(view.clock, names)}'s turn"]
    if view.falls:
        where = CELL_NAMES[view.centre]
        return [f"Restless: unless a tile is revealed or points rise, it falls after this round, from {where}"]
    return []


def _players(view: PharaohState, names: Sequence[str], colour: bool) -> list[str]:
    covered = view.options.hide_scores and not view.over
    width = max(len(_short_name(seat, names)) for seat in range(view.players))
    lines = [f"{'':7}{'':{width}}  points  photos  lamps  museum"]
    for seat, points in enumerate(view.scores()):
        letters = _paint(f"{ARCHAEOLOGIST_LETTERS[seat]} {HELPER_LETTERS[seat]}", _seat_style(seat), colour)
        figures = f"{'?' if covered else points:>6}  {view.photos.count(seat):>6}  {view.supplies[seat]:>2}/{LAMPS}"
        about = " · ".join([_museum(view, seat, covered), *_state_of_figures(view, seat)])
        lines.append(f"{_pointer(view, seat)} {letters}  {_short_name(seat, names):{width}}  {figures}   {about}")
    return lines


def _pointer(view: PharaohState, seat: int) -> str:
    """Whose turn it is, or who has won."""
    if view.over:
        return "★" if seat in view.winners() else " "
    return "▸" if seat == view.turn else " "


def _short_name(seat: int, names: Sequence[str]) -> str:
    name = name_of(seat, names)
    return name if len(name) <= _NAME_WIDTH else f"{name[: _NAME_WIDTH - 1]}…"


def _museum(view: PharaohState, seat: int, covered: bool) -> str:
    treasures = view.museums[seat]
    if covered:
        return plural(len(treasures), "treasure")
    return "+".join(map(treasure_name, treasures)) or "empty"


def _state_of_figures(view: PharaohState, seat: int) -> list[str]:
    words = [f"carries {treasure_name(view.carried[seat])}"] if view.carried[seat] else []
    return words + [f"lost {figure}" for figure in FIGURES if view.cell_of(seat, figure) == NOWHERE]


def _pieces_left(view: PharaohState) -> list[str]:
    passages = [
        plural(count, name) for name, count in zip(TILE_NAMES, view.unseen[:FIRST_CHAMBER], strict=False) if count
    ]
    chambers = sum(view.unseen[FIRST_CHAMBER:])
    tiles = ", ".join([*passages, *([plural(chambers, "chamber")] if chambers else [])]) or "nothing"
    lines = [f"Unseen: {tiles}"]
    photos = [_shown(PHOTOS[number]) for number, owner in enumerate(view.photos) if owner == NOWHERE]
    if photos:
        stack = [f"{count} of {value}" for value, count in zip(TREASURE_VALUES, view.stack, strict=True) if count]
        mask = ["the mask"] if view.mask_chamber == NOWHERE else []
        lines.append(f"Photos left show treasures: {', '.join(photos)}")
        lines.append(f"Treasures left: {', '.join([*stack, *mask])}")
    return lines


def _shown(photo: Shown) -> str:
    return f"{photo.treasures} + {photo.omen}" if photo.omen else str(photo.treasures)


def _legend(marks: _Marks) -> list[str]:
    lines = ["A archaeologist, a helper, *a lamp, 2 3 M treasures and mask; north is up"]
    if marks.archaeologist or marks.helper:
        lines.append("One move: ( your archaeologist, ) your helper")
    return lines
