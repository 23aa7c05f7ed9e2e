"""Two threads for work that would hold up the event loop, fair to every address.

The thread ``table`` makes what people wait for at a table (frames, records, lists), ``study`` what they study (odds,
replays). The first never waits for the second.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Literal, ParamSpec, TypeVar

import msgspec
from litestar import MediaType, Request, Response

from serai.server.cache import Cache
from serai.server.limits import Gate, address_of

WORK_SECONDS, REST_SECONDS = 0.003, 0.012
"""Long work pauses after the first for the second, and leaves the interpreter to the others."""

ThreadName = Literal["table", "study"]

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Waiting = tuple[Callable[[], Any], asyncio.Future[Any]]


class WorkThread:
    """One thread with a fair queue: addresses take turns, however much one of them has asked for."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, f"serai-{name}")
        self._waiting: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        """By address, the next one first."""
        self._busy = False

    async def run(self, address: str, work: Callable[[], _T]) -> _T:
        """The result of the work, once it is this address's turn."""
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append((work, done))
        self._start_next()
        try:
            return await done
        finally:
            del done, work  # an error's traceback holds this frame: with the future it would be a reference cycle

    def close(self) -> None:
        """Drop what was not begun."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        for queue in self._waiting.values():
            for _, done in queue:
                done.cancel()
        self._waiting.clear()

    def _start_next(self) -> None:
        """Start the next work whose caller still waits."""
        while self._waiting and not self._busy:
            address, queue = self._waiting.popitem(last=False)
            work, done = queue.popleft()
            if queue:
                self._waiting[address] = queue
            if not done.done():
                self._busy = True
                begun = asyncio.get_running_loop().run_in_executor(self._thread, work)
                begun.add_done_callback(partial(self._end, done))

    def _end(self, done: asyncio.Future[Any], begun: asyncio.Future[Any]) -> None:
        self._busy = False
        if begun.cancelled():
            done.cancel()
        elif done.done():
            begun.exception()  # nobody waits: mark the exception as retrieved
        elif error := begun.exception():
            done.set_exception(error)
        else:
            done.set_result(begun.result())
        self._start_next()


class Threads:
    """The threads of one server, with a limit on how much one address may wait for."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._threads: dict[ThreadName, WorkThread] = {"table": WorkThread("table"), "study": WorkThread("study")}

    def slot(self, address: str) -> AbstractContextManager[None]:
        """One of the address's slots during the block; ``TooMany`` if they are all taken."""
        return self._gate.holding("work", address)

    async def run(self, thread: ThreadName, address: str, work: Callable[[], _T]) -> _T:
        """The result of the work. The caller has a slot."""
        return await self._threads[thread].run(address, work)

    def close(self) -> None:
        for thread in self._threads.values():
            thread.close()


def paced(items: Iterable[_T]) -> Iterator[_T]:
    """The same items, with pauses: for long work, so that most moves at tables never meet it."""
    until = time.perf_counter() + WORK_SECONDS
    for item in items:
        yield item
        if time.perf_counter() > until:
            time.sleep(REST_SECONDS)
            until = time.perf_counter() + WORK_SECONDS


async def in_thread(
    request: Request[Any, Any, Any], thread: ThreadName, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """The result of the work, for the caller of this request; ``TooMany`` if their address waits for too much.

    Live tables must not be among the arguments: they change meanwhile.
    """
    threads: Threads = request.app.state.threads
    address = address_of(request.scope["client"])
    with threads.slot(address):
        return await threads.run(thread, address, lambda: work(*args, **kwargs))


async def cached(
    request: Request[Any, Any, Any], thread: ThreadName, key: Hashable, prepare: Callable[[], Callable[[], bytes]]
) -> bytes:
    """The cached response of that key, else one made in the thread. ``prepare`` runs on the event loop and takes from a
    live table what the response is made of.
    """
    cache: Cache = request.app.state.hall.cache
    response = cache.get(key)
    if response is None:
        # while this waited, another request may have had it made
        response = await in_thread(request, thread, cache.get_or_make, key, prepare())
    return response


async def cached_json(
    request: Request[Any, Any, Any], thread: ThreadName, key: Hashable, prepare: Callable[[], Callable[[], Any]]
) -> Response[bytes]:
    """The same for a body that is written as JSON."""

    def prepare_json() -> Callable[[], bytes]:
        make = prepare()
        return lambda: msgspec.json.encode(make())

    return Response(await cached(request, thread, key, prepare_json), media_type=MediaType.JSON)
