"""Random numbers for compiled games: one generator per game (splitmix64, one 64-bit word of state).

:func:`seed_of` starts it from the seed of a run and the number of the game, so a game is the same alone, in any batch
and on any thread. Importing this imports numba.
"""

from __future__ import annotations

from typing import Final

from serai.errors import requiring

with requiring("fast", "compiled games"):
    import numpy as np
    import numpy.typing as npt

from serai.lab.jit import compiled

Words = npt.NDArray[np.uint64]
_UNIT: Final = 1.0 / 2**64


@compiled
def _scrambled(word: np.uint64) -> np.uint64:
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled
def seed_of(seed: np.uint64, game: np.uint64) -> np.uint64:
    """The first word of a game's own generator."""
    return _scrambled(_scrambled(np.uint64(seed)) + np.uint64(game) * np.uint64(0xD1342543DE82EF95))


@compiled
def draw(words: Words, lane: int) -> np.uint64:
    """The next 64 random bits of a lane."""
    words[lane] += np.uint64(0x9E3779B97F4A7C15)
    return _scrambled(words[lane])


@compiled
def below(bits: np.uint64, bound: int) -> int:
    """A number from 0 to ``bound - 1`` from 32 random bits; no number is favoured by more than bound / 2**32."""
    return int(np.int64((bits & np.uint64(0xFFFFFFFF)) * np.uint64(bound) >> np.uint64(32)))


@compiled
def drawn_place(up_to: npt.NDArray[np.float64], places: int, words: Words, lane: int) -> int:
    """One of some places; ``up_to`` has the chance of each or one before it."""
    luck = draw(words, lane) * _UNIT
    place = 0
    while place < places - 1 and up_to[place] <= luck:
        place += 1
    return place


@compiled
def count(ones: int | np.uint64) -> int:
    """How many bits are set, of at most 64 (LLVM compiles this pattern to one instruction)."""
    word = np.uint64(ones)
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64(np.uint64(word * np.uint64(0x0101010101010101)) >> np.uint64(56)))


@compiled
def picked_bit(ones: int, bits: np.uint64) -> int:
    """The place of one of the set bits, all equally likely."""
    return nth_bit(ones, below(bits, count(ones)))


@compiled
def nth_bit(ones: int, n: int) -> int:
    """The place of the n-th set bit, from 0: by halves, since a loop that ends anywhere costs more."""
    word = np.uint64(ones)
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        below_half = count(int(word & np.uint64((1 << width) - 1)))
        above = n >= below_half
        n -= below_half if above else 0
        place += width if above else 0
        word = word >> np.uint64(width) if above else word
    return place
