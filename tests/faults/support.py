"""A server as its host would start it: a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support import SERAI

COMMAND = (*SERAI, "serve", "--no-open", "--no-bot-delay")
_NEVER = f"from serai.server.bots import seats; seats.AFTER_PERSON = {24 * 60 * 60.0}; "
BOTS_NEVER_ACT = (*SERAI[:-1], _NEVER + SERAI[-1], "serve", "--no-open")
"""Bots wait for a day after a person acted: whatever a test does before their turn is over, it is in time."""
_SOON = (
    "from serai.server.peers import postgres; from serai.server.tables import sync; "
    "postgres.LEASE_SECONDS = 1.5; postgres.PATROL_SECONDS = sync.TAKE_OVER_SECONDS = 0.3; "
)
SOON_MISSED = (*SERAI[:-1], _SOON + SERAI[-1], *COMMAND[len(SERAI) :])
"""Who is silent is missed sooner than usual."""

_BRIEF = (
    "from serai.table import clock; clock.GRACE_SECONDS = 1.0; counting = clock.TurnClock.__init__\n"
    "clock.TurnClock.__init__ = lambda self, seconds: counting(self, seconds / 15)\n"
)
TIME_FLIES = (*SERAI[:-1], _BRIEF + SERAI[-1], *COMMAND[len(SERAI) :])
"""Who is away may soon be played for, and a clock of half a minute leaves two seconds."""
_NO_COURTESY = "from serai.server.bots import seats; seats.AFTER_PERSON = seats.AFTER_BOT = 0.0; "
BOTS_ACT_AT_ONCE = (*SERAI[:-1], _NO_COURTESY + SERAI[-1], "serve", "--no-open")
"""Bots act as soon as they have decided, except where nobody looks: there they are as slow as ever."""

_IMPATIENT = "from serai.server.bots import pool; pool.TRIED_WITHIN = 0.3; "
TRIALS_NOT_AWAITED = (*SERAI[:-1], _IMPATIENT + SERAI[-1], *COMMAND[len(SERAI) :])
"""Who asks for a bot that is being tried is soon told to come again."""


class Process:
    """A running ``serai serve``."""

    def __init__(self, popen: subprocess.Popen[str], base: str) -> None:
        self.popen = popen
        self.base = base

    def kill(self) -> None:
        """The worst that can happen to it."""
        self.popen.send_signal(signal.SIGKILL)
        self.popen.wait()

    @contextlib.contextmanager
    def hung(self) -> Iterator[None]:
        """It lives, holds all its connections, and does nothing until the block ends."""
        self.popen.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.popen.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def process(
    database: Path | str,
    *arguments: str,
    command: Sequence[str] = COMMAND,
    env: Mapping[str, str] | None = None,
    limited: bool = False,
) -> Iterator[Process]:
    """Serve tables from this file or database until the block ends; players may be as quick as they can, unless they
    are ``limited`` as everybody is by default.
    """
    free = () if limited else ("--limit", "all=0")
    with subprocess.Popen(
        [*command, "--database", str(database), "--port", "0", *free, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(env or {})},
    ) as child:
        try:
            assert child.stdout is not None
            told: list[str] = []
            for line in child.stdout:  # what it logs may come first: that a peer has died
                told.append(line)
                if "Serai is open" in line:
                    break
            assert "http://" in "".join(told[-1:]), "".join(told)
            yield Process(child, told[-1].split()[-1])
        finally:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(10)
                child.kill()


def refused(*arguments: str, seconds: float = 20, **popen: Any) -> tuple[int, str]:
    """Run ``serai serve`` so that it should give up: its exit code and what it says."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=seconds, **popen)
    return done.returncode, done.stderr
