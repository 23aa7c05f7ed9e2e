"""Camel Up for the coach: who plays on in playouts, and the reasons for an action."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, Final

from serai.camelup.odds.answer import Odds
from serai.camelup.rules.actions import AnyAction, Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.pieces import CAMEL_NAMES, LEG_VALUES
from serai.camelup.rules.rules import CamelUpState
from serai.core.parts import Coach, Reason
from serai.errors import phrase


class CamelUpCoach(Coach[CamelUpState, AnyAction]):
    """Legs are played to their end, where a fitted value gives the chance of victory."""

    packages: ClassVar[tuple[str, ...]] = ("numpy", "numba")
    policy: ClassVar[str] = "even"
    fewest_actions: ClassVar[int] = 4
    playouts: ClassVar[int] = 768
    compared: ClassVar[int] = 768
    thorough: ClassVar[int | None] = None
    reference: ClassVar[str] = "fennec"
    difficulty: ClassVar[float] = 0.025
    points: ClassVar[float | None] = 40.0

    @cached_property
    def parameters(self) -> str:  # type: ignore[override]
        """The fitted value, and how much hidden cards are taken to say about their owners' hopes."""
        from serai.camelup.policy.beliefs import COACH_TRUST, HINDSIGHT

        return f"{files('serai.camelup').joinpath('data/value.json').read_text()} {COACH_TRUST} {HINDSIGHT}"

    def measure(self, as_hard: float, at_stake: float) -> float:
        """What is at stake in decisions: among players of mixed strength it separates the levels best."""
        return at_stake

    def kind(self, action: AnyAction) -> str:
        """Leg tiles, race cards, desert tiles, rolls."""
        return _KINDS[action.kind]

    def advice(self, action: AnyAction) -> object | None:
        """Rolls are new each time; tiles and cards wait for whoever comes first."""
        return None if isinstance(action, Roll) else str(action)

    def reasons(self, view: CamelUpState, actions: Sequence[AnyAction]) -> list[tuple[Reason, ...]]:
        """The chances that a bet depends on, and what it can be expected to pay."""
        from serai.camelup.odds.report import odds as odds_of

        odds = odds_of(view, compiled=True)
        return [(_reason(view, odds, action), *_who_else_gains(view, action)) for action in actions]


_KINDS: Final[Mapping[str, str]] = {
    "leg": "leg",
    "roll": "roll",
    "winner": "race",
    "loser": "race",
    "oasis": "desert",
    "mirage": "desert",
}


_WORTH_TELLING: Final = 0.25
"""Pounds that a rival gains, below which nobody needs to hear of it."""


def _reason(view: CamelUpState, odds: Odds, action: AnyAction) -> Reason:
    values: dict[str, Any] = {"value": round(odds.actions[str(action)], 2)}
    match action:
        case Leg(camel):
            chances = odds.leg[CAMEL_NAMES[camel]]
            values |= {
                "camel": CAMEL_NAMES[camel],
                "first": _percent(chances.first),
                "second": _percent(chances.second),
                "tile": LEG_VALUES[len(view.leg_bets[camel])],
            }
        case Winner(int(camel)) | Loser(int(camel)):
            race = odds.race[CAMEL_NAMES[camel]]
            deck = view.winner_deck if isinstance(action, Winner) else view.loser_deck
            values |= {
                "camel": CAMEL_NAMES[camel],
                "chance": _percent(race.winner if isinstance(action, Winner) else race.loser),
                "before": len(deck),
            }
        case Oasis(space) | Mirage(space):
            earns = odds.deserts[str(action)].earns
            values |= {"space": space, "earns": round(earns, 2), "bets": round(values["value"] - earns, 2)}
    return Reason(f"coach.camelup.{action.kind}", values, exact=_all_seen(view) or isinstance(action, Leg))


def _who_else_gains(view: CamelUpState, action: AnyAction) -> list[Reason]:
    """The rival whose bets a desert tile serves best, if it serves somebody."""
    if not isinstance(action, Oasis | Mirage):
        return []
    from serai.camelup.odds.report import expected_money

    pairs = zip(expected_money(view), expected_money(view.apply(action)), strict=True)
    gains = [after - before for before, after in pairs]
    pounds, rival = max((gain, seat) for seat, gain in enumerate(gains) if seat != view.turn)
    if pounds < _WORTH_TELLING:
        return []
    return [Reason("coach.camelup.rival", {"seat": rival, "value": round(pounds, 2)}, exact=_all_seen(view))]


def _all_seen(view: CamelUpState) -> bool:
    return not any(None in card for card in view.winner_deck + view.loser_deck)


def _percent(chance: float) -> int:
    return round(100 * chance)


phrase(
    {
        "coach.camelup.leg": "{camel} leads the leg {first} %, second {second} %: its {tile} is worth {value:+.2f}",
        "coach.camelup.roll": "the roll {value:+.2f}",
        "coach.camelup.winner": "{camel} wins the race {chance} %, {before:card} below: the card is worth {value:+.2f}",
        "coach.camelup.loser": "{camel} comes last {chance} %, {before:card} below: the card is worth {value:+.2f}",
        "coach.camelup.oasis": "an oasis on {space}: {earns:.2f} stops expected, {bets:+.2f} for own bets",
        "coach.camelup.mirage": "a mirage on {space}: {earns:.2f} stops expected, {bets:+.2f} for own bets",
        "coach.camelup.rival": "it brings seat {seat} {value:+.2f}",
    }
)
