"""``explorer``: a sensible player written in plain Python, which needs no extra.

Everything it wants has a worth per move: a treasure to fetch, a tile to turn over, a rival to rob. It goes for the
best, lights the way it walks most often, turns tiles that stand in its way, and leaves before the ceiling falls.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from serai.core.game import put
from serai.pharaoh.rules import legal
from serai.pharaoh.rules.actions import (
    ARCHAEOLOGISTS,
    DROP,
    END,
    HELPERS,
    LAMP,
    REVEALS,
    STEALS,
    TAKES,
    AnyAction,
    Archaeologist,
    Helper,
    Reveal,
    Turn,
)
from serai.pharaoh.rules.board import EXITS
from serai.pharaoh.rules.pieces import (
    CELLS,
    FACE_DOWN,
    FALLEN,
    FIRST_CHAMBER,
    MASK,
    MOVES,
    NOWHERE,
    OPENINGS,
    Tiles,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import linked, moves_from, walks

CHAMBER_WORTH = 3.5
"""The expected worth of a chamber: a photo and a share of its treasures."""
STEALING_IS_RISKY = 0.7
"""The robbed may rob back."""
LAMP_PAYS_FROM = 2
"""Unseen chambers and treasures on the board from which lamps pay."""
DETOUR = 3
"""A tile in the way home is turned when that saves more moves than this."""
EARLY_RINGS = 1
"""Rings that may fall early, because somebody steals the mask."""


class Explorer:
    """Finds chambers, carries treasure home, steals when it pays, and gets its figures out in time."""

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """One of the view's legal actions."""
        if view.drawn != NOWHERE:
            return _best_lay(view, rng)
        return _Turn(view, rng).action()


class _Goal(NamedTuple):
    """A cell to go to, what is done there, and its worth per move."""

    worth: float
    moves: int
    cell: int
    act: AnyAction


