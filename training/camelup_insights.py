"""What Camel Up teaches: see :mod:`training.insights`.

Games are played by the styles of the coach's playouts, each seat of its own. What stands on the board is counted
whenever a die has fallen, not only where somebody bets, so nobody's choice of bets colours the chances. Leads come
from the coach's own playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

import numba
import numpy as np
import numpy.typing as npt

from serai.camelup.game import GAME
from serai.camelup.kernel import layout
from serai.camelup.kernel.bridge import to_row, to_state
from serai.camelup.kernel.rules import Row, act, drawn_die
from serai.camelup.parts import DESERT_PART, LEG_PART, MONEY_PARTS, PARTS, PYRAMID_PART, STAKE_PART
from serai.camelup.policy.lookup import LookupTable, look_up, lookup_table
from serai.camelup.policy.parts import count_die
from serai.camelup.policy.scratch import CHANCES_SIZE
from serai.camelup.policy.styles import Company, company_of, style_choice
from serai.camelup.policy.value import victory_shares
from serai.camelup.rules.actions import Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.pieces import LEG_VALUES, RACE_PRIZES
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.rules.track import ranking, space_of
from serai.coach.insights import Insight
from serai.lab.rng import drawn_place, seed_of
from serai.wire.bodies import InsightBar
from training.insights import (
    Asked,
    Compared,
    Found,
    Sums,
    above,
    add,
    add_game,
    apart,
    bar,
    below,
    leads,
)

BLOCK: Final = 24_000
"""Games in a block that is counted."""
SAMPLED: Final = 60
"""Positions in a block that is compared, at tables of two and of eight; three times as many at those of four."""
PLAYOUTS: Final = 256
TABLES: Final = (4, 2, 4, 3, 4, 5, 4, 6, 4, 7, 4, 8)
"""Numbers of players, by the number of the game."""
CAMELS: Final = layout.CAMEL_COUNT
TILES: Final = len(LEG_VALUES)

TILE: Final = 0
"""``+ (tile * CAMELS + rank) * CAMELS + dice - 1``: what a leg tile pays; rank 0 leads."""
LEADER: Final = TILE + TILES * CAMELS * CAMELS
"""``+ 2 * gap + ran``: how often a leader with three dice to come wins the leg; gap 0 stands on top of the second."""
RACE: Final = LEADER + 8
"""``+ part of the track``: how often who leads at the start of a leg wins the race; then who is last, loses it."""
PARTS_OF_TRACK: Final = 5
LAST: Final = RACE + PARTS_OF_TRACK
STOPS: Final = LAST + PARTS_OF_TRACK
"""``+ 4 * (dice - 1) + distance - 1``: stops in the rest of the leg on a space in front of the leader."""
STACKED: Final = STOPS + 4 * CAMELS
"""``+ height - 1``: stops two spaces before a leading stack of this height, at the start of a leg."""
CARDS: Final = 6
"""Cards of a deck that are told apart."""
RIGHT: Final = STACKED + CAMELS
"""``+ CARDS * deck + place``: how often that card is right; then what it pays."""
PAYS: Final = RIGHT + 2 * CARDS
SEAT: Final = PAYS + 2 * CARDS
"""``+ MAX_SEATS * (players - 2) + seat``: shares of victory."""
PURSE: Final = SEAT + 7 * layout.MAX_SEATS
"""``+ players - 2``: the pounds of the best; then turns of a seat, legs."""
TURNS: Final = PURSE + 7
LEGS: Final = TURNS + 7
INCOME: Final = LEGS + 7
"""``+ source``: what the best of four has more than the mean of the others from leg tiles, race cards, rolls, stops."""
CELLS: Final = INCOME + 4
LEVEL: Final = "fennec"


def counted(seed: int, block: int) -> Sums:
    """One block of games, counted."""
    starts = np.array([to_row(GAME.new(players, first=0)) for players in TABLES])
    companies = company_of("mixed", 4), company_of("mixed", 2)
    sums = np.zeros((CELLS, 5))
    _count(np.uint64(seed), block * BLOCK, BLOCK, starts, *companies, lookup_table(), sums)
    return sums


def sampled(seed: int, number: int, players: int, count: int) -> list[CamelUpState]:
    """Views from as many games, each at a turn that is drawn at random."""
    rows = np.empty((count, layout.ROW_SIZE), np.int16)
    start = to_row(GAME.new(players, first=0))
    _sample(np.uint64(seed), number, start, company_of("mixed", players), lookup_table(), rows)
    states = (to_state(row) for row in rows)
    return [state.seen_by(state.turn) for state in states]


def compared(seed: int, block: int, found: Compared) -> None:
    """Compare ways to act in one block of positions."""
    for players, count in ((4, 3 * SAMPLED), (2, SAMPLED), (8, SAMPLED)):
        for place, view in enumerate(sampled(seed + 1, block * count, players, count)):
            for case, classes in _cases(view, players):
                own, games = leads(GAME, view, classes, PLAYOUTS, seed + place)
                found.add(case, own[0], games)


def positions(seed: int, key: str) -> Iterator[CamelUpState]:
    """Positions of four that may show an insight."""
    block = 0
    fits = FITS.get(key, lambda _: True)
    while True:
        players = _AT[key] if key in _AT else (4, 3, 5)[block % 3]
        yield from filter(fits, sampled(seed + 2, (1 << 20) + block * 100, players, 100))
        block += 1


# -- positions ---------------------------------------------------------------------------------------------------------


def _leader(view: CamelUpState) -> int:
    return ranking(view.track)[0]


def _dice(view: CamelUpState) -> int:
    return view.tents.count(0)


def _cases(view: CamelUpState, players: int) -> Iterator[tuple[str, Sequence[Sequence[Any]]]]:
    """What to compare in a position: cases, each with two classes of actions."""
    leader, dice, actions = _leader(view), _dice(view), view.actions()
    if not view.leg_bets[leader] and dice == CAMELS:
        yield f"first-{players}", ([Leg(leader)], [Roll()])
    if players != 4:
        return
    desert = [action for action in actions if isinstance(action, Oasis | Mirage)]
    if view.leg_bets[leader] and not view.deserts[view.turn] and desert:
        yield f"desert-{dice}", (desert, [Roll()])
    if dice == 1:
        yield "last-die", ([action for action in actions if isinstance(action, Leg | Winner | Loser)], [Roll()])


def _rides(view: CamelUpState) -> bool:
    """Whether the leader stands on another camel and has run."""
    leader, second = ranking(view.track)[:2]
    return view.tents[leader] > 0 and space_of(view.track, leader) == space_of(view.track, second)


def _caught(view: CamelUpState) -> bool:
    """Whether the leader has run and is one space ahead of somebody who has not."""
    leader, second = ranking(view.track)[:2]
    ahead = space_of(view.track, leader) - space_of(view.track, second)
    return view.tents[leader] > 0 and ahead == 1 and view.tents[second] == 0


FITS: Final[dict[str, Callable[[CamelUpState], bool]]] = {
    "leader_five": lambda view: not view.leg_bets[_leader(view)] and _dice(view) < CAMELS,
    "at_once": lambda view: not view.leg_bets[_leader(view)] and _dice(view) == CAMELS,
    "second_camel": lambda view: len(view.leg_bets[_leader(view)]) == TILES,
    "cheap_tiles": lambda view: len(view.leg_bets[_leader(view)]) == TILES - 1 and _dice(view) <= 3,
    "rider": lambda view: _rides(view) and _dice(view) <= 3,
    "still_to_run": lambda view: _caught(view) and _dice(view) <= 3,
    "oasis": lambda view: _dice(view) >= 3 and not view.deserts[view.turn],
    "tile_or_roll": lambda view: _dice(view) == CAMELS and bool(view.leg_bets[_leader(view)]),
    "last_die": lambda view: _dice(view) == 1,
    "first_winner": lambda view: not view.winner_deck,
    "first_loser": lambda view: not view.loser_deck,
    "last_is_surer": lambda view: not view.loser_deck,
    "income": lambda view: _dice(view) <= 4,
}
"""By insight: positions that may show it."""
_AT: Final = {"players": 2, "last_is_surer": 3}
"""By insight: the number of players of its position, where it is about that or would be another's position."""


