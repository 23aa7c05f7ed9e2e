"""Das Gold des Pharao by the book: the state, and what follows from every action. Numbers in brackets are rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from serai.core import CHANCE, IllegalAction, State
from serai.pharaoh import legal, refusals
from serai.pharaoh.actions import (
    AnyAction,
    Archaeologist,
    Drop,
    End,
    Helper,
    Lamp,
    Lay,
    Photo,
    Reveal,
    Steal,
    Take,
    Tile,
    Treasure,
    Turn,
    Unlamp,
)
from serai.pharaoh.board import RingShape
from serai.pharaoh.collapse import carry_mask_out, take_the_clock, tick
from serai.pharaoh.discovery import lay_out_mask, meet_omen
from serai.pharaoh.events import (
    AnyEvent,
    LampPutUp,
    LampTakenDown,
    PhotoTaken,
    TileDrawn,
    TileLaid,
    TileOpened,
    TileTurned,
    TreasureDropped,
    TreasureLaidOut,
    TreasureStolen,
    TreasureTaken,
    TurnBegan,
    TurnEnded,
    Walked,
)
from serai.pharaoh.pieces import (
    CELL_NUMBERS,
    CELLS,
    CHAMBER_CODE,
    FACE_DOWN,
    FALLEN,
    FIRST_CHAMBER,
    FREE_ACTS,
    LAMPS,
    MASK,
    MOVES,
    NOWHERE,
    PHOTOS,
    START,
    TILE_COUNTS,
    TREASURE_COUNTS,
    TREASURE_VALUES,
    Cells,
    Figure,
    Lying,
    Tiles,
)
from serai.pharaoh.scoring import bank, finish, put, score, winners
from serai.pharaoh.ways import route, walks

Told = tuple["PharaohState", tuple[AnyEvent, ...]]
TurnReach = Literal["linked", "opening"]
_replace = msgspec.structs.replace


class Options(msgspec.Struct, frozen=True):
    """The choices of the set-up, and the readings of the book that are left open."""

    first: int = 0
    entrance: str = "c1"
    no_sealed_tiles: bool = False
    turn_reach: TurnReach = "linked"
    hide_scores: bool = False
    frightened_drop: bool = True
    event_without_way_ends_turn: bool = False
    mask_exit_ends_turn: bool = True
    ring: RingShape = "king"
    max_rounds: int | None = 200


class PharaohState(State, frozen=True):
    """A position. Tuples by cell, by seat or by kind; cells and seats are numbers, -1 is nowhere and nobody."""

    options: Options
    round: int
    """From 1."""
    turn: int
    """The seat whose turn it is, also while chance draws."""
    moves_left: int
    acts_left: int
    """Free acts this turn may still have (3.3)."""
    plies: int
    """Actions so far, chance included (11.3)."""
    tiles: Tiles
    unseen: tuple[int, ...]
    """How many tiles of each kind nobody has seen, fallen ones included (2.2)."""
    site: int
    """The cell being turned over, or -1."""
    drawn: int
    """The kind of tile that came up there and is not done with yet, or -1."""
    photo: int
    """The photo drawn for it, from 1; 0 while none is."""
    due: int
    """Treasures the photo shows that still have to be laid out."""
    photos: tuple[int, ...]
    """For each photo the seat that has it, -1 while it is in the camera."""
    stack: tuple[int, ...]
    """Treasures not yet drawn, by value: 2, 3."""
    lying: Lying
    lost: tuple[int, ...]
    """Values of the treasures that fell, ascending."""
    archaeologists: Cells
    """For each seat where it stands, -1 when lost."""
    helpers: Cells
    carried: tuple[int, ...]
    """For each seat the value its archaeologist carries, 0 for nothing."""
    lamps: tuple[Cells, ...]
    """For each seat the cells its lamps light, ascending."""
    supplies: tuple[int, ...]
    museums: tuple[tuple[int, ...], ...]
    """For each seat the treasures brought to safety, ascending."""
    changed: tuple[int, ...]
    """For each seat the number of the action that last changed its score, 0 for none (11.3)."""
    mask_chamber: int
    """Where the mask came into play, -1 before."""
    finder: int
    """Who found it, -1 before."""
    countdown: int
    """Ends of the finder's turns until that chamber falls; 0 when no countdown runs (10.1)."""
    clock: int
    """The seat whose turns make rings fall, -1 while the chamber stands."""
    ring: int
    """The last ring that fell, 0 for none."""

    @property
    def players(self) -> int:
        """How many seats there are."""
        return len(self.carried)

    @property
    def start(self) -> int:
        """The cell of the start tile."""
        return CELL_NUMBERS[self.options.entrance]

    def actions(self) -> tuple[AnyAction, ...]:
        """Every legal action, in the order of the notation's list; cells, openings, values and seats ascending."""
        actor = self.actor
        if actor is None:
            return ()
        if actor is CHANCE:
            return legal.draws(self)
        if self.drawn != NOWHERE:
            return legal.lays(self.tiles, self.site, self.drawn, self.options.no_sealed_tiles)
        return legal.turn_actions(self, actor)

    def weights(self) -> tuple[int, ...]:
        """How many pieces each draw could be (2.2)."""
        return legal.draw_weights(self) if self.actor is CHANCE else ()

    def step(self, action: AnyAction) -> Told:
        """The next state, and the events that led there."""
        play = _PLAYS.get(type(action))
        if play is None:
            raise IllegalAction("core.foreign", action=repr(action), game="pharaoh")
        if self.actor is None:
            raise IllegalAction("core.over")
        return play(self, action)

    def seen_by(self, seat: int | None) -> PharaohState:
        """Itself: nothing is known to one player alone (12.1)."""
        return self

    def scores(self) -> tuple[int, ...]:
        """Everybody's points as they stand (11.2)."""
        return tuple(score(self, seat) for seat in range(len(self.carried)))

    def _winners(self) -> tuple[int, ...]:
        return winners(self)


