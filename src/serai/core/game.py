"""What a game is: its values (states, actions, events) and the verbs every game has.

A game subclasses :class:`State`, :class:`Action` and :class:`Event` and provides one :class:`Game` object.
Everything here is pure: randomness comes in as an argument, nothing reads a clock or a file.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import msgspec

from serai.core.chance import CHANCE, Actor, outcome_at
from serai.core.checks import check_kind, check_randomness, check_text
from serai.core.errors import BadArgument, BadNotation, BadOptions, IllegalAction, NotOver
from serai.core.option import Option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from serai.core.batch import Batch
    from serai.core.coaching import Coaching
    from serai.core.device import Device
    from serai.core.encoding import Encoding
    from serai.core.notation import PositionNotation
    from serai.core.playouts import Memory, Playouts
    from serai.core.rows import Column
    from serai.core.simulation import Simulator


class Action(msgspec.Struct, frozen=True):
    """One thing an actor can do. ``str(action)`` is its notation; subclasses are Structs tagged with its first word."""

    @property
    def kind(self) -> str:
        """The first word of the notation, which is also the tag on the wire."""
        return self.__struct_config__.tag  # type: ignore[return-value]

    def seen_by(self, seat: int | None, actor: int | None = None) -> Self:
        """The action as ``seat`` may see it (``None``: an onlooker), when ``actor`` did it.

        Without ``actor`` the viewer is taken to be somebody else, so nothing hidden is shown.
        """
        return self


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, told for narration and animation; subclasses are tagged Structs."""

    def seen_by(self, seat: int | None) -> Self:
        """The event as ``seat`` may see it (``None``: an onlooker)."""
        return self


A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)


class State(msgspec.Struct, Generic[A, E], frozen=True):
    """A position of a game with actions ``A`` and events ``E``: immutable, hashable, comparable.

    A view is a state with blanks (``None``).
    """

    actor: Actor
    options: Any
    """The settled options of the set-up, as a Struct."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor is None

    def actions(self) -> tuple[A, ...]:
        """Every legal action of the actor in a fixed order, chance included; empty when over."""
        raise NotImplementedError

    def weights(self) -> tuple[int, ...]:
        """For a chance actor: the integer weight of each of ``actions()``, counted in pieces, never reduced."""
        raise NotImplementedError

    def step(self, action: A) -> tuple[Self, tuple[E, ...]]:
        """The next state, and the events that led there."""
        raise NotImplementedError

    def seen_by(self, seat: int | None) -> Self:
        """The state with ``None`` for what ``seat`` (``None``: an onlooker) must not know."""
        raise NotImplementedError

    def scores(self) -> tuple[int, ...]:
        """The running score by seat; ``Hidden`` in a view that does not show it."""
        raise NotImplementedError

    def winners(self) -> tuple[int, ...]:
        """The seats that won; asking before the end raises ``NotOver``."""
        if self.actor is not None:
            raise NotOver("the game is not over: ask winners() when state.over is true")
        return self._winners()

    def leaders(self) -> tuple[int, ...]:
        """The seats that would win if the game, over or not, were scored as it stands."""
        return self._winners()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In IPython a state shows itself by its short text."""
        printer.text(str(self))

    def _winners(self) -> tuple[int, ...]:
        scores = self.scores()
        best = max(scores)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    def apply(self, action: A) -> Self:
        """The next state."""
        return self.step(action)[0]

    def chances(self) -> tuple[tuple[A, Fraction], ...]:
        """For a chance actor: every outcome with its exact probability; empty for others."""
        if self.actor is not CHANCE:
            return ()
        weights = self.weights()
        total = sum(weights)
        return tuple((action, Fraction(weight, total)) for action, weight in zip(self.actions(), weights, strict=True))

    def _check_draw_due(self) -> None:
        if self.actor is None:
            raise IllegalAction("core.over")
        if self.actor is not CHANCE:
            raise IllegalAction("core.player_first", seat=self.actor)

    def sample(self, rng: random.Random) -> A:
        """One outcome drawn from ``chances()``."""
        check_randomness(rng)
        self._check_draw_due()
        weights = self.weights()
        return self.actions()[outcome_at(weights, rng.randrange(sum(weights)))]


