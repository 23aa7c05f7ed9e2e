"""What every test starts with, and what tests measured, told at the end of a run: ``record_property("told", "…")``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.postgres import Cluster

# tables that Serai keeps between runs: in this checkout, not in the cache of whoever runs the tests
os.environ.setdefault("SERAI_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "serai"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL that runs while tests need it."""
    from tests.postgres import Cluster

    cluster = Cluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database of either kind, as a host would name it."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.new_database()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print every line that a test recorded as ``told``, whether it ran here or in another process."""
    lines = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == "told"
    ]
    for line in sorted(lines):
        terminalreporter.write_line(line)
