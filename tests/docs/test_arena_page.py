"""docs/arena.md: its own commands take a bot in another language from an empty folder to a report."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import serai
from tests.support import SOAK

ROOT = Path(__file__).parents[2]
STRONGEST = serai.game("camelup").bots[-1]
LIGHTLY = {f" {STRONGEST} ": f' "{STRONGEST}={STRONGEST}(rollouts=40, seconds=None)" ', "--games 30": "--games 6"}
"""What is changed of the commands where there is no time for the strongest as it is."""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_bot_in_c_is_built_checked_and_rated_against_the_strongest_in_an_empty_folder(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "arena.md").read_text()
    commands = re.findall(r"## A bot of yours.*?```sh\n(.*?)```", page, re.DOTALL)[0].splitlines()
    assert [command.split()[:2] for command in commands[1:]] == [
        ["serai", "check-bot"],
        ["serai", "arena"],
        ["serai", "arena"],
    ]
    assert f" quick {STRONGEST} " in commands[2]
    games = 30
    if not SOAK:
        games = 6
        for written, lighter in LIGHTLY.items():
            assert commands[2].count(written) == 1
            commands[2] = commands[2].replace(written, lighter)
    shutil.copy(ROOT / "examples" / "bots" / "drover.c", tmp_path)
    where = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in commands:
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=where, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert "check-bot" not in command or "all is well" in done.stdout
    names = {"drover", "quick", STRONGEST}
    result = json.loads((tmp_path / "cup.json").read_text())
    entrants = result["standings"]["entrants"]
    assert result["finished"]
    assert result["standings"]["games"] == games
    assert not result["faults"]
    assert {one["name"] for one in entrants} == names
    assert {one["games"] for one in entrants} == {games}
    assert all(one["low"] <= one["rating"] <= one["high"] for one in entrants)
    assert next(one["rating"] for one in entrants if one["name"] == "quick") == 1500
    assert {line["name"] for line in csv.DictReader((tmp_path / "cup.csv").read_text().splitlines())} == names
    html = (tmp_path / "cup.html").read_text()
    assert html.count("<svg") == 3
    assert all(name in html for name in names)
    assert not re.search(r"""(?:src|href)=["']?(?!#|data:)""", html), "it loads nothing from elsewhere"
