"""``Settings``: what a host can set. ``Sources``: time and randomness, which tests replace."""

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
from serai.table.clock import GRACE_SECONDS

CODE_BITS = 80
"""Random bits of a code that moves a visitor to another device: too many to be guessed."""
SPOKEN_CODES = 1_000_000
"""Codes that can be said aloud: six digits. They can be guessed, so trying them has a limit of its own."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server."""

    bot_delay: bool = True
    """Whether bots take their time, as people would."""
    bot_seconds: float = 10.0
    """How long a bot may think before a random action is played for it."""
    bot_workers: int = 2
    """Processes in which bots think."""
    review_workers: int = 1
    """How many reviews run at once, each in a process of its own at the lowest priority; 0: no reviews."""
    trust_bots: bool = False
    """Whether bots that are not part of Serai play without a sandbox."""
    private: tuple[Path, ...] = ()
    """Files that no bot may read."""
    grace: float = GRACE_SECONDS
    """Seconds a person may be away before the others may let a bot play for them."""
    idle_seconds: float = 600.0
    """How long a table without viewers stays in memory."""
    limits: Limits = Limits()
    open_metrics: bool = False
    """Whether everybody may read ``/metrics``, not only this machine."""
    metrics_port: int = 0
    """The only port at which this machine may read ``/metrics``; 0: any port, if there is no proxy."""
    trusted_proxies: str = ""
    """Addresses, separated by commas, of proxies whose ``X-Forwarded-For`` is believed."""
    allowed_hosts: tuple[str, ...] = ()
    """Names this server answers to, besides its public address, its own addresses and this machine's name."""
    base_path: str = ""
    """The path below which everything is served, with a slash in front and none behind: ``/games/serai``."""
    build: str = ""
    """The name of the page's build; empty: that of the page that is served."""
    network_url: str = ""
    """Where other devices of the same network reach this server, base path included; empty if they cannot."""
    host_key: str = ""
    """What opens the host's page and ``serai admin``; empty: nothing does."""
    public_url: str = ""
    """Where people reach this server, base path included, if their requests do not say so (behind a proxy)."""


@functools.lru_cache(maxsize=1)
def _day(number: int) -> str:
    """The day of that number since 1970, cached: every move asks for it."""
    return (date(1970, 1, 1) + timedelta(days=number)).isoformat()


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """Where time and randomness come from."""

    clock: Callable[[], float] = time.monotonic
    """Monotonic seconds."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """How bots wait."""
    wall: Callable[[], float] = time.time
    """Seconds since 1970, for what is stored."""
    date: Callable[[], str] = lambda: _day(int(time.time()) // 86_400)
    secret: Callable[[], bytes] = lambda: secrets.token_bytes(SECRET_BYTES)
    """A dealer's secret."""
    table_id: Callable[[], str] = lambda: secrets.token_hex(10)
    token: Callable[[], str] = lambda: secrets.token_urlsafe(24)
    """A visitor's token."""
    code: Callable[[], int] = lambda: secrets.randbits(CODE_BITS)
    """The number behind a code for another device."""
    spoken_code: Callable[[], int] = lambda: secrets.randbelow(SPOKEN_CODES)
    """The number behind a table's code."""
