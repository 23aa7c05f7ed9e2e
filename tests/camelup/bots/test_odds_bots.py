"""``quick`` and ``greedy``: the best action by their lights, from a view, on both paths, and better than random."""

from __future__ import annotations

import random
import subprocess
import sys
from math import sqrt
from typing import Any

import numpy as np
import pytest

import serai
from serai.bots.specs import find_bot
from serai.camelup.bots.greedy import GreedyBot
from serai.camelup.bots.quick import QuickBot
from serai.camelup.kernel.bridge import NUMBERS, to_row
from serai.camelup.odds.race_table import race_table
from serai.camelup.odds.report import action_values, best_action, quick_values
from serai.camelup.policy import choose
from serai.camelup.policy.decide import greedy_choice, greedy_values, quick_choice
from serai.camelup.policy.scratch import new_scratch
from serai.camelup.rules.rules import CamelUpState
from serai.core.chance import any_kind
from tests.camelup.positions import GAME, at
from tests.support import amount

RNG = random.Random(0)


def moments(seed: int, games: int, share: float) -> list[CamelUpState]:
    """States with a player to act from random games of 2 to 8 players."""
    rng = random.Random(seed)
    found: list[CamelUpState] = []
    for number in range(games):
        state: Any = GAME.new(players=2 + number % 7)
        while not state.over:
            if isinstance(state.actor, int) and rng.random() < share:
                found.append(state)
            state = state.apply(state.sample(rng) if state.actor is serai.CHANCE else any_kind(state.actions(), rng))
    return found


def test_the_compiled_twin_values_and_decides_as_numpy_does() -> None:
    scratch = new_scratch()
    for state in moments(21, amount(14, 140), 0.2):
        view = state.seen_by(state.turn)
        row = to_row(view)
        values = action_values(view)
        greedy_values(row, race_table(), scratch, False)
        assert [scratch.values[NUMBERS[action]] for action, _ in values] == pytest.approx(
            [value for _, value in values], abs=1e-11
        )
        assert np.isfinite(scratch.values).sum() == len(values)
        greedy = NUMBERS[best_action(values)]
        assert greedy_choice(row, race_table(), scratch) == greedy
        quick = NUMBERS[best_action(quick_values(view))]
        assert quick_choice(row, race_table(), scratch) == quick


def test_inside_the_kernel_they_see_no_more_than_their_view() -> None:
    """The full row and the row of the view lead to the same decision."""
    scratch = new_scratch()
    for state in moments(22, amount(14, 140), 0.2):
        full, seen = to_row(state), to_row(state.seen_by(state.turn))
        for choice in (greedy_choice, quick_choice):
            assert choice(full, race_table(), scratch) == choice(seen, race_table(), scratch)


@pytest.mark.parametrize("make", [QuickBot, GreedyBot])
def test_a_bot_decides_the_same_before_and_after_it_is_warmed_up(make: type) -> None:
    plain, fast = make(), make()
    fast.warm_up()
    for state in moments(23, 7, 0.05):
        decided = fast.decide(state.seen_by(state.turn), RNG)
        assert plain.decide(state.seen_by(state.turn), RNG) == decided
        # a bot that is handed the true state looks no further than its own view
        assert plain.decide(state, RNG) == fast.decide(state, RNG) == decided


@pytest.mark.parametrize("make", [QuickBot, GreedyBot])
def test_only_a_bot_that_was_warmed_up_uses_compiled_code(
    make: type[QuickBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[object] = []
    compiled = f"{make.name}_choice"
    right: Any = getattr(choose, compiled)

    def watched(*seen: object) -> int:
        used.append(seen)
        return right(*seen)  # type: ignore[no-any-return]

    monkeypatch.setattr(choose, compiled, watched)
    view = at("1gyo 3bw", players=2).seen_by(0)
    bot = make()
    bot.decide(view, RNG)
    assert not used
    bot.warm_up()
    used.clear()
    bot.decide(view, RNG)
    assert len(used) == 1


@pytest.mark.parametrize("bot", ["quick", "greedy"])
def test_without_numba_they_play_on_in_numpy_and_without_numpy_they_say_what_to_install(bot: str) -> None:
    code = f"""
import random, sys
sys.modules["numba"] = None
import serai
from serai.bots import find_bot
from serai.bots.contract import warm_up
from tests.camelup.positions import at
view = at("1gyo 3bw", players=2).seen_by(0)
bot = find_bot(serai.game("camelup"), {bot!r})()
decided = bot.decide(view, random.Random(1))
warm_up(bot)
assert bot.decide(view, random.Random(1)) == decided
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    code = f"""
import sys
sys.modules["numpy"] = None
import serai
from serai.bots import find_bot
from serai.errors import MissingExtra
try:
    find_bot(serai.game("camelup"), {bot!r})()
except MissingExtra as missing:
    assert missing.extra == "fast" and "install Serai with its extra 'fast'" in str(missing)
else:
    raise SystemExit("made without NumPy")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_quick_places_no_tiles_and_overlooks_them() -> None:
    with_tiles = at("1gyo 3bw", players=3, deserts=(0, 5, -7))
    assert quick_values(with_tiles) == quick_values(at("1gyo 3bw", players=3))
    assert {action.kind for action, _ in quick_values(with_tiles)} == {"leg", "roll", "winner", "loser"}


def test_greedy_places_a_tile_where_it_pays() -> None:
    """Nothing left to bet on, and a stack of five that must cross the spaces ahead."""
    state = at(
        "5bgoyw", players=2, leg_bets=((1, 1, 1),) * 5, hands=((), (0, 1, 2, 3, 4)), winner_deck=(), loser_deck=()
    )
    decided = GreedyBot().decide(state.seen_by(0), RNG)
    values = dict(action_values(state.seen_by(0)))
    assert decided.kind in ("oasis", "mirage")
    assert values[decided] == max(values.values()) > 1


def test_bots_are_found_by_name_weakest_first() -> None:
    assert [bot for bot in GAME.bots if bot in GAME.levels] == ["jerboa", "donkey", "fennec", "cheetah", "cobra"]
    assert set(GAME.levels) < set(GAME.bots)
    assert find_bot(GAME, "greedy") is GreedyBot
    assert find_bot(GAME, "quick") is QuickBot


@pytest.mark.parametrize(
    ("make", "games", "share"), [(QuickBot, amount(60, 1000), 0.90), (GreedyBot, amount(60, 1000), 0.93)]
)
def test_three_random_players_are_beaten(make: type, games: int, share: float) -> None:
    """Fails only if so few wins would be a matter of four standard errors."""
    rng = random.Random(24)
    bots = [make(), *(find_bot(GAME, "random")() for _ in range(3))]
    bots[0].warm_up()
    won = 0.0
    for number in range(games):
        state: Any = GAME.new(players=4)
        while not state.over:
            if state.actor is serai.CHANCE:
                state = state.apply(state.sample(rng))
            else:
                bot = bots[(state.actor + number) % 4]
                state = state.apply(bot.decide(state.seen_by(state.actor), rng))
        winners = [(seat + number) % 4 for seat in state.winners()]
        won += (0 in winners) / len(winners)
    assert won / games >= share - 4 * sqrt(share * (1 - share) / games)
