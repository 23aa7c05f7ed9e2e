"""``serai check-bot``: what is wrong with a bot is said, and the exit status says so; and no file starts a program."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai.cli._support.files import read_record
from serai.processes import program as programs
from tests.bots.test_programs import POLITE
from tests.cli.conftest import Answer

Serai = Callable[..., Answer]


def program(folder: Path, changed: str) -> str:
    (folder / "own").mkdir(exist_ok=True)
    file = folder / "own" / "bot.py"
    file.write_text(POLITE.replace("# --", f"HELLO['games'] = ['camelup']\n{changed}"))
    return f"process:{sys.executable} -I -S {file}"


@pytest.mark.parametrize(
    ("changed", "situation", "fault"),
    [
        ("", "", ""),
        ("said = []\ndef decide(asked):\n    said.append(1)\n    return {'number': asked['numbers'][len(said) % 2]}",
         "twice", "cannot be repeated"),
        ("def hear(message):\n    assert message['type'] != 'something of a later version'", "does not know", "ended"),
        ("games = []\ndef hear(message):\n    games.extend([1] * (message['type'] == 'game')); assert len(games) < 2",
         "game after game", "ended"),
        ("def hear(message):\n    assert message.get('players') != 8", "a whole game of 8", "ended"),
        ("def hear(message):\n    assert not message.get('options', {}).get('hide_money')", "hide_money", "ended"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(changed: str, situation: str, fault: str, serai: Serai, tmp_path: Path) -> None:
    answer = serai("check-bot", program(tmp_path, changed), "--json", "--limit", 60)
    report = answer.json
    wrong = [finding for finding in report["findings"] if finding["fault"]]
    assert answer.code == (1 if fault else 0), report
    assert report["well"] is not bool(fault)
    assert any(situation in finding["situation"] and fault in finding["fault"] for finding in wrong) is bool(fault)


def test_one_that_does_not_end_with_its_input_is_told(
    serai: Serai, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "GRACE_SECONDS", 0.1)
    stays = "import atexit\natexit.register(lambda: time.sleep(60))"
    answer = serai("check-bot", program(tmp_path, stays), "--limit", 60)
    assert answer.code == 1
    assert "its input ends while it waits: wrong: goes on when its input has ended" in answer.out


def test_a_bot_that_cannot_be_tried_is_told_in_one_line(serai: Serai, tmp_path: Path) -> None:
    answer = serai("check-bot", "process:./nothing")
    assert answer.code == 2
    assert "no program './nothing' here" in answer.err
    assert serai("check-bot", "nobody").code in (1, 2)


FIRST_BOTS = """
from random import Random
from serai.camelup import CamelUpState

def typed(view: CamelUpState, rng: Random):
    return view.actions()[len(view.track) - len(view.track)]

def racing(view, rng):
    return view.actions()[len(view.track) - len(view.track)]

class Late:
    def __init__(self):
        self.weights = open("no such weights")

    def decide(self, view, rng):
        return view.actions()[0]
"""


@pytest.fixture
def first_bots(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    file = tmp_path / "own" / "first.py"
    file.write_text(FIRST_BOTS)
    return file


@pytest.mark.parametrize("name", ["typed", "racing"])
def test_the_games_that_a_bot_is_for_are_tried_and_no_others(name: str, first_bots: Path, serai: Serai) -> None:
    answer = serai("check-bot", f"{first_bots}:{name}", "--json")
    assert answer.code == 0, answer.err
    assert {finding["game"] for finding in answer.json["findings"]} == {"camelup"}
    assert ("pharaoh is left out" in answer.err) is (name == "racing")
    assert serai("check-bot", f"{first_bots}:{name}", "--game", "pharaoh", "--json").code == 1


def test_a_bot_for_another_game_is_refused(first_bots: Path, serai: Serai) -> None:
    answer = serai("simulate", "pharaoh", f"{first_bots}:typed", "random", "--games", 1)
    assert answer.code == 2
    assert answer.err == "serai: bot 'first' is for camelup, not for pharaoh\n"


@pytest.mark.parametrize("command", ["simulate", "arena", "check-bot"])
@pytest.mark.parametrize("kind", ["isolated:", "trusted:"])
def test_a_bot_that_cannot_start_is_refused_with_its_traceback(
    command: str, kind: str, first_bots: Path, serai: Serai, tmp_path: Path
) -> None:
    spec = f"{kind}{first_bots}:Late"
    words: dict[str, tuple[Any, ...]] = {
        "simulate": ("simulate", "camelup", spec, "random", "--tolerate"),
        "arena": ("arena", "camelup", spec, "random", "--file", tmp_path / "x.arena"),
        "check-bot": ("check-bot", spec, "--game", "camelup"),
    }
    answer = serai(*words[command])
    said = answer.err + answer.out
    assert answer.code == (1 if command == "check-bot" else 2)
    assert 'self.weights = open("no such weights")' in said
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'no such weights'" in said
    assert "isolated_main" not in said, "the traceback begins in the bot's code"
    assert not (tmp_path / "x.arena").exists()


def test_no_file_starts_a_program_unless_one_says_so(serai: Serai, tmp_path: Path) -> None:
    spec = f"trusted:touch {tmp_path / 'made'}"
    scene = {"game": "camelup", "bot": spec, "seat": 0, "ply": 0, "view": None, "events": [], "rng": []}
    (tmp_path / "x.fault.json").write_text(json.dumps(scene))
    answer = serai("decide", tmp_path / "x.fault.json")
    assert answer.code == 2
    assert "names a program to run" in answer.err
    serai("simulate", "camelup", "random", "quick", "--games", 1, "--save", tmp_path)
    (save,) = tmp_path.glob("*.serai")
    record = read_record(save)
    seats = (record.seats[0], msgspec.structs.replace(record.seats[1], bot=spec))
    save.write_text(msgspec.structs.replace(record, seats=seats, result=None, actions=record.actions[:20]).write())
    answer = serai("play", "--resume", save)
    assert answer.code == 2
    assert "names a program to run" in answer.err
    assert not (tmp_path / "made").exists()
