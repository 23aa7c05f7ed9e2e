"""The notebooks run, their conclusions hold (they assert them), and what they keep is what they show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.notebooks import FILES, read

ROOT = Path(__file__).parents[2]
MOST_BYTES = 400_000


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_runs_and_its_conclusions_hold(file: Path) -> None:
    command = [sys.executable, "-m", "tests.docs.notebooks", "--check", str(file)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr[-4000:]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_notebook_is_kept_with_what_it_shows_and_concludes(file: Path) -> None:
    cells = [cell for cell in read(file).cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    assert any("image/svg+xml" in output.get("data", {}) for cell in cells for output in cell.outputs)
    assert sum("assert " in cell.source for cell in cells) >= 3
    assert file.stat().st_size < MOST_BYTES


def test_there_are_two() -> None:
    assert [file.stem for file in FILES] == ["studying-the-game", "your-first-strong-bot"]
