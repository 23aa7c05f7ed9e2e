"""Random 3-player plies per second of Das Gold des Pharao's rules, and plies of explorers' games, beside python-chess.

Random players soon shut themselves in, where there is little to list. So the games that explorers play are timed too:
every legal action listed, then the one that was played applied.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

import serai
from bench._plies import ROUNDS, chess_plies, compare, rate
from serai.bots import find_bot, referee

GAMES = 30


def main() -> None:
    compare("pharaoh", 3)
    played = [explorers_game(number) for number in range(GAMES)]

    def again(rng: random.Random, until: float) -> int:
        plies = 0
        while time.perf_counter() < until:
            state, actions = rng.choice(played)
            for action in actions:
                state.actions()
                state = state.apply(action)
            plies += len(actions)
        return plies

    rng = random.Random(1)
    rate(again, rng)
    pairs = [(rate(again, rng), rate(chess_plies, rng)) for _ in range(ROUNDS)]
    ratio = statistics.median(our / their for our, their in pairs)
    our, their = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"pharaoh, explorers' games: {our:,.0f} plies/s; python-chess: {their:,.0f} plies/s; ratio {ratio:.2f}")


def explorers_game(number: int) -> tuple[Any, list[Any]]:
    """The first state of a game among three explorers, and its actions."""
    game = serai.game("pharaoh")
    bots = [("explorer", find_bot(game, "explorer")()) for _ in range(3)]
    outcome = referee.play(game, bots, dealer=referee.dealer_for(f"bench {number}"), seed=f"bench {number}")
    return game.new(players=3), [game.parse(text) for text in outcome.record.actions]


if __name__ == "__main__":
    main()
