"""The events of Das Gold des Pharao, in steps small enough to animate. Cells, tiles and seats are numbers."""

from __future__ import annotations

from typing import Literal

from serai.core import Event
from serai.pharaoh.rules.pieces import Cells, Figure, Omen


class TurnBegan(Event, frozen=True, tag="turn_began"):
    """A seat has its three moves."""

    seat: int
    round: int


class Walked(Event, frozen=True, tag="walked"):
    """A figure walked over these cells in one move, from the first to the last."""

    seat: int
    figure: Figure
    way: Cells


class TileOpened(Event, frozen=True, tag="tile_opened"):
    """An archaeologist standing on ``stands`` turns over the tile on ``cell``."""

    seat: int
    cell: int
    stands: int


class TileDrawn(Event, frozen=True, tag="tile_drawn"):
    """The tile on that cell turned out to be of this kind; a chamber lies at once."""

    seat: int
    cell: int
    tile: int


class TileLaid(Event, frozen=True, tag="tile_laid"):
    """A passage tile was laid with these openings."""

    seat: int
    cell: int
    openings: int


class TileTurned(Event, frozen=True, tag="tile_turned"):
    """A helper turned a tile."""

    seat: int
    cell: int
    before: int
    openings: int


class FigureShutIn(Event, frozen=True, tag="figure_shut_in"):
    """A tile was laid or turned so that a figure has no way home (5.2)."""

    seat: int
    figure: Figure
    cell: int
    by: int
    """The seat that laid or turned the tile."""
    alone: bool
    """Its player has no figure inside to open a way."""


class LampPutUp(Event, frozen=True, tag="lamp_put_up"):
    """A lamp lights a cell; ``supply`` are left."""

    seat: int
    cell: int
    supply: int


class LampTakenDown(Event, frozen=True, tag="lamp_taken_down"):
    """A lamp went back to the supply."""

    seat: int
    cell: int
    supply: int


class TreasureTaken(Event, frozen=True, tag="treasure_taken"):
    """An archaeologist picked a treasure up."""

    seat: int
    cell: int
    value: int


class TreasureDropped(Event, frozen=True, tag="treasure_dropped"):
    """An archaeologist left its treasure lying, of its own will or ``frightened`` (rules 8.1, 9.3)."""

    seat: int
    cell: int
    value: int
    frightened: bool = False


class TreasureStolen(Event, frozen=True, tag="treasure_stolen"):
    """An archaeologist took another's treasure."""

    seat: int
    victim: int
    cell: int
    value: int


class TreasureBanked(Event, frozen=True, tag="treasure_banked"):
    """A treasure was brought to safety; the player now has ``score``."""

    seat: int
    value: int
    score: int


class PhotoTaken(Event, frozen=True, tag="photo_taken"):
    """The finder of a chamber drew a photo that shows treasures and perhaps an omen; the player now has ``score``."""

    seat: int
    cell: int
    photo: int
    treasures: int
    omen: Omen
    score: int


class TreasureLaidOut(Event, frozen=True, tag="treasure_laid_out"):
    """A treasure was drawn and lies in the chamber."""

    cell: int
    value: int


class MaskFound(Event, frozen=True, tag="mask_found"):
    """The death mask lies in the chamber, which falls after ``turns`` more turns of the finder (rule 10.1); 0 where the
    pyramid falls by itself already, and no countdown begins (rule 11.5.6).
    """

    seat: int
    cell: int
    turns: int


class MummyWoke(Event, frozen=True, tag="mummy_woke"):
    """The mummy walks out over all shortest ways: these cells, chamber first, start last (rule 9.3)."""

    seat: int
    way: Cells


class FigureFled(Event, frozen=True, tag="figure_fled"):
    """A figure met the mummy and now stands on the start tile."""

    seat: int
    figure: Figure
    cell: int


