"""The command ``python -m training GAME --seed 1``; every game has a module here with a function ``train``.

With ``--insights`` the file behind *How to play well* is made instead: see :mod:`training.insights`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from serai.coach.insights import FILE, Insights
from training import insights_page
from training.insights import make

GAMES = ("camelup", "pharaoh")
"""Games with a module ``training.GAME``, whose ``train(seed)`` writes the game's files and yields lines to print."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training", description="Fit the values that a game's bots use, or find out what a game teaches."
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same files (default: 1)")
    parser.add_argument("--insights", action="store_true", help="make the file behind 'How to play well'")
    parser.add_argument("--blocks", type=int, default=100, help="blocks of games to count (default: 100)")
    parser.add_argument("--positions", type=int, default=100, help="blocks of positions to compare (default: 100)")
    parser.add_argument("--jobs", type=int, default=1, help="processes; the figures do not depend on them (default: 1)")
    parser.add_argument("--page", action="store_true", help="only write its page of the documentation anew")
    parser.add_argument("--out", type=Path, help="write the insights here instead of into the game's folder")
    given = parser.parse_args()
    lines = _insights(given) if given.insights else importlib.import_module(f"training.{given.game}").train(given.seed)
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _insights(given: argparse.Namespace) -> Iterator[str]:
    path = given.out or Path(__file__).parents[1] / "src/serai" / given.game / "data" / FILE
    if given.page:
        insights_page.write(Insights.read(path.read_text(encoding="utf-8")))
        return
    for line in make(given.game, given.seed, blocks=given.blocks, positions=given.positions, jobs=given.jobs):
        if isinstance(line, Insights):
            path.write_text(line.write(), encoding="utf-8")
            if given.out is None:
                insights_page.write(line)
        else:
            yield line


if __name__ == "__main__":
    main()