def new_state(players: int, options: Options) -> PharaohState:
    """All figures on the start tile, everything else face down (1.2, 2.1)."""
    start = CELL_NUMBERS[options.entrance]
    return PharaohState(
        actor=options.first,
        options=options,
        round=1,
        turn=options.first,
        moves_left=MOVES,
        acts_left=FREE_ACTS,
        plies=0,
        tiles=tuple(START if cell == start else FACE_DOWN for cell in CELLS),
        unseen=TILE_COUNTS,
        site=NOWHERE,
        drawn=NOWHERE,
        photo=0,
        due=0,
        photos=(NOWHERE,) * len(PHOTOS),
        stack=TREASURE_COUNTS,
        lying=(),
        lost=(),
        archaeologists=(start,) * players,
        helpers=(start,) * players,
        carried=(0,) * players,
        lamps=((),) * players,
        supplies=(LAMPS,) * players,
        museums=((),) * players,
        changed=(0,) * players,
        mask_chamber=NOWHERE,
        finder=NOWHERE,
        countdown=0,
        clock=NOWHERE,
        ring=0,
    )


# -- moves of both figures (4) -----------------------------------------------------------------------------------------


def _walk_archaeologist(state: PharaohState, action: Archaeologist) -> Told:
    seat = _mover(state)
    cell, goal = state.archaeologists[seat], action.cell
    events: list[AnyEvent] = [_walked(state, seat, "archaeologist", cell, goal)]
    after = _replace(
        state,
        moves_left=state.moves_left - 1,
        plies=state.plies + 1,
        archaeologists=put(state.archaeologists, seat, goal),
    )
    carried = state.carried[seat]
    if not carried:
        return after, tuple(events)
    leaves_chamber = carried == MASK and cell == state.mask_chamber
    if goal == state.start:
        after = bank(after, seat, events)
    if leaves_chamber:
        after = carry_mask_out(after, seat, events)
        if state.options.mask_exit_ends_turn:
            return _end_turn(after, "mask", events)
    return after, tuple(events)


def _walk_helper(state: PharaohState, action: Helper) -> Told:
    seat = _mover(state)
    walked = _walked(state, seat, "helper", state.helpers[seat], action.cell)
    helpers = put(state.helpers, seat, action.cell)
    return _replace(state, moves_left=state.moves_left - 1, plies=state.plies + 1, helpers=helpers), (walked,)


def _walked(state: PharaohState, seat: int, figure: Figure, cell: int, goal: int) -> Walked:
    tiles, lamps = state.tiles, state.lamps[seat]
    if cell == NOWHERE or goal not in walks(tiles, lamps, cell):
        raise refusals.of_walk(state, seat, figure, goal)
    return Walked(seat, figure, route(tiles, lamps, cell, goal) if lamps else (cell, goal))


# -- revealing (5) -----------------------------------------------------------------------------------------------------


def _reveal(state: PharaohState, action: Reveal) -> Told:
    seat = _mover(state)
    stands, cell = state.archaeologists[seat], action.cell
    if not legal.may_reveal(state.tiles, stands, cell):
        raise refusals.of_reveal(state, seat, cell)
    after = _replace(state, actor=CHANCE, moves_left=state.moves_left - 1, plies=state.plies + 1, site=cell)
    return after, (TileOpened(seat, cell, stands),)


