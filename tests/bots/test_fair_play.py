"""Cheats, each tried by a bot in a process of its own: what it finds out it says on its standard error."""

from __future__ import annotations

import ctypes
import json
import os
import random
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

import serai
from serai.bots import BotFailed, find_bot, landlock
from serai.bots.contract import NoAnswer, close
from serai.bots.referee import dealer_for, play
from serai.bots.specs import find_working_bot
from serai.core.record import verify
from tests.bots.test_programs import GAME, POLITE, first_view

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or landlock.version() < landlock.LEAST, reason="the kernel has no walls to put up"
)
SECRET = "a tournament's secret"

HOSTILE = """
import ctypes, resource, socket, subprocess, threading
def outcome(attempt):
    try:
        return repr(attempt())[:200]
    except BaseException as error:
        return f"refused: {error}"
def read(path):
    with open(path, "rb") as file:
        return file.read(100)
def call(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(number), *(ctypes.c_long(each) for each in arguments)) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def connect(family, address):
    with socket.socket(family) as line:
        line.connect(address)
def decide(told):
    parent = os.getppid()
    attempts = {
        "read the dealer's process": lambda: read(f"/proc/{parent}/mem"),
        "read what it was started with": lambda: read(f"/proc/{parent}/environ"),
        "read its arguments": lambda: read(f"/proc/{parent}/cmdline"),
        "trace it": lambda: call({"x86_64": 101, "aarch64": 117}[os.uname().machine], 0x4206, parent, 0, 0),
        "copy its memory": lambda: call({"x86_64": 310, "aarch64": 270}[os.uname().machine], parent, 0, 0, 0, 0, 0),
        "look at another bot": lambda: read(f"/proc/{OTHER}/mem"),
        "see where another bot is": lambda: os.listdir(f"/proc/{OTHER}"),
        "stop another bot": lambda: os.kill(OTHER, 0),
        "stop everybody": lambda: os.kill(-1, 0),
        "read the tournament": lambda: read(KEPT),
        "list its folder": lambda: os.listdir(os.path.dirname(KEPT)),
        "change the tournament": lambda: open(KEPT, "a"),
        "write where it stands": lambda: open("notes", "w"),
        "write a temporary file": lambda: open("/tmp/notes-of-a-bot", "w"),
        "read a password file": lambda: read("/etc/passwd"),
        "read the home folder": lambda: os.listdir(HOME),
        "patch the game": lambda: open(RULES, "a"),
        "read the game's code": lambda: read(RULES),
        "connect": lambda: connect(socket.AF_INET, ("127.0.0.1", PORT)),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)),
        "send a datagram": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT)),
        "fork": lambda: os.fork() or os._exit(0),
        "start a program": lambda: subprocess.run(["/bin/true"]),
        "share memory": lambda: call({"x86_64": 29, "aarch64": 194}[os.uname().machine], 0, 4096, 0o1000),
        "take a core for itself": lambda: os.sched_setaffinity(0, {0}),
        "more time": lambda: os.setpriority(0, parent, 10),
        "three gigabytes": lambda: len(bytearray(3 * 1024**3)),
        "more memory than it has": lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 40, 1 << 40)),
    }
    found = {name: outcome(attempt) for name, attempt in attempts.items()}
    found |= {"environment": dict(os.environ), "descriptors": sorted(descriptors())}
    sys.stderr.write(json.dumps(found))
    sys.exit(1)
def descriptors():
    for number in range(64):
        try:
            os.fstat(number)
            yield number
        except OSError:
            pass
"""


def test_a_hostile_program_gets_at_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERAI_DATABASE", "postgresql://somebody:password@somewhere/tables")
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "tournament.toml"
    kept.write_text(SECRET)
    other: Any = find_bot(GAME, "isolated:random")()
    rules = sys.modules[type(GAME.new()).__module__].__file__
    with socket.create_server(("127.0.0.1", 0)) as port, kept.open() as inherited:
        os.set_inheritable(inherited.fileno(), True)
        known = {"OTHER": other.pid, "KEPT": str(kept), "HOME": str(Path.home()), "RULES": rules}
        told = "\n".join(f"{name} = {value!r}" for name, value in (known | {"PORT": port.getsockname()[1]}).items())
        # beside the tournament's own file: a bot has its own file there, not the folder
        (tmp_path / "bot.py").write_text(POLITE.replace("# --", f"{told}\n{HOSTILE}"))
        bot: Any = find_bot(GAME, f"process:{sys.executable} -I -S bot.py")()
        status = Path(f"/proc/{bot.pid}/status").read_text()
        with pytest.raises(NoAnswer) as failed:
            bot.decide_within(first_view(), random.Random(1), 30.0)
    printed = failed.value.printed
    found = json.loads(printed[printed.index("{") :])
    assert set(found.pop("environment")) <= {"PATH", "LANG", "LC_CTYPE"}
    assert found.pop("descriptors") == [0, 1, 2]
    assert "refused" in found.pop("three gigabytes")
    got = {name: outcome for name, outcome in found.items() if not outcome.startswith("refused: ")}
    assert not got
    assert kept.read_text() == SECRET
    assert "CapEff:\t0000000000000000" in status, "not even where the root user runs it"
    assert "NoNewPrivs:\t1" in status
    try:
        assert other.decide_within(first_view(), random.Random(1), 30.0), "the other bot plays on"
    finally:
        close(other)


