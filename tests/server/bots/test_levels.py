"""Levels in a real worker, as a server that is not under test asks them: each decides at a game of its own."""

from __future__ import annotations

import asyncio

import pytest

import serai
from serai.server.bots.process import Worker
from tests.support import SOAK

_SECONDS = 300.0
"""Where nothing is compiled yet, that comes first."""


@pytest.mark.parametrize("name", serai.games())
def test_levels_decide_in_a_worker(name: str) -> None:
    levels = serai.game(name).levels

    async def ask() -> dict[str, str | None]:
        worker = Worker(_SECONDS)
        try:
            asked = levels if SOAK else levels[-1:]
            return {level: (await worker.attempt(name, level, _SECONDS)).fault for level in asked}
        finally:
            await worker.stop()

    faults = asyncio.run(ask())
    assert not any(faults.values()), faults
