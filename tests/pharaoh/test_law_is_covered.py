"""Every numbered rule of Das Gold des Pharao has a test that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import law_beside_the_checkout, rules_named_by_tests, rules_of_law

RULES_PER_CHAPTER = {1: 6, 2: 2, 3: 5, 4: 4, 5: 3, 6: 1, 7: 2, 8: 4, 9: 5, 10: 6, 11: 4, 12: 1, 13: 5}
RULES = {f"{chapter}.{rule}" for chapter, count in RULES_PER_CHAPTER.items() for rule in range(1, count + 1)}


def test_every_rule_has_a_test_that_names_it(record_property):
    named = rules_named_by_tests(Path(__file__).parent)
    missing = RULES - named
    record_property("told", f"pharaoh: {len(RULES & named)} of {len(RULES)} rules have a test that names them")
    assert not missing, f"of {len(RULES)} rules these have no test: {sorted(missing)}"
    assert named <= RULES, f"tests name rules that are not there: {sorted(named - RULES)}"


def test_the_list_of_rules_is_that_of_the_law():
    law = law_beside_the_checkout("pharaoh.md")
    if law is None:
        pytest.skip("the law does not lie beside this checkout")
    assert rules_of_law(law) == RULES
