"""Train a network to play Camel Up against three ``quick``, by proximal policy optimisation on ``game.compiled.batch``.

::

    python examples/learn/train.py --device gpu --seconds 400 --weights examples/learn/weights.npz

Each round plays many games side by side with actions sampled from the policy. Actions that returned more than the value
network predicted become likelier, the others less likely, by a small clipped step.

It needs PyTorch and Serai's extra ``fast``, for games on a GPU the extra ``gpu``. Without a GPU everything runs on
the CPU; ``--device cpu`` plays the games there, on all cores, with the networks on the GPU if there is one.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import torch

from learned import GAME, Layers, load, save, think
from serai.camelup.odds.features import Tables, look, tables

Tensor = Any
WHERE = "cuda" if torch.cuda.is_available() else "cpu"
"""Device of the networks."""
NEVER = -1e9
"""Score of illegal actions."""


class Settings(NamedTuple):
    """Hyperparameters."""

    lanes: int = 32768
    """Games side by side."""
    steps: int = 32
    """Decisions in each lane per round."""
    epochs: int = 2
    """Passes over the decisions of a round."""
    minibatches: int = 16
    """Gradient steps per pass."""
    hidden: tuple[int, ...] = (256, 256)
    learning_rate: float = 1e-3
    """Falls to 0 at the end, like the entropy bonus."""
    entropy_bonus: float = 0.02
    """Rewards exploration at first."""
    lead: float = 0.02
    """Reward for a pound above the others' average, in victories; falls to 0 at half-time."""
    clip: float = 0.2
    """How far the probability of an action may move in one round."""
    gae_lambda: float = 0.95
    """Of generalised advantage estimation: how much later decisions count for earlier ones."""
    seed: int = 1


class Games:
    """A learner among three ``quick``, with rotating seat, in many lanes. Arrays are tensors on the networks' device.

    On a GPU they are shared without a copy and change with every step.
    """

    def __init__(self, lanes: int, device: str, **settings: Any) -> None:
        self._on_gpu = device == "gpu"
        place = {"device": "gpu", "check": False} if self._on_gpu else {"threads": os.cpu_count()}
        self.batch: Any = GAME.compiled.batch(
            lanes, 4, opponents="quick", reward="lead", packed=True, **place, **settings
        )
        self._tables = Tables(*(torch.as_tensor(table, device=WHERE) for table in tables()))

    def array(self, name: str) -> Tensor:
        """One of the batch's buffers."""
        return torch.as_tensor(getattr(self.batch.buffers, name), device="cuda" if self._on_gpu else "cpu").to(WHERE)

    def look(self) -> tuple[Tensor, Tensor, Tensor]:
        """The features, the action number of each output, and which outputs are legal."""
        features, numbers = look(self.array("observations").long(), self._tables, torch.concatenate)
        return features, numbers, self.array("mask").gather(1, numbers)

    def step(self, actions: Tensor) -> None:
        """One action per lane."""
        self.batch.step(actions if self._on_gpu else actions.cpu().numpy())


def new_layers(*widths: int) -> Layers:
    """An untrained network: all actions about equally likely."""
    layers = [(torch.empty(*pair, device=WHERE), torch.zeros(pair[1], device=WHERE)) for pair in pairwise(widths)]
    for matrix, _ in layers:
        torch.nn.init.orthogonal_(matrix, math.sqrt(2) if matrix is not layers[-1][0] else 0.01)
    return [(matrix.requires_grad_(), added.requires_grad_()) for matrix, added in layers]


def arrays(layers: Layers) -> Layers:
    """The same as NumPy arrays."""
    return [(matrix.detach().cpu().numpy(), added.detach().cpu().numpy()) for matrix, added in layers]


def log_chances(features: Tensor, legal: Tensor, policy: Layers) -> Tensor:
    """The logarithm of each action's probability."""
    return think(features, policy).masked_fill(legal == 0, NEVER).log_softmax(1)


def chosen(values: Tensor, columns: Tensor) -> Tensor:
    """The value in one column of each row."""
    return values.gather(1, columns.long()[:, None])[:, 0]


class Round(NamedTuple):
    """Statistics of a round."""

    games: int
    wins: float
    """Share of the victory, ties shared, with exploration."""
    entropy: float


