"""Exact odds of a state, a view or a position: how leg and race may end, and the value of every action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from serai.errors import requiring

with requiring("fast", "Camel Up's odds"):
    import numpy as np
    import numpy.typing as npt

from serai.camelup.odds.answer import LegChances, LegCounts, Odds, Placement, RaceChances
from serai.camelup.odds.bets import (
    Chances,
    card_value,
    expected_prize,
    first_of_the_best,
    leg_tile_value,
    prices_of,
    unseen_colours,
)
from serai.camelup.odds.leg import RACE, STOPS, count_leg
from serai.camelup.odds.race_table import ENDS, LAST, PAIRS, RANKS, SEQUENCES, index_of, race_table
from serai.camelup.rules.actions import AnyAction, Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS, LAST_SPACE, LEG_VALUES
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.text.position import MOST_TILES, Position, parse_position, situation
from serai.errors import MissingExtra, SeraiError

Rows = npt.NDArray[np.float64]
"""Weighted counts by rank, one or several, in the columns of :mod:`serai.camelup.odds.leg`."""
Counter = Callable[..., Rows]
PYRAMID_TILE = 1.0
"""The value of a roll (6.2). It changes no chances: all dice fall anyway."""

NO_TILES_LATER = "no desert tiles are placed in later legs"
NOBODY_ACTS = "nobody acts again: the dice go on to fall, no more bets are made"
HIDDEN_CARDS = "hidden race cards: every way their owners can have laid them is equally likely"
FLOOR_IGNORED = "purses may fall below 0"
START_OF_LEG = "a bare position: all race cards in hand, no leg tiles taken, no cards laid, no tile is one's own"


def odds(x: CamelUpState | Position | str, *, actions: bool = True, compiled: bool | None = None) -> Odds:
    """The odds of a state, a view, a position or its notation.

    With ``actions`` also the value of each action of the player to act; a bare position is taken as at the start of
    a leg, with all cards in hand. ``compiled`` counts by numba, with the same answer in a tenth of the time, but the
    first one of a process takes half a second more, or over a second where nothing is compiled yet. By default those
    who ask a third time in one process get compiled code.
    """
    if isinstance(x, str):
        x = parse_position(x)
    bare = isinstance(x, Position)
    position = x if isinstance(x, Position) else position_of(x)
    start = Start.of(position)
    count = _counter(compiled)
    rows = count(race_table(), start.position, start.dice, [start.tiles], all_stops=True)
    view = _to_be_valued(x) if actions else None
    if view is None:
        return _report(position, start, rows, None, (NO_TILES_LATER,))
    assumes = [NO_TILES_LATER, NOBODY_ACTS, FLOOR_IGNORED]
    assumes += [START_OF_LEG] * bare + [HIDDEN_CARDS] * any(None in card for card in view.winner_deck + view.loser_deck)
    return _report(position, start, rows, _valued(view, start, count), tuple(assumes))


def _counter(compiled: bool | None) -> Counter:
    """What counts legs: compiled code if that is asked for, or worth it and installed."""
    global _asked
    if compiled is False or (compiled is None and _asked < _WORTH_COMPILING):
        _asked += 1
        return count_leg
    try:
        from serai.camelup.policy.leg import count_leg as count_compiled
    except MissingExtra:
        if compiled:
            raise
        return count_leg
    return count_compiled


_asked = 0
"""How many reports of this process were counted by NumPy."""
_WORTH_COMPILING = 2


def action_values(view: CamelUpState) -> tuple[tuple[AnyAction, float], ...]:
    """Every legal action of the player to act with its expected pounds, without the report around it."""
    if not isinstance(view.actor, int):
        raise SeraiError("nobody is to act: no action can be valued")
    return _valued(view, Start.of(position_of(view)), count_leg).actions


def quick_values(view: CamelUpState) -> tuple[tuple[AnyAction, float], ...]:
    """The same without placing desert tiles, from the race table alone, as if none lay on the track."""
    start = Start.of(position_of(view))
    (chances,) = start.chances(count_leg(race_table(), start.position, start.dice, [()]))
    return tuple(_bet_values(view, chances).items())


def best_action(values: Sequence[tuple[AnyAction, float]]) -> AnyAction:
    """The first action of the highest value."""
    return values[first_of_the_best([value for _, value in values])][0]


def expected_money(view: CamelUpState) -> tuple[float, ...]:
    """By seat: the pounds expected at the end if nobody acts again and all dice fall; purses may fall below 0.

    Money, pyramid tiles, leg tiles, race cards and stops on one's desert tile in this leg. A hidden card has any of
    its owner's unseen colours, each as likely as the others.
    """
    start = Start.of(position_of(view))
    rows = count_leg(race_table(), start.position, start.dice, [start.tiles])
    (chances,) = start.chances(rows)
    money = [float(pounds + tiles) for pounds, tiles in zip(view.money, view.pyramid_tiles, strict=True)]
    for seat, tile in enumerate(view.deserts):
        money[seat] += float(rows[0, STOPS + abs(tile)]) / start.sequences
    for camel, takers in enumerate(view.leg_bets):
        for value, seat in zip(LEG_VALUES, takers, strict=False):
            money[seat] += leg_tile_value(value, chances.first[camel], chances.second[camel])
    for deck, chance in ((view.winner_deck, chances.winner), (view.loser_deck, chances.loser)):
        for place, (seat, laid) in enumerate(deck):
            colours = [laid] if laid is not None else unseen_colours(view, seat)
            worth = [card_value(expected_prize(view, deck[:place], camel), chance[camel]) for camel in colours]
            money[seat] += sum(worth) / len(worth)
    return tuple(money)


def position_of(state: CamelUpState) -> Position:
    """The camels, tiles and dice left of a state; an error while no leg is running."""
    if state.actor is None:
        raise SeraiError("the race is over: there are no odds any more")
    if state.leg == 0:
        raise SeraiError("not all camels are on the track yet: odds start with the first leg")
    tiles = sorted((tile for tile in state.deserts if tile), key=abs)
    return Position(state.track, tuple(tiles), tuple(camel for camel in CAMELS if not state.tents[camel]))


class Start(NamedTuple):
    """A position in canonical form, from which a leg is counted."""

    position: int
    order: tuple[int, ...]
    """By rank: the camel."""
    dice: int
    """By rank, as bits."""
    tiles: tuple[int, ...]

    @classmethod
    def of(cls, position: Position) -> Start:
        """The canonical form of a position."""
        order = tuple(camel for stack in position.track for camel in stack)
        spaces = tuple(space for space, stack in enumerate(position.track) for _ in stack)
        dice = sum(1 << rank for rank, camel in enumerate(order) if camel in position.dice)
        return cls(index_of(spaces), order, dice, position.tiles)

    @property
    def sequences(self) -> int:
        """The ways in which the dice of this leg can still fall."""
        return SEQUENCES[self.dice.bit_count()]

    def chances(self, rows: Rows) -> list[Chances]:
        """Weighted counts by rank as chances by camel, one for each row."""
        rank_of = np.argsort(self.order)
        joint = np.zeros((len(rows), RANKS, RANKS))
        joint[:, _WINNERS, _LOSERS] = rows[:, RACE:STOPS]
        leg = rows[:, : LAST + RANKS].reshape(-1, 3, RANKS)
        race = np.stack([joint.sum(axis=2), joint.sum(axis=1)], axis=1)
        by_camel = np.concatenate([leg, race], axis=1)[:, :, rank_of] / self.sequences
        return [Chances(*row) for row in by_camel.tolist()]


# -- values ------------------------------------------------------------------------------------------------------------


class _Placed(NamedTuple):
    action: Oasis | Mirage
    earns: float
    chances: Chances


class _Valued(NamedTuple):
    actions: tuple[tuple[AnyAction, float], ...]
    placements: list[_Placed]


def _to_be_valued(x: CamelUpState | Position) -> CamelUpState | None:
    """The view whose actor's actions can be valued; ``None`` if nobody is to act or their cards are hidden."""
    if isinstance(x, Position):
        # one of eight tiles belongs to the player who asks, and it is not known which
        return situation(x) if len(x.tiles) < MOST_TILES else None
    return x if isinstance(x.actor, int) and None not in x.hands[x.actor] else None


