"""Games for Gymnasium: one seat learns, bots have the others."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from serai.core.errors import IllegalAction, MissingExtra

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces
except ImportError:
    raise MissingExtra("environments for Gymnasium", "gymnasium", "envs") from None

from serai.bots.contract import Bot, understood, warm_up
from serai.bots.referee import BotFailed, Fault
from serai.bots.specs import BotSpec, bot_title, find_bot
from serai.core.checks import check_listed
from serai.core.dealer import SECRET_BYTES
from serai.core.errors import BadOptions, phrase
from serai.core.play import Play
from serai.envs.playing import Playing
from serai.envs.spaces import action_space, copied, drawing, generator, observation_space, seen

Seen = npt.NDArray[Any]
ROTATE = "rotate"
"""A learner that moves on by a seat from game to game."""


class GameEnv(gymnasium.Env[Seen, np.int64]):
    """One game after the other for the learner; ``options`` are those of the game.

    ``opponents`` sit to the learner's left, in this order. With ``seat="rotate"`` the learner moves on by a seat from
    game to game. A ``reward`` is the score (``"money"``, ``"points"``), as it is without one, or ``"win"`` or
    ``"rank"``. ``info["action_mask"]`` tells what is legal; whoever does something else has lost: the game ends with
    ``illegal_reward``, or with ``IllegalAction`` if that is ``None``.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]
    action_space: spaces.Discrete

    def __init__(
        self,
        game: str,
        opponents: Sequence[BotSpec] = ("random",) * 3,
        *,
        seat: int | Literal["rotate"] = 0,
        reward: str | None = None,
        observe: str = "numbers",
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        opponents = check_listed("opponents", opponents, "['quick', 'random']")
        players = len(opponents) + 1
        self._match = Match(Playing(game, players, reward, options), opponents)
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
            match.begin(match.games % match.playing.players if self._seat is None else self._seat, self.np_random)
            if not match.playing.state.over:  # or else it was over before the learner had a say in it
                return self._seen(), self._info()

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Do this, and let the others play until the learner is to act again; rewards of meanwhile are included."""
        match = self._match
        playing = match.playing
        try:
            chosen = playing.encoding.action(action, playing.state)
        except IllegalAction as error:
            if self._illegal_reward is None or playing.state.over:
                raise
            return self._seen(), self._illegal_reward, True, False, self._info() | {"illegal": str(error)}
        reward = match.act(chosen)
        return self._seen(), reward, playing.state.over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What is legal, as learners that ask the environment itself want it."""
        return self._match.playing.encoding.mask(self._match.playing.state).astype(bool)

    def _seen(self) -> Seen:
        playing = self._match.playing
        return seen(playing.encoding, self._observe, playing.state, self._match.learner)

    def _info(self) -> dict[str, Any]:
        playing = self._match.playing
        info: dict[str, Any] = {
            "action_mask": playing.encoding.mask(playing.state).view(np.int8),
            "seat": self._match.learner,
        }
        if playing.state.over:
            info |= {"scores": playing.state.scores(), "winners": playing.state.winners()}
        return info

    def render(self) -> str:
        """The board as the learner sees it, as text."""
        state, learner = self._match.playing.state, self._match.learner
        return self._match.playing.game.draw(state.seen_by(learner), seat=learner)

    def save(self) -> tuple[Any, ...]:
        """Everything about this moment, to go back to; it can be pickled."""
        return copy.deepcopy(self._match), None if self._np_random is None else drawing(self._np_random)

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Go back to a moment that was saved, as often as one likes, in this environment or another of its kind."""
        match, drawn = saved
        self._match = copy.deepcopy(match)
        self._np_random = None if drawn is None else generator(drawn)

    def __deepcopy__(self, memo: dict[int, Any]) -> GameEnv:
        other: GameEnv = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.action_space = copied(self.action_space)
        other.restore(self.save())
        return other


class Match:
    """A game between the learner and bots, and what the bots remember of it."""

    def __init__(self, playing: Playing, opponents: Sequence[BotSpec]) -> None:
        self.playing = playing
        self.learner = 0
        self.games = 0
        """How many were begun."""
        self._plies = 0
        self._opponents = tuple(opponents)
        self._makers = [find_bot(playing.game, opponent) for opponent in opponents]
        self._bots: dict[int, Bot] = {}
        self._rng = random.Random()
        """The bots' own randomness; none of them hears what another draws."""

    def begin(self, learner: int, draw: np.random.Generator) -> None:
        """Deal, seat everybody, and play up to the learner's first decision."""
        players = self.playing.players
        self.games += 1
        self.learner, self._plies = learner, 0
        seats = [(learner + place) % players for place in range(1, players)]
        self._bots = {seat: make() for seat, make in zip(seats, self._makers, strict=True)}
        self._warm_up()
        self._rng = random.Random(draw.bytes(SECRET_BYTES))
        self._tell(self.playing.begin(draw.bytes(SECRET_BYTES)))
        self._go_on()

    def act(self, action: Any) -> float:
        """The learner's action, and what the others do up to its next one; what that brought the learner."""
        play = self.playing.act(action)
        self._tell(play)
        return self.playing.rewards(play)[self.learner] + self._go_on()

    def _go_on(self) -> float:
        playing, reward = self.playing, 0.0
        while not playing.state.over and playing.state.actor != self.learner:
            play = playing.act(self._decided(playing.state.actor))
            reward += playing.rewards(play)[self.learner]
            self._tell(play)
        return reward

    def _decided(self, seat: int) -> Any:
        """What the bot on this seat does. What it raises goes through; an answer that is not legal is its failure."""
        view = self.playing.state.seen_by(seat)
        answer = self._bots[seat].decide(view, self._rng)
        try:
            return understood(answer, view)
        except ValueError as error:
            bot = bot_title(self._opponents[(seat - self.learner - 1) % self.playing.players])
            raise BotFailed(Fault(seat, bot, self._plies, str(error), "")) from error

    def _warm_up(self) -> None:
        for bot in self._bots.values():
            warm_up(bot)

    def _tell(self, play: Play) -> None:
        self._plies += len(play.plies)
        for seat, bot in self._bots.items():
            watch = getattr(bot, "watch", None)
            if watch is not None:
                for event in play.events:
                    watch(event.seen_by(seat))

    def __getstate__(self) -> dict[str, Any]:
        """Without the makers, which follow from the names."""
        kept = self.__dict__.copy()
        del kept["_makers"]
        return kept

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._makers = [find_bot(self.playing.game, opponent) for opponent in self._opponents]
        self._warm_up()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        other: Match = object.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.playing = self.playing.copy()
        other._bots = copy.deepcopy(self._bots, memo)
        other._rng = random.Random()
        other._rng.setstate(self._rng.getstate())
        return other


phrase({"envs.seat": "the learner's seat is 0 to {most} or 'rotate', not {seat!r}"})
