"""What a game may bring besides its rules: words and pictures, odds, advice, compiled code, coaching.

Each part stands on its :class:`~serai.core.Game` as one object, or as ``None`` where a game has none. The methods here
check their arguments; a game implements those whose names begin with an underscore.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, NamedTuple, Self, TypeVar, get_args

import msgspec

from serai.core.arguments import (
    MAX_PLIES,
    check_details,
    check_kind,
    check_listed,
    check_max_plies,
    check_names,
    check_seat,
    check_seed,
    check_state,
    check_text,
    check_whole,
)
from serai.errors import BadArgument, BadOptions, missing, need, phrase, sentence

if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultTypeVar

    from serai.core.game import Action, Event, Game, State
    from serai.core.play import Ply
    from serai.core.rollouts import Memory, Playouts

if TYPE_CHECKING:  # where a game is not known, neither are its types: a bare ``Game`` or ``State`` says so
    A = DefaultTypeVar("A", bound="Action", default=Any)
    E = DefaultTypeVar("E", bound="Event", default=Any)
    S = DefaultTypeVar("S", bound="State[Any, Any]", default=Any)
    T = DefaultTypeVar("T", default=Any)
else:
    A, E, S, T = TypeVar("A"), TypeVar("E"), TypeVar("S"), TypeVar("T")


class Part:
    """One optional part of a game, which every ``Game`` object binds to itself."""

    packages: ClassVar[tuple[str, ...]] = ()
    """The packages it needs, all of which the extra ``fast`` brings."""
    game: Game
    name: str
    """What the game calls it."""

    def bound(self, game: Game, name: str) -> Self:
        """A copy that belongs to ``game``, under the name that it has there."""
        part = copy(self)
        part.game, part.name = game, name
        return part

    @cached_property
    def available(self) -> bool:
        """Whether it works with what is installed here; nothing is loaded to find out."""
        return not missing(self.packages)

    def need(self, what: str = "") -> None:
        """Raise ``MissingExtra`` unless it is available; ``what`` says what for."""
        if not self.available:
            need("fast", f"{self.game.name}'s {what or self.name}", *self.packages)


def works(part: Part | None) -> bool:
    """Whether a game has this part, and it works with what is installed here."""
    return part is not None and part.available


class Text(Part, Generic[S, E]):
    """A game in words and pictures; as it is here, states are shown as text and events have no sentences."""

    def draw(self, view: S, *, seat: int | None = None, names: Sequence[str] = (), colour: bool = False) -> str:
        """The view as text for a terminal, from where ``seat`` sits; with ANSI colours if asked.

        Empty lines only separate parts: a low screen leaves them out.
        """
        self._check(view, seat, names)
        return self._draw(view, seat, names, colour)

    def picture(self, view: S, *, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The view as an SVG picture, from where ``seat`` sits."""
        self._check(view, seat, names)
        return self._picture(view, seat, names)

    def tell(self, event: E, names: Sequence[str] = ()) -> str:
        """The event as an English sentence; empty for an event that needs no words in a terminal."""
        from serai.core.game import Event

        check_kind("what is told", event, Event, "an event, as state.step(action) returns them")
        check_names(names)
        return self._tell(event, names)

    def _draw(self, view: S, seat: int | None, names: Sequence[str], colour: bool) -> str:
        return str(view)

    def _picture(self, view: S, seat: int | None, names: Sequence[str]) -> str:
        """Unless a game has its own: the text on paper."""
        from serai.drawing import printed

        return printed(self._draw(view, seat, names, False))

    def _tell(self, event: E, names: Sequence[str]) -> str:
        return ""

    def _check(self, view: Any, seat: int | None, names: Sequence[str]) -> None:
        check_state(self.game, view)
        check_seat(seat, view.players)
        check_names(names)


class Odds(Part, Generic[S, T]):
    """Exact chances: ``game.odds(view)``."""

    type: ClassVar[Any]
    """The type of the answer, for decoding."""

    def __call__(self, view: S | str, details: Mapping[str, str] | None = None, *, actions: bool = True) -> T | None:
        """The chances in a view, or in a position written as for :meth:`Game.position`; ``None`` where there are none.

        With ``actions`` also what each action is worth, which may need more than a position says.
        """
        check_details(details)
        if not isinstance(view, str):
            check_state(self.game, view)
        self.need()
        return self._find(view, details or {}, actions)

    def draw(self, odds: T, *, colour: bool = False) -> str:
        """The answer as text for a terminal; with ANSI colours if asked."""
        check_kind("what is drawn", odds, self.type, "odds, as game.odds(view) finds them")
        return self._draw(odds, colour)

    def _find(self, view: S | str, details: Mapping[str, str], actions: bool) -> T | None:
        raise NotImplementedError

    def _draw(self, odds: T, colour: bool) -> str:
        raise BadArgument(f"the odds of {self.game.name} cannot be drawn")


