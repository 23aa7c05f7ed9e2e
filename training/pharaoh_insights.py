"""What Das Gold des Pharao teaches: see :mod:`training.insights`.

Whole games of compiled players. In most of them one seat has one habit of its own and all others are seasoned thieves
(``jackal``): what that seat wins beyond its par is what the habit is worth. In the others all are alike, and it is
counted what becomes of treasures, of the mask and of figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import numba
import numpy as np
import numpy.typing as npt

from serai.coach.insights import Insight
from serai.lab.rng import Words, count, draw, seed_of
from serai.pharaoh.game import GAME
from serai.pharaoh.kernel import layout as at
from serai.pharaoh.kernel.bridge import to_row, to_state
from serai.pharaoh.kernel.legal import Row
from serai.pharaoh.kernel.rules import act, drawn_piece, winners
from serai.pharaoh.policy.decide import decide
from serai.pharaoh.policy.scratch import Scratch, new_scratch
from serai.pharaoh.policy.styles import STYLES, Styles, style
from serai.pharaoh.policy.ways import FAR, measure
from serai.pharaoh.rules.actions import Archaeologist, Helper, Lamp, Reveal, Steal, Take, Turn
from serai.pharaoh.rules.rules import PharaohState
from serai.wire.bodies import InsightBar
from training.insights import (
    Asked,
    Compared,
    Estimate,
    Found,
    Sums,
    above,
    add,
    add_game,
    apart,
    bar,
    below,
)

BLOCK: Final = 6_000
"""Games in a block that is counted."""
TABLES: Final = (2, 3, 4)
SEATS: Final = len(TABLES)
"""Numbers of players, told apart by place."""
LEVEL: Final = "jackal"

HABITS: Final = {
    "alike": style(),
    "honest": style(steal=0.0),
    "dark": style(light=0.0),
    "half_lit": style(light=0.5),
    "no_walls": style(bar=0.0, ambush=0.0),
    "walls_first": style(ambush=1.0),
    "no_shortcuts": style(shortcut=0.0),
    "no_mask": style(longing=0.0),
    "mask_first": style(longing=4.0),
    "bold": style(fear=0.0),
    "timid": style(fear=2.0),
    "explorer": style(explore=4.0),
    "fetcher": style(explore=0.4),
    "blind_to_rivals": style(rivalry=1.0),
    "wary_of_rivals": style(rivalry=0.2),
    "straight_on": style(homing=0.0),
    "stays_near": style(homing=1.0),
}
"""What one seat does otherwise than the others."""
PLAIN: Final = 5
"""One game in this many is played by players who are all alike, and counted."""

WINS: Final = 0
"""``+ SEATS * habit + table``: shares of victory of the seat with that habit."""
FIRST: Final = WINS + SEATS * len(HABITS)
"""``+ MAX_SEATS * table + seat``: shares of victory by seat."""
SOURCE: Final = FIRST + at.MAX_SEATS * SEATS
"""``+ 4 * table + source``: what the best has more than the mean of the others: photos, treasures, mask, losses."""
FARTHEST: Final = 6
"""Moves home beyond this count like it."""
HOME: Final = SOURCE + 4 * SEATS
"""``+ moves home - 1``: how often a treasure that is picked up so far from home is carried home; then, stolen."""
STOLEN: Final = HOME + FARTHEST
SAVED: Final = STOLEN + FARTHEST
"""``+ lamps``: the moves home that lamps save where a treasure is picked up, by how many the seat has put up; then,
how often the treasure is carried home.
"""
LIT_HOME: Final = SAVED + 6
MASK_HOME: Final = LIT_HOME + 6
"""``+ moves home - 1``: how often the mask is brought home, by how far from home its finder stands; then by the finder.
"""
MASK_FINDER: Final = MASK_HOME + FARTHEST
THIEF: Final = MASK_FINDER + FARTHEST
"""``+ table``: how often a thief carries home what it stole; then thefts, rounds, lost figures of a game and seat."""
THEFTS: Final = THIEF + SEATS
ROUNDS: Final = THEFTS + SEATS
LOST: Final = ROUNDS + SEATS
CARRIER: Final = LOST + SEATS
"""``+ table``: how often who brought the mask home wins."""
CELLS: Final = CARRIER + SEATS


def counted(seed: int, block: int) -> Sums:
    """One block of games, counted."""
    sums = np.zeros((CELLS, 5))
    starts = np.array([to_row(GAME.new(players)) for players in TABLES])
    habits = np.array(list(HABITS.values()))
    _count(np.uint64(seed), block * BLOCK, BLOCK, starts, habits, _scratch(), sums)
    return sums


def compared(seed: int, block: int, found: Compared) -> None:
    """Nothing: an action there is a third of a turn, and whole habits say more."""


def positions(seed: int, key: str) -> Iterator[PharaohState]:
    """Positions that may show an insight."""
    fits = FITS[key]
    rows = np.empty((60, at.ROW_SIZE), np.int64)
    starts = np.array([to_row(GAME.new(players)) for players in TABLES])
    number = 0
    while True:
        _sample(np.uint64(seed + 2), number, starts, np.array(STYLES[LEVEL]), _scratch(), rows)
        number += len(rows)
        for row in rows:
            view = to_state(row)
            if view.actor == view.turn and len(view.actions()) >= 4 and fits(view):
                yield view.seen_by(view.turn)


@cache
def _scratch() -> Scratch:
    return new_scratch()


# -- positions ---------------------------------------------------------------------------------------------------------


def _falling(view: PharaohState) -> bool:
    return view.clock >= 0 or view.countdown > 0


def _rival_carries(view: PharaohState) -> bool:
    return any(view.carried[seat] for seat in range(view.players) if seat != view.turn)


def _victim_here(view: PharaohState) -> bool:
    return any(isinstance(action, Steal) for action in view.actions())


FITS: Final[dict[str, Callable[[PharaohState], bool]]] = {
    "rob": _victim_here,
    "thefts": _victim_here,
    "near_home": lambda view: bool(view.lying) and not view.carried[view.turn] and not _falling(view),
    "thieves": lambda view: view.carried[view.turn] > 0 and not _falling(view),
    "lamps": lambda view: any(isinstance(action, Lamp) for action in view.actions()),
    "lamps_save": lambda view: any(isinstance(action, Lamp) for action in view.actions()),
    "discover": lambda view: bool(view.lying) and not view.carried[view.turn] and view.players == 2,
    "walls": _rival_carries,
    "mask_far": _falling,
    "mask_finder": lambda view: _falling(view) and view.finder == view.turn,
    "mask_wins": lambda view: _falling(view) and view.players == 2,
    "sources": lambda view: view.carried[view.turn] > 0,
    "seats": lambda view: view.round <= 3,
}
"""By insight: positions that may show it."""


# -- compiled ----------------------------------------------------------------------------------------------------------


@numba.njit(error_model="numpy", nogil=True)
def _sample(
    seed: np.uint64, first: int, starts: npt.NDArray[np.int64], player: Any, scratch: Scratch, rows: Any
) -> None:
    """Fill each row with a position in which somebody is to act, each from a game of its own."""
    words: Words = np.empty(1, np.uint64)
    row = np.empty(at.ROW_SIZE, np.int64)
    for number in range(len(rows)):
        words[0] = seed_of(seed, np.uint64(first + number))
        start = starts[(first + number) % len(starts)]
        for place in range(at.ROW_SIZE):
            row[place] = start[place]
        seen = 0
        while row[at.ACTOR] != at.NOBODY_ACTS:
            if row[at.ACTOR] == at.CHANCE_ACTS:
                act(row, drawn_piece(row, words, 0))
                continue
            seen += 1
            if draw(words, 0) % np.uint64(seen) == 0:
                for place in range(at.ROW_SIZE):
                    rows[number, place] = row[place]
            act(row, decide(row, player, scratch, words, 0))


@numba.njit(error_model="numpy", nogil=True)
def _count(
    seed: np.uint64,
    first: int,
    games: int,
    starts: npt.NDArray[np.int64],
    habits: Styles,
    scratch: Scratch,
    sums: Sums,
) -> None:
    """Play games and add what happens to the sums of the cells."""
    words: Words = np.empty(2, np.uint64)
    row = np.empty(at.ROW_SIZE, np.int64)
    x, n = np.zeros(CELLS), np.zeros(CELLS)
    far = np.zeros(at.CELL_COUNT, np.int64)
    trips = np.zeros((at.MAX_SEATS, 3), np.int64)
    for number in range(first, first + games):
        words[0] = seed_of(seed, np.uint64(number))
        words[1] = ~words[0]
        table = number % len(starts)
        start = starts[table]
        players = int(start[at.PLAYERS])
        for place in range(at.ROW_SIZE):
            row[place] = start[place]
        plain = number // len(starts) % PLAIN == 0
        habit = 0 if plain else int(number // (len(starts) * PLAIN) % len(habits))
        odd = int(draw(words, 1) % np.uint64(players))
        x[:] = 0.0
        n[:] = 0.0
        trips[:] = 0
        finder, finder_home = -1, 0
        while row[at.ACTOR] != at.NOBODY_ACTS:
            if row[at.ACTOR] == at.CHANCE_ACTS:
                act(row, drawn_piece(row, words, 0))
                if plain and finder < 0 and row[at.MASK_CHAMBER] >= 0:
                    finder = int(row[at.FINDER])
                    measure(row, row[at.LAMPS + finder], row[at.START_CELL], far)
                    finder_home = far[row[at.MASK_CHAMBER]]
                continue
            seat = int(row[at.ACTOR])
            action = decide(row, habits[habit if seat == odd else 0], scratch, words, 1)
            if plain:
                _watch(row, table, seat, action, far, trips, x, n)
            act(row, action)
            if plain and trips[seat, 0] > 0 and row[at.CARRIED + seat] == 0:
                _end_trip(row, table, seat, trips, x, n)
        won = winners(row)
        share = 1.0 / count(won)
        if not plain:
            add(x, n, WINS + SEATS * habit + table, share if won >> odd & 1 else 0.0)
        else:
            _finish(row, table, players, won, share, finder, finder_home, x, n)
        add_game(x, n, sums)


@numba.njit(error_model="numpy", nogil=True)
def _watch(
    row: Row,
    table: int,
    seat: int,
    action: int,
    far: npt.NDArray[np.int64],
    trips: npt.NDArray[np.int64],
    x: npt.NDArray[np.float64],
    n: npt.NDArray[np.float64],
) -> None:
    """Note a treasure that is picked up or stolen. A trip is: 1 found or 2 stolen, moves home, lamps."""
    if at.STEAL_ACTION <= action < at.STEAL_ACTION + at.MAX_SEATS:
        victim = action - at.STEAL_ACTION
        add(x, n, THEFTS + table, 1.0)
        n[THEFTS + table] -= 1.0
        if trips[victim, 0] == 1:
            add(x, n, HOME + trips[victim, 1] - 1, 0.0)
            add(x, n, STOLEN + trips[victim, 1] - 1, 1.0)
            add(x, n, LIT_HOME + trips[victim, 2], 0.0)
        elif trips[victim, 0] == 2:
            add(x, n, THIEF + table, 0.0)
        trips[victim, 0] = 0
        trips[seat, 0] = 2
        return
    if not at.TAKE_ACTION <= action < at.TAKE_ACTION + 2 or row[at.CENTRE] >= 0:
        return
    cell = row[at.ARCHAEOLOGIST + seat]
    measure(row, row[at.LAMPS + seat], row[at.START_CELL], far)
    lit = far[cell]
    measure(row, 0, row[at.START_CELL], far)
    if far[cell] >= FAR:
        return
    trips[seat, 0] = 1
    trips[seat, 1] = min(FARTHEST, max(1, lit))
    trips[seat, 2] = count(row[at.LAMPS + seat])
    add(x, n, SAVED + trips[seat, 2], far[cell] - lit)


@numba.njit(error_model="numpy", nogil=True)
def _end_trip(
    row: Row,
    table: int,
    seat: int,
    trips: npt.NDArray[np.int64],
    x: npt.NDArray[np.float64],
    n: npt.NDArray[np.float64],
) -> None:
    """Count a trip that ended by the seat's own doing: brought home or dropped."""
    home = row[at.ARCHAEOLOGIST + seat] == row[at.START_CELL]
    if trips[seat, 0] == 1:
        add(x, n, HOME + trips[seat, 1] - 1, home)
        add(x, n, STOLEN + trips[seat, 1] - 1, 0.0)
        add(x, n, LIT_HOME + trips[seat, 2], home)
    else:
        add(x, n, THIEF + table, home)
    trips[seat, 0] = 0


