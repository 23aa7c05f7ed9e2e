"""Das Gold des Pharao as a :class:`serai.core.Game`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

from serai.core import BadNotation, Game, Option, Simulator
from serai.core.checks import (
    check_details,
    check_kind,
    check_names,
    check_randomness,
    check_seat,
    check_state,
    check_text,
    check_whole,
)
from serai.core.device import Device, on_gpu
from serai.core.errors import MissingExtra
from serai.core.game import Event
from serai.core.playouts import check_playouts
from serai.core.rows import Column
from serai.core.simulation import check_entrants
from serai.pharaoh.actions import AnyAction
from serai.pharaoh.advice.answer import Advice
from serai.pharaoh.board import ENTRANCES
from serai.pharaoh.events import AnyEvent
from serai.pharaoh.memory import WaitingMemory
from serai.pharaoh.notation import NOTATION
from serai.pharaoh.pieces import CELLS, FALLEN, MASK, NOWHERE, PLAYERS
from serai.pharaoh.rules import Options, PharaohState, new_state

if TYPE_CHECKING:
    from serai.core.batch import Batch
    from serai.core.coaching import Coaching
    from serai.core.playouts import Habit, Memory, Playouts
    from serai.pharaoh.encoding import PharaohEncoding

CHAMBERS = "chambers found"
LOST_FIGURES = "figures lost"
MASK_FOUND = "mask found"
MASK_HOME = "mask brought home"


class Pharaoh(Game):
    """The pyramid of 2007 for 2 to 4 players."""

    name = "pharaoh"
    version = "1"
    players = PLAYERS
    options: ClassVar[tuple[Option, ...]] = (
        Option("first", "seat", 0, "pharaoh.option.first"),
        Option("entrance", "choice", "c1", "pharaoh.option.entrance", ENTRANCES),
        Option("no_sealed_tiles", "bool", False, "pharaoh.option.no_sealed_tiles"),
        Option("turn_reach", "choice", "linked", "pharaoh.option.turn_reach", ("linked", "opening")),
        Option("hide_scores", "bool", False, "pharaoh.option.hide_scores"),
        Option("frightened_drop", "bool", True, "pharaoh.option.frightened_drop"),
        Option("event_without_way_ends_turn", "bool", False, "pharaoh.option.event_without_way_ends_turn"),
        Option("mask_exit_ends_turn", "bool", True, "pharaoh.option.mask_exit_ends_turn"),
        Option("ring", "choice", "king", "pharaoh.option.ring", ("king", "rook")),
        Option("max_rounds", "count", 200, "pharaoh.option.max_rounds", optional=True),
    )
    bots = ("random", "scarab", "gecko", "explorer", "jackal", "lynx", "sphinx")
    yardstick = "explorer"
    levels = ("scarab", "gecko", "jackal", "lynx", "sphinx")
    hides = False
    needs = dict.fromkeys(("rollouts", *levels), ("numpy", "numba"))
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
    state_type: ClassVar[type[PharaohState]] = PharaohState
    action_type: ClassVar[Any] = AnyAction
    event_type: ClassVar[Any] = AnyEvent
    advice_type: ClassVar[Any] = Advice

    def new(self, players: int = 2, **options: Any) -> PharaohState:
        """All figures before the pyramid, the first player to act."""
        return new_state(players, Options(**self.settled(players, options)))

    def parse(self, text: str) -> AnyAction:
        """The action that ``text`` denotes."""
        return NOTATION.parse(text)

    def position(self, text: str, details: Mapping[str, str] | None = None) -> PharaohState:
        """The state that a position in notation denotes: it tells all, so there are no details to add."""
        check_text("a position", text)
        check_details(details)
        if details:
            raise BadNotation(f"a pharaoh position needs no details, such as {', '.join(details)}", text=text)
        from serai.pharaoh.position import parse_position

        return parse_position(text)

    def imagine(self, view: PharaohState, rng: random.Random) -> PharaohState:
        """The view itself: nothing is hidden from one player alone (rule 12.1)."""
        check_state(self, view)
        check_randomness(rng)
        return view

    def draw(
        self, view: PharaohState, *, seat: int | None = None, names: Sequence[str] = (), colour: bool = False
    ) -> str:
        """The pyramid with its passages, figures and lamps, and the players."""
        from serai.pharaoh.terminal import draw

        check_state(self, view)
        check_seat(seat, view.players)
        check_names(names)

        return draw(view, seat=seat, names=names, colour=colour)

    def picture(self, view: PharaohState, *, seat: int | None = None, names: Sequence[str] = ()) -> str:
        """The map with all that stands and lies there, and the players."""
        from serai.pharaoh.picture import draw_picture

        return draw_picture(view, names=names)

    def tell(self, event: AnyEvent, names: Sequence[str] = ()) -> str:
        """The event as an English sentence."""
        from serai.pharaoh.telling import tell

        check_kind("what is told", event, Event, "an event, as state.step(action) tells them")
        check_names(names)

        return tell(event, names)

    def row(self, start: PharaohState, end: PharaohState) -> Mapping[str, Any]:
        """What each player has and has lost, and how it ended."""
        check_state(self, start)
        check_state(self, end)
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

    def measures(self, start: PharaohState, end: PharaohState) -> dict[str, int]:
        """How much was found and lost, and whether the mask was found and brought home."""
        check_state(self, start)
        check_state(self, end)
        lost = [*end.archaeologists, *end.helpers].count(NOWHERE)
        return {
            CHAMBERS: len(end.photos) - end.photos.count(NOWHERE),
            LOST_FIGURES: lost,
            MASK_FOUND: int(end.mask_chamber != NOWHERE),
            MASK_HOME: int(any(MASK in museum for museum in end.museums)),
        }

    def advice(self, view: PharaohState) -> Advice:
        """Reasons, reach, ways home and what falls when: all public, whoever asks."""
        from serai.pharaoh.advice.report import advise

        check_state(self, view)

        return advise(view)

    def simulator(
        self,
        bots: Sequence[str],
        *,
        seed: str,
        rotate: bool = False,
        paired: bool = False,
        device: Device = "cpu",
        **options: Any,
    ) -> Simulator | None:
        """The compiled kernel, if every bot has a compiled twin.

        Games without a limit of rounds may never end: those are left to the referee, who can be interrupted.
        """
        bots = check_entrants(bots, seed)
        settled = Options(**self.settled(len(bots), options))
        if settled.max_rounds is None or not set(bots) <= set(self.bots):
            return None
        if find_spec("numba") is None:
            raise MissingExtra("compiled games", "numba", "fast")
        from serai.pharaoh.kernel.tempers import TEMPERS

        if not set(bots) <= {"random", *TEMPERS}:
            return None
        if on_gpu(device, bots, ("random",)):
            from serai.pharaoh.kernel.gpu import GpuSimulator

            return GpuSimulator(self, bots, seed, settled, rotate=rotate, paired=paired)
        from serai.pharaoh.kernel.simulator import KernelSimulator

        return KernelSimulator(self, bots, seed, settled, rotate=rotate, paired=paired)

    @property
    def encoding(self) -> PharaohEncoding:
        """Actions and views as numbers."""
        from serai.pharaoh.encoding import ENCODING

        return ENCODING

    def batch(self, lanes: int, players: int | Sequence[int] = 4, *, device: Device = "cpu", **settings: Any) -> Batch:
        """Compiled games side by side."""
        if find_spec("numba") is None:
            raise MissingExtra("batches", "numba", "fast")
        if on_gpu(device):
            from serai.pharaoh.kernel.gpu import GpuBatch

            return GpuBatch(lanes, players, **settings)
        from serai.pharaoh.kernel.batch import Batch

        return Batch(lanes, players, **settings)

    def rollouts(
        self,
        view: PharaohState,
        actions: Sequence[AnyAction | Habit | None] | None = None,
        n: int = 256,
        *,
        policy: str = "",
        seed: int = 0,
        first: int = 0,
        memory: Memory | None = None,
        threads: int = 1,
    ) -> Playouts:
        """A ``policy`` plays to the end, the usual one some rounds; in a standoff others go on waiting."""
        check_state(self, view)
        check_playouts(n=n, seed=seed, first=first, threads=threads, policy=policy)
        if not self.can("rollouts"):
            raise MissingExtra("rollouts", "numba", "fast")
        from serai.pharaoh.rollouts import roll_out

        wanted = view.actions() if actions is None else actions
        standoff = isinstance(memory, WaitingMemory) and memory.standoff
        return roll_out(view, wanted, n, policy=policy, seed=seed, first=first, threads=threads, standoff=standoff)

    def memory(self, seat: int) -> WaitingMemory:
        """For how long everybody has been waiting for others to go first."""
        check_whole("a seat", seat, 0, PLAYERS[-1] - 1)
        return WaitingMemory()

    def coaching(self) -> Coaching:
        """By playouts of some rounds and the ways as they lie."""
        from serai.pharaoh.coaching import COACHING

        return COACHING

    def pause(self, view: PharaohState) -> float:
        """Plans are made at the start of a turn, longer ones once the pyramid falls; who can do little does it soon."""
        from serai.pharaoh.pace import pause

        check_state(self, view)

        return pause(view)


GAME = Pharaoh()
