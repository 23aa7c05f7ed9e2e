"""What holds in every game of Das Gold des Pharao."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import serai
from serai.bots.random import RandomBot
from serai.errors import IllegalAction
from serai.pharaoh.bots.explorer import Explorer
from serai.pharaoh.rules.actions import ALL_ACTIONS
from serai.pharaoh.rules.board import SHAPE_OF
from serai.pharaoh.rules.events import (
    FigureLost,
    GameEnded,
    LampLost,
    PhotoTaken,
    RingFell,
    ScoreCounted,
    TreasureBanked,
    TurnBegan,
)
from serai.pharaoh.rules.pieces import CHAMBER_CODE, FACE_DOWN, FALLEN, START
from serai.pharaoh.text.position import faults
from tests.pharaoh.positions import GAME
from tests.support import amount

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "entrance": st.sampled_from(["b1", "f3", "a5", "e6"]),
        "no_sealed_tiles": st.booleans(),
        "turn_reach": st.sampled_from(["linked", "opening"]),
        "frightened_drop": st.booleans(),
        "event_without_way_ends_turn": st.booleans(),
        "mask_exit_ends_turn": st.booleans(),
        "ring": st.sampled_from(["king", "rook"]),
        "max_rounds": st.integers(1, 60),
        "restless": st.none() | st.integers(1, 4),
    },
)
GAMES = st.tuples(st.sampled_from(["random", "explorer", "mixed"]), st.integers(2, 4), st.integers(0, 2**32), OPTIONS)
MAKERS: dict[str, list[Any]] = {"random": [RandomBot], "explorer": [Explorer], "mixed": [Explorer, RandomBot]}


def game_of(
    kind: str, players: int, seed: int, options: dict[str, Any]
) -> Iterator[tuple[Any, Any, Any, tuple[Any, ...]]]:
    """A game as (state, action, next state, events)."""
    rng = random.Random(seed)
    makers = MAKERS[kind]
    bots = [makers[seat % len(makers)]() for seat in range(players)]
    state: Any = GAME.new(players=players, first=rng.randrange(players), **options)
    while not state.over:
        action = state.sample(rng) if state.actor is serai.CHANCE else bots[state.actor].decide(state, rng)
        after, events = state.step(action)
        yield state, action, after, events
        state = after


@settings(max_examples=amount(60, 1500), deadline=None)
@given(GAMES)
def test_pieces_are_never_lost_or_made(setting: Any) -> None:
    lost_lamps: Counter[int] = Counter()
    seen = Counter(dict.fromkeys(range(8), 0))
    for _, action, state, events in game_of(*setting):
        for event in events:
            if isinstance(event, LampLost):
                lost_lamps[event.seat] += 1
        if action.kind == "tile":
            seen[action.tile] += 1
        check_tiles(state, seen)
        check_lamps(state, lost_lamps)
        check_treasures(state)
        check_figures(state)
        assert list(faults(state)) == []


def check_tiles(state: Any, seen: Counter[int]) -> None:
    assert sum(seen.values()) + sum(state.unseen) == 35
    assert [seen[kind] + state.unseen[kind] for kind in range(8)] == [12, 10, 8, 1, 1, 1, 1, 1]
    on_board = Counter(
        SHAPE_OF[code] if code < CHAMBER_CODE else 3 + code - CHAMBER_CODE
        for code in state.tiles
        if code not in (FACE_DOWN, FALLEN, START)
    )
    if state.drawn in range(3):
        on_board[state.drawn] += 1
    assert all(on_board[kind] <= seen[kind] for kind in range(8))
    if FALLEN not in state.tiles:
        assert +on_board == +seen
    assert state.tiles.count(START) == 1
    assert state.tiles[state.start] == START


def check_lamps(state: Any, lost: Counter[int]) -> None:
    for seat, lamps in enumerate(state.lamps):
        assert len(lamps) + state.supplies[seat] + lost[seat] == 5
        assert all(state.tiles[cell] not in (FACE_DOWN, FALLEN, START) for cell in lamps)
        assert list(lamps) == sorted(set(lamps))


def check_treasures(state: Any) -> None:
    places = [
        *(value for _, value in state.lying),
        *(value for value in state.carried if value),
        *(value for museum in state.museums for value in museum),
        *state.lost,
    ]
    stack = [2] * state.stack[0] + [3] * state.stack[1]
    mask_to_come = [5] if state.mask_chamber == -1 else []
    assert sorted([*places, *stack, *mask_to_come]) == [2, 2, 2, 2, 3, 3, 3, 3, 5]


def check_figures(state: Any) -> None:
    for cell in (*state.archaeologists, *state.helpers):
        assert cell == -1 or state.tiles[cell] not in (FACE_DOWN, FALLEN)
    for seat, value in enumerate(state.carried):
        assert not value or state.archaeologists[seat] not in (-1, state.start)


@settings(max_examples=amount(60, 1500), deadline=None)
@given(GAMES)
def test_scores_recomputed_from_events_equal_the_scores(setting: Any) -> None:
    ledger = [0] * setting[1]
    changed = [0] * setting[1]
    for number, (_, _, state, events) in enumerate(game_of(*setting), start=1):
        for event in events:
            match event:
                case PhotoTaken(seat=seat, score=score):
                    ledger[seat] += 1
                case TreasureBanked(seat=seat, value=value, score=score):
                    ledger[seat] += value
                case FigureLost(seat=seat, points=points, score=score):
                    ledger[seat] += points
                case ScoreCounted(seat=seat, total=total):
                    assert total == event.photos + sum(event.treasures) + event.lost == ledger[seat]
                    continue
                case GameEnded(scores=scores, winners=winners):
                    assert (scores, winners) == (tuple(ledger), state.winners())
                    continue
                case _:
                    continue
            assert score == ledger[seat]
            changed[seat] = number
        assert state.scores() == tuple(ledger)
        assert state.changed == tuple(changed)


@settings(max_examples=amount(40, 1000), deadline=None)
@given(GAMES)
def test_at_most_three_moves_and_twelve_free_acts_a_turn_and_an_end_within_the_rounds(setting: Any) -> None:
    used: Counter[str] = Counter()
    rings = 0
    most = setting[3].get("max_rounds", 200)
    for before, action, state, events in game_of(*setting):
        moves = action.kind in ("archaeologist", "helper", "reveal", "turn", "lamp", "unlamp")
        used["moves"] += moves
        used["acts"] += action.kind in ("take", "drop", "steal")
        assert used["moves"] <= 3
        assert used["acts"] <= 12
        assert before.moves_left == 3 - used["moves"] + moves
        assert state.round <= most
        for event in events:
            if isinstance(event, TurnBegan):
                used.clear()
            if isinstance(event, RingFell):
                rings += 1
                assert event.ring == rings == state.ring


@pytest.mark.parametrize("seed", range(amount(6, 60)))
def test_actions_are_exactly_what_step_accepts(seed: int) -> None:
    """Every action there can be is tried: it is listed, once, if and only if it can be applied."""
    rng = random.Random(seed)
    options: dict[str, Any] = rng.choice(
        [{}, {"no_sealed_tiles": True}, {"turn_reach": "opening", "ring": "rook"}, {"mask_exit_ends_turn": False}]
    )
    game = game_of(rng.choice(["explorer", "mixed"]), 2 + seed % 3, seed, options)
    states = [state for state, _, _, _ in game]
    for state in rng.sample(states, min(80, len(states))):
        listed = state.actions()
        assert len(set(listed)) == len(listed)
        order = {action: place for place, action in enumerate(ALL_ACTIONS)}
        assert [order[action] for action in listed] == sorted(order[action] for action in listed)
        outcomes: dict[Any, Any] = {}
        for action in ALL_ACTIONS:
            after, refusal = tried(state, action)
            assert (action in listed) == (after is not None), f"'{action}' is listed or not, but: {refusal}"
            if after is not None:
                assert after not in outcomes, f"'{action}' and '{outcomes.get(after)}' have one effect"
                outcomes[after] = action


def tried(state: Any, action: Any) -> tuple[Any, str]:
    """The state after the action, or why there is none."""
    try:
        return state.apply(action), ""
    except IllegalAction as error:
        return None, str(error)