@numba.njit(error_model="numpy", nogil=True)
def _finish(
    row: Row,
    table: int,
    players: int,
    won: int,
    share: float,
    finder: int,
    finder_home: int,
    x: npt.NDArray[np.float64],
    n: npt.NDArray[np.float64],
) -> None:
    """Count how a game ended."""
    n[THEFTS + table] += 1.0
    add(x, n, ROUNDS + table, row[at.ROUND])
    for seat in range(players):
        add(x, n, FIRST + at.MAX_SEATS * table + seat, share if won >> seat & 1 else 0.0)
        add(x, n, LOST + table, (row[at.ARCHAEOLOGIST + seat] < 0) + (row[at.HELPER + seat] < 0))
        if row[at.MUSEUM + 3 * seat + 2] > 0:
            add(x, n, CARRIER + table, share if won >> seat & 1 else 0.0)
    for source in range(4):
        best, everybody = 0.0, 0.0
        for seat in range(players):
            if source == 0:
                got = 0.0
                for photo in range(5):
                    got += row[at.PHOTO_OWNER + photo] == seat
            elif source == 1:
                got = 2.0 * row[at.MUSEUM + 3 * seat] + 3.0 * row[at.MUSEUM + 3 * seat + 1]
            elif source == 2:
                got = 5.0 * row[at.MUSEUM + 3 * seat + 2]
            else:
                got = -2.0 * (row[at.ARCHAEOLOGIST + seat] < 0) - 1.0 * (row[at.HELPER + seat] < 0)
            best += share * got if won >> seat & 1 else 0.0
            everybody += got
        add(x, n, SOURCE + 4 * table + source, best - (everybody - best) / (players - 1))
    if finder >= 0 and finder_home < FAR:
        home, own = 0.0, 0.0
        for seat in range(players):
            if row[at.MUSEUM + 3 * seat + 2] > 0:
                home = 1.0
                own = 1.0 if seat == finder else 0.0
        moves = min(FARTHEST, max(1, finder_home))
        add(x, n, MASK_HOME + moves - 1, home)
        add(x, n, MASK_FINDER + moves - 1, own)


