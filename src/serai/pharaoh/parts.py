"""What playouts count for the coach's reasons: the places of a line of numbers for each seat.

Those before :data:`SCORE_PARTS` are points, and add up to what the seat has at the end of the playout beyond what it
has now.
"""

from __future__ import annotations

from typing import Final

from serai.pharaoh.rules.pieces import CELLS, PLAYERS

_CELLS: Final = len(CELLS)
_SEATS: Final = PLAYERS[-1]

PHOTO_PART: Final = 0
"""Photos, a point each."""
CARRIED_PART: Final = 1
"""What the seat carries now, brought home by itself."""
STOLEN_PART: Final = 2
"""``+ seat``: what was stolen from this seat, brought home."""
FETCHED_PART: Final = STOLEN_PART + _SEATS
"""``+ cell``: what was picked up on this cell, brought home."""
MASK_PART: Final = FETCHED_PART + _CELLS
"""The mask brought home, wherever it was picked up."""
ARCHAEOLOGIST_PART: Final = MASK_PART + 1
"""What the loss of the archaeologist costs."""
HELPER_PART: Final = ARCHAEOLOGIST_PART + 1
SCORE_PARTS: Final = HELPER_PART + 1
"""How many places are points; those up to ``VALUE_PARTS`` count like points for the chance of victory alone."""
EARLY_PART: Final = SCORE_PARTS
"""Points that came sooner."""
STANDING_PART: Final = EARLY_PART + 1
"""``+ feature - 1``: how the seat stands where the playout is cut short, by the features of
:mod:`serai.pharaoh.policy.value` but points.
"""
_FEATURES: Final = 10
HAND_PART, REACH_PART, LIT_PART, MOVE_PART, SHUT_PART, ALONE_PART, UNKNOWN_PART, THREAT_PART, PREY_PART = range(
    STANDING_PART, STANDING_PART + _FEATURES - 1
)
TIE_PART: Final = STANDING_PART + _FEATURES - 1
"""Rivals with the same points at the end of the game that the seat is ahead of."""
VALUE_PARTS: Final = TIE_PART + 1
HOME_COUNT: Final = VALUE_PARTS
"""1 if what the seat carries now was brought home by itself. This and those below are no points."""
ROBBED_COUNT: Final = HOME_COUNT + 1
"""``+ seat``: 1 if that seat has robbed this one."""
BARRED_COUNT: Final = ROBBED_COUNT + _SEATS
"""1 if no way leads home for the archaeologist where the playout ends."""
FALLING_COUNT: Final = BARRED_COUNT + 1
"""1 if the pyramid falls before the playout ends."""
SCALE_PLACE: Final = FALLING_COUNT + 1
"""By how much a point moves the logarithm of the odds."""
NEXT_PLACE: Final = SCALE_PLACE + 1
"""``+ 0`` and ``+ 1``: what the seat that decides does next in the same turn, as the number of the action plus one."""
FOLLOWED: Final = 2
"""How many next actions are kept."""
PARTS: Final = NEXT_PLACE + FOLLOWED

STOLEN_PARTS: Final = range(STOLEN_PART, FETCHED_PART)
FETCHED_PARTS: Final = range(FETCHED_PART, MASK_PART)
