"""Many games stepped at once, for learning agents: legal mask, observation, step, restart, over the caller's arrays.

A lane holds one game after the other. The game in a lane has a number, and with the seed of the batch that number
alone decides its chance; when it ends, the lane goes on with the number increased by the stride. Chance never waits:
a roll draws its die within the step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    CHANCE_ACTS,
    DESERT,
    HAND,
    LEG,
    LEG_TILE,
    LOSER_COUNT,
    LOSER_DECK,
    MARKER,
    MAX_SEATS,
    MONEY,
    NOBODY_ACTS,
    ORDER,
    PLAYER_ACTIONS,
    PLAYERS,
    PYRAMID,
    ROW_SIZE,
    SEEN_CARDS,
    SEEN_DESERT,
    SEEN_HAND,
    SEEN_LEG,
    SEEN_LEG_TILE,
    SEEN_LOSER_DECK,
    SEEN_MARKER,
    SEEN_MONEY,
    SEEN_OWN_LOSER,
    SEEN_OWN_WINNER,
    SEEN_PLAYERS,
    SEEN_PYRAMID,
    SEEN_RANK,
    SEEN_SIZE,
    SEEN_SPACE,
    SEEN_TENT,
    SEEN_TURN,
    SEEN_WINNER_DECK,
    SPACE,
    TENT,
    TURN,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.kernel.rules import Row, act, drawn_die, legal, random_action, set_up
from serai.core import BadOptions, IllegalAction, phrase
from serai.core.jit import compiled
from serai.core.splitmix import seed_of

Array = npt.NDArray[Any]
Numbers = npt.NDArray[np.int64]


class Buffers(NamedTuple):
    """The arrays of a batch, contiguous and owned by the caller; one lane per line."""

    rows: npt.NDArray[np.int16]
    """The games themselves, ``[lanes, ROW_SIZE]``. They show everything: for tests and searching, not for players."""
    words: npt.NDArray[np.uint64]
    """The state of each game's chance."""
    games: Numbers
    """The number of the game in each lane."""
    actors: npt.NDArray[np.int8]
    """Who is to act; ``NOBODY_ACTS`` where a game is over and the batch does not restart."""
    mask: npt.NDArray[np.uint8]
    """1 for each legal action of the actor, ``[lanes, PLAYER_ACTIONS]``."""
    observations: npt.NDArray[np.int16]
    """What the actor sees, ``[lanes, SEEN_SIZE]``."""
    rewards: npt.NDArray[np.int16]
    """Pounds that each seat got (or lost) in the last step, ``[lanes, MAX_SEATS]``."""
    finished: npt.NDArray[np.uint8]
    """1 where the last step ended a game."""
    results: npt.NDArray[np.int16]
    """The money at the end of the last finished game of each lane, by seat."""

    @classmethod
    def empty(cls, lanes: int) -> Buffers:
        """New arrays for so many lanes."""
        return cls(
            rows=np.zeros((lanes, ROW_SIZE), np.int16),
            words=np.zeros(lanes, np.uint64),
            games=np.zeros(lanes, np.int64),
            actors=np.zeros(lanes, np.int8),
            mask=np.zeros((lanes, PLAYER_ACTIONS), np.uint8),
            observations=np.zeros((lanes, SEEN_SIZE), np.int16),
            rewards=np.zeros((lanes, MAX_SEATS), np.int16),
            finished=np.zeros(lanes, np.uint8),
            results=np.zeros((lanes, MAX_SEATS), np.int16),
        )


