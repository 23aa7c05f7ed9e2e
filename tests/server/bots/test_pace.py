"""Bots' pace: it fits what everybody sees of the position, and tells nothing of what only a bot knows."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from serai import game as find_game
from serai.server.bots import seats
from serai.server.bots.fair_queue import BotsOnlyTables
from serai.server.bots.seats import BotSeats
from serai.server.metrics import Metrics
from serai.server.settings import Sources
from serai.server.tables.audience import Audience
from serai.table.proposals import Change
from serai.table.table import Effect
from serai.wire import messages as m
from tests.server.support import QUICK, run
from tests.table.test_table import Kept

GAME = "camelup"
CAP = 0.3
"""The longest that any level may think."""


class Hours:
    """Time that passes only when everybody waits for it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._waiting: list[tuple[float, int, asyncio.Event]] = []
        self._count = itertools.count()

    async def sleep(self, seconds: float) -> None:
        over = asyncio.Event()
        heapq.heappush(self._waiting, (self.now + seconds, next(self._count), over))
        await over.wait()

    async def pass_by(self, seconds: float) -> None:
        """Let so much time pass, and all happen that happens in it."""
        end = self.now + seconds
        await _settle()
        while self._waiting and self._waiting[0][0] <= end:
            self.now, _, over = heapq.heappop(self._waiting)
            over.set()
            await _settle()
        self.now = end


async def _settle() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


class Thinker:
    """A pool whose bots take as long as a test wants, by what they see."""

    def __init__(self, hours: Hours, seconds: Callable[[Any], float], plan: list[str]) -> None:
        self._hours, self._seconds, self._plan = hours, seconds, plan
        self.asked: list[int] = []
        self.at_once = 0

    async def decide(self, sitter: Any, view: bytes, *_: Any) -> bytes:
        game = find_game(GAME)
        seen = game.state_decoder.decode(view)
        self.asked.append(sitter.seat)
        self.at_once += 1
        assert self.at_once == 1, "one thought at a time"
        await self._hours.sleep(self._seconds(seen))
        self.at_once -= 1
        return msgspec.json.encode(game.parse(self._plan.pop(0) if self._plan else "roll"))


class Leases:
    """All tables are ours."""

    async def claim(self, table: str) -> str:
        return "lease"


class Played:
    """A table that somebody watches, and when its game moved on."""

    made_by = ""
    attended = True

    def __init__(self, hours: Hours, seats_of_bots: dict[int, str], *people: str) -> None:
        self._hours = hours
        self.kept = Kept(GAME, seats=len(seats_of_bots) + len(people), bots=seats_of_bots)
        self.table = self.kept.table
        hall: Any = SimpleNamespace()
        self.audience = Audience(self.table, hall)
        self.moved, self.person_moved = hours.now, float("-inf")
        self.moments: list[float] = []
        for name in people:
            self.kept.join(name, name)
        self.kept.tell(m.Start("s"), "ann")

    async def submit(self, propose: Callable[[], Change], *, lease: Any) -> Effect:
        self.kept.keep(propose())
        self.moved = self._hours.now
        self.moments.append(self.moved)
        return self.table.effects[-1]

    def act(self, text: str) -> None:
        """What a person does."""
        action = msgspec.Raw(msgspec.json.encode(find_game(GAME).parse(text)))
        self.kept.tell(m.Act(f"a{self.table.on}", self.table.on, action), "ann", 0)
        self.moved = self.person_moved = self._hours.now


def bots_of(hours: Hours, pool: Thinker) -> BotSeats:
    sources = Sources(clock=lambda: hours.now, sleep=hours.sleep)
    settings = msgspec.structs.replace(QUICK, bot_delay=True)
    hall: Any = SimpleNamespace(
        peers=Leases(), pool=pool, bots_only=BotsOnlyTables(), metrics=Metrics(), settings=settings, sources=sources
    )
    return BotSeats(hall)


