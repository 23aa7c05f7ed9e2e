"""How a game lies in memory for compiled code: one row of 64-bit numbers per game, one number per action.

No numba and no rules here. Sets of cells are one number with a bit for each of the 36 cells (a1 is bit 0). A field
"by seat" is at ``BASE + seat``; seats beyond ``PLAYERS`` hold 0.
"""

from __future__ import annotations

from typing import Final

MAX_SEATS: Final = 4
CELL_COUNT: Final = 36
ALL_CELLS: Final = (1 << CELL_COUNT) - 1
FIRST_VALUE: Final = 2
"""Treasures of 2 and 3 are of kind 0 and 1; the mask is of kind 2."""

# -- a game's row ------------------------------------------------------------------------------------------------------

PLAYERS, FIRST, START_CELL, NO_SEALED, TURN_REACH, HIDE_SCORES, FRIGHTENED_DROP = range(7)
"""After the players the options, in the order of ``Options``: linked and king are 0, opening and rook 1."""
EVENT_ENDS, EXIT_ENDS, RING_SHAPE, MAX_ROUNDS, RESTLESS = range(7, 12)
"""Without a limit of rounds, or where the pyramid never grows restless, the last two are 0."""
ACTOR, ROUND, TURN, MOVES_LEFT, ACTS_LEFT, PLIES = range(12, 18)
"""``ACTOR`` is the seat to act, or one of the two below."""
CHANCE_ACTS: Final = -1
NOBODY_ACTS: Final = -2
OPEN: Final = 18
"""Four sets: the cells whose tile is open to the north, east, south, west. Fallen and face-down ones are closed."""
DOWN: Final = OPEN + 4
"""The cells with a face-down tile."""
FALLEN: Final = DOWN + 1
CHAMBERS: Final = FALLEN + 1
"""The cells with a chamber."""
CHAMBER_AT: Final = CHAMBERS + 1
"""By chamber: its cell, -1 while it is unseen and after it fell."""
SITE, DRAWN, PHOTO, DUE, UNSEEN = range(CHAMBER_AT + 5, CHAMBER_AT + 10)
"""``UNSEEN`` is by kind of tile."""
PHOTO_OWNER: Final = UNSEEN + 8
"""By photo: the seat that has it, -1 while it is in the camera."""
STACK: Final = PHOTO_OWNER + 5
"""Treasures not yet drawn, of value 2 and of value 3."""
LYING: Final = STACK + 2
"""``LYING + 3 * k``: how many treasures of value 2 (k = 0) or 3 (k = 1) lie on each cell, as three sets: ones, twos,
fours.
"""
MASK_AT: Final = LYING + 6
"""Where the mask lies, -1 if it does not."""
LOST: Final = MASK_AT + 1
"""How many treasures of value 2 and 3, and masks, fell."""
ARCHAEOLOGIST: Final = LOST + 3
"""By seat: its cell, -1 when lost; so are helpers."""
HELPER: Final = ARCHAEOLOGIST + MAX_SEATS
CARRIED: Final = HELPER + MAX_SEATS
LAMPS: Final = CARRIED + MAX_SEATS
"""By seat: the cells its lamps light."""
SUPPLY: Final = LAMPS + MAX_SEATS
MUSEUM: Final = SUPPLY + MAX_SEATS
"""``MUSEUM + 3 * seat + k``: how many treasures of value 2 and 3, and masks, are safe."""
POINTS: Final = MUSEUM + 3 * MAX_SEATS
CHANGED: Final = POINTS + MAX_SEATS
"""By seat: the number of the action that last changed its score."""
MASK_CHAMBER, FINDER, COUNTDOWN, CLOCK, RING = range(CHANGED + MAX_SEATS, CHANGED + MAX_SEATS + 5)
STIRRED, CENTRE, ROW_SIZE = range(RING + 1, RING + 4)

# -- actions, in the order in which actions() lists them ---------------------------------------------------------------

