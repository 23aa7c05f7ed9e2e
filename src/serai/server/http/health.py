"""Monitoring: liveness, readiness, metrics."""

from __future__ import annotations

import asyncio

from litestar import Response
from litestar.datastructures import State

from serai.server.errors import NotFound
from serai.server.http.caller import AnyRequest, hall_of
from serai.server.http.hosts import is_loopback, split_host
from serai.server.http.routes import get
from serai.server.tables.hall import Hall
from serai.table.errors import Refusal

FRESH_SECONDS = 1.0
"""How long a successful check of the store counts: a check writes."""
_BY_PROXY = {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}


class Readiness:
    """Whether the store reads and writes, checked once for all requests at about the same time."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._asked: asyncio.Task[None] | None = None
        self._valid_until = 0.0

    async def check(self) -> None:
        """``StoreError`` if the store fails, ``Refusal`` if the server shuts down."""
        if self._asked is None or (self._asked.done() and self._hall.sources.clock() >= self._valid_until):
            self._asked = asyncio.create_task(self._ask())
        await asyncio.shield(self._asked)
        if not self._hall.ready:
            raise Refusal("server.closing")

    async def _ask(self) -> None:
        await self._hall.store.check()
        self._valid_until = self._hall.sources.clock() + FRESH_SECONDS


@get("/healthz", "Whether the server lives", sync_to_thread=False)
def healthz() -> dict[str, str]:
    return {"status": "alive"}


@get("/readyz", "Whether the server takes requests")
async def readyz(state: State) -> dict[str, str]:
    readiness: Readiness = state.readiness
    await readiness.check()
    return {"status": "ready"}


@get("/metrics", "Counts for Prometheus, for this machine only", media_type="text/plain")
async def read_metrics(request: AnyRequest) -> Response[str]:
    hall = hall_of(request)
    if not (hall.settings.open_metrics or _is_for_this_machine(request)):
        raise NotFound("server.metrics")
    return Response(hall.metrics.write(hall.gauges()), media_type="text/plain; version=0.0.4; charset=utf-8")


ROUTES = [healthz, readyz, read_metrics]


def _is_for_this_machine(request: AnyRequest) -> bool:
    """Whether only this machine can have sent the request.

    A proxy on this machine that does not name its clients looks like the machine itself. Where there may be one, only a
    port to which it does not lead is for this machine alone.
    """
    settings = hall_of(request).settings
    if settings.metrics_port:
        reached = request.scope["server"]
        return reached is not None and reached[1] == settings.metrics_port
    if settings.public_url or settings.trusted_proxies or not _BY_PROXY.isdisjoint(request.headers):
        return False
    host, client = split_host(request.headers.get("host", "")), request.scope["client"]
    return host is not None and is_loopback(host[0]) and client is not None and is_loopback(client[0])
