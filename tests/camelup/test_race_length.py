"""How long a race lasts when nobody puts a desert tile: a fingerprint of movement that others have published."""

from __future__ import annotations

import random
from collections import Counter

from serai.camelup.rules.pieces import FACES
from serai.camelup.rules.track import crossed, move
from serai.core.game import put
from tests.support import amount

RACES = amount(8_000, 200_000)
TOLERANCE = {8_000: 0.15, 200_000: 0.03}[RACES]


def one_race(rng: random.Random) -> tuple[int, int]:
    """Dice and legs of one race, through the rules' own movement."""
    track: tuple[tuple[int, ...], ...] = ((),) * 20
    for camel in rng.sample(range(5), 5):
        space = rng.choice(FACES)
        track = put(track, space, (*track[space], camel))
    dice = legs = 0
    while True:
        legs += 1
        for camel in rng.sample(range(5), 5):
            track, _, _ = move(track, camel, rng.choice(FACES), (), ())
            dice += 1
            if crossed(track):
                return dice, legs


def test_races_without_desert_tiles_last_21_31_dice_on_average() -> None:
    rng = random.Random(21)
    races = [one_race(rng) for _ in range(RACES)]
    mean = sum(dice for dice, _ in races) / RACES
    assert abs(mean - 21.31) < TOLERANCE
    deviation = (sum((dice - mean) ** 2 for dice, _ in races) / RACES) ** 0.5
    assert abs(deviation - 3.5) < 0.1
    shares = {legs: count / RACES for legs, count in Counter(legs for _, legs in races).items()}
    for legs, share in {3: 0.037, 4: 0.33, 5: 0.51, 6: 0.12}.items():
        assert abs(shares[legs] - share) < 0.012
