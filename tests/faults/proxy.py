"""A way from one server process to PostgreSQL that can be cut, made deaf, or held up without being closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

Harm = Literal["cut", "deaf", "stall"]
"""``cut``: every connection ends, and none can be made. ``deaf``: what the process asks still arrives, the answers are
held back, and then the connections end. ``stall``: nothing passes, nothing is closed, and in the end all of it arrives.
"""

_SOCKET = ".s.PGSQL.5432"


class Proxy:
    """Listens in a folder of its own, as PostgreSQL would, and passes on what it hears."""

    def __init__(self, folder: Path, behind: Path) -> None:
        self.folder = folder
        self._behind = behind / _SOCKET
        self._whole = asyncio.Event()
        self._whole.set()
        self._harm: Harm | None = None
        self._ways: set[asyncio.Task[None]] = set()

    def address(self, url: str, user: str = "serai") -> str:
        """The database of that address, by this way."""
        return f"postgresql://{user}@{urlsplit(url).path}?host={self.folder}"

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Proxy]:
        """Pass on until the block ends."""
        self.folder.mkdir(parents=True)
        listening = await asyncio.start_unix_server(self._came, self.folder / _SOCKET)
        try:
            yield self
        finally:
            listening.close()
            self._cut()
            await asyncio.gather(*self._ways, return_exceptions=True)

    def harm(self, harm: Harm) -> None:
        """Begin to."""
        self._harm = harm
        self._whole.clear()
        if harm == "cut":
            self._cut()

    def mend(self) -> None:
        """Pass on again; what answers a deaf way held back is lost."""
        if self._harm == "deaf":
            self._cut()
        self._harm = None
        self._whole.set()

    def _cut(self) -> None:
        for way in self._ways:
            way.cancel()

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on between a process and the database until one of them hangs up, or the way is cut."""
        way, there = asyncio.current_task(), None
        assert way is not None
        self._ways.add(way)
        try:
            if self._harm == "cut":
                return
            back, there = await asyncio.open_unix_connection(str(self._behind))
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(reader, there, ("stall",)))
                both.create_task(self._pump(back, writer, ("stall", "deaf")))
        except* (OSError, _Ended):
            pass
        finally:
            self._ways.discard(way)
            writer.transport.abort()
            if there is not None:
                there.transport.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, held_by: tuple[Harm, ...]
    ) -> None:
        while some := await reader.read(65536):
            while self._harm in held_by:
                await self._whole.wait()
            writer.write(some)
            await writer.drain()
        raise _Ended


class _Ended(Exception):
    """One side has hung up."""