class CurseSpread(Event, frozen=True, tag="curse_spread"):
    """The curse blows out over all shortest ways: these cells, chamber first, start last (rule 9.4)."""

    seat: int
    way: Cells


class LampBlownOut(Event, frozen=True, tag="lamp_blown_out"):
    """The curse put a lamp out; its owner has it back."""

    seat: int
    cell: int


class OmenSlept(Event, frozen=True, tag="omen_slept"):
    """No way leads from the chamber to the start: mummy or curse stay where they are (rule 9.5)."""

    seat: int
    omen: Omen


class CountdownWent(Event, frozen=True, tag="countdown_went"):
    """The finder's turn ended: the chamber of the mask falls after ``turns`` more of them."""

    seat: int
    turns: int


class MaskCarriedOut(Event, frozen=True, tag="mask_carried_out"):
    """The mask left its chamber: the countdown is void (rule 10.2)."""

    seat: int
    cell: int


class ClockMoved(Event, frozen=True, tag="clock_moved"):
    """From now on rings fall at the end of this seat's turns (rules 10.1 to 10.3)."""

    seat: int


class ChamberFell(Event, frozen=True, tag="chamber_fell"):
    """The chamber of the mask fell; the next events say what it took."""

    cell: int


class RingFell(Event, frozen=True, tag="ring_fell"):
    """These cells fell, at distance ``ring`` from the chamber; ``unseen`` of them were face down (rule 10.4)."""

    ring: int
    cells: Cells
    unseen: int


class Rumbled(Event, frozen=True, tag="rumbled"):
    """After one more quiet round the pyramid begins to fall by itself, from this cell (rule 11.5.2)."""

    cell: int


class Calmed(Event, frozen=True, tag="calmed"):
    """A tile was revealed or points rose: the fall that was announced is called off (rule 11.5.2)."""


class CollapseBegan(Event, frozen=True, tag="collapse_began"):
    """The pyramid falls by itself: this cell now, then a ring about it at the end of each round (rule 11.5)."""

    cell: int


class FigureLost(Event, frozen=True, tag="figure_lost"):
    """A figure fell with its cell: ``points`` (below 0); the player now has ``score``."""

    seat: int
    figure: Figure
    cell: int
    points: int
    score: int


class TreasureLost(Event, frozen=True, tag="treasure_lost"):
    """A treasure fell; ``seat`` carried it, -1 if it lay there."""

    seat: int
    cell: int
    value: int


class LampLost(Event, frozen=True, tag="lamp_lost"):
    """A lamp fell and is out of the game."""

    seat: int
    cell: int


class TurnEnded(Event, frozen=True, tag="turn_ended"):
    """A turn is over, by the player's will or by a rule."""

    seat: int
    why: Literal["end", "omen", "mask"]


class ScoreCounted(Event, frozen=True, tag="score_counted"):
    """One player's line of the final scoring (rule 11.2)."""

    seat: int
    photos: int
    treasures: tuple[int, ...]
    lost: int
    total: int


class GameEnded(Event, frozen=True, tag="game_ended"):
    """Final scores by seat and who won; the pyramid has fallen, or the rounds are over."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    why: Literal["collapse", "rounds"]


AnyEvent = (
    TurnBegan
    | Walked
    | TileOpened
    | TileDrawn
    | TileLaid
    | TileTurned
    | FigureShutIn
    | LampPutUp
    | LampTakenDown
    | TreasureTaken
    | TreasureDropped
    | TreasureStolen
    | TreasureBanked
    | PhotoTaken
    | TreasureLaidOut
    | MaskFound
    | MummyWoke
    | FigureFled
    | CurseSpread
    | LampBlownOut
    | OmenSlept
    | CountdownWent
    | MaskCarriedOut
    | ClockMoved
    | ChamberFell
    | RingFell
    | Rumbled
    | Calmed
    | CollapseBegan
    | FigureLost
    | TreasureLost
    | LampLost
    | TurnEnded
    | ScoreCounted
    | GameEnded
)
