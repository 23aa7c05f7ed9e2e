"""A real server and a real Chromium for tests of the page."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.support import SERAI

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    """A port that stays free until a server takes it: none of those that the system gives to outgoing connections."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


SERVE = (*SERAI, "serve", "--no-open")
QUICK_BOTS = (*SERVE, "--no-bot-delay")
IMPATIENT = (sys.executable, "-m", "tests.browser.serve_impatiently")


class Server:
    """A server in a process of its own, on a port and with tables that stay the same over restarts."""

    def __init__(self, folder: Path, command: Sequence[str], **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.quiet = f"{self.url}/healthz"
        """Where a visit begins that goes on to a table: the page itself need not be loaded twice."""
        self._command = [*command, "--port", str(self.port), "--database", str(folder / "tables.db")]
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, env=self._environment)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if re.search(r"http://127\.0\.0\.1:\d+", line):
                return
        self.stop()
        raise AssertionError("the server did not start")

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        if self._process is None:
            return
        self._process.send_signal(sign)
        self._process.wait(timeout=20)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None


@contextmanager
def serving(folder: Path, command: Sequence[str] = QUICK_BOTS, **environment: str) -> Iterator[Server]:
    server = Server(folder, command, **environment)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    executable = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert executable is not None, "no chromium: run `make browser`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
