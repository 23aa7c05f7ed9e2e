"""Limits per address and per connection: rates, and how many may be open at once. Pure: the time is passed in."""

from __future__ import annotations

import contextlib
import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator

import msgspec

from serai.errors import KeyedError, phrase

EVERYBODY = "everybody"
"""In place of an address, where all count together."""
REMEMBERED = 20_000
"""Addresses in memory; beyond that the least recently used is forgotten."""

phrase(
    {
        "server.too_many": "too much at once from your address ({what}); wait a moment and try again",
        "server.bot_tables": "bots play among themselves at {most} tables of your address; wait until one has ended",
        "server.waiting_tables": "{most} public tables made from your address wait for players already: "
        "start, fill or leave one first",
        "server.full": "too many are looking on at this table; try again later",
    }
)


class TooMany(KeyedError):
    """A limit is reached."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """All limits, by their names in ``serai serve --limit``; 0: no limit. Rates are per minute, half of it at once."""

    requests: int = 3000
    """REST requests and new sockets a minute from one address: a school behind one router is one address."""
    pages: int = 12_000
    """Files of the page a minute from one address: to open it takes some dozens the first time."""
    messages: int = 6000
    """Messages a minute on all sockets of one address."""
    socket_messages: int = 1800
    """Messages a minute on one socket; a client that sends more is read more slowly."""
    pings: int = 6000
    """Pings, pongs and fragments of messages a minute on all sockets of one address; after that its sockets are cut."""
    malformed: int = 300
    """Broken or endless requests a minute from one address; after that its connections have to wait. A socket that had
    to be cut counts as ten, a large body that was refused as one more for every 16 kB."""
    tables: int = 60
    """New tables a minute from one address; one that plays on from a game counts once more for every 100 turns."""
    seats: int = 240
    """Seats taken a minute from one address."""
    chat: int = 60
    """Chat messages a minute from one address."""
    connections: int = 600
    """Connections of any kind open at a time from one address; those of trusted proxies do not count."""
    sockets: int = 400
    """Sockets open at a time from one address."""
    onlookers: int = 100
    """Of these, sockets of onlookers."""
    table_onlookers: int = 200
    """Onlookers at one table."""
    handovers: int = 20
    """Codes for another device that are requested or tried a minute from one address."""
    reports: int = 6
    """Players reported to the host a minute from one address."""
    kept: int = 6
    """Questions a minute from one address what is kept about somebody, and wishes to be forgotten: for each, all tables
    are searched."""
    keys: int = 30
    """Wrong keys to the host's page tried a minute from one address."""
    codes: int = 20
    """Tables' codes that are requested or tried a minute from one address."""
    wrong_codes: int = 300
    """Tables' codes a minute, from all addresses together, that lead nowhere; after that none is answered for a
    moment: whoever has many addresses could try them all."""
    waiting_tables: int = 3
    """Public tables from one address that wait for players at a time."""
    work: int = 40
    """Odds, advice, replays and the like that one address may wait for at a time."""
    reviews: int = 4
    """Reviews that one address may request at a time: one runs, the others wait. How many run in all, for everybody, is
    ``Settings.review_workers``."""
    bot_tables: int = 20
    """Tables of one address at which only bots play; with that many it can make no more tables."""


_RATES = (
    "requests",
    "pages",
    "messages",
    "pings",
    "malformed",
    "tables",
    "seats",
    "chat",
    "handovers",
    "reports",
    "kept",
    "keys",
    "codes",
    "wrong_codes",
)
_OPEN = ("connections", "sockets", "onlookers", "work", "reviews")
NO_LIMITS = Limits(**dict.fromkeys(Limits.__struct_fields__, 0))


class Buckets:
    """One token bucket for each of at most ``most`` addresses, with half of a minute's tokens at first."""

    def __init__(self, per_minute: int, most: int = REMEMBERED) -> None:
        self._burst, self._per_second = max(per_minute / 2, 1.0), per_minute / 60
        self._free = per_minute == 0
        self._most = most
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By address: tokens left, and when."""

    def take(self, address: str, now: float, cost: int = 1) -> float:
        """Take a token: 0 when there was one, else the seconds until there will be. What costs more than there are is
        allowed as well, but then nothing is for longer: so nothing is too dear for a low limit.
        """
        if self._free:
            return 0.0
        tokens = self._tokens(address, now)
        wait = 0.0 if tokens >= 1 else (1 - tokens) / self._per_second
        self._left[address] = (tokens if wait else tokens - cost, now)
        self._left.move_to_end(address)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return wait

    def has(self, address: str, now: float) -> bool:
        """Whether there is a token; none is taken."""
        return self._free or self._tokens(address, now) >= 1

    def give_back(self, address: str) -> None:
        """Give back a token that was taken."""
        if address in self._left:
            tokens, when = self._left[address]
            self._left[address] = (tokens + 1, when)

    def _tokens(self, address: str, now: float) -> float:
        tokens, since = self._left.get(address, (self._burst, now))
        return min(tokens + max(now - since, 0.0) * self._per_second, self._burst)

    def __len__(self) -> int:
        return len(self._left)


class Gate:
    """All limits of one server."""

    def __init__(self, limits: Limits, refused: Callable[[str, str], None] = lambda address, what: None) -> None:
        """``refused`` is told every refusal: the address and the limit."""
        self.limits = limits
        self._refused = refused
        self._rates = {what: Buckets(getattr(limits, what)) for what in _RATES}
        self._open: dict[str, Counter[str]] = {kind: Counter() for kind in _OPEN}

    def count(self, what: str, address: str, now: float, cost: int = 1) -> bool:
        """Count one more of a kind that has a rate, or as many as it costs; whether that is within the limit."""
        if self._rates[what].take(address, now, cost):
            self._refused(address, what)
            return False
        return True

    def pass_through(self, what: str, address: str, now: float, cost: int = 1) -> None:
        """The same; ``TooMany`` if that is too fast."""
        if not self.count(what, address, now, cost):
            raise TooMany("server.too_many", what=what)

    def would_pass(self, what: str, address: str, now: float) -> bool:
        """Whether one more of a kind that has a rate would be allowed; nothing is counted."""
        return self._rates[what].has(address, now)

    def give_back(self, what: str, address: str) -> None:
        """Take back one that :meth:`pass_through` counted."""
        self._rates[what].give_back(address)

    @contextlib.contextmanager
    def holding(self, kind: str, address: str) -> Iterator[None]:
        """Count one more of a kind as open during the block; ``TooMany`` if the address has reached its limit."""
        self.enter(kind, address)
        try:
            yield
        finally:
            self.leave(kind, address)

    def enter(self, kind: str, address: str) -> None:
        """Count one more as open; ``TooMany`` if the address has reached its limit."""
        most, held = getattr(self.limits, kind), self._open[kind]
        if most and held[address] >= most:
            self._refused(address, kind)
            raise TooMany("server.too_many", what=kind)
        held[address] += 1

    def leave(self, kind: str, address: str) -> None:
        held = self._open[kind]
        held[address] -= 1
        if not held[address]:
            del held[address]

    def remembered(self) -> int:
        return sum(len(buckets) for buckets in self._rates.values())


def address_of(client: tuple[str, int] | None) -> str:
    """The address that limits count by: of IPv6 the /64 network, since a household gets a whole one."""
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
