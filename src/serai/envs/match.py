"""A game between a learner and bots, by the readable rules."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from serai.bots.contract import Bot, close, understood, warm_up
from serai.bots.referee import BotFailed, Fault
from serai.bots.specs import BotSpec, bot_title, find_bot
from serai.core.dealer import SECRET_BYTES
from serai.core.game import Action
from serai.core.play import Play
from serai.envs.episode import Episode

if TYPE_CHECKING:
    import numpy as np


class Match:
    """A game between the learner and bots, who may remember it."""

    def __init__(self, episode: Episode, opponents: Sequence[BotSpec]) -> None:
        self.episode = episode
        self.learner = 0
        self.games = 0
        """How many have begun."""
        self._plies = 0
        self._opponents = tuple(opponents)
        self._makers = [find_bot(episode.game, opponent) for opponent in opponents]
        self._bots: dict[int, Bot] = {}
        self._rng = random.Random()
        """The bots' own random numbers."""

    def begin(self, learner: int, draw: np.random.Generator) -> None:
        """Seat the bots, deal, and play up to the learner's first decision."""
        players = self.episode.players
        self.games += 1
        self.learner, self._plies = learner, 0
        seats = [(learner + place) % players for place in range(1, players)]
        self._bots = {seat: make() for seat, make in zip(seats, self._makers, strict=True)}
        self._warm_up()
        self._rng = random.Random(draw.bytes(SECRET_BYTES))
        self._tell(self.episode.begin(draw.bytes(SECRET_BYTES)))
        self._go_on()

    def act(self, action: Action) -> float:
        """Do the learner's action and those of others up to its next one; return the learner's reward."""
        play = self.episode.act(action)
        self._tell(play)
        return self.episode.rewards(play)[self.learner] + self._go_on()

    def close(self) -> None:
        """Close the bots of the last game."""
        for bot in self._bots.values():
            close(bot)
        self._bots = {}

    def _go_on(self) -> float:
        episode, reward = self.episode, 0.0
        while not episode.state.over and episode.state.actor != self.learner:
            play = episode.act(self._decided(episode.state.actor))
            reward += episode.rewards(play)[self.learner]
            self._tell(play)
        return reward

    def _decided(self, seat: int) -> Any:
        """The action of the bot on this seat. Its exceptions pass through; an illegal answer raises ``BotFailed``."""
        view = self.episode.state.seen_by(seat)
        answer = self._bots[seat].decide(view, self._rng)
        try:
            return understood(answer, view)
        except ValueError as error:
            bot = bot_title(self._opponents[(seat - self.learner - 1) % self.episode.players])
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
        """Without the makers, which are found again by name."""
        kept = self.__dict__.copy()
        del kept["_makers"]
        return kept

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(saved)
        self._makers = [find_bot(self.episode.game, opponent) for opponent in self._opponents]
        self._warm_up()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        other: Match = object.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.episode = self.episode.copy()
        other._bots = copy.deepcopy(self._bots, memo)
        other._rng = random.Random()
        other._rng.setstate(self._rng.getstate())
        return other
