"""What a sandboxed bot may try: a program that tries it all, by kind, and why some of it is allowed.

The page docs/sandbox.md has it as a table; running this module writes it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ATTEMPTS = """
import array, ctypes, errno, fcntl, mmap, os, resource, select, signal, socket, struct, threading, time
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
two_places = ctypes.create_string_buffer(8), ctypes.create_string_buffer(8)
handle = struct.pack("Ii", 128, 0) + bytes(128)
rights_of_root = struct.pack("=Ii", 0x20080522, 0), struct.pack("=6I", 1, 1, 0, 0, 0, 0)

def control(option, value):
    if libc.prctl(option, value, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def raised_limit():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1] + 1
    return call(302, 261, 0, resource.RLIMIT_NOFILE, struct.pack("QQ", most, most), None)
def pair_of_sockets():
    one, other = socket.socketpair()
    with one, other:
        return one.send(b"x")
def lower(limit):
    resource.setrlimit(limit, resource.getrlimit(limit))
def waiting_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    signal.pthread_kill(threading.get_ident(), signal.SIGRTMIN)
    return signal.sigtimedwait([signal.SIGRTMIN], 1)
def descriptors_on_their_way():
    one, other = socket.socketpair()
    with one, other:
        return one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
def numbers_of_threads():
    begun = [threading.Thread(target=str) for _ in range(2)]
    for one in begun:
        one.start()
    return begun[1].native_id - begun[0].native_id
