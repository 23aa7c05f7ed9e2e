"""Teach a network to play Camel Up against three ``quick``, by proximal policy optimisation on ``game.batch``.

::

    python examples/learn/train.py --device gpu --seconds 400 --weights examples/learn/weights.npz

Many games are played side by side with the network's own chances of each action; then actions that came to more than
the second network had foretold are made likelier, the others less likely, never by much at a time; and so on.

It needs PyTorch and Serai's extra ``fast``, for games on a GPU the extra ``gpu``. Without a GPU everything happens on
the CPU; ``--device cpu`` plays the games there, on all cores, while the networks are on the GPU if there is one.
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

from learned import GAME, Eye, Layers, eye, load, look, save, think

Tensor = Any
WHERE = "cuda" if torch.cuda.is_available() else "cpu"
"""Where the networks are."""
NEVER = -1e9
"""The score of what is not legal."""


class Settings(NamedTuple):
    """What decides how well it learns."""

    lanes: int = 32768
    """Games side by side."""
    steps: int = 32
    """Decisions in each lane before the networks are bettered."""
    passes: int = 2
    """How often these decisions are gone through."""
    portions: int = 16
    """In how many steps of the gradient each time."""
    hidden: tuple[int, ...] = (256, 256)
    rate: float = 1e-3
    """Of learning; like the next two it falls to 0 in the end."""
    curiosity: float = 0.02
    """What entropy is worth: at first, trying things out pays."""
    lead: float = 0.02
    """What a pound above the others' average is worth beside the victory, until half of the time is over."""
    clip: float = 0.2
    """How far the chance of an action may move in one round."""
    trust: float = 0.95
    """Of what a later decision came to, how much an earlier one is credited with."""
    seed: int = 1


class Games:
    """A learner among three ``quick``, its seat going round, in many lanes. Arrays come as tensors beside the network.

    On a GPU they are shared without a copy and change with every step.
    """

    def __init__(self, lanes: int, device: str, **settings: Any) -> None:
        self._on_gpu = device == "gpu"
        place = {"device": "gpu", "check": False} if self._on_gpu else {"threads": os.cpu_count()}
        self.batch: Any = GAME.batch(lanes, 4, opponents="quick", reward="lead", packed=True, **place, **settings)
        self._eye = Eye(*(torch.as_tensor(table, device=WHERE) for table in eye()))

    def array(self, name: str) -> Tensor:
        """One of the batch's buffers."""
        return torch.as_tensor(getattr(self.batch.buffers, name), device="cuda" if self._on_gpu else "cpu").to(WHERE)

    def look(self) -> tuple[Tensor, Tensor, Tensor]:
        """The features, the number behind each output, and which outputs are legal."""
        features, numbers = look(self.array("observations").long(), self._eye, torch.concatenate)
        return features, numbers, self.array("mask").gather(1, numbers)

    def step(self, actions: Tensor) -> None:
        """One action per lane."""
        self.batch.step(actions if self._on_gpu else actions.cpu().numpy())


def new_layers(*widths: int) -> Layers:
    """A network that knows nothing: all actions about equal."""
    layers = [(torch.empty(*pair, device=WHERE), torch.zeros(pair[1], device=WHERE)) for pair in pairwise(widths)]
    for matrix, _ in layers:
        torch.nn.init.orthogonal_(matrix, math.sqrt(2) if matrix is not layers[-1][0] else 0.01)
    return [(matrix.requires_grad_(), added.requires_grad_()) for matrix, added in layers]


def arrays(layers: Layers) -> Layers:
    """The same for NumPy."""
    return [(matrix.detach().cpu().numpy(), added.detach().cpu().numpy()) for matrix, added in layers]


def log_chances(features: Tensor, legal: Tensor, policy: Layers) -> Tensor:
    """The logarithm of each action's chance."""
    return think(features, policy).masked_fill(legal == 0, NEVER).log_softmax(1)


def chosen(values: Tensor, columns: Tensor) -> Tensor:
    """Of each line the value in one column."""
    return values.gather(1, columns.long()[:, None])[:, 0]


class Round(NamedTuple):
    """What a round came to."""

    games: int
    wins: float
    """Share of the victory, ties shared, while trying things out."""
    entropy: float


