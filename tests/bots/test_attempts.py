"""What a sandboxed bot may try: every attempt works without the sandbox, and is refused, counted or explained in it."""

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
from tests.bots.attempts import ATTEMPTS, LAST, LIMITED, PAGE, REASONS, kinds, page
from tests.bots.test_programs import GAME, POLITE, first_view
from tests.support import amount, wait_until

pytestmark = pytest.mark.skipif(not sandbox.available(), reason="this kernel has no sandbox")

REFUSED_TO_ALL = {
    "zeros for ever",  # a device that only some kernels map so
    "notes at a file",  # not every file system has them
    "notes by a descriptor",
    "remove a note at a file",
    "read the flags of a file",
    "change the flags of a file",
    "read the version of a file",
    "note how long a file lives",
    "read how long it lives",
    "swap two files",
    "be told of a folder",
    "another namespace",
    "shared memory as a file",
    "list shared memory",
    "a terminal",
    "a socket of IPv6",
    *kinds()["the machine"],  # also root may be kept from that
    *("a raw socket", "signal the first process", "queue signals for itself", "three gigabytes"),
    *("more files than are allowed", "a process with users of its own", "read the passwords themselves"),
    *("read connections", "change the kernel's settings"),
}
"""Attempts that some kernels and file systems refuse to everybody, or limits that all programs have."""
KNOWN_BY_THEIR_ERROR = {
    "EINVAL",
    "EBADF",
    "EFAULT",
    "ESRCH",
    "ENODATA",
    "ENOENT",
    "EAGAIN",
    "ENOMEM",
    "EAFNOSUPPORT",
    "ENOSYS",
}
"""What the kernel says to attempts that are made in vain on purpose, so that they do no harm where they are allowed."""


def outcomes(tmp_path: Path, kind: str) -> dict[str, str]:
    """What came of every attempt."""
    folder = tmp_path / "bots"
    folder.mkdir()
    secret = tmp_path / "secret"
    secret.write_text("the dice")
    spare = tmp_path / "spare"
    spare.touch()
    (tmp_path / "spare.folder").mkdir()
    link = folder / "link"
    link.symlink_to(secret)
    lock = folder / ".serai-lock"
    lock.touch()
    file = folder / "bot.py"
    known = {"PARENT": os.getpid(), "SECRET": str(secret), "OWN": str(file), "COMPILING": str(lock)}
    known |= {"SPARE": str(spare), "LINK": str(link)}
    names = "\n".join(f"{name} = {value!r}" for name, value in known.items())
    file.write_text(POLITE.replace("# --", f"{names}\n{ATTEMPTS}"))
    make: Any = find_bot(GAME, f"{kind}:{sys.executable} -I -S {file}")
    process = GreetedProgram(make.command)
    try:
        found: dict[str, str] = json.loads(process.program.ask(b'{"type": "decide"}\n', 60.0))
    finally:
        process.end()
    return found


def is_refused(name: str, result: str) -> bool:
    """Whether the sandbox refused it, and nothing else was the matter."""
    return result in ("refused: EPERM", "refused: EACCES") or (
        name in LIMITED and result.startswith(f"refused: {LIMITED[name]}")
    )


def test_every_attempt_is_refused_or_allowed_with_a_reason(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "process")
    assert len(found) == sum(map(len, kinds().values())) >= 141
    assert {
        name: result for name, result in found.items() if name not in REASONS and not is_refused(name, result)
    } == {}
    assert {name: result for name, result in found.items() if name in REASONS and result.startswith("refused: ")} == {}
    assert kinds()[LAST].keys() == REASONS.keys()


def test_every_attempt_would_work_without_a_sandbox(tmp_path: Path) -> None:
    """Or the test above would show nothing."""
    found = outcomes(tmp_path, "trusted")
    failed = {name: error for name, result in found.items() if (error := result.partition("refused: ")[2])}
    kept = {name: error for name, error in failed.items() if error not in KNOWN_BY_THEIR_ERROR}
    assert {name: kept[name] for name in kept.keys() - REFUSED_TO_ALL} == {}


def test_where_files_cannot_be_guarded_system_calls_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "whole").mkdir()
    whole = outcomes(tmp_path / "whole", "process")
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    with pytest.raises(sandbox.NoSandbox, match=r"does not run without one \(--without-walls: .*write trusted:"):
        find_bot(GAME, "process:true")
    monkeypatch.setattr(sandbox, "_seccomp_alone", True)
    found = outcomes(tmp_path, "process")
    let = {name for name, result in found.items() if not is_refused(name, result)}
    assert let - REASONS.keys() <= {name for name, result in whole.items() if result == "refused: EACCES"} | {
        "look up a name"
    }


def test_the_page_lists_every_attempt() -> None:
    assert page(PAGE.read_text()) == PAGE.read_text(), "run: python -m tests.bots.attempts"


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