def _takes_leader(view: CamelUpState, action: Any) -> bool:
    return bool(action == Leg(_leader(view)))


def _before_leader(view: CamelUpState, action: Any) -> bool:
    """Whether the action lays a desert tile where the leading stack runs next."""
    return isinstance(action, Oasis | Mirage) and 1 <= action.space - space_of(view.track, _leader(view)) <= 3


# -- compiled ----------------------------------------------------------------------------------------------------------


@numba.njit(error_model="numpy", nogil=True)
def _begin(row: Row, start: Row, words: npt.NDArray[np.uint64], seats: npt.NDArray[np.int64], company: Company) -> None:
    """Set a game up and draw who plays it."""
    for place in range(layout.ROW_SIZE):
        row[place] = start[place]
    for seat in range(row[layout.PLAYERS]):
        seats[seat] = drawn_place(company.up_to, len(company.up_to), words, 0)
    for _ in range(CAMELS):
        act(row, drawn_die(row, words, 0))


@numba.njit(error_model="numpy", nogil=True)
def _sample(
    seed: np.uint64,
    first: int,
    start: Row,
    company: Company,
    lookup: LookupTable,
    rows: npt.NDArray[np.int16],
) -> None:
    """Fill each row with a position in which somebody is to act, each from a game of its own."""
    words = np.empty(1, np.uint64)
    chances = np.empty(CHANCES_SIZE)
    seats = np.zeros(layout.MAX_SEATS, np.int64)
    row = np.empty(layout.ROW_SIZE, np.int16)
    for number in range(len(rows)):
        words[0] = seed_of(seed, np.uint64((first + number) * layout.MAX_SEATS + start[0] - 1))
        _begin(row, start, words, seats, company)
        seen = 0
        while row[layout.ACTOR] != layout.NOBODY_ACTS:
            if row[layout.ACTOR] == layout.CHANCE_ACTS:
                act(row, drawn_die(row, words, 0))
                continue
            seen += 1
            if words[0] % np.uint64(seen) == 0:  # every turn of the game is as likely
                for place in range(layout.ROW_SIZE):
                    rows[number, place] = row[place]
            look_up(row, lookup, chances)
            act(row, style_choice(row, company.styles, seats[row[layout.ACTOR]], chances, words, 0))