class Batch:
    """Games side by side. Every call works in place on ``buffers``.

    The lanes begin with the games ``first_game``, ``first_game + 1``, …; ``stride`` is the number of lanes unless
    several batches share the numbers of one seed, when it is the number of all their lanes together.
    """

    def __init__(
        self,
        lanes: int,
        players: int = 4,
        *,
        seed: int = 0,
        first: int = 0,
        first_game: int = 0,
        stride: int | None = None,
        restart: bool = True,
        buffers: Buffers | None = None,
    ) -> None:
        if not 2 <= players <= MAX_SEATS:
            raise BadOptions("core.players", game="camelup", players=players, least=2, most=MAX_SEATS)
        if not 0 <= first < players:
            wanted = f"a seat from 0 to {players - 1}"
            raise BadOptions("core.option.type", game="camelup", name="first", value=first, wanted=wanted)
        if lanes < 1:
            raise BadOptions("camelup.batch.lanes", lanes=lanes)
        self.buffers = Buffers.empty(lanes) if buffers is None else buffers
        for name, fitting in Buffers.empty(lanes)._asdict().items():
            _check(name, getattr(self.buffers, name), fitting.dtype, fitting.shape)
        self.players = players
        self._seed = np.uint64(seed % 2**64)
        self._first = first
        self._first_game = first_game
        self._stride = lanes if stride is None else stride
        self._restart = restart
        self.reset()

    def reset(self) -> None:
        """Begin again with the first games."""
        lanes = len(self.buffers.games)
        self.buffers.games[:] = np.arange(self._first_game, self._first_game + lanes)
        _begin(self.buffers, self.players, self._first, self._seed)

    def step(self, actions: Numbers) -> None:
        """Do one action per lane; if one is not legal, ``IllegalAction`` tells the lane and nothing has happened.

        In lanes whose game is over (without restart) the action does not matter.
        """
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != self.buffers.games.shape:
            raise BadOptions("camelup.batch.actions", lanes=len(self.buffers.games), shape=numbers.shape)
        wrong = _step(self.buffers, numbers, self._first, self._seed, self._stride if self._restart else 0)
        if wrong >= 0:
            seat = int(self.buffers.actors[wrong])
            raise IllegalAction("camelup.batch.action", action=int(actions[wrong]), lane=wrong, seat=seat)

    def observe(self, seats: Numbers, out: npt.NDArray[np.int16]) -> None:
        """Write what a seat of each lane sees into ``out``, ``[lanes, SEEN_SIZE]``."""
        lanes = len(self.buffers.games)
        _check("seats", seats, np.dtype(np.int64), (lanes,))
        _check("out", out, np.dtype(np.int16), (lanes, SEEN_SIZE))
        if seats.min() < 0 or seats.max() >= self.players:
            raise BadOptions("camelup.batch.seats", most=self.players - 1)
        _observe_all(self.buffers.rows, seats, out)

    def random_actions(self, words: npt.NDArray[np.uint64], out: Numbers) -> None:
        """Write what ``random`` would do in each lane into ``out``; ``words`` is the caller's own chance, by lane."""
        _check("words", words, np.dtype(np.uint64), self.buffers.games.shape)
        _check("out", out, np.dtype(np.int64), self.buffers.games.shape)
        _random_actions(self.buffers.rows, words, out)