# -- the insights ------------------------------------------------------------------------------------------------------


def _habit(found: Found, name: str, habit: str, table: int, label: str) -> InsightBar:
    """By how much a habit wins more than the par of a seat, in per cent of victories."""
    par = 100 / TABLES[table]
    won = found.counted.mean(WINS + SEATS * list(HABITS).index(habit) + table).times(100)
    return bar(name, label, Estimate(*(one - par for one in won)), players=TABLES[table])


def _habits(*habits: str) -> Callable[[Found], list[InsightBar]]:
    """Habits at every table: names like ``honest2``."""
    return lambda found: [
        _habit(found, f"{habit}{players}", habit, table, f"habit_{habit}")
        for habit in habits
        for table, players in enumerate(TABLES)
    ]


def _by_moves(cell: int, name: str = "m") -> Callable[[Found], list[InsightBar]]:
    return lambda found: [
        bar(
            f"{name}{moves}",
            "moves" if moves < FARTHEST else "moves_or_more",
            found.counted.mean(cell + moves - 1).times(100),
            count=moves,
        )
        for moves in range(1, FARTHEST + 1)
    ]


def _by_table(cell: int, factor: float) -> Callable[[Found], list[InsightBar]]:
    return lambda found: [
        bar(f"p{players}", "players", found.counted.mean(cell + table).times(factor), players=players)
        for table, players in enumerate(TABLES)
    ]