class _Turn:
    """One decision in a turn."""

    def __init__(self, view: PharaohState, rng: random.Random) -> None:
        self.view = view
        self.rng = rng
        self.seat: int = view.turn
        self.tiles = view.tiles
        self.lamps = view.lamps[self.seat]
        self.archaeologist = view.archaeologists[self.seat]
        self.helper = view.helpers[self.seat]
        self.carried = view.carried[self.seat]
        self.home = moves_from(self.tiles, self.lamps, view.start)
        self.escape = Escape(view, self.home)
        self.legal = view.actions()

    def action(self) -> AnyAction:
        """The first of these choices that finds an action, the most important first."""
        for choice in (
            self.take_or_steal,
            self.flee_with_archaeologist,
            self.flee_with_helper,
            self.hold_the_door,
            self.shorten_the_way_home,
            self.light_the_way,
            self.pursue,
            self.open_a_way,
            self.bring_helper_home,
            self.stir,
        ):
            action = choice()
            if action is not None and action in self.legal:
                return action
        return END

    # -- treasure

    def take_or_steal(self) -> AnyAction | None:
        """Pick up or steal the dearest treasure here that can be carried out in time."""
        if self.archaeologist == NOWHERE or not self.view.acts_left:
            return None
        here = [value for cell, value in self.view.lying if cell == self.archaeologist]
        robbed = [
            (value, seat)
            for seat, value in enumerate(self.view.carried)
            if value and seat != self.seat and self.view.archaeologists[seat] == self.archaeologist
        ]
        if self.carried:
            swap = self.carried < max([*here, 0]) and self.view.acts_left > 1 and self._worth_taking(max(here))
            return DROP if swap else None
        here = [value for value in here if self._worth_taking(value)]
        if robbed and max(robbed)[0] >= max([*here, 0]) and self._worth_taking(max(robbed)[0]):
            return STEALS[max(robbed)[1]]
        return TAKES[max(here)] if here else None

    def _worth_taking(self, value: int) -> bool:
        leaves_mask_chamber = value == MASK and self.view.clock == NOWHERE
        moves = min(self.view.moves_left, 1) if leaves_mask_chamber else self.view.moves_left
        return self.escape.gets_home(self.archaeologist, moves)

    def pursue(self) -> AnyAction | None:
        """Go for what is worth most per move, or home with what is carried."""
        if self.archaeologist == NOWHERE or not self.view.moves_left:
            return None
        if self.carried and self.home[self.archaeologist] != NOWHERE:
            return self._step_home(self.archaeologist, ARCHAEOLOGISTS)
        if self.goal is None:
            return self._step_home(self.archaeologist, ARCHAEOLOGISTS) if self.escape.collapsing else None
        if self.goal.cell == self.archaeologist:
            return self.goal.act
        return self._step_towards(self.goal.cell)

    @cached_property
    def goal(self) -> _Goal | None:
        """What is worth most per move to the archaeologist."""
        far = moves_from(self.tiles, self.lamps, self.archaeologist)
        return max(self._goals(far), default=None, key=lambda goal: (goal.worth, -goal.moves, self.rng.random()))

    def _goals(self, far: list[int]) -> Iterator[_Goal]:
        view, home = self.view, self.home
        if not self.carried:
            for cell, value in view.lying:
                out_of_mask_chamber = value == MASK and view.clock == NOWHERE
                if far[cell] > 0 and self._safe(far, cell, out_of_mask_chamber):
                    yield _Goal(value / (far[cell] + home[cell]), far[cell], cell, TAKES[value])
            for seat, value in enumerate(view.carried):
                cell = view.archaeologists[seat]
                if value and 0 < far[cell] <= view.moves_left and self._safe(far, cell, False):
                    worth = STEALING_IS_RISKY * value / (far[cell] + home[cell])
                    yield _Goal(worth, far[cell], cell, STEALS[seat])
        chambers, tiles = sum(view.unseen[FIRST_CHAMBER:]), sum(view.unseen)
        if not chambers:
            return
        for cell in CELLS:
            if far[cell] != NOWHERE and self.escape.trip_is_safe(far, cell, False):
                for other, _ in EXITS[cell][OPENINGS[self.tiles[cell]]]:
                    if self.tiles[other] == FACE_DOWN:
                        worth = CHAMBER_WORTH * chambers / tiles / (far[cell] + 1)
                        yield _Goal(worth, far[cell], cell, REVEALS[other])

    def _safe(self, far: list[int], cell: int, out_of_mask_chamber: bool) -> bool:
        return self.home[cell] != NOWHERE and self.escape.trip_is_safe(far, cell, out_of_mask_chamber)

    def _step_towards(self, cell: int) -> AnyAction | None:
        far = moves_from(self.tiles, self.lamps, cell)
        return self._nearest(self.archaeologist, far, ARCHAEOLOGISTS)

    def _step_home(self, figure: int, steps: tuple[AnyAction, ...]) -> AnyAction | None:
        if self.home[figure] <= 0:
            return None
        return self._nearest(figure, self.home, steps)

    def _nearest(self, figure: int, far: list[int], steps: tuple[AnyAction, ...]) -> AnyAction | None:
        reach = [cell for cell in walks(self.tiles, self.lamps, figure) if far[cell] != NOWHERE]
        return steps[min(reach, key=lambda cell: (far[cell], self.rng.random()))] if reach else None

    # -- running for life

    def flee_with_archaeologist(self) -> AnyAction | None:
        """Go home if one turn later would be too late."""
        leave = self.archaeologist != NOWHERE and self.escape.must_leave(self.archaeologist)
        return self._step_home(self.archaeologist, ARCHAEOLOGISTS) if leave else None

    def flee_with_helper(self) -> AnyAction | None:
        """The same for the helper, which is worth less."""
        leave = self.helper != NOWHERE and self.escape.must_leave(self.helper)
        return self._step_home(self.helper, HELPERS) if leave else None

    def bring_helper_home(self) -> AnyAction | None:
        """Once the mask is found, with moves to spare."""
        leave = self.helper != NOWHERE and self.escape.collapsing
        return self._step_home(self.helper, HELPERS) if leave else None

    # -- the helper's work

    def hold_the_door(self) -> AnyAction | None:
        """A helper left on the start tile could be walled out: it follows onto the first tile of the way."""
        start = self.view.start
        if self.helper != start or self.archaeologist in (NOWHERE, start) or self.escape.collapsing:
            return None
        if self.carried or self.view.moves_left != 1 or self.goal is None:
            return None
        return HELPERS[([*self._way_home(), self.archaeologist])[0]]

    def light_the_way(self) -> AnyAction | None:
        """Put up a lamp on the archaeologist's way home, or step to its next unlit cell."""
        view, archaeologist, helper = self.view, self.archaeologist, self.helper
        if archaeologist == NOWHERE or helper == NOWHERE or not view.supplies[self.seat] or not self._lamps_pay():
            return None
        way = self._way_home()
        if len(way) < 2:
            return None
        if helper in way:
            return LAMP if helper not in self.lamps else self._step_of_helper(way)
        return self._step_of_helper(way) if helper == view.start else None

    def _lamps_pay(self) -> bool:
        if self.escape.collapsing:
            return False
        return sum(self.view.unseen[FIRST_CHAMBER:]) + len(self.view.lying) >= LAMP_PAYS_FROM

    def _way_home(self) -> list[int]:
        """The cells between archaeologist and start, nearest the start first."""
        far = moves_from(self.tiles, (), self.view.start)
        way: list[int] = []
        cell = self.archaeologist
        if far[cell] == NOWHERE:
            return []
        while far[cell] > 1:
            cell = min(linked(self.tiles, cell), key=lambda other: far[other] if far[other] != NOWHERE else len(CELLS))
            way.append(cell)
        return way[::-1]

    def _step_of_helper(self, way: list[int]) -> AnyAction | None:
        """One move that takes the helper to the first unlit cell of the way."""
        goal = next((cell for cell in way if cell not in self.lamps), None)
        if goal is None or goal not in walks(self.tiles, self.lamps, self.helper):
            return None
        return HELPERS[goal]

    def shorten_the_way_home(self) -> AnyAction | None:
        """Turn a tile next to the helper, if that saves the carrier a long way round."""
        if not self.carried or self.helper == NOWHERE or not self.view.moves_left:
            return None
        now = self.home[self.archaeologist]
        if now != NOWHERE and now <= DETOUR:
            return None
        best, best_moves = None, (len(CELLS) if now == NOWHERE else now) - DETOUR
        for action in self.legal:
            if isinstance(action, Turn):
                tiles = put(self.tiles, action.cell, action.openings)
                moves = moves_from(tiles, self.lamps, self.view.start)[self.archaeologist]
                if moves != NOWHERE and moves < best_moves:
                    best, best_moves = action, moves
        return best

    def open_a_way(self) -> AnyAction | None:
        """If nothing can be reached, let the helper turn a tile that changes this, even under the archaeologist."""
        if self.helper == NOWHERE or self.archaeologist == NOWHERE or not self.view.moves_left:
            return None
        if self.escape.collapsing and self.home[self.archaeologist] != NOWHERE:
            return None
        far = moves_from(self.tiles, self.lamps, self.helper)
        reached = sorted((cell for cell in CELLS if far[cell] != NOWHERE), key=far.__getitem__)
        for way_home in (True, False):
            action = self._turn_from_afar(reached, way_home) or self._turn_under_both(reached, far, way_home)
            if action is not None:
                return action
        return None

    def _turn_from_afar(self, reached: list[int], way_home: bool) -> AnyAction | None:
        """If the way home is given up for a while, only the tile under the helper is turned: it can be turned back."""
        for stands in reached:
            for cell in [stands, *linked(self.tiles, stands)] if way_home else [stands]:
                for turn in legal.turns_of(self.view, cell):
                    if self._helps(put(self.tiles, cell, turn.openings), self.archaeologist, way_home):
                        return turn if stands == self.helper else self._send_helper(stands)
        return None

    def _turn_under_both(self, reached: list[int], far: list[int], way_home: bool) -> AnyAction | None:
        """Both figures go to one tile, so that the archaeologist rides on it as the helper turns it."""
        own = moves_from(self.tiles, self.lamps, self.archaeologist)
        for cell in sorted((cell for cell in reached if own[cell] != NOWHERE), key=lambda cell: far[cell] + own[cell]):
            for turn in legal.turns_of(self.view, cell):
                if self._helps(put(self.tiles, cell, turn.openings), cell, way_home):
                    if self.archaeologist != cell:
                        return self._step_towards(cell)
                    return turn if self.helper == cell else self._send_helper(cell)
        return None

    def _send_helper(self, cell: int) -> AnyAction | None:
        return self._nearest(self.helper, moves_from(self.tiles, self.lamps, cell), HELPERS)

    def _helps(self, tiles: Tiles, stands: int, way_home: bool) -> bool:
        """Whether an archaeologist there could go on if the tiles lay like this."""
        if not linked(tiles, self.view.start):
            return False
        far = moves_from(tiles, self.lamps, stands)
        home = far[self.view.start] != NOWHERE
        if self.carried or self.escape.collapsing or (way_home and not home):
            return home
        if home and any(far[cell] > 0 for cell, _ in self.view.lying):
            return True
        return any(
            tiles[other] == FACE_DOWN
            for cell in CELLS
            if far[cell] != NOWHERE
            for other, _ in EXITS[cell][OPENINGS[tiles[cell]]]
        )

    def stir(self) -> AnyAction | None:
        """Shut in without a plan: try something at random, so that the game goes on."""
        if self.escape.collapsing and self.archaeologist in (NOWHERE, self.view.start):
            return None
        if self.archaeologist == NOWHERE and self.helper in (NOWHERE, self.view.start):
            return None
        reveals = [action for action in self.legal if isinstance(action, Reveal)]
        if reveals:
            return self.rng.choice(reveals)
        tries = [action for action in self.legal if self._is_harmless(action)]
        return self.rng.choice(tries) if tries else None

    def _is_harmless(self, action: AnyAction) -> bool:
        """A walk, or a turn of the helper's own tile that leaves the start tile a way in."""
        if isinstance(action, Turn):
            turned = put(self.tiles, action.cell, action.openings)
            return action.cell == self.helper and bool(linked(turned, self.view.start))
        return isinstance(action, Archaeologist | Helper)


