"""The ASGI application: routes, error handlers and request checks around one hall."""

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
from serai.server.errors import answer
from serai.server.http import admin, api, coach, codes, health, history, pages, people, replays
from serai.server.http.hosts import Hosts
from serai.server.http.middleware import Asgi, Receive, Scope, Send, guard
from serai.server.http.socket import table_sockets
from serai.server.people.bans import Banned
from serai.server.reviews.hints import HintWorker
from serai.server.tables.hall import Hall
from serai.server.tables.sync import PeerSync
from serai.server.threads import Threads

MAX_BODY = 16 * 1024
"""Bytes: bodies for a seat or a table are far smaller."""


def create_app(hall: Hall, web: Path = pages.WEB) -> Asgi:
    """The ASGI application; the hall opens and closes with it."""
    base = hall.settings.base_path
    threads = Threads(hall.gate)
    hints = HintWorker()
    peers = PeerSync(hall)

    @contextlib.asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        await peers.open()
        await hall.open()
        try:
            yield
        finally:
            threads.close()
            await hints.stop()
            await peers.close()
            await hall.close()

    app = Litestar(
        route_handlers=[
            *api.ROUTES,
            *health.ROUTES,
            *history.ROUTES,
            *codes.ROUTES,
            *people.ROUTES,
            *admin.ROUTES,
            *replays.ROUTES,
            *coach.ROUTES,
            pages.page,
        ],
        state=State(
            {"hall": hall, "web": web, "threads": threads, "hints": hints, "readiness": health.Readiness(hall)}
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

    def allowed(what: str, address: str) -> bool:
        within = hall.gate.count(what, address, hall.sources.clock())
        hall.metrics.limited.add(not within)
        return within

    def blame(address: str, cost: int) -> None:
        hall.gate.count("malformed", address, hall.sources.clock(), cost)

    def welcome(address: str) -> bool:
        return hall.gate.would_pass("malformed", address, hall.sources.clock())

    def banned(address: str) -> Banned | None:
        refusal = hall.bans.shuts_out(address)
        if refusal is not None:
            hall.refusals.note(address, "everything: shut out")
        return refusal

    sockets, others = table_sockets(hall), cast("Asgi", app)

    def by_kind(scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        return (sockets if scope["type"] == "websocket" else others)(scope, receive, send)

    settings = hall.settings
    return guard(
        by_kind,
        Hosts(settings.public_url, settings.allowed_hosts),
        allowed,
        base,
        metrics_port=settings.metrics_port,
        banned=banned,
        blame=blame,
        welcome=welcome,
    )
