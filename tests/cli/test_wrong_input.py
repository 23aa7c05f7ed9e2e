"""Wrong input, tried as a new user would: one clear line, exit code 2, never a traceback of ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from serai.cli._support.files import read_record
from tests.cli.conftest import Answer

Serai = Callable[..., Answer]
GOLDEN = next((Path(__file__).parents[1] / "golden" / "camelup").glob("*.serai"))


def refused(answer: Answer, says: str) -> None:
    """It was refused with one line that says this."""
    assert answer.code == 2, answer
    assert answer.out == ""
    assert answer.err.startswith("serai: ")
    assert answer.err.count("\n") == 1
    assert answer.err.endswith("\n")
    assert says in answer.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("plya", "no command 'plya' (did you mean 'play'?)"),
        ("draughts", "no command 'draughts'; commands: serve, games, play"),
        ("play camelupp", "no game 'camelupp' (did you mean 'camelup'?)"),
        ("play chess", "no game 'chess'; games: camelup"),
        ("play --players 9", "camelup takes 2 to 8 players, not 9"),
        ("play --players 1", "camelup takes 2 to 8 players, not 1"),
        ("play --players nine", "'nine' is not a valid integer"),
        ("play --seats a,b,c,d,e,f,g,h,i", "camelup takes 2 to 8 players, not 9"),
        ("play --seats ann,ann", "two seats are called 'ann'"),
        ("play --seats ann,,ben", "an empty seat"),
        ("play --seats ann,randon", "no bot 'randon' (did you mean 'random'?)"),
        ("play --seats ann,ben --players 3", "--seats names 2 seats, but --players says 3"),
        ("play --bot nobody", "camelup has no bot 'nobody'"),
        ("play --option first", "write an option as NAME=VALUE, not 'first'"),
        ("play --option fist=1", "camelup has no option 'fist'; its options: first, hide_money"),
        ("play --option first=7", "option first wants a seat from 0 to 3, not 7"),
        ("play --option hide_money=maybe", "option hide_money wants true or false, not 'maybe'"),
        ("play --colour", "--colour"),
        ("play --resume nowhere.serai", "cannot read 'nowhere.serai': No such file or directory"),
        ("play --resume", "no unfinished game"),
        ("play camelup --resume x.serai", "--resume takes a saved game as it is"),
        ("play --save nowhere/x.serai", "cannot write 'nowhere/x.serai': No such file or directory"),
        ("simulate", "Missing argument 'GAME'"),
        ("simulate chess", "no game 'chess'"),
        ("simulate camelup --players 9", "camelup takes 2 to 8 players, not 9"),
        ("simulate camelup --games 0", "0 is not in the range"),
        ("simulate camelup --bots random,random --players 4", "2 bots are named for 4 players"),
        ("simulate camelup quick --bots random,random", "after the game or with --bots, not both"),
        ("simulate camelup --bots random,", "--bots has an empty place"),
        ("simulate camelup --bots randon", "camelup has no bot 'randon' (did you mean 'random'?)"),
        ("simulate camelup --bots nowhere.py:decide", "no bot file 'nowhere.py'"),
        ("simulate camelup --option x=1 --games 1", "camelup has no option 'x'"),
        ("replay nowhere.serai", "cannot read 'nowhere.serai': No such file or directory"),
        ("verify", "Missing argument 'FILE...'"),
        ("serve --base-path games", "a base path begins with a slash"),
        ("serve --base-path /games/../x", "no '.' or '..' alone; '/games/../x' has '..'"),
        ("serve --public-url example.org", "a public address looks like https://example.org"),
        ("serve --base-path /a --public-url https://example.org/b", "they have to be the same"),
    ],
)
def test_one_clear_line(
    serai: Serai, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(serai(*arguments.split()), says)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("raise RuntimeError('not today')", "cannot be run: RuntimeError: not today"),
        ("import sys\nsys.exit(7)", "cannot be run: SystemExit: 7"),
        ("def decide(view, rng:", "cannot be run: SyntaxError"),
        ("def other(view, rng): ...", "has no 'decide'"),
        ("decide = 5", "is no bot"),
        (
            "class decide:\n    def __init__(self): raise OSError('no\\nmodel')\n    def decide(self, v, r): ...",
            "no model",
        ),
    ],
)
@pytest.mark.parametrize("command", ["simulate camelup --bots", "play --seats ann,random,"])
def test_a_bot_file_that_does_not_work(serai: Serai, tmp_path: Path, source: str, says: str, command: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(source)
    glue = "" if command.endswith(",") else " "
    answer = serai(*f"{command}{glue}{file}:decide".split())
    *trace, reason = answer.err.splitlines(keepends=True)
    refused(answer._replace(err=reason), says)
    assert all("mine.py" in line for line in trace if line.startswith("  File "))
    assert not trace or trace[0].startswith("Traceback"), "of the bot's own code, before the reason"


@pytest.mark.parametrize("command", ["replay", "play --resume"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a whole Serai record"),
        (b"hello\n", "not a Serai record"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "a binary file"),
        (b'game: camelup\nseats: "\xe9"\n', "not UTF-8 text (line 2)"),
        (b"game: camelup\n" * 400_000, "too large"),
    ],
)
def test_a_file_that_is_no_record(serai: Serai, tmp_path: Path, command: str, content: bytes, says: str) -> None:
    file = tmp_path / "odd.serai"
    file.write_bytes(content)
    refused(serai(*command.split(), file), says)


@pytest.mark.parametrize("command", ["replay", "play --resume"])
def test_a_folder_instead_of_a_file(serai: Serai, tmp_path: Path, command: str) -> None:
    refused(serai(*command.split(), tmp_path), "Is a directory")


@pytest.mark.parametrize("command", ["replay", "play --resume"])
def test_a_record_of_another_rules_version(serai: Serai, tmp_path: Path, command: str) -> None:
    file = tmp_path / "old.serai"
    file.write_text(GOLDEN.read_text().replace("rules: 1\n", "rules: 0\n"))
    refused(serai(*command.split(), file), "old.serai: line 1: made under rules version '0'")


def test_a_damaged_record_names_the_line(serai: Serai, tmp_path: Path) -> None:
    lines = GOLDEN.read_text().split("\n")
    place = lines.index("roll")
    lines[place] = "rol"
    file = tmp_path / "damaged.serai"
    file.write_text("\n".join(lines))
    refused(serai("replay", file), f"damaged.serai: line {place + 1}: 'rol'")


def test_a_finished_game_cannot_be_resumed(serai: Serai) -> None:
    refused(serai("play", "--resume", GOLDEN), "this game is over")


def test_a_record_without_the_secret_cannot_be_resumed(serai: Serai, tmp_path: Path) -> None:
    head, _, body = GOLDEN.read_text().partition("\n\n")
    file = tmp_path / "half.serai"
    file.write_text(re.sub(r"secret: .*", "", head).strip() + "\n\n" + "\n".join(body.split("\n")[:8]) + "\n")
    assert read_record(file).result is None
    refused(serai("play", "--resume", file), "lacks the dealer's secret")


def test_an_existing_file_is_never_overwritten(serai: Serai, tmp_path: Path) -> None:
    file = tmp_path / "mine.serai"
    file.write_text("precious")
    refused(serai("play", "--save", file), "exists already; to resume that game: serai play --resume")
    refused(serai("play", "--save", tmp_path), "is a folder")
    assert file.read_text() == "precious"


def test_names_and_files_cannot_steer_the_terminal(serai: Serai, tmp_path: Path) -> None:
    file = tmp_path / "steer.serai"
    file.write_text(re.sub(r'seats: "[^"]*"', r'seats: "\\u001b[2Jann"', GOLDEN.read_text()))
    answer = serai("replay", file)
    assert answer.code == 0
    assert "?[2Jann" in answer.out
    assert "\033" not in answer.out
    assert "\033" not in serai("verify", file).out


def test_the_help_of_every_command(serai: Serai) -> None:
    top = serai()
    assert top.code == 0
    for name in ("games", "play", "simulate", "replay", "verify"):
        assert name in top.out
        answer = serai(name, "--help")
        assert answer.code == 0
        assert answer.out.startswith(f"Usage: serai {name}")
