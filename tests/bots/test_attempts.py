"""What a bot behind walls may try: every attempt works without them, and is refused or counted behind them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai.arena.tournament.archive import Archive
from serai.bots import find_bot
from serai.bots.contract import NoAnswer, close
from serai.bots.program import GreetedProgram
from serai.cli._support.group import run
from serai.processes import sandbox, usage
from serai.processes.parent import ChildLost
from serai.server.bots.worker import AddBot, AskBot, isolated_process
from tests.bots.test_programs import GAME, POLITE, first_view
from tests.support import amount, wait_until

pytestmark = pytest.mark.skipif(not sandbox.available(), reason="this kernel has no sandbox")

ATTEMPTS = """
import ctypes, fcntl, mmap, os, resource, signal, socket, struct, threading
signal.signal(signal.SIGIO, signal.SIG_IGN)
ARM = os.uname().machine == "aarch64"
libc = ctypes.CDLL(None, use_errno=True)
library = "/usr/bin/env"
def call(x86, arm, *arguments):
    made = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = libc.syscall(ctypes.c_long(arm if ARM else x86), *made)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def opened(path=library):
    return os.open(path, os.O_RDONLY)
def in_memory():
    file = opened()
    os.pread(file, 16, 0)
    return file
def lock(command, kind=fcntl.F_RDLCK, start=2014):
    return fcntl.fcntl(opened(), command, struct.pack("hhqqhxxxxxx", kind, 0, start, 1, 0))
def mapped(flags, file=-1, size=4096, rights=3):
    libc.mmap.restype = ctypes.c_long
    address = libc.mmap(None, ctypes.c_size_t(size), rights, flags, file, ctypes.c_long(0))
    if address == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return address
def page():
    return mapped(mmap.MAP_PRIVATE, opened(), rights=1)
def attributes(command, size=4, value=None):
    libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]
    there = ctypes.create_string_buffer(value or bytes(size), size)
    if libc.ioctl(opened(OWN), command, there) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return there.raw
