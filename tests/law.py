"""The law of each game, by number, as docs/rules has it."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "rules"


def law(game: str) -> dict[str, str]:
    """The text of every rule of a game, worked cases included, by its number (``4.4``, ``11.5.1``)."""
    return {number: " ".join(text.split()) for number, text in _RULE.findall((FOLDER / f"{game}.md").read_text())}


def worked_cases(game: str) -> set[str]:
    """The numbers of the cases at the law's end: they are held by tests and tell nothing new."""
    chapter = re.search(r"^## (\d+) Worked cases", (FOLDER / f"{game}.md").read_text(), re.MULTILINE)
    return {number for number in law(game) if chapter and number.startswith(f"{chapter[1]}.")}


_RULE = re.compile(r"^(\d+(?:\.\d+)+) (.+?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
