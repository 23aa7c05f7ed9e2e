"""Environments that hold nothing but an installed Serai, and the Pythons of this machine to make them with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_OLDEST = (3, 11)
_NEWEST = (3, 20)
"""Beyond any that there is."""


def install(package: Path, place: Path, extras: str = "", python: str = sys.executable) -> Path:
    """A new environment with nothing but this wheel or sdist and what its extras bring; where its commands are."""
    uv = [str(Path(sys.executable).parent / "uv"), "-q"]
    subprocess.run([*uv, "venv", "--python", python, str(place)], check=True)
    scripts = place / ("Scripts" if os.name == "nt" else "bin")
    wanted = f"serai{extras} @ {package.as_uri()}"
    subprocess.run([*uv, "pip", "install", "--python", str(scripts / "python"), wanted], check=True)
    return scripts


def pythons() -> dict[str, str]:
    """One Python of every version that Serai supports and this machine has, by its version (``"3.12"``)."""
    found = {"{}.{}".format(*sys.version_info): sys.executable}
    for minor in range(_OLDEST[1], _NEWEST[1]):
        version = f"3.{minor}"
        if version not in found and (runs := next(filter(_runs, _places(version)), None)):
            found[version] = runs
    return found


def _places(version: str) -> Iterator[str]:
    """Where it may be: on the PATH, or among those that pyenv and uv keep."""
    if on_path := shutil.which(f"python{version}"):
        yield on_path
    home = Path.home()
    for kept in (Path(os.environ.get("PYENV_ROOT", home / ".pyenv")) / "versions", home / ".local/share/uv/python"):
        yield from map(str, sorted(kept.glob(f"*/bin/python{version}"), reverse=True))


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
