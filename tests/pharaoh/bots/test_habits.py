"""What ``bench.pharaoh_habits`` counts: treasures handled to and fro, turns that end early, a line for each game."""

from __future__ import annotations

from typing import Any

import pytest
from bench.pharaoh_habits import HEAD, Habits, Handled, can_reveal, main, to_and_fro

from serai.core import CHANCE
from serai.core.play import Ply
from tests.pharaoh.positions import CORRIDOR, GAME, at


@pytest.mark.parametrize(
    ("handled", "count"),
    [
        ("", 0),
        ("+2", 0),
        ("+2 -2", 1),
        ("-2 +2", 1),
        ("+2 -2 +2 -2", 3),
        ("-2 +3", 0),
        ("+2 -2 +3", 0),
        ("+2 -2 +3 -3", 1),
    ],
)
def test_to_and_fro_is_what_leads_to_no_other_treasure(handled: str, count: int) -> None:
    done = [Handled(int(word[1]), word[0] == "-") for word in handled.split()]
    assert to_and_fro(done) == count


@pytest.mark.parametrize(("moves", "reach"), [(1, False), (2, True), (3, True)])
def test_a_tile_is_in_reach_if_the_moves_left_lead_there_and_turn_it_over(moves: int, reach: bool) -> None:
    assert can_reveal(at(f"{CORRIDOR} 0 A=c2\n turn 0 moves={moves}")) == reach


def counted(position: str, *actions: str, **options: Any) -> Habits:
    state, habits = at(position, **options), Habits()
    for text in actions:
        ply = Ply.of(state, GAME.parse(text))
        habits.watch(ply)
        state = ply.after
        assert state.actor is not CHANCE
    return habits


def test_turns_that_end_early_are_told_from_those_in_which_nothing_was_done() -> None:
    deep = f"{CORRIDOR} 0 A=c4\n 1 A=c4\n lying c4=2"
    counts = counted(deep, "end", "archaeologist c3", "archaeologist c4", "end").counts
    assert (counts["turns"], counts["idle"], counts["passed"], counts["back"]) == (2, 2, 1, 1)


def test_who_stays_at_home_while_the_pyramid_falls_by_itself_does_not_dawdle() -> None:
    board = CORRIDOR.replace("? ? ? ? ? ?", "? ? ? ? ? x", 1)
    counts = counted(f"{board} 0 A=c1\n 1 A=c1\n restless f6 ring=0", "end", restless=4).counts
    assert (counts["turns"], counts["idle"], counts["passed"]) == (1, 0, 0)


def test_what_is_handled_over_turns_counts_unless_the_archaeologist_has_moved_or_was_robbed() -> None:
    deep = f"{CORRIDOR} 0 A=c4\n 1 A=c4\n lying c4=2"
    assert counted(deep, "take 2", "drop", "end", "end", "take 2", "archaeologist c3").counts["to and fro"] == 2
    assert counted(deep, "take 2", "archaeologist c3", "drop", "archaeologist c4").counts["to and fro"] == 0
    robbed = counted(deep, "take 2", "end", "steal 0", "drop", "end", "take 2", "archaeologist c3")
    assert robbed.counts["to and fro"] == 0


def test_every_kind_of_game_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--bots", "scarab,jackal", "--seats", "2", "--games", "2", "-o", "max_rounds=3"])
    head, _, *lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    assert tuple(head) == HEAD
    assert [line[:6] for line in lines] == [[bot, "2", "2", "3 (3–3)", "0%", "2"] for bot in ("scarab", "jackal")]
