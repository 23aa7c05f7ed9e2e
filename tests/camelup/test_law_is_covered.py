"""Every numbered rule of Camel Up has a test that names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import law_beside_the_checkout, rules_named_by_tests, rules_of_law

RULES_PER_CHAPTER = {1: 5, 2: 4, 3: 6, 4: 7, 5: 2, 6: 5, 7: 5, 8: 4, 9: 8}
RULES = {f"{chapter}.{rule}" for chapter, count in RULES_PER_CHAPTER.items() for rule in range(1, count + 1)}


def test_every_rule_has_a_test_that_names_it():
    missing = RULES - rules_named_by_tests(Path(__file__).parent)
    assert not missing, f"of {len(RULES)} rules these have no test: {sorted(missing)}"


def test_the_list_of_rules_is_that_of_the_law():
    law = law_beside_the_checkout("camelup.md")
    if law is None:
        pytest.skip("the law does not lie beside this checkout")
    assert rules_of_law(law) == RULES
