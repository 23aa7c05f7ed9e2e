"""An attack on a running server, seen from beside: what it took the server, and how another table fared meanwhile.

    with process(database) as server, bystander(server, record_property) as beside:
        run(attack(server))

When the block ends, the bystander has played on, the server has stayed below its ceiling, and in the long form the
bystander's median move has stayed below five times that of the quiet moments before the block. Meanwhile the server and
all processes that it started had no more memory and files than the unit in ``deploy/`` gives them, where this machine
can limit them, and none was killed for that.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tests.deploy.systemd import bytes_of, killed_for_memory, limited, memory_peak, parse
from tests.faults.support import Process
from tests.support import SOAK, amount, wait_until

CEILING_KB = 400_000
"""What the server process, workers excluded, may ever hold."""
QUIET_MOVES = amount(5, 200)
MOVES = amount(5, 200)
"""How many moves a bystander makes under attack at least."""
SLOWED = 5
"""So many times slower may the bystander's median move become."""
UNIT = Path(__file__).parents[2] / "deploy" / "serai.service"
BYSTANDER = "127.0.0.77"
"""The bystander's address: whatever is counted by address is not counted together with an attacker's."""


class Beside:
    """What the bystander has seen so far."""

    def __init__(self, server: Process, group: Path | None) -> None:
        """``group``: the control group that limits the server, if one does."""
        self._pid = server.popen.pid
        self._group = group
        self._moves: list[tuple[float, float]] = []
        """When each was made, and how long its answer took."""
        self.began: float | None = None
        """When the attack did."""

    def take(self, line: str) -> None:
        """A move, as the bystander tells it."""
        at, seconds = map(float, line.split())
        self._moves.append((at, seconds))

    @property
    def quiet(self) -> list[float]:
        """How long the moves took that were made before the attack."""
        return [seconds for at, seconds in self._moves if self.began is None or at < self.began]

    @property
    def meanwhile(self) -> list[float]:
        """And those made since it began."""
        return [seconds for at, seconds in self._moves if self.began is not None and at >= self.began]

    @property
    def peak_kb(self) -> int:
        """The most memory that the server process has ever held."""
        return memory_kb(self._pid, "VmHWM")

    def told(self) -> str:
        """The figures, for people."""
        quiet, meanwhile = self.quiet, self.meanwhile
        return (
            f"bystander: {1000 * statistics.median(quiet):.1f} ms quiet, {1000 * statistics.median(meanwhile):.1f} ms "
            f"(longest {1000 * max(meanwhile):.0f}) in {len(meanwhile)} moves meanwhile; "
            f"the server held {self.peak_kb / 1000:.0f} MB at most{self._limits()}"
        )

    def _limits(self) -> str:
        if self._group is None:
            return ""
        most = bytes_of(parse(UNIT)["MemoryMax"][0])
        grown = memory_peak(self._group) / 1e6
        return f"; all its processes and files grew by {grown:.0f} MB, and the unit allows {most / 1e6:.0f}"

    def check(self) -> None:
        """The server stayed below its ceiling and, in the long form, the bystander was not slowed down much."""
        assert self.peak_kb < CEILING_KB, self.told()
        assert self._group is None or killed_for_memory(self._group) == 0, self.told()
        assert not SOAK or statistics.median(self.meanwhile) < SLOWED * statistics.median(self.quiet), self.told()


@contextlib.contextmanager
def bystander(server: Process, tell: Callable[[str, object], None] | None = None) -> Iterator[Beside]:
    """Somebody at another table, who plays while the block attacks; ``tell`` (pytest's ``record_property``) gets the
    figures.
    """
    script = Path(__file__).with_name("bystander.py")
    pid = server.popen.pid
    with (
        limited(UNIT, pid, f"serai-attacked-{pid}") as group,
        subprocess.Popen(
            [sys.executable, str(script), server.base, BYSTANDER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as child,
    ):
        beside = Beside(server, group)

        def listen() -> None:
            assert child.stdout is not None
            for line in child.stdout:
                if line.endswith("\n"):  # else it was killed in the middle of it
                    beside.take(line)

        listening = threading.Thread(target=listen)
        listening.start()

        def playing() -> bool:
            return child.poll() is None

        try:
            wait_until(lambda: len(beside.quiet) >= QUIET_MOVES or not playing(), 60)
            assert playing(), "the bystander could not even begin"
            beside.began = time.monotonic()
            yield beside
            wait_until(lambda: len(beside.meanwhile) >= MOVES or not playing(), 60)
            assert playing(), "the bystander could not play on"
            if tell is not None:
                tell("told", beside.told())
            beside.check()
        finally:
            child.kill()
            listening.join()


def memory_kb(pid: int, what: str = "VmRSS") -> int:
    """Kilobytes of memory a process holds, or (``VmHWM``) has ever held."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith(f"{what}:")).split()[1])


class Wire:
    """An attacker's connection: bytes as they are, counted both ways. Nothing is read before somebody asks."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self.sent = 0
        self.received = 0
        self.cut = False
        """Whether the server has ended it."""

    async def send(self, data: bytes) -> bool:
        """Send everything; whether the server still listens."""
        try:
            await asyncio.get_running_loop().sock_sendall(self._line, data)
            self.sent += len(data)
        except OSError:
            self.cut = True
        return not self.cut

    async def read(self, most: int = 1 << 16) -> bytes:
        """What comes next; nothing when the server has ended it."""
        try:
            data = await asyncio.get_running_loop().sock_recv(self._line, most)
        except OSError:
            data = b""
        self.received += len(data)
        self.cut = self.cut or not data
        return data

    async def read_all(self) -> bytes:
        """Everything until the server ends it."""
        parts = []
        while data := await self.read():
            parts.append(data)
        return b"".join(parts)

    def half_close(self) -> None:
        """Nothing more is sent, but answers may come."""
        with contextlib.suppress(OSError):  # it was cut meanwhile
            self._line.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Go, without a word if anything is left unread."""
        self._line.close()


@contextlib.asynccontextmanager
async def wire(base: str, address: str = "127.0.0.1", buffer: int = 1 << 14) -> AsyncIterator[Wire]:
    """A bare connection to a server. The system here keeps little, so that what was sent has arrived."""
    line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    line.setblocking(False)
    for direction in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        line.setsockopt(socket.SOL_SOCKET, direction, buffer)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.bind((address, 0))
    parts = urlsplit(base)
    await asyncio.get_running_loop().sock_connect(line, (parts.hostname, parts.port))
    opened = Wire(line)
    try:
        yield opened
    finally:
        opened.close()
