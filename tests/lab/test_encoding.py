"""A game in numbers: fixed, within bounds, the same as in compiled batches, and blind for what views hide."""

from __future__ import annotations

import random
import subprocess
import sys
from importlib import import_module
from typing import Any

import msgspec
import numpy as np
import pytest

import serai
from serai.camelup.kernel.bridge import to_row
from serai.camelup.kernel.observe import observe
from serai.core.game import Game
from serai.core.parts import compiled
from serai.errors import BadOptions, Hidden, IllegalAction
from serai.lab.encoding import Encoding
from tests.camelup.positions import at
from tests.docs import encoding_tables
from tests.support import amount, random_play

OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "camelup": ({}, {"first": 1}),
    "pharaoh": (
        {"max_rounds": 12},
        {
            "first": 1,
            "entrance": "f2",
            "no_sealed_tiles": True,
            "turn_reach": "opening",
            "frightened_drop": False,
            "event_without_way_ends_turn": True,
            "mask_exit_ends_turn": False,
            "hide_scores": True,
            "ring": "rook",
            "max_rounds": 140,
            "restless": 3,
        },
    ),
}
"""Without an end by rounds, players without a plan would go on for long."""


@pytest.fixture(params=sorted(OPTIONS))
def game(request: pytest.FixtureRequest) -> Game:
    """Every game that has an encoding."""
    return serai.game(str(request.param))


@pytest.fixture
def encoding(game: Game) -> Encoding[Any, Any]:
    """Its numbers."""
    found: Encoding[Any, Any] = game.encoding
    return found


def games(game: Game, rng: random.Random, many: int) -> list[list[Any]]:
    """The states of some random games, with every number of players and with options."""
    options = OPTIONS[game.name]
    return [
        [after for _, _, after, _ in random_play(game, players, rng, **options[turn % len(options)])]
        for turn in range(many)
        for players in game.players
    ]


def test_every_number_means_one_action_in_the_order_of_actions(game: Game, encoding: Encoding[Any, Any]) -> None:
    every = (*encoding.actions, *encoding.draws)
    assert [encoding.number(action) for action in every] == list(range(len(every)))
    assert [encoding.action(number) for number in range(len(every))] == list(every)
    assert len({str(action) for action in every}) == len(every)
    for states in games(game, random.Random(3), 1):
        for state in states:
            numbers = [encoding.number(action) for action in state.actions()]
            assert numbers == sorted(numbers)
            mask = encoding.mask(state)
            if isinstance(state.actor, int):
                assert np.flatnonzero(mask).tolist() == numbers
                assert [encoding.action(number, state) for number in numbers] == list(state.actions())
            else:
                assert not mask.any()
                assert all(number >= len(encoding.actions) for number in numbers)


def test_what_has_no_number_or_is_not_legal_is_refused(game: Game, encoding: Encoding[Any, Any]) -> None:
    state = next(state for states in games(game, random.Random(3), 1) for state in states if state.actor == 0)
    illegal = int(np.flatnonzero(encoding.mask(state) == 0)[0])
    for number in (illegal, len(encoding.actions)):
        with pytest.raises(IllegalAction, match=r"is not legal here; legal ones: "):
            encoding.action(number, state)
    wrong: Any
    for wrong in (-1, len(encoding.actions) + len(encoding.draws), 1.0, "roll", None):
        with pytest.raises(IllegalAction, match=r"no action has the number"):
            encoding.action(wrong)
    other = next(serai.game(name) for name in OPTIONS if name != game.name)
    assert other.encoding is not None
    with pytest.raises(IllegalAction, match="has no number"):
        encoding.number(other.encoding.actions[0])
    for seat in (-1, 8, None):
        with pytest.raises(BadOptions, match="say which seat observes"):
            encoding.observation(_over(game) if seat is None else state, seat)


def _over(game: Game) -> Any:
    return games(game, random.Random(5), 1)[0][-1]


def test_observations_stay_within_their_fields_and_features_tell_the_same(
    game: Game, encoding: Encoding[Any, Any]
) -> None:
    lows = np.concatenate([np.full(field.count, field.low) for field in encoding.fields])
    highs = np.concatenate([np.full(field.count, field.high) for field in encoding.fields])
    assert lows.min() >= -128
    assert highs.max() <= 127
    assert len(encoding.feature_names) == len(set(encoding.feature_names))
    for states in games(game, random.Random(1), amount(1, 20)):
        seen = np.array([encoding.observation(state, 0) for state in states])
        # seats that nobody sits on hold 0, whatever the values of a field
        assert ((seen >= lows) | (seen == 0)).all()
        assert (seen <= highs).all()
        features = encoding.features_of(seen)
        assert features.shape == (len(states), len(encoding.feature_names))
        assert (features[-1] == encoding.features(states[-1], 0)).all()
        at = 0
        for field in encoding.fields:
            numbers = seen[:, encoding.starts[field.name] :][:, : field.count]
            wide = features[:, at : at + field.count * field.width].reshape(len(states), field.count, field.width)
            if field.one_hot:
                assert (wide.argmax(axis=2) + field.low == numbers).all()
                assert (wide.sum(axis=2) == 1).all()
            else:
                assert wide[:, :, 0] == pytest.approx(numbers / field.divisor)
            at += field.count * field.width


