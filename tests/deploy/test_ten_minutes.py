"""The page *From nothing to a public server in ten minutes*, followed command by command, and a game played meanwhile.

Only ports and paths are others. In the short form Serai is installed already, and the commands that install it are left
out; in soak they are run as well. systemd is replaced by :mod:`tests.deploy.systemd`; Caddy, where it is installed,
is the real one, with a certificate of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.serving import free_port
from tests.deploy.systemd import can_sandbox, killed_for_memory, memory_peak, own_group, systemctl
from tests.server.support import Visitor, run
from tests.support import SOAK

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "ten-minutes.md"
NAME = "play.example.org"
SOMEBODY = "0123456789abcdef" * 2


def blocks() -> list[list[str]]:
    """The page's commands, block by block."""
    return [block.strip().splitlines() for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)]


class Machine:
    """A machine on which somebody types the page's commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.metrics, self.public = free_port(), free_port(), free_port()
        self.somebody = SOMEBODY
        self.caddy = shutil.which("caddy")
        self.group = own_group(f"serai-ten-minutes-{os.getpid()}")
        self.opt = folder / "opt" if SOAK else Path(sys.executable).parent.parent
        for name in ("units", "caddy", "root", "bin", "var", "cache"):
            (folder / name).mkdir()
        how = {
            "state": str(folder / "var"),
            "cache": str(folder / "cache"),
            "group": "" if self.group is None else str(self.group),
            "sandbox": "yes" if can_sandbox() else "no",
            "caddy": shlex.join([sys.executable, "-m", "tests.deploy.caddy", str(folder)]) if self.caddy else "",
        }
        (folder / "how.json").write_text(json.dumps(how))
        stand_in = f'#!/bin/sh\ncd {ROOT} && exec {sys.executable} -m tests.deploy.systemd {folder} "$@"\n'
        (folder / "bin" / "systemctl").write_text(stand_in)
        (folder / "bin" / "systemctl").chmod(0o755)
        (folder / "root" / ".curlrc").write_text("insecure\n")  # the certificate is Caddy's own

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def rewritten(self, line: str) -> str:
        """The same command with this machine's paths and ports."""
        changes = {
            "/opt/serai-source": str(ROOT),
            "/opt/serai": str(self.opt),
            "/etc/systemd/system/": f"{self.folder}/units/",
            "/etc/caddy/": f"{self.folder}/caddy/",
            "/var/lib/serai": f"{self.folder}/var/serai",
            "/var/backups/": f"{self.folder}/root/",
            "8321": str(self.port),
            NAME: f"localhost:{self.public}",
            SOMEBODY: self.somebody,
        }
        # sed is to find the name in the files; only what it puts there is another one
        if line.startswith("sed "):
            line = line.replace(f"s/{NAME}/", "s/THE-NAME/")
        for old, new in changes.items():
            line = line.replace(old, new)
        return line.replace("THE-NAME", NAME)

    def type(self, lines: list[str]) -> str:
        """Type these commands into one shell; every one must succeed."""
        environment = {
            **os.environ,
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "HOME": f"{self.folder}/root",
            "SERAI_SERVER": self.base,
        }
        script = "set -e\n" + "\n".join(map(self.rewritten, lines))
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=environment, timeout=540)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}\n{self.logs()}"
        if any("/etc/systemd" in line for line in lines):
            self._set_paths_of_units()
        return done.stdout

    def _set_paths_of_units(self) -> None:
        for unit in (self.folder / "units").iterdir():
            text = unit.read_text().replace("/opt/serai", str(self.opt))
            unit.write_text(text.replace("8321", str(self.port)).replace("9321", str(self.metrics)))

    def logs(self) -> str:
        return "\n".join(file.read_text()[-3000:] for file in self.folder.glob("*.log"))

    def end(self) -> None:
        systemctl(self.folder, ["stop", "serai"])
        if (self.folder / "caddy.pid").exists():
            os.kill(int((self.folder / "caddy.pid").read_text()), signal.SIGTERM)
        if self.group is not None:
            with contextlib.suppress(OSError):  # something of it may still be ending
                self.group.rmdir()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    try:
        yield machine
    finally:
        machine.end()


@pytest.mark.skipif(sys.platform != "linux", reason="the page is for Debian")
def test_a_stranger_follows_the_page(machine: Machine) -> None:
    ann = Visitor("")
    tables: list[str] = []

    async def play() -> None:
        ann.base = machine.base
        tables.append(await ann.create("camelup", seats=2))
        await ann.join(tables[-1], "Annabel")

    async def kept() -> dict[str, Any]:
        found: dict[str, Any] = (await ann.call("GET", "/api/me")).json()
        return found

    done = 0
    for block in blocks():
        left_out = ("apt-get",) if SOAK else ("apt-get", " -m venv ", "/pip ")
        lines = [line for line in block if not any(word in line for word in left_out)]
        if machine.caddy is None:
            lines = [line for line in lines if f"https://{NAME}" not in line]
        if any("systemctl enable" in line for line in block):
            setting_up = lines.index(next(line for line in lines if "daemon-reload" in line))
            machine.type(lines[:setting_up])
            machine.type(lines[setting_up:])
        elif any("serai backup" in line for line in block):
            run(play())
            assert "Saved 1 tables" in machine.type(lines)
            run(play())  # lost, when the backup is restored
        elif any("systemctl stop" in line for line in block):
            machine.type(lines)
            found = run_for(kept())
            assert [table["table"] for table in found["tables"]] == tables[:1], "as of the backup"
            machine.somebody = found["visitor"]
        elif any("export" in line for line in block):
            export = next(line for line in lines if "export" in line)
            assert tables[0] in machine.type(lines)
        elif any("admin ban " in line for line in block):
            told = machine.type([export, *lines])
            assert "ban  address:203.0.113.9" in told
            assert "1 bans" in told
        elif any("admin about" in line for line in block):
            about, forget = lines
            assert "Annabel" in machine.type([export, about])
            machine.type([export, forget])
            while json.loads(machine.type([export, about]))["tables"]:
                pass  # it takes a moment
        else:
            machine.type(lines)
        done += 1
    assert done == len(blocks()) >= 9
    # what the unit asks for was so
    if machine.group is not None:
        assert killed_for_memory(machine.group) == 0
        assert memory_peak(machine.group) < 2 << 30
    key = machine.folder / "var" / "serai" / "host-key"
    assert key.stat().st_mode & 0o077 == 0
    pid = int((machine.folder / "serai.main").read_text())
    status = Path(f"/proc/{pid}/status").read_text()
    if can_sandbox():
        assert re.search(r"CapBnd:\s*0+\n", status)
        assert re.search(r"NoNewPrivs:\s*1", status)
        mounts = Path(f"/proc/{pid}/mounts").read_text().splitlines()
        options = {mount.split()[1]: mount.split()[3].split(",") for mount in mounts}
        assert "ro" in options["/"]
        assert "rw" in options[str(machine.folder / "var" / "serai")]
        assert "rw" in options[str(machine.folder / "cache" / "serai")]


def run_for(work: Any) -> Any:
    found: list[Any] = []

    async def keep() -> None:
        found.append(await work)

    run(keep())
    return found[0]
