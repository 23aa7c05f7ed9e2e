"""Camel Up as a :class:`serai.core.Game`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from serai.camelup.bots import BOTS, CALLED, COMPANY, LEVELS, STYLED
from serai.camelup.coach import CamelUpCoach
from serai.camelup.memory import RaceMemory
from serai.camelup.odds.answer import Odds
from serai.camelup.rules.actions import AnyAction
from serai.camelup.rules.events import AnyEvent
from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS, PLAYERS
from serai.camelup.rules.rules import CamelUpState, Cards, Hand, Options, new_state
from serai.camelup.rules.track import ranking
from serai.camelup.text.notation import NOTATION
from serai.camelup.text.position import DIFFERENT_OWNERS, POSITION_NOTATION, parse_details, parse_position, situation
from serai.core import Game, Option, PositionNotation, parts
from serai.core.game import Column
from serai.errors import BadArgument
from serai.lab import Compiled

if TYPE_CHECKING:
    from serai.camelup.encoding import CamelUpEncoding
    from serai.core.rollouts import Memory, Playouts

_NEAR = 14
"""From here one roll may end the race."""


class CamelUpText(parts.Text[CamelUpState, AnyEvent]):
    """The track with its stacks, the bets, purses and race cards."""

    def _draw(self, view: CamelUpState, seat: int | None, names: Sequence[str], colour: bool) -> str:
        from serai.camelup.text.terminal import draw

        return draw(view, seat=seat, names=names, colour=colour)

    def _picture(self, view: CamelUpState, seat: int | None, names: Sequence[str]) -> str:
        from serai.camelup.text.picture import draw_picture

        return draw_picture(view, seat=seat, names=names)

    def _tell(self, event: AnyEvent, names: Sequence[str]) -> str:
        from serai.camelup.text.telling import tell

        return tell(event, names)


class CamelUpOdds(parts.Odds[CamelUpState, Odds]):
    """Exact odds of leg and race and the expected pounds of every action, while a leg is running."""

    type: ClassVar[Any] = Odds
    packages = ("numpy",)

    def _find(self, view: CamelUpState | str, details: Mapping[str, str], actions: bool) -> Odds | None:
        from serai.camelup.odds.report import odds

        if not isinstance(view, str):
            return None if view.over or view.leg == 0 else odds(view, actions=actions)
        known = parse_details(details)
        if not actions:  # details change no chances, and without them a position may leave more open
            return odds(view, actions=False)
        given = situation(parse_position(view), **known)
        found = odds(given if known else view)
        if known.get("decks"):
            return msgspec.structs.replace(found, assumes=(*found.assumes, DIFFERENT_OWNERS))
        return found

    def best(self, view: CamelUpState) -> AnyAction:
        """The action of the seat to act that brings most pounds on average; ``BadArgument`` where nobody can act."""
        if not isinstance(view.actor, int):
            raise BadArgument("there is no best action where no player is to act")
        found = self(view)
        assert found is not None
        return next(action for action in view.actions() if str(action) == found.best)

    def _draw(self, odds: Odds, colour: bool) -> str:
        """The chances of every camel with bars, and the actions by their worth."""
        from serai.camelup.odds.drawing import draw_odds

        return draw_odds(odds, colour=colour)


class CamelUpCompiled(Compiled[CamelUpState]):
    """Rollouts end with the leg, where a fitted value gives the chance of victory; with ``whole`` with the race."""

    package = "serai.camelup"
    twins = ("random", "quick", "greedy", "jerboa", "donkey", *STYLED)
    twins_on_gpu = ("random", "quick", "jerboa", "donkey")

    def rollouts(self, *arguments: Any, memory: Memory | None, **settings: Any) -> Playouts:
        """See :meth:`serai.core.Game.rollouts`."""
        from serai.camelup.policy.rollouts import rollouts

        return rollouts(*arguments, memory=memory if isinstance(memory, RaceMemory) else None, **settings)

    def _memory(self, seat: int) -> RaceMemory:
        return RaceMemory()


class CamelUp(Game[CamelUpState, AnyAction, AnyEvent]):
    """The camel race of 2014 for 2 to 8 players."""

    name = "camelup"
    version = "1"
    players = PLAYERS
    options: ClassVar[tuple[Option, ...]] = (
        Option("first", "seat", 0, "camelup.option.first"),
        Option("hide_money", "bool", False, "camelup.option.hide_money"),
    )
    yardstick = "quick"
    levels = LEVELS
    company = COMPANY
    bots = BOTS
    bots_called = CALLED
    score_name = "money"
    action_kinds = ("leg", "oasis", "mirage", "roll", "winner", "loser")
    columns: ClassVar[tuple[Column, ...]] = (
        Column("first", "the camel that won the race", labels=CAMEL_NAMES, type="u1"),
        Column("last", "the camel that lost it", labels=CAMEL_NAMES, type="u1"),
        Column("legs", "how many legs the race had", type="u1"),
        Column("first_start", "in which place, from 1, the winning camel stood when the race began", type="u1"),
    )
    measures: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "legs": ("legs",),
        "start of the winning camel": ("first_start",),
    }
    state_type: ClassVar[type[CamelUpState]] = CamelUpState
    action_type: ClassVar[Any] = AnyAction
    event_type: ClassVar[Any] = AnyEvent
    bot_packages = dict.fromkeys(("donkey", "quick", "greedy"), ("numpy",)) | dict.fromkeys(
        (*STYLED, "cheetah", "falcon", "cobra"), ("numpy", "numba")
    )
    bot_seconds: ClassVar[Mapping[str, float]] = {"donkey": 1.0, "cheetah": 13.0, "falcon": 1.0}
    benchmark = (("jerboa", 80), ("quick", 80), ("cheetah(seconds=None)", 32))
    position_notation: ClassVar[PositionNotation | None] = POSITION_NOTATION

    text: CamelUpText = CamelUpText()
    odds: CamelUpOdds = CamelUpOdds()
    compiled: CamelUpCompiled = CamelUpCompiled()
    coach: CamelUpCoach = CamelUpCoach()

    def parse(self, text: str) -> AnyAction:
        """The action that ``text`` denotes."""
        return NOTATION.parse(text)

    def _new(self, players: int, options: dict[str, Any]) -> CamelUpState:
        """The state before the five set-up dice."""
        return new_state(players, Options(**options))

    def _position(self, text: str, details: Mapping[str, str], players: int | None) -> CamelUpState:
        """The position as seat 0 would see it at the start of a leg, at a table of eight unless ``players`` says so.

        ``details`` say otherwise: ``cards`` in hand, leg tiles ``taken``, cards on the ``decks``, one's ``own_tile``.
        """
        return situation(parse_position(text), players=players or self.players[-1], **parse_details(details))

    def _imagine(self, view: CamelUpState, rng: random.Random) -> CamelUpState:
        """Deal every player's hidden cards out anew, each way equally likely."""
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

    def _row(self, start: CamelUpState, end: CamelUpState) -> Mapping[str, Any]:
        """Which camels won and lost, the legs, and where the winner came from."""
        order = ranking(end.track)
        started = ranking(start.track).index(order[0]) + 1
        return {"first": order[0], "last": order[-1], "legs": end.leg, "first_start": started}

    def _pause(self, view: CamelUpState) -> float:
        """Longer while much of a leg is open, and again when the finish is near."""
        near = any(view.track[_NEAR:])
        return 0.6 + 0.12 * view.tents.count(0) + 0.3 * near

    @property
    def encoding(self) -> CamelUpEncoding:
        """Actions and views as numbers."""
        from serai.camelup.encoding import ENCODING

        return ENCODING


GAME = CamelUp()
