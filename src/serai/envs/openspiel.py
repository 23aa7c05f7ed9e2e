"""Games for OpenSpiel: importing this registers ``python_serai_camelup``, ``python_serai_pharaoh`` and so on.

Parameters are ``players``, ``reward`` (paid at the end), ``max_plies`` and the game's options; an optional number of 0
means none. A game that has had ``max_plies`` actions is over, and counts as it stands. Chance actions are numbered from
0, as OpenSpiel counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import msgspec

from serai.errors import requiring

with requiring("envs", "games for OpenSpiel"):
    import numpy as np
    import pyspiel

from serai.core import registry
from serai.core.arguments import MAX_PLIES
from serai.core.chance import CHANCE
from serai.core.game import Action, Game
from serai.core.option import Option
from serai.envs.episode import Episode
from serai.lab.encoding import Encoding
from serai.lab.rewards import LEAD, RANK, WIN

_DEFAULT_PLAYERS = 4
_MOST = 1000.0
"""OpenSpiel needs a bound; no score comes near this one."""
_DRAWS_AT_MOST = 20
"""More than the draws that follow one action, or begin a game."""
_UTILITIES = {
    WIN: (pyspiel.GameType.Utility.CONSTANT_SUM, 0.0, 1.0, 1.0),
    RANK: (pyspiel.GameType.Utility.ZERO_SUM, -1.0, 1.0, 0.0),
    LEAD: (pyspiel.GameType.Utility.ZERO_SUM, -_MOST, _MOST, 0.0),
}
_SCORES = (pyspiel.GameType.Utility.GENERAL_SUM, -_MOST, _MOST, None)
"""By reward: the kind of game, the least and the greatest utility, and the sum over all players."""


class Moment(NamedTuple):
    """A position and its history, immutable, so that clones share it."""

    state: Any
    before: Moment | None = None
    action: Any = None
    plies: int = 0

    def after(self, action: Action) -> Moment:
        """The moment after this action."""
        return Moment(self.state.apply(action), self, action, self.plies + 1)

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it flat: a long game would be too deep a recursion."""
        chain = self.chain()
        return _retraced, (chain[0].state, [moment.action for moment in chain[1:]])

    def chain(self) -> list[Moment]:
        """All moments from the first one to this."""
        moment, found = self, [self]
        while moment.before is not None:
            moment = moment.before
            found.append(moment)
        return found[::-1]

    def history(self) -> list[tuple[Any, Any]]:
        """Who did what, from the first action on."""
        return [(before.state.actor, after.action) for before, after in pairwise(self.chain())]


def _retraced(first: Any, actions: list[Action]) -> Moment:
    moment = Moment(first)
    for action in actions:
        moment = moment.after(action)
    return moment


class SeraiGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Serai with a number of players and options."""

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game = registry.game(self.name)
        settings = {**_parameters(game), **(params or {})}
        players = settings["players"]
        max_plies = settings["max_plies"]
        options = {option.name: _read(option, settings[option.name]) for option in game.options}
        self.episode = Episode(self.name, players, settings["reward"], options, max_plies)
        self.encoding: Encoding[Any, Any] = self.episode.encoding
        _, least, most, together = _UTILITIES.get(settings["reward"], _SCORES)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoding.actions),
            max_chance_outcomes=len(self.encoding.draws),
            num_players=players,
            min_utility=least,
            max_utility=most,
            utility_sum=together,
            max_game_length=max_plies + _DRAWS_AT_MOST,
        )
        super().__init__(_game_type(game, settings["reward"]), info, settings)

    def new_initial_state(self) -> SeraiState:
        """The position before the first draw."""
        return SeraiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of what a player sees."""
        return Observer(self.encoding, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SeraiState(pyspiel.State):  # type: ignore[misc]
    """A position under OpenSpiel's interface; ``moment.state`` is the state of the library."""

    def __init__(self, game: SeraiGame) -> None:
        super().__init__(game)
        episode = game.episode
        self._episode = episode
        self.moment = Moment(episode.game.new(episode.players, **episode.options))

    def current_player(self) -> int:
        """The seat to act, or chance, or nobody."""
        actor = self.moment.state.actor
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actor is CHANCE else int(actor)

    def is_terminal(self) -> bool:
        """Whether the game is over, or so long that it is cut short, which OpenSpiel does not tell apart."""
        state = self.moment.state
        return bool(state.over or (state.actor is not CHANCE and self.moment.plies >= self._episode.max_plies))

    def _legal_actions(self, player: int) -> list[int]:
        number = self._episode.encoding.number
        return [] if self.is_terminal() else [number(action) for action in self.moment.state.actions()]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every draw with its probability."""
        encoding, state = self._episode.encoding, self.moment.state
        weights = state.weights()
        total = sum(weights)
        first = len(encoding.actions)
        return [
            (encoding.number(action) - first, weight / total)
            for action, weight in zip(state.actions(), weights, strict=True)
        ]

    def _action(self, player: int, number: int) -> Any:
        encoding = self._episode.encoding
        return (encoding.draws if player == pyspiel.PlayerId.CHANCE else encoding.actions)[number]

    def _apply_action(self, number: int) -> None:
        action = self._action(self.current_player(), number)
        self.moment = self.moment.after(action)

    def _action_to_string(self, player: int, number: int) -> str:
        return str(self._action(player, number))

    def returns(self) -> list[float]:
        """The rewards by player: 0 before the end."""
        episode, state = self._episode, self.moment.state
        if not self.is_terminal():
            return [0.0] * episode.players
        return episode.paid(episode.state, state, ended=True)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a player (default: the one to act) sees; OpenSpiel's own way there takes several times as long."""
        return self._episode.encoding.feature_list(
            self.moment.state, self.current_player() if player is None else player
        )

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SeraiState:
        """A game that looks the same to this player, all equally likely: hidden actions are drawn anew."""
        other: SeraiState = self.get_game().new_initial_state()
        number = self._episode.encoding.number
        for actor, action in self.moment.history():
            if actor is CHANCE:
                other.apply_action(number(action) - len(self._episode.encoding.actions))
                continue
            seen = action.seen_by(player, actor)
            if seen != action:
                alike = [one for one in other.moment.state.actions() if one.seen_by(player, actor) == seen]
                action = alike[int(sampler() * len(alike))]
            other.apply_action(number(action))
        return other

    def __str__(self) -> str:
        return msgspec.json.encode(self.moment.state).decode()


class Observer:
    """What a player sees of a position: the features of the encoding, or a text.

    With perfect recall it is the text of all that the player saw happen, and there is no tensor.
    """

    def __init__(self, encoding: Encoding[Any, Any], kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, such as {params}")
        self._encoding = encoding
        self._recalls = kind.perfect_recall
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor = None
        self.dict: dict[str, Any] = {}
        if self._private and not self._recalls:
            self._padded = np.zeros(encoding.feature_count + 1, np.float32)
            self.tensor = self._padded[:-1]
            at = 0
            for field in encoding.fields:
                wide = field.count * field.width
                self.dict[field.name] = self.tensor[at : at + wide].reshape(field.count, field.width)
                at += wide

    def set_from(self, state: SeraiState, player: int) -> None:
        """Write what this player sees into the tensor."""
        if self.tensor is not None:
            self._encoding.write_features(state.moment.state, player, self._padded)

    def string_from(self, state: SeraiState, player: int) -> str:
        """What this player sees, or saw up to now, as text."""
        seat = player if self._private else None
        if self._recalls:
            seen = [str(action.seen_by(seat, actor)) for actor, action in state.moment.history()]
            return "\n".join((f"seat {seat}", *seen))
        return msgspec.json.encode(state.moment.state.seen_by(seat)).decode()


# -- registering -------------------------------------------------------------------------------------------------------


def _parameters(game: Game) -> dict[str, Any]:
    """Every parameter with its default."""
    defaults = {option.name: option.default or 0 if option.optional else option.default for option in game.options}
    return {"players": _DEFAULT_PLAYERS, "reward": game.score_name, "max_plies": MAX_PLIES, **defaults}


def _read(option: Option, value: Any) -> Any:
    return None if option.optional and value == 0 else value


def _game_type(game: Game, reward: str = "") -> Any:
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"python_serai_{game.name}",
        long_name=f"Serai {type(game).__name__}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if game.hides else information.PERFECT_INFORMATION,
        utility=_UTILITIES.get(reward, _SCORES)[0],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _register(game: Game) -> None:
    """Register a class of its own: OpenSpiel holds it after the interpreter has ended, which only classes survive."""
    pyspiel.register_game(_game_type(game), type(f"{type(game).__name__}Game", (SeraiGame,), {"name": game.name}))


for _game in map(registry.game, registry.games()):
    if _game.encoding is not None:
        _register(_game)
