"""The sandbox around somebody else's bot, which its process puts up before any of the bot's code is loaded.

Inside, a bot can read what it is made of (Python or its own program, libraries, its folder) and nothing else: no
database, no other process, no network. It can write nothing, start nothing and signal nobody. It can still think,
remember, see which files exist (not what is in them) and use its time and memory, which are limited.

Landlock guards files, seccomp the rest: sockets, processes, signals, and whatever one bot could leave for another to
find. They need Linux 6.2 or later, and a machine whose system calls are listed here (:data:`MACHINES`). Elsewhere such
a bot is refused (:class:`NoSandbox`). Somebody who starts games may allow seccomp alone where there is no Landlock
(:func:`allow_seccomp_alone`), or say that they trust a bot (``trusted:``), and then nothing guards.

What seccomp cannot count (memory of every kind, threads) the parent counts: :mod:`serai.processes.usage`.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from serai.errors import SeraiError

MEMORY = 2 * 1024**3
"""Bytes of a bot's own data."""
OPEN_FILES = 64

_NEEDS = "the sandbox for bots needs Linux 6.2 or later, with Landlock, on x86-64 or ARM64"
_SHARED = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
    *("/dev/random", "/dev/urandom"),
)
"""Libraries and other files that programs and Python's modules load."""
_CAPABILITIES = 0x20080522
_PARENT_DIES, _KILLED = 1, 9


class NoSandbox(SeraiError):
    """A bot cannot be sandboxed here, so it is not run; the message says why."""


Walls = Literal["none", "calls", "full"]
"""What guards a bot: nothing, seccomp alone, Landlock and seccomp."""
IN_WORDS: dict[Walls, str] = {
    "none": "without a sandbox",
    "calls": "in half a sandbox (system calls were guarded, files were not)",
    "full": "in a sandbox",
}

_seccomp_alone = False


def allow_seccomp_alone() -> None:
    """Let bots play in this process, and in forks of it, where only their system calls can be guarded."""
    global _seccomp_alone
    _seccomp_alone = True


def walls() -> Walls:
    """What guards a sandboxed bot on this system; ``none``: it is refused."""
    if not _knows_calls():
        return "none"
    if landlock_version() >= LANDLOCK_LEAST:
        return "full"
    return "calls" if _seccomp_alone else "none"


def weaker(one: Walls, other: Walls) -> Walls:
    """The one that guards less."""
    return min(one, other, key=list(IN_WORDS).index)


def available() -> bool:
    """Whether this system can sandbox a bot completely."""
    return walls() == "full"


def require(trust: str) -> Walls:
    """What guards a sandboxed bot here; ``NoSandbox`` if nothing can. ``trust`` is what to write for a trusted one."""
    found = walls()
    if found == "none":
        alone = " (--without-walls: with its system calls guarded, but not your files)" if _knows_calls() else ""
        raise NoSandbox(
            f"{_NEEDS}, and a bot that is not part of Serai does not run without one{alone}; if you trust its author "
            f"with your files and your network, write {trust}"
        )
    return found


def confine(readable: Sequence[Path], *, executable: bool = False, files: bool = True) -> None:
    """Put the sandbox around this process, for good, and leave it these files and folders to read.

    ``executable``: they may also be executed, so that this process can become the program that it was started for.
    ``files``: whether files are guarded, too; somebody may have allowed seccomp alone.
    """
    if not _knows_calls() or (files and landlock_version() < LANDLOCK_LEAST):
        raise NoSandbox(_NEEDS)
    if len(list(Path("/proc/self/task").iterdir())) != 1:
        raise NoSandbox("an installed package starts threads in every Python process, so none can be sandboxed")
    try:
        if _libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "new privileges cannot be given up")
        if files:
            _restrict_files(readable, executable=executable)
        _drop_capabilities()
        _let_no_signals_wait()
        restrict_calls(executable=executable)
    except OSError as error:
        raise NoSandbox(f"the system refuses to sandbox a bot: {error}") from error


def _knows_calls() -> bool:
    """Whether seccomp can guard system calls here."""
    return sys.platform == "linux" and platform.machine() in MACHINES


