"""Linux's seccomp: system calls that a process gives up for good. Landlock guards files; this guards all the rest.

A bot's process has one process to itself and talks to nobody but through its pipe: no sockets, no children, no other
programs, no signals, no hands on other processes, no shared memory, no changing of what files are called or allowed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

_FORBIDDEN = {
    "x86_64": (
        *(41, 42, 43, 49, 50, 288),  # socket connect accept bind listen accept4
        *(57, 58, 59, 322, 272, 308),  # fork vfork execve execveat unshare setns
        *(101, 310, 311, 312, 279, 256),  # ptrace process_vm_readv process_vm_writev kcmp move_pages migrate_pages
        *(200, 129, 297),  # tkill rt_sigqueueinfo rt_tgsigqueueinfo
        *(141, 251, 203, 144, 142, 314),  # setpriority ioprio_set sched_set: affinity scheduler param attr
        *(90, 91, 268, 92, 93, 94, 260),  # chmod fchmod fchmodat chown fchown lchown fchownat
        *(188, 189, 190, 197, 198, 199),  # setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
        *(132, 235, 261, 280),  # utime utimes futimesat utimensat
        *(253, 294, 254, 300, 301, 303, 304),  # inotify: init init1 add_watch; fanotify: init mark; handles of files
        *(29, 30, 31, 64, 65, 66, 220, 68, 69, 70, 71, 240, 241),  # shared memory, semaphores, message queues
        *(165, 166, 155, 161),  # mount umount2 pivot_root chroot
        *(248, 249, 250, 321, 298, 323),  # add_key request_key keyctl bpf perf_event_open userfaultfd
        *(175, 313, 176, 246, 320, 103, 135, 179, 163, 167, 168, 169),  # what belongs to whoever runs the machine
    ),
    "aarch64": (
        *(198, 203, 202, 200, 201, 242),
        *(221, 281, 97, 268),
        *(117, 270, 271, 272, 239, 238),
        *(130, 138, 240),
        *(140, 30, 122, 119, 118, 274),
        *(52, 53, 55, 54),
        *(5, 6, 7, 14, 15, 16),
        *(88,),
        *(26, 27, 262, 263, 264, 265),
        *(194, 195, 196, 190, 191, 192, 193, 186, 187, 188, 189, 180, 181),
        *(40, 39, 41, 51),
        *(217, 218, 219, 280, 241, 282),
        *(105, 273, 106, 104, 294, 116, 92, 60, 89, 224, 225, 142),
    ),
}
"""System calls by machine, in the same order."""
_FORBIDDEN_EVERYWHERE = (
    *(424, 434, 438, 440, 448),  # pidfd: send_signal open getfd; process: madvise mrelease
    *(425, 426, 427),  # io_uring: whatever is forbidden could be asked for there
    *(428, 429, 430, 431, 432, 433, 442),  # open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    *(452, 463, 466),  # fchmodat2 setxattrat removexattrat
)
"""Those of the same number on every machine."""
_BECOME_A_PROGRAM = {"x86_64": (59, 322), "aarch64": (221, 281)}
"""execve and execveat: harmless where no process can be started, since whoever calls them takes its walls along."""
_UNKNOWN = 467
"""From here on nobody knew what they do when this was written."""
_CLONE3 = 435
"""Its flags lie in memory, where no filter looks: who is told that it is not there takes ``clone``."""

_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE, _KILL, _TGKILL, _PRLIMIT, _FCNTL, _IOCTL = (
    {"x86_64": 56, "aarch64": 220},
    {"x86_64": 62, "aarch64": 129},
    {"x86_64": 234, "aarch64": 131},
    {"x86_64": 302, "aarch64": 261},
    {"x86_64": 72, "aarch64": 25},
    {"x86_64": 16, "aarch64": 29},
)
_THREAD = 0x10000
"""The flag of a new thread, rather than a new process."""
_OWNERS = (8, 10, 15)
"""F_SETOWN, F_SETSIG and F_SETOWN_EX: let the kernel send a signal to somebody."""
_OWNERS_TOO = (0x8901, 0x8902)
"""FIOSETOWN and SIOCSPGRP do the same."""

_ALLOW, _REFUSE, _ABSENT, _KILL_PROCESS = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST, _SECOND = 0, 4, 16, 24
"""Where a filter finds the call's number, the machine, and the lower halves of two arguments."""
_SET_SECCOMP, _BY_FILTER = 22, 2

Step = tuple[int, int, int, int]
"""What to do, how many steps to skip if so and if not, and with which value."""


def known() -> bool:
    """Whether the system calls of this machine are known here."""
    return platform.machine() in _FORBIDDEN


def restrict(*, executable: bool = False) -> None:
    """Give them up, in this thread and those that it starts; ``OSError`` where that cannot be.

    New privileges must have been given up before. ``executable``: this process may still become another program.
    """
    machine = platform.machine()
    if machine not in _FORBIDDEN:
        raise OSError(f"no list of system calls for {machine}")
    spared = _BECOME_A_PROGRAM[machine] if executable else ()
    steps = _filter(machine, os.getpid(), spared)
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    kept = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(steps), ctypes.addressof(kept))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_SECCOMP, ctypes.c_long(_BY_FILTER), ctypes.c_char_p(program), 0, 0):
        raise OSError(ctypes.get_errno(), f"seccomp: {os.strerror(ctypes.get_errno())}")


def _filter(machine: str, process: int, spared: tuple[int, ...]) -> list[Step]:
    load_number = (_LOAD, 0, 0, _NUMBER)
    steps: list[Step] = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),  # calls of another machine, which this one can imitate
        load_number,
        (_AT_LEAST, 0, 1, _UNKNOWN),
        (_RETURN, 0, 0, _ABSENT),
    ]
    for number in (*_FORBIDDEN[machine], *_FORBIDDEN_EVERYWHERE):
        if number in spared:
            continue
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    steps += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ABSENT)]
    threads_only: list[Step] = [(_LOAD, 0, 0, _FIRST), (_ANY_OF, 1, 0, _THREAD), (_RETURN, 0, 0, _REFUSE)]
    steps += _when(_CLONE[machine], threads_only)
    for call in (_KILL, _TGKILL):
        steps += _when(call[machine], [(_LOAD, 0, 0, _FIRST), (_EQUAL, 1, 0, process), (_RETURN, 0, 0, _REFUSE)])
    own_limits: list[Step] = [
        (_LOAD, 0, 0, _FIRST),
        (_EQUAL, 2, 0, 0),
        (_EQUAL, 1, 0, process),
        (_RETURN, 0, 0, _REFUSE),
    ]
    steps += _when(_PRLIMIT[machine], own_limits)
    for call, asked in ((_FCNTL, _OWNERS), (_IOCTL, _OWNERS_TOO)):
        no_owner: list[Step] = [(_LOAD, 0, 0, _SECOND)]
        for value in asked:
            no_owner += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, _REFUSE)]
        steps += _when(call[machine], no_owner)
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _when(number: int, then: list[Step]) -> list[Step]:
    """Further steps for this call alone; whoever comes through them may make it."""
    return [(_EQUAL, 0, len(then) + 1, number), *then, (_RETURN, 0, 0, _ALLOW)]
