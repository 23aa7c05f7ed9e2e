"""``serai simulate``: the same seed gives the same games; faults are reported; figures are right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from serai.arena.series import Series
from serai.cli._support.files import read_record
from serai.core.record import replay, verify
from tests.cli.conftest import Answer
from tests.cli.terminal import CTRL_C, Terminal

Serai = Callable[..., Answer]


def untimed(report: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in report.items() if "second" not in key}


ROLLER = "def decide(view, rng):\n    return next(a for a in view.actions() if a.kind == 'roll')\n"


@pytest.fixture
def roller(tmp_path: Path) -> str:
    """A bot that nobody compiled: the referee must play it."""
    file = tmp_path / "roller.py"
    file.write_text(ROLLER)
    return f"{file}:decide"


@pytest.mark.parametrize("compiled", [False, True])
def test_the_same_seed_gives_the_same_games_with_any_number_of_jobs(serai: Serai, roller: str, compiled: bool) -> None:
    asked = (
        "simulate",
        "camelup",
        "--games",
        12,
        "--json",
        "--bots",
        "random,random" if compiled else f"random,{roller}",
    )
    once, again, shared = (
        serai(*asked, "--seed", 5),
        serai(*asked, "--seed", 5),
        serai(*asked, "--seed", 5, "--jobs", 2),
    )
    assert once.code == shared.code == 0
    assert untimed(once.json) == untimed(again.json) == untimed(shared.json)
    assert untimed(serai(*asked, "--seed", 5, "--jobs", 0).json) == untimed(once.json)
    other = serai(*asked, "--seed", 6)
    assert untimed(once.json)["summary"] != untimed(other.json)["summary"]


@pytest.mark.parametrize("compiled", [False, True])
def test_figures_agree_with_the_saved_records(serai: Serai, tmp_path: Path, roller: str, compiled: bool) -> None:
    folder = tmp_path / "records"
    bots = "random,random,random" if compiled else f"random,{roller},random"
    report = serai("simulate", "camelup", "--bots", bots, "--games", 7, "--save", folder, "--json").json
    records = [read_record(file) for file in sorted(folder.iterdir())]
    verdicts = [verify(record) for record in records]
    assert len(verdicts) == report["summary"]["games"] == 7
    assert all(verdict.finished and verdict.draws_checked is not compiled for verdict in verdicts)
    legs = Counter(list(replay(record))[-1].after.leg for record in records)
    assert report["summary"]["measures"]["legs"] == {str(leg): games for leg, games in legs.items()}
    for seat, side in enumerate(report["summary"]["seats"]):
        assert side["scores"]["mean"] == pytest.approx(sum(verdict.scores[seat] for verdict in verdicts) / 7)
        parts = [1 / len(verdict.winners) for verdict in verdicts if seat in verdict.winners]
        assert side["wins"]["share"] == pytest.approx(sum(parts) / 7)
    assert report["summary"]["plies"]["mean"] == pytest.approx(sum(verdict.plies for verdict in verdicts) / 7)
    assert report["saved"] == str(folder)
    assert report["faults"] == []


def test_a_users_own_bot_rotates_through_the_seats(serai: Serai, tmp_path: Path, roller: str) -> None:
    bots = f"{roller},random,random"
    folder = tmp_path / "records"
    answer = serai("simulate", "camelup", "--games", 6, "--bots", bots, "--rotate", "--save", folder)
    assert answer.code == 0
    seats = [
        next(seat for seat, who in enumerate(read_record(file).seats) if who.bot and "roller" in who.bot)
        for file in sorted(folder.iterdir())
    ]
    assert seats == [0, 1, 2, 0, 1, 2]
    assert re.search(r"\d games/s, [\d,]+ plies/s", answer.out)
    assert "6 games of camelup" in answer.out


def test_rotation_gives_every_entrant_every_seat() -> None:
    series = Series("camelup", ("a", "b", "c"), {}, 6, "1", rotate=True)
    assert [series.seating(number) for number in range(4)] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]
    assert Series("camelup", ("a", "b"), {}, 6, "1").seating(5) == (0, 1)


@pytest.mark.parametrize("compiled", [False, True])
def test_paired_games_come_in_whole_groups(serai: Serai, tmp_path: Path, roller: str, compiled: bool) -> None:
    bots = ("quick" if compiled else roller, "random", "random")
    folder = tmp_path / "records"
    report = serai("simulate", "camelup", *bots, "--paired", "--games", 4, "--save", folder, "--json").json
    assert (report["asked"], report["paired"], report["rotate"]) == (6, True, True)
    records = [read_record(file) for file in sorted(folder.iterdir())]
    assert [[seat.bot for seat in record.seats].index(bots[0]) for record in records] == [0, 1, 2, 0, 1, 2]
    first = [record.actions[:5] for record in records]  # the dice that place the camels
    assert first[0] == first[1] == first[2] != first[3] == first[4] == first[5]


def test_a_long_series_is_foretold(serai: Serai, monkeypatch: pytest.MonkeyPatch, roller: str) -> None:
    asked = ("simulate", "camelup", "random", roller, "--games", 3)
    assert "will take about" not in serai(*asked).err
    monkeypatch.setattr("serai.cli.simulate._LONG", 0.0)
    assert re.search(r"3 games will take about 0 minutes.*Ctrl-C", serai(*asked).err)


FAULTY = """
import sys