vector = lambda: struct.pack("PQ", ctypes.addressof(space), 16)
space = ctypes.create_string_buffer(4096)
ALL = {
    # notes on files that two bots can read
    "lock a file": lambda: fcntl.flock(opened(), fcntl.LOCK_SH | fcntl.LOCK_NB),
    "lock it alone": lambda: fcntl.flock(opened(OWN), fcntl.LOCK_EX | fcntl.LOCK_NB),
    "lock what compiling waits for": lambda: fcntl.flock(opened(COMPILING), fcntl.LOCK_EX | fcntl.LOCK_NB),
    "publish a die as the offset of a lock": lambda: lock(fcntl.F_SETLK),
    "wait for such a lock": lambda: lock(fcntl.F_SETLKW),
    "read the dice of a sibling": lambda: lock(fcntl.F_GETLK, fcntl.F_WRLCK),
    "publish by an open file": lambda: lock(37),
    "wait for an open file's lock": lambda: lock(38),
    "read by an open file": lambda: lock(36, fcntl.F_WRLCK),
    "lease a file": lambda: fcntl.fcntl(opened(OWN), fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "ask for a lease": lambda: fcntl.fcntl(opened(), fcntl.F_GETLEASE),
    "be told of a folder": lambda: fcntl.fcntl(opened("/usr/bin"), fcntl.F_NOTIFY, fcntl.DN_ACCESS),
    "note how long a file lives": lambda: fcntl.fcntl(opened(OWN), 1036, struct.pack("Q", 3)),
    "read how long it lives": lambda: fcntl.fcntl(opened(), 1035, bytes(8)),
    "read the flags of a file": lambda: attributes(0x80086601, 8),
    "change the flags of a file": lambda: attributes(0x40086602, 8, attributes(0x80086601, 8)),
    "read the version of a file": lambda: attributes(0x80087601, 8),
    # which pages of a file are in memory
    "see what is in memory": lambda: call(27, 232, page(), 4096, space),
    "see it by a range": lambda: call(451, 451, opened(), bytes(16), space, 0),
    "see it by reading": lambda: call(327, 286, in_memory(), vector(), 1, 0, 0, 8),
    "drop it from memory": lambda: call(221, 223, opened(), 0, 4096, 4),
    "drop a page from memory": lambda: call(28, 233, page(), 4096, 21),
    "cool a page": lambda: call(28, 233, page(), 4096, 20),
    "read ahead": lambda: call(187, 213, opened(), 0, 4096),
    # who waits on a page of a library
    "wake who waits in another": lambda: call(202, 98, page(), 1, 1, 0, 0, 0),
    "move who waits in another": lambda: call(202, 98, page(), 3, 0, 1, page(), 0),
    "wake by the newer call": lambda: call(454, 454, page(), 0xffffffff, 1, 2),
    # memory that the limit does not know
    "share memory with nobody": lambda: mapped(mmap.MAP_SHARED | mmap.MAP_ANONYMOUS),
    "memory that grows down": lambda: mapped(0x100 | mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
    "a file in memory": lambda: os.memfd_create("notes"),
    "shared memory of System V": lambda: call(29, 194, 0, 4096, 0o1600),
    "a queue of messages": lambda: call(68, 186, 0, 0o1600),
    "a semaphore": lambda: call(64, 190, 0, 1, 0o1600),
    "a queue of POSIX": lambda: call(240, 180, b"notes", os.O_CREAT | os.O_RDWR, 0o600, None),
    "zeros for ever": lambda: mapped(mmap.MAP_SHARED, opened("/dev/zero"), rights=1),
    # what the kernel counts for all processes of a user
    "slots for reading ahead": lambda: call(206, 0, 8, bytes(8)),
    "a timer": lambda: call(222, 107, 1, None, ctypes.create_string_buffer(8)),
    "another's locks": lambda: call(274, 100, PARENT, ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)),
    "a watch on a folder": lambda: call(294, 26, 0),
    "a key": lambda: call(248, 217, b"user", b"notes", b"x", 1, -2),
    # outliving its parent, and others
    "outlive its parent": lambda: libc.prctl(1, 0, 0, 0, 0) and 1 / 0,
    "a process of its own": lambda: os.fork() or os._exit(0),
    "a process by vfork": lambda: call(56, 220, 17, None, None, None, None) or os._exit(0),
    "a new program": lambda: os.fork() or os.execv("/bin/true", ["true"]),
    "another namespace": lambda: call(272, 97, 0x400),
    "signal its parent": lambda: os.kill(PARENT, 0),
    "signal its parent's thread": lambda: call(234, 131, PARENT, PARENT, 0),
    "queue a signal": lambda: call(129, 138, os.getpid(), 0, bytes(128)),
    "a handle of its parent": lambda: os.pidfd_open(PARENT),
    "limits of its parent": lambda: resource.prlimit(PARENT, resource.RLIMIT_NOFILE),
    "own a descriptor for another": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, PARENT),
    "its processors": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "its share of them": lambda: os.setpriority(0, 0, 10),
    "its schedule": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
    "compare with its parent": lambda: call(312, 272, os.getpid(), PARENT, 0, 0, 0),
    "read its parent's memory": lambda: open(f"/proc/{PARENT}/mem", "rb"),
    "read its parent's environment": lambda: open(f"/proc/{PARENT}/environ", "rb"),
    "list processes": lambda: os.listdir("/proc"),
    # files and network
    "read passwords": lambda: open("/etc/passwd"),
    "read beside itself": lambda: open(SECRET),
    "list beside itself": lambda: os.listdir(os.path.dirname(SECRET)),
    "write beside itself": lambda: open(SECRET, "a"),
    "a new file": lambda: open(SECRET + ".new", "w"),
    "a new folder": lambda: os.mkdir(SECRET + ".folder"),
    "a name for it": lambda: os.link(OWN, SECRET + ".link"),
    "a link to it": lambda: os.symlink(OWN, SECRET + ".symbolic"),
    "a pipe with a name": lambda: os.mkfifo(SECRET + ".pipe"),
    "a file without a name": lambda: os.open(os.path.dirname(SECRET), os.O_TMPFILE | os.O_RDWR),
    "shared memory as a file": lambda: os.open("/dev/shm/serai-attempt", os.O_CREAT | os.O_RDWR),
    "rights of a file": lambda: os.chmod(OWN, 0o644),
    "owner of a file": lambda: os.chown(OWN, os.getuid(), os.getgid()),
    "times of a file": lambda: os.utime(OWN),
    "notes at a file": lambda: os.setxattr(OWN, "user.notes", b"x"),
    "a socket": lambda: socket.socket(),
    "a socket without a network": lambda: socket.socket(socket.AF_UNIX),
    "a ring of calls": lambda: call(425, 425, 1, ctypes.create_string_buffer(120)),
}
def decide(told):
    found = {}
    for name, attempt in ALL.items():
        try:
            found[name] = repr(attempt())[:60]
        except BaseException as error:
            found[name] = f"refused: {error}"
    return found
