"""What tests of the page's components play from is what the rules and the server say today."""

from __future__ import annotations

import pytest

from tests.page.positions import FOLDER, NAMES, written


def test_nothing_else_lies_there() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_what_the_rules_say(name: str) -> None:
    """``python -m tests.page.positions`` writes them anew."""
    assert (FOLDER / f"{name}.json").read_bytes() == written(name)