class Game:
    """A game of the house. One instance per game; subclasses fill in the class attributes and the verbs.

    Who holds a ``Game`` does not know which: its states are ``State[Any, Any]``. Each game's own class names its types.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    """Of the rules: changes when a record of the old rules may replay differently."""
    players: ClassVar[range]
    options: ClassVar[tuple[Option, ...]]
    bots: ClassVar[tuple[str, ...]]
    """Names of the bots made for this game, weakest first."""
    levels: ClassVar[tuple[str, ...]] = ()
    """Those of them that people choose from, weakest first: each has a name, a face and a temper on the page."""
    yardstick: ClassVar[str] = ""
    """The bot at which ratings are anchored; empty: at none."""
    score_name: ClassVar[str] = "score"
    """What a player's score is called in tables of data."""
    action_kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of actions that players have, in the order of ``actions()``; without them rows count every kind."""
    columns: ClassVar[tuple[Column, ...]] = ()
    """What :meth:`row` tells of a finished game."""
    state_type: ClassVar[type[State[Any, Any]]]
    action_type: ClassVar[Any]
    """The union of this game's actions, for decoding."""
    event_type: ClassVar[Any]
    """The union of this game's events, for decoding."""
    odds_type: ClassVar[Any] = None
    """The type of what :meth:`odds` tells; ``None`` for a game without odds."""
    hides: ClassVar[bool] = True
    """Whether a seat may know what others do not: then it matters through whose eyes a game is seen."""
    advice_type: ClassVar[Any] = None
    """The type of what :meth:`advice` tells; ``None`` for a game without advice."""
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Packages without which ``odds`` cannot be told, or a bot of this name cannot play."""
    position_notation: ClassVar[PositionNotation | None] = None
    """How :meth:`position` wants a position written, for those who are to write one."""

    @property
    def has_odds(self) -> bool:
        """Whether :meth:`odds` ever has something to tell."""
        return self.odds_type is not None

    @cached_property
    def tells_odds(self) -> bool:
        """Whether it can tell them with what is installed here."""
        return self.has_odds and self.can("odds")

    @property
    def has_advice(self) -> bool:
        """Whether :meth:`advice` has something to tell."""
        return self.advice_type is not None

    @property
    def has_coach(self) -> bool:
        """Whether play of this game can be judged with what is installed here; nothing is loaded for that."""
        return self.has_rollouts and type(self).coaching is not Game.coaching

    def can(self, what: str) -> bool:
        """Whether what this needs is installed here; nothing is loaded for that."""
        check_text("what a game can do", what)
        return all(find_spec(package) is not None for package in self.needs.get(what, ()))

    def new(self, players: int = 2, **options: Any) -> State[Any, Any]:
        """The first state of a game; ``BadOptions`` says what is wrong with the set-up."""
        raise NotImplementedError

    def parse(self, text: str) -> Action:
        """The action that ``text`` denotes; ``BadNotation`` otherwise."""
        raise NotImplementedError

    def position(self, text: str, details: Mapping[str, str] | None = None) -> State[Any, Any]:
        """The view or state that a position in notation denotes; ``BadNotation`` points at what is wrong.

        ``details`` is what a player at a real table may add, in writing and by name.
        """
        raise BadNotation(f"{self.name} has no notation for positions", text=text)

    def imagine(self, view: Any, rng: random.Random) -> State[Any, Any]:
        """A full state drawn uniformly among those that give this view."""
        raise NotImplementedError

    def draw(self, view: Any, *, seat: int | None = None, names: Sequence[str] = (), colour: bool = False) -> str:
        """The view as text for a terminal, as ``seat`` would look at it; with ANSI colours if asked.

        An empty line only separates parts: on a low screen it is left out.
        """
        raise NotImplementedError

    def picture(self, view: Any, *, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The view as an SVG picture, as ``seat`` would look at it; without one of its own, its text on paper."""
        from serai.core.drawing import printed

        return printed(self.draw(view, seat=seat, names=names))

    def tell(self, event: Any, names: Sequence[str] = ()) -> str:
        """The event as an English sentence, or an empty text for what needs no words in a terminal."""
        raise NotImplementedError

    def row(self, start: Any, end: Any) -> Mapping[str, Any]:
        """The game's own columns of a finished game: a number each, or one by seat."""
        return {}

    def measures(self, start: Any, end: Any) -> dict[str, int]:
        """What is worth counting over many games beside scores and victories, by its English name.

        ``start`` is the first state in which a player acts, ``end`` the last one.
        """
        return {}

    def odds(self, view: Any, details: Mapping[str, str] | None = None, *, actions: bool = True) -> Any:
        """The chances in a view, or in a position written as for :meth:`position`; ``None`` where nothing can be told.

        With ``actions`` also what each action is worth, which may ask for more than a position says.
        """
        return None

    def draw_odds(self, odds: Any, *, colour: bool = False) -> str:
        """What :meth:`odds` told, as text for a terminal; with ANSI colours if asked."""
        raise BadArgument(f"{self.name} has no odds to draw")

    def advice(self, view: Any) -> Any:
        """What helps whoever is to act in this view to see what they do: why not, how far, what comes.

        No odds and no plan; told from the view alone, the same every time. ``None`` for a game that has none.
        """
        return None

    def simulator(
        self,
        bots: Sequence[str],
        *,
        seed: str,
        rotate: bool = False,
        paired: bool = False,
        device: Device = "cpu",
        **options: Any,
    ) -> Simulator | None:
        """Something that plays these bots, one per seat, faster than the referee; ``None`` if one has no compiled twin.

        ``paired`` games rotate, and all rotations have the same chance. Games are the same on the device ``"gpu"``.
        """
        return None

    def batch(
        self, lanes: int, players: int | Sequence[int] = 4, *, device: Device = "cpu", **settings: Any
    ) -> Batch | None:
        """Many games stepped at once, for learning agents; ``None`` where a game has nothing for that.

        On the device ``"gpu"`` arrays stay there (:mod:`serai.core.gpu`).
        ``settings`` are those of :class:`serai.core.batch.Batch` (opponents, the learner's seat, the reward, threads …)
        and the game's options.
        """
        return None

    @property
    def encoding(self) -> Encoding[Any, Any] | None:
        """Actions and views as numbers, for learning; ``None`` where a game has no such numbers."""
        return None

    @property
    def has_rollouts(self) -> bool:
        """Whether :meth:`rollouts` can be asked, with what is installed here."""
        return type(self).rollouts is not Game.rollouts and self.can("rollouts")

    def rollouts(
        self,
        view: Any,
        actions: Sequence[Any] | None = None,
        n: int = 256,
        *,
        policy: str = "",
        seed: int = 0,
        first: int = 0,
        memory: Memory | None = None,
        threads: int = 1,
    ) -> Playouts:
        """Play on ``n`` times after each of ``actions`` (all legal ones, if none are given) of whoever is to act.

        Where that is chance, they are draws; ``None`` among them stands for doing nothing first: whoever is to act goes
        on as everybody does, and :data:`HABIT` for what it would do by itself. Hidden things are redrawn by belief,
        better informed with the ``memory`` of a seat that watched. ``policy`` names who plays on for everybody.
        Playouts are numbered from ``first``: the same seed and number mean the same chance, for every action and
        whoever asks, however many threads work on it.
        """
        raise NotImplementedError

    def memory(self, seat: int) -> Memory | None:
        """What makes the rollouts of a seat that watches every event better; ``None`` where views tell everything."""
        return None

    def coaching(self) -> Coaching | None:
        """What the coach has to know to judge play of this game by its rollouts; ``None``: it is not judged."""
        return None

    def pause(self, view: Any) -> float:
        """How long a considerate player thinks here, 1 being usual, by what an onlooker's ``view`` shows."""
        return 1.0

    def settled(self, players: int, given: dict[str, Any]) -> dict[str, Any]:
        """Every option with its value, ``given`` checked against the number of players."""
        if type(players) is not int or players not in self.players:
            least, most = self.players[0], self.players[-1]
            raise BadOptions("core.players", game=self.name, players=players, least=least, most=most)
        check_kind("the options", given, dict, "a dict of values by name")
        known = {option.name: option for option in self.options}
        for name, value in given.items():
            if name not in known:
                raise BadOptions("core.option.unknown", game=self.name, name=name, known=tuple(known))
            option = known[name]
            if not option.allows(value, players):
                kind = "core.option.choice" if option.type == "choice" else "core.option.type"
                raise BadOptions(kind, game=self.name, name=name, value=value, wanted=option.wanted(players))
        return {name: given.get(name, option.default) for name, option in known.items()}

    @cached_property
    def state_decoder(self) -> msgspec.json.Decoder[Any]:
        """Reads a state from JSON."""
        return msgspec.json.Decoder(self.state_type)

    @cached_property
    def action_decoder(self) -> msgspec.json.Decoder[Any]:
        """Reads an action from JSON."""
        return msgspec.json.Decoder(self.action_type)

    @cached_property
    def event_decoder(self) -> msgspec.json.Decoder[Any]:
        """Reads an event from JSON."""
        return msgspec.json.Decoder(self.event_type)

    def __repr__(self) -> str:
        return f"serai.game({self.name!r})"
