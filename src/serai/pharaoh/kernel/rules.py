"""Das Gold des Pharao compiled by numba, over flat rows: what is legal and what follows. Numbers in brackets are rules.

:mod:`serai.pharaoh.kernel.layout` explains every offset and action number, :mod:`serai.pharaoh.kernel.bridge` converts
from and to readable states, :mod:`serai.lab.rng` draws. Importing this imports numba.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from serai.lab.jit import compiled, inlined
from serai.lab.rng import Words, below, count, draw, picked_bit
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.legal import (
    WAY_COUNT,
    Row,
    draw_base,
    falling,
    first_of,
    lays,
    may_light,
    pieces,
    reveals,
    stands_in_own_light,
    steals,
    step,
    takes,
    turnable,
    turns,
    walks,
    weight_of,
)
from serai.pharaoh.rules.board import CORNER_CELLS, fall_order, outermost
from serai.pharaoh.rules.pieces import (
    ALL_OPEN,
    CELLS,
    CHAMBER_NAMES,
    FIRST_CHAMBER,
    FREE_ACTS,
    LOST_ARCHAEOLOGIST,
    LOST_HELPER,
    MASK,
    MOVES,
    NOWHERE,
    PHOTO_POINTS,
    PHOTOS,
    SIZE,
)
from serai.pharaoh.rules.pieces import COUNTDOWN as COUNTDOWN_TURNS

_KINDS: Final = 10
"""Of a player's actions in a turn: end, archaeologist, helper, reveal, turn, lamp, unlamp, take, drop, steal."""
_BUT_START: Final = at.CELL_COUNT - 1
_CHAMBER_COUNT: Final = len(CHAMBER_NAMES)
MOST_RINGS: Final = 2 * SIZE - 1
_SHOWN: Final = tuple(photo.treasures for photo in PHOTOS)
_MUMMY: Final = tuple(photo.omen == "mummy" for photo in PHOTOS)
_CURSE: Final = tuple(photo.omen == "curse" for photo in PHOTOS)


def _ring_cells() -> npt.NDArray[np.int64]:
    table = np.zeros((2, at.CELL_COUNT, MOST_RINGS), np.int64)
    for shape, name in enumerate(("king", "rook")):
        for centre in CELLS:
            for cell, ring in enumerate(fall_order(centre, NOWHERE, name)):
                table[shape, centre, ring] |= 1 << cell
    return table


RING_CELLS: Final = _ring_cells()
"""By shape, centre and ring: the cells that fall with it, the start not left out."""
_CORNER: Final = np.array([outermost(CORNER_CELLS, start) for start in CELLS])
"""By start: the corner farthest from it (11.5.3)."""

# -- the game ----------------------------------------------------------------------------------------------------------