class Escape:
    """Whether figures get home in time, if a ring falls after each turn of their player, this one included."""

    def __init__(self, view: PharaohState, home: list[int]) -> None:
        self.collapsing = bool(view.falls)
        self._view = view
        self._home = home
        self._fallen = view.ring if view.clock != NOWHERE else -1
        self._rings = view.falls

    def gets_home(self, cell: int, moves: int, *, rings: int = 0) -> bool:
        """Whether a figure there, with this many moves left this turn, reaches the start before its cell falls."""
        if not self.collapsing:
            return True
        home, turn, left = self._home, 1, moves
        fallen = self._fallen + rings
        if home[cell] == NOWHERE:
            return False
        tiles, lamps = self._view.tiles, self._view.lamps[self._view.turn]
        while home[cell]:
            if not left:
                if self._rings[cell] <= fallen + turn:
                    return False
                turn, left = turn + 1, MOVES
            cell = next(other for other in walks(tiles, lamps, cell) if home[other] == home[cell] - 1)
            left -= 1
            if self._rings[cell] <= fallen + turn - 1 and home[cell]:
                return False
        return True

    def must_leave(self, cell: int) -> bool:
        """Whether next turn could be too late for a figure there."""
        if not self.collapsing or not self._home[cell]:
            return False
        return not self.gets_home(cell, 0, rings=EARLY_RINGS)

    def trip_is_safe(self, far: list[int], cell: int, leaves_mask_chamber: bool) -> bool:
        """Whether one can go to that cell (``far`` moves away) and home again before the way falls."""
        if not self.collapsing:
            return True
        left = self._view.moves_left - far[cell]
        turns = 0
        while left < 0:
            turns, left = turns + 1, left + MOVES
        if self._view.countdown:
            if turns >= self._view.countdown:
                return False
            turns = 0  # nothing falls while the mask stays in its chamber
        if self._rings[cell] <= self._fallen + turns:
            return False
        return self.gets_home(cell, min(left, 1) if leaves_mask_chamber else left, rings=turns)


def _best_lay(view: PharaohState, rng: random.Random) -> AnyAction:
    """The lay that opens towards the finder and the unknown, not against walls."""
    stands = view.archaeologists[view.turn]

    def merit(openings: int) -> float:
        points = 0.0
        for other, needed in EXITS[view.site][openings]:
            code = view.tiles[other]
            if other == stands:
                points += 10
            elif code == FACE_DOWN:
                points += 2
            elif code != FALLEN and OPENINGS[code] & needed:
                points += 1
        return points

    return max(legal.lays(view), key=lambda lay: (merit(lay.openings), rng.random()))
