"""As much of systemd as the units in ``deploy/`` ask for, where it does not run: a supervisor, the sandbox, memory.

What a unit says is really done: folders of its own, a file system that is otherwise read-only, a private ``/tmp``, no
capabilities, no new privileges, open files, tasks, a control group with the unit's limit of memory, restarts, signals.
Not done: a user of its own (the interpreter of a development machine may be readable for root only), system call and
address family filters, and what protects kernel, clock and devices.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

CGROUPS = (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup"))
"""Where control groups of memory are, by the first and by the second version."""
TASKS = Path("/sys/fs/cgroup/pids")
"""Where those of tasks are, by the first version; by the second they are the same."""
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def parse(unit: Path) -> dict[str, list[str]]:
    """The settings of a unit's sections together, by name."""
    settings: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        name, equals, value = line.partition("=")
        if equals and re.fullmatch(r"[A-Z]\w+", name):
            settings.setdefault(name, []).append(value)
    return settings


def bytes_of(text: str) -> int:
    return int(text[:-1]) * _UNITS[text[-1]]


class Unit:
    """A unit, with the folders that stand for ``/var/lib`` and ``/var/cache``."""

    def __init__(self, file: Path, state: Path, cache: Path) -> None:
        self.settings = parse(file)
        self._specifiers = {"%S": str(state), "%C": str(cache), "%%": "%"}
        self.folders = [
            folder / name
            for setting, folder in (("StateDirectory", state), ("CacheDirectory", cache))
            for name in self.settings.get(setting, ())
        ]

    def one(self, name: str, default: str = "") -> str:
        return self._filled(self.settings.get(name, [default])[-1])

    @property
    def environment(self) -> dict[str, str]:
        pairs = (self._filled(text).partition("=") for text in self.settings.get("Environment", ()))
        found = {name: value for name, _, value in pairs}
        if self.settings.get("StateDirectory"):
            found["STATE_DIRECTORY"] = str(self.folders[0])
        return found

    def command(self, *, sandbox: bool) -> list[str]:
        """What is started; in the sandbox by a shell that builds it first."""
        program = shlex.split(self.one("ExecStart"))
        if not sandbox:
            return program
        steps = [f"mount --bind {shlex.quote(str(one))} {shlex.quote(str(one))}" for one in self.folders]
        if self.one("ProtectSystem") == "strict":
            steps.append("mount -o remount,bind,ro /")
        if self.one("PrivateTmp") == "yes":
            steps.append("mount -t tmpfs tmpfs /tmp")
        bounded = ["--bounding-set=-all", "--inh-caps=-all"] if "CapabilityBoundingSet" in self.settings else []
        privileges = ["--no-new-privs"] if self.one("NoNewPrivileges") == "yes" else []
        steps.append("exec setpriv " + shlex.join([*bounded, *privileges, "--", *program]))
        return ["unshare", "--mount", "--propagation", "private", "--", "sh", "-ec", "; ".join(steps)]

    def start(self, group: Path | None, *, sandbox: bool) -> subprocess.Popen[bytes]:
        for folder in self.folders:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(int(self.one("StateDirectoryMode", "0755"), 8))
        if group is not None:
            group.mkdir(exist_ok=True)
            _limit(group, bytes_of(self.one("MemoryMax", "2G")))

        def enter() -> None:
            os.umask(int(self.one("UMask", "0022"), 8))
            if group is not None:
                (group / "cgroup.procs").write_text(str(os.getpid()))

        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        environment = {**kept, **self.environment}
        return subprocess.Popen(self.command(sandbox=sandbox), env=environment, preexec_fn=enter)

    def _filled(self, text: str) -> str:
        return re.sub(r"%.", lambda found: self._specifiers[found[0]], text)


def _limit(group: Path, most: int) -> None:
    for name in ("memory.limit_in_bytes", "memory.max"):
        if (group / name).exists():
            (group / name).write_text(str(most))


@contextmanager
def limited(unit: Path, process: int, name: str) -> Iterator[Path | None]:
    """Let a running process and those it has started have no more memory, tasks and open files than this unit allows,
    until the block ends; gives the control group of their memory, or ``None`` where this machine makes none.
    """
    group, settings = own_group(name), parse(unit)
    files = int(settings["LimitNOFILE"][0])
    with suppress(ValueError, OSError):  # that many are more than this machine allows
        resource.prlimit(process, resource.RLIMIT_NOFILE, (files, files))
    if group is None:
        yield None
        return
    tasks = group if (group / "pids.max").exists() else TASKS / name
    with suppress(OSError):
        tasks.mkdir(exist_ok=True)
        (tasks / "pids.max").write_text(settings["TasksMax"][0])
    groups = [one for one in dict.fromkeys((group, tasks)) if one.is_dir()]
    brought = max(_move(process, one) for one in groups)  # counted where they come from
    _limit(group, bytes_of(settings["MemoryMax"][0]) - brought)
    try:
        yield group
    finally:
        for one in groups:
            for each in (one / "cgroup.procs").read_text().split():
                with suppress(OSError):  # it has ended meanwhile
                    (one.parent / "cgroup.procs").write_text(each)
            with suppress(OSError):  # one of them was just being started
                one.rmdir()