def _draw_tile(state: PharaohState, action: Tile) -> Told:
    """A passage waits to be laid; a chamber lies at once and a photo is due (5.2, 5.3)."""
    kind = action.tile
    if state.actor is not CHANCE or state.drawn != NOWHERE or kind not in _KINDS or not state.unseen[kind]:
        raise refusals.of_draw(state, action)
    told = TileDrawn(state.turn, state.site, kind)
    unseen = put(state.unseen, kind, state.unseen[kind] - 1)
    plies = state.plies + 1
    if kind < FIRST_CHAMBER:
        return _replace(state, actor=state.turn, plies=plies, unseen=unseen, drawn=kind), (told,)
    tiles = put(state.tiles, state.site, CHAMBER_CODE + kind - FIRST_CHAMBER)
    return _replace(state, plies=plies, unseen=unseen, drawn=kind, tiles=tiles), (told,)


def _lay(state: PharaohState, action: Lay) -> Told:
    seat = state.actor
    if not isinstance(seat, int) or state.drawn == NOWHERE:
        raise refusals.of_phase(state)
    sealed_refused = state.options.no_sealed_tiles
    if not legal.may_lay(state.tiles, state.site, state.drawn, action.openings, sealed_refused):
        raise refusals.of_lay(state, action.openings)
    tiles = put(state.tiles, state.site, action.openings)
    after = _replace(state, plies=state.plies + 1, tiles=tiles, site=NOWHERE, drawn=NOWHERE)
    return after, (TileLaid(seat, state.site, action.openings),)


# -- a chamber is found (9) --------------------------------------------------------------------------------------------


def _draw_photo(state: PharaohState, action: Photo) -> Told:
    number, seat = action.number, state.turn
    waits = state.actor is CHANCE and state.drawn != NOWHERE and not state.photo
    if not waits or not 1 <= number <= len(PHOTOS) or state.photos[number - 1] != NOWHERE:
        raise refusals.of_draw(state, action)
    shown = PHOTOS[number - 1]
    plies = state.plies + 1
    after = _replace(
        state,
        plies=plies,
        photo=number,
        photos=put(state.photos, number - 1, seat),
        due=shown.treasures,
        changed=put(state.changed, seat, plies),
    )
    told = PhotoTaken(seat, state.site, number, shown.treasures, shown.omen, score(after, seat))
    return _go_on_with_chamber(after, [told])


def _draw_treasure(state: PharaohState, action: Treasure) -> Told:
    value = action.value
    if not (state.actor is CHANCE and state.photo and value in TREASURE_VALUES):
        raise refusals.of_draw(state, action)
    place = TREASURE_VALUES.index(value)
    if not state.stack[place]:
        raise refusals.of_draw(state, action)
    after = _replace(
        state,
        plies=state.plies + 1,
        stack=put(state.stack, place, state.stack[place] - 1),
        lying=tuple(sorted((*state.lying, (state.site, value)))),
        due=state.due - 1,
    )
    return _go_on_with_chamber(after, [TreasureLaidOut(state.site, value)])


def _go_on_with_chamber(state: PharaohState, events: list[AnyEvent]) -> Told:
    """The next treasure is drawn; or the mask comes, then mummy or curse, and the turn may be over (9.1 to 9.5)."""
    if state.due and any(state.stack):
        return state, tuple(events)
    if state.due:
        state = lay_out_mask(state, events)
    state, turn_is_over = meet_omen(state, events)
    after = _replace(state, actor=state.turn, site=NOWHERE, drawn=NOWHERE, photo=0, due=0)
    return _end_turn(after, "omen", events) if turn_is_over else (after, tuple(events))


# -- moves of the helper (6, 7) ----------------------------------------------------------------------------------------


def _turn_tile(state: PharaohState, action: Turn) -> Told:
    seat = _mover(state)
    if not legal.may_turn(state, state.helpers[seat], action.cell, action.openings):
        raise refusals.of_turn(state, seat, action.cell, action.openings)
    cell, openings = action.cell, action.openings
    told = TileTurned(seat, cell, state.tiles[cell], openings)
    tiles = put(state.tiles, cell, openings)
    return _replace(state, moves_left=state.moves_left - 1, plies=state.plies + 1, tiles=tiles), (told,)


def _put_up_lamp(state: PharaohState, action: Lamp) -> Told:
    seat = _mover(state)
    cell, lamps, supply = state.helpers[seat], state.lamps[seat], state.supplies[seat]
    if cell == NOWHERE or cell == state.start or cell in lamps or not supply:
        raise refusals.of_lamp(state, seat)
    return _with_lamps(state, seat, tuple(sorted((*lamps, cell))), supply - 1), (LampPutUp(seat, cell, supply - 1),)


def _take_down_lamp(state: PharaohState, action: Unlamp) -> Told:
    seat = _mover(state)
    cell, lamps, supply = state.helpers[seat], state.lamps[seat], state.supplies[seat]
    if cell not in lamps:
        raise refusals.of_unlamp(state, seat)
    left = tuple(lamp for lamp in lamps if lamp != cell)
    return _with_lamps(state, seat, left, supply + 1), (LampTakenDown(seat, cell, supply + 1),)