"""

REFUSED_TO_ALL = {
    "zeros for ever",  # a device that only some kernels map so
    "notes at a file",  # not every file system has them
    "read the flags of a file",
    "change the flags of a file",
    "read the version of a file",
    "note how long a file lives",
    "read how long it lives",
    "wake by the newer call",
    "see it by a range",
    "be told of a folder",
    "a ring of calls",
    "another namespace",
    "shared memory as a file",
}
"""Attempts that some kernels and file systems refuse to everybody."""


CALLS_ALONE = {
    *("read its parent's memory", "read its parent's environment", "list processes", "read passwords"),
    *("read beside itself", "list beside itself", "write beside itself", "a new file", "a new folder", "a name for it"),
    *("a link to it", "a pipe with a name", "a file without a name", "shared memory as a file", "zeros for ever"),
}
"""Attempts that only Landlock refuses."""


def outcomes(tmp_path: Path, kind: str) -> dict[str, str]:
    """What came of every attempt."""
    folder = tmp_path / "bots"
    folder.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("the dice")
    lock = folder / ".serai-lock"
    lock.touch()
    file = folder / "bot.py"
    known = {"PARENT": os.getpid(), "SECRET": str(secret), "OWN": str(file), "COMPILING": str(lock)}
    names = "\n".join(f"{name} = {value!r}" for name, value in known.items())
    file.write_text(POLITE.replace("# --", f"{names}\n{ATTEMPTS}"))
    make: Any = find_bot(GAME, f"{kind}:{sys.executable} -I -S {file}")
    process = GreetedProgram(make.command)
    try:
        found: dict[str, str] = json.loads(process.program.ask(b'{"type": "decide"}\n', 60.0))
    finally:
        process.end()
    return found


def test_every_attempt_is_refused(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "process")
    assert len(found) >= 70
    assert {name: result for name, result in found.items() if not result.startswith("refused: ")} == {}


def test_every_attempt_would_work_without_walls(tmp_path: Path) -> None:
    """Or the test above would show nothing."""
    found = outcomes(tmp_path, "trusted")
    failed = {name: result for name, result in found.items() if result.startswith("refused: ")}
    assert {name: failed[name] for name in failed.keys() - REFUSED_TO_ALL} == {}


def test_where_files_cannot_be_guarded_system_calls_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    with pytest.raises(sandbox.NoSandbox, match=r"does not run without one \(--without-walls: .*write trusted:"):
        find_bot(GAME, "process:true")
    monkeypatch.setattr(sandbox, "_seccomp_alone", True)
    found = outcomes(tmp_path, "process")
    assert {name for name, result in found.items() if not result.startswith("refused: ")} <= CALLS_ALONE


def test_whoever_allows_half_a_sandbox_reads_it_in_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sandbox, "_seccomp_alone", False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.py").write_text("def decide(view, rng):\n    return view.actions()[-1]\n")
    simulate = ["simulate", "camelup", "isolated:plain.py:decide", "trusted:plain.py:decide", "random", "--games", "1"]
    arena = ["arena", "camelup", "plain.py:decide", "random", "--seats", "2", "--games", "2", "--seed", "x"]
    whole = sandbox.landlock_version

    def guarded(arguments: list[str]) -> dict[str, str]:
        assert run([*arguments, "--json"]) == 0
        found: dict[str, str] = json.loads(capsys.readouterr().out)["walls"]
        return found

    assert guarded(simulate) == {"isolated:plain.py:decide": "full", "trusted:plain.py:decide": "none"}
    assert guarded([*arena, "--file", "full.arena"]) == {"plain": "full"}
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    assert run(simulate) != 0
    assert "--without-walls" in capsys.readouterr().err
    assert guarded([*simulate, "--without-walls"])["isolated:plain.py:decide"] == "calls"
    with Archive(Path("full.arena")) as archive:
        for version in (lambda: 0, whole):
            monkeypatch.setattr(sandbox, "landlock_version", version)
            archive.note_walls()
            assert archive.walls == {"plain": "calls"}, "the least of all its games"
    assert run(["arena", "full.arena", "--show"]) == 0
    assert "plain played in half a sandbox" in capsys.readouterr().out


# -- what is counted ---------------------------------------------------------------------------------------------------

GREEDY = """
import ctypes, mmap, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_long
def hidden(pieces):
    \"\"\"Memory that the limit does not count: what cannot be written any more is no data.\"\"\"
    for _ in range(pieces):
        size = 64 * 1024**2
        address = libc.mmap(None, ctypes.c_size_t(size), 3, 0x22, -1, ctypes.c_long(0))
        if address == -1:
            raise MemoryError
        ctypes.memset(address, 1, size)
        libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(size), 1)
