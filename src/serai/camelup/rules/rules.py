"""The rules of Camel Up: the state, its legal actions and what follows from them. Numbers in brackets are rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import msgspec

from serai.camelup.rules.actions import AnyAction, Die, Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.rules.events import (
    AnyEvent,
    CamelPlaced,
    CardLaid,
    DesertPlaced,
    DieDrawn,
    GameEnded,
    LegBegan,
    LegEnded,
    LegTileTaken,
    PyramidTileTaken,
    RaceEnded,
)
from serai.camelup.rules.pieces import (
    CAMEL_NAMES,
    CAMELS,
    FACES,
    LAST_SPACE,
    LEG_VALUES,
    START_MONEY,
    TRACK_SIZE,
    Money,
    Track,
)
from serai.camelup.rules.scoring import LegBets, score_deck, score_leg
from serai.camelup.rules.track import crossed, move, ranking
from serai.core import CHANCE, State
from serai.core.arguments import check_seat
from serai.core.game import put
from serai.errors import Hidden, IllegalAction, phrase, shown

Hand = tuple[int | None, ...]
"""Race cards in hand by colour, ascending; ``None`` for each card that a view does not show."""
Cards = tuple[tuple[int, int | None], ...]
"""Race cards on a deck as (seat, colour), the first laid first."""
Step = tuple["CamelUpState", tuple[AnyEvent, ...]]


class Options(msgspec.Struct, frozen=True):
    """The choices of the set-up."""

    first: int = 0
    """The seat that begins (2.2)."""
    hide_money: bool = False
    """Whether the screen hides others' money."""


class CamelUpState(State[AnyAction, AnyEvent], frozen=True):
    """A position of Camel Up. Tuples are by seat or by camel; ``None`` means hidden and nothing else."""

    options: Options
    leg: int
    """0 while the camels are placed, then 1, 2, …"""
    turn: int
    """The seat whose turn it is, also while its die falls."""
    marker: int
    """The seat that began this leg."""
    track: Track
    tents: tuple[int, ...]
    """For each camel the number on its die, 0 while the die is in the pyramid."""
    pyramid_tiles: tuple[int, ...]
    """For each seat how many it took in this leg: a pound each when the leg ends."""
    leg_bets: LegBets
    deserts: tuple[int, ...]
    """For each seat +space (oasis), -space (mirage), or 0 while the tile lies in front of its owner."""
    money: Money
    hands: tuple[Hand, ...]
    """For each seat its race cards."""
    winner_deck: Cards
    loser_deck: Cards

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.money)

    def actions(self) -> tuple[AnyAction, ...]:
        """Leg tiles, oasis, mirage, roll, winner, loser, each by colour or space; for chance the dice left."""
        actor = self.actor
        if actor is None:
            return ()
        if actor is CHANCE:
            return _dice_left(self.tents)
        winner, loser = _bets(self.hand(actor))
        oases, mirages = _desert_tiles(self.free_spaces(actor))
        return (*_leg_tiles(tuple(map(len, self.leg_bets))), *oases, *mirages, _ROLL, *winner, *loser)

    def weights(self) -> tuple[int, ...]:
        """Every face of every die left counts 1."""
        return (1,) * (self.tents.count(0) * len(FACES)) if self.actor is CHANCE else ()

    def step(self, action: AnyAction) -> Step:
        """The next state, and the events that led there."""
        play = _PLAYS.get(type(action))
        if play is None:
            raise IllegalAction("core.foreign", action=shown(action), game="camelup")
        if self.actor is None:
            raise IllegalAction("core.over")
        return play(self, action)

    def seen_by(self, seat: int | None) -> CamelUpState:
        """Others' race cards blanked (8.1), until the end (8.4)."""
        check_seat(seat, len(self.money))
        if self.actor is None:
            return self
        return msgspec.structs.replace(
            self,
            hands=tuple([hand if owner == seat else (None,) * len(hand) for owner, hand in enumerate(self.hands)]),
            winner_deck=self.winner_deck and _blank_others(self.winner_deck, seat),
            loser_deck=self.loser_deck and _blank_others(self.loser_deck, seat),
        )

    def scores(self) -> tuple[int, ...]:
        """Everybody's money."""
        return self.money

    def __str__(self) -> str:
        from serai.camelup.text.terminal import brief

        return brief(self)

    def _repr_svg_(self) -> str:
        from serai.camelup.text.picture import draw_picture

        return draw_picture(self, seat=None, names=())

    def hand(self, seat: int) -> Hand:
        """The race cards that this seat holds; ``Hidden`` in a view of somebody else."""
        hand = self.hands[seat]
        if None in hand:
            raise Hidden(f"this view does not show seat {seat}'s race cards")
        return hand

    def free_spaces(self, seat: int) -> int:
        """The spaces where this seat may put its desert tile (3.3), as bits."""
        taken = _under_camels(self.track)
        for owner, placed in enumerate(self.deserts):
            if placed:
                bit = 1 << abs(placed)
                taken |= bit if owner == seat else bit | bit << 1 | bit >> 1
        return ~taken & _ALL_SPACES