def _by_own_cards(view: Any) -> float:
    """Long if the own card on the deck is white, else not at all; the first decision takes no time."""
    own = [camel for seat, camel in view.winner_deck if seat == view.actor]
    return CAP if 4 in own else 0.0


@pytest.mark.parametrize("pause", [0.0, 1.0, 2.5])
def test_the_moment_of_an_action_tells_nothing_of_hidden_cards(pause: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(find_game(GAME)), "pause", lambda self, view: pause)

    async def moments(card: str) -> list[float]:
        hours = Hours()
        pool = Thinker(hours, _by_own_cards, [f"winner {card}"])
        live: Any = Played(hours, {0: "random", 1: "random"})
        bots = bots_of(hours, pool)
        bots.wake(live)
        await hours.pass_by(12.0)
        assert len(pool.asked) > 3
        for task in (bots.task, bots.thought):
            assert task is not None
            task.cancel()
        found: list[float] = live.moments
        return found

    async def compare() -> None:
        fast, slow = await moments("blue"), await moments("white")
        assert fast == slow
        gaps = {round(after - before, 6) for before, after in itertools.pairwise(fast)}
        usual = seats.AFTER_BOT * min(max(pause, seats.SHORTEST), seats.LONGEST)
        assert gaps == {round(usual, 6)}
        assert usual > CAP, "no action comes before the slowest level must have decided"

    run(compare())


def test_a_pause_is_asked_of_what_an_onlooker_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []

    def pause(self: Any, view: Any) -> float:
        shown.append(view)
        return 1.0

    monkeypatch.setattr(type(find_game(GAME)), "pause", pause)

    async def play() -> None:
        hours = Hours()
        live: Any = Played(hours, {0: "random", 1: "random"})
        bots = bots_of(hours, Thinker(hours, lambda view: 0.0, ["winner blue"]))
        bots.wake(live)
        await hours.pass_by(2.0)
        assert bots.task is not None
        bots.task.cancel()
        assert live.table.snapshot is not None
        assert live.table.snapshot.state.winner_deck == ((0, 0),)
        assert shown[-1].winner_deck == ((0, None),)

    run(play())


def test_what_was_thought_of_a_position_that_is_gone_is_thrown_away() -> None:
    """However often a person acts and takes it back, one thought goes on at a time, and the last one counts."""

    async def play() -> None:
        hours = Hours()
        pool = Thinker(hours, lambda view: 1.5, ["winner green", "winner orange"])
        live: Any = Played(hours, {1: "random"}, "ann")
        bots = bots_of(hours, pool)
        for _ in range(4):
            live.act("leg blue")
            bots.wake(live)
            await hours.pass_by(0.1)
            live.kept.tell(m.Undo(f"u{live.table.on}", live.table.on), "ann", 0)
            live.moved = live.person_moved = hours.now
            await hours.pass_by(0.1)
        live.act("leg blue")
        acted = hours.now
        bots.wake(live)
        await hours.pass_by(10.0)
        assert pool.asked == [1, 1], "the first, which could not be stopped, and the last"
        assert live.moments == pytest.approx([max(acted + seats.AFTER_PERSON, 1000.0 + 2 * 1.5)])
        assert live.table.written[-1][1] == ("winner orange",), "what it thought of the present position"

    run(play())


def test_a_bot_that_was_paused_need_not_think_again() -> None:
    async def play() -> None:
        hours = Hours()
        pool = Thinker(hours, lambda view: 0.2, ["winner green"])
        live: Any = Played(hours, {1: "random"}, "ann")
        bots = bots_of(hours, pool)
        live.act("leg blue")
        bots.wake(live)
        await hours.pass_by(1.0)
        live.kept.tell(m.Pause("p"), "ann", 0)
        await hours.pass_by(5.0)
        assert not live.moments
        live.kept.tell(m.Resume("r"), "ann", 0)
        bots.wake(live)
        await hours.pass_by(1.0)
        assert len(live.moments) == 1
        assert pool.asked == [1]

    run(play())
