"""Makes the golden records of a game: ``python -m tests.golden.make camelup``.

Run it only when the rules' version changes: the records are there to catch a change that nobody meant.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import serai
from serai.bots import find_bot
from serai.bots.referee import Outcome, dealer_for, play
from serai.core.game import Game

FOLDER = Path(__file__).parent
PLAIN = 45
"""So many games, going round the numbers of players, the bots that are no levels (which may change) and the options."""

Corner = Callable[[Any, Any, Any, tuple[Any, ...]], bool]
"""Whether (state, action, next state, events) is the odd corner looked for."""


def make(game: Game, corners: dict[str, Corner]) -> dict[str, str]:
    """Record texts by file name: plain games first, then for every corner the first game that turns it."""
    made = {f"plain-{number:02}": _a_game(game, f"golden {number}", number).record.write() for number in range(PLAIN)}
    missing, number = dict(corners), 0
    while missing:
        number += 1
        outcome = _a_game(game, f"corner {number}", number)
        for name in [name for name, corner in missing.items() if _turns(game, outcome, corner)]:
            made[name] = outcome.record.write()
            del missing[name]
    return made


def _a_game(game: Game, seed: str, number: int) -> Outcome:
    players = game.players[number % len(game.players)]
    yardsticks = [name for name in game.bots if name not in game.levels]
    name = yardsticks[number // len(game.players) % len(yardsticks)]
    bots = [(name, find_bot(game, name)()) for _ in range(players)]
    return play(game, bots, dealer=dealer_for(seed), seed=seed, **_options(game, number, players))


def _options(game: Game, number: int, players: int) -> dict[str, Any]:
    """Every third game has one option off its default, in turn."""
    if number % 3 or not game.options:
        return {}
    option = game.options[number // 3 % len(game.options)]
    match option.type:
        case "bool":
            return {option.name: not option.default}
        case "seat":
            return {option.name: number % players}
        case "choice":
            return {option.name: option.choices[number % len(option.choices)]}
        case _:
            return {option.name: 3 + number % 10}


def _turns(game: Game, outcome: Outcome, corner: Corner) -> bool:
    state: Any = game.new(players=len(outcome.record.seats), **outcome.record.options)
    for text in outcome.record.actions:
        action = game.parse(text)
        after, events = state.step(action)
        if corner(state, action, after, events):
            return True
        state = after
    return False


def main(name: str) -> None:
    """Write the records of one game; its corners are in ``tests/NAME/golden_corners.py``."""
    corners = importlib.import_module(f"tests.{name}.golden_corners").CORNERS
    folder = FOLDER / name
    folder.mkdir(exist_ok=True)
    for file in folder.glob("*.serai"):
        file.unlink()
    for file_name, text in make(serai.game(name), corners).items():
        (folder / f"{file_name}.serai").write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
