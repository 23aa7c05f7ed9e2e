"""Odds the slow way, straight from the rules' own movement: every sequence of dice, coloured camels, no tables."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache

from serai.camelup.odds.race_table import SEQUENCES
from serai.camelup.rules.pieces import CAMELS, FACES, LAST_SPACE, TRACK_SIZE, Track
from serai.camelup.rules.track import crossed, move, ranking, space_of
from serai.camelup.text.position import Position


class LegTally:
    """Counts out of n! * 3^n."""

    def __init__(self) -> None:
        self.first: Counter[int] = Counter()
        self.second: Counter[int] = Counter()
        self.last: Counter[int] = Counter()
        self.stops: Counter[int] = Counter()
        self.ends = 0
        self.leaves: Counter[Track] = Counter()
        """Tracks at the end of the leg or of the race."""


def tally_leg(position: Position) -> LegTally:
    """Play every sequence of the dice left."""
    tally = LegTally()
    _roll(position.track, position.dice, position.tiles, tally)
    return tally


def _roll(track: Track, dice: tuple[int, ...], tiles: tuple[int, ...], tally: LegTally) -> None:
    ways = SEQUENCES[len(dice)]
    if crossed(track) or not dice:
        order = ranking(track)
        tally.first[order[0]] += ways
        tally.second[order[1]] += ways
        tally.last[order[-1]] += ways
        tally.ends += ways * crossed(track)
        tally.leaves[track] += ways
        return
    for camel in dice:
        rest = tuple(other for other in dice if other != camel)
        for pips in FACES:
            landing = space_of(track, camel) + pips
            if landing <= LAST_SPACE:
                tally.stops[landing] += SEQUENCES[len(rest)]
            _roll(move(track, camel, pips, tiles, (0,) * len(tiles))[0], rest, tiles, tally)


@cache
def race_ends(track: Track, dice: tuple[int, ...]) -> dict[tuple[int, int], Fraction]:
    """The exact chance of every (winner, loser), without tiles; slow unless the finish is near."""
    if crossed(track):
        order = ranking(track)
        return {(order[0], order[-1]): Fraction(1)}
    chances: dict[tuple[int, int], Fraction] = {}
    left = dice or tuple(CAMELS)
    for camel in left:
        rest = tuple(other for other in left if other != camel)
        for pips in FACES:
            for pair, chance in race_ends(move(track, camel, pips, (), ())[0], rest).items():
                chances[pair] = chances.get(pair, Fraction(0)) + chance / (len(FACES) * len(left))
    return chances


def random_position(
    rng: random.Random, *, dice: int | None = None, tiles: int | None = None, least_space: int | None = None
) -> Position:
    """Exactly so many tiles, as rule 3.3 allows them, and the camels close together on the spaces between."""
    count = rng.randint(0, 8) if tiles is None else tiles
    # so many of 15 spaces, no two of them neighbours: choose among 15 - (count - 1) and spread them out
    chosen = sorted(rng.sample(range(15 - max(0, count - 1)), count))
    tile_spaces = [2 + space + gap for gap, space in enumerate(chosen)]
    base = rng.randint(1, LAST_SPACE) if least_space is None else least_space
    free = [space for space in range(1, LAST_SPACE + 1) if space not in tile_spaces]
    near = [space for space in free if base <= space <= base + 6] or free[-1:]
    stacks: list[list[int]] = [[] for _ in range(TRACK_SIZE)]
    for camel in rng.sample(CAMELS, len(CAMELS)):
        stacks[rng.choice(near)].append(camel)
    left = tuple(sorted(rng.sample(CAMELS, rng.randint(1, len(CAMELS)) if dice is None else dice)))
    return Position(
        tuple(tuple(stack) for stack in stacks), tuple(rng.choice((space, -space)) for space in tile_spaces), left
    )
