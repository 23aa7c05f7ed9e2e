"""What a game is: its values (states, actions, events) and the methods every game has.

A game subclasses :class:`State`, :class:`Action` and :class:`Event` and provides one :class:`Game` object.
Everything here is pure: randomness comes in as an argument, nothing reads a clock or a file.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

import msgspec

from serai.core.arguments import check_details, check_kind, check_randomness, check_state, check_text, seed_number
from serai.core.chance import CHANCE, Actor, outcome_at
from serai.core.option import Option
from serai.core.parts import A, Advice, Coach, Compiled, E, Odds, Part, S, T, Text
from serai.core.rollouts import Habit, Memory, Playouts, check_playouts, plain_rollouts
from serai.errors import BadArgument, BadNotation, BadOptions, IllegalAction, NotOver

if TYPE_CHECKING:
    from serai.core.notation import PositionNotation


class Action(msgspec.Struct, frozen=True):
    """One thing an actor can do. ``str(action)`` is its notation; subclasses are Structs tagged with its first word."""

    if TYPE_CHECKING:
        kind: ClassVar[str]
        """The first word of the notation, which is also the tag on the wire. Where a subclass gives it the type of that
        one word, a check of the kind tells an editor the class."""
    else:

        @property
        def kind(self) -> str:
            return self.__struct_config__.tag

    def seen_by(self, seat: int | None, actor: int | None = None) -> Self:
        """The action as ``seat`` may see it (``None``: an onlooker), when ``actor`` did it.

        Without ``actor`` the viewer is taken to be somebody else, so nothing hidden is shown.
        """
        return self


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, for narration and animation; subclasses are tagged Structs."""

    def seen_by(self, seat: int | None) -> Self:
        """The event as ``seat`` may see it (``None``: an onlooker)."""
        return self


_LISTED = 6
"""Legal actions that an error names."""


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """A tuple with one value replaced: states are immutable."""
    return (*values[:place], value, *values[place + 1 :])


class State(msgspec.Struct, Generic[A, E], frozen=True):
    """A position of a game with actions ``A`` and events ``E``: immutable, hashable, comparable.

    A view is a state with blanks (``None``).
    """

    actor: Actor
    options: Any
    """The options of the set-up, as a Struct."""

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.scores())

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
        """IPython shows the short text of a state."""
        printer.text(str(self))

    def _winners(self) -> tuple[int, ...]:
        scores = self.scores()
        best = max(scores)
        return tuple(seat for seat, score in enumerate(scores) if score == best)

    def apply(self, action: A | str) -> Self:
        """The next state. An action may be written in notation; ``IllegalAction`` if it is not among the legal ones."""
        return self.step(self._written(action) if isinstance(action, str) else action)[0]

    def _written(self, notation: str) -> A:
        """The legal action of this notation."""
        words = " ".join(notation.split())
        legal = self.actions()
        for action in legal:
            if str(action) == words:
                return action
        raise IllegalAction("core.written", written=notation, legal=tuple(map(str, legal[:_LISTED])), count=len(legal))

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


class Column(msgspec.Struct, frozen=True):
    """A column in the table of many games: one number per game, or one for each of its seats."""

    name: str
    meaning: str
    """As an English phrase."""
    by_seat: bool = False
    labels: tuple[str, ...] = ()
    """The meanings of its values 0, 1, …, where it is a choice."""
    type: str = "i2"
    """As NumPy writes it."""


