"""Environments for Gymnasium: one seat learns, bots have the others."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from serai.errors import IllegalAction, requiring

with requiring("envs", "environments for Gymnasium"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces


from serai.bots.specs import BotSpec
from serai.core.arguments import MAX_PLIES
from serai.envs.episode import Episode, opponents_of
from serai.envs.match import Match
from serai.envs.spaces import action_space, copied, drawing, generator, observation_space, seen
from serai.errors import BadOptions, phrase
from serai.lab.rewards import Reward

Seen = npt.NDArray[Any]
ROTATE = "rotate"
"""A learner that moves on by a seat from game to game."""


class GameEnv(gymnasium.Env[Seen, np.int64]):
    """One game after the other for the learner; ``options`` are those of the game.

    ``opponents`` sit to the learner's left, in this order; one name stands for all at a table of ``players`` (default:
    four). With ``seat="rotate"`` the learner moves on by a seat from game to game. A ``reward`` is the score
    (``"money"``, ``"points"``), which is the default, or another of :mod:`serai.lab.rewards`. ``info["action_mask"]``
    marks the legal actions; an illegal one ends the game with ``illegal_reward``, or raises ``IllegalAction`` if that
    is ``None``. A game that has had ``max_plies`` actions, everybody's and those of chance, is truncated when the
    learner is to act.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]
    action_space: spaces.Discrete

    def __init__(
        self,
        game: str,
        opponents: str | Sequence[BotSpec] = "random",
        *,
        players: int | None = None,
        seat: int | Literal["rotate"] = 0,
        reward: Reward | None = None,
        observe: str = "numbers",
        illegal_reward: float | None = -1.0,
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        listed = opponents_of(opponents, players)
        players = len(listed) + 1
        self._match = Match(Episode(game, players, reward, options, max_plies), listed)
        if seat != ROTATE and not (type(seat) is int and 0 <= seat < players):
            raise BadOptions("envs.seat", seat=seat, most=players - 1)
        self._seat = seat if isinstance(seat, int) else None
        self._observe = observe
        self._illegal_reward = illegal_reward
        self.render_mode = render_mode
        self.observation_space = observation_space(game, observe)
        self.action_space = action_space(game)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin the next game, or with a seed the first one of that seed, up to the learner's first decision."""
        super().reset(seed=seed)
        match = self._match
        if seed is not None:
            match.games = 0
        while True:
            match.begin(match.games % match.episode.players if self._seat is None else self._seat, self.np_random)
            if not match.episode.state.over:  # otherwise it was over before the learner's first turn
                return self._seen(), self._info()

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Do an action, and let the others play until the learner is to act again; rewards meanwhile are included."""
        match = self._match
        episode = match.episode
        try:
            chosen = episode.encoding.action(action, episode.state)
        except IllegalAction as error:
            if self._illegal_reward is None or episode.state.over:
                raise
            return self._seen(), self._illegal_reward, True, False, self._info() | {"illegal": str(error)}
        reward = match.act(chosen)
        return self._seen(), reward, episode.state.over, episode.truncated, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions, under the name that MaskablePPO of sb3-contrib asks for."""
        return self._match.episode.encoding.mask(self._match.episode.state).astype(bool)

    def _seen(self) -> Seen:
        episode = self._match.episode
        return seen(episode.encoding, self._observe, episode.state, self._match.learner)

    def _info(self) -> dict[str, Any]:
        episode = self._match.episode
        info: dict[str, Any] = {
            "action_mask": episode.encoding.mask(episode.state).view(np.int8),
            "seat": self._match.learner,
        }
        if episode.state.over:
            info |= {"scores": episode.state.scores(), "winners": episode.state.winners()}
        return info

    def render(self) -> str:
        """The board as the learner sees it, as text."""
        state, learner = self._match.episode.state, self._match.learner
        return self._match.episode.game.text.draw(state.seen_by(learner), seat=learner)

    def save(self) -> tuple[Any, ...]:
        """A snapshot for :meth:`restore`; it can be pickled."""
        return copy.deepcopy(self._match), None if self._np_random is None else drawing(self._np_random)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Return to a saved snapshot, any number of times, in this environment or another with the same settings."""
        match, drawn = saved
        self._match = copy.deepcopy(match)
        self._np_random = None if drawn is None else generator(drawn)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        other: GameEnv = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.action_space = copied(self.action_space)
        other.restore(self.save())
        return other


phrase({"envs.seat": "the learner's seat is 0 to {most} or 'rotate', not {seat!r}"})
