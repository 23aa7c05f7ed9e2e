"""A game under way in an environment: its state, who draws for chance, and what is a reward."""

from __future__ import annotations

from typing import Any

from serai.core import registry
from serai.core.dealer import SECRET_BYTES, Dealer
from serai.core.encoding import Encoding
from serai.core.errors import BadOptions, phrase
from serai.core.game import Game
from serai.core.play import Play, advance, deal

WIN = "win"
"""A reward at the end: the share of the victory."""
RANK = "rank"
"""A reward at the end: the place, from 1 (before all others) to -1 (behind them all).

It is how many are behind, less how many are before, among how many others; whoever wins a tie is before those with
equal scores.
"""


class Playing:
    """One game after the other. Copies share the state, which never changes, and are cheap."""

    __slots__ = ("dealer", "encoding", "game", "options", "players", "reward", "state")

    def __init__(self, name: str, players: int, reward: str | None, options: dict[str, Any]) -> None:
        """Checked here and now, so that nothing is wrong with it when the first game begins.

        A ``reward`` is the score, whenever it changes, by its name (``"money"``, ``"points"``), or ``WIN`` or ``RANK``.
        """
        self.game = registry.game(name)
        self.encoding = encoding_of(self.game)
        known = rewards_of(self.game)
        if reward is not None and reward not in known:
            raise BadOptions("envs.reward", reward=reward, known=known)
        self.players = players
        self.options = options
        self.reward = reward or known[0]
        self.state: Any = self.game.new(players, **options)
        self.dealer = Dealer(bytes(SECRET_BYTES))

    def begin(self, secret: bytes) -> Play:
        """A new game, whose draws follow from this secret; what the set-up leaves to chance is drawn."""
        self.dealer = Dealer(secret)
        play = deal(self.game.new(self.players, **self.options), self.dealer)
        self.state = play.after
        return play

    def act(self, action: Any) -> Play:
        """Play an action of whoever is to act, and what chance does behind it."""
        play = advance(self.state, action, self.dealer)
        self.state = play.after
        return play

    def rewards(self, play: Play) -> list[float]:
        """What a play brought every seat."""
        before, after = play.before, play.after
        if self.reward not in (WIN, RANK):
            return [float(now - then) for now, then in zip(after.scores(), before.scores(), strict=True)]
        if not after.over:
            return [0.0] * self.players
        winners = after.winners()
        if self.reward == WIN:
            return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]
        places = [(seat in winners, score) for seat, score in enumerate(after.scores())]
        return [sum((mine > other) - (mine < other) for other in places) / (self.players - 1) for mine in places]

    def copy(self) -> Playing:
        """The same game, to be played on by itself."""
        other: Playing = object.__new__(Playing)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.dealer = Dealer(self.dealer.reveal(), self.dealer.mix, self.dealer.drawn)
        return other

    def __getstate__(self) -> tuple[Any, ...]:
        dealt = (self.dealer.reveal(), self.dealer.drawn)
        return self.game.name, self.players, self.reward, self.options, self.state, dealt

    def __setstate__(self, saved: tuple[Any, ...]) -> None:
        name, self.players, self.reward, self.options, self.state, (secret, drawn) = saved
        self.game = registry.game(name)
        self.encoding = encoding_of(self.game)
        self.dealer = Dealer(secret, drawn=drawn)

    def __deepcopy__(self, memo: dict[int, Any]) -> Playing:
        return self.copy()


def encoding_of(game: Game) -> Encoding[Any, Any]:
    """A game's numbers; without them it has no environment."""
    if game.encoding is None:
        raise BadOptions("envs.encoding", game=game.name)
    return game.encoding


def rewards_of(game: Game) -> tuple[str, ...]:
    """What can be rewarded in a game; the first is usual."""
    return game.score_name, WIN, RANK


phrase(
    {
        "envs.encoding": "{game} has no encoding, so there are no environments for it",
        "envs.reward": "a reward is one of {known}, not {reward!r}",
        "envs.observe": "what is observed is one of {known}, not {observe!r}",
    }
)
