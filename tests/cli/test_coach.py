"""``serai coach``: what a finished game's review says in a table, to programs and on a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from serai.camelup.coach import CamelUpCoach
from serai.coach.exercises import Collection
from serai.coach.report import SIGNS
from tests.cli.conftest import Answer

Serai = Callable[..., Answer]
FILE = Path(__file__).parents[1] / "golden" / "camelup" / "plain-42.serai"


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CamelUpCoach, "playouts", 16)
    monkeypatch.setattr(CamelUpCoach, "compared", 16)


def test_a_review_tells_mistakes_luck_and_where_results_came_from(serai: Serai) -> None:
    answer = serai("coach", FILE, "--effort", "low")
    assert answer.code == 0
    for part in ("by what each seat knew", "own decisions", "luck", "revealed", "plays like", "random 1"):
        assert part in answer.out


def test_reasons_call_players_by_their_names_and_say_what_their_signs_mean(serai: Serai, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    out = serai("coach", FILE, "--effort", "low").out
    assert serai("coach", FILE, "--effort", "low", "--html", page).code == 0
    for said in (out, page.read_text(encoding="utf-8")):
        assert said.count(SIGNS) == 1
        assert "+ " in said
        assert "seat 0" not in said
        assert "seat 1" not in said


def test_programs_get_all_of_it_and_a_page_is_written_beside(serai: Serai, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    report = serai("coach", FILE, "--seat", "1", "--seed", "4", "--json", "--html", page).json
    assert (report["game"], report["seats"], report["seed"], report["open"]) == ("camelup", [1], 4, False)
    assert {"evaluator", "start", "steps", "accounts"} <= set(report)
    text = page.read_text(encoding="utf-8")
    chart = ElementTree.fromstring(text[text.index("<svg") : text.index("</svg>") + 6])
    (line,) = chart.iter("polyline")
    assert len(line.attrib["points"].split()) == len(report["steps"]) + 2
    assert "src=" not in text
    assert "http" not in text


def test_names_cannot_write_into_the_page(serai: Serai, tmp_path: Path) -> None:
    record, page = tmp_path / "named.serai", tmp_path / "review.html"
    record.write_text(FILE.read_text().replace('"random 1"', '"<script>alert(1)</script>"'))
    assert serai("coach", record, "--effort", "low", "--html", page).code == 0
    assert "<script" not in page.read_text(encoding="utf-8")


def test_what_cannot_be_reviewed_is_said_in_one_line(serai: Serai, tmp_path: Path) -> None:
    running = tmp_path / "running.serai"
    running.write_text("\n".join(FILE.read_text().split("\n")[:-6]))
    for arguments, why in (((running,), "not over"), ((FILE, "--seat", "7"), "no seat 7")):
        answer = serai("coach", *arguments)
        assert answer.code == 2
        assert why in answer.err
        assert answer.err.count("\n") == 1


def test_exercises_are_looked_for_and_written(serai: Serai, tmp_path: Path) -> None:
    file = tmp_path / "exercises.jsonl"
    answer = serai("coach", "--exercises", "camelup", "--games", "2", "--seed", "5", "--most", "3", "--out", file)
    assert answer.code == 0
    assert "kept" in answer.out
    kept = Collection.read(file.read_text())
    assert 0 < len(kept.exercises) <= 3
    assert kept.provenance.command.endswith("--games 2 --seed 5 --most 3")
    printed = serai("coach", "--exercises", "camelup", "--games", "2", "--seed", "5", "--most", "3")
    assert printed.out == file.read_text()
    # and checked once more, by another seed
    checked = Collection.read(serai("coach", "--exercises", "camelup", "--again", file, "--seed", "6").out)
    assert {each.id for each in checked.exercises} <= {each.id for each in kept.exercises}
    assert checked.provenance.command.startswith(f"{kept.provenance.command}; ")
    assert all(each not in kept.exercises for each in checked.exercises)


def test_a_game_or_a_file_is_named_but_not_both(serai: Serai) -> None:
    for arguments in ((), (FILE, "--exercises", "camelup")):
        answer = serai("coach", *arguments)
        assert answer.code == 2
        assert "--exercises" in answer.err
    assert serai("coach", "--exercises", "chess").code == 2
