"""``serai.simulate``: rows agree with records, with any executor; no failure of a bot is silent."""

from __future__ import annotations

import csv
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import serai
from serai.arena import worker_processes
from serai.arena.datasets import Export, by_column, flattened
from serai.arena.simulate import Run
from serai.bots import BotFailed
from serai.core.record import replay
from serai.errors import BadArgument, BadOptions, MissingExtra, SeraiError
from tests.support import amount


def rolls(view: Any, rng: random.Random) -> Any:
    """One that the referee has to play."""
    return rng.choice(view.actions())


def row_by_record(run: Run, number: int) -> dict[str, Any]:
    """The line that the record of that game says it should have."""
    record = run.record(number)
    plies = list(replay(record))
    decisions = [ply for ply in plies if not ply.drawn]
    end, start = plies[-1].after, decisions[0].before
    winners = end.winners()
    seats = range(len(record.seats))
    counts = Counter((ply.before.actor, ply.action.kind) for ply in decisions)
    return {
        run.game.score_name: list(end.scores()),
        "share": [np.float32((seat in winners) / len(winners)) for seat in seats],
        "plies": len(plies),
        "decisions": len(decisions),
        "actions": [[counts[seat, kind] for kind in run.kinds] for seat in seats],
        **{
            name: list(value) if isinstance(value, tuple) else value for name, value in run.game.row(start, end).items()
        },
    }


@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("camelup", ["random", "quick", "random"]),
        ("camelup", ["random", rolls]),
        ("pharaoh", ["random", "jackal", "random"]),
        ("pharaoh", [rolls, "random"]),
    ],
)
def test_every_line_is_what_its_record_says(name: str, bots: list[Any]) -> None:
    games = amount(4, 60)
    run = serai.simulate(name, bots, games=games, seed="rows", rotate=True)
    assert run.rows["game"].tolist() == list(range(games))
    for number in range(games):
        line = run.rows[number]
        seats = [record.bot for record in run.record(number).seats]
        assert [run.bots[place] for place in line["bots"]] == seats
        for column, value in row_by_record(run, number).items():
            assert np.asarray(line[column]).tolist() == value, column
    wins = sum(side.wins.share * side.seats for side in run.summary().bots)
    assert wins == pytest.approx(run.rows["share"].sum(), abs=1e-4)


