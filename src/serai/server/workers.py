"""Hard work away from the event loop: odds, replays and the like, a few at a time, so that tables do not notice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from litestar import Request

from serai.server.limits import Gate, address_of

AT_ONCE = 2

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Workers:
    """Threads that work for whoever asks, in the order in which they came."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._threads = ThreadPoolExecutor(AT_ONCE, "serai-work")

    async def do(self, address: str, work: Callable[[], _T]) -> _T:
        """What the work comes to; ``TooMany`` if enough of this address waits already."""
        with self._gate.holding("work", address):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Leave what was not begun."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def worked_out(
    request: Request[Any, Any, Any], work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
) -> _T:
    """What this comes to, worked out for whoever made the request. It runs in another thread: tables, which move
    meanwhile, must not be among its arguments.
    """
    workers: Workers = request.app.state.workers
    return await workers.do(address_of(request.scope["client"]), lambda: work(*args, **kwargs))
