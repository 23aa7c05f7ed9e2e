"""What is installed from the built wheel or sdist does what the documentation says, with every extra and Python."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.page.fresh import install, pythons
from tests.support import SOAK

pytestmark = pytest.mark.skipif(not SOAK, reason="installs two dozen environments")
ROOT = Path(__file__).parents[2]
EXTRAS = ("base", "fast", "envs", "data", "play", "cluster", "gpu")
BESIDE = {"cluster": "cluster,fast"}
"""An extra that docs name together with another."""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist of this working copy and the wheel."""
    folder = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return {"wheel": wheel, "sdist": sdist}


@pytest.mark.parametrize("extra", EXTRAS)
@pytest.mark.parametrize("version", sorted(pythons() if SOAK else ()))
def test_the_wheel_with_an_extra(packages: dict[str, Path], tmp_path: Path, version: str, extra: str) -> None:
    probe(packages["wheel"], tmp_path, extra, pythons()[version])


@pytest.mark.parametrize("extra", ["base", "play"])
def test_the_sdist_builds_where_there_is_nothing_but_python(
    packages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: str
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    probe(packages["sdist"], tmp_path, extra, sys.executable)


def test_a_wheel_that_is_built_from_the_sdist_holds_the_same(packages: dict[str, Path], tmp_path: Path) -> None:
    with tarfile.open(packages["sdist"]) as packed:
        names = packed.getnames()
        packed.extractall(tmp_path, filter="data")
    assert not [name for name in names if "node_modules" in name or "/.venv" in name]
    (source,) = tmp_path.iterdir()
    again = tmp_path / "again"
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(again)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = again.glob("*.whl")
    assert contents(wheel) == contents(packages["wheel"])


def contents(wheel: Path) -> dict[str, int]:
    """The checksum of every file but the list of checksums."""
    with zipfile.ZipFile(wheel) as packed:
        return {file.filename: file.CRC for file in packed.infolist() if not file.filename.endswith("/RECORD")}


def probe(package: Path, folder: Path, extra: str, python: str) -> None:
    """Install it with this extra (or with none, the base) and let ``installed.py`` use it."""
    scripts = install(package, folder / "fresh", "" if extra == "base" else f"[{BESIDE.get(extra, extra)}]", python)
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SERAI", "VIRTUAL_ENV"))
    }
    command = [str(scripts / "python"), "-P", str(Path(__file__).with_name("installed.py")), extra]
    ended = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
