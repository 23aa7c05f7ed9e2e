"""The command ``python -m training GAME --seed 1``; every game has a module here with a function ``train``."""

from __future__ import annotations

import argparse
import importlib
import sys

GAMES = ("camelup", "pharaoh")
"""Games with a module ``training.GAME``, whose ``train(seed)`` writes the game's files and yields lines to print."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training", description="Fit the values that a game's bots use.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same files (default: 1)")
    given = parser.parse_args()
    for line in importlib.import_module(f"training.{given.game}").train(given.seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
