"""For whoever watches a server: whether it lives, whether it takes requests, what it counts."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State

from serai.server.errors import NotFound
from serai.server.http.hosts import is_loopback, split_host
from serai.server.http.problems import PROBLEMS
from serai.server.tables.hall import Hall
from serai.table.errors import Refusal

FRESH_SECONDS = 1.0
"""How long a good answer of the store stands: to ask it means to write."""
_BY_PROXY = {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}


class Readiness:
    """Whether the store reads and saves, asked once for all who want to know at about the same time."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._asked: asyncio.Task[None] | None = None
        self._stands_until = 0.0

    async def check(self) -> None:
        """Fail as the store does, or because the server closes."""
        if self._asked is None or (self._asked.done() and self._hall.sources.clock() >= self._stands_until):
            self._asked = asyncio.create_task(self._ask())
        await asyncio.shield(self._asked)
        if not self._hall.ready:
            raise Refusal("server.closing")

    async def _ask(self) -> None:
        await self._hall.store.check()
        self._stands_until = self._hall.sources.clock() + FRESH_SECONDS


@get("/healthz", summary="Whether the server lives", responses=PROBLEMS, sync_to_thread=False)
def healthz() -> dict[str, str]:
    return {"status": "alive"}


@get("/readyz", summary="Whether the server takes requests", responses=PROBLEMS)
async def readyz(state: State) -> dict[str, str]:
    readiness: Readiness = state.readiness
    await readiness.check()
    return {"status": "ready"}


@get("/metrics", summary="Counts for Prometheus, for this machine only", responses=PROBLEMS, media_type="text/plain")
async def read_metrics(request: Request[Any, Any, State], state: State) -> Response[str]:
    hall: Hall = state.hall
    if not (hall.settings.open_metrics or _is_for_this_machine(request, hall)):
        raise NotFound("server.metrics")
    return Response(hall.metrics.write(hall.gauges()), media_type="text/plain; version=0.0.4; charset=utf-8")


ROUTES = [healthz, readyz, read_metrics]


def _is_for_this_machine(request: Request[Any, Any, State], hall: Hall) -> bool:
    """Whether nobody but this machine can have asked.

    A proxy on this machine looks like the machine itself if it says nothing of whom it asks for. Where there is one
    (without a public address no page would work behind it), only a port of their own, to which it does not lead, is
    for this machine alone.
    """
    settings = hall.settings
    if settings.metrics_port:
        reached = request.scope["server"]
        return reached is not None and reached[1] == settings.metrics_port
    if settings.public_url or settings.trusted_proxies or not _BY_PROXY.isdisjoint(request.headers):
        return False
    host = split_host(request.headers.get("host", ""))
    return host is not None and is_loopback(host[0]) and _from_loopback(request)


def _from_loopback(request: Request[Any, Any, State]) -> bool:
    client = request.scope["client"]
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False