class Learner:
    """A policy network, a value network, and the games they learn from."""

    def __init__(self, settings: Settings, device: str) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.games = Games(settings.lanes, device, seed=settings.seed)
        features, numbers, _ = self.games.look()
        self.policy = new_layers(features.shape[1], *settings.hidden, numbers.shape[1])
        self.value = new_layers(features.shape[1], *settings.hidden, 1)
        self._parameters = [array for layer in (*self.policy, *self.value) for array in layer]
        self._optimizer = torch.optim.Adam(self._parameters, eps=1e-5)

    def predict(self, features: Tensor) -> Tensor:
        """The expected return."""
        return think(features, self.value)[:, 0]

    def round(self, left: float) -> Round:
        """Play and learn; ``left`` goes from 1 to 0 over all rounds."""
        with torch.no_grad():
            decisions, result = self._play(left)
        entropy = self._improve(decisions, left)
        return result._replace(entropy=entropy)

    def _play(self, left: float) -> tuple[list[Tensor], Round]:
        """Decisions, a row each: features, legal, action, log probability, scaled advantage, return."""
        lead = self.settings.lead * max(0.0, 2 * left - 1)
        rows: list[tuple[Tensor, ...]] = []
        games, wins = torch.zeros(2, device=WHERE)
        for _ in range(self.settings.steps):
            features, numbers, legal = self.games.look()
            chances = log_chances(features, legal, self.policy)
            action = (chances - torch.empty_like(chances).exponential_().clip(1e-9).log()).argmax(1)
            predicted = self.predict(features)
            self.games.step(chosen(numbers, action))
            acted, over = self.games.array("acted"), self.games.array("finished").float()
            won = chosen(self.games.array("shares"), acted) * over
            reward = won + lead * chosen(self.games.array("rewards"), acted)
            rows.append((features.half(), legal, action, chosen(chances, action), predicted, reward, over))
            games, wins = games + over.sum(), wins + won.sum()
        features, legal, actions, chances, predicted, rewards, over = map(torch.stack, zip(*rows, strict=True))
        advantage = self._advantages(predicted, rewards, over, self.predict(self.games.look()[0]))
        scaled = (advantage - advantage.mean()) / advantage.std()
        decisions = [features, legal, actions, chances, scaled, advantage + predicted]
        return [part.flatten(0, 1) for part in decisions], Round(int(games), float(wins / games.clip(1)), 0.0)

    def _advantages(self, predicted: Tensor, rewards: Tensor, over: Tensor, last: Tensor) -> Tensor:
        """Advantages of the decisions over the predicted return (generalised advantage estimation)."""
        advantage = torch.empty_like(rewards)
        following, credit = last, torch.zeros_like(last)
        for step in reversed(range(len(rewards))):
            goes_on = 1 - over[step]
            credit = rewards[step] + goes_on * (following + self.settings.gae_lambda * credit) - predicted[step]
            advantage[step], following = credit, predicted[step]
        return advantage

    def _improve(self, decisions: list[Tensor], left: float) -> float:
        """Update both networks from shuffled minibatches; returns the entropy of the last one."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * left
        entropy = torch.zeros(())
        for batch in self._batches(len(decisions[0])):
            features, legal, actions, chances, advantage, outcome = (part[batch] for part in decisions)
            features = features.float()
            now = log_chances(features, legal, self.policy)
            moved = (chosen(now, actions) - chances).exp()
            near = moved.clip(1 - self.settings.clip, 1 + self.settings.clip)
            gain = torch.minimum(moved * advantage, near * advantage).mean()
            entropy = -(now.exp() * now).sum(1).mean()
            value_loss = (self.predict(features) - outcome).square().mean()
            self._optimizer.zero_grad()
            (value_loss - gain - left * self.settings.entropy_bonus * entropy).backward()
            torch.nn.utils.clip_grad_norm_(self._parameters, 1.0)
            self._optimizer.step()
        return float(entropy.detach())

    def _batches(self, count: int) -> Iterator[Tensor]:
        for _ in range(self.settings.epochs):
            yield from torch.randperm(count, device=WHERE).chunk(self.settings.minibatches)


class Exam:
    """Fixed games, one in each lane, played without exploration."""

    def __init__(self, games: int, device: str, seed: int) -> None:
        self.games = Games(games, device, seed=seed, restart=False)

    def shares(self, policy: Layers) -> Tensor:
        """The policy's share of each victory."""
        self.games.batch.reset()
        with torch.no_grad():
            while (self.games.array("actors") >= 0).any():
                features, numbers, legal = self.games.look()
                self.games.step(chosen(numbers, log_chances(features, legal, policy).argmax(1)))
            return chosen(self.games.array("shares"), self.games.array("learners"))


def main() -> None:
    """Train for ``--seconds``, print a log, and measure the weights as written."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "gpu"], default="cpu", help="where the games are played")
    parser.add_argument("--seconds", type=float, default=400, help="how long to train")
    parser.add_argument("--weights", default="weights.npz", help="the file to write")
    parser.add_argument("--exam", type=int, default=100_000, help="games of the final exam")
    for name, value in Settings._field_defaults.items():
        if not isinstance(value, tuple):
            parser.add_argument(f"--{name}", type=type(value), default=value, help="(default: %(default)s)")
    given = vars(parser.parse_args())
    settings = Settings(**{name: given[name] for name in Settings._fields if name in given})

    torch.set_float32_matmul_precision("high")
    learner = Learner(settings, given["device"])
    exam = Exam(min(given["exam"], settings.lanes), given["device"], seed=settings.seed + 1)
    _say("seconds   rounds  M decisions      games  wins while learning  wins in exam  entropy")
    began, logged, rounds, games, left = time.monotonic(), -math.inf, 0, 0, 1.0
    while left > 0:
        found = learner.round(left)
        rounds, games = rounds + 1, games + found.games
        spent = time.monotonic() - began
        left = 1 - spent / given["seconds"]
        if spent > logged + given["seconds"] / 50 or left <= 0:
            logged = spent
            wins = 100 * float(exam.shares(learner.policy).mean())
            decisions = rounds * settings.lanes * settings.steps / 1e6
            numbers = f"{spent:7.0f} {rounds:8} {decisions:12.1f} {games:10} {100 * found.wins:20.1f} {wins:13.1f}"
            _say(f"{numbers} {found.entropy:8.3f}")
            save(given["weights"], arrays(learner.policy))
    written = [tuple(torch.as_tensor(array, device=WHERE) for array in layer) for layer in load(given["weights"])]
    shares = Exam(given["exam"], given["device"], seed=settings.seed + 2).shares(written)
    error = 1.96 * float(shares.std()) / math.sqrt(len(shares))
    _say(f"{len(shares)} new games: {100 * float(shares.mean()):.2f} % ± {100 * error:.2f} of victories")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
