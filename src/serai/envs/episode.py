"""The game inside an environment: its state, its dealer and its rewards."""

from __future__ import annotations

from typing import Any

from serai.core import registry
from serai.core.arguments import MAX_PLIES, check_max_plies
from serai.core.dealer import SECRET_BYTES, Dealer
from serai.core.game import Action, Game, State
from serai.core.play import Play, advance, deal
from serai.errors import BadOptions, phrase
from serai.lab.encoding import Encoding

WIN = "win"
"""A reward at the end: the share of the victory."""
RANK = "rank"
"""A reward at the end: the place, from 1 (before all others) to -1 (behind them all).

It is the number of players behind less the number before, divided by the number of others; the winner of a tie is
before those with equal scores.
"""


class Episode:
    """One game after the other. Copies share the immutable state, so they are cheap."""

    __slots__ = ("dealer", "encoding", "game", "max_plies", "options", "players", "plies", "reward", "state")

    def __init__(
        self, name: str, players: int, reward: str | None, options: dict[str, Any], max_plies: int = MAX_PLIES
    ) -> None:
        """Check all settings at once, before the first game begins.

        A ``reward`` is the score, whenever it changes, by its name (``"money"``, ``"points"``), or ``WIN`` or ``RANK``.
        """
        self.game = registry.game(name)
        self.encoding = encoding_of(self.game)
        known = rewards_of(self.game)
        if reward is not None and reward not in known:
            raise BadOptions("envs.reward", reward=reward, known=known)
        self.max_plies = check_max_plies(max_plies)
        self.plies = 0
        self.players = players
        self.options = options
        self.reward = reward or known[0]
        self.state: Any = self.game.new(players, **options)
        self.dealer = Dealer(bytes(SECRET_BYTES))

    def begin(self, secret: bytes) -> Play:
        """Begin a new game, whose draws follow from this secret, and make the draws of the set-up."""
        self.dealer = Dealer(secret)
        play = deal(self.game.new(self.players, **self.options), self.dealer)
        self.state, self.plies = play.after, len(play.plies)
        return play

    def act(self, action: Action) -> Play:
        """Play an action of the player to act, and the draws that follow."""
        play = advance(self.state, action, self.dealer)
        self.state = play.after
        self.plies += len(play.plies)
        return play

    @property
    def truncated(self) -> bool:
        """Whether the game is too long: it is not over, but has had ``max_plies`` actions."""
        return self.plies >= self.max_plies and not self.state.over

    def rewards(self, play: Play) -> list[float]:
        """The reward of every seat for a play."""
        if self.reward in (WIN, RANK) and not play.after.over:
            return [0.0] * self.players
        return self.paid(play.before, play.after)

    def paid(self, before: State, after: State) -> list[float]:
        """The reward of every seat from one state to another, if ``after`` counts as the end."""
        if self.reward not in (WIN, RANK):
            return [float(now - then) for now, then in zip(after.scores(), before.scores(), strict=True)]
        winners = after.leaders()
        if self.reward == WIN:
            return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]
        places = [(seat in winners, score) for seat, score in enumerate(after.scores())]
        return [sum((mine > other) - (mine < other) for other in places) / (self.players - 1) for mine in places]

    def copy(self) -> Episode:
        """A copy that continues on its own."""
        other: Episode = object.__new__(Episode)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.dealer = Dealer(self.dealer.reveal(), self.dealer.mix, self.dealer.drawn)
        return other

    def __getstate__(self) -> tuple[Any, ...]:
        dealt = (self.dealer.reveal(), self.dealer.drawn)
        return self.game.name, self.players, self.reward, self.options, self.state, dealt, self.plies, self.max_plies

    def __setstate__(self, saved: tuple[Any, ...]) -> None:
        name, self.players, self.reward, self.options, self.state, (secret, drawn), self.plies, self.max_plies = saved
        self.game = registry.game(name)
        self.encoding = encoding_of(self.game)
        self.dealer = Dealer(secret, drawn=drawn)

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        return self.copy()


def encoding_of(game: Game) -> Encoding[Any, Any]:
    """The encoding of a game; without one it has no environments."""
    if game.encoding is None:
        raise BadOptions("envs.encoding", game=game.name)
    encoding: Encoding[Any, Any] = game.encoding
    return encoding


def rewards_of(game: Game) -> tuple[str, ...]:
    """The rewards that a game offers; the first is the default."""
    return game.score_name, WIN, RANK


phrase(
    {
        "envs.encoding": "{game} has no encoding, so there are no environments for it",
        "envs.reward": "a reward is one of {known}, not {reward!r}",
        "envs.observe": "'observe' is one of {known}, not {observe!r}",
    }
)