class Advice(Part, Generic[S, T]):
    """What helps the seat to act see what it does: ``game.advice(view)``. No odds and no plan."""

    type: ClassVar[Any]
    """The type of the answer, for decoding."""

    def __call__(self, view: S) -> T:
        """Why something cannot be done, how far one gets, what comes next: from the view alone, always the same."""
        check_state(self.game, view)
        self.need()
        return self._advise(view)

    def _advise(self, view: S) -> T:
        raise NotImplementedError


Device = Literal["cpu", "gpu"]
"""Where compiled games run. A GPU needs the extra ``gpu``."""


class Compiled(Part, Generic[S]):
    """The game as compiled code: many games at once, and fast rollouts."""

    packages: ClassVar[tuple[str, ...]] = ("numpy", "numba")
    twins: ClassVar[Collection[str]] = ()
    """The bots that compiled code can play."""
    twins_on_gpu: ClassVar[Collection[str]] = ()
    """The bots that compiled code can play on a GPU."""

    def simulator(
        self,
        bots: Sequence[str],
        *,
        seed: int | str,
        rotate: bool = False,
        paired: bool = False,
        max_plies: int = MAX_PLIES,
        device: Device = "cpu",
        **options: Any,
    ) -> Any:
        """A :class:`serai.lab.simulator.Simulator` of these bots, one per seat; ``None`` if one has no twin.

        ``paired`` games rotate, and all rotations have the same chance. A game is cut short when it has had
        ``max_plies`` actions. Games are the same on every device.
        """
        names = check_listed("bots", bots, "['quick', 'random']")
        for name in names:
            check_text("a bot of a simulator", name)
        check_seed(seed)
        settled = self.game.settled(len(names), options)
        gpu = on_gpu(device)
        check_max_plies(max_plies)
        if not set(names) <= set(self.twins):
            return None
        self.need("compiled games")
        unable = tuple(sorted(set(names) - set(self.twins_on_gpu))) if gpu else ()
        if unable:
            raise BadOptions("core.device.bots", bots=unable, able=tuple(self.twins_on_gpu))
        return self._simulator(names, str(seed), settled, rotate=rotate, paired=paired, max_plies=max_plies, on_gpu=gpu)

    def batch(
        self,
        lanes: int,
        players: int | Sequence[int] = 4,
        *,
        device: Device = "cpu",
        opponents: str | Sequence[str] | None = None,
        seat: int | Literal["rotate"] | None = None,
        reward: str | Mapping[str, float] | None = None,
        seed: int | str = 0,
        first_game: int = 0,
        stride: int | None = None,
        restart: bool = True,
        packed: bool = False,
        threads: int = 1,
        max_plies: int = MAX_PLIES,
        max_steps: int | None = None,
        buffers: Any = None,
        check: bool = True,
        **options: Any,
    ) -> Any:
        """A :class:`serai.lab.batch.Batch` of ``lanes`` games stepped at once, for learning agents.

        ``players`` may be several numbers, which games have in turn; ``options`` are those of the game. Without
        ``opponents`` the caller acts for every seat; with them (a compiled bot's name for all, or one for each) for one
        seat, which moves on from game to game unless ``seat`` says which. ``reward`` is a name or a sum of them
        (:mod:`serai.lab.rewards`; default: the score). Lanes begin with the games ``first_game`` and on of the
        ``seed``; with ``restart`` a lane goes on with the game ``stride`` numbers later (default: ``lanes``).
        ``packed`` observations have 8 bits. A game is cut short after ``max_plies`` actions, or ``max_steps`` of the
        caller. ``buffers`` are arrays of the caller (:meth:`buffers`). On a GPU arrays stay there
        (:mod:`serai.lab.gpu`), and without ``check`` actions are not looked at.
        """
        gpu = on_gpu(device)
        known = [option.name for option in self.game.options]
        for name in options:
            if name not in known:
                raise BadOptions("core.batch.setting", game=self.game.name, name=name, known=(*_SETTINGS, *known))
        self.need("batches")
        settings = {
            "opponents": opponents,
            "seat": seat,
            "reward": reward,
            "seed": seed,
            "first_game": first_game,
            "stride": stride,
            "restart": restart,
            "packed": packed,
            "threads": threads,
            "max_plies": max_plies,
            "max_steps": max_steps,
            "buffers": buffers,
        }
        if gpu:
            settings["check"] = check
        elif not check:
            raise BadOptions("core.batch.check")
        return self._batch(lanes, players, settings | options, gpu)

    def memory(self, seat: int) -> Memory | None:
        """An empty memory for a seat, to be filled by ``watch(event)``; ``None`` where views show everything."""
        check_whole("a seat", seat, 0, self.game.players[-1] - 1)
        return self._memory(seat)

    def rollouts(self, *arguments: Any, **settings: Any) -> Playouts:
        """What :meth:`serai.core.Game.rollouts` returns; that has checked the arguments, ``memory`` included."""
        raise NotImplementedError

    def _simulator(self, bots: tuple[str, ...], seed: str, options: dict[str, Any], *, on_gpu: bool, **how: Any) -> Any:
        raise NotImplementedError

    def _batch(self, lanes: int, players: int | Sequence[int], settings: dict[str, Any], on_gpu: bool) -> Any:
        raise NotImplementedError

    def _memory(self, seat: int) -> Memory | None:
        return None


