"""``serai arena``: a tournament is begun, stopped, killed, resumed and reported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from serai.arena.tournament.archive import Archive
from serai.cli._support.group import run
from serai.core.record import Record, verify
from tests.arena.archived import games

SERAI = [sys.executable, "-c", "from serai.cli import main; main()"]
SOAK = bool(os.environ.get("SERAI_SOAK"))
COUNT = "200" if SOAK else "40"
PLAIN = "def decide(view, rng):\n    return rng.choice(view.actions())\n"
BOT = "def decide(view, rng):\n    open('log', 'a').write('.')\n    return rng.choice(view.actions())\n"
SOME = 400
"""Decisions, which are those of several games."""
COMPILED = ["camelup", "jerboa", "donkey", "random", "--seats", "2", "--seed", "7", "--games", "24"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def decided():
    log = Path("log")
    return log.stat().st_size if log.exists() else 0


def test_killing_it_loses_no_finished_game_and_repeats_none(folder):
    (folder / "plain.py").write_text(BOT)
    arguments = [
        "arena",
        "camelup",
        "trusted:plain.py:decide",
        "random",
        "--seats",
        "2",
        "--games",
        COUNT,
        "--seed",
        "7",
    ]
    command = [*SERAI, *arguments, "--jobs", "2", "--json"]
    before = {}
    kills = 0
    while kills < (5 if SOAK else 1):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        so_far = decided()
        while process.poll() is None and decided() < so_far + SOME:
            time.sleep(0.005)
        process.kill()
        process.communicate()
        if process.returncode != -signal.SIGKILL:
            break
        kills += 1
        stored = games(Path("camelup.arena"))
        assert before.items() <= stored.items()
        before = stored
    assert kills
    assert before
    done = subprocess.run(command, capture_output=True, check=True)
    after = games(Path("camelup.arena"))
    assert len(after) == int(COUNT)
    assert before.items() <= after.items()
    report = json.loads(done.stdout)
    assert report["finished"]
    assert report["standings"]["games"] == int(COUNT)
    assert run([*arguments, "--file", "whole.arena"]) == 0
    assert games(Path("whole.arena")) == after


def test_a_file_that_was_only_just_made_when_it_was_killed_is_begun(folder):
    Path("camelup.arena").touch()
    assert run(["arena", *COMPILED]) == 0
    assert len(games(Path("camelup.arena"))) == 24
    assert oct(Path("camelup.arena").stat().st_mode)[-3:] == "600"


def test_ctrl_c_stops_it_and_the_same_command_goes_on(folder):
    (folder / "plain.py").write_text(BOT)
    arguments = [
        "arena",
        "camelup",
        "trusted:plain.py:decide",
        "random",
        "--seats",
        "2",
        "--games",
        "40",
        "--seed",
        "7",
    ]
    process = subprocess.Popen([*SERAI, *arguments], stderr=subprocess.PIPE, text=True)
    while decided() < SOME:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 2
    assert "go on with: serai arena camelup.arena" in said
    before = games(Path("camelup.arena"))
    assert run(["arena", "camelup.arena"]) == 0
    assert before.items() <= games(Path("camelup.arena")).items()
    assert len(games(Path("camelup.arena"))) == 40


def test_a_description_in_toml_is_played_and_told_in_every_form(folder, capsys):
    (folder / "cup.toml").write_text(
        'game = "camelup"\nseats = 2\nentrants = ["jerboa", {name = "ass", spec = "donkey"}, "quick"]\nseed = 7\n'
        "[stop]\ngames = 24\n[limits]\ndecision = 1.0\n"
    )
    assert run(["arena", "cup.toml", "--html", "cup.html", "--csv", "cup.csv", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {one["name"] for one in report["standings"]["entrants"]} == {"jerboa", "ass", "quick"}
    assert report["standings"]["anchor"] == "quick"
    assert report["tournament"]["limits"]["decision"] == 1.0
    assert Path("cup.html").read_text().count("<svg") == 3
    assert len(Path("cup.csv").read_text().splitlines()) == 4
    assert oct(Path("cup.arena").stat().st_mode)[-3:] == "600"
    assert run(["arena", "cup.arena", "--show"]) == 0
    assert "quick" in capsys.readouterr().out
    assert run(["arena", "cup.arena", "--record", "1/1"]) == 0
    assert verify(Record.read(capsys.readouterr().out)).finished


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('game = "camelup"\nentrant = ["quick"]', "no 'entrant' (did you mean 'entrants'?)"),
        (
            'game = "camelup"\nentrants = ["quick", "donkey"]\n[stop]\ngame = 5',
            "[stop] no 'game' (did you mean 'games'?)",
        ),
        ('game = "camelup"\nentrants = ["quick", "donky"]', "(did you mean 'donkey'?)"),
        ('game = "camelup"\nentrants = ["quick"]', "needs two entrants or more, not 1"),
        ('game = "camelup"\nentrants = ["quick", "quick"]', "two entrants are called 'quick'"),
        ('game = "camelup"\nentrants = ["quick", "donkey"]\nseats = 9', "takes 2 to 8 players, not 9"),
        ('game = "camelup"\nentrants = ["quick", "donkey"]\nseats = "two"', "Expected `int | null`, got `str`"),
        ('game = "camelup"\nentrants = ["quick", "donkey"]\nanchor = "quik"', "(did you mean 'quick'?)"),
        ('game = "camelup"\nentrants = ["quick", "donkey"]\n[stop]\nminutes = -1', "must be more than 0"),
        ("game = camelup", "cup.toml: Invalid value"),
        ('game = "camelup"\nentrants = ["quick", "donkey"]\nschedule = "knockout"', "Invalid enum value 'knockout'"),
    ],
)
def test_what_is_wrong_with_a_description_is_said(folder, capsys, text, said):
    (folder / "cup.toml").write_text(text)
    assert run(["arena", "cup.toml"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("cup.arena").exists()


def test_a_file_of_another_tournament_is_not_gone_on_with(capsys):
    assert run(["arena", *COMPILED]) == 0
    assert run(["arena", *COMPILED[:-1], "48"]) == 2
    assert "is finished and its seed is public" in capsys.readouterr().err
    assert run(["arena", "camelup", "jerboa", "quick", "--seats", "2", "--seed", "7"]) == 2
    assert "holds another tournament (entrants: jerboa, donkey, random here, jerboa, quick there)" in (
        capsys.readouterr().err
    )


def test_a_bot_that_was_changed_is_not_gone_on_with(folder, capsys):
    (folder / "plain.py").write_text(PLAIN)
    arguments = ["arena", "camelup", "plain.py:decide", "random", "--seats", "2"]
    assert run([*arguments, "--games", "2"]) == 0
    with Archive(Path("camelup.arena")) as archive:
        archive.note(finished="no")
    (folder / "plain.py").write_text(PLAIN + "# better now\n")
    assert run(["arena", "camelup.arena", "--games", "4"]) == 2
    assert "the file of 'plain' (isolated:plain.py:decide) has changed" in capsys.readouterr().err
    assert run([*arguments, "--games", "4"]) == 2
    assert "holds another tournament (entrants" in capsys.readouterr().err


def test_other_wrong_input_is_said(capsys):
    for arguments, said in (
        (["missing.arena"], "no tournament 'missing.arena'"),
        (["missing.toml"], "cannot read 'missing.toml'"),
        (["camelup"], "name the bots that play"),
        (["camelop", "quick", "random"], "(did you mean 'camelup'?)"),
        (["missing.arena", "quick"], "only its stopping rules can be changed"),
    ):
        assert run(["arena", *arguments]) == 2
        assert said in capsys.readouterr().err
    assert run(["arena", *COMPILED]) == 0
    for wanted, said in (("7", "LINEUP/NUMBER"), ("999/0", "no game 999/0")):
        assert run(["arena", "camelup.arena", "--record", wanted]) == 2
        assert said in capsys.readouterr().err


def test_a_bot_that_failed_shows_in_the_exit_status(folder, capsys):
    (folder / "broken.py").write_text("def decide(view, rng):\n    return 'lost'\n")
    assert run(["arena", "camelup", "broken.py:decide", "random", "--seats", "2", "--games", "2"]) == 1
    assert "answered 'lost', which is not legal" in capsys.readouterr().out
    assert Path("camelup.arena").exists()


def test_luck_is_taken_out_when_asked_for_also_afterwards(capsys):
    few = [*COMPILED[:-1], "6"]
    assert run(["arena", *few, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["adjusted"] is None
    assert run(["arena", "camelup.arena", "--adjust", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["adjusted"]
    assert report["games"] == 6
    assert {one["name"] for one in report["entrants"]} == {"jerboa", "donkey", "random"}
    Path("cup.toml").write_text(
        'game = "camelup"\nseats = 2\nseed = "7"\nadjust = true\nentrants = ["jerboa", "donkey", "random"]\n'
        "[stop]\ngames = 6\n"
    )
    assert run(["arena", "cup.toml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["adjusted"] == report
    assert run(["arena", "cup.arena", "--show"]) == 0
    assert "without luck, by the draws of 6 games" in capsys.readouterr().out
