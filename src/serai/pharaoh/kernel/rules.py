"""Das Gold des Pharao compiled by numba, over flat rows: what is legal and what follows. Numbers in brackets are rules.

:mod:`serai.pharaoh.kernel.layout` explains every offset and action number. Whoever imports this module waits for
numba, so nobody does before compiled speed is asked for. :mod:`serai.pharaoh.kernel.bridge` converts from and to
readable states. Chance is :mod:`serai.core.splitmix`, a generator per game.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from serai.core.jit import compiled, inlined
from serai.core.splitmix import Words, below, count, draw, picked_bit
from serai.pharaoh.kernel.collapse import carry_mask_out, tick
from serai.pharaoh.kernel.discovery import complete_chamber, take_photo, treasures_left
from serai.pharaoh.kernel.layout import (
    ACTOR,
    ACTS_LEFT,
    ALL_CELLS,
    ARCHAEOLOGIST,
    ARCHAEOLOGIST_ACTION,
    CARRIED,
    CELL_COUNT,
    CHAMBER_AT,
    CHAMBERS,
    CHANCE_ACTS,
    CHANGED,
    CLOCK,
    DOWN,
    DRAWN,
    DROP_ACTION,
    DUE,
    END_ACTION,
    EXIT_ENDS,
    FALLEN,
    FINDER,
    FIRST,
    HELPER,
    HELPER_ACTION,
    LAMP_ACTION,
    LAMPS,
    LAY_ACTION,
    MASK_AT,
    MASK_CHAMBER,
    MAX_ROUNDS,
    MOVES_LEFT,
    NOBODY_ACTS,
    OPEN,
    PHOTO,
    PHOTO_ACTION,
    PHOTO_OWNER,
    PLAYERS,
    PLIES,
    POINTS,
    REVEAL_ACTION,
    ROUND,
    ROW_SIZE,
    SITE,
    STACK,
    START_CELL,
    STEAL_ACTION,
    SUPPLY,
    TAKE_ACTION,
    TILE_ACTION,
    TREASURE_ACTION,
    TURN,
    TURN_ACTION,
    UNLAMP_ACTION,
    UNSEEN,
    WAYS,
)
from serai.pharaoh.kernel.legal import (
    WAY_COUNT,
    draw_base,
    lays,
    may_light,
    pieces,
    reveals,
    stands_in_own_light,
    steals,
    takes,
    turnable,
    turns,
    weight_of,
)
from serai.pharaoh.kernel.treasure import FIRST_VALUE, bank, lay_out, pick_up
from serai.pharaoh.kernel.ways import Row, walks
from serai.pharaoh.pieces import (
    ALL_OPEN,
    FIRST_CHAMBER,
    FREE_ACTS,
    MASK,
    MOVES,
    NOWHERE,
    PHOTOS,
    TILE_COUNTS,
    TREASURE_COUNTS,
)
from serai.pharaoh.pieces import LAMPS as LAMP_COUNT

_KINDS_OF_TILE: Final = len(TILE_COUNTS)
_CHAMBER_COUNT: Final = _KINDS_OF_TILE - FIRST_CHAMBER
_PHOTO_COUNT: Final = len(PHOTOS)
_KINDS: Final = 10
"""Of a player's actions in a turn: end, archaeologist, helper, reveal, turn, lamp, unlamp, take, drop, steal."""
_BUT_START: Final = CELL_COUNT - 1

# -- the game ----------------------------------------------------------------------------------------------------------


@compiled
def set_up(row: Row, options: Row) -> None:
    """The row at the start (1.2, 2.1); ``options`` are the fields of a row from ``PLAYERS`` to ``MAX_ROUNDS``."""
    for place in range(ROW_SIZE):
        row[place] = options[place] if place <= MAX_ROUNDS else 0
    start = row[START_CELL]
    row[ACTOR] = row[TURN] = row[FIRST]
    row[ROUND] = 1
    row[MOVES_LEFT] = MOVES
    row[ACTS_LEFT] = FREE_ACTS
    for side in range(4):
        row[OPEN + side] = 1 << start
    row[DOWN] = ALL_CELLS & ~(1 << start)
    for chamber in range(_CHAMBER_COUNT):
        row[CHAMBER_AT + chamber] = NOWHERE
    row[SITE] = row[DRAWN] = NOWHERE
    for kind in range(_KINDS_OF_TILE):
        row[UNSEEN + kind] = TILE_COUNTS[kind]
    for photo in range(_PHOTO_COUNT):
        row[PHOTO_OWNER + photo] = NOWHERE
    for kind in range(2):
        row[STACK + kind] = TREASURE_COUNTS[kind]
    row[MASK_AT] = row[MASK_CHAMBER] = row[FINDER] = row[CLOCK] = NOWHERE
    for seat in range(row[PLAYERS]):
        row[ARCHAEOLOGIST + seat] = row[HELPER + seat] = start
        row[SUPPLY + seat] = LAMP_COUNT


