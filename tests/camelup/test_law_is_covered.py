"""Every numbered rule of Camel Up has a test that names it."""

from __future__ import annotations

from pathlib import Path

from tests.support import rules_named_by_tests, rules_of_law


def test_every_rule_has_a_test_that_names_it_and_no_test_names_another(record_property):
    rules, named = rules_of_law("camelup"), rules_named_by_tests(Path(__file__).parent)
    record_property("told", f"camelup: {len(rules & named)} of {len(rules)} rules have a test that names them")
    assert rules
    assert not rules - named, f"of {len(rules)} rules these have no test: {sorted(rules - named)}"
    assert not named - rules, f"tests name rules that are not there: {sorted(named - rules)}"
