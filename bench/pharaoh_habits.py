"""How a level of Das Gold des Pharao plays among its own: what is turned, robbed and lit, and what becomes of the mask.

``python -m bench.pharaoh_habits sphinx --seats 2 --games 20`` plays so many games of two ``sphinx``.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from serai.bots import find_bot
from serai.core import CHANCE
from serai.pharaoh.game import GAME
from serai.pharaoh.rules.actions import Archaeologist, End, Helper
from serai.pharaoh.rules.pieces import MASK


def play(level: str, seats: int, seed: str, counts: Counter[str]) -> None:
    """One game, counted."""
    bots = [find_bot(GAME, level)() for _ in range(seats)]
    luck = [random.Random(f"{seed} {seat}") for seat in range(seats)]
    dealer = random.Random(seed)
    state: Any = GAME.new(seats)
    turn: tuple[int, int] = (0, 0)
    stood: set[tuple[str, int]] = set()
    while not state.over:
        if state.actor is CHANCE:
            state = state.apply(state.sample(dealer))
            stood.clear()
            continue
        seat = state.actor
        action = bots[seat].decide(state, luck[seat])
        counts[action.kind] += 1
        if turn != (state.round, seat):
            turn = (state.round, seat)
            counts["turns"] += 1
            stood.clear()
        if isinstance(action, Archaeologist | Helper):
            counts["back"] += (action.kind, action.cell) in stood
            left = state.archaeologists[seat] if isinstance(action, Archaeologist) else state.helpers[seat]
            stood.add((action.kind, left))
        elif not isinstance(action, End):
            stood.clear()
        running = state.countdown > 0
        state = state.apply(action)
        counts["carried out"] += running and state.countdown == 0 and isinstance(action, Archaeologist)
    counts["games"] += 1
    counts["home"] += any(MASK in museum for museum in state.museums)
    counts["rounds"] += state.round
    counts["limit"] += state.options.max_rounds is not None and state.round > state.options.max_rounds
    counts["first"] += state.options.first in state.winners()


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.pharaoh_habits", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("level", nargs="?", default="jackal")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    for number in range(asked.games):
        play(asked.level, asked.seats, f"{asked.seed} {number}", counts)
    games = counts["games"]
    print(f"{asked.level}, {asked.seats} seats, {games} games: {counts['rounds'] / games:.0f} rounds,")
    print(f"  mask carried out in {counts['carried out'] / games:.0%}, brought home in {counts['home'] / games:.0%},")
    print(f"  to the limit of rounds {counts['limit']}, the first seat wins {counts['first'] / games:.0%},")
    print(f"  per game: {counts['turn'] / games:.1f} tiles turned, {counts['steal'] / games:.1f} thefts,")
    print(f"  {counts['lamp'] / games:.1f} lamps up, {counts['unlamp'] / games:.1f} down;")
    print(f"  there and straight back in {counts['back'] / counts['turns']:.2%} of turns")


if __name__ == "__main__":
    main(sys.argv[1:])
