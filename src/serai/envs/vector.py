"""Vector environments for Gymnasium: a batch of games, with compiled bots in the other seats.

A game that ends is followed by the next one in the same step (``AutoresetMode.SAME_STEP``).
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from serai.core import registry
from serai.core.arguments import MAX_PLIES, check_whole
from serai.errors import BadOptions, requiring

with requiring("envs", "environments for Gymnasium"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from serai.envs.episode import encoding_of, opponents_of
from serai.envs.spaces import action_space, drawing, generator, observation_space
from serai.lab.rewards import Reward

if TYPE_CHECKING:
    from serai.lab.batch import Batch

Array = npt.NDArray[Any]
_SEEDS = 1 << 63


class GameVectorEnv(VectorEnv[Array, Array, Array]):
    """What ``gymnasium.make_vec`` makes; settings are those of a single environment, and ``threads`` of a batch.

    A game is truncated after ``max_plies`` actions of all, or ``max_episode_steps`` of the learner. An illegal action
    raises ``IllegalAction``, and nothing has happened.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int,
        game: str,
        opponents: str | Sequence[str] = "random",
        *,
        players: int | None = None,
        seat: int | Literal["rotate"] = 0,
        reward: Reward | None = None,
        observe: str = "numbers",
        max_plies: int = MAX_PLIES,
        max_episode_steps: int | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.num_envs = check_whole("'num_envs'", num_envs, 1)
        self.single_observation_space = observation_space(game, observe)
        self.single_action_space = action_space(game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._encoding = encoding_of(registry.game(game))
        self._observe = observe
        self._game = game
        self._settings = {
            "opponents": list(opponents_of(opponents, players)),
            "seat": seat,
            "reward": reward,
            "max_plies": max_plies,
            "max_steps": max_episode_steps,
            "threads": threads,
            **options,
        }
        self._lanes = np.arange(num_envs)
        self._seed = 0
        self._batch = self._begun()

    def _begun(self) -> Batch:
        """A new batch with the settings and the seed."""
        game, settings = registry.game(self._game), self._settings
        if game.compiled is None:
            raise BadOptions("envs.encoding", game=game.name)
        batch: Batch = game.compiled.batch(self.num_envs, len(settings["opponents"]) + 1, seed=self._seed, **settings)
        return batch

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin new games in every lane; a seed decides which."""
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(_SEEDS))
        self._batch = self._begun()
        return self._seen(self._batch.buffers.observations), self._info()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Act in every lane, and let the others play until the learner is to act again."""
        self._batch.step(actions)
        now = self._batch.buffers
        over, truncated = now.finished.astype(bool), now.truncated.astype(bool)
        info = self._info()
        if over.any():
            info |= self._final(over)
        rewards = now.rewards[self._lanes, now.acted].astype(np.float64)
        return self._seen(now.observations), rewards, over & ~truncated, truncated, info

    def _seen(self, observations: Array) -> Array:
        return self._encoding.look(observations, self._observe)

    def _info(self) -> dict[str, Any]:
        now = self._batch.buffers
        info = {"action_mask": now.mask.view(np.int8).copy(), "seat": now.learners.astype(np.int64)}
        return info | {f"_{name}": np.ones(self.num_envs, bool) for name in info}

    def _final(self, over: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """The information about games that ended."""
        now = self._batch.buffers
        seen = np.full(self.num_envs, None, object)
        for lane in np.flatnonzero(over):
            seen[lane] = self._seen(now.last_observations[lane : lane + 1])[0]
        scores, shares = now.results.copy(), now.shares.copy()
        final = {"scores": scores, "_scores": over.copy(), "shares": shares, "_shares": over.copy()}
        return {"final_obs": seen, "_final_obs": over.copy(), "final_info": final, "_final_info": over.copy()}

    def save(self) -> tuple[Any, ...]:
        """A snapshot for :meth:`restore`; it can be pickled."""
        file = io.BytesIO()
        self._batch.save(file)
        return self._seed, file.getvalue(), None if self._np_random is None else drawing(self._np_random)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Return to a saved snapshot, any number of times, in this environment or another with the same settings."""
        self._seed, content, drawn = saved
        self._batch = self._begun()
        self._batch.load(io.BytesIO(content))
        self._np_random = None if drawn is None else generator(drawn)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_batch"} | {"saved": self.save()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        saved = kept.pop("saved")
        self.__dict__.update(kept)
        self.restore(saved)
