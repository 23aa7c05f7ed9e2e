"""What playouts count for the coach's reasons: the places of a line of numbers for each seat.

Those before :data:`MONEY_PARTS` are pounds, and add up to what the seat has at the end of the playout
beyond what it has now.
"""

from __future__ import annotations

from typing import Final

from serai.camelup.rules.pieces import CAMEL_NAMES, LEG_VALUES

_CAMELS: Final = len(CAMEL_NAMES)

PYRAMID_PART: Final = 0
"""Pyramid tiles: a pound for each roll."""
DESERT_PART: Final = 1
"""Stops on the seat's desert tile."""
LEG_PART: Final = 2
"""``+ 3 * camel + k``: the leg tile ``k`` of a camel."""
SPARED_PART: Final = LEG_PART + len(LEG_VALUES) * _CAMELS
"""Losses of leg tiles that nobody pays who has nothing (6.3)."""
STAKE_PART: Final = SPARED_PART + 1
"""``+ camel`` of the winner deck, then of the loser deck: the pound that a race card costs unless it is right."""
WINNER_PART: Final = STAKE_PART + 2 * _CAMELS
"""``+ camel``: what the race card of this camel on the winner deck pays beyond that, or is expected to."""
LOSER_PART: Final = WINNER_PART + _CAMELS
MONEY_PARTS: Final = LOSER_PART + _CAMELS
"""How many places are money; the two below count like pounds for the chance of victory alone."""
TURN_PART: Final = MONEY_PARTS
"""To begin the next leg, or to be second."""
HAND_PART: Final = TURN_PART + 1
"""Race cards still in hand."""
FIRST_PART: Final = HAND_PART + 1
"""1 if the seat begins the next leg. This and those below are no pounds."""
WINS_PART: Final = FIRST_PART + 1
"""``+ camel``: the chance that this camel wins the race, or whether it has; the same for every seat."""
LOSES_PART: Final = WINS_PART + _CAMELS
"""``+ camel``: the same for coming last."""
ENDED_PART: Final = LOSES_PART + _CAMELS
"""1 if the race is over."""
SLOPE_PART: Final = ENDED_PART + 1
"""What a pound more for this seat would add to the chance of victory of the seat that decides."""
WINNER_SLOPE: Final = SLOPE_PART + 1
"""``+ camel``: the same if this camel wins the race."""
LOSER_SLOPE: Final = WINNER_SLOPE + _CAMELS
PARTS: Final = LOSER_SLOPE + _CAMELS
STAKE_PARTS: Final = range(STAKE_PART, WINNER_PART)
LEG_PARTS: Final = range(LEG_PART, SPARED_PART)
WINNER_PARTS: Final = range(WINNER_PART, LOSER_PART)
LOSER_PARTS: Final = range(LOSER_PART, MONEY_PARTS)
SLOPES: Final = [
    place - WINNER_PART + WINNER_SLOPE if WINNER_PART <= place < MONEY_PARTS else SLOPE_PART for place in range(PARTS)
]
"""By place: where its slope is."""
