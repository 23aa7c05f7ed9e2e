"""The bench of strength: matches go on where they were stopped, and say the same as if they never had been."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from bench import strength
from bench.strength import Match, Stretch, known, main, play, table

import serai

ROLLER = "def decide(view, rng):\n    return next(a for a in view.actions() if a.kind == 'roll')\n"


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """One that the referee has to play."""
    (tmp_path / "roller.py").write_text(ROLLER)
    return Match("camelup", "1", (f"{tmp_path / 'roller.py'}:decide", "random"), {}, "7")


def figures(stretch: Stretch) -> tuple[object, ...]:
    """What follows from the seed: all but times."""
    return stretch.first, stretch.groups, stretch.tally, stretch.faults


def test_a_stopped_match_goes_on_where_it_was(match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "strength.jsonl"
    asked: list[range] = []
    real = strength.played

    def noted(match: Match, groups: range) -> Stretch:
        asked.append(groups)
        return real(match, groups)

    monkeypatch.setattr(strength, "played", noted)
    play(match, 2, file=file)
    lines = file.read_bytes()
    file.write_bytes(lines + b'{"match":{"game":"camelup","rul')  # the power failed
    resumed = play(match, 4, file=file)
    assert asked == [range(1), range(1, 2), range(2, 3), range(3, 4)]
    assert figures(resumed) == figures(play(match, 4)) == figures(next(iter(known(file).values())))
    assert figures(play(match, 3, file=file)) == figures(resumed)
    other = msgspec.structs.replace(match, label="mended")
    assert play(other, 1, file=file).groups == 1
    assert len(known(file)) == 2


def test_a_line_tells_shares_scores_times_and_measures(match: Match) -> None:
    head, _, line = table([play(match, 2)]).splitlines()
    cells = dict(zip(head.split(" | "), line.split(" | "), strict=True))
    assert cells["against"] == "1 random"
    assert cells["groups"] == "2"
    assert "%" in cells["wins"]
    assert float(cells["ms: median"]) < float(cells["99 of 100"]) + 0.001
    assert float(cells["legs"]) > 0


def test_a_match_ends_once_its_interval_is_narrow_enough() -> None:
    sure = Match("camelup", "1", ("random", "random"), {}, "1")
    assert play(sure, 400, width=100).groups == strength.FEWEST


def test_the_command_plays_every_neighbour(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(serai.game("camelup")), "levels", ("random", "quick", "random"))
    main(["camelup", "random", "random", "random", "--groups", "2"])
    main(["camelup", "--ladder", "--seats", "2,3", "--groups", "1", "--seed", "x"])
    out = capsys.readouterr().out
    assert "| random | 2 random | 3 | 2 |" in out
    for players in (2, 3):
        assert f"| quick | {players - 1} random | {players} | 1 |" in out
        assert f"| random | {players - 1} quick | {players} | 1 |" in out
