"""Camel Up for the coach: who plays on in playouts, and the reasons for an action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, Final

from serai.camelup.parts import (
    DESERT_PART,
    ENDED_PART,
    FIRST_PART,
    HAND_PART,
    LEG_PARTS,
    LOSER_PARTS,
    PYRAMID_PART,
    SLOPES,
    SPARED_PART,
    STAKE_PARTS,
    TURN_PART,
    WINNER_PARTS,
)
from serai.camelup.rules.actions import AnyAction, Roll
from serai.camelup.rules.pieces import CAMEL_NAMES, LEG_VALUES
from serai.camelup.rules.rules import CamelUpState
from serai.core.parts import Coach, Contrast, PartGroup, Reason
from serai.core.rollouts import Playouts
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
    parts: ClassVar[tuple[PartGroup, ...]] = (
        PartGroup("pyramid", (PYRAMID_PART,)),
        PartGroup("desert", (DESERT_PART,)),
        PartGroup("leg", (*LEG_PARTS, SPARED_PART)),
        PartGroup(
            "race",
            (*STAKE_PARTS, *WINNER_PARTS, *LOSER_PARTS),
            items=tuple(zip(STAKE_PARTS, (*WINNER_PARTS, *LOSER_PARTS), strict=True)),
        ),
        PartGroup("turn", (TURN_PART,), score=False),
        PartGroup("hand", (HAND_PART,), score=False),
        PartGroup("end", (ENDED_PART,), score=False),
    )

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

    def worths(self, playouts: Playouts, seat: int, place: int, rival: int) -> Any:
        """By the slopes of the value; where the race is over, by how near the purses are.

        Two playouts of which only one has ended the race are not compared by their parts.
        """
        import numpy as np

        one, other = playouts.parts[place], playouts.parts[rival]
        slopes = (one[:, :, SLOPES] + other[:, :, SLOPES]) / 2
        ended, also = one[:, seat, ENDED_PART] > 0, other[:, seat, ENDED_PART] > 0
        both = ended & also
        if both.any():
            slopes[both] = _slopes_between(playouts.scores[place][both], playouts.scores[rival][both], seat)[..., None]
        slopes[ended != also] = 0
        worths = ((one - other) * slopes).mean(axis=0, dtype=float)
        differ = np.where(ended != also, playouts.wins[place, :, seat] - playouts.wins[rival, :, seat], 0)
        worths[:, ENDED_PART] = 0
        worths[seat, ENDED_PART] = differ.mean(dtype=float)
        return worths

    def told(self, view: CamelUpState, contrast: Contrast, playouts: Playouts, place: int, rival: int) -> Reason | None:
        """Who gets more or less of what, and from which tile or card if one stands out."""
        part, seats = contrast.part, contrast.seats
        own = seats == (view.turn,)
        if part in _SHARES:
            return _share_told(part, seats, own, playouts, place, rival)
        if abs(contrast.amount) < LEAST_TOLD:
            return None
        if part == "hand":
            part = "hand_more" if contrast.amount > 0 else "hand_less"
            return Reason(f"coach.camelup.gets.{part}", {"seats": seats}) if own else None
        values: dict[str, Any] = {"seats": seats, "pounds": round(contrast.amount, 1)}
        detail = -1 if contrast.detail is None else contrast.detail
        better, worse = (str(playouts.actions[at]) for at in (place, rival))
        if detail == SPARED_PART:
            return None
        if detail in LEG_PARTS:
            camel, tile = divmod(LEG_PARTS.index(detail), len(LEG_VALUES))
            values |= {"camel": CAMEL_NAMES[camel], "tile": LEG_VALUES[tile]}
            taken = view.leg_bets[camel]
            held = tile < len(taken) and taken[tile] in seats
            moment = _moment(f"leg {CAMEL_NAMES[camel]}" if tile == len(taken) else "", better, worse, held=held)
            part = f"tile{_said(moment, contrast.amount, own=own)}"
        elif detail in WINNER_PARTS or detail in LOSER_PARTS:
            part, places = ("winner", WINNER_PARTS) if detail in WINNER_PARTS else ("loser", LOSER_PARTS)
            camel = places.index(detail)
            values["camel"] = CAMEL_NAMES[camel]
            deck = view.winner_deck if part == "winner" else view.loser_deck
            held = any(seat in seats and colour == camel for seat, colour in deck)
            moment = _moment(f"{part} {CAMEL_NAMES[camel]}", better, worse, held=held)
            part = f"{part}{_said(moment, contrast.amount, own=own)}"
        elif contrast.rest:
            part = f"{part}_rest"
        elif part == "pyramid" and own and contrast.amount < 0 and worse == "roll":
            part = "given_up"
        return Reason(f"coach.camelup.gets.{part}", values)

    def aside(self, reason: Reason) -> bool:
        """Bets that are only made later explain little by themselves."""
        return reason.key.startswith("coach.camelup.gets.") and reason.key.endswith("_later")


def _moment(bet: str, better: str, worse: str, *, held: bool) -> str:
    """When a bet is made: ``now`` by the action that is explained, by the other one (``wait``), before, or later."""
    if bet == better:
        return "now"
    if bet == worse:
        return "wait"
    return "" if held else "later"


def _said(moment: str, amount: float, *, own: bool) -> str:
    """The ending of the key: of rivals it is only known that they come after a bet that is made now."""
    if not own:
        moment = "after" if moment == "now" and amount < 0 else ""
    return f"_{moment}" if moment else ""


_KINDS: Final[Mapping[str, str]] = {
    "leg": "leg",
    "roll": "roll",
    "winner": "race",
    "loser": "race",
    "oasis": "desert",
    "mirage": "desert",
}


LEAST_TOLD: Final = 0.15
"""Pounds; of less nobody needs to hear."""
_SHARES: Final = {"turn": FIRST_PART, "end": ENDED_PART}
"""Parts that are told as how often something happens."""
_LEAST_SHARE: Final = 0.04
_STEPS: Final = 8
_SHARP: Final = 2.0
"""Purses that differ by a pound or two are taken as nearly equal."""


def _share_told(
    part: str, seats: tuple[int, ...], own: bool, playouts: Playouts, place: int, rival: int
) -> Reason | None:
    """How often something happens to a seat after one action, and after the other."""
    if len(seats) > 1 or (part == "end" and not own):
        return None
    often, else_often = (
        float(playouts.parts[at, :, seats[0], _SHARES[part]].mean(dtype=float)) for at in (place, rival)
    )
    if abs(often - else_often) < _LEAST_SHARE:
        return None
    values = {"seats": seats, "share": round(100 * often), "before": round(100 * else_often)}
    return Reason(f"coach.camelup.gets.{part}", values)


def _slopes_between(one: Any, other: Any, seat: int) -> Any:
    """By playout and seat: what a pound more is worth to ``seat``, on the way from one final result to the other."""
    import numpy as np

    slopes = np.zeros_like(one)
    for step in range(_STEPS):
        purses = other + (one - other) * ((step + 0.5) / _STEPS)
        likely = np.exp(_SHARP * (purses - purses.max(axis=1, keepdims=True)))
        likely /= likely.sum(axis=1, keepdims=True)
        own = likely[:, seat, None]
        slopes -= own * likely
        slopes[:, seat] += own[:, 0]
    return slopes * (_SHARP / _STEPS)


phrase(
    {
        "coach.camelup.gets.pyramid": "rolling brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.given_up": "{seats} gives up the pound for rolling: {pounds:+.1f} pounds on average",
        "coach.camelup.gets.desert": "desert tiles bring {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.leg": "leg tiles bring {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.leg_rest": "the other leg tiles bring {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile": "the leg tile on {camel} (worth {tile}) brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_now": "the leg tile on {camel} (worth {tile}), taken now, brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_wait": "the leg tile on {camel} (worth {tile}), not taken now, brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_later": "the leg tile on {camel} (worth {tile}), taken later, brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_after": "{seats} is too late for the leg tile on {camel} (worth {tile}): "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.race": "race cards bring {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.race_rest": "the other race cards bring {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.winner": "a bet on {camel} as race winner brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.winner_now": "a bet on {camel} as race winner now, not later, brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.winner_wait": "no bet on {camel} as race winner now brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.winner_later": "a bet on {camel} as race winner later brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.winner_after": "{seats} can only follow with a bet on {camel} as race winner: "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.loser": "a bet on {camel} as race loser brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.loser_now": "a bet on {camel} as race loser now, not later, brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.loser_wait": "no bet on {camel} as race loser now brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.loser_later": "a bet on {camel} as race loser later brings {seats} "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.loser_after": "{seats} can only follow with a bet on {camel} as race loser: "
        "{pounds:+.1f} pounds on average",
        "coach.camelup.gets.turn": "{seats} begins the next leg in {share} %, not {before} %",
        "coach.camelup.gets.hand_more": "{seats} keeps better race cards for later",
        "coach.camelup.gets.hand_less": "{seats} has worse race cards left for later",
        "coach.camelup.gets.end": "the race ends in this leg in {share} %, not {before} %",
    }
)
