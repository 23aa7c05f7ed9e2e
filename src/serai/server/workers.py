"""Hard work away from the event loop, a little at a time and for every address in turn, so that tables do not notice.

There are two lanes, each with a thread of its own: one for what people wait for at a table (frames, records, lists),
one for what they study (odds, replays). The first never waits behind the second.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Literal, ParamSpec, TypeVar

from litestar import Request

from serai.server.kept import Kept
from serai.server.limits import Gate, address_of

HAND_OVER = 0.0005
"""Seconds for which a thread at work may keep the interpreter to itself when the event loop or the store wants it. They
want it some ten times for every move, and wait for as long each time; Python's own figure is ten times this. While no
such thread is at work Python's own is better: loop and store would only interrupt each other more often."""
AT_WORK, AT_REST = 0.003, 0.012
"""Seconds that long work goes on at a stretch, and that it then leaves the interpreter to the others altogether."""

LaneName = Literal["table", "study"]

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Job = tuple[Callable[[], Any], asyncio.Future[Any]]


class Lane:
    """One thread. Whoever waits for it gets their next piece of work done when it is their turn, however much others
    have brought.
    """

    at_work = 0
    """How many lanes of this process are."""
    _usual = sys.getswitchinterval()

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, f"serai-{name}")
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()
        """By address, the one whose turn is next in front."""
        self._busy = False

    async def do(self, address: str, work: Callable[[], _T]) -> _T:
        """What the work comes to."""
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append((work, done))
        self._go_on()
        return await done

    def close(self) -> None:
        """Leave what was not begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        for jobs in self._waiting.values():
            for _, done in jobs:
                done.cancel()
        self._waiting.clear()

    def _go_on(self) -> None:
        """Begin what is next; whoever stopped waiting gets nothing done any more."""
        while self._waiting and not self._busy:
            address, jobs = self._waiting.popitem(last=False)
            work, done = jobs.popleft()
            if jobs:
                self._waiting[address] = jobs
            if not done.done():
                self._set_busy(True)
                begun = asyncio.get_running_loop().run_in_executor(self._thread, work)
                begun.add_done_callback(partial(self._end, done))

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        Lane.at_work += 1 if busy else -1
        sys.setswitchinterval(HAND_OVER if Lane.at_work else self._usual)

    def _end(self, done: asyncio.Future[Any], made: asyncio.Future[Any]) -> None:
        self._set_busy(False)
        if made.cancelled():
            done.cancel()
        elif done.done():
            made.exception()  # nobody waits for it: it is not to be called lost
        elif error := made.exception():
            done.set_exception(error)
        else:
            done.set_result(made.result())
        self._go_on()


class Workers:
    """The lanes of one server, and the limit on what one address may wait for at a time."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._lanes: dict[LaneName, Lane] = {"table": Lane("table"), "study": Lane("study")}

    def place(self, address: str) -> AbstractContextManager[None]:
        """A place among those who wait, while the block lasts; ``TooMany`` if this address has enough of them."""
        return self._gate.holding("work", address)

    async def piece(self, lane: LaneName, address: str, work: Callable[[], _T]) -> _T:
        """A piece of what somebody who has a place waits for."""
        return await self._lanes[lane].do(address, work)

    def close(self) -> None:
        """Leave what was not begun."""
        for lane in self._lanes.values():
            lane.close()


def paced(items: Iterable[_T]) -> Iterator[_T]:
    """The same items, with a rest now and then: for long work in a lane, so that most moves of others never meet it."""
    until = time.perf_counter() + AT_WORK
    for item in items:
        yield item
        if time.perf_counter() > until:
            time.sleep(AT_REST)
            until = time.perf_counter() + AT_WORK


async def worked_out(
    request: Request[Any, Any, Any], lane: LaneName, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """What this comes to, worked out for whoever made the request; ``TooMany`` if enough of their address waits.

    It runs in another thread: tables, which move meanwhile, must not be among its arguments.
    """
    workers: Workers = request.app.state.workers
    address = address_of(request.scope["client"])
    with workers.place(address):
        return await workers.piece(lane, address, lambda: work(*args, **kwargs))


async def kept_or_made(
    request: Request[Any, Any, Any], key: Hashable, prepare: Callable[[], Callable[[], bytes]]
) -> bytes:
    """The answer of that key: as it is kept, or made now in the tables' lane. ``prepare`` takes from a table what it is
    made of, on the event loop; the rest is done in another thread.
    """
    kept: Kept = request.app.state.hall.kept
    told = kept.get(key)
    if told is None:
        # when it is their turn, somebody else may have had it made already
        told = await worked_out(request, "table", kept.made, key, prepare())
    return told
