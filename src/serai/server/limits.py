"""How much one address or one connection may ask for. Pure: the time is passed in.

A rate is a bucket of tokens: ``burst`` of them at first, ``per_second`` new ones. Addresses that are not heard of any
more are forgotten, and never more than so many are remembered.
"""

from __future__ import annotations

import contextlib
import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Iterator

import msgspec

from serai.core.errors import KeyedError, phrase

REMEMBERED = 20_000
"""Addresses kept in memory; beyond that the one not heard of for longest is forgotten."""

phrase(
    {
        "server.too_many": "too much at once from your address ({what}); wait a moment and try again",
        "server.bot_tables": "bots play among themselves at {most} tables of your address; wait until one has ended",
        "server.full": "too many are looking on at this table; try again later",
    }
)


class TooMany(KeyedError):
    """A limit is reached."""


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Each limit as a host may name it; 0 stands for no limit. Rates allow the number a minute, half of it at once."""

    requests: int = 3000
    """REST requests and new sockets a minute from one address: a school behind one router is one address."""
    pages: int = 12_000
    """Files of the page a minute from one address: to open it takes some dozens the first time."""
    messages: int = 6000
    """Messages a minute on all sockets of one address."""
    socket_messages: int = 1800
    """Messages a minute on one socket; who sends more is read more slowly."""
    malformed: int = 300
    """Requests a minute from one address that are none, or have no end; after that its connections have to wait."""
    tables: int = 60
    """New tables a minute from one address."""
    seats: int = 240
    """Seats taken a minute from one address."""
    chat: int = 60
    """Things said a minute from one address."""
    connections: int = 600
    """Connections of any kind open at a time from one address; those of trusted proxies are nobody's."""
    sockets: int = 400
    """Sockets open at a time from one address."""
    onlookers: int = 100
    """Of these, sockets that look on without a seat."""
    table_onlookers: int = 200
    """Sockets that look on at one table."""
    handovers: int = 20
    """Codes for another device that are asked for, or tried, a minute from one address."""
    codes: int = 20
    """Tables' codes that are asked for, or tried, a minute from one address."""
    waiting_tables: int = 3
    """Public tables from one address that wait for players at a time."""
    work: int = 40
    """Odds, advice, replays and the like that one address may wait for at a time."""
    reviews: int = 4
    """Reviews that one address may have asked for at a time: one is worked out, the others wait."""
    bot_tables: int = 20
    """Tables of one address at which bots play among themselves; with so many it can make no more tables."""


NO_LIMITS = Limits(**dict.fromkeys(Limits.__struct_fields__, 0))


class Buckets:
    """One bucket of tokens for each address."""

    def __init__(self, per_minute: int, most: int = REMEMBERED) -> None:
        self.rate = Rate(max(per_minute / 2, 1.0), per_minute / 60)
        self._free = per_minute == 0
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: tokens left, and when that was."""

    def take(self, address: str, now: float) -> float:
        """Take a token: 0 when there was one, else the seconds until there will be."""
        if self._free:
            return 0.0
        tokens = self._tokens(address, now)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self.rate.per_second
        self._left[address] = (tokens if wait else tokens - 1, now)
        self._left.move_to_end(address)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return wait

    def has(self, address: str, now: float) -> bool:
        """Whether there is a token, which is left where it is."""
        return self._free or self._tokens(address, now) >= 1

    def _tokens(self, address: str, now: float) -> float:
        tokens, since = self._left.get(address, (self.rate.burst, now))
        return min(tokens + max(now - since, 0.0) * self.rate.per_second, self.rate.burst)

    def __len__(self) -> int:
        return len(self._left)


class Gate:
    """All limits of one server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._rates = {
            name: Buckets(getattr(limits, name))
            for name in ("requests", "pages", "messages", "malformed", "tables", "seats", "chat", "handovers", "codes")
        }
        self._open: dict[str, Counter[str]] = {
            kind: Counter() for kind in ("connections", "sockets", "onlookers", "work", "reviews")
        }

    def pass_through(self, what: str, address: str, now: float) -> None:
        """One more of a kind that has a rate; ``TooMany`` if that is too fast."""
        if self._rates[what].take(address, now):
            raise TooMany("server.too_many", what=what)

    def would_pass(self, what: str, address: str, now: float) -> bool:
        """Whether one more of a kind that has a rate would not be too fast."""
        return self._rates[what].has(address, now)

    @contextlib.contextmanager
    def holding(self, kind: str, address: str) -> Iterator[None]:
        """One more of a kind of which so many may be open, while the block lasts; ``TooMany`` if there are enough."""
        self.enter(kind, address)
        try:
            yield
        finally:
            self.leave(kind, address)

    def enter(self, kind: str, address: str) -> None:
        """One more, until it leaves; ``TooMany`` if there are enough."""
        most, held = getattr(self.limits, kind), self._open[kind]
        if most and held[address] >= most:
            raise TooMany("server.too_many", what=kind)
        held[address] += 1

    def leave(self, kind: str, address: str) -> None:
        """One less."""
        held = self._open[kind]
        held[address] -= 1
        if not held[address]:
            del held[address]

    def remembered(self) -> int:
        """How many buckets are kept."""
        return sum(len(buckets) for buckets in self._rates.values())


def address_of(client: tuple[str, int] | None) -> str:
    """What counts as one address: of IPv6 the network, since a household gets a whole one."""
    if client is None:
        return "local"
    try:
        ip = ipaddress.ip_address(client[0])
    except ValueError:
        return "local"
    if ip.version == 4:
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))
