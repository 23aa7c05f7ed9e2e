"""The five levels: whole lawful games at every number of seats, by views alone, without end of tiles or thought."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import serai
from serai.bots import Bot, find_bot
from serai.camelup import GAME
from serai.camelup.bots import STYLED
from serai.camelup.bots.cobra import CobraBot
from serai.camelup.policy.choose import promising
from serai.camelup.rules.actions import Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.pieces import CAMEL_NAMES
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.rules.track import ranking
from serai.core.record import replay
from tests.camelup.bots.test_odds_bots import moments
from tests.support import amount


@pytest.fixture(autouse=True)
def _small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cheetah", "cobra"):
        made = type(find_bot(GAME, name)())
        monkeypatch.setattr(made, "rollouts", 16)
        monkeypatch.setattr(made, "seconds", None)


@pytest.mark.parametrize("players", GAME.players)
def test_every_level_plays_whole_lawful_games_at_any_number_of_seats(players: int) -> None:
    rng = random.Random(players)
    for game in range(amount(1, 20)):
        names = [GAME.levels[(seat + game + players) % len(GAME.levels)] for seat in range(players)]
        bots: list[Any] = [find_bot(GAME, name)() for name in names]
        state: Any = GAME.new(players=players, hide_money=bool(game % 2))
        decisions = 0
        while not state.over:
            if state.actor is serai.CHANCE:
                action = state.sample(rng)
            else:
                action = bots[state.actor].decide(state.seen_by(state.actor), rng)
                assert action in state.actions()
                decisions += 1
            state, events = state.step(action)
            for seat, bot in enumerate(bots):
                for event in events if hasattr(bot, "watch") else ():
                    bot.watch(event.seen_by(seat))
        assert decisions < 60 * players


@pytest.mark.parametrize("name", GAME.levels)
def test_a_level_decides_alike_in_states_that_its_seat_cannot_tell_apart(name: str) -> None:
    rng = random.Random(3)
    for state in moments(31, 5, 0.04):
        view = state.seen_by(state.turn)
        decided = [_fresh(name).decide(seen, random.Random(1)) for seen in (view, state, GAME.imagine(view, rng))]
        assert decided[0] == decided[1] == decided[2]


def test_a_tile_that_lies_is_moved_only_for_more_than_a_roll_brings() -> None:
    moved = 0
    for state in moments(32, amount(10, 60), 0.2):
        values = promising(state.seen_by(state.turn), 12, 5.0)
        assert Roll() in values
        if state.deserts[state.turn]:
            tiles = [value for action, value in values.items() if isinstance(action, Oasis | Mirage)]
            assert all(value > values[Roll()] for value in tiles)
            moved += len(tiles)
    assert moved


def test_the_clock_ends_a_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CobraBot, "rollouts", 200_000)
    monkeypatch.setattr(CobraBot, "seconds", 0.01)
    bot = CobraBot()
    view = moments(33, 1, 0.5)[0]
    assert bot.decide(view, random.Random(0)) in view.actions()
    assert bot.cuts == 1


def test_a_pause_is_told_by_what_everybody_sees() -> None:
    for state in moments(34, 2, 0.3):
        assert GAME.pause(state.seen_by(None)) == GAME.pause(state.seen_by(state.turn))
        assert 0.5 <= GAME.pause(state.seen_by(None)) <= 2


def _chance(state: CamelUpState, card: Winner | Loser) -> float:
    """How likely a race card is right, as if no desert tiles lay, which is how these bots see it."""
    assert card.camel is not None
    without_tiles = msgspec.structs.replace(state, deserts=(0,) * state.players).seen_by(state.turn)
    odds: Any = GAME.odds and GAME.odds(without_tiles)
    return float(getattr(odds.race[CAMEL_NAMES[card.camel]], card.kind))


def _fresh(name: str) -> Bot:
    return find_bot(GAME, name)()


@pytest.mark.parametrize("bot", ["jerboa", "donkey", *STYLED])
def test_up_to_level_three_nobody_lays_a_card_that_it_does_not_believe_in(bot: str) -> None:
    """A card is of the leader or of the camel that is likeliest; and decks are not buried under them."""
    assert GAME.compiled is not None
    simulator = GAME.compiled.simulator([bot] * 4, seed="cards")
    games, laid, right = amount(12, 300), 0, 0
    for number in range(games):
        for ply in replay(simulator.record(number)):
            if isinstance(ply.action, Winner | Loser):
                leads = ranking(ply.before.track)[0] == ply.action.camel
                assert leads or _chance(ply.before, ply.action) >= 0.38, (number, ply.action)
                laid += 1
        over = ply.after
        order = ranking(over.track)
        right += sum(camel == order[0] for _, camel in over.winner_deck)
        right += sum(camel == order[-1] for _, camel in over.loser_deck)
    assert laid <= 15 * games
    assert right >= (0.3 if bot == "jerboa" else 0.45) * laid
