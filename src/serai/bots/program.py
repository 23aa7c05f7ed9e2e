"""A running program that is spoken to in lines: started with nothing, bounded in all it does, ended for certain.

Everything here waits by ``poll`` on the pipes themselves: a question and its answer cost a few system calls. Between
two questions the program stands still, so that it thinks in its own time only.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import select
import signal
import subprocess
import sys
import time
import weakref

import msgspec

from serai.bots import launch, walls
from serai.bots.lines import MAX_LINE

log = logging.getLogger("serai.bots")

START_SECONDS = 30.0
"""For a program to start and say hello, on a busy machine."""
GRACE_SECONDS = 0.5
"""For a program to end by itself once its input has."""
PRINTED = 4096
"""Bytes that are kept of what it prints last on its standard error."""
WORKS_HERE = hasattr(select, "poll")
"""Not on Windows, where pipes cannot be waited for."""

_CHUNK = 1 << 16


class Command(msgspec.Struct, frozen=True):
    """A program that was found, and how it is started."""

    program: str
    """Its file."""
    words: tuple[str, ...]
    """What it is called with, its own name first."""
    walls: bool
    """Whether it is to be shut in."""
    readable: tuple[str, ...]
    """What it needs to read, beside the system's libraries."""


class Broken(Exception):
    """A program that answers no more; the message says why, after the name of the bot."""


