"""Das Gold des Pharao for the coach: who plays on in playouts, and the reasons for an action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

from serai.core.parts import Coach, Contrast, Finding, PartGroup, Reason
from serai.core.play import Ply
from serai.core.rollouts import Playouts
from serai.errors import phrase
from serai.pharaoh.memory import STANDOFF
from serai.pharaoh.parts import (
    ALONE_PART,
    ARCHAEOLOGIST_PART,
    BARRED_COUNT,
    CARRIED_PART,
    EARLY_PART,
    FALLING_COUNT,
    FETCHED_PARTS,
    FOLLOWED,
    HAND_PART,
    HELPER_PART,
    HOME_COUNT,
    LIT_PART,
    MASK_PART,
    MOVE_PART,
    NEXT_PLACE,
    PHOTO_PART,
    PREY_PART,
    REACH_PART,
    ROBBED_COUNT,
    SCALE_PLACE,
    SCORE_PARTS,
    SHUT_PART,
    STOLEN_PARTS,
    THREAT_PART,
    TIE_PART,
    UNKNOWN_PART,
    VALUE_PARTS,
)
from serai.pharaoh.progress import gets_on, idles
from serai.pharaoh.rules.actions import ALL_ACTIONS, AnyAction, Archaeologist, End, Helper, Tile, Turn
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CHAMBER_NAMES,
    FIRST_CHAMBER,
    LOST_ARCHAEOLOGIST,
    LOST_HELPER,
    MASK,
    NOWHERE,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import moves_from


class PharaohCoach(Coach[PharaohState, AnyAction]):
    """Some rounds are played on by players of all kinds, where a fitted value gives the chance of victory."""

    packages: ClassVar[tuple[str, ...]] = ("numpy", "numba")
    policy: ClassVar[str] = "even"
    fewest_actions: ClassVar[int] = 4
    playouts: ClassVar[int] = 128
    compared: ClassVar[int] = 64
    thorough: ClassVar[int | None] = 700
    reference: ClassVar[str] = "jackal"
    difficulty: ClassVar[float] = 0.05
    points: ClassVar[float | None] = 25.0
    parts: ClassVar[tuple[PartGroup, ...]] = (
        PartGroup("photos", (PHOTO_PART,)),
        PartGroup("carried", (CARRIED_PART,)),
        PartGroup("fetched", (*FETCHED_PARTS,)),
        PartGroup("stolen", (*STOLEN_PARTS,)),
        PartGroup("mask", (MASK_PART,)),
        PartGroup("figures", (ARCHAEOLOGIST_PART, HELPER_PART)),
        PartGroup("hand", (HAND_PART,), score=False),
        PartGroup("reach", (REACH_PART,), score=False),
        PartGroup("lamps", (LIT_PART,), score=False),
        PartGroup("barred", (SHUT_PART, ALONE_PART), score=False, items=((SHUT_PART, ALONE_PART),)),
        PartGroup("unknown", (UNKNOWN_PART,), score=False),
        PartGroup("threat", (THREAT_PART,), score=False),
        PartGroup("prey", (PREY_PART,), score=False),
        PartGroup("early", (EARLY_PART,), score=False),
        PartGroup("tie", (TIE_PART,), score=False),
        PartGroup("turn", (MOVE_PART,), score=False),
        PartGroup("end", (FALLING_COUNT,), score=False),
    )

    @cached_property
    def parameters(self) -> str:  # type: ignore[override]
        """The fitted value, how far it is played and by whom, how much more early points count, and when all wait."""
        from serai.pharaoh.policy.rollouts import EARLY, ROUNDS, VALUE
        from serai.pharaoh.policy.styles import EXPECTED_AFTER_MASK, EXPECTED_PLAYERS

        players = f"{EXPECTED_PLAYERS} {EXPECTED_AFTER_MASK}"
        return f"{VALUE.read_text(encoding='utf-8')} {ROUNDS} {EARLY} {players} {STANDOFF}"

    def kind(self, action: AnyAction) -> str:
        """Walks, the helper's walks, discoveries, walls, lamps, treasure, and the end of a turn."""
        return _KINDS[action.kind]

    def theme(self, view: PharaohState, action: AnyAction) -> str:
        """Walks with a treasure, or once the pyramid falls, are about the way home."""
        kind = self.kind(action)
        if kind not in ("walk", "reveal", "end"):
            return kind
        return "home" if view.carried[view.turn] or view.clock >= 0 else "walk"

    def alike(self, outcome: AnyAction) -> object:
        """Chambers differ by their picture alone."""
        return CHAMBER_NAMES if isinstance(outcome, Tile) and outcome.tile >= FIRST_CHAMBER else outcome

    def idles(self, view: PharaohState, action: AnyAction) -> bool:
        """Ending the turn, as long as no time presses."""
        return idles(view, action)

    def gets_on(self, view: PharaohState, action: AnyAction) -> bool:
        """Discovering, picking up, and walking towards what the seat is there for."""
        return gets_on(view, action)

    def advice(self, action: AnyAction) -> object | None:
        """To turn a tile is one advice, whichever way; to end the turn is another each time."""
        match action:
            case Turn(cell, _):
                return f"turn {CELL_NAMES[cell]}"
            case End():
                return None
        return str(action)

    def findings(self, plies: Sequence[Ply], seats: Sequence[int]) -> list[Finding]:
        """Turns that went by one after the other with nothing done."""
        return [finding for seat in seats for finding in _passing(plies, seat)]

    def alternatives(self, view: PharaohState) -> Sequence[AnyAction]:
        """Everything but what shuts oneself in or has no purpose, if that leaves a choice."""
        from serai.pharaoh.policy.choose import promising

        actions = view.actions()
        found = promising(view, actions)
        return found if len(found) > 1 else actions

    def worths(self, playouts: Playouts, seat: int, place: int, rival: int) -> Any:
        """By the fitted value, along the way from one outcome to the other; a finished game is all but decided.

        That one of them is the more decided is what the end of the game is worth.
        """
        one, other = playouts.parts[place], playouts.parts[rival]
        standing, also = (
            playouts.scores[at] + playouts.parts[at][:, :, SCORE_PARTS:VALUE_PARTS].sum(axis=2, dtype=float)
            for at in (place, rival)
        )
        scale, else_scale = one[:, :, SCALE_PLACE], other[:, :, SCALE_PLACE]
        slopes = _slopes_between(standing * scale, also * else_scale, seat)
        worths = ((one - other) * (slopes * (scale + else_scale) / 2)[:, :, None]).mean(axis=0, dtype=float)
        worths[:, VALUE_PARTS:] = 0
        worths[seat, FALLING_COUNT] = (slopes * (standing + also) / 2 * (scale - else_scale)).sum(axis=1).mean()
        return worths

    def told(self, view: PharaohState, contrast: Contrast, playouts: Playouts, place: int, rival: int) -> Reason | None:
        """Who brings home more or less, who is robbed or lost, and how seats stand then."""
        return _Telling(view, playouts, place, rival).reason(contrast)

    def follow_up(self, view: PharaohState, playouts: Playouts, place: int, chosen: int | None) -> Reason | None:
        """What the seat often does next in the same turn; the second step only if it often takes both.

        Where the chosen action is among these steps, only their order was wrong.
        """
        seat, better = view.turn, playouts.actions[place]
        steps = [tuple(map(int, taken)) for taken in playouts.parts[place, :, seat, NEXT_PLACE : NEXT_PLACE + FOLLOWED]]
        usual: tuple[AnyAction, ...] = ()
        for length in range(1, FOLLOWED + 1):
            begun, often = Counter(taken[:length] for taken in steps).most_common(1)[0]
            if often < _OFTEN_ENOUGH * len(steps) or begun[-1] - 1 not in range(len(ALL_ACTIONS)):
                break
            if isinstance(ALL_ACTIONS[begun[-1] - 1], End):
                break
            usual = tuple([ALL_ACTIONS[number - 1] for number in begun])
        if not usual or any(_undoes(view, better, step) for step in usual):
            return None
        played = None if chosen is None else playouts.actions[chosen]
        if played in usual:
            if played.kind == better.kind and played.kind in _WALKS:
                return None
            return Reason("coach.pharaoh.gets.after", {"seats": (seat,), "then": [str(better)]})
        return Reason("coach.pharaoh.plan", {"then": [str(better), *map(str, usual)]})


