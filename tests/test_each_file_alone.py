"""Every test file passes by itself: none leans on what another has loaded or left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import SOAK

ROOT = Path(__file__).parents[1]
FILES = sorted(
    str(file.relative_to(ROOT)) for file in (ROOT / "tests").rglob("test_*.py") if file.name != Path(__file__).name
)
NO_TESTS_LEFT = 5
"""The exit status where all tests of a file were left out."""


@pytest.mark.parametrize("file", FILES if SOAK else [])
def test_a_file_passes_alone(file: str) -> None:
    short = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "SERAI_SOAK"))}
    command = [sys.executable, "-m", "pytest", "-n", "0", file]
    done = subprocess.run(command, cwd=ROOT, env=short, capture_output=True, text=True, check=False)
    assert done.returncode in (0, NO_TESTS_LEFT), done.stdout[-6000:] + done.stderr[-2000:]