def _with_lamps(state: PharaohState, seat: int, lamps: Cells, supply: int) -> PharaohState:
    return _replace(
        state,
        moves_left=state.moves_left - 1,
        plies=state.plies + 1,
        lamps=(*state.lamps[:seat], lamps, *state.lamps[seat + 1 :]),
        supplies=put(state.supplies, seat, supply),
    )


# -- free acts (8) -----------------------------------------------------------------------------------------------------


def _take(state: PharaohState, action: Take) -> Told:
    seat = _free_actor(state)
    cell, value = state.archaeologists[seat], action.value
    if state.carried[seat] or (cell, value) not in state.lying:
        raise refusals.of_take(state, seat, value)
    lying = list(state.lying)
    lying.remove((cell, value))
    after = _replace(
        state,
        acts_left=state.acts_left - 1,
        plies=state.plies + 1,
        lying=tuple(lying),
        carried=put(state.carried, seat, value),
    )
    events: list[AnyEvent] = [TreasureTaken(seat, cell, value)]
    if value == MASK:
        after = take_the_clock(after, seat, events)
    return after, tuple(events)


def _drop(state: PharaohState, action: Drop) -> Told:
    seat = _free_actor(state)
    cell, value = state.archaeologists[seat], state.carried[seat]
    if not value:
        raise refusals.of_drop(state, seat)
    after = _replace(
        state,
        acts_left=state.acts_left - 1,
        plies=state.plies + 1,
        lying=tuple(sorted((*state.lying, (cell, value)))),
        carried=put(state.carried, seat, 0),
    )
    return after, (TreasureDropped(seat, cell, value),)


def _steal(state: PharaohState, action: Steal) -> Told:
    seat, victim = _free_actor(state), action.seat
    cell = state.archaeologists[seat]
    if not legal.may_steal(state, seat, victim):
        raise refusals.of_steal(state, seat, victim)
    value = state.carried[victim]
    after = _replace(
        state,
        acts_left=state.acts_left - 1,
        plies=state.plies + 1,
        carried=put(put(state.carried, victim, 0), seat, value),
    )
    events: list[AnyEvent] = [TreasureStolen(seat, victim, cell, value)]
    if value == MASK:
        after = take_the_clock(after, seat, events)
    return after, tuple(events)


# -- the end of a turn (3.1, 10.1, 10.4, 11.1, 11.4) -------------------------------------------------------------------


def _end(state: PharaohState, action: End) -> Told:
    _player_to_act(state)
    return _end_turn(_replace(state, plies=state.plies + 1), "end", [])


def _end_turn(state: PharaohState, why: Literal["end", "omen", "mask"], events: list[AnyEvent]) -> Told:
    seat = state.turn
    events.append(TurnEnded(seat, why))
    if why != "mask":  # the turn in which the chamber itself falls is exempt (10.4)
        state = tick(state, seat, events)
        if state.tiles.count(FALLEN) == len(CELLS) - 1:
            return finish(state, "collapse", events), tuple(events)
    following = (seat + 1) % len(state.carried)
    options = state.options
    number = state.round + (following == options.first)
    if options.max_rounds is not None and number > options.max_rounds:
        return finish(state, "rounds", events), tuple(events)
    events.append(TurnBegan(following, number))
    after = _replace(state, actor=following, turn=following, round=number, moves_left=MOVES, acts_left=FREE_ACTS)
    return after, tuple(events)


# -- details -----------------------------------------------------------------------------------------------------------

_PLAYS: dict[type[Any], Callable[[PharaohState, Any], Told]] = {
    Archaeologist: _walk_archaeologist,
    Helper: _walk_helper,
    Reveal: _reveal,
    Lay: _lay,
    Turn: _turn_tile,
    Lamp: _put_up_lamp,
    Unlamp: _take_down_lamp,
    Take: _take,
    Drop: _drop,
    Steal: _steal,
    End: _end,
    Tile: _draw_tile,
    Photo: _draw_photo,
    Treasure: _draw_treasure,
}
_KINDS = range(len(TILE_COUNTS))


def _player_to_act(state: PharaohState) -> int:
    seat = state.actor
    if not isinstance(seat, int) or state.drawn != NOWHERE:
        raise refusals.of_phase(state)
    return seat


def _mover(state: PharaohState) -> int:
    """The seat to act, if it has a move left (3.1)."""
    seat = _player_to_act(state)
    if not state.moves_left:
        raise refusals.of_moves(state)
    return seat


def _free_actor(state: PharaohState) -> int:
    """The seat to act, if it may still take, drop or steal this turn (3.3)."""
    seat = _player_to_act(state)
    if not state.acts_left:
        raise refusals.of_acts(state)
    return seat
