"""A learner that needs nothing but NumPy: proximal policy optimisation with two small networks."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from serai.errors import requiring

with requiring("fast", "learners"):
    import numpy as np
    import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Network = list[Any]
"""Matrix and added numbers of every layer, one after the other."""

_CLIP = 0.2
"""How far the probability of an action may move in one round."""
_ENTROPY = 0.01
"""What exploring is worth."""
_RATE = 1e-3
_EPOCHS, _MINIBATCH = 4, 1024
_NEVER = np.float32(-1e9)
"""The score of what is not legal."""


class Decisions(NamedTuple):
    """What a learner learns from, a row for each decision."""

    seen: Floats
    legal: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int64]
    log_chances: Floats
    """Of the action that was taken, when it was."""
    advantages: Floats
    """By how much it went better than foretold."""
    returns: Floats


class Learner:
    """One network scores actions, the other foretells the rewards to come."""

    def __init__(self, size: int, actions: int, seed: int, hidden: tuple[int, ...] = (128, 128)) -> None:
        self._rng = np.random.default_rng(seed)
        self.policy = self._new((size, *hidden, actions), 0.01)
        self.value = self._new((size, *hidden, 1), 1.0)
        self._moments = [(np.zeros_like(part), np.zeros_like(part)) for part in (*self.policy, *self.value)]
        self._updates = 0

    def _new(self, widths: tuple[int, ...], last: float) -> Network:
        layers: Network = []
        for ins, outs in pairwise(widths):
            scale = last / ins**0.5 if len(layers) == 2 * (len(widths) - 2) else (2 / ins) ** 0.5
            layers += [(self._rng.standard_normal((ins, outs)) * scale).astype("float32"), np.zeros(outs, "float32")]
        return layers

    def log_chances(self, seen: Floats, legal: npt.NDArray[np.bool_]) -> Floats:
        """The logarithm of each action's probability."""
        return _log_softmax(np.where(legal, _through(self.policy, seen)[-1], _NEVER))

    def best(self, seen: Floats, legal: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The likeliest legal action of each row."""
        best: npt.NDArray[np.int64] = self.log_chances(seen, legal).argmax(1)
        return best

    def choose(self, seen: Floats, legal: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], Floats]:
        """An action for each row, drawn, and the logarithm of its probability."""
        log_chances = self.log_chances(seen, legal)
        noise = self._rng.gumbel(size=log_chances.shape).astype("float32")
        actions = np.where(legal, log_chances + noise, -np.inf).argmax(1)
        return actions, log_chances[np.arange(len(actions)), actions]

    def foretell(self, seen: Floats) -> Floats:
        """The rewards that are to come, for each row."""
        foretold: Floats = _through(self.value, seen)[-1][:, 0]
        return foretold

    def learn(self, decisions: Decisions, left: float) -> None:
        """What went better than foretold becomes likelier, a little. ``left`` of the time goes from 1 to 0."""
        for _ in range(_EPOCHS):
            order = self._rng.permutation(len(decisions.seen))
            for first in range(0, len(order), _MINIBATCH):
                some = order[first : first + _MINIBATCH]
                if len(some) > 1:
                    self._improve(Decisions._make(part[some] for part in decisions), left)

    def _improve(self, given: Decisions, left: float) -> None:
        rows, count = np.arange(len(given.seen)), np.float32(len(given.seen))
        policy = _through(self.policy, given.seen)
        log_chances = _log_softmax(np.where(given.legal, policy[-1], _NEVER))
        chances = np.exp(log_chances)
        advantages = (given.advantages - given.advantages.mean()) / (given.advantages.std() + np.float32(1e-8))
        ratio = np.exp(log_chances[rows, given.actions] - given.log_chances)
        moves = np.where(advantages > 0, ratio < 1 + _CLIP, ratio > 1 - _CLIP)
        # the gradient of what is lost, by the scores of actions
        pull = ratio * advantages * moves
        by_scores = chances * pull[:, None]
        by_scores[rows, given.actions] -= pull
        entropy = -(chances * log_chances).sum(1, keepdims=True)
        by_scores += _ENTROPY * left * chances * (log_chances + entropy)
        by_scores *= given.legal / count
        value = _through(self.value, given.seen)
        by_value = (value[-1][:, 0] - given.returns)[:, None] / count
        gradients = [*_back(self.policy, policy, by_scores), *_back(self.value, value, by_value)]
        size = float(np.sqrt(sum(float((part * part).sum()) for part in gradients)))
        self._descend(gradients, min(1.0, 0.5 / (size + 1e-8)), _RATE * left)

    def _descend(self, gradients: list[Any], scale: float, rate: float) -> None:
        """A step of Adam."""
        self._updates += 1
        step = rate * (1 - 0.999**self._updates) ** 0.5 / (1 - 0.9**self._updates)
        for part, (mean, square), gradient in zip((*self.policy, *self.value), self._moments, gradients, strict=True):
            gradient = gradient * np.float32(scale)
            mean += np.float32(0.1) * (gradient - mean)
            square += np.float32(0.001) * (gradient * gradient - square)
            part -= np.float32(step) * mean / (np.sqrt(square) + np.float32(1e-5))


def _through(network: Network, seen: Floats) -> list[Any]:
    """What goes into each layer, and at last what comes out."""
    steps = [seen]
    for at in range(0, len(network), 2):
        out = steps[-1] @ network[at] + network[at + 1]
        steps.append(np.maximum(out, 0) if at + 2 < len(network) else out)
    return steps


def _back(network: Network, steps: list[Any], by_out: Any) -> list[Any]:
    """The gradient by every matrix and added numbers."""
    found: list[Any] = []
    for at in range(len(network) - 2, -1, -2):
        ins = steps[at // 2]
        found[:0] = [ins.T @ by_out, by_out.sum(0)]
        if at:
            by_out = (by_out @ network[at].T) * (ins > 0)
    return found


def _log_softmax(scores: Any) -> Floats:
    scores = scores - scores.max(1, keepdims=True)
    found: Floats = (scores - np.log(np.exp(scores).sum(1, keepdims=True))).astype("float32")
    return found