WAYS: Final = (3, 5, 6, 7, 9, 10, 11, 12, 13, 14)
"""The openings that a passage tile can have, ascending."""
ARCHAEOLOGIST_ACTION: Final = 0
"""``+ cell``"""
HELPER_ACTION: Final = ARCHAEOLOGIST_ACTION + CELL_COUNT
REVEAL_ACTION: Final = HELPER_ACTION + CELL_COUNT
LAY_ACTION: Final = REVEAL_ACTION + CELL_COUNT
"""``+`` the place of the openings in ``WAYS``"""
TURN_ACTION: Final = LAY_ACTION + len(WAYS)
"""``+ len(WAYS) * cell +`` the place of the openings in ``WAYS``"""
LAMP_ACTION: Final = TURN_ACTION + len(WAYS) * CELL_COUNT
UNLAMP_ACTION: Final = LAMP_ACTION + 1
TAKE_ACTION: Final = UNLAMP_ACTION + 1
"""``+`` 0 for value 2, 1 for value 3, 2 for the mask"""
DROP_ACTION: Final = TAKE_ACTION + 3
STEAL_ACTION: Final = DROP_ACTION + 1
"""``+ seat``"""
END_ACTION: Final = STEAL_ACTION + MAX_SEATS
PLAYER_ACTIONS: Final = END_ACTION + 1
"""How many different actions a player can ever have."""
TILE_ACTION: Final = PLAYER_ACTIONS
"""Chance: ``+`` the kind of tile"""
PHOTO_ACTION: Final = TILE_ACTION + 8
"""``+ number - 1``"""
TREASURE_ACTION: Final = PHOTO_ACTION + 5
"""``+`` 0 for value 2, 1 for value 3"""
ALL_ACTIONS: Final = TREASURE_ACTION + 2

# -- what a player sees, as numbers: seats are counted from the observer, who is 0 -------------------------------------

MOST_SEEN: Final = 127
"""Larger numbers are cut to this: every number fits into eight bits with a sign."""
SEEN_PLAYERS, SEEN_SEAT, SEEN_RULES = range(3)
"""The observer's seat as others count it, since ``STEAL_ACTION`` counts seats so; then the options from ``START_CELL``
to ``RING_SHAPE``, as in a row.
"""
SEEN_ROUNDS_LEFT, SEEN_RESTLESS, SEEN_CALM_LEFT = range(10, 13)
"""How many rounds may come after this one, ``MOST_SEEN`` if there is no limit; the option, 0 for never; and how many
quiet rounds may come after this one before the pyramid begins to fall by itself, ``MOST_SEEN`` if it does not.
"""
SEEN_ROUND, SEEN_TURN, SEEN_FIRST, SEEN_MOVES_LEFT, SEEN_ACTS_LEFT = range(13, 18)
"""Whose turn it is; who begins a round."""
SEEN_SITE, SEEN_DRAWN, SEEN_UNSEEN = range(18, 21)
"""The cell of a tile that is to be laid, and its kind, -1 if there is none; by kind how many are face down."""
SEEN_STACK: Final = SEEN_UNSEEN + 8
"""Treasures not yet drawn, of value 2 and of value 3."""
SEEN_LOST: Final = SEEN_STACK + 2
SEEN_MASK_AT, SEEN_MASK_CHAMBER, SEEN_FINDER, SEEN_COUNTDOWN = range(SEEN_LOST + 3, SEEN_LOST + 7)
"""The finder of the mask is -1 before it is found."""
SEEN_CLOCK, SEEN_RING, SEEN_CENTRE, SEEN_PHOTO = range(SEEN_COUNTDOWN + 1, SEEN_COUNTDOWN + 5)
"""At the end of whose turns rings fall, and by photo who has it: -1 for nobody; about which cell they lie."""
SEEN_ARCHAEOLOGIST: Final = SEEN_PHOTO + 5
"""By seat, as are the next eight; seats that nobody sits on hold 0."""
SEEN_HELPER: Final = SEEN_ARCHAEOLOGIST + MAX_SEATS
SEEN_CARRIED: Final = SEEN_HELPER + MAX_SEATS
SEEN_SUPPLY: Final = SEEN_CARRIED + MAX_SEATS
SEEN_POINTS: Final = SEEN_SUPPLY + MAX_SEATS
SEEN_LATER: Final = SEEN_POINTS + MAX_SEATS
"""How many others' scores have stood as they are for longer: of two equal scores the one with less here wins."""
SEEN_MUSEUM: Final = SEEN_LATER + MAX_SEATS
"""``SEEN_MUSEUM + 3 * seat + k``, as in a row."""
SEEN_TILE: Final = SEEN_MUSEUM + 3 * MAX_SEATS
"""By cell: 0 face down, 1 to 15 the openings of a passage, 16 to 20 the chambers, 21 the start, 22 fallen."""
SEEN_TREASURE: Final = SEEN_TILE + CELL_COUNT
"""``+ CELL_COUNT * k + cell``: how many treasures of value 2 (k = 0) or 3 (k = 1) lie there."""
SEEN_LAMPS: Final = SEEN_TREASURE + 2 * CELL_COUNT
"""``+ CELL_COUNT * seat + cell``: 1 where that seat has a lamp."""
SEEN_SIZE: Final = SEEN_LAMPS + CELL_COUNT * MAX_SEATS
