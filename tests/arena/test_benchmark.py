"""``serai benchmark``: fixed games, a score that par makes 50, and a file from which it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import serai
from serai.arena.benchmark import BadBenchmark, Benchmark, Chunk, measured_games, tables_of
from serai.bots.specs import find_bot

CAMELUP, PHARAOH = serai.game("camelup"), serai.game("pharaoh")
FIRST = "def decide(view, rng):\n    return 'roll' if 'roll' in map(str, view.actions()) else view.actions()[0]\n"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(CAMELUP), "benchmark", (("random", 8), ("jerboa", 8)))
    monkeypatch.setattr(type(PHARAOH), "benchmark", ())


def test_its_tables_are_fixed_and_its_opponents_have_no_clock() -> None:
    assert measured_games() == ["camelup", "pharaoh"]
    assert [table.name for table in tables_of(CAMELUP)][:3] == [
        "camelup 2 jerboa",
        "camelup 4 jerboa",
        "camelup 8 jerboa",
    ]
    assert {table.seats for table in tables_of(PHARAOH)} == {2, 4}
    for game in (CAMELUP, PHARAOH):
        for table in tables_of(game):
            opponent: Any = find_bot(game, table.opponent)()
            assert getattr(opponent, "seconds", None) is None
            assert table.games % table.seats == 0


@pytest.mark.parametrize(
    ("wins", "score"), [(lambda seats: 1 / seats, 50), (lambda seats: 0, 0), (lambda seats: 1, 100)]
)
def test_a_fair_share_is_50_at_a_table_of_any_size(short: None, tmp_path: Path, wins: Any, score: float) -> None:
    benchmark = Benchmark("random", ["camelup"], tmp_path / "x")
    for table in benchmark.tables:
        benchmark._write(Chunk(table.name, [wins(table.seats)] * (table.games // table.seats)))
    report = Benchmark("random", ["camelup"], tmp_path / "x").report()
    assert [one.score for one in report.tables] == pytest.approx([score] * 6)
    assert all(one.error > 0 for one in report.tables), "no number of games is certain"
    assert report.finished
    assert report.whole == report.games["camelup"]
    assert report.line.startswith(f"| `random` | **{score:.1f} ±")


def test_the_stronger_bot_has_the_higher_score(short: None, tmp_path: Path) -> None:
    weak, strong = (play(Benchmark(bot, ["camelup"], tmp_path / bot)).whole for bot in ("random", "quick"))
    assert strong.score - strong.margin > weak.score


def test_it_goes_on_where_it_was_stopped_and_comes_to_the_same(short: None, tmp_path: Path) -> None:
    at_once = play(Benchmark("jerboa", ["camelup"], tmp_path / "once"))
    stopped = Benchmark("jerboa", ["camelup"], tmp_path / "twice")

    def stop(games: int) -> None:
        raise KeyboardInterrupt

    left = [stopped.left]
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stopped.play(told=stop)
        stopped = Benchmark("jerboa", ["camelup"], tmp_path / "twice")
        left.append(stopped.left)
    assert 48 == left[0] > left[1] > left[2] > 0
    with (tmp_path / "twice").open("ab") as file:
        file.write(b'{"table":"camelup 8 jerboa","sha')  # cut off while it was written
    assert play(Benchmark("jerboa", ["camelup"], tmp_path / "twice")) == at_once
    assert Benchmark("jerboa", ["camelup"], tmp_path / "twice").left == 0


def test_another_bot_or_a_changed_one_is_not_mixed_in(
    short: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FIRST)
    play(Benchmark("trusted:mine.py:decide", ["camelup"], Path("x"), most=2))
    with pytest.raises(BadBenchmark, match=r"another benchmark \(bot: 'trusted:mine.py:decide' there, 'random' here\)"):
        Benchmark("random", ["camelup"], Path("x"))
    Path("mine.py").write_text(f"{FIRST}# better\n")
    with pytest.raises(BadBenchmark, match="code"):
        Benchmark("trusted:mine.py:decide", ["camelup"], Path("x"))
    Path("y").write_text("something else\n")
    with pytest.raises(BadBenchmark, match="no file of a benchmark"):
        Benchmark("random", ["camelup"], Path("y"))


def play(benchmark: Benchmark) -> Any:
    benchmark.play()
    return benchmark.report()
