"""Floods of WebSocket frames that no message limit counts: other tables play on, and memory has a ceiling."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from serai import games
from tests.faults.attacks import MOVES, Wire, bystander, wire
from tests.faults.hostile import handshake
from tests.faults.support import process
from tests.server.support import Visitor, run
from tests.support import SOAK, amount

EMPTY, PING, CLOSE = b"\x81\x80\0\0\0\0", b"\x89\x80\0\0\0\0", b"\x88\x80\0\0\0\0"
SECONDS = amount(1, 15)
"""How long an attack lasts at least."""
Attack = Callable[[str, str], Awaitable[None]]
"""One connection to this server, at this table."""


async def frames_after_goodbye(base: str, table: str) -> None:
    """A socket of a table that is not there, which the server closes; then messages as fast as it reads them."""
    async with wire(base) as line:
        await line.send(handshake("nowhere"))
        await line.read()
        await _send_on(line, EMPTY * 2000)


async def pings_and_away(base: str, table: str) -> None:
    """As many pings as one connection may send; then the next connection."""
    async with wire(base, buffer=1 << 16) as line:
        await line.send(handshake(table))
        await line.read()
        await line.send(PING * 1990 + CLOSE)
        await line.read_all()


async def pings_until_cut(base: str, table: str) -> None:
    """Pings as fast as the server reads them, whose answers are not read."""
    async with wire(base) as line:
        await line.send(handshake(table))
        await line.read()
        await _send_on(line, PING * 2000)


@pytest.mark.parametrize("connections", [1, 4] if SOAK else [4])
@pytest.mark.parametrize("attack", [frames_after_goodbye, pings_and_away, pings_until_cut])
def test_a_flood_of_frames_on_sockets_slows_nobody_else_down(
    attack: Attack, connections: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with process(tmp_path / "tables.db", limited=True) as server, bystander(server, record_property) as beside:

        async def again_and_again(table: str) -> None:
            while True:
                await attack(server.base, table)

        async def flood() -> None:
            table = await Visitor(server.base).create(games()[0], seats=2)
            attackers = [asyncio.create_task(again_and_again(table)) for _ in range(connections)]
            await asyncio.wait(attackers, timeout=SECONDS)
            while len(beside.meanwhile) < MOVES:
                await asyncio.sleep(0.05)
            assert not any(attacker.done() for attacker in attackers)
            for attacker in attackers:
                attacker.cancel()
            await asyncio.wait(attackers)

        run(flood())


async def _send_on(line: Wire, data: bytes) -> None:
    """Send until the server cuts the connection."""
    while await line.send(data):
        pass
