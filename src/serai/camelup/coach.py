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
    STAKE_PART,
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
        PartGroup("race", (STAKE_PART, *WINNER_PARTS, *LOSER_PARTS)),
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
        if detail in LEG_PARTS:
            camel, tile = divmod(LEG_PARTS.index(detail), len(LEG_VALUES))
            part, values["camel"], values["tile"] = "tile", CAMEL_NAMES[camel], LEG_VALUES[tile]
        elif detail in WINNER_PARTS:
            part, values["camel"] = "winner", CAMEL_NAMES[WINNER_PARTS.index(detail)]
        elif detail in LOSER_PARTS:
            part, values["camel"] = "loser", CAMEL_NAMES[LOSER_PARTS.index(detail)]
        return Reason(f"coach.camelup.gets.{part}", values)


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
        "coach.camelup.gets.pyramid": "rolling brings {seats} {pounds:+.1f}",
        "coach.camelup.gets.desert": "desert tiles bring {seats} {pounds:+.1f}",
        "coach.camelup.gets.leg": "leg bets bring {seats} {pounds:+.1f}",
        "coach.camelup.gets.tile": "the {tile} on {camel} brings {seats} {pounds:+.1f}",
        "coach.camelup.gets.race": "race cards bring {seats} {pounds:+.1f}",
        "coach.camelup.gets.winner": "a winner card on {camel} brings {seats} {pounds:+.1f}",
        "coach.camelup.gets.loser": "a loser card on {camel} brings {seats} {pounds:+.1f}",
        "coach.camelup.gets.turn": "{seats} begins the next leg in {share} %, not {before} %",
        "coach.camelup.gets.hand_more": "{seats} keeps better race cards for later",
        "coach.camelup.gets.hand_less": "{seats} has worse race cards left for later",
        "coach.camelup.gets.end": "the race ends in this leg in {share} %, not {before} %",
    }
)
