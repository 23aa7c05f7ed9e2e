"""Camel Up as a :class:`serai.core.Game`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from serai.camelup.actions import AnyAction
from serai.camelup.events import AnyEvent
from serai.camelup.kernel.layout import LIGHT_POLICIES, POLICIES
from serai.camelup.memory import RaceMemory
from serai.camelup.notation import NOTATION
from serai.camelup.odds import load_report
from serai.camelup.odds.answer import Odds
from serai.camelup.odds.situation import DIFFERENT_OWNERS, POSITION_NOTATION, parse_details, situation
from serai.camelup.pieces import CAMEL_NAMES, CAMELS, PLAYERS
from serai.camelup.position import parse_position
from serai.camelup.rules import CamelUpState, Cards, Hand, Options, new_state
from serai.camelup.track import ranking
from serai.core import Game, Option, PositionNotation, Simulator
from serai.core.checks import (
    check_details,
    check_kind,
    check_names,
    check_randomness,
    check_seat,
    check_state,
    check_text,
    check_whole,
)
from serai.core.device import Device, on_gpu
from serai.core.errors import MissingExtra
from serai.core.game import Event
from serai.core.playouts import Habit, Memory, Playouts, check_playouts
from serai.core.rows import Column
from serai.core.simulation import check_entrants

if TYPE_CHECKING:
    from serai.camelup.encoding import CamelUpEncoding
    from serai.core.batch import Batch
    from serai.core.coaching import Coaching

LEGS = "legs"
WINNER_START = "start of the winning camel"
_NEAR = 14
"""From here one roll may end the race."""


class CamelUp(Game):
    """The camel race of 2014 for 2 to 8 players."""

    name = "camelup"
    version = "1"
    players = PLAYERS
    options: ClassVar[tuple[Option, ...]] = (
        Option("first", "seat", 0, "camelup.option.first"),
        Option("hide_money", "bool", False, "camelup.option.hide_money"),
    )
    yardstick = "quick"
    levels = ("jerboa", "donkey", "fennec", "cheetah", "cobra")
    bots = ("random", "jerboa", "donkey", "fennec", "quick", "greedy", "cheetah", "cobra")
    score_name = "money"
    action_kinds = ("leg", "oasis", "mirage", "roll", "winner", "loser")
    columns: ClassVar[tuple[Column, ...]] = (
        Column("first", "the camel that won the race", labels=CAMEL_NAMES, type="u1"),
        Column("last", "the camel that lost it", labels=CAMEL_NAMES, type="u1"),
        Column("legs", "how many legs the race had", type="u1"),
        Column("first_start", "in which place, from 1, the winning camel stood when the race began", type="u1"),
    )
    state_type: ClassVar[type[CamelUpState]] = CamelUpState
    action_type: ClassVar[Any] = AnyAction
    event_type: ClassVar[Any] = AnyEvent
    odds_type: ClassVar[Any] = Odds
    needs = dict.fromkeys(("odds", "donkey", "quick", "greedy"), ("numpy",)) | dict.fromkeys(
        ("rollouts", "fennec", "cheetah", "cobra"), ("numpy", "numba")
    )
    position_notation: ClassVar[PositionNotation | None] = POSITION_NOTATION

    def new(self, players: int = 2, **options: Any) -> CamelUpState:
        """The state before the five set-up dice."""
        return new_state(players, Options(**self.settled(players, options)))

    def parse(self, text: str) -> AnyAction:
        """The action that ``text`` denotes."""
        return NOTATION.parse(text)

    def position(self, text: str, details: Mapping[str, str] | None = None) -> CamelUpState:
        """The position as seat 0 would see it at the start of a leg.

        ``details`` say otherwise: ``cards`` in hand, leg tiles ``taken``, cards on the ``decks``, one's ``own_tile``.
        """
        check_text("a position", text)
        check_details(details)
        return situation(parse_position(text), **parse_details(details or {}))

    def imagine(self, view: CamelUpState, rng: random.Random) -> CamelUpState:
        """Deal every player's hidden cards out anew, each way equally likely."""
        check_state(self, view)
        check_randomness(rng)
        decks = {"winner_deck": list(view.winner_deck), "loser_deck": list(view.loser_deck)}
        hands: list[Hand] = []
        for seat, hand in enumerate(view.hands):
            blanks = [
                (deck, place)
                for deck, cards in decks.items()
                for place, card in enumerate(cards)
                if card == (seat, None)
            ]
            if not blanks and None not in hand:
                hands.append(hand)
                continue
            colours = rng.sample(CAMELS, len(CAMELS))
            for (deck, place), camel in zip(blanks, colours, strict=False):
                decks[deck][place] = (seat, camel)
            hands.append(tuple(sorted(colours[len(blanks) :])))
        full: dict[str, Cards] = {name: tuple(cards) for name, cards in decks.items()}
        return msgspec.structs.replace(view, hands=tuple(hands), **full)

    def draw(
        self, view: CamelUpState, *, seat: int | None = None, names: Sequence[str] = (), colour: bool = False
    ) -> str:
        """The track with its stacks, the bets and the players."""
        from serai.camelup.terminal import draw

        check_state(self, view)
        check_seat(seat, view.players)
        check_names(names)

        return draw(view, seat=seat, names=names, colour=colour)

    def picture(self, view: CamelUpState, *, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The track with its stacks, bets, purses and race cards."""
        from serai.camelup.picture import draw_picture

        return draw_picture(view, seat=seat, names=names)

    def odds(
        self, view: CamelUpState | str, details: Mapping[str, str] | None = None, *, actions: bool = True
    ) -> Odds | None:
        """Exact odds of leg and race and the expected pounds of every action, while a leg is running."""
        check_details(details)
        if isinstance(view, str):
            return _odds_of_position(view, details or {}, actions)
        check_state(self, view)
        if view.over or view.leg == 0:
            return None
        return load_report().odds(view, actions=actions)  # type: ignore[no-any-return]

    def draw_odds(self, odds: Odds, *, colour: bool = False) -> str:
        """The chances of every camel with bars, and the actions by their worth."""
        from serai.camelup.odds.drawing import draw_odds

        check_kind("what is drawn", odds, Odds, "odds, as game.odds(view) tells them")

        return draw_odds(odds, colour=colour)

    def tell(self, event: AnyEvent, names: Sequence[str] = ()) -> str:
        """The event as an English sentence."""
        from serai.camelup.telling import tell

        check_kind("what is told", event, Event, "an event, as state.step(action) tells them")
        check_names(names)

        return tell(event, names)

    def row(self, start: CamelUpState, end: CamelUpState) -> Mapping[str, Any]:
        """Which camels won and lost, the legs, and where the winner came from."""
        check_state(self, start)
        check_state(self, end)
        order = ranking(end.track)
        started = ranking(start.track).index(order[0]) + 1
        return {"first": order[0], "last": order[-1], "legs": end.leg, "first_start": started}

    def measures(self, start: CamelUpState, end: CamelUpState) -> dict[str, int]:
        """How many legs the race had, and in which place its winner stood when it began."""
        check_state(self, start)
        check_state(self, end)
        winner = ranking(end.track)[0]
        return {LEGS: end.leg, WINNER_START: ranking(start.track).index(winner) + 1}

    def rollouts(
        self,
        view: CamelUpState,
        actions: Sequence[AnyAction | Habit | None] | None = None,
        n: int = 256,
        *,
        policy: str = "",
        seed: int = 0,
        first: int = 0,
        memory: Memory | None = None,
        threads: int = 1,
        whole: bool = False,
    ) -> Playouts:
        """To the end of the leg, where a fitted value tells the chance of victory; with ``whole`` of the race."""
        check_state(self, view)
        check_playouts(n=n, seed=seed, first=first, threads=threads, policy=policy)
        if not self.can("rollouts"):
            raise MissingExtra("rollouts", "numba", "fast")
        from serai.camelup.rollouts import rollouts

        known = memory if isinstance(memory, RaceMemory) else None
        return rollouts(
            view, actions, n, policy=policy, seed=seed, first=first, memory=known, threads=threads, whole=whole
        )

    def memory(self, seat: int) -> RaceMemory:
        """How the race stood when each card was laid."""
        check_whole("a seat", seat, 0, PLAYERS[-1] - 1)
        return RaceMemory()

    def coaching(self) -> Coaching:
        """By playouts of a leg and the exact odds."""
        from serai.camelup.coaching import COACHING

        return COACHING

    def pause(self, view: CamelUpState) -> float:
        """Longer while much of a leg is open, and again when the finish is near."""
        check_state(self, view)
        near = any(view.track[_NEAR:])
        return 0.6 + 0.12 * view.tents.count(0) + 0.3 * near

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
        """The compiled kernel, if every bot has a compiled twin."""
        bots = check_entrants(bots, seed)
        settled = Options(**self.settled(len(bots), options))
        if not set(bots) <= set(POLICIES):
            return None
        if find_spec("numba") is None:
            raise MissingExtra("compiled games", "numba", "fast")
        if on_gpu(device, bots, LIGHT_POLICIES):
            from serai.camelup.kernel.gpu import GpuSimulator

            return GpuSimulator(self, bots, seed, settled, rotate=rotate, paired=paired)
        from serai.camelup.kernel.simulator import KernelSimulator

        return KernelSimulator(self, bots, seed, settled, rotate=rotate, paired=paired)

    @property
    def encoding(self) -> CamelUpEncoding:
        """Actions and views as numbers."""
        from serai.camelup.encoding import ENCODING

        return ENCODING

    def batch(self, lanes: int, players: int | Sequence[int] = 4, *, device: Device = "cpu", **settings: Any) -> Batch:
        """Compiled games side by side."""
        if find_spec("numba") is None:
            raise MissingExtra("batches", "numba", "fast")
        if on_gpu(device):
            from serai.camelup.kernel.gpu import GpuBatch

            return GpuBatch(lanes, players, **settings)
        from serai.camelup.kernel.batch import Batch

        return Batch(lanes, players, **settings)


def _odds_of_position(text: str, details: Mapping[str, str], actions: bool) -> Odds:
    """Details change no chances, only what actions are worth: without those a position may leave more open."""
    known = parse_details(details)
    if not actions:
        return load_report().odds(text, actions=False)  # type: ignore[no-any-return]
    view = situation(parse_position(text), **known)
    found: Odds = load_report().odds(view if known else text)
    if known.get("decks"):
        return msgspec.structs.replace(found, assumes=(*found.assumes, DIFFERENT_OWNERS))
    return found


GAME = CamelUp()
