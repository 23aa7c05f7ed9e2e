"""The application: routes, errors and guards around one hall."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import cast

from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Server

import serai
from serai.server.hints.coach import Coach
from serai.server.http import (
    api,
    codes,
    continuing,
    exercises,
    handover,
    health,
    hints,
    histories,
    mine,
    pages,
    replays,
    reviews,
)
from serai.server.http.hosts import Hosts
from serai.server.http.middleware import Asgi, Receive, Scope, Send, guard
from serai.server.http.problems import answer
from serai.server.limits import TooMany
from serai.server.net.socket import table_sockets
from serai.server.peers.sync import Following
from serai.server.tables.hall import Hall
from serai.server.workers import Workers

MAX_BODY = 16 * 1024
"""Bytes: a seat's or a table's wishes are far smaller."""


def create_app(hall: Hall, web: Path = pages.WEB) -> Asgi:
    """The ASGI application; the hall opens and closes with it."""
    base = hall.settings.base_path
    workers = Workers(hall.gate)
    coach = Coach()
    following = Following(hall)

    @contextlib.asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        await following.open()
        await hall.open()
        try:
            yield
        finally:
            workers.close()
            await coach.stop()
            await following.close()
            await hall.close()

    app = Litestar(
        route_handlers=[
            *api.ROUTES,
            *health.ROUTES,
            *histories.ROUTES,
            *mine.ROUTES,
            *handover.ROUTES,
            *codes.ROUTES,
            *continuing.ROUTES,
            *hints.ROUTES,
            *replays.ROUTES,
            *exercises.ROUTES,
            *reviews.ROUTES,
            pages.page,
        ],
        state=State(
            {
                "hall": hall,
                "web": web,
                "workers": workers,
                "coach": coach,
                "readiness": health.Readiness(hall),
            }
        ),
        lifespan=[life],
        exception_handlers={Exception: answer},
        openapi_config=OpenAPIConfig(
            title="Serai",
            version=serai.__version__,
            path="/api/openapi.json",
            render_plugins=[JsonRenderPlugin(path="/")],
            servers=[Server(url=base or "/")],
        ),
        request_max_body_size=MAX_BODY,
        logging_config=None,
        debug=False,
    )

    def may(what: str, address: str) -> bool:
        try:
            hall.gate.pass_through(what, address, hall.sources.clock())
        except TooMany:
            hall.metrics.limited.add()
            return False
        return True

    hosts = Hosts(hall.settings.public_url, hall.settings.allowed_hosts)
    return guard(_by_kind(cast("Asgi", app), table_sockets(hall)), hosts, may, base)


def _by_kind(app: Asgi, sockets: Asgi) -> Asgi:
    """Sockets to the one, everything else to the other."""

    def served(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return (sockets if scope["type"] == "websocket" else app)(scope, receive, send)

    return served