ALL = {
    "notes on files that two bots can read": {
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
        "a hint for writing": lambda: fcntl.fcntl(opened(OWN), 1038, struct.pack("Q", 2)),
        "a signal when a file changes": lambda: fcntl.fcntl(opened(OWN), 10, signal.SIGIO),
        "be told of everything": lambda: call(300, 262, 0, 0),
        "remove a note at a file": lambda: os.removexattr(OWN, "user.notes"),
    },
    "which pages of a file are in memory": {
        "see what is in memory": lambda: call(27, 232, page(), 4096, space),
        "see it by a range": lambda: call(451, 451, opened(), bytes(16), space, 0),
        "see it by reading": lambda: call(327, 286, in_memory(), vector(), 1, 0, 0, 8),
        "drop it from memory": lambda: call(221, 223, opened(), 0, 4096, 4),
        "drop a page from memory": lambda: call(28, 233, page(), 4096, 21),
        "cool a page": lambda: call(28, 233, page(), 4096, 20),
        "read ahead": lambda: call(187, 213, opened(), 0, 4096),
    },
    "who waits on a page of a library": {
        "wake who waits in another": lambda: call(202, 98, page(), 1, 1, 0, 0, 0),
        "move who waits in another": lambda: call(202, 98, page(), 3, 0, 1, page(), 0),
        "wake by the newer call": lambda: call(454, 454, page(), 0xffffffff, 1, 2),
        "wait for several": lambda: call(449, 449, None, 0, 0, None, 0),
        "wait by the newer call": lambda: call(455, 455, page(), 0, 1, 2, None, 0),
        "move by the newer call": lambda: call(456, 456, None, 0, 0, 0),
    },
    "memory that the limit does not know": {
        "share memory with nobody": lambda: mapped(mmap.MAP_SHARED | mmap.MAP_ANONYMOUS),
        "memory that grows down": lambda: mapped(0x100 | mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
        "a file in memory": lambda: os.memfd_create("notes"),
        "shared memory of System V": lambda: call(29, 194, 0, 4096, 0o1600),
        "a queue of messages": lambda: call(68, 186, 0, 0o1600),
        "a semaphore": lambda: call(64, 190, 0, 1, 0o1600),
        "a queue of POSIX": lambda: call(240, 180, b"notes", os.O_CREAT | os.O_RDWR, 0o600, None),
        "zeros for ever": lambda: mapped(mmap.MAP_SHARED, opened("/dev/zero"), rights=1),
        "a secret memory": lambda: call(447, 447, 0),
        "huge pages": lambda: mapped(0x40000 | mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, size=1 << 21),
        "attach shared memory": lambda: call(30, 196, -1, None, 0),
        "wait at a semaphore": lambda: call(65, 193, -1, None, 0),
        "send to a queue": lambda: call(69, 189, -1, bytes(16), 0, 0),
        "take from a queue": lambda: call(70, 188, -1, ctypes.create_string_buffer(16), 0, 0, 2048),
        "merge pages with equal ones": lambda: call(28, 233, mapped(0x22), 4096, 12),
        "merge all its pages": lambda: control(67, 1),
        "three gigabytes": lambda: mapped(0x22, size=3 << 30),
    },
    "what the kernel counts for all processes of a user": {
        "slots for reading ahead": lambda: call(206, 0, 8, bytes(8)),
        "a timer": lambda: call(222, 107, 1, None, ctypes.create_string_buffer(8)),
        "another's locks": lambda: call(274, 100, PARENT, *two_places),
        "a watch on a folder": lambda: call(294, 26, 0),
        "a key": lambda: call(248, 217, b"user", b"notes", b"x", 1, -2),
        "a ring of calls": lambda: call(425, 425, 1, ctypes.create_string_buffer(120)),
        "queue signals for itself": waiting_signal,
        "count signals by a limit": lambda: lower(resource.RLIMIT_SIGPENDING),
        "count threads by a limit": lambda: lower(resource.RLIMIT_NPROC),
        "count locked memory by a limit": lambda: lower(resource.RLIMIT_MEMLOCK),
        "count queues by a limit": lambda: lower(resource.RLIMIT_MSGQUEUE),
        "count by the older call": lambda: call(160, 164, 4, struct.pack("QQ", 0, 0)),
        "descriptors on their way": descriptors_on_their_way,
        "several messages at once": lambda: call(307, 269, -1, None, 0, 0),
        "a search for a key": lambda: call(249, 218, b"user", b"notes", None, -2),
        "keys of a session": lambda: call(250, 219, 0, -3, 0),
        "read all locks": lambda: open("/proc/locks"),
    },
    "new processes and programs": {
        "outlive its parent": lambda: control(1, 0),
        "a process of its own": lambda: os.fork() or os._exit(0),
        "a process by vfork": lambda: call(56, 220, 17, None, None, None, None) or os._exit(0),
        "a new program": lambda: os.fork() or os.execv("/bin/true", ["true"]),
        "another namespace": lambda: call(272, 97, 0x400),
        "a process by the newest call": lambda: call(435, 435, None, 0),
        "a process with users of its own": lambda: call(56, 220, 0x10000011, None, None, None, None) or os._exit(0),
        "a process that shares its memory": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "enter another namespace": lambda: call(272 + 36, 268, -1, 0),
    },
    "other processes": {
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
        "look into its parent as a debugger": lambda: call(101, 117, 2, PARENT, None, None),
        "copy its parent's memory": lambda: call(310, 270, PARENT, None, 0, None, 0, 0),
        "write into its parent's memory": lambda: call(311, 271, PARENT, None, 0, None, 0, 0),
        "move its parent's pages": lambda: call(279, 239, PARENT, 0, None, None, None, 0),
        "move all its parent's pages": lambda: call(256, 238, PARENT, 0, None, None),
        "advise on another's memory": lambda: call(440, 440, -1, None, 0, 0, 0),
        "free another's memory": lambda: call(448, 448, -1, 0),
        "signal everybody": lambda: os.kill(-1, 0),
        "signal its group": lambda: os.killpg(os.getpgrp(), 0),
        "signal the first process": lambda: os.kill(1, 0),
        "signal any thread": lambda: call(200, 130, PARENT, 0),
        "queue a signal for a thread": lambda: call(297, 240, os.getpid(), os.getpid(), 0, bytes(128)),
        "signal by a handle": lambda: call(424, 424, -1, 0, None, 0),
        "take its parent's descriptor": lambda: call(438, 438, -1, 0, 0),
        "a schedule with deadlines": lambda: call(314, 274, 0, None, 0),
        "parameters of its schedule": lambda: call(142, 118, 0, None),
        "its share of the disk": lambda: call(251, 30, 1, 0, 0x4004),
        "its group's share": lambda: os.setpriority(os.PRIO_PGRP, 0, 19),
    },
    "what processes do": {
        "read its parent's memory": lambda: open(f"/proc/{PARENT}/mem", "rb"),
        "read its parent's environment": lambda: open(f"/proc/{PARENT}/environ", "rb"),
        "list processes": lambda: os.listdir("/proc"),
        "read its parent's arguments": lambda: open(f"/proc/{PARENT}/cmdline"),
        "read its parent's state": lambda: open(f"/proc/{PARENT}/status"),
        "read its parent's map": lambda: open(f"/proc/{PARENT}/maps"),
        "list its parent's files": lambda: os.listdir(f"/proc/{PARENT}/fd"),
        "list its parent's threads": lambda: os.listdir(f"/proc/{PARENT}/task"),
        "read its own environment": lambda: open("/proc/self/environ"),
        "read its own map": lambda: open("/proc/self/maps"),
        "write its own memory": lambda: open("/proc/self/mem", "r+b"),
        "make itself harder to kill": lambda: open("/proc/self/oom_score_adj", "w"),
        "read the load": lambda: open("/proc/loadavg"),
        "read what memory is free": lambda: open("/proc/meminfo"),
        "read what the processors did": lambda: open("/proc/stat"),
        "read connections": lambda: open("/proc/net/tcp"),
        "read mounts": lambda: open("/proc/self/mounts"),
        "read the kernel's settings": lambda: open("/proc/sys/kernel/pid_max"),
        "change the kernel's settings": lambda: open("/proc/sys/kernel/core_pattern", "a"),
        "read about devices": lambda: os.listdir("/sys/class"),
    },
    "reading files": {
        "read passwords": lambda: open("/etc/passwd"),
        "read beside itself": lambda: open(SECRET),
        "list beside itself": lambda: os.listdir(os.path.dirname(SECRET)),
        "read the passwords themselves": lambda: open("/etc/shadow"),
        "read the names of hosts": lambda: open("/etc/hosts"),
        "list everything": lambda: os.listdir("/"),
        "list homes": lambda: os.listdir("/home"),
        "list what is temporary": lambda: os.listdir("/tmp"),
        "list devices": lambda: os.listdir("/dev"),
        "list shared memory": lambda: os.listdir("/dev/shm"),
        "climb out of its folder": lambda: open(os.path.join(os.path.dirname(OWN), "..", os.path.basename(SECRET))),
        "climb out of an open folder": lambda: os.open("../secret", os.O_RDONLY, dir_fd=opened(os.path.dirname(OWN))),
        "follow a link in its folder": lambda: open(LINK),
        "open by the newer call": lambda: call(437, 437, -100, SECRET.encode(), bytes(24), 24),
        "open again what it only names": lambda: open(f"/proc/self/fd/{os.open(SECRET, os.O_PATH)}"),
        "a handle of a file": lambda: call(303, 264, -100, OWN.encode(), handle, bytes(8), 0),
        "open by a handle": lambda: call(304, 265, -1, bytes(8), 0),
        "more files than are allowed": lambda: [opened() for _ in range(70)],
    },
    "writing files": {
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
        "cut off what is there": lambda: os.truncate(SPARE, 0),
        "write over its own file": lambda: open(OWN, "a"),
        "write where it stands": lambda: open("notes", "w").close() or os.unlink("notes"),
        "write what is temporary": lambda: open("/tmp/notes-of-a-bot", "w").close() or os.unlink("/tmp/notes-of-a-bot"),
        "swap two files": lambda: call(316, 276, -100, SPARE.encode(), -100, SECRET.encode(), 2),
        "rename a file": lambda: os.rename(SPARE, SPARE + ".renamed") or os.rename(SPARE + ".renamed", SPARE),
        "remove a file": lambda: os.unlink(SPARE),
        "remove a folder": lambda: os.rmdir(SPARE + ".folder"),
        "a file as a node": lambda: os.mknod(SECRET + ".node", 0o600),
        "rights by a descriptor": lambda: os.fchmod(opened(OWN), 0o644),
        "rights by the newer call": lambda: call(452, 452, -100, OWN.encode(), 0o644, 0),
        "owner by a descriptor": lambda: os.fchown(opened(OWN), os.getuid(), os.getgid()),
        "owner of a link": lambda: os.lchown(OWN, os.getuid(), os.getgid()),
        "times by a descriptor": lambda: os.utime(opened(OWN)),
        "notes by a descriptor": lambda: os.setxattr(opened(OWN), "user.notes", b"x"),
        "a terminal": lambda: os.open("/dev/ptmx", os.O_RDWR),
    },
    "the network": {
        "a socket": lambda: socket.socket(),
        "a socket without a network": lambda: socket.socket(socket.AF_UNIX),
        "a datagram": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "a socket of IPv6": lambda: socket.socket(socket.AF_INET6),
        "a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
        "ask the kernel's network": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
        "the kernel's ciphers": lambda: socket.socket(38, socket.SOCK_SEQPACKET),
        "look up a name": lambda: socket.getaddrinfo("localhost", 80),
        "call": lambda: call(42, 203, -1, None, 0),
        "take a place": lambda: call(49, 200, -1, None, 0),
        "listen": lambda: call(50, 201, -1, 1),
        "accept": lambda: call(43, 202, -1, None, None),
        "accept by the newer call": lambda: call(288, 242, -1, None, None, 0),
    },
    "the machine": {
        "mount": lambda: call(165, 40, None, None, None, 0, None),
        "unmount": lambda: call(166, 39, None, 0),
        "another root": lambda: os.chroot("/"),
        "swap roots": lambda: call(155, 41, None, None),
        "a file system by the newer call": lambda: call(430, 430, b"nothing", 0),
        "a tree of mounts": lambda: call(428, 428, -1, b"", 0),
        "a program in the kernel": lambda: call(321, 280, -1, None, 0),
        "count what processors do": lambda: call(298, 241, None, 0, -1, -1, 0),
        "serve its own page faults": lambda: call(323, 282, -1),
        "a module": lambda: call(175, 105, None, 0, None),
        "another kernel": lambda: call(246, 104, 0, -1, None, -1),
        "start the machine again": lambda: call(169, 142, 0, 0, 0),
        "read the kernel's log": lambda: call(103, 116, 10, None, 0),
        "imitate another system": lambda: call(135, 92, 0xFFFFFFFF),
        "quotas": lambda: call(179, 60, -1, None, 0, None),
        "keep accounts": lambda: call(163, 89, b"/nothing/there"),
        "swap to a file": lambda: call(167, 224, b"/nothing/there", 0),
        "name the machine": lambda: call(170, 161, b"", -1),
        "raise its limits": raised_limit,
        "take back root's rights": lambda: call(126, 91, *rights_of_root),
        "be somebody else": lambda: os.setgroups([]),
    },
    "what is allowed": {
        "see that a file is there": lambda: os.stat(SECRET).st_size,
        "see when a file was last read": lambda: os.stat(library).st_atime,
        "read a library": lambda: os.read(opened(), 4),
        "list its folder": lambda: os.listdir(os.path.dirname(OWN)),
        "stand elsewhere": lambda: os.chdir("/"),
        "see how full a disk is": lambda: os.statvfs("/").f_bfree,
        "write to nowhere": lambda: open("/dev/null", "w").write("x"),
        "see that a process is there": lambda: os.getpgid(PARENT),
        "see how urgent a process is": lambda: os.getpriority(os.PRIO_PROCESS, PARENT),
        "see where a process may run": lambda: os.sched_getaffinity(PARENT),
        "see a process's schedule": lambda: os.sched_getscheduler(PARENT),
        "numbers of new threads": numbers_of_threads,
        "ask how busy the machine is": lambda: call(99, 179, ctypes.create_string_buffer(128)),
        "tell the time": lambda: time.perf_counter_ns(),
        "draw random numbers": lambda: os.urandom(4),
        "lock its own memory": lambda: call(149, 228, mapped(0x22), 4096),
        "a pipe": lambda: os.pipe(),
        "a pair of sockets": pair_of_sockets,
        "a counter": lambda: call(290, 19, 0, 0),
        "a clock as a file": lambda: call(283, 85, 1, 0),
        "wait for many": lambda: select.epoll(),
        "signal itself": lambda: os.kill(os.getpid(), 0),
        "name its thread": lambda: control(15, b"notes"),
        "a mask for new files": lambda: os.umask(0o77),
        "lower its own limits": lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    },
}
def decide(told):
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    found = {}
    for attempts in ALL.values():
        for name, attempt in attempts.items():
            try:
                found[name] = repr(attempt())[:60]
            except OSError as error:
                found[name] = f"refused: {errno.errorcode.get(error.errno, error)}"
            except BaseException as error:
                found[name] = f"refused: {error}"
            os.closerange(3, 80)
    return found
"""
"""``ALL`` has the attempts; ``decide`` answers with what came of each."""

LAST = "what is allowed"
"""The only kind that is not refused."""

LIMITED = {
    "three gigabytes": "ENOMEM",
    "more files than are allowed": "EMFILE",
    "queue signals for itself": "EAGAIN",
    "look up a name": "",
    "a process by the newest call": "ENOSYS",
}
"""Attempts that end otherwise than by a refusal: at a limit of the process, or because there is nothing to be had."""

REASONS = {
    "see that a file is there": "Python looks for its modules so; what is in the file stays closed.",
    "see when a file was last read": "It comes with the size of a file, which every program asks for. A file system "
    "mounted with `noatime` notes nothing.",
    "read a library": "Programs are made of libraries.",
    "list its folder": "A bot may consist of several files.",
    "stand elsewhere": "It opens nothing that was closed.",
    "see how full a disk is": "Without writing, no bot can change it.",
    "write to nowhere": "Nothing is kept.",
    "see that a process is there": "A number, which says nothing of what the process does.",
    "see how urgent a process is": "Games set it, and no bot can change it.",
    "see where a process may run": "The host sets it, and no bot can change it.",
    "see a process's schedule": "The same.",
    "numbers of new threads": "The kernel numbers all processes of the machine in one row. A bot that starts thousands "
    "of threads moves it on, for whoever plays at the same time.",
    "ask how busy the machine is": "Virtual machines of several languages ask for memory by the same call when they "
    "start; and a bot notices by its own speed what others do.",
    "tell the time": "Bots plan their time.",
    "draw random numbers": "They come from nobody.",
    "lock its own memory": "A few megabytes, counted for this process alone.",
    "a pipe": "Both ends are its own.",
    "a pair of sockets": "Both ends are its own; event loops wake themselves so.",
    "a counter": "Its own.",
    "a clock as a file": "Its own.",
    "wait for many": "Its own.",
    "signal itself": "It may end itself.",
    "name its thread": "Other bots cannot read it.",
    "a mask for new files": "It can make no files.",
    "lower its own limits": "It may be content with less.",
}
"""Why what is allowed is allowed."""

PAGE = Path(__file__).parents[2] / "docs" / "sandbox.md"


def kinds() -> dict[str, dict[str, Any]]:
    """The attempts of every kind, by name; they are not made."""
    known: dict[str, Any] = {}
    exec(ATTEMPTS, known)
    found: dict[str, dict[str, Any]] = known["ALL"]
    return found


def page(text: str) -> str:
    """The page with an up-to-date table."""
    rows = ["| kind | attempts | how many |", "|---|---|---|"]
    for kind, attempts in kinds().items():
        if kind != LAST:
            rows.append(f"| {kind} | {', '.join(attempts)} | {len(attempts)} |")
    refused = sum(len(attempts) for kind, attempts in kinds().items() if kind != LAST)
    rows += ["", f"These {refused} are refused. The other {len(REASONS)} are allowed:", ""]
    rows += ["| attempt | why it is allowed |", "|---|---|"]
    rows += [f"| {name} | {REASONS[name]} |" for name in kinds()[LAST]]
    made = "\n".join(rows)
    place = re.compile(r"(<!-- attempts -->\n).*(\n<!-- end -->)", re.DOTALL)
    return place.sub(lambda found: f"{found[1]}\n{made}\n{found[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
