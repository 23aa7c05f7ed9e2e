"""Many games stepped at once, for learning agents: masks, observations and rewards in the caller's arrays.

A lane holds one game after the other. The game in a lane has a number, and with the seed of the batch that number
alone decides its chance; when it ends, the lane goes on with the number increased by the stride. Chance never waits:
its draws are done within the step, and so are the actions of opponents, if there are any. The compiled part is
:mod:`serai.lab.driver`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from io import IOBase
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Self

from serai.errors import requiring

with requiring("fast", "compiled games"):
    import numpy as np
    import numpy.typing as npt

from serai.core.arguments import MAX_PLIES, MOST_PLIES, check_flag, check_kind, check_listed, check_whole, seed_number
from serai.core.game import State
from serai.errors import BadArgument, BadOptions, IllegalAction, phrase
from serai.lab.driver import (
    DEAL,
    EVERYBODY,
    NOBODY,
    RESUME,
    Array,
    Buffers,
    Driver,
    Numbers,
    Plan,
    Words,
    driver_of,
    first_illegal,
)
from serai.lab.encoding import FEATURES
from serai.lab.rewards import LEAD, RANK, WIN, Reward, reward_weights
from serai.lab.tally import MOST_NUMBER

if TYPE_CHECKING:
    from serai.lab import Compiled

ROTATE = "rotate"
"""A learner that moves on by a seat from game to game."""
LEAST_PART = 2048
"""The least lanes for another thread; with fewer, waking it took longer than it saved (on sixteen cores)."""
_ROTATING = EVERYBODY - 1


class Batch:
    """Games side by side. Every call works in place on ``buffers``.

    The lanes begin with the games ``first_game``, ``first_game + 1``, …; ``stride`` is the number of lanes unless
    several batches share the numbers of one seed, when it is the number of all their lanes together. ``players`` may be
    several numbers, which games have in turn.

    With ``opponents``, the names of compiled bots (one for all of them, or one for each in the order
    in which they sit behind the learner), the caller acts for one seat alone: always for ``seat``, or for one that
    moves on from game to game (``"rotate"``). A ``reward`` is the change of the score (``"money"`` or ``"points"``), by
    how much that is above the table's average (``"lead"``), the share of the victory (``"win"``), the place at the end
    from 1 to -1 (``"rank"``), ``"shaped"`` (of lead and win), or any sum of them by weight, such as
    ``{"win": 1, "lead": 0.02}``. With ``packed``, observations have 8 bits instead of 16, and say the same. ``options``
    are those of the game. A game that has had ``max_plies`` actions, or ``max_steps`` of the caller, is cut short when
    the caller is to act again (``truncated``).
    """

    def __init__(
        self,
        kernel: Compiled[Any],
        lanes: int,
        players: int | Sequence[int] = 4,
        *,
        opponents: str | Sequence[str] | None = None,
        seat: int | Literal["rotate"] | None = None,
        reward: Reward | None = None,
        seed: int | str = 0,
        first_game: int = 0,
        stride: int | None = None,
        restart: bool = True,
        packed: bool = False,
        threads: int = 1,
        max_plies: int = MAX_PLIES,
        max_steps: int | None = None,
        buffers: Buffers | None = None,
        **options: Any,
    ) -> None:
        self._kernel, self.game, self.driver = kernel, kernel.game, kernel.driver
        self._to_row, self._to_state = kernel.bridge.to_row, kernel.bridge.to_state
        lanes = whole("lanes", lanes, 1)
        check_flag("'restart'", restart)
        check_flag("'packed'", packed)
        self.players = players_of(players)
        starts = np.stack([self._to_row(self.game.new(number, **options)) for number in self.players])
        self.opponents = self._opponents(opponents)
        self.reward = reward_weights(reward, self.game.score_name)
        plan = Plan(
            starts,
            np.uint64(seed_number(seed) % 2**64),
            (lanes if stride is None else whole("stride", stride, 1, MOST_NUMBER)) if restart else 0,
            self._seat(seat),
            np.array([self._policies[name] for name in self.opponents], np.int8),
            np.array([self.reward.get(name, 0.0) for name in (self.game.score_name, LEAD, WIN, RANK)], np.float64),
            whole("max_plies", max_plies, 1, MOST_PLIES),
            MOST_PLIES if max_steps is None else whole("max_steps", max_steps, 1, MOST_PLIES),
        )
        self._plan = self._placed(plan)
        self._lanes = driver_of(self.driver)
        self._first_game = whole("first_game", first_game, 0, MOST_NUMBER)
        self._options = options
        self._threads = min(whole("threads", threads, 1), max(1, lanes // LEAST_PART))
        self._tools_of = [self._tools() for _ in range(self._threads)]
        fitting = self.empty(kernel.driver, lanes, packed=packed)
        self.buffers = fitting if buffers is None else buffers
        check_kind("'buffers'", self.buffers, Buffers, "what game.compiled.buffers(lanes) makes")
        for name, wanted in fitting._asdict().items():
            self._check(name, getattr(self.buffers, name), wanted)
        self.reset()

    @classmethod
    def empty(cls, game: Driver, lanes: int, *, packed: bool = False) -> Buffers:
        """New arrays."""
        lanes = whole("lanes", lanes, 1)
        seen = np.int8 if packed else np.int16
        return Buffers(
            rows=np.zeros((lanes, game.ROW_SIZE), game.ROW_TYPE),
            words=np.zeros(lanes, np.uint64),
            bots=np.zeros(lanes, np.uint64),
            games=np.zeros(lanes, np.int64),
            plies=np.zeros(lanes, np.int32),
            steps=np.zeros(lanes, np.int32),
            learners=np.zeros(lanes, np.int8),
            actors=np.zeros(lanes, np.int8),
            acted=np.zeros(lanes, np.int8),
            mask=np.zeros((lanes, game.PLAYER_ACTIONS), np.uint8),
            observations=np.zeros((lanes, game.SEEN_SIZE), seen),
            rewards=np.zeros((lanes, game.MAX_SEATS), np.float32),
            gathered=np.zeros((lanes, game.MAX_SEATS), np.float32),
            scores=np.zeros((lanes, game.MAX_SEATS), np.int16),
            finished=np.zeros(lanes, np.uint8),
            truncated=np.zeros(lanes, np.uint8),
            results=np.zeros((lanes, game.MAX_SEATS), np.int16),
            shares=np.zeros((lanes, game.MAX_SEATS), np.float32),
            last_rows=np.zeros((lanes, game.ROW_SIZE), game.ROW_TYPE),
            last_observations=np.zeros((lanes, game.SEEN_SIZE), seen),
        )

    def __len__(self) -> int:
        return len(self.buffers.games)

    # -- what is different on a GPU (:mod:`serai.lab.gpu`)

    @property
    def _policies(self) -> Mapping[str, int]:
        """The numbers of the bots that may be opponents."""
        policies: Mapping[str, int] = self.driver.POLICIES
        return policies

    def _tools(self) -> Any:
        """What opponents choose with, ``None`` if there are none; each thread has its own."""
        return self.driver.tools(set(self.opponents), self.driver.new_scratch()) if self.opponents else None

    def _placed(self, plan: Plan) -> Plan:
        return plan

    def _fits(self, given: Any, wanted: Array) -> bool:
        """Compiled code trusts its arrays: an unfit one is refused."""
        same = isinstance(given, np.ndarray) and given.shape == wanted.shape and given.dtype == wanted.dtype
        return same and given.flags.c_contiguous and given.flags.writeable

    def _fill(self, name: str, values: Array) -> None:
        getattr(self.buffers, name)[...] = values

    # -- playing

    def reset(self) -> None:
        """Begin again with the first games."""
        self.buffers.games[:] = np.arange(self._first_game, self._first_game + len(self))
        for array in self.buffers[self.buffers._fields.index("rewards") :]:
            array[...] = 0
        self.buffers.acted[:] = NOBODY
        self._step(np.full(len(self), DEAL, np.int64))

    def step(self, actions: npt.ArrayLike) -> None:
        """Do one action per lane; if one is not legal, ``IllegalAction`` names the lane and nothing has happened.

        In lanes whose game is over (without restart) the action does not matter.
        """
        numbers = np.asarray(actions)
        if numbers.shape != self.buffers.games.shape or numbers.dtype.kind not in "iu":
            raise BadOptions("core.batch.actions", lanes=len(self), kind=numbers.dtype.name, shape=numbers.shape)
        numbers = np.ascontiguousarray(numbers, np.int64)
        wrong = first_illegal(self.buffers.actors, self.buffers.mask, numbers)
        if wrong >= 0:
            seat = int(self.buffers.actors[wrong])
            raise IllegalAction("core.batch.action", action=int(numbers[wrong]), lane=wrong, seat=seat)
        self._step(numbers)

    def _step(self, actions: Numbers) -> None:
        def part(first: int, last: int, tools: Any) -> None:
            self._lanes.step(self.buffers, first, last, actions, self._plan, tools)

        self._in_parts(part)

    def observe(self, seats: Numbers, out: Array, *, last: bool = False) -> None:
        """Write what a seat of each lane sees into ``out``, ``[lanes, SEEN_SIZE]``; with ``last``, of the last end."""
        self._check("seats", seats, self.buffers.games)
        self._check("out", out, self.buffers.observations)
        rows = self.buffers.last_rows if last else self.buffers.rows
        if seats.min() < 0 or (seats >= np.maximum(rows[:, 0], 1)).any():
            raise BadOptions("core.batch.seats", most=max(self.players) - 1)
        self._in_parts(lambda first, end, _: self._lanes.observe_all(rows, first, end, seats, out))

    def look(self, observe: str = FEATURES) -> npt.NDArray[Any]:
        """What the seat to act sees in each lane, as ``"features"``, or as ``"odds"`` where the game has them."""
        encoding = self.game.encoding
        found: npt.NDArray[Any] = encoding.look(np.asarray(self.buffers.observations), observe)
        return found

    def random_actions(self, words: Words, out: Numbers) -> None:
        """Write what ``random`` would do in each lane into ``out``; ``words`` is the caller's own chance, by lane."""
        self._check("words", words, self.buffers.words)
        self._check("out", out, self.buffers.games)
        rows = self.buffers.rows
        self._in_parts(lambda first, last, _: self._lanes.random_actions(rows, first, last, words, out))

    # -- single lanes

    def state(self, lane: int, *, last: bool = False) -> State[Any, Any]:
        """The game in a lane as a readable state; with ``last``, the end of the game before it."""
        rows = self.buffers.last_rows if last else self.buffers.rows
        found: State[Any, Any] = self._to_state(rows[self._lane(lane)])
        return found

    def put(self, lane: int, state: State[Any, Any]) -> None:
        """Continue the game in a lane from this state, in which a player acts; opponents then act at once.

        Its chance, its number and the learner's seat stay what they are.
        """
        lane = self._lane(lane)
        self._check_state(state, int(self.buffers.learners[lane]))
        for array in (self.buffers.rewards, self.buffers.gathered, self.buffers.finished, self.buffers.scores):
            array[lane] = 0
        self.buffers.truncated[lane] = self.buffers.plies[lane] = self.buffers.steps[lane] = 0
        self.buffers.rows[lane] = self._to_row(state)
        self.buffers.scores[lane, : len(state.scores())] = state.scores()
        self.buffers.acted[lane] = NOBODY
        resumed = np.full(len(self), RESUME, np.int64)
        self._lanes.step(self.buffers, lane, lane + 1, resumed, self._plan, self._tools_of[0])

    def _check_state(self, state: State[Any, Any], learner: int) -> None:
        acting = isinstance(state, self.game.state_type) and isinstance(state.actor, int)
        if not acting or self.game.imagine(state, Random(0)) != state:  # imagining fills the blanks of a view
            raise BadOptions("core.batch.state", game=self.game.name)
        seats = len(state.scores())
        if seats not in self.players or learner >= seats:
            raise BadOptions("core.batch.table", players=self.players, seats=seats, learner=learner)

    def _lane(self, lane: int) -> int:
        if not 0 <= whole("lane", lane) < len(self):
            raise BadOptions("core.batch.lane", lane=lane, most=len(self) - 1)
        return int(lane)

    # -- all of it

    def copy(self) -> Self:
        """A copy that continues from here."""
        other = object.__new__(type(self))
        other.__dict__.update({name: value for name, value in self.__dict__.items() if name != "_workers"})
        other._tools_of = [self._tools() for _ in self._tools_of]
        other.buffers = Buffers(**{name: array.copy() for name, array in self.buffers._asdict().items()})
        return other

    def save(self, file: str | Path | BinaryIO) -> None:
        """Save everything, as NumPy's ``.npz``."""
        check_kind("a place to save a batch", file, (str, Path, IOBase), "a path or an open file")
        np.savez(file, settings=np.array(json.dumps(self._settings)), **self.buffers._asdict())

    def load(self, file: str | Path | BinaryIO) -> None:
        """Continue from a file that a batch with the same settings has saved."""
        check_kind("a saved batch", file, (str, Path, IOBase), "a path or an open file")
        try:
            with np.load(file, allow_pickle=False) as saved:
                settings = json.loads(str(saved["settings"]))
                arrays = {name: saved[name] for name in Buffers._fields}
        except (KeyError, ValueError, OSError) as error:
            raise BadOptions("core.batch.file", problem=str(error)) from error
        different = tuple(name for name, value in self._settings.items() if settings.get(name) != value)
        if different:
            raise BadOptions("core.batch.other", different=different)
        for name, array in arrays.items():
            self._fill(name, array)

    @property
    def _settings(self) -> dict[str, Any]:
        """Settings that must be equal for a saved batch to be loaded."""
        plan = self._plan
        return {
            "game": self.game.name,
            "rules": self.game.version,
            "lanes": len(self),
            "players": list(self.players),
            "options": self._options,
            "opponents": list(self.opponents),
            "seat": plan.seat,
            "reward": dict(self.reward),
            "seed": int(plan.seed),
            "stride": plan.stride,
            "max_plies": plan.max_plies,
            "max_steps": plan.max_steps,
            "bits": 8 * self.buffers.observations.dtype.itemsize,
        }

    # -- details

    def _check(self, name: str, given: Any, wanted: Array) -> None:
        if not self._fits(given, wanted):
            fitting = f"a contiguous array of {wanted.dtype} and shape {wanted.shape}"
            raise BadOptions("core.batch.array", name=name, wanted=fitting)

    def _opponents(self, given: str | Sequence[str] | None) -> tuple[str, ...]:
        """One for each seat but the learner's at the largest table; none if the caller acts for all."""
        if given is None:
            return ()
        most = max(self.players) - 1
        names = (given,) * most if isinstance(given, str) else check_listed("opponents", given, "['quick', 'random']")
        unknown = tuple(
            dict.fromkeys(str(name) for name in names if not isinstance(name, str) or name not in self._policies)
        )
        if unknown:
            raise BadOptions("core.batch.unknown", names=unknown, known=tuple(self._policies))
        if len(names) != most:
            raise BadOptions("core.batch.opponents", wanted=most, given=len(names))
        return names

    def _seat(self, seat: int | str | None) -> int:
        least = min(self.players)
        if not self.opponents:
            if seat is not None:
                raise BadOptions("core.batch.nobody")
            return EVERYBODY
        if seat is None or seat == ROTATE:
            return _ROTATING
        if type(seat) is not int or not 0 <= seat < least:
            raise BadOptions("core.batch.seat", seat=seat, most=least - 1)
        return seat

    def _in_parts(self, work: Callable[[int, int, Any], None]) -> None:
        """Share the lanes among the threads, this one included."""
        if self._threads == 1:
            work(0, len(self), self._tools_of[0])
            return
        bounds = [len(self) * part // self._threads for part in range(self._threads + 1)]
        others = [
            self._workers.submit(work, bounds[part], bounds[part + 1], self._tools_of[part])
            for part in range(1, self._threads)
        ]
        work(0, bounds[1], self._tools_of[0])
        for other in others:
            other.result()

    @cached_property
    def _workers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads - 1, "serai-batch")


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Check a setting that is a whole number within bounds."""
    try:
        return check_whole(repr(name), value, least, most)
    except BadArgument as error:
        raise BadOptions("core.batch.whole", problem=str(error)) from None


def players_of(players: int | Sequence[int]) -> tuple[int, ...]:
    """One or several numbers of players as a tuple; the game checks them."""
    several = tuple(players) if isinstance(players, Sequence) and not isinstance(players, str) else (players,)
    return several or (0,)


phrase(
    {
        "core.batch.whole": "{problem}",
        "core.batch.array": "{name!r} must be {wanted}, writable; game.compiled.buffers(lanes) makes fitting ones",
        "core.batch.seats": "seats to look from are those of each lane's game, 0 to {most} at most",
        "core.batch.actions": "step() takes one action per lane, {lanes} whole numbers, not {kind} of shape {shape}",
        "core.batch.action": "action number {action} in lane {lane} is not legal for seat {seat}: see the mask",
        "core.batch.lane": "lanes are 0 to {most}, not {lane}",
        "core.batch.state": "a lane takes a full state of {game} in which a player is to act",
        "core.batch.table": "this batch has tables of {players} players and the lane's learner sits on seat {learner}: "
        "a state of {seats} players does not fit",
        "core.batch.file": "no batch can be loaded from this file: {problem}",
        "core.batch.other": "the saved batch was made differently: {different}",
        "core.batch.unknown": "no compiled bot {names}; those that may be opponents: {known}",
        "core.batch.opponents": "name {wanted} opponents, or one for all of them, not {given}",
        "core.batch.nobody": "without opponents the caller acts for every seat: leave 'seat' out",
        "core.batch.seat": "the learner's seat is 0 to {most} or 'rotate', not {seat!r}",
    }
)
