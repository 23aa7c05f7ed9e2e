"""The bots of Camel Up, one file each: which there are, which of them people choose from, and numbers they share."""

from typing import Final

BOTS: Final = ("random", "jerboa", "donkey", "fennec", "quick", "greedy", "cheetah", "cobra")
"""All bots, weakest first."""
LEVELS: Final = ("jerboa", "donkey", "fennec", "cheetah", "cobra")
"""Those that a table offers to people, weakest first."""

JERBOA_TILES: Final = 2
"""The most leg tiles of the leader that ``jerboa`` takes; the last one is too cheap."""
JERBOA_FAR: Final = 11
"""Once the leader stands here or further, it lays its card."""
DONKEY_SURE: Final = 3.0 - 1e-9
"""The least value in pounds of a race card that ``donkey`` lays (values are rounded in their last digits)."""
