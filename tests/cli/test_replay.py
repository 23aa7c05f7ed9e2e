"""``serai replay``: stepping to and fro, the story on paper, JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from serai import game as find_game
from serai.cli._support.files import read_record
from tests.cli.conftest import Answer
from tests.cli.terminal import CTRL_D, Terminal
from tests.support import counted_steps

Serai = Callable[..., Answer]
Open = Callable[..., Terminal]
GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "camelup").glob("*.serai"))


def half(tmp_path: Path) -> Path:
    """A golden game without its end, in which somebody has laid a race card."""
    lines = next(
        lines
        for lines in (file.read_text().split("\n") for file in GOLDEN)
        if any(line.startswith(("winner", "loser")) for line in lines[: len(lines) // 2])
    )
    file = tmp_path / "half.serai"
    file.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    return file


def test_every_action_is_played_once(serai: Serai, monkeypatch: pytest.MonkeyPatch) -> None:
    stepped = counted_steps(find_game("camelup"), monkeypatch)
    assert serai("replay", GOLDEN[0]).code == 0
    assert tuple(map(str, stepped)) == read_record(GOLDEN[0]).actions


def test_stepping(terminal: Open) -> None:
    record = read_record(GOLDEN[0])
    plies = len(record.actions)
    with terminal("replay", str(GOLDEN[0])) as show:
        assert f"5 of {plies}" in show.wait_for("quit > ")
        first = record.actions[5]
        show.line()
        assert f"{record.seats[0].name}: {first}" in show.wait_for("quit > ")
        show.line("b")
        assert f"5 of {plies}" in show.wait_for("quit > ")
        show.line("b")
        assert f"5 of {plies}" in show.wait_for("quit > ")
        show.line("huh")
        assert "'huh' does nothing here" in show.wait_for("quit > ")
        show.line("99999")
        last = show.wait_for("quit > ")
        assert f"{plies} of {plies}" in last
        assert "The result: " in last
        show.line("1")
        assert f"5 of {plies}" in show.wait_for("quit > ")
        show.line("q")
        assert show.finish()[0] == 0


def test_enter_at_the_end_leaves(terminal: Open) -> None:
    with terminal("replay", str(GOLDEN[0])) as show:
        show.wait_for("quit > ")
        show.line("99999")
        show.wait_for("quit > ")
        show.line()
        assert show.finish()[0] == 0


def test_ctrl_c_and_ctrl_d(terminal: Open) -> None:
    for stop in (Terminal.interrupt, lambda show: show.type(CTRL_D)):
        with terminal("replay", str(GOLDEN[0])) as show:
            show.wait_for("quit > ")
            stop(show)
            code, rest = show.finish()
            assert code == 2
            assert rest.endswith("\nserai: stopped\n")


def test_the_story_on_paper(serai: Serai) -> None:
    answer = serai("replay", GOLDEN[0])
    record = read_record(GOLDEN[0])
    assert answer.code == 0
    assert "\033" not in answer.out
    people_actions = [action for action in record.actions if not action.startswith("die")]
    assert sum(f": {action}" in answer.out for action in people_actions) == len(people_actions)
    assert answer.out.rstrip().endswith(str(record.result[-1] if record.result else ""))


def test_json_tells_every_ply(serai: Serai) -> None:
    record = read_record(GOLDEN[0])
    report = serai("replay", "--json", GOLDEN[0]).json
    assert [ply["action"] for ply in report["plies"]] == list(record.actions)
    assert report["plies"][0]["actor"] == "chance"
    assert report["plies"][5]["actor"] == 0
    assert report["plies"][-1]["scores"] == report["result"] == list(record.result or ())
    assert report["plies"][-1]["events"][-1]["type"] == "game_ended"


def test_an_unfinished_game_shows_what_an_onlooker_sees(serai: Serai, tmp_path: Path) -> None:
    file = half(tmp_path)
    cards = [action for action in read_record(file).actions if action.startswith(("winner", "loser"))]
    assert cards
    story = serai("replay", file)
    assert "The game is not finished." in story.out
    report = serai("replay", "--json", file)
    for card in cards:
        assert card not in story.out
        assert card not in report.out
    assert report.json["finished"] is False
    assert sum(ply["action"] in ("winner ?", "loser ?") for ply in report.json["plies"]) == len(cards)
    assert "race card" in story.out
    assert all(f"the {colour} race card" not in story.out for colour in ("blue", "green", "orange", "yellow", "white"))


def test_equal_names_are_told_apart(serai: Serai, tmp_path: Path) -> None:
    file = tmp_path / "bots.serai"
    seats = '"explorer" explorer, "explorer" explorer, "explorer 2", "explorer" explorer'
    file.write_text(f"game: pharaoh\nrules: 1\nseats: {seats}\n\nend\nend\nend\nend\n")
    report = serai("replay", file).out
    players = [
        line.partition(": end")[0].split(maxsplit=1)[1] for line in report.splitlines() if line.endswith(": end")
    ]
    assert players == ["explorer", "explorer 3", "explorer 2", "explorer 4"]
