"""The compiled rules are the rules: both are played side by side and compared after every ply."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import serai
from serai.pharaoh import GAME, PharaohState
from serai.pharaoh.kernel import layout, legal, rules
from serai.pharaoh.kernel.bridge import NUMBERS, Row, to_row, to_state
from serai.pharaoh.policy import decide
from serai.pharaoh.policy.scratch import new_scratch
from serai.pharaoh.policy.styles import STYLE_SIZE
from serai.pharaoh.rules.actions import ALL_ACTIONS
from serai.pharaoh.rules.board import ENTRANCES
from serai.pharaoh.rules.events import ChamberFell, ClockMoved, MaskFound
from serai.pharaoh.rules.pieces import MASK, NOWHERE
from tests.support import amount, assert_frequencies, random_play

LEAST = {
    "MaskFound": 10,
    "ChamberFell": 10,
    "RingFell": 60,
    "MaskCarriedOut": 4,
    "ClockMoved": 10,
    "FigureLost": 10,
    "TreasureLost": 20,
    "LampLost": 50,
    "TreasureStolen": 50,
    "TreasureBanked": 50,
    "MummyWoke": 20,
    "FigureFled": 30,
    "CurseSpread": 20,
    "LampBlownOut": 40,
    "OmenSlept": 10,
    "Rumbled": 30,
    "Calmed": 10,
    "CollapseBegan": 5,
    "GameEnded": 20,
}
"""How often these must have happened: with players who never get so far, little would be compared."""


RARE = {
    ("steal", "ClockMoved"),
    ("end", "ClockMoved"),
    ("treasure", "TreasureDropped"),
    ("treasure", "TreasureBanked"),
    ("treasure", "OmenSlept"),
    ("treasure", "TurnEnded"),
}
"""What must have come of these actions: the mask stolen, a frightened figure that carried, omens without a way."""
FREE = slice(layout.TAKE_ACTION, layout.END_ACTION)
"""What the archaeologist may take, drop or steal."""


class Tables:
    """Set-ups one after the other: every value of every option comes round, in ever other company."""

    def __init__(self, players: int, rng: random.Random) -> None:
        values: dict[str, list[Any]] = {
            "first": list(range(players)),
            "entrance": list(ENTRANCES),
            "max_rounds": [None, 200, 40, 3],
            "restless": [None, None, 4, None, 2, 1],
        }
        for option in GAME.options:
            values.setdefault(option.name, [False, True] if option.type == "bool" else list(option.choices))
        self.met: set[tuple[str, Any]] = set()
        self.all = {(name, value) for name, some in values.items() for value in some}
        self._next = {name: cycle(rng.sample(some, len(some))) for name, some in values.items()}
        self._rng = rng

    def new(self) -> dict[str, Any]:
        """The options of the next table."""
        options = {}
        for name, values in self._next.items():
            for _ in range(self._rng.randrange(1, 3)):
                options[name] = next(values)
        self.met.update(options.items())
        return options


class Players:
    """Compiled players of all styles: from those that wander about to those that carry the mask out."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._words = np.array([rng.getrandbits(64)], np.uint64)
        self._scratch = new_scratch()
        self.sit_down()

    def sit_down(self) -> None:
        """Other styles for another game."""
        self._whim = self._rng.choice([0.0, 0.0, 0.02, 0.1, 0.3, 1.0])
        self._greed = self._rng.choice([0.0, 0.1, 0.4])
        self._styles = [
            np.array([self._rng.choice([0.0, 0.5, 1.0, 2.0]) for _ in range(STYLE_SIZE)])
            for _ in range(layout.MAX_SEATS)
        ]

    def action(self, row: Row, mask: Any) -> int:
        """What is done next, by chance or by the seat to act."""
        seat = row[layout.ACTOR]
        if seat == layout.CHANCE_ACTS and self._rng.random() < 0.5:
            return int(self._rng.choice(np.flatnonzero(mask)))  # more chambers than there would be
        if seat == layout.CHANCE_ACTS:
            return rules.drawn_piece(row, self._words, 0)
        if self._rng.random() < self._greed and mask[FREE].any():
            return FREE.start + int(self._rng.choice(np.flatnonzero(mask[FREE])))
        if self._rng.random() >= self._whim:
            return decide.decide(row, self._styles[seat], self._scratch, self._words, 0)
        if self._rng.random() < 0.5:
            return rules.random_action(row, self._words, 0)
        return int(self._rng.choice(np.flatnonzero(mask)))


def is_moment(state: PharaohState, events: Sequence[Any]) -> bool:
    """Whether to come back here: somebody who carries may be frightened, or the ceiling comes down."""
    falling = any(isinstance(event, MaskFound | ChamberFell | ClockMoved) for event in events)
    mask_lies = state.clock != NOWHERE and any(value == MASK for _, value in state.lying)
    return falling or mask_lies or (state.actor is serai.CHANCE and any(state.carried))