def crowd(count):
    threading.stack_size(32768)
    for _ in range(count):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
"""
PYTHON_BOT = f"{GREEDY}\nclass Bot:\n    def decide(self, view, rng):\n        DO\n        time.sleep(60)"
ENOUGH = amount(256, usage.MOST_MEMORY // 1024**2) * 1024**2
"""Bytes; to fill two gigabytes takes long."""
EXCESSES = [("hidden(64)", "used more than 2 GiB of memory"), ("crowd(300)", "started more than 256 threads")]


@pytest.mark.parametrize(("excess", "reason"), EXCESSES)
def test_a_program_that_uses_too_much_is_ended(
    excess: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "MOST_MEMORY", ENOUGH)
    folder = tmp_path / "bots"
    folder.mkdir()
    file = folder / "bot.py"
    file.write_text(POLITE.replace("# --", f"{GREEDY}\ndef decide(told):\n    {excess}\n    time.sleep(60)"))
    bot: Any = find_bot(GAME, f"process:{sys.executable} -I -S {file}")()
    pid = bot.pid
    try:
        with pytest.raises(NoAnswer, match=f"^{reason}$"):
            bot.decide_within(first_view(), random.Random(1), 60.0)
        assert not Path(f"/proc/{pid}").exists()
    finally:
        close(bot)


@pytest.mark.parametrize(("excess", "reason"), EXCESSES)
def test_a_bot_at_a_live_table_that_uses_too_much_is_ended(
    excess: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(usage, "MOST_MEMORY", ENOUGH)
    file = tmp_path / "bot.py"
    file.write_text(PYTHON_BOT.replace("DO", excess))
    view: Any = first_view()

    async def asked() -> None:
        process = await isolated_process(f"{file}:Bot")
        try:
            await process.ask(AddBot("x", "camelup", f"{file}:Bot"), 25.0)
            with pytest.raises(ChildLost, match=f"^{reason}$"):
                await process.ask(AskBot("x", [], msgspec.json.encode(view)), 60.0)
        finally:
            await process.end()

    asyncio.run(asked())


def test_memory_is_also_counted_over_many_quick_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "LOOK_SECONDS", 0.0)
    bot: Any = find_bot(GAME, "isolated:random")()
    monkeypatch.setattr(usage, "MOST_MEMORY", 1024)
    try:
        with pytest.raises(NoAnswer, match="used more than"):
            bot.decide_within(first_view(), random.Random(1), 60.0)
    finally:
        close(bot)


def test_a_bot_that_wants_to_outlive_its_parent_ends_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    folder.mkdir()
    file = folder / "bot.py"
    lasting = "import ctypes\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\ndef decide(told):\n    print('{}', flush=True)"
    file.write_text(POLITE.replace("# --", f"{lasting}\n    while True:\n        pass"))
    script = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.bots.test_attempts import GAME, find_bot
bot = find_bot(GAME, {f"process:{sys.executable} -I -S {file}"!r})()
process = bot._process().program
process.ask(b'{{"type": "decide"}}\\n', 20)
print(bot.pid, flush=True)
process.send(b"\\n")
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        wait_until(lambda: state_of(pid) == "R")  # it thinks on
        parent.kill()
        parent.wait()
        wait_until(lambda: state_of(pid) in ("", "Z"))


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""
