"""The table of refused system calls, and the filter that is built of it."""

from __future__ import annotations

import errno
import platform
import re
from pathlib import Path

import pytest

from serai.processes import sandbox
from serai.processes.sandbox import FIRST_UNKNOWN, MACHINES, REFUSED, REFUSED_EVERYWHERE, build_filter, refused_numbers

ALLOW, REFUSE, ABSENT, KILL = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}
PROCESS = 4711


def outcome(steps: list[sandbox.Step], number: int, machine: int, *arguments: int) -> int:
    """What the kernel would do: the filter, step by step."""
    given = (*arguments, 0, 0, 0, 0)
    memory, register, at = {0: number, 4: machine, **{16 + 8 * place: given[place] for place in range(4)}}, 0, 0
    while True:
        operation, if_true, if_false, value = steps[at]
        at += 1
        match operation:
            case 0x20:
                register = memory[value]
            case 0x06:
                return value
            case 0x15:
                at += if_true if register == value else if_false
            case 0x35:
                at += if_true if register >= value else if_false
            case 0x45:
                at += if_true if register & value else if_false
            case _:
                raise AssertionError(f"no such operation: {operation:#x}")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("executable", [False, True])
def test_the_filter_refuses_what_the_table_names_and_nothing_else(machine: str, executable: bool) -> None:
    steps = build_filter(machine, PROCESS, executable=executable)
    assert len(steps) < 4096, "the kernel takes no longer filter"
    refused = set(refused_numbers(machine, executable=executable))
    by_argument = {both[MACHINES.index(machine)] for both in sandbox._BY_ARGUMENT.values()}
    assert not refused & by_argument
    for number in range(FIRST_UNKNOWN + 100):
        if number in by_argument:
            continue
        expected = REFUSE if number in refused else ABSENT if number >= FIRST_UNKNOWN or number == 435 else ALLOW
        assert outcome(steps, number, ARCHITECTURE[machine]) == expected, number
    for name in ("execve", "execveat"):
        call = REFUSED[name][MACHINES.index(machine)]
        assert call is not None
        assert outcome(steps, call, ARCHITECTURE[machine]) == (ALLOW if executable else REFUSE)


@pytest.mark.parametrize("machine", MACHINES)
def test_some_calls_are_allowed_with_harmless_arguments(machine: str) -> None:
    steps, here = build_filter(machine, PROCESS), ARCHITECTURE[machine]
    number = {name: both[MACHINES.index(machine)] for name, both in sandbox._BY_ARGUMENT.items()}
    threads, processes = 0x3D0F00, 0x1200011
    assert outcome(steps, number["clone"], here, threads) == ALLOW
    assert outcome(steps, number["clone"], here, processes) == REFUSE
    for name in ("kill", "tgkill"):
        assert outcome(steps, number[name], here, PROCESS) == ALLOW
        assert outcome(steps, number[name], here, PROCESS + 1) == REFUSE
    assert [outcome(steps, number["prlimit64"], here, of) for of in (0, PROCESS, 1)] == [ALLOW, ALLOW, REFUSE]
    counted_by_user = [of for of in range(16) if outcome(steps, number["prlimit64"], here, 0, of) == REFUSE]
    assert counted_by_user == [6, 8, 11, 12]
    locks_leases_owners_hints = (5, 6, 7, 8, 10, 15, 36, 37, 38, 1024, 1025, 1026, 1035, 1036, 1037, 1038, 1044)
    for name, harmless, commands in (
        ("fcntl", (1, 2, 3, 4, 1030), locks_leases_owners_hints),
        ("ioctl", (0x5401, 0x541B, 0x5421), (0x8901, 0x8902, 0x40086602, 0x40087602, 0x40806685)),
    ):
        assert {outcome(steps, number[name], here, 0, command) for command in harmless} == {ALLOW}
        assert {outcome(steps, number[name], here, 0, command) for command in commands} == {REFUSE}
    assert [outcome(steps, number["prctl"], here, option) for option in (1, 67, 2, 15, 38)] == [REFUSE] * 2 + [
        ALLOW
    ] * 3
    private, of_a_file, nameless, shared = 0x22, 0x01, 0x21, 0x03
    for flags in (private, of_a_file, shared, 0x02, 0x4022):
        assert outcome(steps, number["mmap"], here, 0, 4096, 3, flags) == ALLOW, hex(flags)
    for flags in (nameless, nameless | 2, private | 0x100, private | 0x40000, of_a_file | 0x40000):
        assert outcome(steps, number["mmap"], here, 0, 4096, 3, flags) == REFUSE, hex(flags)
    assert [outcome(steps, number["madvise"], here, 0, 0, of) for of in (4, 8, 12, 20, 21)] == [ALLOW] * 2 + [
        REFUSE
    ] * 3
    for operation in (*range(128, 141), 128 + 256, 0, 9, 256, 265):
        assert outcome(steps, number["futex"], here, 0, operation) == ALLOW, operation
    for operation in (*range(1, 9), 10, 11, 12, 257):
        assert outcome(steps, number["futex"], here, 0, operation) == REFUSE, operation


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_machine_end_the_process(machine: str) -> None:
    steps = build_filter(machine, PROCESS)
    other = ARCHITECTURE[next(each for each in MACHINES if each != machine)]
    assert outcome(steps, 0, other) == KILL
    x32 = 0x40000000
    assert outcome(steps, x32 + 59, ARCHITECTURE[machine]) == ABSENT


def test_no_number_is_named_twice() -> None:
    for machine in MACHINES:
        numbers = refused_numbers(machine)
        assert len(numbers) == len(set(numbers)) >= 75
    assert not REFUSED.keys() & REFUSED_EVERYWHERE.keys()
    only_on_x86 = {name for name, (_, arm) in REFUSED.items() if arm is None}
    assert all(x86 is not None for x86, _ in REFUSED.values())
    assert only_on_x86 == {
        *("fork", "vfork", "chmod", "chown", "lchown", "utime", "utimes", "futimesat", "inotify_init")
    }


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernels_own_headers(machine: str) -> None:
    if not HEADERS[machine].is_file():
        pytest.skip("the headers of the kernel are not installed")
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", HEADERS[machine].read_text(), re.MULTILINE)
    known = {name: int(number) for name, number in found}
    here = {name: numbers[MACHINES.index(machine)] for name, numbers in REFUSED.items()} | REFUSED_EVERYWHERE
    here |= {name: numbers[MACHINES.index(machine)] for name, numbers in sandbox._BY_ARGUMENT.items()}
    later = {  # than the headers that most systems have
        *("fchmodat2", "setxattrat", "removexattrat", "cachestat", "futex_wake", "futex_wait", "futex_requeue")
    }
    for name, number in here.items():
        assert known.get(name) == number or name in later, name


def test_a_machine_that_is_not_in_the_table_has_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not sandbox.available()
    with pytest.raises(OSError, match="no list of system calls for riscv64"):
        sandbox.restrict_calls()
    with pytest.raises(sandbox.NoSandbox, match="x86-64 or ARM64"):
        sandbox.confine([])
    with pytest.raises(sandbox.NoSandbox, match="write trusted:bot"):
        sandbox.require("trusted:bot")
