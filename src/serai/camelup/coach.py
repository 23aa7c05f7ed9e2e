"""Camel Up for the coach: who plays on in playouts, and the reasons for an action."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, Final

from serai.camelup.parts import (
    DESERT_PART,
    ENDED_PART,
    FIRST_PART,
    HAND_PART,
    LEG_PART,
    LEG_PARTS,
    LOSER_PARTS,
    LOSES_PART,
    PYRAMID_PART,
    SLOPES,
    SPARED_PART,
    STAKE_PARTS,
    TURN_PART,
    WINNER_PARTS,
    WINS_PART,
)
from serai.camelup.rules.actions import AnyAction, Roll
from serai.camelup.rules.pieces import CAMEL_NAMES, LEG_VALUES, RACE_PRIZES
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
            part, more = _tile_told(moment, contrast, camel, tile, own, playouts, place, rival)
            values |= more
        elif detail in WINNER_PARTS or detail in LOSER_PARTS:
            deck, places = ("winner", WINNER_PARTS) if detail in WINNER_PARTS else ("loser", LOSER_PARTS)
            camel = places.index(detail)
            values["camel"] = CAMEL_NAMES[camel]
            cards = view.winner_deck if deck == "winner" else view.loser_deck
            held = any(seat in seats and colour == camel for seat, colour in cards)
            moment = _moment(f"{deck} {CAMEL_NAMES[camel]}", better, worse, held=held)
            part, more = _card_told(moment, contrast, deck, camel, own, playouts, place, rival)
            values |= more
        elif part in ("leg", "race") and (most := _most(contrast, playouts, place, rival)):
            part, values = f"{part}_of", values | {"most": most}
        elif contrast.rest:
            part = f"{part}_rest"
        elif part == "pyramid" and own and contrast.amount < 0 and worse == "roll":
            part = "given_up"
        return Reason(f"coach.camelup.gets.{part}", values)

    def instead(self, view: CamelUpState, playouts: Playouts, chosen: int, reasons: Sequence[Reason]) -> Reason | None:
        """What the bet, the desert tile or the roll that was played earns by itself."""
        kind, _, about = str(playouts.actions[chosen]).partition(" ")
        seat = view.turn
        values: dict[str, Any] = {"seats": (seat,)}
        if any(reason.key.endswith(_OF_THE_OTHER) for reason in reasons):
            return None
        if kind in _DECKS:
            values |= {"camel": about} | _card_odds(playouts, chosen, seat, kind, CAMEL_NAMES.index(about))
        elif kind == "leg":
            camel = CAMEL_NAMES.index(about)
            tile = len(view.leg_bets[camel])
            values |= {"camel": about, "tile": LEG_VALUES[tile]} | _tile_odds(playouts, chosen, seat, camel, tile)
        elif kind in ("oasis", "mirage"):
            kind = "desert"
            values["earns"] = round(float(playouts.parts[chosen, :, seat, DESERT_PART].mean(dtype=float)), 1)
        elif _ends_leg(view):
            kind = "last_roll"
        return Reason(f"coach.camelup.gets.instead_{kind}", values)

    def follow_up(self, view: CamelUpState, playouts: Playouts, place: int, chosen: int | None) -> Reason | None:
        """That the last roll of a leg leaves nobody a turn before its scoring."""
        if isinstance(playouts.actions[place], Roll) and _ends_leg(view):
            return Reason("coach.camelup.ends_leg", {}, exact=True)
        return None

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


def _ends_leg(view: CamelUpState) -> bool:
    """Whether the next roll is the last one of the leg."""
    return sum(view.tents) == 1


def _card_told(
    moment: str, contrast: Contrast, deck: str, camel: int, own: bool, playouts: Playouts, place: int, rival: int
) -> tuple[str, dict[str, Any]]:
    """The key and the values for a race card: how likely it is right, and what it then pays."""
    if not own and moment == "now" and contrast.amount < 0:  # of rivals it is only known that they come after this card
        return f"{deck}_after", {}
    if not own or moment not in _AT:
        often, before = _chances(playouts, (place, rival), deck, camel)
        if (often - before) * contrast.amount > 0 and abs(often - before) >= _LEAST_SHARE:
            return f"{deck}_odds", {"share": round(100 * often), "before": round(100 * before)}
        return (f"{deck}_{moment}" if own and moment else deck), {}
    if moment == "wait":
        return f"{deck}_poor", _card_odds(playouts, rival, contrast.seats[0], deck, camel)
    odds = _card_odds(playouts, place, contrast.seats[0], deck, camel)
    later = _pays_later(playouts, rival, contrast.seats[0], deck, camel)
    if later is not None and later <= odds["paid"] - _PAYS_LESS:
        return f"{deck}_early", odds | {"later": later}
    return f"{deck}_good", odds


def _card_odds(playouts: Playouts, place: int, seat: int, deck: str, camel: int) -> dict[str, Any]:
    """How often a card that was laid is right, what it then pays, and what it earns on average."""
    chances, cards = _DECKS[deck]
    counted = playouts.parts[place, :, seat]
    chance = float(counted[:, chances + camel].mean(dtype=float))
    pay = float(counted[:, cards[camel]].mean(dtype=float))
    stake = float(counted[:, STAKE_PARTS[_ITEMS.index(cards[camel])]].mean(dtype=float))
    return {
        "chance": round(100 * chance),
        "paid": round(pay / chance - 1, 1) if chance > _RARE else 0.0,
        "earns": round(pay + stake, 1),
    }


def _pays_later(playouts: Playouts, place: int, seat: int, deck: str, camel: int) -> float | None:
    """What a right card pays that the seat lays later in this leg, or could lay at its end; ``None``: it never can."""
    import numpy as np

    chances, cards = _DECKS[deck]
    counted = playouts.parts[place]
    chance, pay = counted[:, seat, chances + camel], counted[:, seat, cards[camel]]
    laid = -counted[:, :, STAKE_PARTS[_ITEMS.index(cards[camel])]]
    others = np.rint(laid.sum(axis=1) - laid[:, seat]).astype(int)
    prizes = np.array((*RACE_PRIZES, 1))[np.minimum(others, len(RACE_PRIZES))]
    paid = np.where(laid[:, seat] > 0, pay - chance, chance * prizes)
    counts = (laid[:, seat] > 0) | (counted[:, seat, ENDED_PART] == 0)
    total = float(chance[counts].sum(dtype=float))
    return round(float(paid[counts].sum(dtype=float)) / total, 1) if total > _RARE * len(chance) else None


def _tile_told(
    moment: str, contrast: Contrast, camel: int, tile: int, own: bool, playouts: Playouts, place: int, rival: int
) -> tuple[str, dict[str, Any]]:
    """The key and the values for a leg tile: how often its camel comes first, and second."""
    if not moment and len(contrast.seats) == 1:  # it lies before a seat, whatever is done
        odds, before = (_tile_odds(playouts, at, contrast.seats[0], camel, tile) for at in (place, rival))
        return "tile_odds", {"share": odds["chance"], "before": before["chance"]}
    if not own:
        return ("tile_after" if moment == "now" and contrast.amount < 0 else "tile"), {}
    if moment in _AT:
        ending, at = _AT[moment]
        return f"tile_{ending}", _tile_odds(playouts, (place, rival)[at], contrast.seats[0], camel, tile)
    return (f"tile_{moment}" if moment else "tile"), {}


def _tile_odds(playouts: Playouts, place: int, seat: int, camel: int, tile: int) -> dict[str, Any]:
    """How often the camel of a leg tile that a seat has comes first, and second, and what the tile earns."""
    pays = playouts.parts[place, :, seat, LEG_PART + len(LEG_VALUES) * camel + tile]
    return {
        "chance": round(100 * float((pays == LEG_VALUES[tile]).mean())),
        "second": round(100 * float((pays == 1).mean())),
        "earns": round(float(pays.mean(dtype=float)), 1),
    }


def _most(contrast: Contrast, playouts: Playouts, place: int, rival: int) -> tuple[str, ...]:
    """The two bets that bring most of what several bring together, as ``"winner blue +0.6"``.

    Where the camel's chance to win the race, or to come last, is another, this and the chance after the other action
    follow, in parts of a hundred.
    """
    sums: dict[str, float] = defaultdict(float)
    for at, amount in contrast.shares:
        if at in LEG_PARTS:
            sums[f"leg {CAMEL_NAMES[LEG_PARTS.index(at) // len(LEG_VALUES)]}"] += amount
        elif at in _ITEMS:
            deck = "winner" if at in WINNER_PARTS else "loser"
            sums[f"{deck} {CAMEL_NAMES[_ITEMS.index(at) % len(CAMEL_NAMES)]}"] += amount
    sign = 1 if contrast.amount > 0 else -1
    front = sorted(sums.items(), key=lambda item: -sign * item[1])[:2]
    return tuple(
        f"{bet} {amount:+.1f}{_differing(bet, playouts, place, rival)}"
        for bet, amount in front
        if sign * amount >= LEAST_TOLD
    )


def _differing(bet: str, playouts: Playouts, place: int, rival: int) -> str:
    deck, camel = bet.split()
    if deck not in _DECKS:
        return ""
    often, before = _chances(playouts, (place, rival), deck, CAMEL_NAMES.index(camel))
    return f" {round(100 * often)} {round(100 * before)}" if abs(often - before) >= _LEAST_SHARE else ""


def _chances(playouts: Playouts, places: tuple[int, ...], deck: str, camel: int) -> list[float]:
    """How often a camel wins the race, or comes last, after each of these actions."""
    return [float(playouts.parts[at, :, 0, _DECKS[deck][0] + camel].mean(dtype=float)) for at in places]


_DECKS: Final = {"winner": (WINS_PART, WINNER_PARTS), "loser": (LOSES_PART, LOSER_PARTS)}
_ITEMS: Final = (*WINNER_PARTS, *LOSER_PARTS)
_AT: Final = {"now": ("good", 0), "wait": ("poor", 1)}
_OF_THE_OTHER: Final = ("_poor", ".given_up")
"""Endings of reasons that tell what the other action brings."""
_PAYS_LESS: Final = 0.5
"""Pounds; a later card that pays hardly less is not worth a word."""
_RARE: Final = 1e-6


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
        "coach.camelup.gets.winner_early": "{camel} wins the race in {chance} %; "
        "a right card pays {paid:.1f} now, {later:.1f} later: "
        "betting now earns {seats} {earns:+.1f} pounds on average, {pounds:+.1f} beyond not betting now",
        "coach.camelup.gets.winner_good": "{camel} wins the race in {chance} %; "
        "a right card pays {paid:.1f}: "
        "betting now earns {seats} {earns:+.1f} pounds on average, {pounds:+.1f} beyond not betting now",
        "coach.camelup.gets.winner_poor": "{camel} wins the race in {chance} %; "
        "a right card pays {paid:.1f}, so this earns {earns:+.1f}: "
        "not betting now brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.instead_winner": "{camel} wins the race in {chance} %; "
        "a right card pays {paid:.1f}, so what {seats} chose earns "
        "{earns:+.1f} pounds on average",
        "coach.camelup.gets.loser_early": "{camel} comes last in {chance} %; "
        "a right card pays {paid:.1f} now, {later:.1f} later: "
        "betting now earns {seats} {earns:+.1f} pounds on average, {pounds:+.1f} beyond not betting now",
        "coach.camelup.gets.loser_good": "{camel} comes last in {chance} %; "
        "a right card pays {paid:.1f}: "
        "betting now earns {seats} {earns:+.1f} pounds on average, {pounds:+.1f} beyond not betting now",
        "coach.camelup.gets.loser_poor": "{camel} comes last in {chance} %; "
        "a right card pays {paid:.1f}, so this earns {earns:+.1f}: "
        "not betting now brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.instead_loser": "{camel} comes last in {chance} %; "
        "a right card pays {paid:.1f}, so what {seats} chose earns "
        "{earns:+.1f} pounds on average",
        "coach.camelup.gets.winner_odds": "{camel} wins the race in {share} %, not {before} %: "
        "a race card on it brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.loser_odds": "{camel} comes last in {share} %, not {before} %: "
        "a race card on it brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_odds": "{camel} ends the leg first in {share} %, not {before} %: "
        "the leg tile (worth {tile}) "
        "brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_good": "{camel} ends the leg first in {chance} %, second in {second} %: "
        "taking its tile (worth {tile}) now brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.tile_poor": "{camel} ends the leg first in {chance} %, second in {second} %: "
        "leaving its tile (worth {tile}) brings {seats} {pounds:+.1f} pounds on average",
        "coach.camelup.gets.instead_leg": "{camel} ends the leg first in {chance} %, second in {second} %: "
        "the tile (worth {tile}) that {seats} chose earns {earns:+.1f} pounds on average",
        "coach.camelup.gets.instead_desert": "the desert tile that {seats} chose earns {earns:+.1f} pounds on average",
        "coach.camelup.gets.instead_roll": "the roll that {seats} chose earns 1 pound",
        "coach.camelup.gets.instead_last_roll": "the roll that {seats} chose earns 1 pound and ends the leg",
        "coach.camelup.ends_leg": "this roll ends the leg: nobody can bet before it is scored",
        "coach.camelup.gets.leg_of": "leg tiles bring {seats} {pounds:+.1f} pounds on average, above all {most}",
        "coach.camelup.gets.race_of": "race cards bring {seats} {pounds:+.1f} pounds on average, above all {most}",
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
