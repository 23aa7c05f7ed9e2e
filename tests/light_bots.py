"""Servers under test offer every level, but spare themselves what levels cost: no test of tables looks at that."""

from __future__ import annotations

from serai.core.registry import game, games
from serai.server.bots import pool
from serai.server.bots.process import Story, Worker


def lighten_bots() -> None:
    """From now on this process's servers try bots only when somebody asks for them, and levels not at all.

    What sits at a table as a level plays like the middle one of the other bots: otherwise every server would load
    compiled code, and compile it where there is none. Levels themselves are tested without a server.
    """
    pool.WARM_AFTER = 24 * 60 * 60.0
    playing: dict[tuple[str, str], str] = {}
    for name in games():
        levels = game(name).levels
        others = [bot for bot in game(name).bots if bot not in levels]
        playing |= {(name, level): others[len(others) // 2] for level in levels}
        pool.SURE |= set(levels)
    decide = Worker.decide

    async def lightly(self: Worker, key: str, game: str, bot: str, view: bytes, story: Story) -> bytes | None:
        return await decide(self, key, game, playing.get((game, bot), bot), view, story)

    Worker.decide = lightly  # type: ignore[method-assign]
