"""What the host forbids an address or a visitor for a while, kept in the store and known to every process."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from datetime import UTC, datetime

from serai.errors import KeyedError, phrase
from serai.server.limits import address_of
from serai.server.store.base import Store
from serai.table.errors import Refusal
from serai.wire.bodies import BanInfo

_VISITOR = re.compile(r"[0-9a-f]{32}")

phrase(
    {
        "server.banned": "the host of this server has shut you out until {until} (UTC)",
        "table.silenced": "the host of this server lets you say nothing until {until} (UTC)",
        "admin.subject": "{subject} is neither an address nor a visitor, as the lists show them",
    }
)


class Banned(KeyedError):
    """The caller is shut out."""


def subject_of(text: str) -> str:
    """How bans name an address or a visitor; ``Refusal`` if it is neither. An IPv6 address stands for its network."""
    if _VISITOR.fullmatch(text):
        return f"visitor:{text}"
    try:
        return f"address:{address_of((str(ipaddress.ip_network(text, strict=False).network_address), 0))}"
    except ValueError:
        raise Refusal("admin.subject", subject=text[:100]) from None


class Bans:
    """Those that hold now."""

    def __init__(self, store: Store, wall: Callable[[], float]) -> None:
        self._store = store
        self._wall = wall
        self._by_subject: dict[str, BanInfo] = {}

    async def load(self) -> None:
        """Read what the store has: at the start, and when another process has changed it."""
        self._by_subject = {ban.subject: ban for ban in await self._store.bans(self._wall())}

    async def put(self, ban: BanInfo) -> None:
        await self._store.set_ban(ban, self._wall())
        await self.load()

    async def lift(self, subject: str) -> bool:
        lifted = await self._store.lift_ban(subject)
        await self.load()
        return lifted

    def shuts_out(self, address: str, visitor: str = "") -> Banned | None:
        """The refusal of somebody who is shut out, by their address or as a visitor."""
        found = self._of("ban", address, visitor)
        return None if found is None else Banned("server.banned", until=_moment(found.until))

    def silences(self, address: str, visitor: str) -> Refusal | None:
        """The refusal of what somebody says who may say nothing."""
        found = self._of("silence", address, visitor)
        return None if found is None else Refusal("table.silenced", until=_moment(found.until))

    def _of(self, kind: str, address: str, visitor: str) -> BanInfo | None:
        if not self._by_subject:
            return None
        for subject in (f"address:{address}", f"visitor:{visitor}"):
            found = self._by_subject.get(subject)
            if found is not None and found.kind == kind and found.until > self._wall():
                return found
        return None


def _moment(wall: float) -> str:
    return datetime.fromtimestamp(wall, UTC).strftime("%Y-%m-%d %H:%M")
