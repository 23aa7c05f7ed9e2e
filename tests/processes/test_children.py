"""Children: what they read and print does not disturb their messages, and nothing of them is left behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai.processes import fork, framing
from serai.processes.async_parent import AsyncChild
from serai.processes.parent import Child, ChildLost, environment
from tests.support import wait_until

SECONDS = 30.0


class Word(msgspec.Struct, frozen=True, tag="word"):
    text: str


WORDS: framing.Messages[Word] = framing.Messages(Word)

MAIN = """
import os, subprocess, sys, time
import msgspec
from serai.processes import child, framing

def answer(request):
    text = msgspec.msgpack.decode(request)["text"]
    if text == "print":
        print("in between", flush=True)
        os.write(1, b"and again")
    if text == "read":
        text = repr(sys.stdin.read())
    if text == "die":
        os._exit(3)
    if text == "sleep":
        time.sleep(60)
    if text == "start":
        text = str(subprocess.Popen(["sleep", "60"]).pid)
    if text == "environment":
        text = " ".join(sorted(os.environ))
    return msgspec.msgpack.encode({"type": "word", "text": text})

child.serve(answer, idle=float(sys.argv[1]) if sys.argv[1:] else None, poll_parent="poll" in sys.argv)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "child_of_a_test.py").write_text(MAIN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return "child_of_a_test"


def run(main: Callable[[], Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(60):
            return await main()

    return asyncio.run(bounded())


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_what_a_child_prints_and_reads_stays_out_of_its_messages(module: str) -> None:
    async def work() -> list[str]:
        child = await AsyncChild.start(module, answers=WORDS)
        try:
            return [(await child.ask(Word(text), SECONDS)).text for text in ("print", "read", "last")]
        finally:
            await child.end()

    assert run(work) == ["print", "''", "last"]


@pytest.mark.parametrize(("request_text", "reason"), [("die", "its process died"), ("sleep", "took longer than 1 s")])
def test_a_child_that_does_not_answer_is_lost_and_ended(module: str, request_text: str, reason: str) -> None:
    async def work() -> int:
        child = await AsyncChild.start(module, answers=WORDS)
        await child.ask(Word("first"), SECONDS)
        with pytest.raises(ChildLost, match=reason):
            await child.ask(Word(request_text), 1.0 if request_text == "sleep" else SECONDS)
        await child.end()
        return child.pid

    assert gone(run(work))


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_a_child_is_ended_with_all_it_started(module: str) -> None:
    async def work() -> list[int]:
        child = await AsyncChild.start(module, answers=WORDS)
        started = int((await child.ask(Word("start"), SECONDS)).text)
        await child.end()
        return [child.pid, started]

    for pid in run(work):
        wait_until(lambda pid=pid: gone(pid))  # type: ignore[misc]


def test_a_child_that_is_ended_while_somebody_waits_for_its_answer_is_lost(module: str) -> None:
    async def work() -> None:
        child = await AsyncChild.start(module, answers=WORDS)
        waiting = asyncio.create_task(child.ask(Word("sleep"), SECONDS))
        await asyncio.sleep(0.2)
        await child.end()
        with pytest.raises(ChildLost, match="died"):
            await waiting

    run(work)


def test_a_child_gets_no_secret_from_our_environment(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERAI_DATABASE", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY", "NUMBA_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    assert not {"SERAI_DATABASE", "PGPASSWORD", "AWS_SECRET_ACCESS_KEY"} & environment(compiled=True).keys()
    assert "NUMBA_NUM_THREADS" in environment(compiled=True)
    assert environment(compiled=False).keys() <= {
        *("PYTHONHOME", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "LANG", "LC_ALL"),
        *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"),
    }

    async def work() -> str:
        child = await AsyncChild.start(module, answers=WORDS)
        try:
            return (await child.ask(Word("environment"), SECONDS)).text
        finally:
            await child.end()

    assert not {"SERAI_DATABASE", "PGPASSWORD"} & set(run(work).split())


# -- blocking ----------------------------------------------------------------------------------------------------------


def ask(child: Child, text: str) -> str:
    return WORDS.decode(child.ask(framing.encode(Word(text)))).text


def test_blocking_code_asks_the_same_children(module: str) -> None:
    child = Child(module)
    try:
        assert ask(child, "print") == "print"
        assert child.alive
        with pytest.raises(ChildLost, match="ended with exit code 3"):
            ask(child, "die")
        assert not child.alive
    finally:
        child.end()


def test_a_child_that_is_not_needed_ends_by_itself(module: str) -> None:
    child = Child(module, "0.2")
    assert ask(child, "first") == "first"
    wait_until(lambda: not child.alive)
    child.end()


def test_a_child_that_looks_for_its_parent_ends_with_it(module: str) -> None:
    script = f"""
import msgspec, time
from serai.processes.parent import Child
child = Child({module!r}, "600", "poll")
child.ask(msgspec.msgpack.encode({{"text": "first"}}))
print(child._process.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        wait_until(lambda: gone(pid))


# -- forks -------------------------------------------------------------------------------------------------------------


def double(connection: Any, numbers: Any) -> None:
    while True:
        value = fork.receive(connection)
        numbers[0] = value
        connection.send(2 * value)


def test_a_fork_works_on_what_it_is_sent_until_it_is_ended() -> None:
    numbers = fork.shared_numbers(1)
    copy = fork.Fork(double, numbers)
    copy.connection.send(21)
    assert copy.connection.recv() == 42
    assert numbers[0] == 21
    assert copy.alive
    began = time.monotonic()
    copy.end()
    assert time.monotonic() - began < 10
    assert copy.exit_code == -9
