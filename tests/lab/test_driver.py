"""The compiled driver: what a game has to supply, and where that fits."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from serai.camelup.policy import driver as camelup
from serai.lab.driver import DECISIONS, OWN, PLIES, TRUNCATED, WINNERS, Driver, driver_of
from serai.pharaoh.policy import driver as pharaoh

GAMES = pytest.mark.parametrize("game", [camelup, pharaoh])


@GAMES
def test_a_game_supplies_all_that_the_driver_asks_for(game: ModuleType) -> None:
    asked = {*Driver.__annotations__, *(name for name in vars(Driver) if not name.startswith("_"))}
    assert asked <= set(dir(game))


@GAMES
def test_every_action_is_counted_under_its_seat_and_kind_and_nothing_else_is_there(game: ModuleType) -> None:
    assert game.KIND_OF.tolist() == sorted(game.KIND_OF.tolist())
    assert len(game.KIND_OF) == game.PLAYER_ACTIONS
    assert game.KIND_OF[-1] == game.KINDS - 1
    assert {WINNERS, PLIES, DECISIONS, TRUNCATED} == set(range(OWN))
    assert game.MAX_SEATS + OWN <= game.RESULT_ACTIONS
    assert game.RESULT_SIZE == game.RESULT_ACTIONS + game.KINDS * game.MAX_SEATS


@GAMES
def test_a_template_is_bound_once_for_a_game(game: ModuleType) -> None:
    assert driver_of(game) is driver_of(game)
    other = pharaoh if game is camelup else camelup
    assert driver_of(game).step is not driver_of(other).step
    assert driver_of(game).step.py_func.__code__ is driver_of(other).step.py_func.__code__


@GAMES
def test_a_result_of_a_whole_game_adds_up(game: ModuleType) -> None:
    start = {camelup: _camelup_start, pharaoh: _pharaoh_start}[game]()
    out, log = np.empty((1, game.RESULT_SIZE), np.int32), np.full(5000, -1, np.int16)
    policies = np.full((1, 2), game.POLICIES["random"], np.int8)
    driver_of(game).play_games(np.uint64(7), 0, 1, start, policies, None, 5000, log, out)
    own, plies = out[-1, game.MAX_SEATS :], int((log >= 0).sum())
    assert own[PLIES] == plies
    assert own[DECISIONS] == out[-1, game.RESULT_ACTIONS :].sum()
    assert own[DECISIONS] == (log[:plies] < game.PLAYER_ACTIONS).sum()
    assert own[WINNERS] in (1, 2, 3)


def _camelup_start() -> object:
    from serai.camelup.game import GAME
    from serai.camelup.kernel.bridge import to_row

    return to_row(GAME.new(2))


def _pharaoh_start() -> object:
    from serai.pharaoh.game import GAME
    from serai.pharaoh.kernel.bridge import to_row

    return to_row(GAME.new(2, max_rounds=30))
