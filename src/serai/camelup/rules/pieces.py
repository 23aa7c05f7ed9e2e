"""The pieces (rules 1.1 to 1.5): camels, dice, spaces, values. Camels are numbers, in this order."""

from __future__ import annotations

from typing import Literal

BLUE, GREEN, ORANGE, YELLOW, WHITE = CAMELS = range(5)
CAMEL_NAMES = ("blue", "green", "orange", "yellow", "white")
CAMEL_LETTERS = "bgoyw"

FACES = (1, 2, 3)
LAST_SPACE = 16
"""The finish line lies behind it."""
FIRST_DESERT_SPACE = 2
"""No desert tile ever lies on space 1 (rule 3.3)."""
TRACK_SIZE = 20
"""Spaces 0 to 19: 0 stays empty, a camel that crosses the line stands on 17, 18 or 19."""

LEG_VALUES = (5, 3, 2)
"""What the leg tiles of one colour are worth, from the top."""
RACE_PRIZES = (8, 5, 3, 2)
"""For the first right race cards of a deck; every further one earns 1."""
START_MONEY = 3
PLAYERS = range(2, 9)

OASIS, MIRAGE = 1, -1
"""The sides of a desert tile, as the step a unit makes on it."""

Deck = Literal["winner", "loser"]
Stack = tuple[int, ...]
"""Camels on one space, bottom to top."""
Track = tuple[Stack, ...]
"""The stack of every space, by its number."""
Money = tuple[int, ...]
"""Everybody's pounds, by seat."""


def race_prize(right_before: int) -> int:
    """What a right card earns behind ``right_before`` right ones on its deck (rule 7.3)."""
    return RACE_PRIZES[right_before] if right_before < len(RACE_PRIZES) else 1
