"""A running program in any language, asked line by line, with limits on its time and its answers.

Everything here waits by ``poll`` on the pipes themselves: a question and its answer cost a few system calls. A
sandboxed program is stopped between two questions, so that it thinks in its own time only.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
import weakref

import msgspec

from serai.processes import launch, sandbox
from serai.processes.parent import kill_process, open_process, signal_group
from serai.processes.usage import LOOK_SECONDS, Usage

MAX_LINE = 64 * 1024
"""Bytes of an answer."""
GRACE_SECONDS = 0.5
"""For a program to end by itself once its input has."""
PRINTED = 4096
"""Bytes that are remembered of what it printed last on its standard error."""
WORKS_HERE = hasattr(select, "poll")
"""Not on Windows, which cannot poll pipes."""

_CHUNK = 1 << 16


class Command(msgspec.Struct, frozen=True):
    """How to start a program."""

    program: str
    """Its file."""
    words: tuple[str, ...]
    """What it is called with, its own name first."""
    walls: sandbox.Walls
    """What guards it."""
    readable: tuple[str, ...]
    """What it needs to read, beside the system's libraries."""

    @property
    def sandboxed(self) -> bool:
        return self.walls != "none"


class ProgramLost(Exception):
    """A program that answers no more; the message says why, after the name of the bot. Its parent must end it."""


class Program:
    """One running program."""

    def __init__(self, command: Command) -> None:
        readable = [str(path) for path in sandbox.with_libraries(command.readable)] if command.sandboxed else []
        start = (str(os.getpid()), command.walls, json.dumps(readable), command.program, *command.words)
        try:
            self._process = open_process(
                [sys.executable, "-I", "-S", launch.__file__, *start],
                env={name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"},
                stderr=subprocess.PIPE,
                buffering=0,
            )
        except OSError as error:
            raise ProgramLost(f"cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.pid = self._process.pid
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._readable = select.poll()
        self._readable.register(self._stdout, select.POLLIN)
        self._readable.register(self._stderr, select.POLLIN)
        self._usage = Usage(self.pid) if command.sandboxed else None
        self._paused = False
        self._printed = b""
        self._ending = weakref.finalize(self, kill_process, self._process, os.getpid())

    @property
    def printed(self) -> str:
        """What it printed last on its standard error, without characters that a terminal would obey."""
        lines = self._printed.decode(errors="replace").splitlines()
        return "\n".join("".join(letter for letter in line if letter.isprintable()) for line in lines)

    def read_printed(self) -> str:
        """:attr:`printed`, with what has just arrived."""
        while any(descriptor == self._stderr for descriptor, _ in self._readable.poll(0)):
            self._read_stderr()
        return self.printed

    def ask(self, line: bytes, seconds: float | None) -> bytes:
        """Its answer to a line, without the line's end; ``ProgramLost`` if it is late, or more than one line."""
        until = None if seconds is None else time.monotonic() + seconds
        self._expect_nothing()
        self._write(line, until, seconds)
        answer = self._read_line(until, seconds)
        if self._usage is not None:
            self._count(self._usage)
            signal_group(self.pid, signal.SIGSTOP)
            self._paused = True
        return answer

    def send(self, line: bytes) -> None:
        """Send a line that needs no answer; it is read when the program is next asked, if not before."""
        self._write(line, time.monotonic() + GRACE_SECONDS, GRACE_SECONDS)

    def end(self, last: bytes = b"") -> int | None:
        """End it, gently if there is a last line to send; its exit code, ``None`` if it had to be killed."""
        process = self._process
        assert process.stdin is not None
        gently = bool(last) and self._ending.alive
        if gently:
            with contextlib.suppress(ProgramLost):
                self.send(last)
        with contextlib.suppress(OSError):
            process.stdin.close()
        if gently:
            self._wait(GRACE_SECONDS)
        code = process.poll()
        self._ending()
        return code

    def _wait(self, seconds: float) -> None:
        """Wait until it has ended, reading on so that it never waits for us."""
        until = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < until:
            with contextlib.suppress(ProgramLost):
                for descriptor, _ in self._readable.poll(5):
                    if descriptor == self._stderr:
                        self._read_stderr()
                    elif not _read(self._stdout):
                        self._readable.unregister(self._stdout)

    # -- pipes ---------------------------------------------------------------------------------------------------------

    def _expect_nothing(self) -> None:
        """Before a question: anything there to be read is a line too many."""
        for descriptor, _ in self._readable.poll(0):
            if descriptor == self._stderr:
                self._read_stderr()
            else:
                received = _read(self._stdout)
                raise ProgramLost(f"said {received[:80]!r} without being asked" if received else self._why_it_ended())

    def _write(self, line: bytes, until: float | None, seconds: float | None) -> None:
        rest = memoryview(line)
        while True:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                pass
            except OSError:
                raise ProgramLost(self._why_it_ended()) from None
            if self._paused:
                signal_group(self.pid, signal.SIGCONT)
                self._paused = False
            if not rest:
                return
            self._wait_until_writable(until, seconds)

    def _wait_until_writable(self, until: float | None, seconds: float | None) -> None:
        waiting = select.poll()
        waiting.register(self._stdin, select.POLLOUT)
        waiting.register(self._stderr, select.POLLIN)
        ready = waiting.poll(_milliseconds(until))
        if not ready:
            raise ProgramLost(f"did not read its input within {seconds:g} s")
        if any(descriptor == self._stderr for descriptor, _ in ready):
            self._read_stderr()

    def _read_line(self, until: float | None, seconds: float | None) -> bytes:
        received = b""
        while True:
            ready = self._readable.poll(self._patience(until))
            if self._usage is not None:
                self._count(self._usage)
            if not ready and until is not None and time.monotonic() >= until:
                raise ProgramLost(f"took longer than {seconds:g} s")
            for descriptor, _ in ready:
                if descriptor == self._stderr:
                    self._read_stderr()
                    continue
                part = _read(self._stdout)
                if not part:
                    raise ProgramLost(self._why_it_ended())
                received += part
                line, end, rest = received.partition(b"\n")
                if end and not rest:
                    return line
                if end:
                    raise ProgramLost(f"answered more than one line: {received[:80]!r}")
                if len(received) > MAX_LINE:
                    raise ProgramLost(f"wrote more than {MAX_LINE} bytes without ending the line")

    def _patience(self, until: float | None) -> float | None:
        """Milliseconds to wait for a program that thinks: not longer than until the next look at what it uses."""
        left = _milliseconds(until)
        if self._usage is None:
            return left
        return LOOK_SECONDS * 1000 if left is None else min(left, LOOK_SECONDS * 1000)

    @staticmethod
    def _count(usage: Usage) -> None:
        excess = usage.excess()
        if excess:
            raise ProgramLost(excess)

    def _read_stderr(self) -> None:
        part = _read(self._stderr)
        if not part:
            with contextlib.suppress(KeyError):
                self._readable.unregister(self._stderr)  # it has closed it, as it may
        self._printed = (self._printed + part)[-PRINTED:]

    def _why_it_ended(self) -> str:
        """Why its output has ended: most often because the program has."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        self._read_stderr()
        code = self._process.returncode
        if code is None:
            return "closed its output or its input"
        if code == launch.NOT_STARTED:
            return f"did not begin: {self.printed.strip() or 'its parent process has ended'}"
        if code < 0:
            return f"was ended by {_signal_name(-code)}"
        return f"ended (exit code {code})"


def _read(descriptor: int) -> bytes:
    """What can be read now; nothing if that was all."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


def _milliseconds(until: float | None) -> float | None:
    return None if until is None else max(0.0, (until - time.monotonic()) * 1000)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