class Reason(msgspec.Struct, frozen=True):
    """Something that speaks for or against an action: a key with plain values, so that any language can say it."""

    key: str
    values: Mapping[str, Any]
    exact: bool = False
    """Whether its figures are counted out, not estimated."""
    weight: float = 0.0
    """By how much it speaks for the action it explains, below 0 against it, in shares of victory; 0: not weighed."""

    def __str__(self) -> str:
        return self.said()

    def said(self, names: Sequence[str] = ()) -> str:
        """In English, with these names of the seats.

        A reason that was read from a file may be said before its game, which brings the sentence.
        """
        from serai.core.registry import game, games

        for name in games():
            if name in self.key.split("."):
                game(name)
        values = {
            name: _seats_said(value, names)
            if name in SEAT_VALUES
            else tuple(value)
            if isinstance(value, list)
            else value
            for name, value in self.values.items()
        }
        return sentence(self.key, values)


SEAT_VALUES: Final = frozenset({"seat", "seats", "thief", "victim"})
"""The values of reasons that are a seat, or several."""


def _seats_said(value: Any, names: Sequence[str]) -> str:
    seats = value if isinstance(value, tuple | list) else (value,)
    return " and ".join(names[seat] if names else f"seat {seat}" for seat in seats)


class PartGroup(NamedTuple):
    """A part of what playouts bring a seat, such as its leg tiles."""

    name: str
    places: tuple[int, ...]
    """The places of :attr:`serai.core.rollouts.Playouts.parts` that belong to it."""
    score: bool = True
    """Whether it is part of the score; otherwise it only counts for the chance of victory."""
    items: tuple[tuple[int, ...], ...] = ()
    """The places that are one thing together, such as what a card costs and what it pays; empty: each by itself."""


class Contrast(NamedTuple):
    """By how much one part of what a seat gets differs between two actions."""

    part: str
    seats: tuple[int, ...]
    """Who gets it: a seat, or several rivals together."""
    amount: float
    """How much more it gets, in pounds or points."""
    worth: float
    """What that is worth to the seat that decides, in shares of victory."""
    detail: int | None
    """The last place of the one thing that it is; ``None`` if it is several things together."""
    rest: bool = False
    """Whether it is what a part brings beside the thing that stands out in it."""
    shares: tuple[tuple[int, float], ...] = ()
    """What the things that it is made of bring, each by its last place."""


class Finding(msgspec.Struct, frozen=True):
    """Something in a seat's play that no single decision shows."""

    seat: int
    first: int
    """The place in the record of the first action that it is about."""
    last: int
    reason: Reason
    """What it is, to be said after the seat's name."""


class _LevelRates(msgspec.Struct):
    rates: dict[str, float]


