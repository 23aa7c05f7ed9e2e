"""The five levels play whole legal games with every number of players and all options, and never to and fro."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import serai
from serai.bots import find_bot
from serai.bots.referee import dealer_for, play
from serai.core import CHANCE
from serai.lab.rollouts import ArrayPlayouts
from serai.pharaoh.bots.lynx import Lynx
from serai.pharaoh.bots.sphinx import Sphinx
from serai.pharaoh.rules.actions import DROP, END, Archaeologist, Helper
from tests.pharaoh.positions import CORRIDOR, GAME, at
from tests.support import amount

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"entrance": "f3", "no_sealed_tiles": True, "turn_reach": "opening", "ring": "rook", "first": 1},
    {
        "frightened_drop": False,
        "event_without_way_ends_turn": True,
        "mask_exit_ends_turn": False,
        "hide_scores": True,
        "restless": 3,
        "max_rounds": None,
    },
)


@pytest.fixture(autouse=True)
def _small_budget(monkeypatch):
    for bot in (Lynx, Sphinx):
        monkeypatch.setattr(bot, "rollouts", 8)
        monkeypatch.setattr(bot, "seconds", None)


def test_levels_are_bots_of_this_game_that_can_be_found():
    assert set(GAME.levels) <= set(GAME.bots)
    assert all(find_bot(GAME, name)() is not None for name in GAME.levels)


@pytest.mark.parametrize("level", GAME.levels)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_level_plays_whole_legal_games(level, players):
    for options in OPTIONS if amount(0, 1) else [OPTIONS[players - 2]]:
        limited = (
            options
            if level in ("scarab", "gecko", "jackal") and options.get("max_rounds", 0) is not None
            else {
                **options,
                "max_rounds": amount(4, 60),
            }
        )
        bots = [(level, find_bot(GAME, level)()) for _ in range(players)]
        outcome = play(GAME, bots, dealer=dealer_for("levels"), seed="levels", seconds=None, **limited)
        assert outcome.faults == ()
        assert outcome.state.over


def test_a_searcher_plays_a_game_again_from_its_seed():
    def line() -> list[str]:
        state, done = GAME.new(), []
        rng, bots = random.Random(4), [Sphinx(), Lynx()]
        for _ in range(40):
            chance = state.actor is CHANCE
            action = state.sample(rng) if chance else bots[state.actor].decide(state, rng)
            done.append(str(action))
            state = state.apply(action)
        return done

    assert line() == line()


@pytest.fixture
def judged(monkeypatch):
    """Sets what playouts find every action worth, by its notation or its kind; otherwise nothing."""

    def judge(worths: dict[str, float]) -> None:
        def playouts(_game, view, actions, n, **_settings):
            wins = np.zeros((len(actions), n, view.players), np.float32)
            for place, action in enumerate(actions):
                wins[place, :, view.turn] = worths.get(str(action), worths.get(action.kind, 0.0))
            return ArrayPlayouts(tuple(actions), wins, wins)

        monkeypatch.setattr(type(GAME), "rollouts", playouts)

    return judge


def test_a_searcher_never_walks_back_at_once(judged):
    judged({"archaeologist": 1.0, "helper": 0.9})
    state, bot, rng = at(f"{CORRIDOR} 0 A=c3 H=c3\n 1 A=c2"), Sphinx(), random.Random(1)
    done = []
    while state.turn == 0 and state.moves_left:
        done.append(bot.decide(state, rng))
        state = state.apply(done[-1])
    assert len(done) == 3
    assert Archaeologist(state.start + 12) not in done
    assert Helper(state.start + 12) not in done


@pytest.mark.parametrize(
    ("worths", "chosen"),
    [
        ({"end": 0.5}, "reveal"),
        ({"end": 0.7}, "reveal"),
        ({"end": 0.9}, "end"),
        ({"archaeologist": 0.58}, "reveal"),
        ({"archaeologist": 0.65}, "archaeologist"),
        ({"helper": 0.52}, "reveal"),
        ({"helper": 0.55}, "helper"),
    ],
)
def test_what_does_not_get_on_must_be_better_than_what_does(judged, worths, chosen):
    judged({"reveal": 0.5, **worths})
    assert Sphinx().decide(at(f"{CORRIDOR} 0 A=c4 H=c1 supply=0\n turn 0 moves=1"), random.Random(1)).kind == chosen


RESTLESS = "\n restless f6 ring=0"


def test_once_the_mask_is_found_ending_a_turn_early_is_as_good_as_it_looks(judged):
    judged({"end": 0.6, "reveal": 0.5, "archaeologist": 0.5})
    board = CORRIDOR.replace("? ? │ ? ? ?", "? ? C ? ? ?", 1)
    falling = f"{board} 0 A=c1 H=c1\n lying c4=mask\n mask c4 finder=1 countdown=1"
    assert Sphinx().decide(at(falling), random.Random(1)) == END


def test_where_the_pyramid_falls_by_itself_home_may_be_the_best_place_too(judged):
    judged({"end": 0.6, "reveal": 0.5, "archaeologist": 0.5})
    board = CORRIDOR.replace("? ? ? ? ? ?", "? ? ? ? ? x", 1)
    calm, falling = (
        at(f"{tiles} 0 A=c1 H=c1 {fall}", restless=4) for tiles, fall in ((CORRIDOR, ""), (board, RESTLESS))
    )
    assert Sphinx().decide(calm, random.Random(1)) != END
    assert Sphinx().decide(falling, random.Random(1)) == END


def test_a_searcher_drops_a_treasure_only_for_a_dearer_one_and_takes_that_at_once(judged):
    """Whatever its search finds: here, that dropping is best, and next best to take up again."""
    judged({"drop": 1.0, "take 2": 0.9})
    alone, swap = (at(f"{CORRIDOR} 0 A=c4+2\n 1 A={rival}+3") for rival in ("c3", "c4"))
    bot, rng = Sphinx(), random.Random(1)
    assert bot.decide(alone, rng) != DROP
    assert bot.decide(swap, rng) == DROP
    assert str(bot.decide(swap.apply(DROP), rng)) == "steal 1"
    assert str(bot.decide(at(f"{CORRIDOR} 0 A=c4\n lying c4=2"), rng)) == "take 2"


@pytest.mark.parametrize("opponent", ["scarab", "gecko"])
def test_a_gecko_is_tempted_by_the_mask_often_enough_for_a_beginner_to_see_a_chase(opponent):
    home = serai.simulate("pharaoh", ["gecko", opponent], games=100, seed=1).summary().measures["mask brought home"]
    assert home[1] >= 15


def test_who_waits_in_vain_does_what_comes_to_mind():
    """Nothing moves: the lead that anything else needs grows turn by turn, for who loses sooner than for who leads."""
    behind, ahead = Lynx(), Lynx()
    for number in range(1, 9):
        losing = at(f"{CORRIDOR} 1 museum=3 changed=1\n turn 0 round={number} ply=9")
        behind.decide(losing, random.Random(1))
        ahead.decide(at(f"{CORRIDOR} 0 museum=3 changed=1\n turn 0 round={number} ply=9"), random.Random(1))
    assert behind.lead > ahead.lead > Lynx.lead


def test_who_waits_in_vain_does_not_insist_on_ending_the_turn(monkeypatch):
    """Nothing comes to mind but to end the turn: that ends no waiting, so whatever looks better is good enough."""
    bot = Lynx()
    for number in range(1, 9):
        waiting = at(f"{CORRIDOR} 1 museum=3 changed=1\n turn 0 round={number} ply=9")
        bot.decide(waiting, random.Random(1))
    assert bot.lead > Lynx.lead
    monkeypatch.setattr(Lynx, "preferred", lambda _self, _view: END)
    bot.decide(waiting, random.Random(1))
    assert bot.lead == Lynx.lead


def test_the_pause_tells_nothing_but_how_much_there_is_to_think_about():
    begun = GAME.new()
    assert GAME.pause(begun) > GAME.pause(at(f"{CORRIDOR} 0 A=c4\n reveal c5 tile=straight"))
    chamber = CORRIDOR.replace("? ? │ ? ? ?", "? ? C ? ? ?", 1)
    falling = chamber + " 0 A={} H=c1\n lying c4=mask\n mask c4 finder=0 countdown=2"
    assert GAME.pause(at(falling.format("c3"))) > GAME.pause(begun) > GAME.pause(at(falling.format("c1")))