class Game(Generic[S, A, E]):
    """The rules of one game, with its optional parts. There is one instance per game.

    A game fills in the class attributes, :meth:`parse`, and the methods whose names begin with an underscore: their
    arguments are checked here. Optional parts are objects, or ``None`` where a game has none.
    """

    name: ClassVar[str]
    version: ClassVar[str]
    """Of the rules: it changes when a record of the old rules may replay differently."""
    earlier: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Earlier versions of the rules under which games are still played and replayed here. By version: the options that
    had another default, with it. A table or record that leaves an option out keeps the default of its own version."""
    players: ClassVar[range]
    options: ClassVar[tuple[Option, ...]]
    state_type: ClassVar[type[State[Any, Any]]]
    action_type: ClassVar[Any]
    """The union of this game's actions, for decoding."""
    event_type: ClassVar[Any]
    """The union of this game's events, for decoding."""
    hides: ClassVar[bool] = True
    """Whether a seat may know what others do not, so that views differ."""
    position_notation: ClassVar[PositionNotation | None] = None
    """How :meth:`position` wants a position written; ``None`` where a game has no such notation."""

    bots: ClassVar[tuple[str, ...]]
    """Names of the bots made for this game, weakest first."""
    levels: ClassVar[tuple[str, ...]] = ()
    """The bots that people choose from, weakest first: each has a name and a face on the page."""
    company: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By level: who plays at a table where only the level was chosen: itself, then others that are about as strong."""
    bots_called: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By bot: what the page calls it in other languages; no person sits down under such a name."""
    against_bots: ClassVar[Mapping[str, Any]] = {}
    """The options, off their defaults, of a game that is begun against bots without any questions."""
    bot_packages: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By bot: the packages it needs, which the extra ``fast`` brings. Others need none."""
    bot_seconds: ClassVar[Mapping[str, float]] = {}
    """By bot that has much to compile: about how many seconds of one core its first decision takes on a new machine,
    after those of the weaker bots."""
    benchmark: ClassVar[tuple[tuple[str, int], ...]] = ()
    """The opponents of ``serai benchmark``, without clocks, and how many games are played against each at a table."""
    yardstick: ClassVar[str] = ""
    """The bot at which ratings are anchored; empty: none."""

    score_name: ClassVar[str] = "score"
    """What a player's score is called in tables of data."""
    action_kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of players' actions, in the order of ``actions()``; if empty, tables of data count every kind."""
    columns: ClassVar[tuple[Column, ...]] = ()
    """The values of :meth:`row`."""
    measures: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """What is counted over many games besides scores and victories, by its English name: the columns whose sum it is,
    over all seats."""

    text: Text[S, E] = Text()
    """Words and pictures: ``game.text.draw(view)``."""
    odds: Odds[S, Any] | None = None
    """Exact chances: ``game.odds(view)``."""
    advice: Advice[S, Any] | None = None
    """What a player may be shown before acting: ``game.advice(view)``."""
    compiled: Compiled[S] | None = None
    """Many games at once: ``game.compiled.batch(64)``, ``game.compiled.simulator(bots, seed="1")``."""
    coach: Coach | None = Coach()
    """How play is judged; ``None`` where it is not."""

    def __init__(self) -> None:
        for name in ("text", "odds", "advice", "compiled", "coach"):
            part: Part | None = getattr(self, name)
            setattr(self, name, part and part.bound(self, name))

    @property
    def encoding(self) -> Any:
        """Actions and views as numbers (:class:`serai.lab.encoding.Encoding`); ``None`` where a game has none."""
        return None

    def new(self, players: int = 2, **options: Any) -> S:
        """The first state of a game; ``BadOptions`` says what is wrong with the set-up."""
        return self._new(players, self.settled(players, options))

    def plays(self, version: str) -> bool:
        """Whether games under this version of the rules can be played here."""
        return version == self.version or version in self.earlier

    def options_under(self, version: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a game under this version of the rules: those ``given``, and what its defaults were then."""
        return {**given, **{name: then for name, then in self.earlier.get(version, {}).items() if name not in given}}

    def parse(self, text: str) -> A:
        """The action that ``text`` denotes; ``BadNotation`` otherwise."""
        raise NotImplementedError

    def position(self, text: str, details: Mapping[str, str] | None = None, *, players: int | None = None) -> S:
        """The view or state that a position in notation denotes; ``BadNotation`` points at what is wrong.

        ``details`` is what a player at a real table may add, as text by name. ``players`` says how many sit there,
        where the notation does not.
        """
        check_text("a position", text)
        check_details(details)
        if players is not None:
            self.settled(players, {})
        return self._position(text, details or {}, players)

    def imagine(self, view: S, rng: random.Random) -> S:
        """A full state drawn uniformly among those that give this view."""
        check_state(self, view)
        check_randomness(rng)
        return self._imagine(view, rng)

    def rollouts(
        self,
        view: S,
        actions: Sequence[A | Habit | None] | None = None,
        n: int = 256,
        *,
        policy: str = "",
        seed: int | str = 0,
        first: int = 0,
        memory: Memory | None = None,
        threads: int = 1,
        **settings: Any,
    ) -> Playouts[A]:
        """Play on ``n`` times after each of ``actions`` of the seat to act (all legal ones, if none are given).

        Where chance is to act, they are draws. ``None`` among them means that nothing is done first, :data:`HABIT`
        what the seat would do by itself. ``policy`` names who plays on for every seat. Hidden things are redrawn: by
        belief where code is compiled, better informed with the ``memory`` of a seat that watched; otherwise by
        :meth:`imagine`. Playouts are numbered from ``first``: the same seed and number mean the same chance for every
        action, whatever the number of threads. ``settings`` are those of a game's compiled rollouts.
        """
        check_state(self, view)
        check_playouts(n=n, first=first, threads=threads, policy=policy)
        seed = seed_number(seed)
        wanted = view.actions() if actions is None else actions
        if self.compiled is None:
            if settings:
                raise BadArgument(f"rollouts of {self.name} have no setting {next(iter(settings))!r}")
            return plain_rollouts(self, view, wanted, n, policy=policy, seed=seed, first=first)
        self.compiled.need("rollouts")
        return self.compiled.rollouts(
            view, wanted, n, policy=policy, seed=seed, first=first, memory=memory, threads=threads, **settings
        )

    def memory(self, seat: int) -> Memory | None:
        """An empty memory that improves the rollouts of a seat that watches every event; ``None`` if it would not."""
        return None if self.compiled is None else self.compiled.memory(seat)

    def row(self, start: S, end: S) -> Mapping[str, Any]:
        """The game's own columns of a finished game: a number each, or one by seat.

        ``start`` is the first state in which a player acts, ``end`` the last state.
        """
        check_state(self, start)
        check_state(self, end)
        return self._row(start, end)

    def pause(self, view: S) -> float:
        """How long a bot pretends to think in this position, 1 being usual, by what an onlooker's ``view`` shows."""
        check_state(self, view)
        return self._pause(view)

    def _new(self, players: int, options: dict[str, Any]) -> S:
        """The first state; every option has a valid value."""
        raise NotImplementedError

    def _position(self, text: str, details: Mapping[str, str], players: int | None) -> S:
        raise BadNotation(f"{self.name} has no notation for positions", text=text)

    def _imagine(self, view: S, rng: random.Random) -> S:
        """A game that hides nothing need not define this: the view is the state."""
        if self.hides:
            raise NotImplementedError
        return view

    def _row(self, start: S, end: S) -> Mapping[str, Any]:
        return {}

    def _pause(self, view: S) -> float:
        return 1.0

    def settled(self, players: int, given: dict[str, Any]) -> dict[str, Any]:
        """The value of every option: those ``given``, which are checked, and the defaults of others."""
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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by name: there is one instance."""
        from serai.core.registry import game

        return game, (self.name,)
