"""Who is behind a token: the visitor that its device stands for.

A process knows what it has read once, until it lets a visitor move itself or hears that another one did. While it may
not hear (it was stopped, or the line to the database is cut) each question is asked anew; whatever comes up while one
is being answered is asked together.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable

from serai.server.store.devices import DeviceStore

REMEMBERED = 20_000
"""Devices kept in memory; beyond that the one asked for longest ago is forgotten."""


def device_of(token: str) -> str:
    """Which device a token names. Stores know only this: the token cannot be had back from it."""
    return hashlib.sha256(b"serai visitor " + token.encode()).hexdigest()[:32] if token else ""


class Devices:
    """The devices of one hall."""

    def __init__(self, store: DeviceStore, in_touch: Callable[[], bool]) -> None:
        """``in_touch``: whether word of what other processes do comes through."""
        self._store = store
        self._in_touch = in_touch
        self._known: OrderedDict[str, str] = OrderedDict()
        self._asked: dict[str, asyncio.Future[str]] = {}
        """Questions that have not been put to the store yet."""
        self._asking: asyncio.Task[None] | None = None
        self.moves = 0
        """How often a visitor has moved, as far as is known here."""

    async def visitor(self, token: str) -> str:
        """Whom the device of this token stands for; an empty text for nobody."""
        return await self.stands_for(device_of(token))

    async def stands_for(self, device: str) -> str:
        """Whom this device stands for; an empty text for nobody."""
        if not device:
            return ""
        known = self._known.get(device)
        if known is not None and self._in_touch():
            self._known.move_to_end(device)
            return known
        future = self._asked.get(device)
        if future is None:
            future = self._asked[device] = asyncio.get_running_loop().create_future()
            future.add_done_callback(_heard)
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(future)

    def forget(self, devices: Iterable[str]) -> None:
        """These stand for somebody else now, or for nobody."""
        self.moves += 1
        for device in devices:
            self._known.pop(device, None)

    def forget_all(self) -> None:
        """Any of them may have moved while nothing was heard."""
        self.forget([*self._known])

    async def _ask(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, {}
            moves = self.moves
            try:
                kept = await self._store.visitors(list(asked))
            except Exception as error:
                for future in asked.values():
                    future.set_exception(error)
                continue
            for device, future in asked.items():
                visitor = kept.get(device, device)
                future.set_result(visitor)
                if moves == self.moves:
                    self._known[device] = visitor
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


def _heard(future: asyncio.Future[str]) -> None:
    """Whoever waited may have gone; what became of it is no mystery to the loop then."""
    if not future.cancelled():
        future.exception()