def new_state(players: int, options: Options) -> CamelUpState:
    """The state before the five set-up dice (2.1, 2.2)."""
    return CamelUpState(
        actor=CHANCE,
        options=options,
        leg=0,
        turn=options.first,
        marker=options.first,
        track=((),) * TRACK_SIZE,
        tents=_NO_DICE_OUT,
        pyramid_tiles=(0,) * players,
        leg_bets=_NO_LEG_BETS,
        deserts=(0,) * players,
        money=(START_MONEY,) * players,
        hands=(tuple(CAMELS),) * players,
        winner_deck=(),
        loser_deck=(),
    )


# -- the four actions of a player (3.2 to 3.5) ------------------------------------------------------------------------


def _take_leg_tile(state: CamelUpState, action: Leg) -> Step:
    seat = _player_to_act(state)
    _check_camel(action, action.camel)
    takers = state.leg_bets[action.camel]
    if len(takers) == len(LEG_VALUES):
        left = tuple(CAMEL_NAMES[camel] for camel in CAMELS if len(state.leg_bets[camel]) < len(LEG_VALUES))
        raise IllegalAction("camelup.leg.empty", camel=CAMEL_NAMES[action.camel], left=left)
    bets = put(state.leg_bets, action.camel, (*takers, seat))
    event = LegTileTaken(seat, action.camel, LEG_VALUES[len(takers)])
    return _next_turn(state, seat, leg_bets=bets), (event,)


def _place_desert_tile(state: CamelUpState, action: Oasis | Mirage) -> Step:
    seat = _player_to_act(state)
    if action.space not in _SPACES or not state.free_spaces(seat) >> action.space & 1:
        raise _why_not_there(state, seat, action.space)
    deserts = put(state.deserts, seat, action.side * action.space)
    event = DesertPlaced(seat, action.space, action.side, abs(state.deserts[seat]))
    return _next_turn(state, seat, deserts=deserts), (event,)


def _shake_pyramid(state: CamelUpState, action: Roll) -> Step:
    seat = _player_to_act(state)
    tiles = put(state.pyramid_tiles, seat, state.pyramid_tiles[seat] + 1)
    return msgspec.structs.replace(state, actor=CHANCE, pyramid_tiles=tiles), (PyramidTileTaken(seat),)


def _lay_race_card(state: CamelUpState, action: Winner | Loser) -> Step:
    seat = _player_to_act(state)
    if action.camel is None:
        raise Hidden(f"'{action}' does not show the colour of the card")
    _check_camel(action, action.camel)
    hand = state.hand(seat)
    if action.camel not in hand:
        held = tuple(CAMEL_NAMES[camel] for camel in hand if camel is not None)
        raise IllegalAction("camelup.race.spent", camel=CAMEL_NAMES[action.camel], held=held)
    hands = put(state.hands, seat, tuple(card for card in hand if card != action.camel))
    name = "winner_deck" if action.deck == "winner" else "loser_deck"
    deck = (*getattr(state, name), (seat, action.camel))
    event = CardLaid(seat, action.deck, action.camel, len(deck))
    return _next_turn(state, seat, hands=hands, **{name: deck}), (event,)


# -- a die (2.3, 3.4) and what follows ---------------------------------------------------------------------------------


