"""The compiled rules are the rules: both are played side by side and compared after every ply."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import serai
from serai.bots.random import RandomBot
from serai.pharaoh import GAME, PharaohState
from serai.pharaoh.actions import END
from serai.pharaoh.board import ENTRANCES
from serai.pharaoh.bots.explorer import Explorer
from serai.pharaoh.kernel import layout, legal, rules
from serai.pharaoh.kernel.bridge import NUMBERS, actions_of, to_row, to_state
from tests.support import amount

WINS = [1 << seat for seat in range(layout.MAX_SEATS)]


def random_options(rng: random.Random, players: int) -> dict[str, Any]:
    return {
        "first": rng.randrange(players),
        "entrance": rng.choice(ENTRANCES),
        "max_rounds": rng.choice([None, 200, rng.randrange(1, 30)]),
        **{
            option.name: rng.choice([False, True] if option.type == "bool" else list(option.choices))
            for option in GAME.options
            if option.name not in ("first", "entrance", "max_rounds")
        },
    }


@pytest.mark.parametrize("players", GAME.players)
def test_rules_and_kernel_agree_on_every_field_and_every_action_after_every_ply(players: int) -> None:
    rng = random.Random(players)
    mask = np.empty(layout.ALL_ACTIONS, np.uint8)
    row = np.full(layout.ROW_SIZE, 99, np.int64)
    plies, needed = 0, amount(34_000, 1_700_000)
    seen: set[str] = set()
    while plies < needed:
        state = GAME.new(players, **random_options(rng, players))
        rules.set_up(row, to_row(state))
        temper = rng.random()
        bots = [Explorer() for _ in range(players)]
        for _ in range(5_000):
            assert row.tolist() == to_row(state).tolist(), state
            legal.legal(row, mask)
            assert actions_of(mask) == state.actions(), state
            if state.over:
                break
            action = _choice(state, rng, temper, bots)
            state, events = state.step(action)
            seen.update(type(event).__name__ for event in events)
            rules.act(row, NUMBERS[action])
            plies += 1
        assert to_state(row) == state
        if state.over:
            assert rules.winners(row) == sum(WINS[seat] for seat in state.winners())
    assert {"MummyWoke", "CurseSpread", "MaskFound", "RingFell", "TreasureStolen", "FigureLost"} <= seen


def _choice(state: PharaohState, rng: random.Random, temper: float, bots: list[Explorer]) -> Any:
    """Games of all tempers: from those that wander about to those that find the mask."""
    if state.actor is serai.CHANCE:
        return state.sample(rng)
    if rng.random() < temper**2:
        return RandomBot().decide(state, rng)
    if rng.random() < 0.3:
        return rng.choice([action for action in state.actions() if action != END] or [END])
    return bots[state.turn].decide(state, rng)
