"""The pyramid in a terminal, and its story in sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, get_args

import pytest

from serai.pharaoh.rules.events import AnyEvent, GameEnded, RingFell, TreasureLost, TurnEnded
from tests.pharaoh.positions import GAME, at, do, happen
from tests.pharaoh.test_properties import game_of

NAMES = ["Ann", "Ben", "Cleo", "Dan"]
POSITION = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ┌ ─ L ?
    ? ? ├ ┐ ? ?
    ? ? │ └ ? ?
    ? ? S ? ? ?
    0 A=c4+3 H=c2 lamps=c2,c3 photos=1
    1 A=e4 lamps=c2
    lying e4=2,3
    turn 0 moves=2
"""


def test_the_map_shows_passages_figures_lamps_treasures_and_the_cells_in_reach():
    lines = GAME.text.draw(at(POSITION), seat=0, names=NAMES).splitlines()
    assert lines[0] == "Round 1 · Ann to play, 2 moves left"
    grey = "░" * 11
    assert [line[27:] for line in lines[11:14]] == [
        f"A                       B    ║      {grey}",
        f"     ╔)═════════(══════════lotus═══ {grey}",
        f"     ║                  32   ║      {grey}",
    ]
    assert lines[16] == f"3  {grey} {grey}     (╠)═════════(╗)     {grey} {grey}"
    assert lines[17].rstrip() == f"   {grey} {grey}      ║   *a      ║      {grey} {grey}"
    assert lines[21].rstrip() == f"   {grey} {grey}      ║  *ab             {grey} {grey}"
    assert lines[24] == f"1  {grey} {grey} ══(START)══ {grey} {grey} {grey}"
    assert lines[26:30] == [
        "",
        "            points  photos  lamps  museum",
        "▸ A a  Ann       1       1   3/5   empty · carries 3",
        "  B b  Ben       0       0   4/5   empty",
    ]


def test_only_the_seat_to_act_gets_marks():
    for seat in (None, 1):
        drawn = GAME.text.draw(at(POSITION), seat=seat, names=NAMES)
        assert "(" not in drawn
        assert "reveal" not in drawn
    assert " reveal " in GAME.text.draw(GAME.new(players=2), seat=0)


def test_the_head_line_tells_what_is_due_and_how_long_the_pyramid_stands():
    state = at(f"{POSITION.replace('A=c4+3', 'A=c4').replace('┌', '├')}")
    assert "Ann turns over b4" not in GAME.text.draw(state, names=NAMES)
    opened = do(state, "reveal c5")
    assert GAME.text.draw(opened, names=NAMES).startswith("Round 1 · Ann turns over c5")
    assert " corner " in GAME.text.draw(do(opened, "tile corner"), names=NAMES)
    found = "\n mask e4 finder=1 countdown=2\n lying e4=mask"
    drawn = GAME.text.draw(at(POSITION.replace("\n    lying e4=2,3", "") + found), names=NAMES)
    assert drawn.splitlines()[1] == "The mask is in e4: its chamber falls after 2 more turns of Ben"
    assert "M    ║" in drawn


def test_the_head_line_tells_of_a_restless_pyramid():
    quiet = GAME.new(players=2, restless=2)
    drawn = [GAME.text.draw(do(quiet, *["end"] * turns), names=NAMES).splitlines()[1] for turns in (0, 2, 4)]
    assert drawn == [
        "",
        "Restless: unless a tile is revealed or points rise, it falls after this round, from f6",
        "The pyramid falls by itself: ring 1 at the end of this round",
    ]


@pytest.mark.parametrize("seed", range(4))
def test_drawings_fit_the_terminal_and_colours_change_no_character(seed):
    for number, (_, _, state, _) in enumerate(game_of("mixed", 4, seed, {})):
        if number % 7:
            continue
        plain = GAME.text.draw(state, seat=state.turn, names=NAMES)
        assert max(map(len, plain.splitlines())) <= 80
        painted = GAME.text.draw(state, seat=state.turn, names=NAMES, colour=True)
        assert re.sub(r"\033\[[\d;]*m", "", painted) == plain


def test_every_kind_of_event_has_its_sentence() -> None:
    found: dict[type, set[str]] = defaultdict(set)
    options: list[dict[str, Any]] = [{}, {"max_rounds": 5}, {"mask_exit_ends_turn": False, "restless": 2}]
    for seed in range(60):
        for _, _, _, events in game_of(("mixed", "explorer")[seed % 2], 3, seed, options[seed % 3]):
            for event in events:
                found[type(event)].add(GAME.text.tell(event, NAMES))
    assert set(found) == set(get_args(AnyEvent))
    for kind, sentences in found.items():
        for sentence in sentences - {""}:
            assert sentence[-1] in ".!)", (kind, sentence)
            assert "Seat" not in sentence
        assert sentences != {""}, f"{kind} has no sentence"


def test_sentences_name_players_cells_and_points():
    state = at("""
        x x x x x ?
        x x x x x ?
        x x x x x ?
        x x x x x ?
        x x x x x ?
        ? ─ S ─ ? ?
        0 A=b1+3 museum=2
        1 H=d1 museum=mask photos=1
        mask c4 finder=0 clock=0 ring=2
        unseen tee=12 corner=10 straight=4
    """)
    found = [GAME.text.tell(event, NAMES) for event in happen(state, "end")]
    assert found == [
        "",
        "Ring 3 falls: 10 cells, 8 of them never seen.",
        "A treasure of 3, carried by Ann, is lost on b1.",
        "Ann's archaeologist is lost on b1 (-2).",
        "Ben's helper is lost on d1 (-1).",
        "Ann: photos 0, treasures 2, lost figures -2: 0 points.",
        "Ben: photos 1, treasures 5, lost figures -1: 5 points.",
        "The pyramid is gone. Ben wins with 5 points.",
    ]
    assert (
        GAME.text.tell(GameEnded((3, 3), (0, 1), "rounds"), ())
        == "The last round is over. Seat 0 and Seat 1 share the victory."
    )
    assert GAME.text.tell(RingFell(1, (1,), 0)) == "Ring 1 falls: 1 cell."
    assert GAME.text.tell(TreasureLost(-1, 0, 5)) == "The death mask is lost on a1."
    assert GAME.text.tell(TurnEnded(1, "omen"), NAMES) == "That ends Ben's turn."
