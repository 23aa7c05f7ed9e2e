"""Whole 4-player games per second on one core between compiled bots, beside OpenSpiel's backgammon."""

from __future__ import annotations

import serai
from bench._beside_backgammon import compare
from serai.camelup.kernel.layout import POLICIES

GAMES_PER_PORTION = {"random": 2000, "quick": 400, "greedy": 1, "jerboa": 2000, "donkey": 400, "fennec": 400}


class Counting:
    """Portions of whole games, one after the other, with their games and decisions counted."""

    def __init__(self, bot: str) -> None:
        simulator = serai.game("camelup").compiled.simulator([bot] * 4, seed="1")
        assert simulator is not None
        self._simulator = simulator
        self._portion = GAMES_PER_PORTION.get(bot, 400)
        self.games = 0
        self.decisions = 0

    def __call__(self) -> int:
        tally = self._simulator.play(self.games, self._portion)
        self.games += tally.games
        self.decisions += tally.decisions
        return int(tally.decisions)


def main() -> None:
    ours = {f"Camel Up, four {bot}": Counting(bot) for bot in POLICIES}
    rates = compare(ours)
    for name, counting in ours.items():
        print(f"{name}: {rates[name] * counting.games / counting.decisions:,.0f} games/s")


if __name__ == "__main__":
    main()
