"""The rules of Das Gold des Pharao: the state, its legal actions, and which function plays each of them.

Those functions are in ``turns``, ``moves``, ``treasure``, ``discovery`` and ``collapse``, chapter by chapter. Numbers
in brackets are rules, here and there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from serai.core import CHANCE, State
from serai.core.arguments import check_seat
from serai.errors import IllegalAction, shown
from serai.pharaoh.rules import collapse, discovery, legal, moves, treasure, turns
from serai.pharaoh.rules.actions import (
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
from serai.pharaoh.rules.board import RingShape
from serai.pharaoh.rules.events import AnyEvent
from serai.pharaoh.rules.pieces import (
    CELL_NUMBERS,
    CELLS,
    FACE_DOWN,
    FREE_ACTS,
    LAMPS,
    MOVES,
    NOWHERE,
    PHOTOS,
    START,
    TILE_COUNTS,
    TREASURE_COUNTS,
    Cells,
    Figure,
    Lying,
    Tiles,
)
from serai.pharaoh.rules.scoring import winners

Step = tuple["PharaohState", tuple[AnyEvent, ...]]
TurnReach = Literal["linked", "opening"]


class Options(msgspec.Struct, frozen=True):
    """The choices of the set-up, and where the printed rules can be read in two ways."""

    first: int = 0
    """The seat that begins."""
    entrance: str = "c1"
    """The cell of the start tile (1.2)."""
    no_sealed_tiles: bool = False
    """Whether a tile must open to some cell that still exists (5.2)."""
    turn_reach: TurnReach = "opening"
    """Which neighbours a helper may turn (6.1)."""
    hide_scores: bool = False
    """Whether the screen hides points (8.4)."""
    frightened_drop: bool = True
    """Whether the mummy makes archaeologists drop what they carry (9.3)."""
    event_without_way_ends_turn: bool = False
    """Whether an event that reaches nobody ends the turn (9.5)."""
    mask_exit_ends_turn: bool = True
    """Whether leaving with the mask ends the turn (10.2)."""
    ring: RingShape = "king"
    """How far a cell is from the chamber: as a king walks or as a rook does (10.4)."""
    max_rounds: int | None = 80
    """Rounds after which the game ends as it stands (11.4)."""
    restless: int | None = None
    """Quiet rounds after which the pyramid begins to fall by itself (11.5)."""


class PharaohState(State[AnyAction, AnyEvent], frozen=True):
    """A position. Tuples are by cell, seat or kind; cells and seats are numbers, -1 is nowhere or nobody."""

    options: Options
    round: int
    """From 1."""
    turn: int
    """The seat whose turn it is, also while chance draws."""
    moves_left: int
    """Moves this turn still has (3.1)."""
    acts_left: int
    """Free acts this turn may still have (3.3)."""
    plies: int
    """Actions so far, chance included (11.3)."""
    tiles: Tiles
    """For each cell what lies there: 0 face down, 1 to 15 a passage by its openings (N 1, E 2, S 4, W 8), 16 to 20 the
    chambers, 21 the start, 22 fallen.
    """
    unseen: tuple[int, ...]
    """By kind: the tiles that nobody has seen, fallen ones included (2.2)."""
    site: int
    """The cell being turned over, or -1."""
    drawn: int
    """The kind of tile drawn there, until it is laid or its chamber is settled; or -1."""
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
    """For each seat where its archaeologist stands, -1 when lost."""
    helpers: Cells
    """For each seat where its helper stands, -1 when lost."""
    carried: tuple[int, ...]
    """For each seat the value its archaeologist carries, 0 for nothing."""
    lamps: tuple[Cells, ...]
    """For each seat the cells its lamps light, ascending."""
    supplies: tuple[int, ...]
    """For each seat the lamps it has left."""
    museums: tuple[tuple[int, ...], ...]
    """For each seat the treasures brought to safety, ascending."""
    points: tuple[int, ...]
    """For each seat its points as they stand (11.2)."""
    changed: tuple[int, ...]
    """For each seat the number of the action that last changed its score, 0 for none (11.3)."""
    mask_chamber: int
    """Where the mask came into play, -1 before."""
    finder: int
    """Who found it, -1 before."""
    countdown: int
    """Ends of the finder's turns until that chamber falls; 0 when no countdown runs (10.1)."""
    clock: int
    """The seat whose turns make rings fall, -1 before any can."""
    ring: int
    """The last ring that fell, 0 for none."""
    falls: Cells
    """For each cell the ring it falls with, -1 for the start: 0 is the chamber of the mask, or the cell from which the
    pyramid falls by itself, from the announcement on (11.5.2); empty while nothing is going to fall.
    """
    stirred: int = 0
    """With the option ``restless`` the last round in which a tile was revealed or points rose, else 0 (11.5.1)."""

    @property
    def centre(self) -> int:
        """The cell about which the rings lie; -1 while nothing is going to fall."""
        return self.falls.index(0) if self.falls else NOWHERE

    @property
    def falling(self) -> bool:
        """Whether the pyramid falls, or its countdown runs: both go on to the end (10.1, 11.5.4)."""
        return bool(self.countdown) or self.clock != NOWHERE

    @property
    def falls_by_itself(self) -> bool:
        """Whether it falls without the mask's doing (11.5.4)."""
        return self.clock != NOWHERE and self.centre != self.mask_chamber

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.carried)

    @property
    def start(self) -> int:
        """The cell of the start tile."""
        return CELL_NUMBERS[self.options.entrance]

    def cell_of(self, seat: int, figure: Figure) -> int:
        """Where a figure stands, -1 when lost."""
        return (self.archaeologists if figure == "archaeologist" else self.helpers)[seat]

    def actions(self) -> tuple[AnyAction, ...]:
        """Every legal action, in the order of the notation's list; cells, openings, values and seats ascending."""
        actor = self.actor
        if actor is None:
            return ()
        if actor is CHANCE:
            return legal.draws(self)
        if self.drawn != NOWHERE:
            return legal.lays(self)
        return legal.turn_actions(self, actor)

    def weights(self) -> tuple[int, ...]:
        """How many pieces each draw could be (2.2)."""
        return legal.draw_weights(self) if self.actor is CHANCE else ()

    def step(self, action: AnyAction) -> Step:
        """The next state, and the events that led there."""
        play = _PLAYS.get(type(action))
        if play is None:
            raise IllegalAction("core.foreign", action=shown(action), game="pharaoh")
        if self.actor is None:
            raise IllegalAction("core.over")
        # counted first: a score records the number of the action that changed it (11.3)
        return play(msgspec.structs.replace(self, plies=self.plies + 1), action)

    def seen_by(self, seat: int | None) -> PharaohState:
        """Itself: nothing is known to one player alone (12.1)."""
        check_seat(seat, self.players)
        return self

    def scores(self) -> tuple[int, ...]:
        """Everybody's points as they stand (11.2)."""
        return self.points

    def __str__(self) -> str:
        from serai.pharaoh.text.terminal import brief

        return brief(self)

    def _repr_svg_(self) -> str:
        from serai.pharaoh.text.picture import draw_picture

        return draw_picture(self, names=())

    def _winners(self) -> tuple[int, ...]:
        return winners(self)


def new_state(players: int, options: Options) -> PharaohState:
    """All figures on the start tile, everything else face down (1.2, 2.1)."""
    start = CELL_NUMBERS[options.entrance]
    state = PharaohState(
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
        points=(0,) * players,
        changed=(0,) * players,
        mask_chamber=NOWHERE,
        finder=NOWHERE,
        countdown=0,
        clock=NOWHERE,
        ring=0,
        falls=(),
    )
    return collapse.announce(state) if options.restless == 1 else state


_PLAYS: dict[type[Any], Callable[[PharaohState, Any], Step]] = {
    Archaeologist: moves.walk_archaeologist,
    Helper: moves.walk_helper,
    Reveal: moves.reveal,
    Lay: moves.lay,
    Turn: moves.turn_tile,
    Lamp: moves.put_up_lamp,
    Unlamp: moves.take_down_lamp,
    Take: treasure.take,
    Drop: treasure.drop,
    Steal: treasure.steal,
    End: turns.end,
    Tile: moves.draw_tile,
    Photo: discovery.draw_photo,
    Treasure: discovery.draw_treasure,
}
