"""Tables under test live in memory where the system allows it: what is tested is not how fast a disk flushes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of the test's own."""
    with tempfile.TemporaryDirectory(prefix="serai-", dir=_MEMORY if _MEMORY.is_dir() else None) as folder:
        yield Path(folder)