_WALKS: Final = ("archaeologist", "helper")
_OPPOSITES: Final = ({"lamp", "unlamp"}, {"take", "drop"}, {"steal", "drop"})


def _undoes(view: PharaohState, action: AnyAction, step: AnyAction) -> bool:
    """Whether a later step takes back what an action did: turns the tile again, walks back, puts down what it took."""
    match action, step:
        case Turn(cell, _), Turn(again, _):
            return cell == again
        case (Archaeologist(), Archaeologist(cell)):
            return cell == view.archaeologists[view.turn]
        case (Helper(), Helper(cell)):
            return cell == view.helpers[view.turn]
    return {action.kind, step.kind} in _OPPOSITES


def _slopes_between(one: Any, other: Any, seat: int) -> Any:
    """By playout and seat: how the chance of ``seat`` moves with each seat's log odds, on the way between these."""
    import numpy as np

    slopes = np.zeros_like(one)
    for step in range(_STEPS):
        odds = other + (one - other) * ((step + 0.5) / _STEPS)
        likely = np.exp(odds - odds.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        own = likely[:, seat, None]
        slopes -= own * likely
        slopes[:, seat] += own[:, 0]
    return slopes / _STEPS


_KINDS: Final[Mapping[str, str]] = {
    "archaeologist": "walk",
    "helper": "helper",
    "reveal": "reveal",
    "lay": "tile",
    "turn": "tile",
    "lamp": "lamp",
    "unlamp": "lamp",
    "take": "treasure",
    "drop": "treasure",
    "steal": "treasure",
    "end": "end",
}


MANY_PASSES: Final = STANDOFF
"""So many turns passed one after the other are told."""


def _passing(plies: Sequence[Ply], seat: int) -> Iterator[Finding]:
    """Each longest row of turns that a seat passed though it could have got on, while no time pressed."""
    row: list[tuple[int, int]] = []
    """Of each of these turns the round, and the place of its end in the record."""
    done = 0
    for place, ply in enumerate(plies):
        if ply.drawn or ply.before.turn != seat:
            continue
        done += 1
        if ply.after.turn == seat and not ply.after.over:
            continue
        passed = done == 1 and idles(ply.before, ply.action)
        done = 0
        if not passed:
            yield from _told(seat, row)
            row = []
        elif any(gets_on(ply.before, action) for action in ply.before.seen_by(seat).actions()):
            row.append((ply.before.round, place))
    yield from _told(seat, row)


def _told(seat: int, row: Sequence[tuple[int, int]]) -> Iterator[Finding]:
    if len(row) >= MANY_PASSES:
        values = {"seat": seat, "turns": len(row), "first": row[0][0], "last": row[-1][0]}
        yield Finding(seat, row[0][1], row[-1][1], Reason("coach.pharaoh.passed", values, exact=True))


LEAST_TOLD: Final = 0.1
"""Points; of less nobody needs to hear."""
_LEAST_SHARE: Final = 0.04
_OFTEN_ENOUGH: Final = 0.4
"""The share of playouts that a next step is taken in, to be told."""
_STEPS: Final = 8
"""Into which the way from one outcome to another is cut, to weigh what lies on it."""
_MORE_OR_LESS: Final = {"hand", "reach", "lamps", "unknown", "threat", "prey", "early", "tie"}
"""Parts that are told as more or less, since their points are only what they are expected to bring."""
_OFTEN: Final = {"mask", "barred"}
"""Parts that are told as how often they happen to a seat."""
_OF_ONE: Final = {"lamps", "unknown", "threat", "prey", "early", "tie"}
"""Parts that are told of a single seat alone."""


class _Shares(NamedTuple):
    """How often something happens after one action and after another."""

    often: float
    before: float

    @property
    def values(self) -> dict[str, int]:
        """In per cent."""
        return {"share": round(100 * self.often), "before": round(100 * self.before)}

    @property
    def differ(self) -> bool:
        """Whether people need to hear of it."""
        return abs(self.often - self.before) >= _LEAST_SHARE


class _Telling:
    """Says what a part of the difference between two actions is."""

    def __init__(self, view: PharaohState, playouts: Playouts, place: int, rival: int) -> None:
        self._view, self._playouts = view, playouts
        self._places = place, rival

    def reason(self, contrast: Contrast) -> Reason | None:
        """The reason that this contrast is; ``None`` if it is too small to be one."""
        part, seats = contrast.part, contrast.seats
        if part == "end":
            falls = self._shares(self._view.turn, FALLING_COUNT)
            return _gets("end", (self._view.turn,), falls.values) if self._view.turn in seats and falls.differ else None
        if abs(contrast.amount) < LEAST_TOLD or part == "turn" or (part in _OF_ONE and len(seats) > 1):
            return None
        if part in _MORE_OR_LESS:
            return self._standing(contrast)
        if len(seats) == 1 and (part in _OFTEN or (part == "figures" and contrast.detail is not None)):
            return self._of_one(contrast, seats[0])
        if part == "carried" and len(seats) == 1 and (told := self._carried(seats[0])) is not None:
            return told
        if part == "barred":
            return None
        values: dict[str, Any] = {"points": round(contrast.amount, 1)}
        detail = -1 if contrast.detail is None else contrast.detail
        if detail in FETCHED_PARTS:
            cell = FETCHED_PARTS.index(detail)
            if any(here == cell for here, _ in self._view.lying):
                part, values["cell"] = "treasure", CELL_NAMES[cell]
                if len(seats) == 1 and (told := self._fetched(seats[0], cell)) is not None:
                    return told
        elif detail in STOLEN_PARTS:
            part, values["victim"] = "stolen_from", STOLEN_PARTS.index(detail)
        if part in ("stolen", "stolen_from") and len(seats) == 1 and (told := self._robbing(contrast)) is not None:
            return told
        if part == "figures":
            part = "figures_saved" if contrast.amount > 0 else "figures_lost"
        return _gets("masks" if part == "mask" else part, seats, values)

    def _of_one(self, contrast: Contrast, seat: int) -> Reason | None:
        """What is told of one seat as how often it happens."""
        key, place, unit = contrast.part, MASK_PART, 1 / MASK
        if key == "barred":
            place, unit = BARRED_COUNT, 1.0
        elif contrast.detail == ARCHAEOLOGIST_PART:
            key, place, unit = "lost_archaeologist", ARCHAEOLOGIST_PART, 1 / LOST_ARCHAEOLOGIST
        elif contrast.detail == HELPER_PART:
            key, place, unit = "lost_helper", HELPER_PART, 1 / LOST_HELPER
        shares = self._shares(seat, place, unit)
        if not shares.differ:
            return None
        if key == "lost_archaeologist" and not self._view.carried[seat]:  # else the way home is told of what it carries
            moves, instead = (self._moves_out(place, seat) for place in self._places)
            if (
                moves is not None
                and instead is not None
                and NOWHERE not in (moves, instead)
                and (moves - instead) * (shares.often - shares.before) > 0
            ):
                return _gets(f"{key}_far", (seat,), {**shares.values, "moves": moves, "instead": instead})
        return _gets(key, (seat,), shares.values)

    def _carried(self, seat: int) -> Reason | None:
        """How often what the seat carries now gets home; and who robs it instead, or how far home is."""
        home = self._shares(seat, HOME_COUNT)
        if not home.differ:
            return None
        value = {"value": self._view.carried[seat]}
        robbed = [(self._shares(seat, ROBBED_COUNT + thief), thief) for thief in range(self._view.players)]
        most, thief = max(robbed, key=lambda one: (home.before - home.often) * (one[0].often - one[0].before))
        by_the_mover = thief == self._view.turn  # what it brings the mover is told, too
        if (
            not by_the_mover
            and (most.often - most.before) * (home.before - home.often) > 0
            and (abs(most.often - most.before) >= abs(home.often - home.before) / 2)
        ):
            return _gets("robbed", (seat,), {**value, "thief": thief, **most.values})
        moves, instead = (self._moves_home(place, seat) for place in self._places)
        if moves is not None and instead is not None and (moves - instead) * (home.before - home.often) > 0:
            if moves == NOWHERE_NEAR:
                return _gets("home_barred", (seat,), {**value, **home.values})
            if instead == NOWHERE_NEAR:
                return _gets("home_open", (seat,), {**value, **home.values})
            return _gets("home_far", (seat,), {**value, **home.values, "moves": moves, "instead": instead})
        return _gets("home", (seat,), {**value, **home.values})

    def _fetched(self, seat: int, cell: int) -> Reason | None:
        """How often the treasure that lies on a cell gets home by this seat, where nothing else lies there."""
        values = [value for here, value in self._view.lying if here == cell]
        if len(values) > 1 or values[0] == MASK:
            return None
        home = self._shares(seat, FETCHED_PARTS[cell], 1 / values[0])
        if not home.differ or max(home) > 1:
            return None
        return _gets("fetched_home", (seat,), {"value": values[0], "cell": CELL_NAMES[cell], **home.values})

    def _robbing(self, contrast: Contrast) -> Reason | None:
        """How often a seat brings home what it robs its best victim of, and how many moves lead there."""
        thief = contrast.seats[0]
        place, most = max(contrast.shares, key=lambda share: share[1] * contrast.amount, default=(0, 0.0))
        if place not in STOLEN_PARTS or abs(most) < max(LEAST_TOLD, abs(contrast.amount) / 2):
            return None
        victim = STOLEN_PARTS.index(place)
        robs = _Shares(*(float((self._playouts.parts[at, :, thief, place] > 0).mean()) for at in self._places))
        if not robs.differ or (robs.often - robs.before) * contrast.amount <= 0:
            return None
        values = {"victim": victim, "points": round(contrast.amount, 1), **robs.values}
        if contrast.detail is None:
            return _gets("robs_most", (thief,), values)
        moves, instead = (self._moves_between(at, thief, victim) for at in self._places)
        if moves is None or instead is None or (moves - instead) * contrast.amount >= 0:
            return _gets("robs", (thief,), values)
        return _gets("robs_near", (thief,), {**values, "moves": moves, "instead": instead})

    def _moves_between(self, place: int, seat: int, other: int) -> int | None:
        """How many moves lead from the archaeologist of a seat to that of another right after an action."""
        after = self._view.apply(self._playouts.actions[place])
        here, there = after.archaeologists[seat], after.archaeologists[other]
        if NOWHERE in (here, there):
            return None
        moves = moves_from(after.tiles, after.lamps[seat], here)[there]
        return None if moves == NOWHERE else moves

    def _standing(self, contrast: Contrast) -> Reason | None:
        """How a seat stands after some rounds: better or worse."""
        part = "more" if contrast.amount > 0 else "less"
        return _gets(f"{contrast.part}_{part}", contrast.seats, {})

    def _shares(self, seat: int, place: int, unit: float = 1.0) -> _Shares:
        often, before = (
            float(self._playouts.parts[at, :, seat, place].mean(dtype=float)) * unit for at in self._places
        )
        return _Shares(often, before)

    def _moves_home(self, place: int, seat: int) -> int | None:
        """How many moves home are left right after an action; ``None`` where the seat carries nothing to bring."""
        if not self._view.apply(self._playouts.actions[place]).carried[seat]:
            return None
        moves = self._moves_out(place, seat)
        return NOWHERE_NEAR if moves == NOWHERE else moves

    def _moves_out(self, place: int, seat: int) -> int | None:
        """How many moves the archaeologist of a seat is from the start right after an action; ``None`` if lost."""
        after = self._view.apply(self._playouts.actions[place])
        cell = after.archaeologists[seat]
        return None if cell == NOWHERE else moves_from(after.tiles, after.lamps[seat], after.start)[cell]


NOWHERE_NEAR: Final = len(CELL_NAMES)
"""More moves than any way home has: there is none."""


def _gets(part: str, seats: tuple[int, ...], values: Mapping[str, Any]) -> Reason:
    return Reason(f"coach.pharaoh.gets.{part}", {"seats": seats, **values})


phrase(
    {
        "coach.pharaoh.plan": "the plan for this turn: {then}",
        "coach.pharaoh.gets.after": "the move of {seats} is right too, but only after {then}",
        "coach.pharaoh.passed": "passed {turns} turns running (rounds {first} to {last}) with something to do",
        "coach.pharaoh.gets.home": "the {value} in hand gets home for {seats} in {share} %, not {before} %",
        "coach.pharaoh.gets.home_far": "the {value} in hand gets home for {seats} in {share} %, not {before} %:"
        " it is {moves:move} from home, not {instead}",
        "coach.pharaoh.gets.home_barred": "the {value} in hand gets home for {seats} in {share} %, not"
        " {before} %: no way leads home then",
        "coach.pharaoh.gets.home_open": "the {value} in hand gets home for {seats} in {share} %, not {before} %:"
        " a way leads home then",
        "coach.pharaoh.gets.robbed": "{seats} is robbed by {thief} in {share} %, not {before} %",
        "coach.pharaoh.gets.carried": "what {seats} has in hand brings {points:+.1f} points",
        "coach.pharaoh.gets.treasure": "the treasure on {cell} brings {seats} {points:+.1f} points",
        "coach.pharaoh.gets.fetched": "treasures that are fetched bring {seats} {points:+.1f} points",
        "coach.pharaoh.gets.stolen": "in later turns {seats} gains {points:+.1f} points by robbing",
        "coach.pharaoh.gets.stolen_from": "in later turns {seats} gains {points:+.1f} points by robbing {victim}",
        "coach.pharaoh.gets.robs": "{seats} robs {victim} and gets it home in {share} %, not {before} %:"
        " {points:+.1f} points",
        "coach.pharaoh.gets.robs_near": "{seats} robs {victim} and gets it home in {share} %, not {before} %:"
        " {points:+.1f} points;"
        " it is {moves:move} there, not {instead}",
        "coach.pharaoh.gets.robs_most": "robbing brings {seats} {points:+.1f} points, above all from {victim}:"
        " it gets home in {share} %, not {before} %",
        "coach.pharaoh.gets.fetched_home": "{seats} brings the {value} on {cell} home in {share} %, not {before} %",
        "coach.pharaoh.gets.lost_archaeologist_far": "the archaeologist of {seats} is lost in {share} %, not"
        " {before} %: it is {moves:move} from the start, not {instead}",
        "coach.pharaoh.gets.mask": "{seats} brings the mask home in {share} %, not {before} %",
        "coach.pharaoh.gets.masks": "the mask brings {seats} {points:+.1f} points",
        "coach.pharaoh.gets.photos": "finding chambers brings {seats} {points:+.1f} points",
        "coach.pharaoh.gets.figures_lost": "{seats} loses more figures in the collapse: {points:+.1f} points",
        "coach.pharaoh.gets.figures_saved": "{seats} saves more figures from the collapse: {points:+.1f} points",
        "coach.pharaoh.gets.lost_archaeologist": "the archaeologist of {seats} is lost in {share} %, not {before} %",
        "coach.pharaoh.gets.lost_helper": "the helper of {seats} is lost in {share} %, not {before} %",
        "coach.pharaoh.gets.barred": "no way leads home for {seats} in {share} %, not {before} %",
        "coach.pharaoh.gets.hand_more": "{seats} has more in hand after that, or nearer to home",
        "coach.pharaoh.gets.hand_less": "{seats} has less in hand after that, or farther from home",
        "coach.pharaoh.gets.reach_more": "{seats} is nearer to treasures that lie about",
        "coach.pharaoh.gets.reach_less": "{seats} is farther from treasures that lie about",
        "coach.pharaoh.gets.lamps_more": "more lamps of {seats} burn",
        "coach.pharaoh.gets.lamps_less": "fewer lamps of {seats} burn",
        "coach.pharaoh.gets.unknown_more": "{seats} uncovers new tiles sooner",
        "coach.pharaoh.gets.unknown_less": "{seats} uncovers new tiles later",
        "coach.pharaoh.gets.threat_more": "what {seats} carries is safer from thieves",
        "coach.pharaoh.gets.threat_less": "what {seats} carries is in reach of thieves",
        "coach.pharaoh.gets.prey_more": "{seats} has somebody to rob in reach",
        "coach.pharaoh.gets.prey_less": "{seats} has nobody to rob in reach",
        "coach.pharaoh.gets.early_more": "{seats} scores sooner",
        "coach.pharaoh.gets.early_less": "{seats} scores later",
        "coach.pharaoh.gets.tie_more": "of equal points, those of {seats} win",
        "coach.pharaoh.gets.tie_less": "of equal points, those of {seats} do not win",
        "coach.pharaoh.gets.end": "the pyramid begins to fall in the rounds to come in {share} %, not {before} %",
    }
)
