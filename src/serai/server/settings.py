"""What a host can choose, and what a test puts in place of chance and time."""

from __future__ import annotations

import asyncio
import functools
import secrets
import time
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from pathlib import Path

import msgspec

from serai.core.dealer import SECRET_BYTES
from serai.server.limits import Limits
from serai.table.presence import GRACE_SECONDS

CODE_BITS = 80
"""Of chance in a code that moves a visitor to another device: enough that it cannot be guessed."""


SPOKEN_CODES = 1_000_000
"""Codes that can be said aloud: six digits. Few enough to be guessed, so that trying them has a limit of its own."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server behaves."""

    bot_delay: bool = True
    """Whether bots take their time, as people would."""
    bot_seconds: float = 10.0
    """How long a bot may think before a random action is played for it."""
    bot_workers: int = 2
    review_workers: int = 1
    """Processes that review finished games, at the lowest priority; with none there are no reviews."""
    trust_bots: bool = False
    """Whether bots that are not part of Serai play without being shut in."""
    private: tuple[Path, ...] = ()
    """Files that none of them may read."""
    grace: float = GRACE_SECONDS
    """Seconds a person may be away before the others may let a bot play on."""
    idle_seconds: float = 600.0
    """How long a table nobody looks at stays in memory."""
    limits: Limits = Limits()
    open_metrics: bool = False
    """Whether ``/metrics`` is for everybody, not only for this machine."""
    metrics_port: int = 0
    """The port at which alone ``/metrics`` is for this machine; without one it is any, where there is no proxy."""
    trusted_proxies: str = ""
    """Addresses (with commas between) of proxies that are believed when they say who is behind them."""
    allowed_hosts: tuple[str, ...] = ()
    """Names that this server answers to besides its public address, its own addresses and this machine's name."""
    base_path: str = ""
    """The path below which everything is served, with a slash in front and none behind: ``/games/serai``."""
    build: str = ""
    """The name of the page's build; if it is not given, that of the page that is served."""
    house_url: str = ""
    """Where other devices of the same network reach this server, base path included; empty when they cannot."""
    public_url: str = ""
    """Where people reach this server, base path included, if that is not what their requests say (behind a proxy)."""


@functools.lru_cache(maxsize=1)
def _day(number: int) -> str:
    """The day of that number since 1970; asked for at every move, so it is worked out once a day."""
    return (date(1970, 1, 1) + timedelta(days=number)).isoformat()


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """Where time and randomness come from."""

    clock: Callable[[], float] = time.monotonic
    """Seconds that never run backwards, whatever happens to the wall clock."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """How bots take their time."""
    wall: Callable[[], float] = time.time
    """Seconds since 1970, for what outlives the process."""
    date: Callable[[], str] = lambda: _day(int(time.time()) // 86_400)
    secret: Callable[[], bytes] = lambda: secrets.token_bytes(SECRET_BYTES)
    """A dealer's secret."""
    table_id: Callable[[], str] = lambda: secrets.token_hex(10)
    token: Callable[[], str] = lambda: secrets.token_urlsafe(24)
    """A visitor's token."""
    code: Callable[[], int] = lambda: secrets.randbits(CODE_BITS)
    """What a code for another device is made of."""
    spoken_code: Callable[[], int] = lambda: secrets.randbelow(SPOKEN_CODES)
    """What a table's code is made of."""