@compiled
def act(row: Row, action: int) -> None:
    """Do one action, of a player or of chance. It must be legal: nothing is checked here."""
    row[at.PLIES] += 1
    if action >= at.TILE_ACTION:
        _draw_piece(row, action)
        return
    seat = row[at.TURN]
    if action < at.HELPER_ACTION:
        _walk_archaeologist(row, seat, action - at.ARCHAEOLOGIST_ACTION)
    elif action < at.REVEAL_ACTION:
        row[at.MOVES_LEFT] -= 1
        row[at.HELPER + seat] = action - at.HELPER_ACTION
    elif action < at.LAY_ACTION:
        row[at.MOVES_LEFT] -= 1
        row[at.SITE] = action - at.REVEAL_ACTION
        row[at.ACTOR] = at.CHANCE_ACTS
        _stir(row)
    elif action < at.TURN_ACTION:
        lay_tile(row, row[at.SITE], at.WAYS[action - at.LAY_ACTION])
        row[at.DOWN] &= ~(1 << row[at.SITE])
        row[at.SITE] = row[at.DRAWN] = NOWHERE
    elif action < at.LAMP_ACTION:
        row[at.MOVES_LEFT] -= 1
        lay_tile(row, (action - at.TURN_ACTION) // WAY_COUNT, at.WAYS[(action - at.TURN_ACTION) % WAY_COUNT])
    elif action == at.LAMP_ACTION:
        row[at.MOVES_LEFT] -= 1
        row[at.LAMPS + seat] |= 1 << row[at.HELPER + seat]
        row[at.SUPPLY + seat] -= 1
    elif action == at.UNLAMP_ACTION:
        row[at.MOVES_LEFT] -= 1
        row[at.LAMPS + seat] &= ~(1 << row[at.HELPER + seat])
        row[at.SUPPLY + seat] += 1
    elif action == at.END_ACTION:
        _end_turn(row, False)
    else:
        _act_freely(row, seat, action)


@compiled
def stands_before(row: Row, seat: int, other: int) -> bool:
    """Whether a seat is ahead of another: more points, then both figures, then the earlier (11.3)."""
    if row[at.POINTS + seat] != row[at.POINTS + other]:
        return bool(row[at.POINTS + seat] > row[at.POINTS + other])
    if _whole(row, seat) != _whole(row, other):
        return _whole(row, seat)
    return bool(row[at.CHANGED + seat] < row[at.CHANGED + other])


@compiled
def winners(row: Row) -> int:
    """The seats that win, as bits: nobody is ahead of them."""
    players = row[at.PLAYERS]
    won = 0
    for seat in range(players):
        ahead = 0
        for other in range(players):
            ahead += stands_before(row, other, seat)
        if ahead == 0:
            won |= 1 << seat
    return won


# -- chance ------------------------------------------------------------------------------------------------------------


@compiled
def drawn_piece(row: Row, words: Words, lane: int) -> int:
    """The next draw: every piece not yet seen is equally likely (2.2)."""
    base = draw_base(row)
    total = 0
    for piece in range(pieces(base)):
        total += weight_of(row, base, piece)
    pick = below(draw(words, lane), total)
    for piece in range(pieces(base)):
        pick -= weight_of(row, base, piece)
        if pick < 0:
            return base + piece
    return base


@inlined
def random_action(row: Row, words: Words, lane: int) -> int:
    """What the bot ``random`` would do: a kind of action uniformly, then one of that kind."""
    seat = row[at.ACTOR]
    if row[at.DRAWN] != NOWHERE:
        return at.LAY_ACTION + picked_bit(lays(row), draw(words, lane))
    while True:  # a kind without actions is drawn again, which leaves the others equally likely
        bits = draw(words, lane)
        kind = below(bits, _KINDS)
        bits >>= np.uint64(32)
        moves = row[at.MOVES_LEFT] > 0
        acts = row[at.ACTS_LEFT] > 0
        if kind == 0:
            return at.END_ACTION
        if kind == 1 and moves:
            cells = walks(row, row[at.LAMPS + seat], row[at.ARCHAEOLOGIST + seat])
            if cells:
                return at.ARCHAEOLOGIST_ACTION + picked_bit(cells, bits)
        elif kind == 2 and moves:
            cells = walks(row, row[at.LAMPS + seat], row[at.HELPER + seat])
            if cells:
                return at.HELPER_ACTION + picked_bit(cells, bits)
        elif kind == 3 and moves:
            cells = reveals(row, seat)
            if cells:
                return at.REVEAL_ACTION + picked_bit(cells, bits)
        elif kind == 4 and moves:
            action = _random_turn(row, seat, bits)
            if action >= 0:
                return action
        elif kind == 5 and moves and may_light(row, seat):
            return at.LAMP_ACTION
        elif kind == 6 and moves and stands_in_own_light(row, seat):
            return at.UNLAMP_ACTION
        elif kind == 7 and acts:
            found = takes(row, seat)
            if found:
                return at.TAKE_ACTION + picked_bit(found, bits)
        elif kind == 8 and acts and row[at.CARRIED + seat] > 0:
            return at.DROP_ACTION
        elif kind == 9 and acts:
            found = steals(row, seat)
            if found:
                return at.STEAL_ACTION + picked_bit(found, bits)


@compiled
def _random_turn(row: Row, seat: int, bits: np.uint64) -> int:
    """One of all turns of all tiles, equally likely; -1 if there is none."""
    cells = turnable(row, seat)
    total = 0
    left = cells
    while left:
        total += count(turns(row, first_of(left)))
        left &= left - 1
    if total == 0:
        return -1
    pick = below(bits, total)
    while True:
        cell = first_of(cells)
        ways = turns(row, cell)
        if pick < count(ways):
            for _ in range(pick):
                ways &= ways - 1
            return at.TURN_ACTION + WAY_COUNT * cell + first_of(ways)
        pick -= count(ways)
        cells &= cells - 1


# -- turns and moves (3 to 8) ------------------------------------------------------------------------------------------


@inlined
def _whole(row: Row, seat: int) -> bool:
    return bool(row[at.ARCHAEOLOGIST + seat] >= 0 and row[at.HELPER + seat] >= 0)


@compiled
def lay_tile(row: Row, cell: int, openings: int) -> None:
    """Let the tile there have these openings."""
    bit = 1 << cell
    for side in range(4):
        row[at.OPEN + side] = row[at.OPEN + side] & ~bit | (bit if openings >> side & 1 else 0)


@compiled
def _walk_archaeologist(row: Row, seat: int, goal: int) -> None:
    """Walk (4), bank on the start (8.3), and let the chamber fall if the mask leaves it (10.2)."""
    leaves_chamber = (
        row[at.COUNTDOWN] > 0
        and row[at.CARRIED + seat] == MASK
        and row[at.ARCHAEOLOGIST + seat] == row[at.MASK_CHAMBER]
    )
    row[at.MOVES_LEFT] -= 1
    row[at.ARCHAEOLOGIST + seat] = goal
    if row[at.CARRIED + seat] > 0 and goal == row[at.START_CELL]:
        bank(row, seat)
    if leaves_chamber:
        carry_mask_out(row, seat)
        if row[at.EXIT_ENDS]:
            _end_turn(row, True)


@compiled
def _act_freely(row: Row, seat: int, action: int) -> None:
    """Take, drop, steal (8.1, 8.2); who lifts the mask after its chamber fell is the clock (10.3)."""
    row[at.ACTS_LEFT] -= 1
    cell = row[at.ARCHAEOLOGIST + seat]
    if action == at.DROP_ACTION:
        lay_out(row, cell, row[at.CARRIED + seat])
        row[at.CARRIED + seat] = 0
        return
    if action < at.DROP_ACTION:
        kind = action - at.TAKE_ACTION
        value = MASK if kind == 2 else at.FIRST_VALUE + kind
        pick_up(row, cell, value)
    else:
        value = row[at.CARRIED + action - at.STEAL_ACTION]
        row[at.CARRIED + action - at.STEAL_ACTION] = 0
    row[at.CARRIED + seat] = value
    if value == MASK and row[at.CLOCK] != NOWHERE and row[at.CENTRE] == row[at.MASK_CHAMBER]:
        row[at.CLOCK] = seat


@compiled
def _draw_piece(row: Row, action: int) -> None:
    """A tile (5.2, 5.3), a photo or a treasure (9.1) comes up."""
    if action < at.PHOTO_ACTION:
        kind = action - at.TILE_ACTION
        row[at.UNSEEN + kind] -= 1
        row[at.DRAWN] = kind
        if kind < FIRST_CHAMBER:
            row[at.ACTOR] = row[at.TURN]
        else:
            site = row[at.SITE]
            lay_tile(row, site, ALL_OPEN)
            row[at.DOWN] &= ~(1 << site)
            row[at.CHAMBERS] |= 1 << site
            row[at.CHAMBER_AT + kind - FIRST_CHAMBER] = site
        return
    if action < at.TREASURE_ACTION:
        take_photo(row, action - at.PHOTO_ACTION)
    else:
        row[at.STACK + action - at.TREASURE_ACTION] -= 1
        row[at.DUE] -= 1
        lay_out(row, row[at.SITE], at.FIRST_VALUE + action - at.TREASURE_ACTION)
    if not treasures_left(row):
        turn_is_over = complete_chamber(row)
        row[at.ACTOR] = row[at.TURN]
        row[at.SITE] = row[at.DRAWN] = NOWHERE
        row[at.PHOTO] = row[at.DUE] = 0
        if turn_is_over:
            _end_turn(row, False)


@compiled
def _end_turn(row: Row, chamber_fell: bool) -> None:
    """The collapse goes on (10.1, 10.4), and the game ends (11.1, 11.4) or the next player is to act."""
    seat = row[at.TURN]
    if not chamber_fell:
        tick(row, seat)
        if count(row[at.FALLEN]) == _BUT_START:
            row[at.ACTOR] = at.NOBODY_ACTS
            return
    following = seat + 1
    if following == row[at.PLAYERS]:
        following = 0
    if following == row[at.FIRST]:
        _end_round(row)
    rounds = row[at.ROUND] + (following == row[at.FIRST])
    if 0 < row[at.MAX_ROUNDS] < rounds:
        row[at.ACTOR] = at.NOBODY_ACTS
        return
    row[at.ACTOR] = row[at.TURN] = following
    row[at.ROUND] = rounds
    row[at.MOVES_LEFT] = MOVES
    row[at.ACTS_LEFT] = FREE_ACTS


# -- treasures (8) -----------------------------------------------------------------------------------------------------


@inlined
def kind_of(value: int) -> int:
    """The kind of a treasure of this value."""
    return 2 if value == MASK else value - at.FIRST_VALUE


@inlined
def lay_out(row: Row, cell: int, value: int) -> None:
    """One more treasure lies on this cell: its count goes up, with the carry from set to set."""
    if value == MASK:
        row[at.MASK_AT] = cell
        return
    base = at.LYING + 3 * (value - at.FIRST_VALUE)
    bit = 1 << cell
    carry = row[base] & bit
    row[base] ^= bit
    more = row[base + 1] & carry
    row[base + 1] ^= carry
    row[base + 2] ^= more


@inlined
def pick_up(row: Row, cell: int, value: int) -> None:
    """One treasure less lies on this cell."""
    if value == MASK:
        row[at.MASK_AT] = NOWHERE
        return
    base = at.LYING + 3 * (value - at.FIRST_VALUE)
    bit = 1 << cell
    borrow = bit & ~row[base]
    row[base] ^= bit
    more = borrow & ~row[base + 1]
    row[base + 1] ^= borrow
    row[base + 2] ^= more


@inlined
def bank(row: Row, seat: int) -> None:
    """What this seat's archaeologist carries goes into its collection (8.3)."""
    value = row[at.CARRIED + seat]
    row[at.CARRIED + seat] = 0
    row[at.MUSEUM + 3 * seat + kind_of(value)] += 1
    row[at.POINTS + seat] += value
    row[at.CHANGED + seat] = row[at.PLIES]
    _stir(row)


# -- a newly found chamber (9) -----------------------------------------------------------------------------------------


@compiled
def take_photo(row: Row, number: int) -> None:
    """The photo, counted from 0, goes into the finder's collection (9.1)."""
    seat = row[at.TURN]
    row[at.PHOTO] = number + 1
    row[at.PHOTO_OWNER + number] = seat
    row[at.DUE] = _SHOWN[number]
    row[at.POINTS + seat] += PHOTO_POINTS
    row[at.CHANGED + seat] = row[at.PLIES]


@compiled
def treasures_left(row: Row) -> bool:
    """Whether a treasure has to be drawn for the photo."""
    return bool(row[at.DUE] > 0 and row[at.STACK] + row[at.STACK + 1] > 0)


@compiled
def complete_chamber(row: Row) -> bool:
    """All treasures lie there: the mask comes if it is due, then mummy or curse; whether that ends the turn."""
    if row[at.DUE] > 0 and row[at.MASK_CHAMBER] == NOWHERE:
        lay_out(row, row[at.SITE], MASK)
        row[at.MASK_CHAMBER] = row[at.SITE]
        row[at.FINDER] = row[at.TURN]
        if not falling(row):
            row[at.COUNTDOWN] = COUNTDOWN_TURNS + 1
            row[at.CENTRE] = row[at.SITE]
    photo = row[at.PHOTO] - 1
    if not (_MUMMY[photo] or _CURSE[photo]):
        return False
    way = shortest_way(row, row[at.SITE], row[at.START_CELL])
    if way == 0:
        return bool(row[at.EVENT_ENDS])
    if _MUMMY[photo]:
        _frighten(row, way & ~(1 << row[at.START_CELL]))
    else:
        for seat in range(row[at.PLAYERS]):
            row[at.SUPPLY + seat] += count(row[at.LAMPS + seat] & way)
            row[at.LAMPS + seat] &= ~way
    return True


@compiled
def shortest_way(row: Row, chamber: int, start: int) -> int:
    """All cells on ways of least length from the chamber to the start; none if there is no way (9.2)."""
    goal = 1 << start
    reached = 1 << chamber
    front = reached
    length = 0
    while not front & goal:
        front = step(row, front) & ~reached
        if front == 0:
            return 0
        reached |= front
        length += 1
    # from the chamber on, only to cells that are as far from the start as the way still is
    way = front = 1 << chamber
    for left in range(length - 1, -1, -1):
        near = edge = goal
        for _ in range(left):
            edge = step(row, edge) & ~near
            near |= edge
        front = step(row, front) & edge
        way |= front
    return way & at.ALL_CELLS


@compiled
def _frighten(row: Row, way: int) -> None:
    """Every figure on the way flees to the start; what it carried stays, or is banked (9.3)."""
    for seat in range(row[at.PLAYERS]):
        cell = row[at.ARCHAEOLOGIST + seat]
        if cell >= 0 and way >> cell & 1:
            row[at.ARCHAEOLOGIST + seat] = row[at.START_CELL]
            if row[at.CARRIED + seat] > 0:
                if row[at.FRIGHTENED_DROP]:
                    lay_out(row, cell, row[at.CARRIED + seat])
                    row[at.CARRIED + seat] = 0
                else:
                    bank(row, seat)
        cell = row[at.HELPER + seat]
        if cell >= 0 and way >> cell & 1:
            row[at.HELPER + seat] = row[at.START_CELL]


# -- the collapse (10) -------------------------------------------------------------------------------------------------


@compiled
def carry_mask_out(row: Row, seat: int) -> None:
    """The mask has left its chamber with this seat's archaeologist: the chamber falls at once (10.2)."""
    row[at.COUNTDOWN] = 0
    row[at.CLOCK] = seat
    _fall(row, 1 << row[at.MASK_CHAMBER])


@compiled
def tick(row: Row, seat: int) -> None:
    """A turn has ended that counts for the collapse: the countdown goes on (10.1), or the next ring falls (10.4)."""
    if row[at.COUNTDOWN] > 0:
        if seat == row[at.FINDER]:
            row[at.COUNTDOWN] -= 1
            if row[at.COUNTDOWN] == 0:
                row[at.CLOCK] = seat
                _fall(row, 1 << row[at.MASK_CHAMBER])
    elif seat == row[at.CLOCK]:
        row[at.RING] += 1
        cells = RING_CELLS[row[at.RING_SHAPE], row[at.CENTRE], row[at.RING]] if row[at.RING] < MOST_RINGS else 0
        _fall(row, cells & ~(1 << row[at.START_CELL]))


@inlined
def _stir(row: Row) -> None:
    """A tile is revealed or points rise: nothing falls by itself soon (11.5.1, 11.5.2)."""
    if row[at.RESTLESS] > 0 and not falling(row):
        row[at.STIRRED] = row[at.ROUND]
        row[at.CENTRE] = NOWHERE


@compiled
def _end_round(row: Row) -> None:
    """A fall that was announced begins, or one is announced (11.5)."""
    if row[at.RESTLESS] == 0 or falling(row):
        return
    if row[at.CENTRE] != NOWHERE:
        row[at.CLOCK] = row[at.TURN]
        _fall(row, 1 << row[at.CENTRE])
    elif row[at.ROUND] != row[at.MAX_ROUNDS] and row[at.ROUND] + 1 - row[at.STIRRED] >= row[at.RESTLESS]:
        row[at.CENTRE] = _outermost(row)


@compiled
def _outermost(row: Row) -> int:
    """The chamber farthest from the start, or else the corner (11.5.3)."""
    start = row[at.START_CELL]
    found = farthest = NOWHERE
    for chamber in range(_CHAMBER_COUNT):
        cell = row[at.CHAMBER_AT + chamber]
        if cell != NOWHERE:
            steps = abs(cell // SIZE - start // SIZE) + abs(cell % SIZE - start % SIZE)
            if steps > farthest or (steps == farthest and cell > found):
                found, farthest = cell, steps
    return int(_CORNER[start]) if found == NOWHERE else int(found)


@compiled
def _fall(row: Row, cells: int) -> None:
    """These cells are gone with everything on them (10.5)."""
    for seat in range(row[at.PLAYERS]):
        lost = 0
        if row[at.ARCHAEOLOGIST + seat] >= 0 and cells >> row[at.ARCHAEOLOGIST + seat] & 1:
            lost += LOST_ARCHAEOLOGIST
            row[at.ARCHAEOLOGIST + seat] = NOWHERE
            if row[at.CARRIED + seat] > 0:
                row[at.LOST + kind_of(row[at.CARRIED + seat])] += 1
                row[at.CARRIED + seat] = 0
        if row[at.HELPER + seat] >= 0 and cells >> row[at.HELPER + seat] & 1:
            lost += LOST_HELPER
            row[at.HELPER + seat] = NOWHERE
        row[at.LAMPS + seat] &= ~cells
        if lost != 0:
            row[at.POINTS + seat] += lost
            row[at.CHANGED + seat] = row[at.PLIES]
    for kind in range(2):
        for place in range(3):
            row[at.LOST + kind] += count(row[at.LYING + 3 * kind + place] & cells) << place
            row[at.LYING + 3 * kind + place] &= ~cells
    if row[at.MASK_AT] >= 0 and cells >> row[at.MASK_AT] & 1:
        row[at.LOST + 2] += 1
        row[at.MASK_AT] = NOWHERE
    for side in range(4):
        row[at.OPEN + side] &= ~cells
    row[at.DOWN] &= ~cells
    row[at.CHAMBERS] &= ~cells
    row[at.FALLEN] |= cells
    for chamber in range(_CHAMBER_COUNT):
        if row[at.CHAMBER_AT + chamber] >= 0 and cells >> row[at.CHAMBER_AT + chamber] & 1:
            row[at.CHAMBER_AT + chamber] = NOWHERE
