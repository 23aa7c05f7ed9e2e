"""Bots that nobody vouches for, each in a process of its own: what a hostile one can get at, and what it can spoil.

What a bot finds out it tells in the only way it has: as the reason why it could not decide.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.processes import async_parent, sandbox
from serai.processes.parent import ChildLost
from serai.server.bots.worker import (
    MAX_ANSWER,
    AddBot,
    AskBot,
    BotAnswer,
    BotProcess,
    NotIsolated,
    TryBot,
    isolated_process,
    shared_process,
)
from tests.support import wait_until

pytestmark = pytest.mark.skipif(not sandbox.available(), reason="this kernel has no sandbox")
SECONDS = 20.0
SECRET = "a table's secret"

HOSTILE = """
import ctypes, json, os, resource, socket, struct, subprocess, threading, time

SEIZE, NO_SIGNAL = 0x4206, 0  # whatever is tried does no harm where it succeeds: that may be on anybody's machine

def outcome(attempt):
    try:
        return repr(attempt())[:200]
    except BaseException as error:
        return f"refused: {error}"

def tell(attempts):
    outcomes = {name: outcome(attempt) for name, attempt in attempts.items()}
    others = {name: text for name, text in outcomes.items() if not text.startswith("refused: [Errno")}
    raise RuntimeError(json.dumps({"refused": len(outcomes) - len(others), **others}))

def call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(number), *(ctypes.c_long(each) for each in arguments)) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "done"

def connect(family, address):
    with socket.socket(family) as line:
        line.connect(address)
        return "connected"

def read_memory(process):
    into = ctypes.create_string_buffer(8)
    libc = ctypes.CDLL(None, use_errno=True)
    local = struct.pack("PN", ctypes.addressof(into), 8)
    if libc.process_vm_readv(process, local, 1, struct.pack("PN", TARGET, 8), 1, 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return into.raw

def descriptors():
    open_ones = []
    for number in range(64):
        try:
            open_ones.append((number, os.fstat(number).st_mode & 0o170000 == 0o010000))
        except OSError:
            pass
    return open_ones

def files(view, rng):
    tell({
        "read the database": lambda: open(DATABASE).read(),
        "list its folder": lambda: os.listdir(os.path.dirname(DATABASE)),
        "write to it": lambda: open(DATABASE, "a"),
        "cut it off": lambda: os.truncate(DATABASE, 0),
        "remove it": lambda: os.unlink(DATABASE),
        "rename it": lambda: os.rename(DATABASE, DATABASE + "2"),
        "link to it": lambda: os.link(DATABASE, "here"),
        "shut others out of it": lambda: os.chmod(DATABASE, 0),
        "give it away": lambda: os.chown(DATABASE, 1, 1),
        "age it": lambda: os.utime(DATABASE, (0, 0)),
        "write where it stands": lambda: open("notes", "w"),
        "make a folder": lambda: os.mkdir(os.path.dirname(DATABASE) + "/folder"),
        "list the home folder": lambda: os.listdir(HOME),
        "read a password file": lambda: open("/etc/passwd").read(),
    })

def processes(view, rng):
    parent = os.getppid()
    tell({
        "read the server's environment": lambda: open(f"/proc/{parent}/environ").read(),
        "read the server's arguments": lambda: open(f"/proc/{parent}/cmdline").read(),
        "open the server's memory": lambda: open(f"/proc/{parent}/mem", "rb"),
        "copy the server's memory": lambda: read_memory(parent),
        "trace the other bot": lambda: call({"x86_64": 101, "aarch64": 117}[os.uname().machine], SEIZE, OTHER, 0, 0),
        "read its own start": lambda: open("/proc/self/environ").read(),
        "see the other bot": lambda: open(f"/proc/{OTHER}/mem", "rb"),
        "copy the other bot's memory": lambda: read_memory(OTHER),
        "signal the server": lambda: os.kill(parent, NO_SIGNAL),
        "signal the other bot": lambda: os.kill(OTHER, NO_SIGNAL),
        "signal its group": lambda: os.kill(0, NO_SIGNAL),
        "signal by a handle": lambda: os.pidfd_open(parent),
        "limit the server": lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE),
        "slow the server down": lambda: os.setpriority(0, parent, os.getpriority(0, parent)),
        "have the kernel signal it": lambda: __import__("fcntl").fcntl(0, 8, parent),
        "start a program": lambda: subprocess.run(["/bin/true"]),
        "become a program": lambda: os.execv("/bin/true", ["true"]),
        "fork": lambda: os.fork() or os._exit(0),
        "leave its namespace": lambda: call({"x86_64": 272, "aarch64": 97}[os.uname().machine], 0x10000000),
        "share memory": lambda: call({"x86_64": 29, "aarch64": 194}[os.uname().machine], 0, 4096, 0o1000),
        "go round by a ring": lambda: call(425, 8, 0),
    })