def test_the_fields_lie_where_compiled_code_writes_them(game: Game, encoding: Encoding[Any, Any]) -> None:
    layout = import_module(f"serai.{game.name}.kernel.layout")
    assert encoding.size == layout.SEEN_SIZE
    assert len(encoding.actions) == layout.PLAYER_ACTIONS
    assert len(encoding.actions) + len(encoding.draws) == layout.ALL_ACTIONS
    assert layout.MOST_SEEN == 127
    told = {
        name.removeprefix("SEEN_").lower(): getattr(layout, name)
        for name in vars(layout)
        if name.startswith("SEEN_") and name != "SEEN_SIZE"
    }
    if game.name == "pharaoh":
        assert told.pop("rules") == encoding.starts["start"]
        told["lamp"] = told.pop("lamps")
    assert told.items() <= encoding.starts.items()


def test_a_compiled_batch_gives_the_same_for_every_seat(game: Game, encoding: Encoding[Any, Any]) -> None:
    """The same state read back from a lane, in every situation that long random games come to."""
    bridge = import_module(f"serai.{game.name}.kernel.bridge")
    rng = random.Random(2)
    lanes = 4
    seats, out = np.zeros(lanes, np.int64), np.empty((lanes, encoding.size), np.int16)
    words, actions = np.arange(lanes, dtype=np.uint64), np.zeros(lanes, np.int64)
    for turn, players in enumerate(game.players):
        batch = compiled(game).batch(lanes, players, seed=players, **OPTIONS[game.name][turn % 2])
        assert batch is not None
        for _ in range(amount(60, 3_000)):
            states = [bridge.to_state(row) for row in batch.buffers.rows]
            for lane, state in enumerate(states):
                assert batch.buffers.mask[lane].tolist() == encoding.mask(state).tolist()
                assert batch.buffers.observations[lane].tolist() == encoding.observation(state).tolist()
            seats[:] = [rng.randrange(players) for _ in range(lanes)]
            batch.observe(seats, out)
            assert out.tolist() == [
                encoding.observation(state, seat).tolist() for state, seat in zip(states, seats.tolist(), strict=True)
            ]
            batch.random_actions(words, actions)
            batch.step(actions)


def test_numbers_beyond_eight_bits_stop_at_the_largest() -> None:
    encoding = serai.game("camelup").encoding
    state = msgspec.structs.replace(at("1gyo 3bw"), money=(300, 127), leg=130)
    seen = encoding.observation(state)
    assert (seen[encoding.starts["leg"]], *seen[encoding.starts["money"] :][:3]) == (127, 127, 127, 0)
    out = np.empty(encoding.size, np.int16)
    observe(to_row(state), 0, out)
    assert out.tolist() == seen.tolist()


def test_an_observation_tells_no_more_than_the_view(game: Game, encoding: Encoding[Any, Any]) -> None:
    """Whatever two states a seat cannot tell apart give equal numbers, and a full state gives what the view does."""
    rng = random.Random(4)
    differing = 0
    for states in games(game, rng, amount(1, 20)):
        for state in rng.sample(states[:-1], 20):
            seat = rng.randrange(len(state.scores()))
            view = state.seen_by(seat)
            twin = game.imagine(view, rng)
            differing += twin != state
            seen = encoding.observation(view, seat).tolist()
            assert encoding.observation(state, seat).tolist() == seen
            assert encoding.observation(twin, seat).tolist() == seen
            if state.actor == seat:
                assert encoding.mask(twin).tolist() == encoding.mask(state).tolist()
    assert (differing > 50) == game.hides


def test_of_a_view_only_its_seat_can_observe() -> None:
    game = serai.game("camelup")
    state = games(game, random.Random(4), 1)[0][10]
    with pytest.raises(Hidden, match="does not show seat 1's race cards"):
        game.encoding.observation(state.seen_by(0), 1)
    with pytest.raises(Hidden):
        game.encoding.observation(state.seen_by(None), 0)


def test_actions_have_numbers_without_numpy_and_observations_say_what_they_need() -> None:
    code = """
import sys
sys.modules["numpy"] = None
import serai
for name in ("camelup", "pharaoh"):
    game = serai.game(name)
    print(game.encoding.number(game.encoding.actions[7]))
    try:
        game.encoding.mask(game.new(2))
    except serai.errors.SeraiError as error:
        print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told == "7\nobservations need numpy: install Serai with its extra 'fast'\n" * 2


def test_the_tables_of_the_documentation_are_those_of_the_encodings() -> None:
    text = encoding_tables.PAGE.read_text()
    assert encoding_tables.page(text) == text
    assert all(f"`{field.name}`" in text for name in OPTIONS for field in serai.game(name).encoding.fields)
