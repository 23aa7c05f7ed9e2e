"""Running a server: the port, the process's life, and a farewell to whoever is connected."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn
from msgspec import structs

from serai.server.app import create_app
from serai.server.http.pages import WEB, build_of
from serai.server.net.admission import Admission, files_allowed
from serai.server.net.backlog import SYSTEM_BUFFER, Backlog
from serai.server.net.config import NetConfig
from serai.server.net.http_protocol import HttpProtocol
from serai.server.net.ws_protocol import WebSocketProtocol
from serai.server.proxies import read_proxies
from serai.server.settings import Settings, Sources
from serai.server.store.base import is_postgres
from serai.server.store.sqlite import SqliteStore
from serai.server.tables.hall import Hall
from serai.table.messages import MAX_MESSAGE

PORTS_TRIED = 20
FLUSH_SECONDS = 0.2
"""How long a farewell may take to reach everybody."""


MOST_FILES = 65_536


class NoPort(Exception):
    """No port to listen on; the message says what to do."""


class Server(uvicorn.Server):
    """Says goodbye before it closes the sockets."""

    def __init__(self, config: uvicorn.Config, hall: Hall, started: Callable[[], None]) -> None:
        super().__init__(config)
        self.hall = hall
        self._on_start = started

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await self.hall.store.open()
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.hall.farewell()
        await asyncio.sleep(FLUSH_SECONDS)
        await super().shutdown(sockets)


def server(
    listener: socket.socket,
    database: str,
    settings: Settings,
    *,
    web: Path = WEB,
    sources: Sources | None = None,
    started: Callable[[], None] = lambda: None,
) -> Server:
    """A server ready to run, with its tables in a file or a PostgreSQL database; ``started`` is called once requests
    are taken.
    """
    private = () if is_postgres(database) else (Path(database),)
    house = address_for_others(listener)
    settings = structs.replace(
        settings,
        build=settings.build or build_of(web),
        house_url=house and house + settings.base_path,
        private=private,
    )
    hall = _hall(database, address_of(listener) + settings.base_path, settings, sources or Sources())
    config = NetConfig(
        create_app(hall, web),
        admission=Admission(
            hall.gate, read_proxies(settings.trusted_proxies), files_allowed(), clock=hall.sources.clock
        ),
        unsent=Backlog(hall.metrics.cut_off.add),
        interface="asgi3",
        lifespan="on",
        http=HttpProtocol,
        ws=WebSocketProtocol,
        ws_max_size=4 * MAX_MESSAGE,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=5,
    )
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    return Server(config, hall, started)


def allow_many_sockets() -> None:
    """Let this process open as many files as the system allows: the usual bound is for programs with few of them, and
    each viewer is one.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):  # elsewhere than on Unix there is no such bound
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def _hall(database: str, holder: str, settings: Settings, sources: Sources) -> Hall:
    if not is_postgres(database):
        return Hall(SqliteStore(Path(database), holder), settings, sources)
    from serai.server.peers.postgres import PostgresPeers
    from serai.server.store.postgres import PostgresStore

    store = PostgresStore(database)
    return Hall(store, settings, sources, PostgresPeers(store))


def listen(host: str, port: int, *, exactly: bool) -> socket.socket:
    """A socket that listens at this port or, unless it has to be exactly this one, at the next that is free."""
    last = port if exactly else min(port + PORTS_TRIED - 1, 65535)
    try:
        family, _, _, _, _ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise NoPort(f"cannot listen at {host!r}: {error.strerror or error}") from None
    for number in range(port, last + 1):
        # named as TCP, or nobody would turn Nagle's waiting off on the connections
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):  # of every connection, too
            listener.setsockopt(socket.SOL_SOCKET, buffer, SYSTEM_BUFFER)
        try:
            listener.bind((host, number))
            listener.listen(1024)
        except OSError as error:
            listener.close()
            if error.errno == errno.EADDRINUSE and number < last:
                continue
            reason = "is taken" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror or error}"
            ports = f"port {port}" if exactly or last == port else f"every port from {port} to {last}"
            raise NoPort(f"{ports} at {host} {reason}; choose another with --port") from None
        else:
            return listener
    raise AssertionError("unreachable: the last port either listens or raises")


def address_of(listener: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = listener.getsockname()[:2]
    ip = ipaddress.ip_address(host)
    if ip.is_unspecified:
        host = "127.0.0.1" if ip.version == 4 else "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def address_for_others(listener: socket.socket) -> str:
    """The address at which other devices of the same network reach this machine; empty when they cannot."""
    host, port = listener.getsockname()[:2]
    ip = ipaddress.ip_address(host)
    if ip.is_loopback:
        return ""
    if ip.is_unspecified:
        host = _own_address()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}" if host else ""


def _own_address() -> str:
    """The address of the interface that leads out; asking for the way sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
        return address
