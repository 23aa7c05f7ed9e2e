"""Pictures: well-formed, safe with any names, the same for who sees the same, and short as text."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import serai
from serai import drawing
from serai.camelup.game import CamelUp, CamelUpText
from serai.core.parts import Text
from serai.core.record import Record, replay
from serai.errors import SeraiError
from tests.support import SOAK, amount, random_play

GOLDEN = Path(__file__).parents[1] / "golden"
NAMES = ("<b>Zoë & “Co”</b>", "]]>", "\x00\x1b[1m", "a" * 300)


def words_of(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter()]


def check(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text  # the title
    for one in root.iter():
        assert "id" not in one.attrib  # several pictures may stand in one page
        assert not one.tag.endswith(("style", "script", "image", "use"))
        assert "http" not in "".join(one.attrib.values())
        size = one.attrib.get("font-size")
        assert size is None or float(size) > 0


@pytest.mark.parametrize("name", serai.games())
def test_states_of_golden_games_draw_well_formed_pictures(name: str) -> None:
    files = sorted((GOLDEN / name).glob("*.serai"))
    game = serai.game(name)
    rng = random.Random(name)
    for file in rng.sample(files, amount(6, len(files))):
        plies = list(replay(Record.read(file.read_text())))
        for ply in [plies[0], *rng.sample(plies, min(len(plies), amount(3, 40))), plies[-1]]:
            for state in (ply.after, ply.after.seen_by(0), ply.after.seen_by(None)):
                check(state._repr_svg_())
                assert 0 < len(str(state)) < 1200
            check(game.text.picture(ply.after, seat=1, names=NAMES))


def test_a_picture_does_not_depend_on_what_the_seat_cannot_see() -> None:
    from tests.camelup.test_secrecy import other_cards

    game, rng = serai.game("camelup"), random.Random(5)
    differing = 0
    for players in (2, 4, 8):
        for state, *_ in random_play(game, players, rng):
            if rng.random() < 0.94:
                continue
            for seat in (None, rng.randrange(players)):
                twin, _ = other_cards(state, seat, rng)
                differing += twin._repr_svg_() != state._repr_svg_()
                one, other = state.seen_by(seat), twin.seen_by(seat)
                assert one._repr_svg_() == other._repr_svg_()
                assert game.text.picture(one, seat=seat) == game.text.picture(other, seat=seat)
                assert str(one) == str(other)
    assert differing > 10  # else nothing was compared


def test_hidden_cards_lie_face_down() -> None:
    game = serai.game("camelup")
    state = list(replay(Record.read((GOLDEN / "camelup" / "all-cards-laid.serai").read_text())))[-2].before
    hidden = sum(len(hand) for hand in state.hands) + len(state.winner_deck) + len(state.loser_deck)
    said = words_of(game.text.picture(state.seen_by(None)))
    assert sum("face down" in one and one.startswith("a race card") for one in said) >= hidden
    assert not any(re.match(r"(blue|green|orange|yellow|white) race card", one) for one in said)
    assert "?" in str(state.seen_by(None))


def test_covered_money_is_shown_to_its_owner_alone() -> None:
    game = serai.game("camelup")
    for state, *_ in random_play(game, 2, random.Random(1), hide_money=True):
        if 77 not in state.money and state.leg == 1:
            rich = type(state)(
                **{field: getattr(state, field) for field in state.__struct_fields__} | {"money": (77, 88)}
            )
            assert "77" in words_of(game.text.picture(rich, seat=0))
            assert "88" not in words_of(game.text.picture(rich, seat=0))
            assert not {"77", "88"} & set(words_of(rich._repr_svg_()))
            assert "77" not in str(rich)
            return
    raise AssertionError


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(), max_size=4))
def test_any_names_are_drawn_as_words(names: list[str]) -> None:
    for name in serai.games():
        game = serai.game(name)
        check(game.text.picture(game.new(4), names=names))


def test_a_game_without_a_picture_shows_its_text() -> None:
    class PlainText(CamelUpText):
        _picture = Text._picture

    class Plain(CamelUp):
        text = PlainText()

    game = Plain()
    svg = game.text.picture(game.new(2))
    check(svg)
    assert any("The camels come to the start" in one for one in words_of(svg))


@settings(max_examples=60, deadline=None)
@given(st.text(), st.floats(allow_nan=False, allow_infinity=False), st.floats(-2, 3))
def test_shapes_take_any_text_and_number(said: str, number: float, share: float) -> None:
    rows: list[list[str | drawing.Cell]] = [[drawing.Cell(said, drawing.bar(0, 0, 10, 4, share, said)), said]]
    columns = (drawing.Column(said, 50), drawing.Column("", 20, "start"))
    body = drawing.table(number, 3, columns, rows) + drawing.text(1, number, said)
    check(drawing.picture(10, 10, body, title=said or "x"))


def test_a_histogram_has_a_bar_for_each_number() -> None:
    svg = drawing.histogram(drawing.Box(0, 0, 100, 50), [(2, 5), (4, 10), (1200, 1)], "#000")
    root = ElementTree.fromstring(f"<g>{svg}</g>")
    heights = [float(bar.attrib["height"]) for bar in root.iter("rect")]
    assert heights == [25, 50, 5]
    assert drawing.histogram(drawing.Box(0, 0, 1, 1), [], "#000") == ""


def test_odds_tell_the_value_of_an_action_given_in_either_form() -> None:
    game = serai.game("camelup")
    odds = game.odds("1gyo 3bw | +5 -9 | bgoyw")
    assert odds is not None
    for text, value in odds.actions.items():
        assert odds.value(text) == odds.value(game.parse(text)) == value
    with pytest.raises(SeraiError, match=r"'leg gren' is not legal here.*did you mean 'leg green'"):
        odds.value("leg gren")
    with pytest.raises(SeraiError, match="not legal here"):
        odds.value(game.parse("oasis 3"))  # a camel stands there
    bare = game.odds("1gyo 3bw", actions=False)
    assert bare is not None
    with pytest.raises(SeraiError, match="value no actions"):
        bare.value("roll")


def test_odds_and_runs_are_short_and_draw_themselves() -> None:
    game = serai.game("camelup")
    for actions in (True, False):
        odds = game.odds("1gyo 3bw | +5 -9 | bgoyw", actions=actions)
        assert odds is not None
        check(odds._repr_svg_())
        assert len(str(odds)) < 600
        assert ("best of 32 actions" in str(odds)) is actions
        assert str(odds).index("white") < str(odds).index("green")  # the likelier leader first
    for name, bots in (("camelup", ["quick", "random", "random"]), ("pharaoh", ["random", "random"])):
        run = serai.simulate(name, bots, games=6, seed=1)
        check(run._repr_svg_())
        check(run.summary()._repr_svg_())
        assert len(str(run)) < 800
        assert "6 games" in str(run.summary())


def test_what_draws_is_loaded_when_it_is_wanted() -> None:
    code = (
        "import sys, serai; serai.game('camelup').new(2); serai.game('pharaoh').new(2);"
        "print([m for m in sys.modules if m.startswith('serai') and m.rpartition('.')[2] in"
        " ('drawing', 'picture', 'art', 'notebook')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(found.stdout.replace("'", '"')) == []


def test_a_review_is_short_and_draws_itself() -> None:
    from serai.coach import review

    record = Record.read((GOLDEN / "camelup" / "race-ends-with-the-first-die.serai").read_text())
    for seat in (None,) if SOAK else (0,):
        judged = review(record, seat, effort="low")
        check(judged._repr_svg_())
        assert len(str(judged)) < 2500
        assert all(record.seats[one].name in str(judged) for one in judged.seats)
        lines = [one for one in ElementTree.fromstring(judged._repr_svg_()).iter() if one.tag.endswith("polyline")]
        assert len(lines) == len(judged.seats)
