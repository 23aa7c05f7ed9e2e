"""Every numbered rule of every game has a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import serai
from tests.law import law

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", serai.games())
def test_every_rule_has_a_test_that_names_it_and_no_test_names_another(game: str, record_property):
    rules, named = set(law(game)), rules_named_by_tests(game)
    record_property("told", f"{game}: {len(rules & named)} of {len(rules)} rules have a test that names them")
    assert rules
    assert not rules - named, f"of {len(rules)} rules these have no test: {sorted(rules - named)}"
    assert not named - rules, f"tests name rules that are not there: {sorted(named - rules)}"


def rules_named_by_tests(game: str) -> set[str]:
    """The rule numbers (``4.4``) that test functions of a game carry in their names."""
    names = re.compile(r"^\s*(?:async )?def test_(\d+(?:_\d+)+)_", re.MULTILINE)
    files = (ROOT / "tests" / game).rglob("test_*.py")
    return {number.replace("_", ".") for file in files for number in names.findall(file.read_text())}
