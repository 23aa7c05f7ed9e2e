"""Cheats: where the game is they find all there is, in a process of their own nothing."""

from __future__ import annotations

import asyncio
import ctypes
import hashlib
import json
import os
import random
import socket
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.bots import find_bot
from serai.bots.contract import NoAnswer, close
from serai.bots.referee import dealer_for, play
from serai.bots.specs import find_working_bot
from serai.camelup.rules.rules import CamelUpState
from serai.core.dealer import Dealer
from serai.core.play import deal
from serai.core.record import verify
from serai.processes import sandbox
from serai.server.bots.worker import AddBot, AskBot, isolated_process
from tests.bots.test_programs import GAME, POLITE, first_view

pytestmark = pytest.mark.skipif(not sandbox.available(), reason="this kernel has no sandbox")
SECRET = "a tournament's secret"
SECONDS = 30.0

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


CHEATS = '''
import gc, json, os, sys, time
import serai
from serai.bots.referee import dealer_for
from serai.camelup.rules.rules import CamelUpState
from serai.core.chance import CHANCE
from serai.core.dealer import Dealer

def knows(thing):
    """The dealer of the game, or a state that shows what another seat holds."""
    if isinstance(thing, Dealer):
        return True
    return isinstance(thing, CamelUpState) and thing.leg > 0 and all(None not in hand for hand in thing.hands)

def in_frames():
    frame, found = sys._getframe(), 0
    while frame is not None:
        things = list(frame.f_locals.values())
        things += [each for thing in things for each in getattr(thing, "__dict__", {}).values()]
        found += sum(map(knows, things))
        frame = frame.f_back
    return found

def in_memory():
    return sum(map(knows, gc.get_objects()))

def by_known_seeds(view):
    """How many of the seeds that people use would have set up this very race."""
    found = 0
    for seed in ("0", "1", "7", "42", *(f"{seed} {number}" for seed in ("1", "7") for number in range(20))):
        dealer, state = dealer_for(seed), serai.game("camelup").new(len(view.money))
        while state.actor is CHANCE:
            state = state.apply(dealer.draw(state))
        found += state.track == view.track
    return found

def in_files():
    """What there is to read beside it: a tournament with its secret, another bot, and what other processes hold."""
    wanted = ["kept.arena", "rival.py", f"/proc/{os.getppid()}/mem", f"/proc/{os.getppid()}/environ"]
    folder, found = os.path.dirname(os.path.abspath(__file__)), 0
    for name in wanted:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                found += bool(file.read(1) or True)
        except OSError:
            pass
    return found

TOLD = []

def curious(view, rng):
    """Looks for all of it once, patches the game, and tells what it found and who it is."""
    if TOLD:
        return rng.choice(view.actions())
    TOLD.append(True)
    told = {"frames": in_frames(), "memory": in_memory(), "seeds": by_known_seeds(view), "files": in_files()}
    CamelUpState.scores = lambda state: (999,) * len(state.money)
    raise RuntimeError(json.dumps(told))

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
'''
"""Bots that would rather know than think."""
FOUND_NOTHING = {"frames": 0, "memory": 0, "seeds": 0, "files": 0}


def told_by(reason: str) -> dict[str, int]:
    """What ``curious`` says that it found."""
    found: dict[str, int] = json.loads(reason.partition(": ")[2])
    return found


@pytest.fixture
def cheats(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "cheats.py"
    file.write_text(CHEATS)
    return file


def test_in_the_process_of_the_game_cheats_find_everything(cheats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is why bots there are trusted code, and the documentation says so."""
    monkeypatch.setattr(CamelUpState, "scores", CamelUpState.scores)
    bots = [("cheat", find_bot(GAME, f"{cheats}:curious")()), ("honest", find_bot(GAME, "random")())]
    played = play(GAME, bots, dealer=dealer_for("1 0"), seed="1 0", tolerate=True)
    found = told_by(played.faults[0].reason)
    assert found["frames"] > 0
    assert found["memory"] > 0
    assert found["seeds"] == 1
    assert found["files"] > 0
    assert played.record.result == (999, 999)


def by_lines(spec: str, view: Any) -> str:
    """What a bot of this spec says went wrong, asked as a program is."""
    bot: Any = find_bot(GAME, f"isolated:{spec}")()
    try:
        with pytest.raises(NoAnswer) as failed:
            bot.decide_within(view, random.Random(1), SECONDS)
        return failed.value.reason
    finally:
        close(bot)


def at_a_live_table(spec: str, view: Any) -> str:
    """The same, asked as a server asks the bots of its guests."""

    async def asked() -> str:
        process = await isolated_process(spec)
        try:
            await process.ask(AddBot("x", "camelup", spec), SECONDS)
            return (await process.ask(AskBot("x", [], msgspec.json.encode(view)), SECONDS)).fault
        finally:
            await process.end()

    return asyncio.run(asked())


@pytest.mark.parametrize("ask", [by_lines, at_a_live_table])
def test_in_a_process_of_its_own_the_same_cheats_find_nothing(ask: Any, cheats: Path) -> None:
    dealer = Dealer(hashlib.sha256(b"follows from no seed").digest())
    state: Any = deal(GAME.new(2), dealer).after
    assert told_by(ask(f"{cheats}:curious", state.seen_by(state.actor))) == FOUND_NOTHING
    assert state.scores() == state.money, "whatever it patched, it patched for itself"


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
    ],
)
def test_one_that_hangs_leaves_or_floods_is_ended(bot: str, reason: str, seconds: float, cheats: Path) -> None:
    made: Any = find_bot(GAME, f"isolated:{cheats}:{bot}")()
    pid = made.pid
    with pytest.raises(NoAnswer, match=reason):
        made.decide_within(first_view(), random.Random(1), seconds)
    with pytest.raises(ProcessLookupError):
        os.killpg(pid, 0)


def test_one_that_multiplies_cannot(cheats: Path) -> None:
    made: Any = find_bot(GAME, f"isolated:{cheats}:Bomb")()
    pid = made.pid
    with pytest.raises(NoAnswer, match="raised PermissionError"):
        made.decide_within(first_view(), random.Random(1), SECONDS)
    close(made)
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
