"""How often ``greedy`` and ``quick`` beat three ``random`` players, and the seat shares of four equal bots."""

from __future__ import annotations

from math import sqrt

import serai
from serai.core import Tally

AGAINST_RANDOM = {"quick": 20000, "greedy": 1000}
EQUALS = {"random": 20000, "quick": 20000, "greedy": 400}


def played(bots: list[str], games: int, *, rotate: bool) -> Tally:
    simulator = serai.game("camelup").simulator(bots, seed="strength", rotate=rotate)
    assert simulator is not None
    return simulator.play(0, games)


def interval(share: float, games: int) -> str:
    """The share with its 95 % interval."""
    return f"{share:.1%} ± {1.96 * sqrt(share * (1 - share) / games):.1%}"


def main() -> None:
    for bot, games in AGAINST_RANDOM.items():
        tally = played([bot, "random", "random", "random"], games, rotate=True)
        print(f"{bot} against three random: wins {interval(sum(tally.wins[0]) / games, games)} of {games:,} games")
    for bot, games in EQUALS.items():
        tally = played([bot] * 4, games, rotate=False)
        shares = ", ".join(interval(tally.wins[seat][seat] / games, games) for seat in range(4))
        print(f"four {bot}: seats win {shares} of {games:,} games")


if __name__ == "__main__":
    main()
