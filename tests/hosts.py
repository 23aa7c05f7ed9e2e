"""Several hosts on one machine: network namespaces, joined by a switch whose cables can be cut and delayed.

A host is a namespace with one network card and nothing else: what runs there reaches the other hosts by their
addresses, and nobody else; no frame leaves this machine. The switch is a thread of the test: each card is a TAP device
whose frames it passes on, late or not at all, as the test wants it. So no kernel module is needed to delay or lose
them, which not every machine has.

This needs root, ``ip`` (iproute2) and ``/dev/net/tun``; where they are missing, tests skip and say why.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import heapq
import itertools
import os
import selectors
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.support import SOAK

_T = TypeVar("_T")

_TUN = Path("/dev/net/tun")
_TUNSETIFF, _TAP, _NO_INFO = 0x400454CA, 0x0002, 0x1000
_NEW_NETWORK = 0x40000000
_MOST_FRAMES = 20_000
"""That wait on a slow cable; what comes then is lost, as on a real one."""
_FRAME = 1 << 16
_numbers = itertools.count()


def why_not() -> str:
    """Why there can be no such hosts here; empty if there can."""
    if not SOAK:
        return "hosts of their own are for make soak"
    if os.geteuid() != 0:
        return "network namespaces need root here"
    if shutil.which("ip") is None:
        return "there is no command ip: install iproute2"
    if not _TUN.exists():
        return f"there is no {_TUN}"
    name = f"serai-try-{os.getpid()}"
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        return f"network namespaces are not allowed here: {tried.stderr.strip()}"
    subprocess.run(["ip", "netns", "del", name], check=True)
    return ""


_reason = why_not()
needed = pytest.mark.skipif(bool(_reason), reason=_reason or "hosts can be made")
"""For tests that need hosts."""


class Host:
    """One of them."""

    def __init__(self, name: str, number: int, network: str) -> None:
        self.name = name
        self.address = f"10.93.0.{number}"
        self.namespace = f"{network}-{name}"
        self.cut = False
        """Whether its cable is pulled out: nothing gets through, and nobody is told."""
        self.deaf = False
        """Whether what others send it is lost, though it is still heard."""
        self.delay = 0.0
        """Seconds that each frame takes on its cable, in either direction."""
        self.passed = 0
        """Frames that came through its cable."""
        _ip("netns", "add", self.namespace)
        self.card = self.inside(self._open_card)
        for command in (f"addr add {self.address}/24 dev eth0", "link set eth0 up", "link set lo up"):
            _ip("-n", self.namespace, *command.split())

    def command(self, *command: str) -> list[str]:
        """That runs this one on the host."""
        return ["ip", "netns", "exec", self.namespace, *command]

    def start(self, *command: str, **popen: Any) -> subprocess.Popen[Any]:
        return subprocess.Popen(self.command(*command), **popen)

    def inside(self, work: Callable[[], _T]) -> _T:
        """The result of something done on this host, by a thread of this process that goes there for it."""
        done: list[_T] = []
        failed: list[BaseException] = []

        def go() -> None:
            try:
                with Path(f"/run/netns/{self.namespace}").open() as place:
                    if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), _NEW_NETWORK) != 0:
                        raise OSError(ctypes.get_errno(), f"cannot enter {self.namespace}")
                done.append(work())
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=go)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]
        return done[0]

    def end(self) -> None:
        """The host is no more, and all that still runs there ends."""
        told = subprocess.run(["ip", "netns", "pids", self.namespace], capture_output=True, text=True, check=False)
        for pid in map(int, told.stdout.split()):
            if pid != os.getpid():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, 9)
        os.close(self.card)
        _ip("netns", "del", self.namespace)

    def _open_card(self) -> int:
        card = os.open(_TUN, os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(card, _TUNSETIFF, struct.pack("16sH22x", b"eth0", _TAP | _NO_INFO))
        return card


class Network:
    """Hosts and the switch between them."""

    def __init__(self, names: Sequence[str]) -> None:
        network = f"serai-{os.getpid()}-{next(_numbers)}"
        self.hosts: dict[str, Host] = {}
        for number, name in enumerate(names, start=11):
            self.hosts[name] = Host(name, number, network)
        self._ended = False
        self._switch = threading.Thread(target=self._pass_on, daemon=True)
        self._switch.start()

    def __getitem__(self, name: str) -> Host:
        return self.hosts[name]

    def end(self) -> None:
        self._ended = True
        self._switch.join()
        for host in self.hosts.values():
            host.end()

    def _pass_on(self) -> None:
        """Take every frame to where it belongs: to all others, where nobody knows."""
        where: dict[bytes, Host] = {}
        late: list[tuple[float, int, Host, Host, bytes]] = []
        order = itertools.count()
        selector = selectors.DefaultSelector()
        for host in self.hosts.values():
            selector.register(host.card, selectors.EVENT_READ, host)
        while not self._ended:
            wait = min(max(late[0][0] - time.monotonic(), 0.0), 0.05) if late else 0.05
            for key, _ in selector.select(wait):
                sender: Host = key.data
                for frame in _frames(sender.card):
                    where[frame[6:12]] = sender
                    known = where.get(frame[:6])
                    for receiver in [known] if known is not None else self.hosts.values():
                        if receiver is not sender and len(late) < _MOST_FRAMES:
                            due = time.monotonic() + sender.delay + receiver.delay
                            heapq.heappush(late, (due, next(order), sender, receiver, frame))
            while late and late[0][0] <= time.monotonic():
                _, _, sender, receiver, frame = heapq.heappop(late)
                if not (sender.cut or receiver.cut or receiver.deaf):
                    with contextlib.suppress(OSError):
                        os.write(receiver.card, frame)
                        receiver.passed += 1
        selector.close()


@contextlib.contextmanager
def network(*names: str) -> Iterator[Network]:
    """Hosts of these names while the block lasts."""
    made = Network(names)
    try:
        yield made
    finally:
        made.end()


def _frames(card: int) -> Iterator[bytes]:
    for _ in range(64):
        try:
            yield os.read(card, _FRAME)
        except BlockingIOError:
            return


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