def limit_resources(cpu_seconds: int | None = None) -> None:
    """Limit this process's memory, open files and share of the processors, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")  # where memory runs out, a bot goes first
    with contextlib.suppress(ImportError):
        import resource

        os.nice(5)
        _limit(resource.RLIMIT_DATA, MEMORY)
        _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
        _limit(resource.RLIMIT_CORE, 0)
        if cpu_seconds is not None:
            _limit(resource.RLIMIT_CPU, cpu_seconds)


def _limit(what: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(what)[1]
    least = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError, ValueError):  # not every system limits everything
        resource.setrlimit(what, (least, least))


def end_with_parent() -> None:
    """Let the kernel kill this process when the thread that started it ends, however it ends."""
    if sys.platform == "linux":
        _libc().prctl(_PARENT_DIES, _KILLED, 0, 0, 0)


def python_files(bot: Path | None) -> list[Path]:
    """What a bot in Python may read: Python, installed packages, libraries, and the folder of a bot that is a file."""
    named = [*sys.path, *(str(Path(prefix) / "lib") for prefix in (sys.prefix, sys.base_prefix))]
    if bot is not None:
        named.append(str(bot.absolute().parent))
    return with_libraries(named)


def with_libraries(named: Iterable[str | Path]) -> list[Path]:
    """Those of these files and folders that exist, and the system's libraries, which every program may need."""
    found = {Path(path).resolve() for path in (*named, *_SHARED) if path and Path(path).exists()}
    return sorted(path for path in found if not found & set(path.parents))


def _let_no_signals_wait() -> None:
    """Signals that wait are counted for all processes of a user: one bot could count those of another."""
    import resource

    _limit(resource.RLIMIT_SIGPENDING, 0)


def _drop_capabilities() -> None:
    """Give up what a process of the root user could do beyond its files."""
    head, none = struct.pack("=Ii", _CAPABILITIES, 0), bytes(24)
    if _libc().capset(ctypes.c_char_p(head), ctypes.c_char_p(none)):
        raise OSError(ctypes.get_errno(), "capabilities cannot be given up")


# -- Landlock: files ---------------------------------------------------------------------------------------------------

LANDLOCK_LEAST = 3
"""The first version (Linux 6.2) that also keeps a process from truncating files."""

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""System calls, with the same number on every machine."""
_ASK_VERSION = 1
_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_FILES = {3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""By version: all rights to files."""
_TCP, _TCP_SINCE = 0b11, 4
_SIGNALS_AND_SOCKETS, _SCOPES_SINCE = 0b11, 6
_NO_NEW_PRIVILEGES = 38
_NULL = Path("/dev/null")
"""The only file that can be written."""


def landlock_version() -> int:
    """The version of Landlock that the kernel offers; 0 for none."""
    return max(_call(_CREATE, None, 0, _ASK_VERSION), 0)


