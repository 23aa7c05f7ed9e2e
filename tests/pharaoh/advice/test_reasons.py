"""Why not: everything that offers nothing has a reason, and it is the one the rules give."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from serai.pharaoh import PharaohState
from serai.pharaoh.advice import report
from serai.pharaoh.advice.answer import Advice, Lack, Why
from serai.pharaoh.rules import refusals
from serai.pharaoh.rules.pieces import CELL_NAMES, FACE_DOWN
from tests.pharaoh.advice.positions import some_positions
from tests.pharaoh.positions import GAME, at, do, refused, texts

LOCALES = Path(__file__).parents[3] / "locales"
NEVER_MET = {
    "pharaoh.acts": "free acts are buttons, there while they are on offer",
    "pharaoh.hands_full": "so is taking",
    "pharaoh.take.absent": "so is taking",
    "pharaoh.drop.empty": "so is dropping",
    "pharaoh.steal.seat": "so is stealing",
    "pharaoh.steal.self": "so is stealing",
    "pharaoh.steal.apart": "so is stealing",
    "pharaoh.steal.nothing": "so is stealing",
    "pharaoh.unlamp.none": "a lamp is taken down by a button, there while it is on offer",
    "pharaoh.lamp.lit": "where the own lamp stands, taking it down is on offer",
    "pharaoh.cell": "there are no other cells on the board",
    "pharaoh.reveal.known": "an open tile is walked to, not revealed",
    "pharaoh.reveal.fallen": "neither is a fallen one",
    "pharaoh.lay.nothing": "no tile is in hand before it is revealed",
    "pharaoh.lay.shape": "a tile in hand turns through the allowed ways only",
    "pharaoh.lay.sealed": "the same",
    "pharaoh.turn.shape": "the same",
    "pharaoh.turn.same": "the same",
    "pharaoh.tile.seen": "nobody chooses what is drawn",
    "pharaoh.photo.taken": "nobody chooses what is drawn",
    "pharaoh.treasure.drawn": "nobody chooses what is drawn",
}
"""Refusals that nothing on the page leads to, and why."""

RUINS = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? L ─ ? ?
    │ x ├ │ ? ?
    ? ? └ ? ? ?
    ? ? S ? ? ?
    1 museum=mask
    mask b3 finder=1 clock=1 ring=0
"""
"""The chamber of the mask has fallen on b3; nobody can walk from c2 to the start."""


def met(state: PharaohState, hand: str, cell: str) -> str:
    """The reason for touching a cell with this in hand."""
    found = [why for why in GAME.advice(state).whys if (why.hand, CELL_NAMES[why.cell]) == (hand, cell)]
    assert len(found) == 1, (hand, cell)
    return str(found[0].key)


def lacking(state: PharaohState, figure: str) -> dict[str, str]:
    """What a figure cannot do, and why."""
    return {lack.kind: lack.key for one in GAME.advice(state).abilities if one.figure == figure for lack in one.lacks}


def test_4_2_and_5_1_the_archaeologist_is_told_what_keeps_it_from_a_cell():
    state = at(f"{RUINS} 0 A=c2")
    assert met(state, "archaeologist", "c2") == "pharaoh.walk.here"
    assert met(state, "archaeologist", "c1") == "pharaoh.walk.no_way"
    assert met(state, "archaeologist", "b3") == "pharaoh.walk.fallen"
    assert met(state, "archaeologist", "b2") == "pharaoh.reveal.wall"
    assert met(state, "archaeologist", "f6") == "pharaoh.reveal.far"
    assert lacking(state, "archaeologist") == {}


def test_4_1_the_helper_is_told_what_keeps_it_from_a_cell():
    state = at(f"{RUINS} 0 H=c3")
    assert met(state, "helper", "f6") == "pharaoh.walk.face_down"
    assert met(state, "helper", "d4") == "pharaoh.walk.far"
    # its own tile it cannot walk to, but turn
    assert not [why for why in GAME.advice(state).whys if why.hand == "helper" and why.cell == CELL_NAMES.index("c3")]


def test_6_1_what_cannot_be_turned_says_why():
    state = at(f"{RUINS} 0 H=c3")
    for cell, key in {
        "b3": "pharaoh.turn.fallen",
        "f6": "pharaoh.turn.face_down",
        "c1": "pharaoh.turn.start",
        "c4": "pharaoh.turn.chamber",
        "a3": "pharaoh.turn.far",
    }.items():
        assert met(state, "turn", cell) == key
    assert not [why for why in GAME.advice(state).whys if why.hand == "turn" and why.cell == CELL_NAMES.index("d3")]
    assert met(at(f"{RUINS} 0 H=c3", turn_reach="linked"), "turn", "d3") == "pharaoh.turn.wall"
    assert met(at(f"{RUINS} 0 H=d3"), "turn", "c3") == "pharaoh.turn.own_wall"
    assert met(at(f"{RUINS} 0 H=a3", no_sealed_tiles=True), "turn", "a3") == "pharaoh.turn.sealed"


def test_5_2_a_tile_in_hand_is_laid_before_anything_else():
    state = at(f"{RUINS} 0 A=c2\n reveal d2 tile=tee")
    found = GAME.advice(state)
    assert {why.key for why in found.whys} == {"pharaoh.lay.first"}
    assert {CELL_NAMES[why.cell] for why in found.whys} == {*CELL_NAMES} - {"d2"}
    assert lacking(state, "helper") == {"walk": "pharaoh.lay.first"}


