"""Servers under test spare themselves what no test of tables looks at: what levels cost, idle time at the end, and in a
test's own process reading the signatures of all routes again.
"""

from __future__ import annotations

import asyncio
import copy
from types import SimpleNamespace
from typing import Any

import uvicorn.server

from serai.core.registry import game, games
from serai.server.bots import pool
from serai.server.bots.worker import BotWorker, EventsFrom


def lighten_servers() -> None:
    """From now on this process's servers play levels lightly and stop at once."""
    _lighten_bots()
    _stop_at_once()


def share_routes() -> None:
    """From now on this process's servers have the routes of the first one.

    Litestar reads the signatures of all of them for each application, which takes it fifty milliseconds.
    """
    import litestar
    from litestar.events.emitter import SimpleEventEmitter

    from serai.server import app

    built: dict[str, litestar.Litestar] = {}

    def like_the_first(**given: Any) -> litestar.Litestar:
        base = given["openapi_config"].servers[0].url
        if base not in built:
            built[base] = litestar.Litestar(**{**given, "state": None, "lifespan": None})
        made = copy.copy(built[base])
        made.state = given["state"]
        made._lifespan_managers = given["lifespan"]
        made.event_emitter = SimpleEventEmitter([])
        made.asgi_router = copy.copy(made.asgi_router)
        made.asgi_router.app = made
        made.asgi_handler = made._create_asgi_handler()
        return made

    vars(app)["Litestar"] = like_the_first


def _stop_at_once() -> None:
    """Uvicorn looks ten times a second whether it should stop, and waits that long again for its connections."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / 20)

    uvicorn.server.asyncio = SimpleNamespace(**{**vars(asyncio), "sleep": sleep})  # type: ignore[attr-defined,assignment]


def _lighten_bots() -> None:
    """Bots are tried only when somebody asks for them, and levels not at all.

    What sits at a table as a level plays like the middle one of the other bots: otherwise every server would load
    compiled code, and compile it where there is none. Levels themselves are tested without a server.
    """
    pool.WARM_AFTER = 24 * 60 * 60.0
    playing: dict[tuple[str, str], str] = {}
    for name in games():
        levels = game(name).levels
        others = [bot for bot in game(name).bots if bot not in levels]
        playing |= {(name, level): others[len(others) // 2] for level in levels}
        pool.UNTRIED |= set(levels)
    decide = BotWorker.decide

    async def lightly(
        self: BotWorker, key: str, game: str, bot: str, view: bytes, events_from: EventsFrom
    ) -> bytes | None:
        return await decide(self, key, game, playing.get((game, bot), bot), view, events_from)

    BotWorker.decide = lightly  # type: ignore[method-assign]