def _restrict_files(readable: Iterable[Path], *, executable: bool) -> None:
    """Leave this process (it must have one thread) these files and folders to read, for good; ``OSError`` if it fails.

    New privileges must have been given up before. Nothing can be made, renamed, removed or changed, and nothing
    executed unless what is readable is ``executable``. From version 4 on no TCP connection can be opened, from version
    6 on no process outside can be signalled.
    """
    offered = landlock_version()
    rights = _FILES[5 if offered >= 5 else 3]
    handled = [rights, _TCP if offered >= _TCP_SINCE else 0, _SIGNALS_AND_SOCKETS if offered >= _SCOPES_SINCE else 0]
    size = 8 * (3 if offered >= _SCOPES_SINCE else 2 if offered >= _TCP_SINCE else 1)
    ruleset = _checked(_CREATE, struct.pack("=QQQ", *handled), size, 0)
    reading = _READ_FILE | (_EXECUTE if executable else 0)
    try:
        for path in readable:
            _allow(ruleset, path, reading | (_READ_FOLDER if path.is_dir() else 0))
        if _NULL.exists():
            _allow(ruleset, _NULL, _READ_FILE | _WRITE_FILE)
        _checked(_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _checked(_ADD, ruleset, _BENEATH, struct.pack("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)


def _checked(number: int, *arguments: int | bytes) -> int:
    result = _call(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result


def _call(number: int, *arguments: int | bytes | None) -> int:
    converted = [ctypes.c_long(each) if isinstance(each, int) else ctypes.c_char_p(each) for each in arguments]
    result: int = _libc().syscall(ctypes.c_long(number), *converted)
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


# -- seccomp: system calls ---------------------------------------------------------------------------------------------

# A sandboxed bot talks to nobody but through its pipes. The list names what is refused, since what Python and other
# languages need differs too much between versions; calls newer than the list are refused too.
MACHINES = ("x86_64", "aarch64")
# fmt: off
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # the network
    "socket": (41, 198), "connect": (42, 203), "accept": (43, 202), "accept4": (288, 242), "bind": (49, 200),
    "listen": (50, 201),
    # new processes and programs
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "unshare": (272, 97),
    "setns": (308, 268),
    # other processes: their memory, their signals, their share of the processors
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "move_pages": (279, 239), "migrate_pages": (256, 238), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    # what files are allowed, whose they are and how old; watching them
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None), "fchown": (93, 55),
    "lchown": (94, None), "fchownat": (260, 54), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88), "inotify_init": (253, None),
    "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # locks on files, and which of their pages are in memory: notes for another bot that reads the same files
    "flock": (73, 32), "mincore": (27, 232), "preadv2": (327, 286), "fadvise64": (221, 223), "readahead": (187, 213),
    # memory that belongs to no process
    "memfd_create": (319, 279),
    # what the kernel counts for all processes of a user or of the machine
    "io_setup": (206, 0), "timer_create": (222, 107), "get_robust_list": (274, 100), "setrlimit": (160, 164),
    # descriptors on their way from one socket to another, which are counted so, too
    "sendmsg": (46, 211), "sendmmsg": (307, 269),
    # shared memory, semaphores, message queues
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
    # the machine: mounts, keys, tracing, modules, swap, quotas
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "add_key": (248, 217),
    "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "syslog": (103, 116), "personality": (135, 92),
    "quotactl": (179, 60), "acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142),
}
"""Refused system calls by name: their numbers on each of :data:`MACHINES`, ``None`` where there is no such call."""
REFUSED_EVERYWHERE = {
    # other processes, by a handle
    "pidfd_send_signal": 424, "pidfd_open": 434, "pidfd_getfd": 438, "process_madvise": 440, "process_mrelease": 448,
    # io_uring, through which a process could make any other call
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    # mounts and rights of files
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "mount_setattr": 442, "quotactl_fd": 443, "fchmodat2": 452, "setxattrat": 463, "removexattrat": 466,
    # which pages of a file are in memory; memory that belongs to no process
    "cachestat": 451, "memfd_secret": 447,
    # futexes by their newer calls, whose private ones nothing needs yet
    "futex_waitv": 449, "futex_wake": 454, "futex_wait": 455, "futex_requeue": 456,
}
"""Refused system calls that have the same number on every machine."""
# fmt: on
BECOME_A_PROGRAM = ("execve", "execveat")
"""Harmless where no process can be started: the new program stays in the sandbox."""
FIRST_UNKNOWN = 467
"""Calls from this number on are newer than this list."""

_CLONE3 = 435
"""Its flags lie in memory, where a filter cannot look. Programs that find it absent use ``clone``."""
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_BY_ARGUMENT = {
    "clone": (56, 220),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "prctl": (157, 167),
    "mmap": (9, 222),
    "madvise": (28, 233),
    "futex": (202, 98),
}
"""Calls that are allowed with some arguments: numbers on each of :data:`MACHINES`."""
_THREAD = 0x10000
"""The flag of ``clone`` that makes a thread, not a process."""
_FCNTL = (0, 1, 2, 3, 4, 1027, 1030, 1032)
"""Allowed: to duplicate a descriptor, its flags, the size of a pipe. Not locks, leases, notices, owners and hints,
which other processes could notice."""
_IOCTL = (0x5401, 0x802C542A, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451)
"""Allowed: what a terminal is, how much can be read, flags of a descriptor. Not the attributes of files."""
_GROWS_DOWN, _HUGE, _SHARED_MEMORY, _NAMELESS = 0x100, 0x40000, 0x1, 0x20
"""Flags of ``mmap``: memory with them escapes the limit of a process's data."""
_COLD, _PAGE_OUT, _MERGEABLE = 20, 21, 12
"""Advice of ``madvise`` that drops pages of a file for everybody, or looks for equal pages of other processes."""
_MERGE_ALL = 67
"""The option of ``prctl`` that does so for all memory."""
_COUNTED_BY_USER = (6, 8, 11, 12)
"""Limits (of processes, locked memory, signals that wait, queues) that are compared with what all processes of a user
have: whoever may set one can count what another bot has."""
_PRIVATE_FUTEX = 128
_SHARED_WAITS = (0, 9, 256, 265)
"""Operations of ``futex`` that wait for the end of a thread, which the kernel itself announces. Others on memory that
is not private would tell one bot who waits in another, on a page of a library that both have loaded."""

_ALLOW, _REFUSE, _ABSENT, _KILL_PROCESS = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST, _SECOND, _THIRD, _FOURTH = 0, 4, 16, 24, 32, 40
"""Where a filter finds the call's number, the machine, and the lower halves of four arguments."""
_SET_SECCOMP, _BY_FILTER = 22, 2

Step = tuple[int, int, int, int]
"""An instruction of the filter: operation, steps to skip if true and if false, value."""


def restrict_calls(*, executable: bool = False) -> None:
    """Install the filter in this thread and those that it starts; ``OSError`` where that fails.

    New privileges must have been given up before. ``executable``: this process may still become another program.
    """
    machine = platform.machine()
    if machine not in MACHINES:
        raise OSError(f"no list of system calls for {machine}")
    steps = build_filter(machine, os.getpid(), executable=executable)
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(steps), ctypes.addressof(buffer))
    if _libc().prctl(_SET_SECCOMP, ctypes.c_long(_BY_FILTER), ctypes.c_char_p(program), 0, 0):
        raise OSError(ctypes.get_errno(), f"seccomp: {os.strerror(ctypes.get_errno())}")