@compiled
def act(row: Row, action: int) -> None:
    """Do one action, of a player or of chance. It must be legal: nothing is checked here."""
    row[PLIES] += 1
    if action >= TILE_ACTION:
        _draw_piece(row, action)
        return
    seat = row[TURN]
    if action < HELPER_ACTION:
        _walk_archaeologist(row, seat, action - ARCHAEOLOGIST_ACTION)
    elif action < REVEAL_ACTION:
        row[MOVES_LEFT] -= 1
        row[HELPER + seat] = action - HELPER_ACTION
    elif action < LAY_ACTION:
        row[MOVES_LEFT] -= 1
        row[SITE] = action - REVEAL_ACTION
        row[ACTOR] = CHANCE_ACTS
    elif action < TURN_ACTION:
        lay_tile(row, row[SITE], WAYS[action - LAY_ACTION])
        row[DOWN] &= ~(1 << row[SITE])
        row[SITE] = row[DRAWN] = NOWHERE
    elif action < LAMP_ACTION:
        row[MOVES_LEFT] -= 1
        lay_tile(row, (action - TURN_ACTION) // WAY_COUNT, WAYS[(action - TURN_ACTION) % WAY_COUNT])
    elif action == LAMP_ACTION:
        row[MOVES_LEFT] -= 1
        row[LAMPS + seat] |= 1 << row[HELPER + seat]
        row[SUPPLY + seat] -= 1
    elif action == UNLAMP_ACTION:
        row[MOVES_LEFT] -= 1
        row[LAMPS + seat] &= ~(1 << row[HELPER + seat])
        row[SUPPLY + seat] += 1
    elif action == END_ACTION:
        _end_turn(row, False)
    else:
        _act_freely(row, seat, action)


@compiled
def stands_before(row: Row, seat: int, other: int) -> bool:
    """Whether a seat is ahead of another: more points, then both figures, then the earlier (11.3)."""
    if row[POINTS + seat] != row[POINTS + other]:
        return bool(row[POINTS + seat] > row[POINTS + other])
    if _whole(row, seat) != _whole(row, other):
        return _whole(row, seat)
    return bool(row[CHANGED + seat] < row[CHANGED + other])


@compiled
def winners(row: Row) -> int:
    """The seats that win, as bits: nobody is ahead of them."""
    players = row[PLAYERS]
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


@compiled
def random_action(row: Row, words: Words, lane: int) -> int:
    """What the bot ``random`` would do: a kind of action uniformly, then one of that kind."""
    seat = row[ACTOR]
    if row[DRAWN] != NOWHERE:
        return LAY_ACTION + picked_bit(lays(row), draw(words, lane))
    while True:  # a kind without actions is drawn again, which leaves the others equally likely
        bits = draw(words, lane)
        kind = below(bits, _KINDS)
        bits >>= np.uint64(32)
        moves = row[MOVES_LEFT] > 0
        acts = row[ACTS_LEFT] > 0
        if kind == 0:
            return END_ACTION
        if kind == 1 and moves:
            cells = walks(row, row[LAMPS + seat], row[ARCHAEOLOGIST + seat])
            if cells:
                return ARCHAEOLOGIST_ACTION + picked_bit(cells, bits)
        elif kind == 2 and moves:
            cells = walks(row, row[LAMPS + seat], row[HELPER + seat])
            if cells:
                return HELPER_ACTION + picked_bit(cells, bits)
        elif kind == 3 and moves:
            cells = reveals(row, seat)
            if cells:
                return REVEAL_ACTION + picked_bit(cells, bits)
        elif kind == 4 and moves:
            action = _random_turn(row, seat, bits)
            if action >= 0:
                return action
        elif kind == 5 and moves and may_light(row, seat):
            return LAMP_ACTION
        elif kind == 6 and moves and stands_in_own_light(row, seat):
            return UNLAMP_ACTION
        elif kind == 7 and acts:
            found = takes(row, seat)
            if found:
                return TAKE_ACTION + picked_bit(found, bits)
        elif kind == 8 and acts and row[CARRIED + seat] > 0:
            return DROP_ACTION
        elif kind == 9 and acts:
            found = steals(row, seat)
            if found:
                return STEAL_ACTION + picked_bit(found, bits)


@compiled
def _random_turn(row: Row, seat: int, bits: np.uint64) -> int:
    """One of all turns of all tiles, equally likely; -1 if there is none."""
    cells = turnable(row, seat)
    total = 0
    left = cells
    while left:
        total += count(turns(row, count((left & -left) - 1)))
        left &= left - 1
    if total == 0:
        return -1
    pick = below(bits, total)
    while True:
        cell = count((cells & -cells) - 1)
        ways = turns(row, cell)
        if pick < count(ways):
            for _ in range(pick):
                ways &= ways - 1
            return TURN_ACTION + WAY_COUNT * cell + count((ways & -ways) - 1)
        pick -= count(ways)
        cells &= cells - 1


# -- details -----------------------------------------------------------------------------------------------------------


@inlined
def _whole(row: Row, seat: int) -> bool:
    return bool(row[ARCHAEOLOGIST + seat] >= 0 and row[HELPER + seat] >= 0)


@compiled
def lay_tile(row: Row, cell: int, openings: int) -> None:
    """Let the tile there have these openings."""
    bit = 1 << cell
    for side in range(4):
        row[OPEN + side] = row[OPEN + side] & ~bit | (bit if openings >> side & 1 else 0)


@compiled
def _walk_archaeologist(row: Row, seat: int, goal: int) -> None:
    """Walk (4), bank on the start (8.3), and let the chamber fall if the mask leaves it (10.2)."""
    leaves_chamber = row[CARRIED + seat] == MASK and row[ARCHAEOLOGIST + seat] == row[MASK_CHAMBER]
    row[MOVES_LEFT] -= 1
    row[ARCHAEOLOGIST + seat] = goal
    if row[CARRIED + seat] > 0 and goal == row[START_CELL]:
        bank(row, seat)
    if leaves_chamber:
        carry_mask_out(row, seat)
        if row[EXIT_ENDS]:
            _end_turn(row, True)


@compiled
def _act_freely(row: Row, seat: int, action: int) -> None:
    """Take, drop, steal (8.1, 8.2); who lifts the mask after its chamber fell is the clock (10.3)."""
    row[ACTS_LEFT] -= 1
    cell = row[ARCHAEOLOGIST + seat]
    if action == DROP_ACTION:
        lay_out(row, cell, row[CARRIED + seat])
        row[CARRIED + seat] = 0
        return
    if action < DROP_ACTION:
        kind = action - TAKE_ACTION
        value = MASK if kind == 2 else FIRST_VALUE + kind
        pick_up(row, cell, value)
    else:
        value = row[CARRIED + action - STEAL_ACTION]
        row[CARRIED + action - STEAL_ACTION] = 0
    row[CARRIED + seat] = value
    if value == MASK and row[CLOCK] != NOWHERE:
        row[CLOCK] = seat


@compiled
def _draw_piece(row: Row, action: int) -> None:
    """A tile (5.2, 5.3), a photo or a treasure (9.1) comes up."""
    if action < PHOTO_ACTION:
        kind = action - TILE_ACTION
        row[UNSEEN + kind] -= 1
        row[DRAWN] = kind
        if kind < FIRST_CHAMBER:
            row[ACTOR] = row[TURN]
        else:
            site = row[SITE]
            lay_tile(row, site, ALL_OPEN)
            row[DOWN] &= ~(1 << site)
            row[CHAMBERS] |= 1 << site
            row[CHAMBER_AT + kind - FIRST_CHAMBER] = site
        return
    if action < TREASURE_ACTION:
        take_photo(row, action - PHOTO_ACTION)
    else:
        row[STACK + action - TREASURE_ACTION] -= 1
        row[DUE] -= 1
        lay_out(row, row[SITE], FIRST_VALUE + action - TREASURE_ACTION)
    if not treasures_left(row):
        turn_is_over = complete_chamber(row)
        row[ACTOR] = row[TURN]
        row[SITE] = row[DRAWN] = NOWHERE
        row[PHOTO] = row[DUE] = 0
        if turn_is_over:
            _end_turn(row, False)


@compiled
def _end_turn(row: Row, chamber_fell: bool) -> None:
    """The collapse goes on (10.1, 10.4), and the game ends (11.1, 11.4) or the next player is to act."""
    seat = row[TURN]
    if not chamber_fell:
        tick(row, seat)
        if count(row[FALLEN]) == _BUT_START:
            row[ACTOR] = NOBODY_ACTS
            return
    following = seat + 1
    if following == row[PLAYERS]:
        following = 0
    rounds = row[ROUND] + (following == row[FIRST])
    if 0 < row[MAX_ROUNDS] < rounds:
        row[ACTOR] = NOBODY_ACTS
        return
    row[ACTOR] = row[TURN] = following
    row[ROUND] = rounds
    row[MOVES_LEFT] = MOVES
    row[ACTS_LEFT] = FREE_ACTS
