"""The explorer plays well enough to be a rival, and its games come to their natural end."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from math import sqrt

import pytest

from serai.bots import find_bot
from serai.bots.referee import Outcome, dealer_for, play
from serai.pharaoh import PharaohState
from serai.pharaoh.bots.explorer import Explorer
from serai.pharaoh.rules.pieces import FALLEN
from tests.pharaoh.positions import CORRIDOR, GAME, at, do
from tests.support import amount


def games(names: list[str], count: int) -> list[tuple[list[str], Outcome]]:
    """This many games, the seats going round."""
    played = []
    for number in range(count):
        seated = names[number % len(names) :] + names[: number % len(names)]
        bots = [(name, find_bot(GAME, name)()) for name in seated]
        seed = f"{'-'.join(names)} {number}"
        played.append((seated, play(GAME, bots, dealer=dealer_for(seed), seed=seed)))
    return played


def collapsed(state: PharaohState) -> bool:
    return state.tiles.count(FALLEN) == len(state.tiles) - 1


def test_it_beats_random_in_98_of_100_games_of_two(record_property):
    count = amount(12, 1000)
    won = 0.0
    for seated, outcome in games(["explorer", "random"], count):
        assert outcome.faults == ()
        winners = outcome.state.winners()
        won += (seated.index("explorer") in winners) / len(winners)
    record_property("told", f"pharaoh: explorer beats random in {won:g} of {count} games")
    assert won >= 0.98 * count


@pytest.mark.parametrize("players", [2, 3, 4])
def test_99_of_100_games_among_explorers_end_by_the_collapse(players, record_property):
    count = amount(8, 667)
    ended, wins, lost = 0, Counter[int](), Counter[str]()
    rounds, scores = [], []
    for _, outcome in games(["explorer"] * players, count):
        state = outcome.state
        assert outcome.faults == ()
        ended += collapsed(state)
        rounds.append(state.round)
        scores += state.scores()
        lost["archaeologists"] += state.archaeologists.count(-1)
        lost["helpers"] += state.helpers.count(-1)
        for seat in state.winners():
            wins[seat] += 1 / len(state.winners())
    shares = ", ".join(
        f"{wins[seat] / count:.2f} ± {1.96 * sqrt(wins[seat] / count * (1 - wins[seat] / count) / count):.2f}"
        for seat in range(players)
    )
    record_property(
        "told",
        f"pharaoh: {count} games of {players} explorers: {ended} by the collapse;"
        f" median {statistics.median(rounds):g} rounds, {statistics.median(scores):g} points;"
        f" lost per game: {lost['archaeologists'] / count:.2f} archaeologists,"
        f" {lost['helpers'] / count:.2f} helpers; seats win {shares}",
    )
    assert ended >= 0.99 * count


def decides(text: str) -> str:
    return str(Explorer().decide(at(text), random.Random(1)))


def test_it_carries_treasure_home_by_the_shortest_way():
    state = at(f"{CORRIDOR} 0 A=c4 supply=0\n lying c4=2,3")
    line = []
    while state.scores()[0] == 0 and state.actor == 0:
        line.append(str(Explorer().decide(state, random.Random(1))))
        state = do(state, line[-1])
    assert line == ["take 3", "archaeologist c3", "archaeologist c2", "archaeologist c1"]


def test_it_steals_from_a_carrier_beside_it():
    assert decides(f"{CORRIDOR} 0 A=c4\n 1 A=c4+3") == "steal 1"


def test_it_reveals_when_there_is_nothing_to_fetch():
    assert decides(f"{CORRIDOR} 0 A=c4 H=c3 lamps=c2,c3") == "reveal c5"


def test_it_lays_a_tile_open_to_where_it_stands_and_to_the_unknown():
    assert decides(f"{CORRIDOR} 0 A=c4\n reveal c5 tile=straight") == "lay NS"
    assert decides(f"{CORRIDOR} 0 A=c4\n reveal c5 tile=tee") in ("lay NES", "lay ESW", "lay NSW")


def test_it_lights_the_way_behind_its_archaeologist():
    assert decides(f"{CORRIDOR} 0 A=c4 H=c2") == "lamp"


def test_it_turns_the_tile_that_shuts_its_carrier_in():
    assert decides(f"{CORRIDOR.replace('│', '─', 1)} 0 A=c4+3 H=c4") == "turn c4 NS"


def test_it_runs_when_the_next_turn_would_be_too_late():
    ruin = """
        ? ? ? ? ? ?
        ? ? ? ? ? ?
        ? ? │ x ? ?
        ? ? │ ? ? ?
        ? ? │ ? ? ?
        ? ? S ? ? ?
        0 A=c3 H=c3
        1 museum=mask
        mask d4 finder=1 clock=1 ring=0
        turn 0
    """
    state = at(ruin)
    moves = []
    while state.actor == 0:
        moves.append(str(Explorer().decide(state, random.Random(1))))
        state = do(state, moves[-1])
    assert moves[:2] == ["archaeologist c2", "archaeologist c1"]
    assert moves[2] == "helper c2"


def test_it_leaves_the_mask_when_it_cannot_get_home():
    state = f"{CORRIDOR.replace('? ? ? ? ? ?', '? ? ? ? ? C', 1)} 0 A=f6\n lying f6=mask\n mask f6 finder=0 countdown=2"
    assert decides(state) != "take mask"
