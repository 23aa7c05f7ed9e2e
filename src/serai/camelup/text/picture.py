"""The table as an SVG picture: the track round the pyramid with its stacks; bets, purses and race cards beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS, LAST_SPACE, LEG_VALUES
from serai.camelup.rules.rules import CamelUpState, Cards
from serai.camelup.rules.scoring import tiles_of
from serai.camelup.rules.track import ranking
from serai.camelup.text.art import camel_drawing, desert_tile, leg_tile, pyramid, race_card, tent
from serai.camelup.text.telling import name_of
from serai.core import CHANCE
from serai.drawing import (
    EDGE,
    GOLD,
    GOLD_DEEP,
    HEAD,
    INK_SOFT,
    PANEL,
    SERIF,
    TURN,
    at,
    circle,
    panel,
    path,
    picture,
    rect,
    seat_disc,
    shortened,
    text,
    titled,
)

_BOARD: Final = 780
_SHOWN: Final = 452
"""The width of the board in the picture."""
_RIM, _CELL, _PITCH = 21, 138, 150
_SIDE: Final = 436
_MARGIN: Final = 14
_WIDTH: Final = _MARGIN * 3 + _SHOWN + _SIDE
_HEIGHT: Final = _MARGIN * 2 + _SHOWN
_CAMEL_WIDE, _CAMEL_HIGH, _BACK = 108, 84, 37
_FEET, _FORWARD, _OVER_SPACE, _OVER_EDGE = 7, 6, 64, 28
_BEYOND: Final = 16
"""How much further in a camel beyond the finish line stands than one before it."""


def draw_picture(view: CamelUpState, *, seat: int | None, names: Sequence[str]) -> str:
    """The table as ``seat`` sees it, hidden cards face down."""
    return picture(
        _WIDTH,
        _HEIGHT,
        at(_MARGIN, _MARGIN, _board(view), scale=_SHOWN / _BOARD),
        at(2 * _MARGIN + _SHOWN, _MARGIN, _side(view, seat, names)),
        title=f"Camel Up. {_headline(view, names)}. {_order(view)}",
    )


def _headline(view: CamelUpState, names: Sequence[str]) -> str:
    if view.over:
        winners = " and ".join(name_of(seat, names) for seat in view.winners())
        return f"The race is over: {winners} won" if len(winners) < 26 else "The race is over: a shared victory"
    if view.leg == 0:
        return "The camels come to the start"
    doing = "shakes the pyramid" if view.actor is CHANCE else "to act"
    return f"Leg {view.leg} · {name_of(view.turn, names)} {doing}"


def _order(view: CamelUpState) -> str:
    order = ranking(view.track)
    return f"From first to last: {', '.join(CAMEL_NAMES[camel] for camel in order)}" if order else ""


# -- the board ---------------------------------------------------------------------------------------------------------


def _board(view: CamelUpState) -> str:
    drawn = [
        rect(3, 3, 774, 774, rx=44, fill="#a8692f"),
        rect(3, 0, 774, 772, rx=44, fill="#c98b4b"),
        rect(12, 9, 756, 756, rx=38, fill="#e8c48d"),
        _scene(view),
        *(_space(view, space) for space in range(1, LAST_SPACE + 1)),
        _finish_line(),
    ]
    # drawn last: lower on the board, or higher in a stack
    stacks = sorted(range(1, len(view.track)), key=lambda space: (_grid(space)[0], space > LAST_SPACE))
    drawn += [
        _standing(camel, space, level, len(view.track[space]))
        for space in stacks
        for level, camel in enumerate(view.track[space])
    ]
    return "".join(drawn)


def _grid(space: int) -> tuple[int, int]:
    """Row and column: from the lower right corner clockwise, as the camels run."""
    side, step = divmod((space - 1) % LAST_SPACE, 4)
    return ((4, 4 - step), (4 - step, 0), (0, step), (step, 4))[side]


def _corner(space: int) -> tuple[float, float]:
    row, column = _grid(space)
    return _RIM + _PITCH * column, _RIM + _PITCH * row - 3


def _space(view: CamelUpState, space: int) -> str:
    x, y = _corner(space)
    drawn = rect(x, y, _CELL, _CELL, rx=24, fill="#f6e4c1", stroke="#c9964f", stroke_width=2)
    drawn += text(x + 16, y + 34, str(space), 27, fill="#80531c", bold=True, font=SERIF)
    for owner, placed in enumerate(view.deserts):
        if abs(placed) == space:
            drawn += at(x + 14, y + 44, desert_tile(placed, owner))
    return drawn


def _finish_line() -> str:
    x, y = _corner(LAST_SPACE)
    side = _CELL / 12
    squares = [
        rect(x + side * column, y + _CELL + row * 6, side, 6, fill="#3b2a17" if (row + column) % 2 else "#fff")
        for row in range(2)
        for column in range(12)
    ]
    return titled(*squares, by="finish line")


def _standing(camel: int, space: int, level: int, height: int) -> str:
    row, column = _grid(space)
    left = column > 0 if row == 4 else column == 4 and row > 0
    room = _CELL - _FEET - _CAMEL_HIGH + (_RIM + _OVER_EDGE if row == 0 else _OVER_SPACE)
    pitch = min(_BACK, room / (height - 1)) if height > 1 else _BACK
    beyond = _BEYOND if space > LAST_SPACE else 0
    x, y = _corner(space)
    x += (_CELL - _CAMEL_WIDE) / 2 + (-_FORWARD if left else _FORWARD) + beyond
    y += _CELL - _FEET - _CAMEL_HIGH - level * pitch - beyond
    drawn = at(x + (_CAMEL_WIDE if left else 0), y, camel_drawing(camel), mirrored=left)
    return titled(drawn, by=f"{CAMEL_NAMES[camel]} on space {space}")


def _scene(view: CamelUpState) -> str:
    """Sky and sand in the middle, the pyramid, and a tent for each die: beside it while the die is inside."""
    x, y, size = _RIM + _PITCH, _RIM + _PITCH - 3, 3 * _PITCH - 12
    drawn = [
        rect(x, y, size, size, rx=28, fill="#f7d9a0"),
        circle(x + 350, y + 130, 40, fill="#fff1cf"),
        path(f"M{x} {y + 330}q110 -40 220 -4t218 -6v90q0 28 -28 28h-382q-28 0 -28 -28z", fill="#e2b06a"),
        path(f"M{x} {y + 372}q120 -26 240 2t198 -8v44q0 28 -28 28h-382q-28 0 -28 -28z", fill="#d49a52"),
        at(x + 68, y + 132, pyramid()),
    ]
    drawn += [at(x + 20 + 81 * camel, y + 20, tent(camel, view.tents[camel])) for camel in CAMELS]
    return "".join(drawn)


# -- beside it ---------------------------------------------------------------------------------------------------------

_LEG_TOP, _ROWS_TOP, _ROWS_ROOM, _DECKS_HIGH = 36, 112, 248, 88


def _side(view: CamelUpState, seat: int | None, names: Sequence[str]) -> str:
    pitch = min(50.0, _ROWS_ROOM / view.players)
    decks = _ROWS_TOP + pitch * view.players + 6
    drawn = [text(2, 19, shortened(_headline(view, names), 44), 18, fill=HEAD, bold=True, font=SERIF), _leg_tiles(view)]
    drawn.append(panel(0, _ROWS_TOP - 4, _SIDE, pitch * view.players + 4))
    drawn += [
        at(0, _ROWS_TOP - 2 + pitch * player, _player(view, player, seat, names, pitch))
        for player in range(view.players)
    ]
    drawn.append(at(0, decks + 4, _decks(view)))
    return "".join(drawn)


def _leg_tiles(view: CamelUpState) -> str:
    """For each colour the tile on top, and the number below it."""
    drawn = []
    for camel in CAMELS:
        left = LEG_VALUES[len(view.leg_bets[camel]) :]
        x = camel * (_SIDE + 8) / len(CAMELS)
        if left:
            under = [at(x + 3 * more, _LEG_TOP + 3 * more, leg_tile(camel, 0)) for more in range(len(left) - 1, 0, -1)]
            drawn += [*under, at(x, _LEG_TOP, leg_tile(camel, left[0]))]
        else:
            drawn.append(
                rect(x, _LEG_TOP, 74, 58, rx=10, fill="none", stroke="#c9964f", stroke_width=2, stroke_dasharray="5 4")
            )
    return "".join(drawn)


def _player(view: CamelUpState, player: int, seat: int | None, names: Sequence[str], pitch: float) -> str:
    """Name and purse, then what was taken this leg, and the cards in hand at the right."""
    middle = pitch / 2
    winner = view.over and player in view.winners()
    drawn = []
    if winner or (not view.over and player == view.turn):
        drawn.append(rect(2, 1, _SIDE - 4, pitch - 2, rx=12, fill=TURN, stroke=GOLD, stroke_width=2))
    drawn.append(seat_disc(20, middle, 11, player))
    drawn.append(text(37, middle + 5, shortened(name_of(player, names), 11), 14, bold=True))
    covered = view.options.hide_money and player != seat and not view.over
    money = "?" if covered else str(view.money[player])
    drawn.append(text(160, middle + 6, money, 18, anchor="end", bold=True, font=SERIF) + _coin(171, middle))
    drawn.append(_holding(view, player, middle))
    hand = view.hands[player]
    drawn += [
        at(_SIDE - 12 - 17 * (len(hand) - place), middle - 11, race_card(camel, player))
        for place, camel in enumerate(hand)
    ]
    return "".join(drawn)


def _holding(view: CamelUpState, player: int, middle: float) -> str:
    """Leg tiles, pyramid tiles and the desert tile, side by side; many leg tiles overlap."""
    taken = tiles_of(view.leg_bets, player)
    rolls, desert = view.pyramid_tiles[player], view.deserts[player]
    x, end = 188.0, _SIDE - 104 - 36 * bool(rolls) - 36 * bool(desert)
    pitch = min(21.0, (end - x) / len(taken)) if taken else 0
    drawn = [at(x + pitch * place, middle - 11, leg_tile(*tile, small=True)) for place, tile in enumerate(taken)]
    x += pitch * len(taken) + 4 * bool(taken)
    if rolls:
        mark = path(f"M{x + 9} {middle - 9}l9 17h-18z", fill="#dcaa5c", stroke="#8a5726", stroke_width=1.2)
        drawn.append(titled(mark, text(x + 20, middle + 5, f"{rolls}", 14), by=f"pyramid tiles: {rolls}"))
        x += 36
    if desert:
        drawn.append(at(x, middle - 11, desert_tile(desert, small=True)))
    return "".join(drawn)


def _decks(view: CamelUpState) -> str:
    drawn = [panel(0, 0, _SIDE, _DECKS_HIGH - 12)]
    for row, (title, deck) in enumerate((("on the winner", view.winner_deck), ("on the loser", view.loser_deck))):
        y = 6 + 34 * row
        drawn.append(text(12, y + 21, title, 14, fill=INK_SOFT))
        drawn.append(_deck(deck, 118, y + 4) if deck else text(118, y + 21, "no card yet", 14, fill=INK_SOFT))
    drawn.append(path(f"M10 38h{_SIDE - 20}", stroke=EDGE, stroke_width=1))
    return "".join(drawn)


def _deck(deck: Cards, x: float, y: float) -> str:
    """Cards in the order laid, each with its owner; many of them overlap."""
    pitch = min(32.0, (_SIDE - x - 34) / max(len(deck) - 1, 1))
    drawn = [
        at(x + pitch * place, y, race_card(camel, owner), seat_disc(20, 16, 8, owner) if pitch > 18 else "")
        for place, (owner, camel) in enumerate(deck)
    ]
    return "".join(drawn)


def _coin(x: float, y: float) -> str:
    return (
        circle(x, y, 8, fill=GOLD_DEEP)
        + circle(x, y - 0.6, 7.4, fill="#e2b23a", stroke=PANEL, stroke_width=0.6)
        + path(f"M{x} {y - 4.4}l-3.4 6h6.8z", fill=GOLD_DEEP)
    )
