"""A real terminal for tests: a program on a pseudo-terminal, typed at and read like a person would."""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Self

SERAI = str(Path(sys.executable).with_name("serai"))
PATIENCE = 30.0
CTRL_C, CTRL_D = "\x03", "\x04"
_OWN_THE_TERMINAL = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Make it the controlling terminal and heed Ctrl-C there, even if the tests run where it is ignored; then become the
program. Code run between fork and exec could wait forever for what another thread of the tests held."""


class Terminal:
    """``serai`` with these arguments, on a screen of that size."""

    def __init__(self, *arguments: str, home: Path, columns: int = 80, lines: int = 40, **environment: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        # readline leaves the width of pytest's own terminal in the environment, which would outweigh this one's
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        env = {**inherited, "TERM": "xterm-256color", "SERAI_HOME": str(home), "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OWN_THE_TERMINAL, SERAI, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={key: value for key, value in (env | environment).items() if value},
            start_new_session=True,
        )
        os.close(slave)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._heard = ""
        self.text = ""
        """All that was read, colours left out."""
        self.raw = ""
        """All that was read, as it came."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()
        os.close(self._master)

    def type(self, text: str) -> None:
        """Type this, as it is."""
        os.write(self._master, text.encode())

    def line(self, text: str = "") -> None:
        """Type this and Enter."""
        self.type(text + "\r")

    def interrupt(self) -> None:
        """Press Ctrl-C as a person would: not in the microseconds between the prompt and the wait for a key.

        (Python loses a signal that comes just there until the next key is pressed.)
        """
        idle = 0
        while idle < 3:
            time.sleep(0.02)
            status = Path(f"/proc/{self.process.pid}/stat").read_text()
            idle = idle + 1 if status.rpartition(")")[2].split()[0] == "S" else 0
        self.type(CTRL_C)

    def wait_for(self, *wanted: str) -> str:
        """Read until one of these comes, and give everything read since the last wait. Colours are left out."""
        end = time.monotonic() + PATIENCE
        while True:
            text = plain(self._heard)
            places = [(text.find(word), word) for word in wanted if word in text]
            if places:
                place, word = min(places)
                before = text[: place + len(word)]
                self._heard = text[place + len(word) :]
                self.text += before
                return before
            if time.monotonic() > end or not self._read(end):
                raise AssertionError(f"waited in vain for {wanted}; the screen says:\n{text}")

    def finish(self) -> tuple[int, str]:
        """Read to the end: the exit code and what was left to read."""
        end = time.monotonic() + PATIENCE
        while self._read(end):
            assert time.monotonic() < end, f"it does not end; the screen says:\n{plain(self._heard)}"
        rest = plain(self._heard)
        self.text += rest
        return self.process.wait(PATIENCE), rest

    def kill(self) -> None:
        """As ``kill -9`` does, with no chance to clean up."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return False
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(self._master, 65536)
        text = self._decode(data)
        self.raw += text
        self._heard += text
        return bool(data)


def plain(text: str) -> str:
    """Terminal output without colours, cursor steering and carriage returns."""
    return re.sub(r"\033\[[\d;?]*[A-Za-z]|\r|\a", "", text)
