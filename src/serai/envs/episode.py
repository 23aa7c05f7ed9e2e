"""The game inside an environment: its state, its dealer and its rewards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from serai.bots.specs import BotSpec
from serai.core import registry
from serai.core.arguments import MAX_PLIES, check_listed, check_max_plies, check_whole
from serai.core.dealer import SECRET_BYTES, Dealer
from serai.core.game import Action, Game, State
from serai.core.play import Play, advance, deal
from serai.errors import BadOptions, phrase
from serai.lab.encoding import Encoding
from serai.lab.rewards import LEAD, RANK, WIN, Reward, reward_weights

_PLAYERS = 4
"""At a table where nothing else is said."""


class Episode:
    """One game after the other. Copies share the immutable state, so they are cheap."""

    __slots__ = ("dealer", "encoding", "game", "max_plies", "options", "players", "plies", "state", "weights")

    def __init__(
        self, name: str, players: int, reward: Reward | None, options: dict[str, Any], max_plies: int = MAX_PLIES
    ) -> None:
        """Check all settings at once, before the first game begins.

        A ``reward`` is one of :mod:`serai.lab.rewards`.
        """
        self.game = registry.game(name)
        self.encoding = encoding_of(self.game)
        self.weights = reward_weights(reward, self.game.score_name)
        self.max_plies = check_max_plies(max_plies)
        self.plies = 0
        self.players = players
        self.options = options
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
        return self.paid(play.before, play.after, ended=play.after.over)

    def paid(self, before: State, after: State, *, ended: bool) -> list[float]:
        """The reward of every seat from one state to another, which counts as the end if it ``ended`` there."""
        weights, paid = self.weights, [0.0] * self.players
        by_score = LEAD in weights or self.game.score_name in weights
        if by_score and (scores := after.scores()) != (scores_before := before.scores()):
            score, lead = weights.get(self.game.score_name, 0.0), weights.get(LEAD, 0.0)
            changes = [now - then for now, then in zip(scores, scores_before, strict=True)]
            average = sum(changes) / self.players
            paid = [score * change + lead * (change - average) for change in changes]
        if ended and (WIN in weights or RANK in weights):
            win, rank = weights.get(WIN, 0.0), weights.get(RANK, 0.0)
            winners = after.leaders()
            places = [(seat in winners, made) for seat, made in enumerate(after.scores())]
            for seat in range(self.players):
                place = sum((places[seat] > other) - (places[seat] < other) for other in places) / (self.players - 1)
                paid[seat] += win * (seat in winners) / len(winners) + rank * place
        return paid

    def copy(self) -> Episode:
        """A copy that continues on its own."""
        other: Episode = object.__new__(Episode)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.dealer = Dealer(self.dealer.reveal(), self.dealer.mix, self.dealer.drawn)
        return other

    def __getstate__(self) -> tuple[Any, ...]:
        dealt = (self.dealer.reveal(), self.dealer.drawn)
        return self.game.name, self.players, self.weights, self.options, self.state, dealt, self.plies, self.max_plies

    def __setstate__(self, saved: tuple[Any, ...]) -> None:
        name, self.players, self.weights, self.options, self.state, (secret, drawn), self.plies, self.max_plies = saved
        self.game = registry.game(name)
        self.encoding = encoding_of(self.game)
        self.dealer = Dealer(secret, drawn=drawn)

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        return self.copy()


def opponents_of(opponents: str | Sequence[BotSpec], players: int | None) -> tuple[BotSpec, ...]:
    """The learner's opponents: one bot for all of a table of ``players`` (default: four), or one for each."""
    if isinstance(opponents, str):
        return (opponents,) * ((_PLAYERS if players is None else check_whole("'players'", players, 2)) - 1)
    listed = check_listed("opponents", opponents, "['quick', 'random']")
    if players not in (None, len(listed) + 1):
        raise BadOptions("envs.opponents", given=len(listed), players=players)
    return tuple(listed)


def encoding_of(game: Game) -> Encoding[Any, Any]:
    """The encoding of a game; without one it has no environments."""
    if game.encoding is None:
        raise BadOptions("envs.encoding", game=game.name)
    encoding: Encoding[Any, Any] = game.encoding
    return encoding


phrase(
    {
        "envs.encoding": "{game} has no encoding, so there are no environments for it",
        "envs.opponents": "{given} opponents and the learner are not {players} players: leave 'players' out",
    }
)