@numba.njit(error_model="numpy", nogil=True)
def _count(
    seed: np.uint64,
    first: int,
    games: int,
    starts: npt.NDArray[np.int16],
    company: Company,
    duel: Company,
    lookup: LookupTable,
    sums: Sums,
) -> None:
    """Play games and add what happens to the sums of the cells."""
    words = np.empty(1, np.uint64)
    chances = np.empty(CHANCES_SIZE)
    seats = np.zeros(layout.MAX_SEATS, np.int64)
    row, before = np.empty(layout.ROW_SIZE, np.int16), np.empty(layout.ROW_SIZE, np.int16)
    won = np.empty((2, layout.MAX_SEATS))
    parts = np.zeros((layout.MAX_SEATS, PARTS), np.float32)
    x, n = np.zeros(CELLS), np.zeros(CELLS)
    # by dice left: the order of the camels, where the leader stands, what has stopped where, what ran
    orders = np.zeros((CAMELS + 1, CAMELS), np.int64)
    leads = np.zeros((CAMELS + 1, 4), np.int64)
    stops, stopped = np.zeros(24), np.zeros((CAMELS + 1, 24))
    starters = np.zeros((40, 3), np.int64)
    for number in range(first, first + games):
        start = starts[number % len(starts)]
        words[0] = seed_of(seed, np.uint64(number))
        players = int(start[layout.PLAYERS])
        style = duel if players == 2 else company
        _begin(row, start, words, seats, style)
        x[:] = 0.0
        n[:] = 0.0
        parts[:] = 0.0
        stops[:] = 0.0
        turns, legs = 0, 0
        fresh, dice, leg = True, CAMELS, int(row[layout.LEG])
        while row[layout.ACTOR] != layout.NOBODY_ACTS:
            if row[layout.ACTOR] == layout.CHANCE_ACTS:
                action = drawn_die(row, words, 0)
                for place in range(layout.ROW_SIZE):
                    before[place] = row[place]
                camel, pips = (action - layout.DIE_ACTION) // 3, (action - layout.DIE_ACTION) % 3 + 1
                stops[row[layout.SPACE + camel] + pips] += 1.0
                act(row, action)
                if players == 4:
                    count_die(before, row, action, parts)
                dice -= 1
                fresh = True
                over = row[layout.ACTOR] == layout.NOBODY_ACTS
                if over or row[layout.LEG] != leg:
                    _leg_over(row, dice + 1, orders, leads, stops, stopped, x, n)
                    leg, dice = int(row[layout.LEG]), CAMELS
                    stops[:] = 0.0
                continue
            if fresh:
                fresh = False
                front, second = row[layout.ORDER + CAMELS - 1], row[layout.ORDER + CAMELS - 2]
                for rank in range(CAMELS):
                    orders[dice, rank] = row[layout.ORDER + CAMELS - 1 - rank]
                space = int(row[layout.SPACE + front])
                height = 0
                for camel in range(CAMELS):
                    height += row[layout.SPACE + camel] == space
                leads[dice, 0] = space
                leads[dice, 1] = min(3, space - row[layout.SPACE + second])
                leads[dice, 2] = row[layout.TENT + front] != 0
                leads[dice, 3] = height
                for place in range(24):
                    stopped[dice, place] = stops[place]
                if dice == CAMELS and legs < len(starters):
                    starters[legs, 0] = front
                    starters[legs, 1] = row[layout.ORDER]
                    starters[legs, 2] = min(PARTS_OF_TRACK - 1, (space - 1) // 3)
                    legs += 1
            turns += 1
            look_up(row, lookup, chances)
            act(row, style_choice(row, style.styles, seats[row[layout.ACTOR]], chances, words, 0))
        for place in range(legs):
            add(x, n, RACE + starters[place, 2], starters[place, 0] == row[layout.ORDER + CAMELS - 1])
            add(x, n, LAST + starters[place, 2], starters[place, 1] == row[layout.ORDER])
        victory_shares(row, won)
        most = 0
        for seat in range(players):
            add(x, n, SEAT + layout.MAX_SEATS * (players - 2) + seat, won[0, seat])
            most = max(most, row[layout.MONEY + seat])
        add(x, n, PURSE + players - 2, most)
        add(x, n, TURNS + players - 2, turns / players)
        add(x, n, LEGS + players - 2, legs)
        if players == 4:
            _count_cards(row, x, n)
            _count_income(row, parts, won, x, n)
        add_game(x, n, sums)


@numba.njit(error_model="numpy", nogil=True)
def _leg_over(
    row: Row,
    last: int,
    orders: npt.NDArray[np.int64],
    leads: npt.NDArray[np.int64],
    stops: npt.NDArray[np.float64],
    stopped: npt.NDArray[np.float64],
    x: npt.NDArray[np.float64],
    n: npt.NDArray[np.float64],
) -> None:
    """Count how a leg ended, seen from each of its dice; ``last`` were left before the last one fell."""
    front, second = row[layout.ORDER + CAMELS - 1], row[layout.ORDER + CAMELS - 2]
    for dice in range(last, CAMELS + 1):
        for rank in range(CAMELS):
            camel = orders[dice, rank]
            for tile in range(TILES):
                pays = LEG_VALUES[tile] if camel == front else 1 if camel == second else -1
                add(x, n, TILE + (tile * CAMELS + rank) * CAMELS + dice - 1, pays)
        space = leads[dice, 0]
        for ahead in range(1, 5):
            if space + ahead <= 16:
                add(x, n, STOPS + 4 * (dice - 1) + ahead - 1, stops[space + ahead] - stopped[dice, space + ahead])
        if dice == CAMELS and space + 2 <= 16:
            add(x, n, STACKED + leads[dice, 3] - 1, stops[space + 2])
        if dice == 3:
            add(x, n, LEADER + 2 * leads[dice, 1] + leads[dice, 2], orders[dice, 0] == front)


@numba.njit(error_model="numpy", nogil=True)
def _count_cards(row: Row, x: npt.NDArray[np.float64], n: npt.NDArray[np.float64]) -> None:
    """Count what the cards of both decks paid."""
    for deck in range(2):
        base = layout.LOSER_DECK if deck else layout.WINNER_DECK
        count = row[layout.LOSER_COUNT] if deck else row[layout.WINNER_COUNT]
        camel = row[layout.ORDER] if deck else row[layout.ORDER + CAMELS - 1]
        right = 0
        for place in range(count):
            hit = row[base + place] & 7 == camel
            if place < CARDS:
                add(x, n, RIGHT + CARDS * deck + place, hit)
                prize = RACE_PRIZES[right] if right < len(RACE_PRIZES) else 1
                add(x, n, PAYS + CARDS * deck + place, prize if hit else -1)
            right += hit


@numba.njit(error_model="numpy", nogil=True)
def _count_income(
    row: Row,
    parts: npt.NDArray[np.float32],
    won: npt.NDArray[np.float64],
    x: npt.NDArray[np.float64],
    n: npt.NDArray[np.float64],
) -> None:
    """Count from what the best has more than the mean of the others."""
    players = row[layout.PLAYERS]
    for source in range(4):
        best, all_of_them = 0.0, 0.0
        for seat in range(players):
            got = 0.0
            if source == 0:
                for place in range(LEG_PART, STAKE_PART):
                    got += parts[seat, place]
            elif source == 1:
                for place in range(STAKE_PART, MONEY_PARTS):
                    got += parts[seat, place]
            elif source == 2:
                got = parts[seat, PYRAMID_PART]
            else:
                got = parts[seat, DESERT_PART]
            best += won[0, seat] * got
            all_of_them += got
        add(x, n, INCOME + source, best - (all_of_them - best) / (players - 1))


# -- the insights ------------------------------------------------------------------------------------------------------


def _tile_cell(tile: int, rank: int, dice: int) -> int:
    return TILE + (tile * CAMELS + rank) * CAMELS + dice - 1


def _by_dice(tile: int, rank: int) -> Callable[[Found], list[InsightBar]]:
    """What a leg tile pays, by dice left."""
    return lambda found: [
        bar(f"d{dice}", "dice", found.counted.mean(_tile_cell(tile, rank, dice)), count=dice)
        for dice in range(CAMELS, 0, -1)
    ]


def _second_camel(found: Found) -> list[InsightBar]:
    names = ("leader", "second", "third", "fourth", "fifth")
    return [bar(name, name, found.counted.mean(_tile_cell(0, rank, 3))) for rank, name in enumerate(names)]


def _leaders(*cases: tuple[str, int, int]) -> Callable[[Found], list[InsightBar]]:
    """How often leaders keep their lead: names with gap and whether they have run."""
    return lambda found: [
        bar(name, name, found.counted.mean(LEADER + 2 * gap + ran).times(100)) for name, gap, ran in cases
    ]


def _oasis(found: Found) -> list[InsightBar]:
    places = [
        bar(f"ahead{ahead}", "ahead", found.counted.mean(STOPS + 4 * (CAMELS - 1) + ahead - 1), count=ahead)
        for ahead in (1, 2, 3, 4)
    ]
    stacks = [
        bar(f"stack{height}", "stack", found.counted.mean(STACKED + height - 1), count=height)
        for height in range(1, CAMELS + 1)
    ]
    return [*places, *stacks]


def _cards(deck: int) -> Callable[[Found], list[InsightBar]]:
    return lambda found: [
        bar(f"card{place + 1}", "card", found.counted.mean(PAYS + CARDS * deck + place), place=place + 1)
        for place in range(4)
    ]


def _leads(*cases: tuple[str, str, str, dict[str, int]]) -> Callable[[Found], list[InsightBar]]:
    """Leads of the coach's playouts: name, label, case, values."""
    return lambda found: [bar(name, label, found.compared.mean(case), **values) for name, label, case, values in cases]


def _ends(found: Found) -> list[InsightBar]:
    made = []
    for part in range(PARTS_OF_TRACK):
        spaces = {"from": 3 * part + 1, "to": 16 if part == PARTS_OF_TRACK - 1 else 3 * part + 3}
        for name, base in (("first", RACE), ("last", LAST)):
            made.append(bar(f"{name}{part}", f"stays_{name}", found.counted.mean(base + part).times(100), **spaces))
    return made


def _seats(found: Found) -> list[InsightBar]:
    return [
        bar(
            f"seat{seat + 1}of{players}",
            "seat",
            found.counted.mean(SEAT + layout.MAX_SEATS * (players - 2) + seat).times(100),
            seat=seat + 1,
            players=players,
        )
        for players in (4, 8)
        for seat in range(players)
    ]


def _income(found: Found) -> list[InsightBar]:
    return [
        bar(name, f"from_{name}", found.counted.mean(INCOME + source))
        for source, name in enumerate(("tiles", "cards", "rolls", "stops"))
    ]


def _purses(found: Found) -> list[InsightBar]:
    return [
        bar(f"p{players}", "players", found.counted.mean(PURSE + players - 2), players=players)
        for players in range(2, layout.MAX_SEATS + 1)
    ]


def _all(found: Found) -> int:
    return found.counted.games


def _of(*cases: str) -> Callable[[Found], int]:
    return lambda found: found.games(*cases)


def _falls(insight: Insight, *names: str) -> bool:
    """Whether each of these figures is surely larger than the next."""
    return all(apart(insight, more, less) for more, less in pairwise(names))


_FIRST: Final = [(f"p{players}", "players", f"first-{players}", {"players": players}) for players in (2, 4, 8)]
_DESERT: Final = [(f"d{dice}", "dice", f"desert-{dice}", {"count": dice}) for dice in range(CAMELS, 0, -1)]

INSIGHTS: Final = (
    Asked(
        "at_once",
        "lead",
        _leads(*_FIRST),
        _of("first-2", "first-4", "first-8"),
        lambda one: all(above(one, name, 1.0) for name in ("p2", "p4", "p8")),
        _takes_leader,
    ),
    Asked(
        "leader_five",
        "pounds",
        _by_dice(0, 0),
        _all,
        lambda one: above(one, "d5", 1.0) and _falls(one, "d1", "d2", "d3", "d4", "d5"),
        _takes_leader,
        mark=1.0,
    ),
    Asked(
        "cheap_tiles",
        "pounds",
        _by_dice(2, 0),
        _all,
        lambda one: below(one, "d5", 1.0) and above(one, "d2", 1.0),
        _takes_leader,
        mark=1.0,
    ),
    Asked(
        "second_camel",
        "pounds",
        _second_camel,
        _all,
        lambda one: above(one, "leader", 2.0) and below(one, "second", 1.5) and below(one, "third", 0.5),
        lambda view, action: isinstance(action, Roll),
        mark=1.0,
    ),
    Asked(
        "rider",
        "share",
        _leaders(("rides_ran", 0, 1), ("ahead1_ran", 1, 1), ("ahead2_ran", 2, 1), ("ahead3_ran", 3, 1)),
        _all,
        lambda one: apart(one, "rides_ran", "ahead1_ran") and apart(one, "rides_ran", "ahead2_ran"),
        _takes_leader,
    ),
    Asked(
        "still_to_run",
        "share",
        _leaders(("ahead1_runs", 1, 0), ("ahead1_ran", 1, 1), ("ahead2_runs", 2, 0), ("ahead2_ran", 2, 1)),
        _all,
        lambda one: apart(one, "ahead1_runs", "ahead1_ran") and apart(one, "ahead2_runs", "ahead2_ran"),
        lambda view, action: isinstance(action, Leg) and view.tents[action.camel] == 0,
    ),
    Asked(
        "oasis",
        "count",
        _oasis,
        _all,
        lambda one: _falls(one, "ahead1", "ahead2", "ahead3", "ahead4") and _falls(one, "stack3", "stack2", "stack1"),
        _before_leader,
    ),
    Asked(
        "tile_or_roll",
        "lead",
        _leads(*_DESERT),
        _of(*(case for _, _, case, _ in _DESERT)),
        lambda one: above(one, "d5", 0.0) and below(one, "d1", 0.0),
        lambda view, action: isinstance(action, Oasis | Mirage),
    ),
    Asked(
        "last_die",
        "lead",
        _leads(("bet", "bet", "last-die", {})),
        _of("last-die"),
        lambda one: above(one, "bet", 0.0),
        lambda view, action: isinstance(action, Leg | Winner | Loser),
    ),
    Asked(
        "first_winner",
        "pounds",
        _cards(0),
        _all,
        lambda one: apart(one, "card1", "card2"),
        lambda view, action: isinstance(action, Winner),
    ),
    Asked(
        "first_loser",
        "pounds",
        _cards(1),
        _all,
        lambda one: _falls(one, "card1", "card2", "card3"),
        lambda view, action: isinstance(action, Loser),
    ),
    Asked(
        "last_is_surer",
        "share",
        _ends,
        _all,
        lambda one: all(apart(one, f"last{part}", f"first{part}") for part in range(PARTS_OF_TRACK)),
        lambda view, action: isinstance(action, Loser) and action.camel == ranking(view.track)[-1],
    ),
    Asked(
        "income",
        "pounds",
        _income,
        _all,
        lambda one: apart(one, "tiles", "cards") and apart(one, "cards", "stops") and below(one, "rolls", 0.0),
        lambda view, action: isinstance(action, Leg) and not _takes_leader(view, action),
    ),
    Asked(
        "seats",
        "share",
        _seats,
        _all,
        lambda one: apart(one, "seat1of4", "seat4of4") and apart(one, "seat1of8", "seat8of8"),
    ),
    Asked(
        "players",
        "pounds",
        _purses,
        _all,
        lambda one: _falls(one, *(f"p{players}" for players in range(2, layout.MAX_SEATS + 1))),
        lambda view, action: isinstance(action, Leg | Oasis | Mirage),
    ),
)
"""In the order in which they are told."""
