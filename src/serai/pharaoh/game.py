"""Das Gold des Pharao as a :class:`serai.core.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from serai.core import Game, Option, parts
from serai.core.game import Column
from serai.errors import BadNotation
from serai.lab import Compiled
from serai.pharaoh.advice.answer import Advice
from serai.pharaoh.bots import BOTS, CALLED, LEVELS
from serai.pharaoh.coach import PharaohCoach
from serai.pharaoh.memory import WaitingMemory
from serai.pharaoh.rules.actions import AnyAction
from serai.pharaoh.rules.board import ENTRANCES
from serai.pharaoh.rules.events import AnyEvent
from serai.pharaoh.rules.pieces import CELLS, FALLEN, MASK, MOVES, NOWHERE, PLAYERS
from serai.pharaoh.rules.rules import Options, PharaohState, new_state
from serai.pharaoh.text.notation import NOTATION

if TYPE_CHECKING:
    from serai.core.rollouts import Memory, Playouts
    from serai.pharaoh.encoding import PharaohEncoding


class PharaohText(parts.Text[PharaohState, AnyEvent]):
    """The pyramid with its passages, figures and lamps, and the players."""

    def _draw(self, view: PharaohState, seat: int | None, names: Sequence[str], colour: bool) -> str:
        from serai.pharaoh.text.terminal import draw

        return draw(view, seat=seat, names=names, colour=colour)

    def _picture(self, view: PharaohState, seat: int | None, names: Sequence[str]) -> str:
        from serai.pharaoh.text.picture import draw_picture

        return draw_picture(view, names=names)

    def _tell(self, event: AnyEvent, names: Sequence[str]) -> str:
        from serai.pharaoh.text.telling import tell

        return tell(event, names)


class PharaohAdvice(parts.Advice[PharaohState, Advice]):
    """Reasons, reach, ways home and what falls when: all public, whichever seat asks."""

    type: ClassVar[Any] = Advice

    def _advise(self, view: PharaohState) -> Advice:
        from serai.pharaoh.advice.report import advise

        return advise(view)


class PharaohCompiled(Compiled[PharaohState]):
    """Rollouts by a named ``policy`` play to the end, the usual ones some rounds; in a standoff others keep waiting."""

    package = "serai.pharaoh"
    twins = ("random", "scarab", "gecko", "jackal")
    twins_on_gpu = ("random",)

    def rollouts(self, *arguments: Any, memory: Memory | None, **settings: Any) -> Playouts:
        """See :meth:`serai.core.Game.rollouts`."""
        from serai.pharaoh.policy.rollouts import rollouts

        return rollouts(*arguments, standoff=isinstance(memory, WaitingMemory) and memory.standoff, **settings)

    def _memory(self, seat: int) -> WaitingMemory:
        return WaitingMemory()


class Pharaoh(Game[PharaohState, AnyAction, AnyEvent]):
    """The pyramid of 2007 for 2 to 4 players."""

    name = "pharaoh"
    version = "2"
    earlier: ClassVar[Mapping[str, Mapping[str, Any]]] = {"1": {"turn_reach": "linked", "max_rounds": 200}}
    players = PLAYERS
    options: ClassVar[tuple[Option, ...]] = (
        Option("first", "seat", 0, "pharaoh.option.first"),
        Option("entrance", "choice", "c1", "pharaoh.option.entrance", ENTRANCES),
        Option("no_sealed_tiles", "bool", False, "pharaoh.option.no_sealed_tiles"),
        Option("turn_reach", "choice", "opening", "pharaoh.option.turn_reach", ("opening", "linked")),
        Option("hide_scores", "bool", False, "pharaoh.option.hide_scores"),
        Option("frightened_drop", "bool", True, "pharaoh.option.frightened_drop"),
        Option("event_without_way_ends_turn", "bool", False, "pharaoh.option.event_without_way_ends_turn"),
        Option("mask_exit_ends_turn", "bool", True, "pharaoh.option.mask_exit_ends_turn"),
        Option("ring", "choice", "king", "pharaoh.option.ring", ("king", "rook")),
        Option("max_rounds", "count", 80, "pharaoh.option.max_rounds", optional=True),
        Option("restless", "count", None, "pharaoh.option.restless", optional=True),
    )
    bots = BOTS
    bots_called = CALLED
    yardstick = "explorer"
    levels = LEVELS
    against_bots: ClassVar[Mapping[str, Any]] = {"restless": 4}
    hides = False
    benchmark = (("scarab", 40), ("jackal", 40), ("lynx(seconds=None)", 16))
    bot_packages = dict.fromkeys(LEVELS, ("numpy", "numba"))
    bot_seconds: ClassVar[Mapping[str, float]] = {"lynx": 15.0}
    score_name = "points"
    action_kinds = (
        *("archaeologist", "helper", "reveal", "lay", "turn"),
        *("lamp", "unlamp", "take", "drop", "steal", "end"),
    )
    columns: ClassVar[tuple[Column, ...]] = (
        Column("photos", "photos taken", by_seat=True, type="u1"),
        Column("treasures", "treasures brought home, without the mask", by_seat=True, type="u1"),
        Column("mask", "1 for whoever brought the mask home", by_seat=True, type="u1"),
        Column("lost_archaeologist", "1 if that figure was lost", by_seat=True, type="u1"),
        Column("lost_helper", "1 if that figure was lost", by_seat=True, type="u1"),
        Column("mask_found", "1 if somebody found it", type="u1"),
        Column("rounds", "the round in which the game ended", type="i2"),
        Column("ended", "how it ended", labels=("collapse", "rounds"), type="u1"),
    )
    measures: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "chambers found": ("photos",),
        "figures lost": ("lost_archaeologist", "lost_helper"),
        "mask found": ("mask_found",),
        "mask brought home": ("mask",),
    }
    state_type: ClassVar[type[PharaohState]] = PharaohState
    action_type: ClassVar[Any] = AnyAction
    event_type: ClassVar[Any] = AnyEvent

    text: PharaohText = PharaohText()
    advice: PharaohAdvice = PharaohAdvice()
    compiled: PharaohCompiled = PharaohCompiled()
    coach: PharaohCoach = PharaohCoach()

    def parse(self, text: str) -> AnyAction:
        """The action that ``text`` denotes."""
        return NOTATION.parse(text)

    def _new(self, players: int, options: dict[str, Any]) -> PharaohState:
        """All figures before the pyramid, the first player to act."""
        return new_state(players, Options(**options))

    def _position(self, text: str, details: Mapping[str, str], players: int | None) -> PharaohState:
        """The state that a position in notation denotes: it says all, so there are no details to add."""
        if details:
            raise BadNotation(f"a pharaoh position needs no details, such as {', '.join(details)}", text=text)
        from serai.pharaoh.text.position import parse_position

        state = parse_position(text, self.new)
        if players not in (None, state.players):
            raise BadNotation(f"this position is one of {state.players} players, not {players}", text=text)
        return state

    def _row(self, start: PharaohState, end: PharaohState) -> Mapping[str, Any]:
        """What each player has and has lost, and how it ended."""
        seats = range(len(end.museums))
        masks = tuple(end.museums[seat].count(MASK) for seat in seats)
        return {
            "photos": tuple(end.photos.count(seat) for seat in seats),
            "treasures": tuple(len(end.museums[seat]) - masks[seat] for seat in seats),
            "mask": masks,
            "lost_archaeologist": tuple(int(cell == NOWHERE) for cell in end.archaeologists),
            "lost_helper": tuple(int(cell == NOWHERE) for cell in end.helpers),
            "mask_found": int(end.mask_chamber != NOWHERE),
            "rounds": end.round,
            "ended": int(end.tiles.count(FALLEN) < len(CELLS) - 1),
        }

    @property
    def encoding(self) -> PharaohEncoding:
        """Actions and views as numbers."""
        from serai.pharaoh.encoding import ENCODING

        return ENCODING

    def _pause(self, view: PharaohState) -> float:
        """Longest at the start of a turn in a falling pyramid; shortest where nothing is left to do."""
        if view.over or view.drawn != NOWHERE:
            return 0.7
        seat = view.turn
        inside = {view.archaeologists[seat], view.helpers[seat]} - {NOWHERE, view.start}
        falling = view.falling
        if view.moves_left == 0 or (falling and not inside):
            return 0.4
        if view.moves_left < MOVES:
            return 0.7
        return 1.8 if falling else 1.2


GAME = Pharaoh()
