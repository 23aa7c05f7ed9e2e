"""Many games stepped at once, for learning agents: legal mask, observation, step, restart, over the caller's arrays.

A lane holds one game after the other. The game in a lane has a number, and with the seed of the batch that number
alone decides its chance; when it ends, the lane goes on with the number increased by the stride. Chance never waits:
its draws are done within the step. What is compiled, each game has for itself (:class:`Lanes`).
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from serai.core.errors import BadOptions, IllegalAction, phrase

Array = npt.NDArray[Any]
Numbers = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


class Buffers(NamedTuple):
    """The arrays of a batch, contiguous and owned by the caller; one lane per line."""

    rows: Array
    """The games themselves, ``[lanes, ROW_SIZE]``. They show everything: for tests and searching, not for players."""
    words: Words
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
    """What each seat scored (or lost) in the last step, ``[lanes, MAX_SEATS]``."""
    finished: npt.NDArray[np.uint8]
    """1 where the last step ended a game."""
    results: npt.NDArray[np.int16]
    """The scores at the end of the last finished game of each lane, by seat."""
    shares: npt.NDArray[np.float32]
    """Each seat's share of the victory in that game."""


class Shape(NamedTuple):
    """What the arrays of a game are like."""

    row_size: int
    row_type: type[np.signedinteger[Any]]
    actions: int
    seen_size: int
    seats: int


class Lanes(Protocol):
    """The compiled part, a module of each game."""

    def begin(self, buffers: Buffers, start: Array, seed: np.uint64) -> None:
        """Put the game that its number means into every lane; ``start`` is a row before the first draw of chance."""

    def step(self, buffers: Buffers, actions: Numbers, start: Array, seed: np.uint64, stride: int) -> int:
        """Step every lane; the first lane with an illegal action instead, or -1. Without a stride nothing restarts."""

    def observe_all(self, rows: Array, seats: Numbers, out: npt.NDArray[np.int16]) -> None:
        """What a seat of each lane sees."""

    def random_actions(self, rows: Array, words: Words, out: Numbers) -> None:
        """What the bot ``random`` would do in each lane."""


class Batch:
    """Games side by side. Every call works in place on ``buffers``.

    The lanes begin with the games ``first_game``, ``first_game + 1``, …; ``stride`` is the number of lanes unless
    several batches share the numbers of one seed, when it is the number of all their lanes together. ``options`` are
    those of the game.
    """

    shape: ClassVar[Shape]
    _lanes: ClassVar[Lanes]

    def __init__(
        self,
        lanes: int,
        players: int = 4,
        *,
        seed: int = 0,
        first_game: int = 0,
        stride: int | None = None,
        restart: bool = True,
        buffers: Buffers | None = None,
        **options: Any,
    ) -> None:
        self._start = self._first_row(players, options)
        if lanes < 1:
            raise BadOptions("core.batch.lanes", lanes=lanes)
        self.buffers = self.empty(lanes) if buffers is None else buffers
        for name, fitting in self.empty(lanes)._asdict().items():
            _check(name, getattr(self.buffers, name), fitting.dtype, fitting.shape)
        self.players = players
        self._seed = np.uint64(seed % 2**64)
        self._first_game = first_game
        self._stride = (lanes if stride is None else stride) if restart else 0
        self.reset()

    @classmethod
    def empty(cls, lanes: int) -> Buffers:
        """New arrays for so many lanes."""
        shape = cls.shape
        return Buffers(
            rows=np.zeros((lanes, shape.row_size), shape.row_type),
            words=np.zeros(lanes, np.uint64),
            games=np.zeros(lanes, np.int64),
            actors=np.zeros(lanes, np.int8),
            mask=np.zeros((lanes, shape.actions), np.uint8),
            observations=np.zeros((lanes, shape.seen_size), np.int16),
            rewards=np.zeros((lanes, shape.seats), np.int16),
            finished=np.zeros(lanes, np.uint8),
            results=np.zeros((lanes, shape.seats), np.int16),
            shares=np.zeros((lanes, shape.seats), np.float32),
        )

    def _first_row(self, players: int, options: dict[str, Any]) -> Array:
        """The row of a game with these options before anything happens; ``BadOptions`` says what is wrong with them."""
        raise NotImplementedError

    def reset(self) -> None:
        """Begin again with the first games."""
        lanes = len(self.buffers.games)
        self.buffers.games[:] = np.arange(self._first_game, self._first_game + lanes)
        for array in (self.buffers.rewards, self.buffers.finished, self.buffers.results, self.buffers.shares):
            array[:] = 0
        self._lanes.begin(self.buffers, self._start, self._seed)

    def step(self, actions: Numbers) -> None:
        """Do one action per lane; if one is not legal, ``IllegalAction`` tells the lane and nothing has happened.

        In lanes whose game is over (without restart) the action does not matter.
        """
        numbers = np.ascontiguousarray(actions, np.int64)
        if numbers.shape != self.buffers.games.shape:
            raise BadOptions("core.batch.actions", lanes=len(self.buffers.games), shape=numbers.shape)
        wrong = self._lanes.step(self.buffers, numbers, self._start, self._seed, self._stride)
        if wrong >= 0:
            seat = int(self.buffers.actors[wrong])
            raise IllegalAction("core.batch.action", action=int(actions[wrong]), lane=wrong, seat=seat)

    def observe(self, seats: Numbers, out: npt.NDArray[np.int16]) -> None:
        """Write what a seat of each lane sees into ``out``, ``[lanes, SEEN_SIZE]``."""
        lanes = len(self.buffers.games)
        _check("seats", seats, np.dtype(np.int64), (lanes,))
        _check("out", out, np.dtype(np.int16), (lanes, self.shape.seen_size))
        if seats.min() < 0 or seats.max() >= self.players:
            raise BadOptions("core.batch.seats", most=self.players - 1)
        self._lanes.observe_all(self.buffers.rows, seats, out)

    def random_actions(self, words: Words, out: Numbers) -> None:
        """Write what ``random`` would do in each lane into ``out``; ``words`` is the caller's own chance, by lane."""
        _check("words", words, np.dtype(np.uint64), self.buffers.games.shape)
        _check("out", out, np.dtype(np.int64), self.buffers.games.shape)
        self._lanes.random_actions(self.buffers.rows, words, out)


def _check(name: str, given: Array, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """Compiled code trusts its arrays: an unfit one is refused here."""
    if given.shape != shape or given.dtype != dtype or not given.flags.c_contiguous or not given.flags.writeable:
        wanted = f"a contiguous array of {dtype} and shape {shape}"
        raise BadOptions("core.batch.array", name=name, wanted=wanted)


phrase(
    {
        "core.batch.lanes": "a batch has at least one lane, not {lanes}",
        "core.batch.array": "{name!r} must be {wanted}, writable; Batch.empty(lanes) makes fitting ones",
        "core.batch.seats": "seats to look from are 0 to {most}",
        "core.batch.actions": "step() takes one action per lane, {lanes} in all, not an array of shape {shape}",
        "core.batch.action": "action number {action} in lane {lane} is not legal for seat {seat}: see the mask",
    }
)