def _move(process: int, group: Path) -> int:
    """Move a process, then those that it had started before; how many bytes they have."""
    resident = 0
    with suppress(OSError):
        (group / "cgroup.procs").write_text(str(process))
        resident = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == process:
                resident += _move(int(stat.parent.name), group)
    return resident


def memory_peak(group: Path) -> int:
    """The most memory that was ever used in a control group."""
    names = ("memory.max_usage_in_bytes", "memory.peak")
    return next(int((group / name).read_text()) for name in names if (group / name).exists())


def killed_for_memory(group: Path) -> int:
    """How many processes of a control group were killed for their memory."""
    for name in ("memory.oom_control", "memory.events"):
        if (group / name).exists() and (found := re.search(r"oom_kill (\d+)", (group / name).read_text())):
            return int(found[1])
    return 0


def own_group(name: str) -> Path | None:
    """A control group of this name, if this machine lets us make one."""
    for folder in CGROUPS:
        if (folder / "cgroup.procs").exists() and os.access(folder, os.W_OK):
            try:
                (folder / name).mkdir(exist_ok=True)
            except OSError:
                continue
            if any((folder / name / limit).exists() for limit in ("memory.limit_in_bytes", "memory.max")):
                return folder / name
            (folder / name).rmdir()
    return None


def can_sandbox() -> bool:
    """Whether this machine lets us make namespaces with mounts of their own."""
    probe = ["unshare", "--mount", "--propagation", "private", "--", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    try:
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


# -- systemctl: python -m tests.deploy.systemd ROOT COMMAND… -----------------------------------------------------------


def supervise(root: Path, name: str, how: Mapping[str, str]) -> None:
    """Keep a unit running until this process is told to stop."""
    unit = Unit(root / "units" / f"{name}.service", Path(how["state"]), Path(how["cache"]))
    group = Path(how["group"]) if how.get("group") else None
    stopping: list[int] = []
    child: subprocess.Popen[bytes] | None = None

    def stop(number: int, _: object) -> None:
        stopping.append(number)
        if child is not None:
            child.send_signal(getattr(signal, unit.one("KillSignal", "SIGTERM")))

    signal.signal(signal.SIGTERM, stop)
    while not stopping:
        child = unit.start(group, sandbox=how.get("sandbox") == "yes")
        (root / f"{name}.main").write_text(str(child.pid))
        child.wait()
        if unit.one("Restart") != "always":
            break
        time.sleep(0.1)


def systemctl(root: Path, arguments: list[str]) -> int:
    """Do what ``systemctl`` would."""
    flags, words = [one for one in arguments if one.startswith("-")], [one for one in arguments if one[0] != "-"]
    command, names = words[0], [name.removesuffix(".service") for name in words[1:]]
    how = json.loads((root / "how.json").read_text())
    for name in names:
        if name.endswith(".timer"):
            timer = parse(root / "units" / name)
            assert "OnCalendar" in timer, f"{name} never comes"
            continue
        if name == "caddy":
            how["caddy"] and subprocess.run(shlex.split(how["caddy"]), check=True)
            continue
        assert (root / "units" / f"{name}.service").is_file(), f"no unit {name}"
        if command in ("stop", "restart"):
            _stop(root, name)
        if command in ("start", "restart") or (command == "enable" and "--now" in flags):
            arguments = [sys.executable, "-m", "tests.deploy.systemd", str(root), "supervise", name]
            with (root / f"{name}.log").open("ab") as log:
                begun = subprocess.Popen(arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            (root / f"{name}.supervisor").write_text(str(begun.pid))
        if command == "kill":
            wanted = next(flag.partition("=")[2] for flag in flags if flag.startswith("--signal="))
            os.kill(int((root / f"{name}.main").read_text()), getattr(signal, wanted))
    return 0


def _stop(root: Path, name: str) -> None:
    file = root / f"{name}.supervisor"
    if not file.exists():
        return
    pid = int(file.read_text())
    file.unlink()
    try:
        os.kill(pid, signal.SIGTERM)
        while True:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
            time.sleep(0.02)
    except (ProcessLookupError, FileNotFoundError):
        return


if __name__ == "__main__":
    place, word, *more = Path(sys.argv[1]), sys.argv[2], *sys.argv[3:]
    if word == "supervise":
        supervise(place, more[0], json.loads((place / "how.json").read_text()))
    else:
        sys.exit(systemctl(place, [word, *more]))
