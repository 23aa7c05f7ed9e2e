"""Camel Up playouts per second on one core: to the end of the leg and of the race, from the start of a leg."""

from __future__ import annotations

import time

from serai.camelup import GAME
from serai.camelup.text.position import parse_position, situation

PLAYOUTS = 2000


def main() -> None:
    for text in ("1gyo 3bw", "6gyo 8bw | +10 -12"):
        view = situation(parse_position(text))
        for whole in (False, True):
            GAME.rollouts(view, n=1, whole=whole)
            began = time.thread_time()
            found = GAME.rollouts(view, n=PLAYOUTS, whole=whole)
            rate = PLAYOUTS * len(found.actions) / (time.thread_time() - began)
            print(f"{text}, to the end of the {'race' if whole else 'leg'}: {rate:,.0f} playouts/s")


if __name__ == "__main__":
    main()