def _lamps_save(found: Found) -> list[InsightBar]:
    return [bar(f"l{lamps}", "lamps", found.counted.mean(SAVED + lamps), count=lamps) for lamps in range(1, 6)]


def _sources(found: Found) -> list[InsightBar]:
    names = ("photos", "treasures", "mask", "losses")
    return [bar(name, f"from_{name}", found.counted.mean(SOURCE + 4 * 2 + place)) for place, name in enumerate(names)]


def _seats(found: Found) -> list[InsightBar]:
    return [
        bar(
            f"seat{seat + 1}of{players}",
            "seat",
            found.counted.mean(FIRST + at.MAX_SEATS * table + seat).times(100),
            seat=seat + 1,
            players=players,
        )
        for table, players in enumerate(TABLES)
        for seat in range(players)
    ]


def _odd(found: Found) -> int:
    """Games in which one seat had one habit of its own: one habit's share."""
    return found.counted.games * (PLAIN - 1) // PLAIN // len(HABITS)


def _plain(found: Found) -> int:
    return found.counted.games // PLAIN


def _worse(insight: Insight, *habits: str) -> bool:
    """Whether these habits surely lose at every table."""
    return all(below(insight, f"{habit}{players}", 0.0) for habit in habits for players in TABLES)


INSIGHTS: Final = (
    Asked(
        "rob",
        "lead",
        _habits("honest"),
        _odd,
        lambda one: _worse(one, "honest"),
        lambda view, action: isinstance(action, Steal),
    ),
    Asked(
        "near_home",
        "share",
        _by_moves(HOME),
        _plain,
        lambda one: apart(one, "m1", "m3") and apart(one, "m3", "m4") and apart(one, "m4", "m6"),
        lambda view, action: isinstance(action, Take | Archaeologist),
    ),
    Asked(
        "thefts",
        "count",
        _by_table(THEFTS, 1.0),
        _plain,
        lambda one: above(one, "p2", 5.0) and apart(one, "p3", "p2") and apart(one, "p4", "p3"),
        lambda view, action: isinstance(action, Steal),
    ),
    Asked(
        "thieves",
        "share",
        _by_table(THIEF, 100.0),
        _plain,
        lambda one: apart(one, "p2", "p3") and apart(one, "p3", "p4") and below(one, "p4", 50.0),
        lambda view, action: isinstance(action, Archaeologist) and view.carried[view.turn] > 0,
    ),
    Asked(
        "lamps",
        "lead",
        _habits("dark", "half_lit"),
        _odd,
        lambda one: _worse(one, "dark", "half_lit"),
        lambda view, action: isinstance(action, Lamp),
    ),
    Asked(
        "lamps_save",
        "moves",
        _lamps_save,
        _plain,
        lambda one: all(apart(one, f"l{lamps + 1}", f"l{lamps}") for lamps in range(1, 5)),
        lambda view, action: isinstance(action, Lamp),
    ),
    Asked(
        "discover",
        "lead",
        _habits("explorer"),
        _odd,
        lambda one: _worse(one, "explorer"),
        lambda view, action: isinstance(action, Archaeologist | Take),
    ),
    Asked(
        "walls",
        "lead",
        _habits("walls_first"),
        _odd,
        lambda one: _worse(one, "walls_first"),
        lambda view, action: isinstance(action, Turn),
    ),
    Asked(
        "mask_far",
        "share",
        _by_moves(MASK_HOME),
        _plain,
        lambda one: apart(one, "m2", "m5") and apart(one, "m5", "m6") and below(one, "m6", 50.0),
        lambda view, action: isinstance(action, Archaeologist),
    ),
    Asked(
        "mask_finder",
        "share",
        _by_moves(MASK_FINDER),
        _plain,
        lambda one: apart(one, "m2", "m5") and apart(one, "m5", "m6") and below(one, "m6", 25.0),
        lambda view, action: isinstance(action, Archaeologist | Helper | Take),
    ),
    Asked(
        "mask_wins",
        "share",
        _by_table(CARRIER, 100.0),
        _plain,
        lambda one: above(one, "p2", 50.0) and above(one, "p4", 50.0),
        lambda view, action: isinstance(action, Take | Steal | Archaeologist),
    ),
    Asked(
        "sources",
        "points",
        _sources,
        _plain,
        lambda one: apart(one, "treasures", "mask") and apart(one, "mask", "losses") and above(one, "losses", 0.0),
        lambda view, action: isinstance(action, Archaeologist | Take),
    ),
    Asked(
        "seats",
        "share",
        _seats,
        _plain,
        lambda one: apart(one, "seat2of2", "seat1of2") and apart(one, "seat2of4", "seat1of4"),
        lambda view, action: isinstance(action, Archaeologist | Reveal),
    ),
)
"""In the order in which they are told."""
