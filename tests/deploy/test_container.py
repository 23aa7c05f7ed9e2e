"""The steps of the Containerfile, run in a fresh root that debootstrap makes (soak).

There is no container engine in it: a Debian root with Debian's Python stands for ``python:3.12-slim-bookworm``, and
``chroot`` for the engine. ``FROM``, ``WORKDIR``, ``COPY``, ``RUN``, ``USER``, ``VOLUME``, ``ENV``, ``HEALTHCHECK`` and
``ENTRYPOINT`` mean what they mean there. What cannot be tried here: the images of others, networks, limits of compose.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.browser.serving import free_port
from tests.deploy.systemd import can_sandbox
from tests.deploy.test_kit import DEPLOY, installed
from tests.server.support import PATIENCE
from tests.support import SOAK

ROOT = DEPLOY.parent
MIRROR = "http://deb.debian.org/debian"
PACKAGES = "python3,python3-pip,python3-venv,python-is-python3,ca-certificates"
OF_THE_MACHINE = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
"""How a machine reaches the internet."""


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, in order."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in text.splitlines() if line.strip()]


def sources() -> list[str]:
    """What git tracks, without what the build leaves out."""
    left_out = [line for line in (ROOT / ".containerignore").read_text().splitlines() if line and line[0] != "#"]
    named = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    patterns = [one.removeprefix("**/") for one in left_out]
    return [
        name
        for name in named
        if not any(name == one or name.startswith(f"{one}/") or fnmatch.fnmatch(name, one) for one in patterns)
    ]


class Image:
    """A root, and what instructions have set so far."""

    def __init__(self, root: Path, base: Path) -> None:
        subprocess.run(["cp", "--archive", str(base), str(root)], check=True)  # devices stay devices
        for name in OF_THE_MACHINE:
            if Path(name).exists():
                (root / name[1:]).unlink(missing_ok=True)
                shutil.copyfile(name, root / name[1:])
        self.root = root
        self.folder, self.user, self.entry, self.health = "/", "", list[str](), list[str]()
        # Debian's Python wants to be asked before it is changed; that of the image does not
        self.environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "PIP_BREAK_SYSTEM_PACKAGES": "1"}
        self.environment["NODE_EXTRA_CA_CERTS"] = "/etc/ssl/certs/ca-certificates.crt"

    def command(self, program: list[str]) -> list[str]:
        user = ["--userspec", f"{self.user}:{self.user}"] if self.user else []
        shell = ["sh", "-c", f"cd {shlex.quote(self.folder)} && exec {shlex.join(program)}"]
        chroot = shlex.join(["chroot", *user, str(self.root), *shell])
        mounts = f"mount --rbind /dev {self.root}/dev && mount -t proc proc {self.root}/proc"
        return ["unshare", "--mount", "--propagation", "private", "--", "sh", "-c", f"{mounts} && exec {chroot}"]

    def run(self, program: list[str]) -> None:
        done = subprocess.run(self.command(program), env=self.environment, capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0, f"{program}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def build(folder: Path, base: Path) -> Image:
    stages: dict[str, Image] = {}
    image: Image | None = None
    for number, (word, rest) in enumerate(steps()):
        if word == "FROM":
            _, _, name = rest.partition(" AS ")
            image = stages[name] = Image(folder / f"stage{number}", base)
            continue
        assert image is not None
        match word:
            case "WORKDIR":
                image.folder = rest
                (image.root / rest[1:]).mkdir(parents=True, exist_ok=True)
            case "COPY":
                _copy(image, rest, stages)
            case "RUN":
                image.run(["sh", "-c", rest])
            case "ENV":
                image.environment |= dict(part.split("=", 1) for part in shlex.split(rest))
            case "USER":
                image.user = rest
            case "HEALTHCHECK":
                image.health = json.loads(rest.partition("CMD ")[2])
            case "ENTRYPOINT":
                image.entry = json.loads(rest)
            case "VOLUME":
                assert all((image.root / place[1:]).is_dir() for place in json.loads(rest))
            case "EXPOSE":
                assert rest == "8321"
            case _:
                raise AssertionError(f"{word} is not tried here")
    assert image is not None
    return image


def _copy(image: Image, rest: str, stages: dict[str, Image]) -> None:
    words = rest.split()
    if words[0].startswith("--from="):
        origin, place = stages[words[0].partition("=")[2]].root, words[2]
        shutil.copytree(origin / words[1][1:], image.root / place[1:], dirs_exist_ok=True)
        return
    target = image.root / (words[1][1:] if words[1] != "." else image.folder[1:])
    for name in sources() if words[0] == "." else [words[0]]:
        to = target / name
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, to)


@pytest.fixture
def folder() -> Iterator[Path]:
    """On the disk: an image takes more than a gigabyte."""
    place = ROOT / ".venv" / f"image-{os.getpid()}"
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place)


@pytest.mark.skipif(not SOAK, reason="an image is built in soak")
def test_the_image_is_built_and_serves(folder: Path) -> None:
    program = installed("debootstrap", "debootstrap")
    if not can_sandbox():
        pytest.skip("this machine lets us make no namespaces: run the test as root")
    base = folder / "base"
    subprocess.run([program, "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(base), MIRROR], check=True)
    image = build(folder, base)
    assert not list((image.root / "tmp").iterdir()), "nothing is left of the build"
    assert (image.root / "data").stat().st_mode & 0o777 == 0o700
    port = str(free_port())
    entry = [port if word == "8321" else "127.0.0.1" if word == "0.0.0.0" else word for word in image.entry]
    with subprocess.Popen(image.command(entry), env=image.environment) as running:
        try:
            until = time.monotonic() + PATIENCE
            while True:
                try:
                    if httpx.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                        break
                except httpx.TransportError:
                    assert time.monotonic() < until
                    time.sleep(0.2)
            assert httpx.get(f"http://127.0.0.1:{port}/").headers["content-type"].startswith("text/html")
            assert httpx.post(f"http://127.0.0.1:{port}/api/tables", json={"game": "camelup"}).status_code == 201
            image.run([word.replace("8321", port) for word in image.health])
        finally:
            running.send_signal(signal.SIGTERM)
    assert {"tables.db", "host-key"} <= {file.name for file in (image.root / "data").iterdir()}