class Coach(Part, Generic[S, A]):
    """How play of one game is judged: as it is here, by short random playouts and without reasons."""

    policy: ClassVar[str] = ""
    """The policy that plays on for every seat, by its name for :meth:`serai.core.Game.rollouts`."""
    playouts: ClassVar[int] = 48
    """Playouts of a position at the usual effort."""
    compared: ClassVar[int] = 96
    """Playouts of each of the best alternatives, whose differences are less noisy than positions are."""
    thorough: ClassVar[int | None] = 100
    """Actions up to which a game is judged with all these playouts; in longer ones positions get fewer and not
    all decisions are judged, so that a review takes no longer. ``None``: no such limit."""
    parameters: str = ""
    """What judgements depend on besides the code: other parameters, another evaluator."""
    reference: ClassVar[str] = ""
    """The level that plays most as the policy does: among such players its chances hold."""
    difficulty: ClassVar[float] = 0.05
    """What the policy itself loses in a decision of an even game: its error rate."""
    points: ClassVar[float | None] = None
    """The points (or pounds) that weigh as much as a victory where victory is as good as decided; ``None``: they never
    count."""
    fewest_actions: ClassVar[int] = 2
    """The fewest legal actions of an exercise: fewer are hardly a choice."""
    parts: ClassVar[tuple[PartGroup, ...]] = ()
    """What its rollouts count for reasons when they are asked for ``parts``; empty: nothing."""

    @cached_property
    def level_rates(self) -> Mapping[str, float]:
        """By level, weakest first: what it lost, beside its :meth:`measure`, in games among the levels.

        A bench measures them and writes the file ``level_rates.json``.
        """
        from serai.core.registry import game_data

        text = game_data(self.game, "level_rates.json")
        return {} if text is None else msgspec.json.decode(text, type=_LevelRates).rates

    @property
    def explains(self) -> bool:
        """Whether it gives reasons."""
        return bool(self.parts) or type(self).reasons is not Coach.reasons

    def alternatives(self, view: S) -> Sequence[A]:
        """The legal actions that are worth a look."""
        return view.actions()

    def kind(self, action: A) -> str:
        """The kind under which a summary counts a decision."""
        return action.kind

    def theme(self, view: S, action: A) -> str:
        """The skill that finding this action trains."""
        return self.kind(action)

    def measure(self, as_hard: float, at_stake: float) -> float:
        """What losses are divided by when a player is compared with the levels.

        The decisions that were made are as hard as ``as_hard`` decisions of an even game, and as much was at stake as
        in ``at_stake`` of them.
        """
        return as_hard

    def idles(self, view: S, action: A) -> bool:
        """Whether this action lets time pass without getting anywhere."""
        return False

    def gets_on(self, view: S, action: A) -> bool:
        """Whether this action gets somewhere: where playouts see no difference, it is better advice than to idle."""
        return False

    def advice(self, action: A) -> object | None:
        """A key, equal for actions that are one piece of advice as long as they can be done; ``None``: always new."""
        return None

    def findings(self, plies: Sequence[Ply], seats: Sequence[int]) -> list[Finding]:
        """What there is to say about the play of these seats besides single decisions, by what they could see."""
        return []

    def alike(self, outcome: Any) -> Any:
        """A key, equal for outcomes of a draw that differ in name only: one of them is judged for all."""
        return outcome

    def reasons(self, view: S, actions: Sequence[A]) -> list[tuple[Reason, ...]]:
        """For each action of the seat to act: what speaks for or against it, by what its ``view`` shows.

        Unless the coach has :attr:`parts`.
        """
        return [() for _ in actions]

    def worths(self, playouts: Playouts, seat: int, place: int, rival: int) -> Any:
        """What the difference between two actions (by their places) is worth to ``seat``, by seat and place of parts.

        An array of shares of victory.
        """
        raise NotImplementedError

    def told(self, view: S, contrast: Contrast, playouts: Playouts, place: int, rival: int) -> Reason | None:
        """The reason that this contrast between two actions is; ``None`` if it is too small to be one."""
        raise NotImplementedError

    def aside(self, reason: Reason) -> bool:
        """Whether this reason says too little to be told first or alone; as it is here, none does."""
        return False

    def instead(self, view: S, playouts: Playouts, chosen: int, reasons: Sequence[Reason]) -> Reason | None:
        """What the action that was played brings by itself, beside the ``reasons`` for a better one."""
        return None

    def follow_up(self, view: S, playouts: Playouts, place: int, chosen: int | None) -> Reason | None:
        """How the seat to act usually goes on after an action, where that is what makes the action good.

        ``chosen`` is the place of the action that was played, if another one was.
        """
        return None


def compiled(game: Game) -> Compiled[Any]:
    """The compiled code of a game; ``BadArgument`` where it has none."""
    if game.compiled is None:
        raise BadArgument(f"{game.name} has no compiled code")
    return game.compiled


def on_gpu(device: str) -> bool:
    """Whether this device is a GPU; an error if there is no such device, or the extra ``gpu`` is missing."""
    if device not in get_args(Device):
        raise BadOptions("core.device", device=device, known=get_args(Device))
    if device == "gpu":
        need("gpu", "games on a GPU", "numba_cuda")
    return device == "gpu"


_SETTINGS = tuple(
    name for name, parameter in signature(Compiled.batch).parameters.items() if parameter.kind is parameter.KEYWORD_ONLY
)

phrase(
    {
        "coach.even": "about equal: a matter of taste",
        "coach.many": "many small things add up",
        "coach.biggest": "no single main reason; the biggest parts",
        "coach.decisive_more": "it pays when that decides the game",
        "coach.decisive_less": "it pays mostly when the game is decided anyway",
        "core.batch.setting": "a batch of {game} has no setting {name!r}; its settings and options: {known}",
        "core.batch.check": "actions of a batch on the CPU are always checked: leave 'check' out",
        "core.device": "a device is one of {known}, not {device!r}",
        "core.device.bots": "on a GPU {bots} cannot play; those that can: {able}",
    }
)
