"""The published ladder: what ships is what the page says, and one command writes both."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ladder.page import chart_files, page, published

import serai
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Description
from serai.arena.tournament.report import report_of
from serai.bots.ladder import Ladder, ladder
from serai.core.parts import compiled
from serai.errors import SeraiError

ROOT = Path(__file__).parents[2]
TOML = """game = "camelup"
seats = 2
seed = "7"
adjust = true
entrants = ["jerboa", "random"]
[stop]
games = 4
"""


@pytest.mark.parametrize("name", ["camelup", "pharaoh"])
def test_everybody_is_on_the_ladder_without_a_clock(name: str) -> None:
    game = serai.game(name)
    tournament, _ = Description.read(ROOT / "ladder" / f"{name}.toml").settle()
    beside = {bot for company in game.company.values() for bot in company} - set(game.levels)
    assert set(tournament.names) == set(game.bots) - beside, "who only keeps a level company is measured against it"
    assert tournament.anchor == game.yardstick
    for entrant in tournament.entrants:
        assert (
            "seconds=None" in entrant.spec
            or compiled(game).simulator([entrant.spec] * 2, seed="7")
            or entrant.name == "explorer"
        )


@pytest.mark.parametrize("name", ["camelup", "pharaoh"])
def test_the_page_and_the_file_say_the_same(name: str) -> None:
    found = ladder(serai.game(name))
    assert found is not None
    text = (ROOT / "docs" / "ladder.md").read_text()
    assert found.serai == serai.__version__
    assert serai.game(name).plays(found.rules)
    assert f"{found.games:,} games of {found.seats}" in text
    assert f"`{found.anchor}` is 1500" in text
    listed = dict(re.findall(r"^\| `(\w+)` \| \*\*(\d+)\*\*", text, re.MULTILINE))
    drawn = (ROOT / "docs" / "pictures" / f"ladder-{name}-ratings.svg").read_text()
    for rung in found.rungs:
        if rung.bot != "random":  # who plays both games
            assert listed[rung.bot] == f"{rung.rating:.0f}"
        assert f"{rung.bot}: {rung.rating:.0f} ({rung.low:.0f} to {rung.high:.0f})" in drawn
    assert [rung.rating for rung in found.rungs] == sorted((rung.rating for rung in found.rungs), reverse=True)
    assert Ladder.read(found.write()) == found


def test_one_command_plays_it_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "camelup.toml").write_text(TOML)
    command = [sys.executable, "-m", "ladder", "--folder", str(tmp_path), "--play", "--jobs", "1"]
    for _ in range(2):
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert "camelup: 4 games" in run.stdout
    with Archive(tmp_path / "camelup.arena") as archive:
        report = report_of(archive)
    assert report.adjusted is not None
    assert report.adjusted.games == 4
    text = page([report])
    for rung in published(report).rungs:
        assert f"| `{rung.bot}` | **{rung.rating:.0f}** | {rung.low:.0f}–{rung.high:.0f} |" in text
    assert {f"](pictures/{name})" for name in chart_files(report)} <= set(re.findall(r"\]\(pictures/[^)]*\)", text))


def test_a_ladder_that_cannot_be_read_is_told() -> None:
    with pytest.raises(SeraiError, match="this is no ladder"):
        Ladder.read('{"game": 3}')