class Program:
    """One process. Whoever gets ``Broken`` from it ends it."""

    def __init__(self, command: Command) -> None:
        shut_in = command.walls and _can_be_shut_in()
        start: launch.Start = {
            "parent": os.getpid(),
            "walls": shut_in,
            "readable": [str(path) for path in walls.with_libraries(command.readable)] if shut_in else [],
            "program": command.program,
            "command": list(command.words),
        }
        try:
            self._process = subprocess.Popen(  # noqa: S603 - that is what it is for
                [sys.executable, "-I", "-S", launch.__file__, json.dumps(start)],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"},
                start_new_session=True,  # Ctrl-C is for whoever started it; and all of it can be killed at once
            )
        except OSError as error:
            raise Broken(f"cannot be started: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.pid = self._process.pid
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._hearing = select.poll()
        self._hearing.register(self._stdout, select.POLLIN)
        self._hearing.register(self._stderr, select.POLLIN)
        self._still = shut_in
        """Whether it stands still between two questions."""
        self._stopped = False
        self._printed = b""
        self._ending = weakref.finalize(self, _kill, self._process, os.getpid())

    @property
    def printed(self) -> str:
        """What it said last on its standard error, without what a terminal would take for a command."""
        lines = self._printed.decode(errors="replace").splitlines()
        return "\n".join("".join(letter for letter in line if letter.isprintable()) for line in lines)

    def hear(self) -> str:
        """What it has said so far on its standard error, as :attr:`printed`."""
        while any(descriptor == self._stderr for descriptor, _ in self._hearing.poll(0)):
            self._hear_printing()
        return self.printed

    def ask(self, line: bytes, seconds: float | None) -> bytes:
        """Its answer to a line, without the end of the line; ``Broken`` if there is none in time, or more than one."""
        until = None if seconds is None else time.monotonic() + seconds
        self._expect_nothing()
        self._write(line, until, seconds)
        answer = self._read_line(until, seconds)
        if self._still:
            self._signal(signal.SIGSTOP)
            self._stopped = True
        return answer

    def tell(self, line: bytes) -> None:
        """Say something that needs no answer; it is read when the program is next asked, if not before."""
        self._write(line, time.monotonic() + GRACE_SECONDS, GRACE_SECONDS)

    def end(self, last: bytes = b"") -> int | None:
        """End it, gently at first if there is a last thing to say; the exit code, ``None`` if it had to be killed."""
        process = self._process
        assert process.stdin is not None
        gently = bool(last) and self._ending.alive
        if gently:
            with contextlib.suppress(Broken):
                self._write(last, time.monotonic() + GRACE_SECONDS, GRACE_SECONDS)
        with contextlib.suppress(OSError):
            process.stdin.close()
        if gently:
            self._wait(GRACE_SECONDS)
        code = process.poll()
        self._ending()
        return code

    def _wait(self, seconds: float) -> None:
        """Until it has ended, reading on so that it never waits for us."""
        until = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < until:
            with contextlib.suppress(Broken):
                for descriptor, _ in self._hearing.poll(5):
                    if descriptor == self._stderr:
                        self._hear_printing()
                    elif not _read(self._stdout):
                        self._hearing.unregister(self._stdout)

    # -- speaking ------------------------------------------------------------------------------------------------------

    def _expect_nothing(self) -> None:
        """Nobody has asked: whatever is there to be read is one line too many."""
        for descriptor, _ in self._hearing.poll(0):
            if descriptor == self._stderr:
                self._hear_printing()
            else:
                said = _read(self._stdout)
                raise Broken(self._why_it_ended() if not said else f"said {said[:80]!r} without being asked")

    def _write(self, line: bytes, until: float | None, seconds: float | None) -> None:
        rest = memoryview(line)
        while True:
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                pass
            except OSError:
                raise Broken(self._why_it_ended()) from None
            if self._stopped:
                self._signal(signal.SIGCONT)
                self._stopped = False
            if not rest:
                return
            self._wait_until_it_reads(until, seconds)

    def _wait_until_it_reads(self, until: float | None, seconds: float | None) -> None:
        waiting = select.poll()
        waiting.register(self._stdin, select.POLLOUT)
        waiting.register(self._stderr, select.POLLIN)
        found = waiting.poll(_milliseconds(until))
        if not found:
            raise Broken(f"did not read what it was told within {seconds:g} s")
        if any(descriptor == self._stderr for descriptor, _ in found):
            self._hear_printing()

    def _read_line(self, until: float | None, seconds: float | None) -> bytes:
        heard = b""
        while True:
            ready = self._hearing.poll(_milliseconds(until))
            if not ready:
                raise Broken(f"took longer than {seconds:g} s")
            for descriptor, _ in ready:
                if descriptor == self._stderr:
                    self._hear_printing()
                    continue
                said = _read(self._stdout)
                if not said:
                    raise Broken(self._why_it_ended())
                heard += said
                line, end, rest = heard.partition(b"\n")
                if end and not rest:
                    return line
                if end:
                    raise Broken(f"answered more than one line: {heard[:80]!r}")
                if len(heard) > MAX_LINE:
                    raise Broken(f"wrote more than {MAX_LINE} bytes without ending the line")

    def _hear_printing(self) -> None:
        said = _read(self._stderr)
        if not said:
            with contextlib.suppress(KeyError):
                self._hearing.unregister(self._stderr)  # it has closed it, as it may
        self._printed = (self._printed + said)[-PRINTED:]

    def _why_it_ended(self) -> str:
        """Its output has ended: most often because it has ended itself."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_SECONDS)
        self._hear_printing()
        code = self._process.returncode
        if code is None:
            return "closed its output or its input"
        if code == launch.REFUSED:
            return f"did not begin: {self.printed.strip() or 'whoever started it has gone'}"
        if code < 0:
            return f"was ended by {_signal_name(-code)}"
        return f"ended (exit code {code})"

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def _kill(process: subprocess.Popen[bytes], owner: int) -> None:
    """Kill it with whatever it may have started, and wait until nothing of it is left."""
    if os.getpid() != owner:
        return  # in a copy of the process that started it, which sees to it itself
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        assert pipe is not None
        with contextlib.suppress(OSError):
            pipe.close()


def _read(descriptor: int) -> bytes:
    """What is there; nothing if that was all."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return b""
    except OSError:
        return b""


def _milliseconds(until: float | None) -> float | None:
    return None if until is None else max(0.0, (until - time.monotonic()) * 1000)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_told_of_no_walls = False


def _can_be_shut_in() -> bool:
    """Whether walls can be put up here; that they cannot is said once."""
    global _told_of_no_walls
    possible = walls.possible()
    if not possible and not _told_of_no_walls:
        _told_of_no_walls = True
        log.warning("this system cannot shut bots in: programs that play can read what you can, and reach the network")
    return possible