def _draw_die(state: CamelUpState, action: Die) -> Step:
    if state.actor is not CHANCE:
        raise IllegalAction("core.player_first", seat=state.actor)
    _check_camel(action, action.camel)
    if action.pips not in FACES:
        raise IllegalAction("camelup.die.face", pips=action.pips)
    if state.tents[action.camel]:
        raise IllegalAction("camelup.die.out", camel=CAMEL_NAMES[action.camel])
    if state.leg == 0:
        return _place_camel(state, action)
    return _run(state, action)


def _place_camel(state: CamelUpState, die: Die) -> Step:
    """Set-up: a camel comes to the space of its number, on top (2.3); after the fifth the race begins (2.4)."""
    stack = state.track[die.pips]
    track = put(state.track, die.pips, (*stack, die.camel))
    placed = CamelPlaced(die.camel, die.pips, stack)
    if state.tents.count(0) > 1:
        tents = put(state.tents, die.camel, die.pips)
        return msgspec.structs.replace(state, track=track, tents=tents), (placed,)
    begun = msgspec.structs.replace(state, actor=state.turn, leg=1, track=track, tents=_NO_DICE_OUT)
    return begun, (placed, LegBegan(1, state.marker))


def _run(state: CamelUpState, die: Die) -> Step:
    """A camel runs (4.1 to 4.7); then a leg (6.1) or the race (7.1) may be over."""
    roller = state.turn
    track, money, moved = move(state.track, die.camel, die.pips, state.deserts, state.money)
    events: list[AnyEvent] = [DieDrawn(roller, die.camel, die.pips), *moved]
    tents = put(state.tents, die.camel, die.pips)
    after = msgspec.structs.replace(state, track=track, tents=tents, money=money)
    if crossed(track):
        return _end_race(after, events)
    if 0 not in tents:
        return _end_leg(after, events)
    return _next_turn(after, roller), tuple(events)


def _end_leg(state: CamelUpState, events: list[AnyEvent]) -> Step:
    """Score the leg and set up the next one (6.1 to 6.5)."""
    money = _score_leg(state, events)
    begins = (state.turn + 1) % state.players
    events.append(LegBegan(state.leg + 1, begins))
    after = msgspec.structs.replace(
        state,
        actor=begins,
        leg=state.leg + 1,
        turn=begins,
        marker=begins,
        tents=_NO_DICE_OUT,
        pyramid_tiles=(0,) * state.players,
        leg_bets=_NO_LEG_BETS,
        deserts=(0,) * state.players,
        money=money,
    )
    return after, tuple(events)


def _end_race(state: CamelUpState, events: list[AnyEvent]) -> Step:
    """The last leg scoring, then both decks (7.1 to 7.5); everything stays as it lies (7.2)."""
    winners, losers = _open(state.winner_deck), _open(state.loser_deck)
    money = _score_leg(state, events)
    order = ranking(state.track)
    events.append(RaceEnded(order[0], order[-1]))
    money, scored = score_deck(money, "winner", winners, order[0])
    events += scored
    money, scored = score_deck(money, "loser", losers, order[-1])
    events += scored
    after = msgspec.structs.replace(state, actor=None, money=money)
    events.append(GameEnded(money, after.winners()))
    return after, tuple(events)


def _score_leg(state: CamelUpState, events: list[AnyEvent]) -> Money:
    order = ranking(state.track)
    events.append(LegEnded(state.leg, order))
    money, scored = score_leg(state.money, state.leg_bets, state.pyramid_tiles, order)
    events += scored
    return money


# -- details -----------------------------------------------------------------------------------------------------------

_PLAYS: dict[type[Any], Callable[[CamelUpState, Any], Step]] = {
    Leg: _take_leg_tile,
    Oasis: _place_desert_tile,
    Mirage: _place_desert_tile,
    Roll: _shake_pyramid,
    Winner: _lay_race_card,
    Loser: _lay_race_card,
    Die: _draw_die,
}
_ROLL = Roll()
_NO_DICE_OUT = (0,) * len(CAMELS)
_NO_LEG_BETS: LegBets = ((),) * len(CAMELS)
_SPACES = range(1, LAST_SPACE + 1)
_ALL_SPACES = (1 << LAST_SPACE + 1) - 1