PYTHON_CHEATS = """
import gc, os, sys, time
import serai
from serai.core.dealer import Dealer
from serai.bots.referee import dealer_for

def dealer_by_frames(view, rng):
    frame, found = sys._getframe(), []
    while frame is not None:
        found += [value for value in frame.f_locals.values() if isinstance(value, Dealer)]
        frame = frame.f_back
    found += [thing for thing in gc.get_objects() if isinstance(thing, Dealer)]
    assert not found, "read the dealer"
    return view.actions()[0]

def patching(view, rng):
    kind = type(view)
    kind.scores = lambda self: tuple(1000 if seat == self.turn else 0 for seat in range(self.players))
    kind.winners = lambda self: (0,)
    return view.actions()[-1]

def stubborn(view, rng):
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass

def leaving(view, rng):
    os._exit(0)

def flooding(view, rng):
    while True:
        os.write(1, b"x" * 65536)

class Bomb:
    def decide(self, view, rng):
        for _ in range(10_000):
            os.fork()
"""


@pytest.fixture
def cheats(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "cheats.py"
    file.write_text(PYTHON_CHEATS)
    return file


def test_no_dealer_is_where_an_isolated_bot_could_look(cheats: Path) -> None:
    seated = [("cheat", find_bot(GAME, f"{cheats}:dealer_by_frames")()), ("random", find_bot(GAME, "random")())]
    with pytest.raises(BotFailed, match="read the dealer"):  # in one process it is there for the taking
        play(GAME, seated, dealer=dealer_for("x"), seed="x", seconds=30.0)
    bot: Any = find_bot(GAME, f"isolated:{cheats}:dealer_by_frames")()
    try:
        assert bot.decide_within(first_view(), random.Random(1), 30.0)
    finally:
        close(bot)


def test_a_game_that_an_isolated_bot_patches_stays_as_it_is(cheats: Path) -> None:
    bots = [("cheat", find_bot(GAME, f"isolated:{cheats}:patching")()), ("random", find_bot(GAME, "random")())]
    outcome = play(GAME, bots, dealer=dealer_for("x"), seed="x", seconds=30.0)
    close(bots[0][1])
    assert outcome.state.scores() == outcome.state.money
    assert max(outcome.state.scores()) < 1000
    assert verify(outcome.record).finished


@pytest.mark.parametrize(
    ("bot", "reason", "seconds"),
    [
        ("stubborn", "took longer than 1 s", 1.0),
        ("leaving", r"ended \(exit code 0\)", 30.0),
        ("flooding", "took longer than 1 s", 1.0),
        ("Bomb", r"ended \(exit code 1\)", 30.0),
    ],
)
def test_one_that_hangs_leaves_floods_or_multiplies_is_ended(
    bot: str, reason: str, seconds: float, cheats: Path
) -> None:
    made: Any = find_bot(GAME, f"isolated:{cheats}:{bot}")()
    pid = made.pid
    with pytest.raises(NoAnswer, match=reason):
        made.decide_within(first_view(), random.Random(1), seconds)
    with pytest.raises(ProcessLookupError):
        os.killpg(pid, 0)


def test_a_bot_that_guesses_seeds_finds_none() -> None:
    """It may know the code: what it would have to guess is as long as a key."""
    guesses = [*range(1000), "", "seed", "serai"]
    known = serai.simulate("camelup", ["random", "random"], games=1).seed
    assert any(str(guess) == known for guess in guesses), "what everybody knows is found at once"
    drawn = serai.simulate("camelup", ["isolated:random", "random"], games=1).seed
    actual = dealer_for(f"{drawn} 0").reveal()
    assert all(dealer_for(f"{guess} 0").reveal() != actual for guess in guesses)


def test_memory_and_time_are_bounded_from_outside() -> None:
    bot: Any = find_working_bot(GAME, "isolated:random")()
    try:
        limits = Path(f"/proc/{bot.pid}/limits").read_text()
    finally:
        close(bot)
    bounded = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()}
    assert bounded["Max data size"] == [str(2 * 1024**3)] * 2
    assert bounded["Max cpu time"] == [str(6 * 60 * 60)] * 2
    assert bounded["Max core file size"] == ["0", "0"]
    assert ctypes.sizeof(ctypes.c_void_p) == 8
