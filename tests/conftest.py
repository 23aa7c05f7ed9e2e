"""What every test starts with, and what tests measured, told at the end of a run: ``record_property("told", "…")``."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from serai import games
from tests.support import SOAK, STORES

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


@pytest.fixture(params=STORES)
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes empty databases, each named as a host would name it. A test that asks for this, or for ``database``, runs
    once for every kind of store.
    """
    if request.param == "sqlite":
        numbers = itertools.count()
        yield lambda: str(tmp_path / f"database{next(numbers)}" / "tables.db")
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    made: list[str] = []

    def new() -> str:
        made.append(cluster.new_database())
        return made[-1]

    yield new
    for address in made:
        cluster.drop_database(address)


@pytest.fixture
def database(new_database: Callable[[], str]) -> str:
    """An empty database of either kind."""
    return new_database()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the short form a test of every game and every store meets each of them once: games take turns with stores.

    All games with all stores are for the long form, and for tests marked ``every_pair``. Whatever is asked for by its
    whole name runs.
    """
    if SOAK:
        return
    met: dict[str, set[str]] = {}
    for item in items:
        met.setdefault(_test(item), set()).add(_param(item, "game"))
    known = games()
    left_out = set()
    for item in items:
        game, store = _param(item, "game"), _param(item, "new_database")
        crossed = game and store and met[_test(item)] >= set(known) and not item.get_closest_marker("every_pair")
        if crossed and known.index(game) % len(STORES) != STORES.index(store):
            left_out.add(item)
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _param(item: pytest.Item, name: str) -> str:
    """What a test is run with, an empty text if there is no choice."""
    call = getattr(item, "callspec", None)
    return str(call.params.get(name, "")) if call is not None else ""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Tests wait for servers, browsers and databases now and then: one more at once than there are cores."""
    return len(os.sched_getaffinity(0)) + 1


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