@cache
def _dice_left(tents: tuple[int, ...]) -> tuple[Die, ...]:
    return tuple(Die(camel, pips) for camel in CAMELS if not tents[camel] for pips in FACES)


@lru_cache(maxsize=1 << 10)
def _under_camels(track: Track) -> int:
    """The spaces with camels, as bits, and those that no desert tile may ever lie on."""
    taken = 3  # bit 0 is no space, and space 1 is never allowed
    for space, stack in enumerate(track):
        if stack:
            taken |= 1 << space
    return taken


@cache
def _leg_tiles(taken: tuple[int, ...]) -> tuple[Leg, ...]:
    return tuple(Leg(camel) for camel in CAMELS if taken[camel] < len(LEG_VALUES))


@cache
def _desert_tiles(free: int) -> tuple[tuple[Oasis, ...], tuple[Mirage, ...]]:
    spaces = [space for space in _SPACES if free >> space & 1]
    return tuple(map(Oasis, spaces)), tuple(map(Mirage, spaces))


@cache
def _bets(hand: Hand) -> tuple[tuple[Winner, ...], tuple[Loser, ...]]:
    return tuple(map(Winner, hand)), tuple(map(Loser, hand))


def _player_to_act(state: CamelUpState) -> int:
    if not isinstance(state.actor, int):
        raise IllegalAction("core.chance_first", kinds="die")
    return state.actor


def _why_not_there(state: CamelUpState, seat: int, space: int) -> IllegalAction:
    """The part of rule 3.3 that forbids this space; the most obvious one first."""
    free = tuple(place for place in _SPACES if state.free_spaces(seat) >> place & 1)
    if space == 1 or space not in _SPACES:
        return IllegalAction("camelup.desert.start", space=space, free=free)
    if state.track[space]:
        return IllegalAction("camelup.desert.camel", space=space, free=free)
    if abs(state.deserts[seat]) == space:
        return IllegalAction("camelup.desert.same", space=space, free=free)
    for owner, placed in enumerate(state.deserts):
        if abs(placed) == space:
            return IllegalAction("camelup.desert.tile", space=space, seat=owner, free=free)
    owner, tile = next(
        (owner, abs(placed))
        for owner, placed in enumerate(state.deserts)
        if placed and owner != seat and abs(abs(placed) - space) == 1
    )
    return IllegalAction("camelup.desert.adjacent", space=space, tile=tile, seat=owner, free=free)


def _check_camel(action: AnyAction, camel: int) -> None:
    if camel not in CAMELS:
        raise IllegalAction("core.foreign", action=shown(action), game="camelup")


def _next_turn(state: CamelUpState, seat: int, **changes: Any) -> CamelUpState:
    following = (seat + 1) % len(state.money)
    return msgspec.structs.replace(state, actor=following, turn=following, **changes)


def _blank_others(cards: Cards, seat: int | None) -> Cards:
    return tuple([card if card[0] == seat else (card[0], None) for card in cards])


def _open(cards: Cards) -> tuple[tuple[int, int], ...]:
    shown = tuple((seat, camel) for seat, camel in cards if camel is not None)
    if len(shown) < len(cards):
        raise Hidden("the race ends here, and this view does not show all race cards")
    return shown


phrase(
    {
        "camelup.leg.empty": "no {camel} leg tile is left; colours left: {left}",
        "camelup.desert.start": "no desert tile may lie on space {space}; free spaces: {free}",
        "camelup.desert.camel": "a camel stands on space {space}; free spaces: {free}",
        "camelup.desert.same": "your tile lies on {space} already: move it to a different space; free spaces: {free}",
        "camelup.desert.tile": "seat {seat}'s desert tile lies on space {space}; free spaces: {free}",
        "camelup.desert.adjacent": "space {space} is next to seat {seat}'s desert tile on {tile}; free spaces: {free}",
        "camelup.race.spent": "the {camel} race card is no longer in your hand; cards left: {held}",
        "camelup.die.face": "a die shows 1, 2 or 3, not {pips}",
        "camelup.die.out": "the {camel} die is out already this leg",
    }
)