def refused_numbers(machine: str, *, executable: bool = False) -> list[int]:
    """The numbers of all calls that are refused on this machine whatever their arguments."""
    column = MACHINES.index(machine)
    here = {name: numbers[column] for name, numbers in REFUSED.items()} | REFUSED_EVERYWHERE
    spared = BECOME_A_PROGRAM if executable else ()
    return [number for name, number in here.items() if number is not None and name not in spared]


def build_filter(machine: str, process: int, *, executable: bool = False) -> list[Step]:
    """The filter for a process of that number, as instructions."""
    numbers = {name: both[MACHINES.index(machine)] for name, both in _BY_ARGUMENT.items()}
    steps: list[Step] = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),  # calls of another machine, which this one can imitate
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, FIRST_UNKNOWN),
        (_RETURN, 0, 0, _ABSENT),
    ]
    for number in refused_numbers(machine, executable=executable):
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ABSENT)]
    refuse: Step = (_RETURN, 0, 0, _REFUSE)
    conditions: dict[str, list[Step]] = {
        "clone": [(_LOAD, 0, 0, _FIRST), (_ANY_OF, 1, 0, _THREAD), refuse],
        "kill": _only(_FIRST, process),
        "tgkill": _only(_FIRST, process),
        "prlimit64": [*_only(_FIRST, 0, process), *_not(_SECOND, *_COUNTED_BY_USER)],
        "fcntl": _only(_SECOND, *_FCNTL),
        "ioctl": _only(_SECOND, *_IOCTL),
        "prctl": _not(_FIRST, _PARENT_DIES, _MERGE_ALL),
        "mmap": [
            (_LOAD, 0, 0, _FOURTH),
            (_ANY_OF, 2, 0, _GROWS_DOWN | _HUGE),
            (_ANY_OF, 0, 2, _SHARED_MEMORY),
            (_ANY_OF, 0, 1, _NAMELESS),
            refuse,
        ],
        "madvise": _not(_THIRD, _COLD, _PAGE_OUT, _MERGEABLE),
        "futex": [
            (_LOAD, 0, 0, _SECOND),
            (_ANY_OF, len(_SHARED_WAITS) + 2, 0, _PRIVATE_FUTEX),
            *_only(_SECOND, *_SHARED_WAITS),
        ],
    }
    for name, condition in conditions.items():
        steps += _when(numbers[name], condition)
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _only(argument: int, *values: int) -> list[Step]:
    """Refuse unless that argument is one of these."""
    checks = [(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [(_LOAD, 0, 0, argument), *checks, (_RETURN, 0, 0, _REFUSE)]


def _not(argument: int, *values: int) -> list[Step]:
    """Refuse if that argument is one of these."""
    steps: list[Step] = [(_LOAD, 0, 0, argument)]
    for value in values:
        steps += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _REFUSE)]
    return steps


def _when(number: int, then: list[Step]) -> list[Step]:
    """Further instructions for one call, which is allowed if none of them returns."""
    return [(_EQUAL, 0, len(then) + 1, number), *then, (_RETURN, 0, 0, _ALLOW)]
