"""Servers under test spare themselves what no test of tables looks at: what levels cost, and idle time at the end."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import uvicorn.server

from serai.core.registry import game, games
from serai.server.bots import pool
from serai.server.bots.worker import BotWorker, EventsFrom


def lighten_servers() -> None:
    """From now on this process's servers play levels lightly and stop at once."""
    _lighten_bots()
    _stop_at_once()


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
