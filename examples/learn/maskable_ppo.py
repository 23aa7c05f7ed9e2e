"""Teach MaskablePPO of sb3-contrib to play Camel Up: ten minutes on two cores.

::

    pip install "serai[envs,fast]" sb3-contrib
    python maskable_ppo.py --seconds 600 --file taught.zip
    serai simulate camelup maskable_ppo.py:Taught jerboa jerboa jerboa --paired --games 400

It plays many compiled games side by side (``game.compiled.batch``) and sees what bets are worth (``observe="odds"``).
Beside its share of the victory it is rewarded for every pound above the others' average (``reward="shaped"``).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

import serai

Array = Any
GAME = serai.game("camelup")
TAUGHT = Path(__file__).with_name("taught.zip")


class Tables(VecEnv):  # type: ignore[misc]
    """One seat of many tables, among compiled bots, for Stable-Baselines3."""

    def __init__(self, lanes: int, opponents: str | Sequence[str], **settings: Any) -> None:
        self.batch = GAME.compiled.batch(lanes, 4, opponents=opponents, **settings)
        sees = gymnasium.spaces.Box(-32, 32, self.batch.look("odds").shape[1:], np.float32)
        super().__init__(lanes, sees, gymnasium.spaces.Discrete(len(GAME.encoding.actions)))
        self._returns = np.zeros(lanes)

    def reset(self) -> Array:
        self.batch.reset()
        return self.batch.look("odds")

    def step_async(self, actions: Array) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        self.batch.step(self._actions)
        now = self.batch.buffers
        lanes = np.arange(self.num_envs)
        rewards, over = now.rewards[lanes, now.acted], now.finished.astype(bool)
        infos: list[dict[str, Any]] = [{} for _ in lanes]
        if over.any():
            ends = GAME.encoding.look(now.last_observations, "odds")
            for lane in np.flatnonzero(over):
                infos[lane] = {"terminal_observation": ends[lane], "won": now.shares[lane, now.acted[lane]]}
        return self.batch.look("odds"), rewards, over, infos

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return list(self.batch.buffers.mask.astype(bool))

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks"

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        if attr_name == "render_mode":
            return [None] * self.num_envs
        raise AttributeError(attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        pass


class Clock(BaseCallback):  # type: ignore[misc]
    """Ends the lesson after so many seconds, and says now and then how it goes."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds, self.began, self.said = seconds, time.monotonic(), 0.0
        self.won: list[float] = []

    @property
    def left(self) -> float:
        """From 1 to 0."""
        return max(0.0, 1 - (time.monotonic() - self.began) / self.seconds)

    def _on_step(self) -> bool:
        self.won += [info["won"] for info in self.locals["infos"] if "won" in info]
        spent = time.monotonic() - self.began
        if spent > self.said + self.seconds / 20:
            self.said = spent
            share = np.mean(self.won[-2000:] or [0])
            _say(f"{spent:5.0f} s {self.num_timesteps:9} decisions: {share:.1%} of victories")
        return self.left > 0


def teach(
    seconds: float, opponents: str | Sequence[str] = "jerboa", *, lanes: int = 256, steps: int = 64, seed: int = 1
) -> MaskablePPO:
    """A model taught for so long."""
    torch.set_num_threads(1)
    clock = Clock(seconds)
    model = MaskablePPO(
        "MlpPolicy",
        Tables(lanes, opponents, reward="shaped", seed=seed),
        n_steps=steps,
        batch_size=min(2048, lanes * steps),
        n_epochs=4,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.01,
        learning_rate=lambda _: 1e-3 * clock.left,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        seed=seed,
    )
    clock.began = time.monotonic()
    return model.learn(10**9, callback=clock)


def examine(
    model: MaskablePPO, opponents: str | Sequence[str], games: int = 2000, seed: int = 2
) -> tuple[float, float]:
    """Its share of the victory over new games, without exploration, and the standard error."""
    tables = Tables(games, opponents, restart=False, seed=seed)
    now = tables.batch.buffers
    while (now.actors >= 0).any():
        actions, _ = model.predict(tables.batch.look("odds"), action_masks=now.mask.astype(bool), deterministic=True)
        tables.batch.step(actions)
    shares = now.shares[np.arange(games), now.learners]
    return float(shares.mean()), float(shares.std() / games**0.5)


class Taught:
    """The model as a bot."""

    def __init__(self, file: str = str(TAUGHT)) -> None:
        self._model = _load(file)

    def decide(self, view: Any, rng: random.Random) -> Any:
        """The likeliest legal action."""
        seen = GAME.encoding.look(GAME.encoding.observation(view)[None], "odds")
        masks = GAME.encoding.mask(view)[None].astype(bool)
        (number,), _ = self._model.predict(seen, action_masks=masks, deterministic=True)
        return GAME.encoding.action(int(number))


@cache
def _load(file: str) -> MaskablePPO:
    torch.set_num_threads(1)
    return MaskablePPO.load(file, device="cpu")


def main() -> None:
    """Teach, save, and examine."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="how long to teach")
    parser.add_argument("--opponents", default="jerboa", help="three of them")
    parser.add_argument("--file", default=str(TAUGHT), help="the file to write")
    given = parser.parse_args()
    model = teach(given.seconds, given.opponents)
    model.save(given.file)
    for opponent in ("random", "jerboa", "quick"):
        share, error = examine(model, opponent)
        _say(f"against three {opponent}: {share:.1%} ± {1.96 * error:.1%} of victories (par is 25 %)")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
