"""Levels of bots: a rematch with the next one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from serai.table import proposals
from serai.table.errors import Refusal
from serai.wire import messages as m
from tests.table.test_table import Kept

LEVELS = ("random", "quick", "greedy")


COMPANY = {
    "jerboa": ("jerboa", "goat", "sheep"),
    "donkey": ("donkey", "hyena", "vulture"),
    "fennec": ("fennec", "hoopoe", "caracal"),
}


def bots_after(
    step: int, *bots: str, levels: tuple[str, ...] = LEVELS, company: Mapping[str, tuple[str, ...]] = {}
) -> list[str]:
    """Who sits at the rematch of a table of one person and these bots."""
    kept = Kept("camelup", seats=len(bots) + 1, bots=dict(enumerate(bots, 1)))
    kept.join("ann", "Ann")
    kept.tell(m.Start("s"), "ann")
    kept.tell(m.Agree("e"), "ann")
    asked: dict[str, Any] = {"levels": levels, "company": company, "step": step}
    rematch = proposals.create_rematch(kept.table, "ann", secret=b"r" * 32, at="2026-01-01", **asked)
    person, *others = rematch.seats
    assert (person.kind, person.name, person.bot) == ("person", "Ann", "")
    assert all((sitting.kind, sitting.name) == ("bot", sitting.bot) for sitting in others)
    return [sitting.bot for sitting in others]


def test_every_bot_moves_by_one_level_if_there_is_one() -> None:
    assert bots_after(1, "random", "quick", "greedy") == ["quick", "greedy", "greedy"]
    assert bots_after(-1, "random", "quick", "greedy") == ["random", "random", "quick"]
    assert bots_after(0, "random", "quick", "greedy") == ["random", "quick", "greedy"]


def test_a_level_that_is_not_ready_is_left_out_and_other_bots_stay() -> None:
    assert bots_after(1, "random", "quick", levels=("random", "greedy")) == ["greedy", "quick"]


def test_the_company_of_a_level_goes_together_to_that_of_the_next() -> None:
    levels = tuple(COMPANY)
    assert bots_after(1, "donkey", "hyena", levels=levels, company=COMPANY) == ["fennec", "hoopoe"]
    assert bots_after(-1, *COMPANY["donkey"], levels=levels, company=COMPANY) == [*COMPANY["jerboa"]]
    assert bots_after(1, "donkey", "donkey", "hyena", levels=levels, company=COMPANY) == ["fennec", "fennec", "hyena"]
    with pytest.raises(Refusal, match="no bot at this table can change to another level"):
        bots_after(1, *COMPANY["fennec"], levels=levels, company=COMPANY)


@pytest.mark.parametrize(("step", "bot", "levels"), [(1, "greedy", LEVELS), (-1, "random", LEVELS), (1, "quick", ())])
def test_where_no_bot_can_move_it_is_refused(step: int, bot: str, levels: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, match="no bot at this table can change to another level"):
        bots_after(step, bot, bot, levels=levels)