@pytest.mark.parametrize("players", GAME.players)
def test_rules_and_kernel_agree_on_every_field_and_every_action_after_every_ply(players: int) -> None:
    rng = random.Random(players)
    tables, player = Tables(players, rng), Players(rng)
    mask = np.full(layout.ALL_ACTIONS, 9, np.uint8)
    row = np.full(layout.ROW_SIZE, 99, np.int64)
    plies, happened, met = 0, Counter[str](), set[tuple[str, str]]()
    moments = deque[PharaohState](maxlen=200)
    while plies < amount(34_000, 1_700_000):
        if moments and rng.random() < 0.6:
            state, most = rng.choice(moments), 100
            row[:] = to_row(state)
        else:
            state, most = GAME.new(players, **tables.new()), 600  # without a limit of rounds some would never end
            row[:] = to_row(state)
        player.sit_down()
        for _ in range(most):
            assert row.tobytes() == to_row(state).tobytes(), _difference(row, state)
            legal.legal(row, mask)
            assert tuple(ALL_ACTIONS[number] for number in np.flatnonzero(mask)) == state.actions(), state
            if state.over:
                assert rules.winners(row) == sum(1 << seat for seat in state.winners())
                break
            action = player.action(row, mask)
            state, events = state.step(ALL_ACTIONS[action])
            rules.act(row, action)
            plies += 1
            names = [type(event).__name__ for event in events]
            happened.update(names)
            met.update((ALL_ACTIONS[action].kind, name) for name in names)
            if is_moment(state, events):
                moments.append(state)
        assert to_state(row) == state
    assert tables.met == tables.all
    assert {kind for kind, _ in met} == {action.kind for action in ALL_ACTIONS}
    assert met >= RARE
    for event, least in LEAST.items():
        assert happened[event] >= least, event


def test_whatever_lies_in_a_heap_is_taken_dropped_and_stolen_alike() -> None:
    """All treasures on one cell with all archaeologists: more than games ever bring together."""
    rng, row = random.Random(6), np.empty(layout.ROW_SIZE, np.int64)
    mask, met = np.empty(layout.ALL_ACTIONS, np.uint8), Counter[tuple[str, str]]()
    states = [
        state for state, *_ in random_play(GAME, 4, rng) if isinstance(state.actor, int) and state.site == NOWHERE
    ]
    for state in rng.sample(states, 60):
        cell = state.archaeologists[state.turn]
        carried = [0 if seat == state.turn else rng.choice([0, 2, 3]) for seat in range(4)]
        heap = sorted([(cell, 2)] * 4 + [(cell, 3)] * 4 + [(cell, MASK)])
        for value in filter(None, carried):
            heap.remove((cell, value))
        together = {"archaeologists": (cell,) * 4, "carried": tuple(carried), "lying": tuple(heap)}
        state = replace(state, **together, clock=rng.choice([NOWHERE, 0, 1, 2, 3]), acts_left=12)
        row[:] = to_row(state)
        while state.acts_left:
            legal.legal(row, mask)
            action = FREE.start + int(rng.choice(np.flatnonzero(mask[FREE])))
            state, events = state.step(ALL_ACTIONS[action])
            rules.act(row, action)
            assert row.tobytes() == to_row(state).tobytes(), _difference(row, state)
            assert to_state(row) == state
            met.update((ALL_ACTIONS[action].kind, type(event).__name__) for event in events)
    assert met["take", "ClockMoved"] > 5
    assert met["steal", "TreasureStolen"] > 5


def _difference(row: Row, state: PharaohState) -> str:
    places = np.flatnonzero(row != to_row(state)).tolist()
    return f"kernel and rules differ at {places} of the row after {state}"


def test_action_numbers_follow_the_order_of_the_rules() -> None:
    assert [NUMBERS[action] for action in ALL_ACTIONS] == list(range(layout.ALL_ACTIONS))
    for number, text in {
        layout.HELPER_ACTION + 35: "helper f6",
        layout.REVEAL_ACTION: "reveal a1",
        layout.LAY_ACTION + layout.WAYS.index(5): "lay NS",
        layout.TURN_ACTION + len(layout.WAYS) * 7 + layout.WAYS.index(7): "turn b2 NES",
        layout.TAKE_ACTION + 2: "take mask",
        layout.STEAL_ACTION + 3: "steal 3",
        layout.END_ACTION: "end",
        layout.TILE_ACTION: "tile tee",
        layout.PHOTO_ACTION + 4: "photo 5",
        layout.TREASURE_ACTION + 1: "treasure 3",
    }.items():
        assert str(ALL_ACTIONS[number]) == text


def test_random_picks_a_kind_uniformly_then_an_action_of_that_kind() -> None:
    rng = random.Random(4)
    states = [state for state, *_ in random_play(GAME, 3, rng) if state.actor is not serai.CHANCE]
    many = [state for state in states if len({action.kind for action in state.actions()}) > 4]
    for state in (*rng.sample(states, 5), *rng.sample(many, 5)):
        row, words = to_row(state), np.array([rng.getrandbits(64)], np.uint64)
        kinds = Counter(action.kind for action in state.actions())
        chances = {action: 1 / len(kinds) / kinds[action.kind] for action in state.actions()}
        assert_frequencies(lambda: ALL_ACTIONS[rules.random_action(row, words, 0)], chances)  # noqa: B023


def test_pieces_are_drawn_like_the_chances_of_the_rules() -> None:
    rng = random.Random(5)
    states = [state for state, *_ in random_play(GAME, 2, rng) if state.actor is serai.CHANCE]
    what = {state.actions()[0].kind: state for state in states if len(state.actions()) > 1}
    assert set(what) == {"tile", "photo", "treasure"}
    for state in what.values():
        row, words = to_row(state), np.array([rng.getrandbits(64)], np.uint64)
        chances = {action: float(chance) for action, chance in state.chances()}
        assert_frequencies(lambda: ALL_ACTIONS[rules.drawn_piece(row, words, 0)], chances)  # noqa: B023


def test_nobody_waits_for_numba_who_did_not_ask_for_speed() -> None:
    code = "import sys, serai, serai.pharaoh; serai.game('pharaoh').new(4); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
