"""The examples in README and docs run and print what they say."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if ">>> " in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0


def test_readme_says_how_to_install_with_every_extra_that_is_for_users() -> None:
    text = (ROOT / "README.md").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert re.search(r"^pip install \. ", text, re.MULTILINE)
    assert re.search(r'^pip install "\.\[[\w,]+\]"', text, re.MULTILINE)
    assert [extra for extra in extras if extra not in ("dev", "bench") and f"`{extra}`" not in text] == []


def test_readme_shows_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "make play" in text
    assert "make test" in text