def test_3_1_without_a_move_everything_has_the_same_reason():
    found = GAME.advice(at(f"{RUINS} 0 A=c2 H=c3\n turn 0 moves=0"))
    assert {why.key for why in found.whys} == {"pharaoh.moves"}
    assert [one.can for one in found.abilities] == [(), ()]
    assert {lack.key for one in found.abilities for lack in one.lacks} == {"pharaoh.moves"}


def test_3_4_a_lost_figure_says_that_it_is_lost():
    state = at(f"{RUINS} 0 A=lost H=c3")
    assert met(state, "archaeologist", "c4") == "pharaoh.lost.figure"
    assert lacking(state, "archaeologist") == {"walk": "pharaoh.lost.figure"}
    assert "pharaoh.lost.figure" in {why.key for why in GAME.advice(at(f"{RUINS} 0 H=lost")).whys if why.hand == "turn"}


def test_7_1_a_helper_tells_why_it_puts_up_no_lamp():
    assert lacking(GAME.new(), "helper") == {
        "walk": "pharaoh.walk.nowhere",
        "turn": "pharaoh.turn.nothing",
        "lamp": "pharaoh.lamp.start",
    }
    assert lacking(at(f"{RUINS} 0 H=c3 lamps=c2 supply=0"), "helper") == {"lamp": "pharaoh.lamp.none"}
    lit = GAME.advice(at(f"{RUINS} 0 H=c3 lamps=c3")).abilities[1]
    assert (lit.can, lit.lacks) == (("walk", "turn", "unlamp"), ())
    assert lacking(at(f"{RUINS} 0 A=c3"), "archaeologist") == {"reveal": "pharaoh.reveal.nothing"}
    assert GAME.advice(GAME.new()).abilities[0].can == ("reveal",)


def test_every_cell_offers_something_or_tells_what_the_rules_say_when_it_is_tried() -> None:
    for state, advice in some_positions():
        found: dict[tuple[str, int], Why] = {(why.hand, why.cell): why for why in advice.whys}
        actions = texts(state)
        for cell, name in enumerate(CELL_NAMES):
            walk = "reveal" if state.tiles[cell] == FACE_DOWN else "archaeologist"
            turns = [action for action in actions if action.startswith(f"turn {name}")]
            for hand, offers, tried in (
                ("archaeologist", f"{walk} {name}" in actions, f"{walk} {name}"),
                ("helper", f"helper {name}" in actions or turns, f"helper {name}"),
                ("turn", turns, str(report.touched(state, "turn", cell))),
            ):
                why = found.pop((hand, cell), None)
                assert (why is None) == bool(offers or cell == state.site)
                if why is not None:
                    error = refused(state, tried, why.key)
                    assert why.values.items() <= error.values.items()
        assert found == {}


def test_every_ability_is_an_action_on_offer() -> None:
    for state, advice in some_positions():
        can = {(one.figure, kind) for one in advice.abilities for kind in one.can}
        words = {action.split()[0] for action in texts(state)}
        for figure, kind, word in (
            ("archaeologist", "walk", "archaeologist"), ("archaeologist", "reveal", "reveal"),
            ("helper", "walk", "helper"), ("helper", "turn", "turn"), ("helper", "lamp", "lamp"),
            ("helper", "unlamp", "unlamp"),
        ):  # fmt: skip
            assert ((figure, kind) in can) == (word in words)


def test_every_reason_that_a_touch_can_meet_is_met_and_the_others_are_listed() -> None:
    positions = [
        GAME.new(),
        at(f"{RUINS} 0 A=c2 H=c3", turn_reach="linked"),
        at(f"{RUINS} 0 A=c3 H=d3 lamps=c2 supply=0"),
        at(f"{RUINS} 0 A=lost H=a3", no_sealed_tiles=True),
        at(f"{RUINS} 0 A=c2 H=c3\n turn 0 moves=0"),
        at(f"{RUINS} 0 A=c2\n reveal d2 tile=tee"),
    ]
    met = _keys(map(GAME.advice, positions))
    assert met.isdisjoint(NEVER_MET)
    assert met | set(NEVER_MET) == _phrases()
    assert _keys(advice for _, advice in some_positions()) <= met


def _keys(advice: Iterable[Advice]) -> set[str]:
    """All reasons that are given."""
    found: list[Why | Lack] = []
    for one in advice:
        found += [*one.whys, *(lack for ability in one.abilities for lack in ability.lacks)]
    return {reason.key for reason in found}


def _phrases() -> set[str]:
    """All reasons that the rules and the advice have a sentence for."""
    key = re.compile(r'^ {8}"(pharaoh\.[a-z_.]+)": "', re.MULTILINE)
    return {one for module in (refusals, report) for one in key.findall(Path(str(module.__file__)).read_text())}


def test_nobody_is_told_why_not_while_nobody_can_act() -> None:
    drawing = do(GAME.new(), "reveal c2")
    found = GAME.advice(drawing)
    assert (found.whys, found.abilities, found.reach, found.omens) == ((), (), (), ())


def test_every_reason_has_its_words_with_the_values_that_it_comes_with() -> None:
    found: dict[str, set[str]] = {}
    for _, advice in some_positions():
        lacks = [lack for ability in advice.abilities for lack in ability.lacks]
        reasons: list[Any] = [*advice.whys, *lacks]
        for reason in reasons:
            found.setdefault(reason.key, set(reason.values)).intersection_update(reason.values)
    for file in sorted(LOCALES.glob("*.json")):
        words = json.loads(file.read_text())
        for key, values in found.items():
            assert set(re.findall(r"\{(\w+)\}", json.dumps(words[key]))) <= values, (file.stem, key)
