"""Bots in processes of their own, seen from whoever lets them play.

A process that shares the work for bots of the house gets an environment without anything that is not Python's or the
compiler's. A bot that nobody vouches for gets a process for itself, with an empty environment, no open files but its
pipes, an empty folder to stand in, and :mod:`walls <serai.bots.walls>` around it; between two decisions it stands
still. What it prints is logged, within bounds.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from serai.bots.pipe import LENGTH, Answer, Confine, Garbage, Request, answer_length, framed, read_answer

log = logging.getLogger("serai.bots")

PRINTED_LINES, PRINTED_CHARACTERS = 100, 300
"""How much of what a bot's process prints is logged."""
START_SECONDS = 30.0
"""For Python to start and the walls to stand, on a busy machine."""

_BOTS = "serai.bots.child"
_FOR_PYTHON = ("PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "LANG", "LC_ALL")
_FOR_LIBRARIES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
_FOR_COMPILED_CODE = ("HOME", "PATH", "TMPDIR", "TEMP", "TMP", "XDG_CACHE_HOME", "SERAI_CACHE")
_FOR_COMPILED_CODE_ON_WINDOWS = ("USERPROFILE", "LOCALAPPDATA", "APPDATA")
_SETTINGS_OF_LIBRARIES = ("NUMBA_", "OMP_", "OPENBLAS_", "MKL_")


class Lost(Exception):
    """A process that answers no more; the message says why."""


class NotIsolated(Exception):
    """A bot cannot be kept from what it must not see; the message says why."""


class BotProcess:
    """One process, one request at a time. Whoever gets ``Lost`` from it ends it."""

    def __init__(self, process: asyncio.subprocess.Process, folder: tempfile.TemporaryDirectory[str] | None) -> None:
        """``folder``: where a bot on its own stands; it goes with the process."""
        self.pid = process.pid
        self._process = process
        self._folder = folder
        self._printing = None if process.stderr is None else asyncio.create_task(_log(process.stderr))
        self._still = folder is not None and sys.platform == "linux"
        """Whether it stands still between two requests."""

    async def ask(self, request: Request, seconds: float) -> Answer:
        """Its answer; ``Lost`` if there is none in time, or none that is one."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            self._signal("SIGCONT")
            process.stdin.write(framed(request))
            async with asyncio.timeout(seconds):
                await process.stdin.drain()
                length = answer_length(await process.stdout.readexactly(LENGTH.size))
                answer = read_answer(await process.stdout.readexactly(length))
            self._signal("SIGSTOP")
        except TimeoutError:
            raise Lost(f"took longer than {seconds:g} s") from None
        except Garbage as garbage:
            raise Lost(str(garbage)) from None
        except (OSError, asyncio.IncompleteReadError):
            raise Lost("its process died") from None
        return answer

    async def end(self) -> None:
        """Kill it, whatever it is doing, and wait until nothing of it is left."""
        ending = asyncio.ensure_future(self._end())
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await ending  # nothing of it may be left behind when the event loop goes
            raise

    async def _end(self) -> None:
        process = self._process
        assert process.stdin is not None
        with contextlib.suppress(ProcessLookupError):
            if process.returncode is None and sys.platform != "win32":
                os.killpg(process.pid, signal.SIGKILL)  # with whatever it may have started
            process.kill()
        process.stdin.close()
        if self._printing is not None:
            await self._printing
        await process.communicate()
        with contextlib.suppress(OSError):
            await process.stdin.wait_closed()
        if self._folder is not None:
            self._folder.cleanup()
        await asyncio.sleep(0)  # the pipes are closed: so is, a turn of the event loop later, what holds them

    def _signal(self, name: str) -> None:
        if self._still:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(getattr(signal, name))


async def shared_process(module: str = _BOTS) -> BotProcess:
    """A process for bots of the house, or for another module that answers as theirs does."""
    return await _begin(house_environment(), None, module)


async def isolated_process(bot: str, private: Sequence[Path] = (), *, walls: bool = True) -> BotProcess:
    """A process for this one bot and one seat; ``NotIsolated`` if it could get at one of the ``private`` files.

    Without ``walls`` the bot is trusted not to look around: it could. A bot that is a file is named by its full path.
    """
    process = await _begin(_environment(compiled=False), tempfile.TemporaryDirectory(prefix="serai-bot-"))
    try:
        shut_in = await process.ask(Confine(bot, walls), START_SECONDS)
        if shut_in.fault:
            raise NotIsolated(shut_in.fault.partition(": ")[2])
        for file in private:
            for place in map(Path, shut_in.readable):
                if file.resolve().is_relative_to(place):
                    raise NotIsolated(f"{file} lies in {place}, which bots must be able to read; keep it elsewhere")
    except BaseException:
        await process.end()
        raise
    return process


async def _begin(
    environment: dict[str, str], folder: tempfile.TemporaryDirectory[str] | None, module: str = _BOTS
) -> BotProcess:
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if folder is None else asyncio.subprocess.PIPE,
            env=environment,
            cwd=None if folder is None else folder.name,
            start_new_session=True,  # Ctrl-C is for whoever started it, who then tells it
        )
    )
    try:
        return BotProcess(await asyncio.shield(starting), folder)
    except asyncio.CancelledError:
        await BotProcess(await starting, folder).end()  # begun is begun
        raise


def house_environment() -> dict[str, str]:
    """What a process of the house gets of ours."""
    return _environment(compiled=True)


def _environment(*, compiled: bool) -> dict[str, str]:
    """What a process gets of ours: never an address, a password or a key of somebody's."""
    names = {*_FOR_PYTHON, *_FOR_LIBRARIES}
    if compiled:
        names |= {*_FOR_COMPILED_CODE, *_FOR_COMPILED_CODE_ON_WINDOWS}
    kept = {name: value for name, value in os.environ.items() if name.upper() in names}
    if compiled:
        kept |= {name: value for name, value in os.environ.items() if name.startswith(_SETTINGS_OF_LIBRARIES)}
    if "PYTHONPATH" in kept:
        folders = [str(Path(folder).absolute()) for folder in kept["PYTHONPATH"].split(os.pathsep) if folder]
        kept["PYTHONPATH"] = os.pathsep.join(folders)
    return kept


async def _log(printed: asyncio.StreamReader) -> None:
    """Log what a bot's process prints, line by line; all of it is read, so that it never waits for us."""
    logged, line = 0, b""
    while more := await printed.read(4096):
        *lines, line = (line + more).split(b"\n")
        line = line[:PRINTED_CHARACTERS]
        for each in lines[: PRINTED_LINES - logged]:
            log.warning("a bot says: %s", _plain(each))
        logged = min(logged + len(lines), PRINTED_LINES)
    if line and logged < PRINTED_LINES:
        log.warning("a bot says: %s", _plain(line))


def _plain(line: bytes) -> str:
    """The line without what a terminal would take for a command."""
    return ascii(line.decode(errors="replace")[:PRINTED_CHARACTERS])[1:-1]