def network(view, rng):
    tell({
        "connect": lambda: connect(socket.AF_INET, ("127.0.0.1", PORT)),
        "connect by a file": lambda: connect(socket.AF_UNIX, SOCKET),
        "send a datagram": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT)),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)),
        "ask for a name": lambda: socket.create_connection(("localhost", PORT)),
    })

def itself(view, rng):
    def thread():
        began = threading.Thread(target=int)
        began.start()
        began.join()
        return "done"
    tell({
        "environment": lambda: dict(os.environ),
        "descriptors": descriptors,
        "arguments": lambda: __import__("sys").argv[1:],
        "a thread": thread,
        "its installation": lambda: len(open(os.__file__).read()) > 1000,
        "too much memory": lambda: len(bytearray(3 * 1024**3)),
    })
"""


class Place:
    """A database, an open port and a secret in the memory of this process: all that a hostile bot could want."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "data" / "tables.db"
        self.database.parent.mkdir()
        self.database.write_text(SECRET)
        self.bots = folder / "bots"
        self.bots.mkdir()
        self.kept = ctypes.create_string_buffer(SECRET.encode())

    def bot(self, source: str, name: str, **known: Any) -> str:
        """A bot that knows these things, as it would be named."""
        known = {"DATABASE": str(self.database), "HOME": str(Path.home()), **known}
        told = "\n".join(f"{each} = {value!r}" for each, value in known.items())
        file = self.bots / f"{name}.py"
        file.write_text(f"{told}\n{source}")
        return f"{file}:{name}"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def run(main: Coroutine[Any, Any, Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(60):
            return await main

    return asyncio.run(bounded())


async def _told(bot: str, process: BotProcess) -> dict[str, Any]:
    """What the bot tells when it is asked for a decision: how much was refused, and what came of all else."""
    answer = await process.ask(TryBot("camelup", bot), SECONDS)
    told: dict[str, Any] = json.loads(answer.fault.partition(": ")[2])
    return told


async def _alone(bot: str, **wanted: Any) -> dict[str, Any]:
    process = await isolated_process(bot, **wanted)
    try:
        return await _told(bot, process)
    finally:
        await process.end()


def _all_refused(told: dict[str, Any]) -> bool:
    return told.keys() == {"refused"} and told["refused"] > 0


def test_a_hostile_bot_gets_at_no_file(place: Place) -> None:
    told = run(_alone(place.bot(HOSTILE, "files"), private=[place.database]))
    assert _all_refused(told), told
    assert place.database.read_text() == SECRET


def test_a_hostile_bot_gets_at_no_other_process(place: Place) -> None:
    async def play() -> dict[str, Any]:
        other = await isolated_process("random")
        try:
            bot = place.bot(HOSTILE, "processes", OTHER=other.pid, TARGET=ctypes.addressof(place.kept))
            told = await _alone(bot)
            assert not (await other.ask(TryBot("camelup", "random"), SECONDS)).fault, "the other bot plays on"
            return told
        finally:
            await other.end()

    told = run(play())
    assert _all_refused(told), told


def test_a_hostile_bot_gets_to_no_network(place: Place, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as by_file:
        by_file.bind(str(tmp_path / "socket"))
        by_file.listen()
        bot = place.bot(HOSTILE, "network", PORT=port.getsockname()[1], SOCKET=str(tmp_path / "socket"))
        told = run(_alone(bot))
    assert _all_refused(told), told


@pytest.mark.parametrize("sandboxed", [True, False])
def test_a_bots_process_starts_with_nothing(sandboxed: bool, place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERAI_DATABASE", "postgresql://somebody:password@somewhere/tables")
    with Path(place.database).open() as inherited:
        os.set_inheritable(inherited.fileno(), True)
        told = run(_alone(place.bot(HOSTILE, "itself"), sandboxed=sandboxed))
    assert told["environment"] == "{}"
    assert told["arguments"] == "[]"
    assert told["a thread"] == "'done'"
    assert told["its installation"] == "True"
    pipes = "[(0, False), (1, True), (2, True), (3, True), (4, True)]"
    assert told["descriptors"] == pipes, "nothing to read, what it prints, twice, questions and answers"
    assert told["too much memory"].startswith("refused")


def test_workers_of_our_own_bots_know_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "postgresql://somebody:password@somewhere/tables"
    for name in ("SERAI_DATABASE", "PGPASSWORD", "DATABASE_URL"):
        monkeypatch.setenv(name, address)

    async def play() -> None:
        process = await shared_process()
        try:
            assert not (await process.ask(TryBot("camelup", "random"), SECONDS)).fault
            for told in ("environ", "cmdline"):
                assert address.encode() not in Path(f"/proc/{process.pid}/{told}").read_bytes()
        finally:
            await process.end()

    run(play())


def test_a_database_that_bots_could_read_keeps_them_out(place: Place) -> None:
    inside = place.bots / "tables.db"
    inside.touch()
    with pytest.raises(NotIsolated, match="keep it elsewhere"):
        run(_alone(place.bot(HOSTILE, "files"), private=[inside]))


def test_where_there_is_no_sandbox_no_bot_is_let_in(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"), prepend=os.pathsep)
    without = "from serai.processes import sandbox\nsandbox.landlock_version = lambda: 2\n"
    (tmp_path / "site" / "sitecustomize.py").write_text(without)
    with pytest.raises(NotIsolated, match=r"Linux 6\.2.*--trust-bots"):
        run(_alone(place.bot(HOSTILE, "files")))


# -- what it can spoil -------------------------------------------------------------------------------------------------

SPOILING = """
import os, struct, time
ANSWERS = 4  # the pipe, as the bot finds it

def garbage(view, rng):
    os.write(ANSWERS, struct.pack(">Q", 5) + b"\\xc1\\xc1\\xc1\\xc1\\xc1")
    return view.actions()[0]

def endless(view, rng):
    while True:
        os.write(ANSWERS, struct.pack(">Q", 60_000) + bytes(60_000))

def boasting(view, rng):
    os.write(ANSWERS, b"\\xff" * 8)
    time.sleep(60)

def silent(view, rng):
    os.close(ANSWERS)
    return view.actions()[0]

def sleeping(view, rng):
    time.sleep(60)

def dying(view, rng):
    os._exit(3)

def talking(view, rng):
    for _ in range(5000):
        print("\\x1b[2J" + "talk " * 100)
    return view.actions()[0]
"""


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("garbage", "understood"),
        ("endless", "understood"),
        ("boasting", str(MAX_ANSWER)),
        ("silent", "died"),
        ("sleeping", "longer than"),
        ("dying", "died"),
    ],
)
def test_a_process_that_does_not_answer_as_agreed_is_lost(bot: str, reason: str, place: Place) -> None:
    async def play() -> None:
        spec = place.bot(SPOILING, bot)
        process = await isolated_process(spec)
        try:
            with pytest.raises(ChildLost, match=reason):
                await process.ask(TryBot("camelup", spec), 0.5 if bot == "sleeping" else SECONDS)
        finally:
            await process.end()
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)

    run(play())


def test_what_a_bot_prints_is_logged_within_bounds(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        spec = place.bot(SPOILING, "talking")
        process = await isolated_process(spec)
        try:
            assert not (await process.ask(TryBot("camelup", spec), SECONDS)).fault
        finally:
            await process.end()

    run(play())
    lines = [record.getMessage() for record in caplog.records if record.getMessage().startswith("a bot says")]
    assert len(lines) == async_parent.PRINTED_LINES
    assert all(len(line) < 2 * async_parent.PRINTED_CHARACTERS and "\x1b" not in line for line in lines)


def test_a_bot_thinks_only_when_it_is_asked(place: Place) -> None:
    async def play() -> None:
        process = await isolated_process("random")
        try:
            await process.ask(TryBot("camelup", "random"), SECONDS)
            while _status(process.pid) != "T":
                await asyncio.sleep(0.01)
            assert not (await process.ask(TryBot("camelup", "random"), SECONDS)).fault
        finally:
            await process.end()

    run(play())


def _status(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def test_bots_end_with_whoever_started_them_even_while_they_stand_still(place: Place) -> None:
    script = """
import asyncio
from serai.server.bots.worker import TryBot
from serai.server.bots.worker import isolated_process
async def main():
    process = await isolated_process("random")
    await process.ask(TryBot("camelup", "random"), 20)
    print(process.pid, flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        bot = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        wait_until(lambda: not Path(f"/proc/{bot}").exists() or _status(bot) == "Z")


def test_two_bots_of_one_table_see_only_their_own_views(place: Place) -> None:
    """Each keeps whatever it is shown where any other bot in its process would find it."""
    source = """
import builtins
builtins.seen = getattr(builtins, "seen", [])
def decide(view, rng):
    builtins.seen.append([hand.count(None) for hand in view.hands])
    raise RuntimeError(__import__("json").dumps({"seen": builtins.seen}))
"""

    async def play() -> None:
        spec = place.bot(source, "decide")
        rng = random.Random(1)
        state: Any = serai.game("camelup").new(players=2)
        while state.actor is serai.CHANCE:
            state = state.apply(state.sample(rng))
        both = [await isolated_process(spec) for _ in range(2)]
        try:
            for seat, process in enumerate(both):
                await process.ask(AddBot("x", "camelup", spec), SECONDS)
                view = msgspec.json.encode(state.seen_by(seat))
                answer: BotAnswer = await process.ask(AskBot("x", [], view), SECONDS)
                assert json.loads(answer.fault.partition(": ")[2])["seen"] == [[0, 5] if seat == 0 else [5, 0]]
        finally:
            for process in both:
                await process.end()

    run(play())
