"""The table of rooms in CONTRIBUTING is the tree."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_of_rooms_is_the_tree():
    rows = re.findall(r"^\| (`serai.*?) \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(serai[\w.]*)`", row)}
    source = ROOT / "src"
    rooms = {".".join(file.parent.relative_to(source).parts) for file in (source / "serai").rglob("__init__.py")}
    assert listed == rooms


def test_every_file_says_its_one_job_first():
    for file in (ROOT / "src").rglob("*.py"):
        lines = file.read_text().splitlines()
        assert lines[0].startswith('"""'), f"{file} does not say what it is for"