def raises(view, rng):
    raise RuntimeError("lost\\nmy way")

def cheats(view, rng):
    return "rol"

def leaves(view, rng):
    sys.exit(3)

calls = []

def dawdles(view, rng):
    calls.append(view)
    while len(calls) == 1:
        pass
    return view.actions()[0]

class Odd:
    def __eq__(self, other):
        raise ArithmeticError("never equal")
    __hash__ = None

def odd(view, rng):
    return Odd()
"""


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "raised RuntimeError: lost my way"),
        ("cheats", "answered 'rol', which is not legal"),
        ("leaves", "raised SystemExit: 3"),
        ("dawdles", "took longer than 1 s"),
        ("odd", "answered something that raised ArithmeticError: never equal"),
    ],
)
def test_a_bots_fault_is_reported_with_its_ply_and_a_record(
    serai: Serai, home: Path, tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    bot = f"{tmp_path / 'faulty.py'}:{name}"
    asked = ("simulate", "camelup", "--games", 1, "--bots", f"random,{bot}", "--limit", 1)
    stopped = serai(*asked)
    assert stopped.code == 2
    assert f"serai: bot {bot} {reason}" in stopped.err
    again = re.search(r"repeat this decision: (serai decide (.*))", stopped.err)
    assert again
    if name == "raises":
        assert 'raise RuntimeError("lost' in stopped.err
        once_more = serai("decide", again[2])
        assert once_more.code == 2
        assert "failed again: RuntimeError: lost my way" in once_more.err
        assert "the bot answers: " in serai("decide", again[2], "--bot", "random").out
    answer = serai(*asked, "--tolerate")
    assert answer.code == 1
    assert f"bot {bot} {reason}" in answer.out
    faults = [fault for fault in serai(*asked, "--tolerate", "--json").json["faults"] if fault["bot"] == bot]
    fault = faults[0]
    assert f"first in game 0, ply {fault['ply']}, seat 1, where '{fault['played']}' was played for it" in answer.out
    assert f"see serai replay {fault['record']}" in answer.out
    record = read_record(Path(fault["record"]))
    assert record.actions[fault["ply"]] == fault["played"]
    assert fault["count"] >= 1
    assert verify(record).finished
    assert Path(fault["record"]).parent == home / "faults"


@pytest.mark.parametrize("compiled", [False, True])
def test_ctrl_c_tells_what_was_played_so_far(terminal: Callable[..., Terminal], roller: str, compiled: bool) -> None:
    bots = "random,random" if compiled else f"random,{roller}"
    for jobs in ("1", "2"):
        with terminal("simulate", "camelup", "--games", "100000000", "--jobs", jobs, "--bots", bots) as run:
            while not re.search(r"[1-9]\d*/100000000", run.wait_for("/100000000")):
                pass
            run.type(CTRL_C)
            code, _ = run.finish()
        assert code == 2
        assert re.search(r"serai: stopped after \d+ of 100000000 games", run.text)
        assert "games/s" in run.text
        assert "Traceback" not in run.text


def test_games_that_were_cut_short_are_told(serai: Serai) -> None:
    answer = serai("simulate", "camelup", "--games", "3", "--bots", "random,random", "--max-plies", "30")
    assert "3 of 3 games were cut short after 3" in answer.out