def _valued(view: CamelUpState, start: Start, count: Counter) -> _Valued:
    """The change of the actor's expected pounds by each of their actions."""
    seat = view.turn
    legal = view.actions()
    deserts = [action for action in legal if isinstance(action, Oasis | Mirage)]
    others = [tile for owner, tile in enumerate(view.deserts) if tile and owner != seat]
    cases = [start.tiles, *([*others, action.side * action.space] for action in deserts)]
    rows = count(race_table(), start.position, start.dice, cases)
    chances, *shifted = start.chances(rows)
    # nothing ever stops on space 0, where a tile lies that is not on the track
    own_spaces = [abs(view.deserts[seat]), *(action.space for action in deserts)]
    earned, *earns = (rows[range(len(rows)), np.add(STOPS, own_spaces)] / start.sequences).tolist()
    placed = [_Placed(*triple) for triple in zip(deserts, earns, shifted, strict=True)]
    prices = prices_of(view, seat)
    held = prices.worth(chances) + earned
    values = _bet_values(view, chances)
    values |= {action: prices.worth(with_it) + pounds - held for action, pounds, with_it in placed}
    return _Valued(tuple((action, values[action]) for action in legal), placed)


def _bet_values(view: CamelUpState, chances: Chances) -> dict[AnyAction, float]:
    """The values of leg tiles, roll and race cards."""
    values: dict[AnyAction, float] = {}
    for action in view.actions():
        match action:
            case Leg(camel):
                value = LEG_VALUES[len(view.leg_bets[camel])]
                values[action] = leg_tile_value(value, chances.first[camel], chances.second[camel])
            case Winner(int(camel)):
                values[action] = card_value(expected_prize(view, view.winner_deck, camel), chances.winner[camel])
            case Loser(int(camel)):
                values[action] = card_value(expected_prize(view, view.loser_deck, camel), chances.loser[camel])
            case Roll():
                values[action] = PYRAMID_TILE
    return values


