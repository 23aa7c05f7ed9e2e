"""The one command: ``python -m training GAME --seed 1``. Every game has a module here that can ``train``."""

from __future__ import annotations

import argparse
import importlib
import sys

GAMES = ("camelup",)
"""Those with a module ``training.GAME``, whose ``train(seed)`` writes the game's files and tells what it found."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training", description="Fit what the bots of a game go by.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same files (default: 1)")
    given = parser.parse_args()
    for line in importlib.import_module(f"training.{given.game}").train(given.seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
