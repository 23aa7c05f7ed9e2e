"""Running a server: port, open files, logs, garbage collection, start and shutdown.

Log calls name a table by its id (``extra={"table": …}``) and never carry a token, a secret or what somebody said.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import ipaddress
import logging
import socket
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import uvicorn

from serai.server.app import create_app
from serai.server.http.pages import WEB, build_of
from serai.server.net.connections import SYSTEM_BUFFER, Admission, Backlog, NetConfig, files_allowed, read_proxies
from serai.server.net.http_protocol import HttpProtocol
from serai.server.net.ws_protocol import WebSocketProtocol
from serai.server.settings import Settings, Sources
from serai.server.store.base import is_postgres
from serai.server.store.sqlite import SqliteStore
from serai.server.tables.hall import Hall
from serai.wire.messages import MAX_MESSAGE

PORTS_TRIED = 20
FLUSH_SECONDS = 0.2
"""How long viewers have to receive the notice of a shutdown and to answer it."""
MOST_FILES = 65_536
"""Open files: each viewer is one."""
SWITCH_SECONDS = 0.0005
"""How long a busy thread may keep the interpreter when the event loop or the store wants it, some ten times for every
move. Python's default is ten times this."""
YOUNG, MIDDLE, NEVER = 2_000, 10, 1_000_000
"""Thresholds of the garbage collector's three generations."""
FULL_COLLECTION_SECONDS = 600.0
"""How often all objects are collected."""


class NoPort(Exception):
    """No port to listen on; the message says what to do."""


class Server(uvicorn.Server):
    """Tells viewers of a shutdown before it closes their sockets."""

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
        await self.hall.announce_shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FLUSH_SECONDS):
                while any(isinstance(one, WebSocketProtocol) for one in self.server_state.connections):
                    await asyncio.sleep(0.005)
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
    """A server ready to run; ``database`` is a file or an address; ``started`` is called once it accepts requests."""
    private = () if is_postgres(database) else (Path(database),)
    network = address_for_others(listener)
    settings = msgspec.structs.replace(
        settings,
        build=settings.build or build_of(web),
        network_url=network and network + settings.base_path,
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
    """Let this process open as many files as the system allows: each viewer is one."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # only Unix has such a limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def tune_interpreter(observe: Callable[[float], None]) -> None:
    """Switch threads soon, and make full garbage collections rare; ``observe`` gets the seconds that each took. For a
    process that only serves: the settings are the interpreter's.

    By default Python goes through all living objects every few seconds, which with a thousand tables awake is a pause
    of a fifth of a second. Reference counts free nearly everything that Serai drops, so: what exists at the start is
    never looked at again, young objects are collected as usual, and all the others every ten minutes.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
    loop = asyncio.get_running_loop()

    def collect() -> None:
        began = time.perf_counter()
        gc.collect()
        observe(time.perf_counter() - began)
        loop.call_later(FULL_COLLECTION_SECONDS, collect)

    loop.call_later(FULL_COLLECTION_SECONDS, collect)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        table = getattr(record, "table", "")
        if table:
            line["table"] = table
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class Lines(logging.Formatter):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        table = getattr(record, "table", "")
        text = f"{record.levelname} {record.name}: {f'table {table}: ' if table else ''}{record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def begin_logging(*, as_json: bool, level: int) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("serai").setLevel(level)


def _hall(database: str, holder: str, settings: Settings, sources: Sources) -> Hall:
    if not is_postgres(database):
        return Hall(SqliteStore(Path(database), holder), settings, sources)
    from serai.server.peers.postgres import PostgresPeers
    from serai.server.store.postgres import PostgresStore

    store = PostgresStore(database)
    return Hall(store, settings, sources, PostgresPeers(store))


def listen(host: str, port: int, *, exactly: bool) -> socket.socket:
    """A socket that listens at this port, or at the next free one unless it has to be ``exactly`` this."""
    last = port if exactly else min(port + PORTS_TRIED - 1, 65535)
    try:
        family, _, _, _, _ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise NoPort(f"cannot listen at {host!r}: {error.strerror or error}") from None
    for number in range(port, last + 1):
        # named as TCP, or asyncio would not turn off Nagle's algorithm
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):  # every connection inherits them
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
    """The address of the interface of the default route; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        address: str = probe.getsockname()[0]
        return address