@pytest.mark.parametrize("bots", [["random", "quick"], ["random", rolls]])
def test_games_follow_from_seed_and_number_alone(bots: list[Any]) -> None:
    whole = serai.simulate("camelup", bots, games=8, seed=3, paired=True)
    shared = serai.simulate("camelup", bots, games=8, seed="3", paired=True, jobs=2)
    part = serai.simulate("camelup", bots, games=3, skip=4, seed=3, paired=True)
    assert (whole.rows == shared.rows).all()
    assert (whole.rows[4:8] == part.rows).all(), "whole groups"
    assert whole.summary() == shared.summary()


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingExtra, match="rows of games need numpy: install Serai with its extra 'fast'"):
        serai.simulate("camelup", [rolls, rolls], games=1)


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    serai.simulate("camelup", [rolls, rolls], games=3, progress=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


def raises(view: Any, rng: random.Random) -> Any:
    raise RuntimeError("lost")


def deaf(view: Any, rng: random.Random) -> Any:
    while True:
        try:
            time.sleep(60)
        except BaseException:  # that is what makes it deaf
            continue


def leaves(view: Any, rng: random.Random) -> Any:
    os._exit(7)


def at_first(failing: Any) -> Any:
    """A bot that fails in this way as long as the game is young, and is well then."""

    class AtFirst:
        seen = 0

        def watch(self, event: Any) -> None:
            self.seen += 1

        def decide(self, view: Any, rng: random.Random) -> Any:
            return failing(view, rng) if self.seen < 9 else rng.choice(view.actions())

    return AtFirst


@pytest.mark.parametrize(
    ("failing", "reason"),
    [
        (raises, "raised RuntimeError: lost"),
        (deaf, "took longer than 0.2 s and would not stop"),
        (leaves, r"ended its process \(exit code 7\)"),
    ],
)
def test_whatever_a_bot_does_is_told_and_may_be_tolerated(
    failing: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_processes, "_PATIENCE", 0.5)
    bot = at_first(failing)
    with pytest.raises(BotFailed, match=f"bot AtFirst {reason}") as failure:
        serai.simulate("camelup", [bot, "random"], games=1, limit=0.2)
    assert failure.value.scene is not None
    assert failure.value.scene.seat == failure.value.fault.seat == 0
    assert "(game 0, ply " in str(failure.value)
    run = serai.simulate("camelup", [bot, "random"], games=1, limit=0.2, tolerate=True)
    assert len(run) == 1
    assert {(number, fault.seat, fault.bot) for number, fault in run.faults} == {(0, 0, "AtFirst")}
    assert 1 <= len(run.faults) <= 2
    assert all(fault.played for _, fault in run.faults)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"games": 0}, "games is a whole number, 1 or more, not 0"),
        ({"games": 2.5}, "games is a whole number"),
        ({"seed": 0.5}, "a seed is a whole number or a text"),
        ({"jobs": -1}, "jobs is a whole number, 0 or more"),
        ({"colour": "red"}, "no option 'colour'"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises((BadArgument, BadOptions), match=reason):
        serai.simulate("camelup", ["random", "random"], **settings)


def test_rows_become_data_frames_and_files(tmp_path: Path) -> None:
    run = serai.simulate("camelup", ["random", "quick"], games=50, seed=1)
    pandas, polars, arrow = run.to_pandas(), run.to_polars(), run.to_arrow()
    assert pandas["first"].tolist() == polars["first"].to_list() == arrow["first"].to_pylist()
    assert set(pandas["first"]) <= {"blue", "green", "orange", "yellow", "white"}
    assert pandas["bots_1"].unique().tolist() == ["quick"]
    assert (pandas["money_0"].to_numpy() == run.rows["money"][:, 0]).all()
    assert (polars["roll_1"].to_numpy() == run.rows["actions"][:, 1, run.kinds.index("roll")]).all()
    for form in ("parquet", "csv", "jsonl"):
        with Export(tmp_path / f"games.{form}", lambda rows: flattened(run.game, run.bots, rows)) as file:
            file.write(run.rows[:20])
            file.write(run.rows[20:])
    from pyarrow import parquet

    assert parquet.read_table(tmp_path / "games.parquet").to_pylist() == arrow.to_pylist()
    with (tmp_path / "games.csv").open(newline="") as text:
        lines = list(csv.DictReader(text))
    assert [int(line["plies"]) for line in lines] == run.rows["plies"].tolist()
    import msgspec

    decoded = [msgspec.json.decode(line) for line in (tmp_path / "games.jsonl").read_bytes().splitlines()]
    assert [line["last"] for line in decoded] == pandas["last"].tolist()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["games.csv", "games.jsonl", "games.parquet"]


def test_a_game_beyond_the_run_is_not_written_down() -> None:
    run = serai.simulate("camelup", ["random"] * 2, games=3, seed=7)
    assert run.record(2).actions
    with pytest.raises(BadArgument, match="the number of a game must be a whole number from 0 to 2, not 3"):
        run.record(3)


def test_a_file_that_cannot_be_written_is_refused_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(SeraiError, match=r"use one of .parquet, .jsonl, .csv"):
        Export(tmp_path / "games.xls", by_column)
    with pytest.raises(SeraiError, match=r"use one of .parquet, .jsonl$"):
        Export(tmp_path / "decisions.csv", by_column, lists=True)
    with pytest.raises(SeraiError, match="cannot write"):
        Export(tmp_path / "no" / "games.csv", by_column)


@pytest.mark.parametrize("name", ["camelup", "pharaoh"])
def test_decisions_are_told_in_numbers(name: str, tmp_path: Path) -> None:
    run = serai.simulate(name, ["random", "random"], games=2, seed="decisions")
    made, encoding = run.decisions(), run.game.encoding
    assert encoding is not None
    assert np.bincount(made["game"]).tolist() == run.rows["decisions"].tolist()
    assert made["mask"][np.arange(len(made)), made["action"]].all(), "only what was legal was done"
    for number in range(2):
        plies = [ply for ply in replay(run.record(number)) if not ply.drawn]
        lines = made[made["game"] == number]
        for ply, line in zip(plies, lines, strict=True):
            assert encoding.action(int(line["action"]), ply.before) == ply.action
            assert (line["observation"] == encoding.observation(ply.before.seen_by(ply.before.actor))).all()
        for seat in range(2):
            assert set(lines["share"][lines["seat"] == seat]) == {run.rows["share"][number, seat]}
    with Export(tmp_path / "made.parquet", by_column, lists=True) as file:
        file.write(made)
    from pyarrow import parquet

    table = parquet.read_table(tmp_path / "made.parquet")
    assert table["observation"].to_pylist() == made["observation"].tolist()