class Learner:
    """Two networks, one to play and one to foretell, and the games they learn from."""

    def __init__(self, settings: Settings, device: str) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.games = Games(settings.lanes, device, seed=settings.seed)
        features, numbers, _ = self.games.look()
        self.policy = new_layers(features.shape[1], *settings.hidden, numbers.shape[1])
        self.value = new_layers(features.shape[1], *settings.hidden, 1)
        self._parameters = [array for layer in (*self.policy, *self.value) for array in layer]
        self._optimizer = torch.optim.Adam(self._parameters, eps=1e-5)

    def foretell(self, features: Tensor) -> Tensor:
        """What is still to come."""
        return think(features, self.value)[:, 0]

    def round(self, left: float) -> Round:
        """Play and learn from it; ``left`` goes from 1 to 0 in the course of all rounds."""
        with torch.no_grad():
            decisions, told = self._play(left)
        entropy = self._improve(decisions, left)
        return told._replace(entropy=entropy)

    def _play(self, left: float) -> tuple[list[Tensor], Round]:
        """Decisions, a line each: features, legal, action, its chance, how much better it was, what came of it."""
        lead = self.settings.lead * max(0.0, 2 * left - 1)
        kept: list[tuple[Tensor, ...]] = []
        games, wins = torch.zeros(2, device=WHERE)
        for _ in range(self.settings.steps):
            features, numbers, legal = self.games.look()
            chances = log_chances(features, legal, self.policy)
            action = (chances - torch.empty_like(chances).exponential_().clip(1e-9).log()).argmax(1)
            foretold = self.foretell(features)
            self.games.step(chosen(numbers, action))
            acted, over = self.games.array("acted"), self.games.array("finished").float()
            won = chosen(self.games.array("shares"), acted) * over
            reward = won + lead * chosen(self.games.array("rewards"), acted)
            kept.append((features.half(), legal, action, chosen(chances, action), foretold, reward, over))
            games, wins = games + over.sum(), wins + won.sum()
        features, legal, actions, chances, foretold, rewards, over = map(torch.stack, zip(*kept, strict=True))
        better = self._better(foretold, rewards, over, self.foretell(self.games.look()[0]))
        scaled = (better - better.mean()) / better.std()
        decisions = [features, legal, actions, chances, scaled, better + foretold]
        return [part.flatten(0, 1) for part in decisions], Round(int(games), float(wins / games.clip(1)), 0.0)

    def _better(self, foretold: Tensor, rewards: Tensor, over: Tensor, last: Tensor) -> Tensor:
        """How much more came after each decision than was foretold (generalised advantages)."""
        better = torch.empty_like(rewards)
        following, credit = last, torch.zeros_like(last)
        for step in reversed(range(len(rewards))):
            goes_on = 1 - over[step]
            credit = rewards[step] + goes_on * (following + self.settings.trust * credit) - foretold[step]
            better[step], following = credit, foretold[step]
        return better

    def _improve(self, decisions: list[Tensor], left: float) -> float:
        """Go through the decisions in another order each time; the entropy of the last portion."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.settings.rate * left
        entropy = torch.zeros(())
        for portion in self._portions(len(decisions[0])):
            features, legal, actions, chances, better, outcome = (part[portion] for part in decisions)
            features = features.float()
            now = log_chances(features, legal, self.policy)
            moved = (chosen(now, actions) - chances).exp()
            near = moved.clip(1 - self.settings.clip, 1 + self.settings.clip)
            gain = torch.minimum(moved * better, near * better).mean()
            entropy = -(now.exp() * now).sum(1).mean()
            surprise = (self.foretell(features) - outcome).square().mean()
            self._optimizer.zero_grad()
            (surprise - gain - left * self.settings.curiosity * entropy).backward()
            torch.nn.utils.clip_grad_norm_(self._parameters, 1.0)
            self._optimizer.step()
        return float(entropy.detach())

    def _portions(self, count: int) -> Iterator[Tensor]:
        for _ in range(self.settings.passes):
            yield from torch.randperm(count, device=WHERE).chunk(self.settings.portions)


class Exam:
    """Games that are always the same, one in each lane, played without trying things out."""

    def __init__(self, games: int, device: str, seed: int) -> None:
        self.games = Games(games, device, seed=seed, restart=False)

    def shares(self, policy: Layers) -> Tensor:
        """What the policy gets of each victory."""
        self.games.batch.reset()
        with torch.no_grad():
            while (self.games.array("actors") >= 0).any():
                features, numbers, legal = self.games.look()
                self.games.step(chosen(numbers, log_chances(features, legal, policy).argmax(1)))
            return chosen(self.games.array("shares"), self.games.array("learners"))


def main() -> None:
    """Learn for so many seconds, tell how it goes, and measure what is written down."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "gpu"], default="cpu", help="where the games are played")
    parser.add_argument("--seconds", type=float, default=400, help="how long to learn")
    parser.add_argument("--weights", default="weights.npz", help="the file to write")
    parser.add_argument("--exam", type=int, default=100_000, help="games of the last exam")
    for name, value in Settings._field_defaults.items():
        if not isinstance(value, tuple):
            parser.add_argument(f"--{name}", type=type(value), default=value, help="(default: %(default)s)")
    given = vars(parser.parse_args())
    settings = Settings(**{name: given[name] for name in Settings._fields if name in given})

    torch.set_float32_matmul_precision("high")
    learner = Learner(settings, given["device"])
    exam = Exam(min(given["exam"], settings.lanes), given["device"], seed=settings.seed + 1)
    _say("seconds   rounds  M decisions      games  wins while learning  wins in exam  entropy")
    began, told, rounds, games, left = time.monotonic(), -math.inf, 0, 0, 1.0
    while left > 0:
        found = learner.round(left)
        rounds, games = rounds + 1, games + found.games
        spent = time.monotonic() - began
        left = 1 - spent / given["seconds"]
        if spent > told + given["seconds"] / 50 or left <= 0:
            told = spent
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
