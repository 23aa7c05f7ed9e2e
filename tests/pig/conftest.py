"""Pig, installed for the processes that these tests start and for nobody else: found by its entry points alone."""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import browser, visit
from tests.browser.serving import Server, serving

__all__ = ["browser", "visit"]

HERE = Path(__file__).parent
Run = Callable[..., str]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PYTHONPATH on which Pig lies as an installer would leave it."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    folder = tmp_path_factory.mktemp("site")
    told = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    told.mkdir()
    told.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    told.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")
    return os.pathsep.join([str(folder), str(HERE)])


@pytest.fixture
def run(installed: str, tmp_path: Path) -> Run:
    """Runs a program where Pig is installed; what it prints, if it ends with the wanted code."""

    def run(*command: object, code: int = 0) -> str:
        environment = {**os.environ, "PYTHONPATH": installed, "SERAI_HOME": str(tmp_path)}
        done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture(scope="module")
def server(installed: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where Pig is installed."""
    with serving(tmp_path_factory.mktemp("serai"), PYTHONPATH=installed) as running:
        yield running
