"""Environments for PettingZoo: every seat is an agent, ``player_0``, ``player_1``, …; they act in turn (AEC)."""

from __future__ import annotations

import copy
from typing import Any

from serai.errors import requiring

with requiring("envs", "environments for PettingZoo"):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.utils.env_logger import EnvLogger

from serai.core.arguments import MAX_PLIES
from serai.core.dealer import SECRET_BYTES
from serai.envs.episode import Episode
from serai.envs.spaces import action_space, copied, drawing, generator, mask_space, observation_space, seen
from serai.errors import IllegalAction
from serai.lab.rewards import Reward

Seen = dict[str, npt.NDArray[Any]]


def env(game: str, players: int = 4, **settings: Any) -> CheckedAEC:
    """The usual form: an illegal action loses, and calls in the wrong order are refused."""
    return CheckedAEC(game, players, **settings)


def raw_env(game: str, players: int = 4, **settings: Any) -> GameAEC:
    """The game alone: an illegal action raises ``IllegalAction``, and nothing has happened."""
    return GameAEC(game, players, **settings)


class GameAEC(AECEnv[str, Seen, int]):  # type: ignore[misc]
    """One game of Serai after the other, each seat an agent; ``options`` are those of the game.

    A ``reward`` is the score (``"money"``, ``"points"``), which is the default, or another of
    :mod:`serai.lab.rewards`. A game that has had ``max_plies`` actions, those of chance included, is truncated.
    """

    def __init__(
        self,
        game: str,
        players: int = 4,
        *,
        reward: Reward | None = None,
        observe: str = "numbers",
        max_plies: int = MAX_PLIES,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._episode = Episode(game, players, reward, options, max_plies)
        self._observe = observe
        self._np_random: np.random.Generator | None = None
        self.render_mode = render_mode
        self.metadata = {
            "name": f"serai_{game}_v0",
            "render_modes": ["ansi"],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict({"observation": observation_space(game, observe), "action_mask": mask_space(game)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._looked: tuple[Any, bytes] = None, b""
        """The state that was last shown to whoever acts in it, and its mask."""

    def observation_space(self, agent: str) -> spaces.Dict:
        """What this agent can see: the observation and the mask of its legal actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Every action, by its number."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game, or with a seed the first one of that seed."""
        if seed is not None or self._np_random is None:
            self._np_random, _ = np_random(seed)
        self._episode.begin(self._np_random.bytes(SECRET_BYTES))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.state.actor]

    def observe(self, agent: str) -> Seen:
        """What this agent sees; its mask is empty while it is not to act."""
        episode, seat = self._episode, self._seats[agent]
        if episode.state.actor == seat:
            legal = episode.encoding.mask_bytes(episode.state)
            self._looked = episode.state, bytes(legal)
        else:
            legal = bytearray(len(episode.encoding.actions))
        mask = np.frombuffer(legal, np.int8)
        return {"observation": seen(episode.encoding, self._observe, episode.state, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do an action of the selected agent; an agent whose game is over only leaves."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        else:
            self._act(agent, action)

    def _act(self, agent: str, action: Any) -> None:
        episode = self._episode
        play = episode.act(self._chosen(action))
        rewards = episode.rewards(play)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        if any(rewards):
            self._accumulate_rewards()
        if play.after.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        elif episode.truncated:
            self.truncations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[play.after.actor]

    def _chosen(self, number: Any) -> Any:
        """The action of that number; ``IllegalAction`` if it is not legal. Who has just looked need not look again."""
        episode = self._episode
        state, mask = self._looked
        if state is episode.state and type(number) in _WHOLE and 0 <= number < len(mask) and mask[number]:
            return episode.encoding.actions[number]
        return episode.encoding.action(number, episode.state)

    def render(self) -> str:
        """The board as text."""
        return self._episode.game.text.draw(self._episode.state.seen_by(None))

    def close(self) -> None:
        """Nothing to close."""

    def save(self) -> tuple[Any, ...]:
        """A snapshot for :meth:`restore`; it can be pickled."""
        kept = {name: copy.copy(getattr(self, name)) for name in _CHANGING if hasattr(self, name)}
        return self._episode.copy(), None if self._np_random is None else drawing(self._np_random), kept

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Return to a saved snapshot, any number of times, in this environment or another with the same settings."""
        episode, drawn, kept = saved
        self._episode, self._np_random = episode.copy(), None if drawn is None else generator(drawn)
        for name, value in kept.items():
            setattr(self, name, copy.copy(value))

    def __deepcopy__(self, memo: dict[int, Any]) -> GameAEC:
        other: GameAEC = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.action_spaces = {agent: copied(space) for agent, space in self.action_spaces.items()}
        other.restore(self.save())
        return other

    def __str__(self) -> str:
        return str(self.metadata["name"])


class CheckedAEC(GameAEC):
    """What PettingZoo's usual wrappers do, in one class, which takes less than half of their time.

    An illegal action ends the game for all and costs -1; before :meth:`reset` nothing can be done.
    """

    def step(self, action: int | None) -> None:
        """Do an action of the selected agent; an illegal one loses."""
        if not hasattr(self, "agent_selection"):
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        over = self.terminations[agent] or self.truncations[agent]
        if type(action) in _WHOLE:  # sooner than ``contains``
            known = 0 <= action < len(self._episode.encoding.actions)  # type: ignore[operator]
        else:
            known = (over and action is None) or self.action_spaces[agent].contains(action)
        assert known, "action is not in action space"
        if over:
            self._was_dead_step(action)
            return
        try:
            self._act(agent, action)
        except IllegalAction:
            EnvLogger.warn_on_illegal_move()
            self._lose(agent)

    def _lose(self, agent: str) -> None:
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {agent: _ILLEGAL}
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Seen:
        """What this agent sees; its mask is empty while it is not to act."""
        if not hasattr(self, "agent_selection"):
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def render(self) -> str:
        """The board as text."""
        if not hasattr(self, "agent_selection"):
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents in turn; not before :meth:`reset`."""
        if not hasattr(self, "agent_selection"):
            EnvLogger.error_agent_iter_before_reset()
        return super().agent_iter(max_iter)


_WHOLE = frozenset((int, np.int64))
_ILLEGAL = -1.0
"""The reward of an illegal action."""
_CHANGING = (
    "agents",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "agent_selection",
    "_skip_agent_selection",
)
"""Attributes of PettingZoo that change during a game."""
