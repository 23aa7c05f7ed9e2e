"""The hosts that other tests use: they reach each other and nobody else, and their cables do what they are told."""

from __future__ import annotations

import socket
import time

import pytest

from tests.hosts import Host, needed, network

pytestmark = needed
PORT = 4000


def _listening(host: Host) -> socket.socket:
    def listen() -> socket.socket:
        return socket.create_server((host.address, PORT))

    return host.inside(listen)


def _connected(host: Host, to: Host, seconds: float = 5.0) -> socket.socket:
    return host.inside(lambda: socket.create_connection((to.address, PORT), seconds))


def test_hosts_reach_each_other_and_nobody_else() -> None:
    with network("here", "there") as hosts, _listening(hosts["there"]) as there:
        with _connected(hosts["here"], hosts["there"]) as line:
            line.sendall(b"hello")
            with there.accept()[0] as other:
                assert other.recv(5) == b"hello"
                hosts["here"].delay = 0.2
                began = time.monotonic()
                line.sendall(b"later")
                assert other.recv(5) == b"later"
                assert time.monotonic() - began >= 0.2
                hosts["here"].delay = 0.0
                hosts["here"].cut = True
                line.sendall(b"lost?")
                other.settimeout(0.3)
                with pytest.raises(TimeoutError):
                    other.recv(5)
                hosts["here"].cut = False
                other.settimeout(10)
                assert other.recv(5) == b"lost?", "it was only late, since nobody had hung up"
        with pytest.raises(OSError, match="unreachable"):
            hosts["here"].inside(lambda: socket.create_connection(("192.0.2.1", PORT), 1))
