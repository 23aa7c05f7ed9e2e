"""Chance for compiled games: the published generator, and what is made of its bits."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from serai.lab.rng import below, count, draw, picked_bit, seed_of
from tests.support import assert_frequencies

WORD = st.integers(0, 2**64 - 1)
CELLS = st.integers(1, 2**62 - 1)
"""Sets are signed numbers in compiled code."""


def test_it_is_splitmix64() -> None:
    """The first numbers from the seed 1234567, as published with the generator."""
    words = np.array([0, 1234567], np.uint64)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [int(draw(words, 1)) for _ in published] == published
    assert words[0] == 0, "each lane has a word of its own"


def test_games_of_one_seed_and_seeds_of_one_game_begin_with_different_words() -> None:
    words = {int(seed_of(np.uint64(seed), np.uint64(game))) for seed in range(50) for game in range(50)}
    assert len(words) == 2500


@given(WORD, st.integers(1, 10_000))
def test_a_number_below_a_bound_is_below_it(bits: int, bound: int) -> None:
    assert below(np.uint64(bits), bound) == (bits % 2**32) * bound // 2**32 < bound


@settings(deadline=None)  # the first call compiles
@given(CELLS, WORD)
def test_a_picked_bit_is_one_of_the_set(ones: int, bits: int) -> None:
    assert count(ones) == ones.bit_count()
    assert ones >> picked_bit(ones, np.uint64(bits)) & 1


def test_all_bits_are_picked_equally_often() -> None:
    rng = random.Random(1)
    places = (0, 3, 17, 35, 61)
    ones = sum(1 << place for place in places)
    assert_frequencies(lambda: picked_bit(ones, np.uint64(rng.getrandbits(64))), dict.fromkeys(places, 1 / 5))