# -- the report --------------------------------------------------------------------------------------------------------


def _report(position: Position, start: Start, rows: Rows, valued: _Valued | None, assumes: tuple[str, ...]) -> Odds:
    chances, row = start.chances(rows)[0], rows[0]
    stops = (row[STOPS:] / start.sequences).tolist()
    return Odds(
        position=str(position),
        sequences=start.sequences,
        leg=_leg(chances),
        counts=_counts(start, row),
        race=_race(chances),
        joint=_joint(start, row),
        ends=float(row[ENDS]) / start.sequences,
        stops={space: stops[space] for space in range(1, LAST_SPACE + 1)},
        assumes=assumes,
        deserts={
            str(placed.action): Placement(placed.earns, _leg(placed.chances), _race(placed.chances))
            for placed in (valued.placements if valued else ())
        },
        actions={str(action): value for action, value in (valued.actions if valued else ())},
        best=str(best_action(valued.actions)) if valued else None,
    )


def _leg(chances: Chances) -> dict[str, LegChances]:
    return dict(zip(CAMEL_NAMES, map(LegChances, chances.first, chances.second, chances.last), strict=True))


def _race(chances: Chances) -> dict[str, RaceChances]:
    return dict(zip(CAMEL_NAMES, map(RaceChances, chances.winner, chances.loser), strict=True))


def _counts(start: Start, row: Rows) -> dict[str, LegCounts]:
    ranks = np.argsort(start.order)
    counts = row[: LAST + RANKS].astype(int).reshape(3, RANKS)[:, ranks].tolist()
    return dict(zip(CAMEL_NAMES, map(LegCounts, *counts), strict=True))


def _joint(start: Start, row: Rows) -> dict[str, dict[str, float]]:
    square = np.zeros((RANKS, RANKS))
    square[_WINNERS, _LOSERS] = row[RACE:STOPS] / start.sequences
    ranks = np.argsort(start.order)
    by_camel = square[ranks[:, None], ranks].tolist()
    return {
        CAMEL_NAMES[winner]: {CAMEL_NAMES[loser]: by_camel[winner][loser] for loser in CAMELS if loser != winner}
        for winner in CAMELS
    }


_WINNERS, _LOSERS = np.array(PAIRS).T