def _check(name: str, given: Array, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """Compiled code trusts its arrays: an unfit one is refused here."""
    if given.shape != shape or given.dtype != dtype or not given.flags.c_contiguous or not given.flags.writeable:
        wanted = f"a contiguous array of {dtype} and shape {shape}"
        raise BadOptions("camelup.batch.array", name=name, wanted=wanted)


# -- compiled ----------------------------------------------------------------------------------------------------------


@compiled
def observe(row: Row, seat: int, seen: Row) -> None:
    """Write what ``seat`` sees of a game."""
    players = row[PLAYERS]
    seen[SEEN_PLAYERS] = players
    seen[SEEN_LEG] = row[LEG]
    seen[SEEN_TURN] = (row[TURN] - seat + players) % players
    seen[SEEN_MARKER] = (row[MARKER] - seat + players) % players
    for camel in range(CAMEL_COUNT):
        seen[SEEN_SPACE + camel] = row[SPACE + camel]
        seen[SEEN_TENT + camel] = row[TENT + camel]
        seen[SEEN_RANK + row[ORDER + camel]] = camel
        seen[SEEN_HAND + camel] = row[HAND + seat] >> camel & 1
        seen[SEEN_OWN_WINNER + camel] = 0
        seen[SEEN_OWN_LOSER + camel] = 0
    for tile in range(3 * CAMEL_COUNT):
        taker = row[LEG_TILE + tile]
        seen[SEEN_LEG_TILE + tile] = -1 if taker < 0 else (taker - seat + players) % players
    for place in range(players):
        owner = seat + place if seat + place < players else seat + place - players
        seen[SEEN_PYRAMID + place] = row[PYRAMID + owner]
        seen[SEEN_DESERT + place] = row[DESERT + owner]
        seen[SEEN_MONEY + place] = row[MONEY + owner]
        seen[SEEN_CARDS + place] = CAMEL_COUNT
    for place in range(players, MAX_SEATS):
        seen[SEEN_PYRAMID + place] = 0
        seen[SEEN_DESERT + place] = 0
        seen[SEEN_MONEY + place] = 0
        seen[SEEN_CARDS + place] = 0
    for place in range(SEEN_WINNER_DECK, SEEN_SIZE):
        seen[place] = -1
    for place in range(row[WINNER_COUNT]):
        owner = _show_card(row[WINNER_DECK + place], place, seat, players, seen, SEEN_OWN_WINNER)
        seen[SEEN_WINNER_DECK + place] = owner
    for place in range(row[LOSER_COUNT]):
        owner = _show_card(row[LOSER_DECK + place], place, seat, players, seen, SEEN_OWN_LOSER)
        seen[SEEN_LOSER_DECK + place] = owner


@compiled
def _show_card(card: int, place: int, seat: int, players: int, seen: Row, own: int) -> int:
    owner = (card >> 3) - seat
    if owner < 0:
        owner += players
    seen[SEEN_CARDS + owner] -= 1
    if owner == 0:
        seen[own + (card & 7)] = place + 1
    return owner


@compiled
def _show(buffers: Buffers, lane: int) -> None:
    row = buffers.rows[lane]
    buffers.actors[lane] = row[ACTOR]
    bits = legal(row)
    mask = buffers.mask[lane]
    for action in range(PLAYER_ACTIONS):
        mask[action] = bits >> action & 1
    observe(row, max(row[ACTOR], 0), buffers.observations[lane])


@compiled
def _deal(buffers: Buffers, lane: int, players: int, first: int, seed: np.uint64) -> None:
    """Set up the lane's game and place its camels."""
    row = buffers.rows[lane]
    buffers.words[lane] = seed_of(seed, np.uint64(buffers.games[lane]))
    set_up(row, players, first, 0)
    for _ in range(CAMEL_COUNT):
        act(row, drawn_die(row, buffers.words, lane))


@compiled
def _begin(buffers: Buffers, players: int, first: int, seed: np.uint64) -> None:
    for lane in range(len(buffers.games)):
        _deal(buffers, lane, players, first, seed)
        _show(buffers, lane)
        buffers.finished[lane] = 0
        for seat in range(MAX_SEATS):
            buffers.rewards[lane, seat] = 0
            buffers.results[lane, seat] = 0


@compiled
def _step(buffers: Buffers, actions: Numbers, first: int, seed: np.uint64, stride: int) -> int:
    """Step every lane; the first lane with an illegal action instead, or -1. Without a stride nothing restarts."""
    lanes = len(buffers.games)
    for lane in range(lanes):
        row = buffers.rows[lane]
        action = actions[lane]
        if row[ACTOR] != NOBODY_ACTS and not (0 <= action < PLAYER_ACTIONS and legal(row) >> action & 1):
            return lane
    for lane in range(lanes):
        row = buffers.rows[lane]
        rewards = buffers.rewards[lane]
        for seat in range(MAX_SEATS):
            rewards[seat] = 0
        buffers.finished[lane] = 0
        if row[ACTOR] == NOBODY_ACTS:
            continue
        act(row, actions[lane])
        if row[ACTOR] == CHANCE_ACTS:
            for seat in range(row[PLAYERS]):
                rewards[seat] = -row[MONEY + seat]
            act(row, drawn_die(row, buffers.words, lane))
            for seat in range(row[PLAYERS]):
                rewards[seat] += row[MONEY + seat]
            if row[ACTOR] == NOBODY_ACTS:
                buffers.finished[lane] = 1
                for seat in range(MAX_SEATS):
                    buffers.results[lane, seat] = row[MONEY + seat]
                if stride > 0:
                    buffers.games[lane] += stride
                    _deal(buffers, lane, row[PLAYERS], first, seed)
        _show(buffers, lane)
    return -1


@compiled
def _observe_all(rows: npt.NDArray[np.int16], seats: Numbers, out: npt.NDArray[np.int16]) -> None:
    for lane in range(len(rows)):
        observe(rows[lane], seats[lane], out[lane])


@compiled
def _random_actions(rows: npt.NDArray[np.int16], words: npt.NDArray[np.uint64], out: Numbers) -> None:
    for lane in range(len(rows)):
        if rows[lane, ACTOR] >= 0:
            out[lane] = random_action(rows[lane], words, lane)


phrase(
    {
        "camelup.batch.lanes": "a batch has at least one lane, not {lanes}",
        "camelup.batch.array": "{name!r} must be {wanted}, writable; Buffers.empty(lanes) makes fitting ones",
        "camelup.batch.seats": "seats to look from are 0 to {most}",
        "camelup.batch.actions": "step() takes one action per lane, {lanes} in all, not an array of shape {shape}",
        "camelup.batch.action": "action number {action} in lane {lane} is not legal for seat {seat}: see the mask",
    }
)
