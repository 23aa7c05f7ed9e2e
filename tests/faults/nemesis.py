"""What goes wrong, and when: a plan of faults from a seed, and whoever carries it out."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct, structs

from tests.faults.history import Done, History
from tests.faults.proxy import Harm

Kind = Literal["kill", "stop", "away", "cut"]
KINDS: tuple[Kind, ...] = ("kill", "stop", "away", "cut")
HARMS: tuple[Harm, ...] = ("cut", "deaf", "stall")
PROCESSES = 2


class Fault(Struct, frozen=True):
    """One fault: to which process (the database is everybody's), how, for how long, and the quiet before it."""

    kind: Kind
    target: int
    how: Harm | Literal[""]
    seconds: float
    quiet: float


class Lengths(Struct, frozen=True):
    """How long things take, from and to, in seconds."""

    hang: tuple[float, float]
    """What is stopped or held up, without being gone."""
    others: tuple[float, float]
    quiet: tuple[float, float]


class Victims(Protocol):
    """What can be harmed."""

    async def kill(self, target: int, seconds: float) -> None:
        """SIGKILL, and a new process in its place after a while."""

    async def stop(self, target: int, seconds: float) -> None:
        """SIGSTOP and SIGCONT."""

    async def away(self, seconds: float) -> None:
        """The database crashes, and comes back."""

    async def cut(self, target: int, how: Harm, seconds: float) -> None:
        """The way between a process and the database."""


def plan(seed: int, amounts: Mapping[Kind, int], lengths: Lengths) -> list[list[Fault]]:
    """For each process, and for the database, what happens to it one after the other; the same from the same seed."""
    rng = random.Random(seed)
    lanes: list[list[Fault]] = [[] for _ in range(PROCESSES + 1)]
    for kind in KINDS:
        for number in range(amounts[kind]):
            target = PROCESSES if kind == "away" else number % PROCESSES
            how = HARMS[number // PROCESSES % len(HARMS)] if kind == "cut" else ""
            seconds = rng.uniform(*(lengths.hang if kind == "stop" or how == "stall" else lengths.others))
            lanes[target].append(Fault(kind, target, how, seconds, rng.uniform(*lengths.quiet)))
    longest = max(map(len, lanes))
    return [_spread(rng.sample(lane, len(lane)), longest) for lane in lanes]


def _spread(lane: list[Fault], among: int) -> list[Fault]:
    """The same faults with more quiet between them, if there are fewer than ``among``."""
    return [structs.replace(fault, quiet=fault.quiet * among / len(lane)) for fault in lane]


async def carry_out(lanes: list[list[Fault]], victims: Victims, history: History) -> None:
    """All lanes at the same time: a process may be killed while the other is cut off and the database away."""
    async with asyncio.TaskGroup() as together:
        for lane in lanes:
            together.create_task(_one_by_one(lane, victims, history))


async def _one_by_one(lane: list[Fault], victims: Victims, history: History) -> None:
    for fault in lane:
        await asyncio.sleep(fault.quiet)
        begun = time.monotonic()
        match fault.kind:
            case "kill":
                await victims.kill(fault.target, fault.seconds)
            case "stop":
                await victims.stop(fault.target, fault.seconds)
            case "away":
                await victims.away(fault.seconds)
            case "cut":
                assert fault.how
                await victims.cut(fault.target, fault.how, fault.seconds)
        history.faults.append(Done(fault.kind, fault.target, fault.how, begun, time.monotonic()))
