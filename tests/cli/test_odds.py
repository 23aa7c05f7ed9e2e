"""``serai odds``: what it shows, what it tells programs, and how it says what is wrong."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from serai.camelup.odds.report import odds
from serai.core.record import Record, replay
from tests.cli.conftest import Answer
from tests.cli.terminal import SERAI

Serai = Callable[..., Answer]
GOLDEN = min((Path(__file__).parents[1] / "golden" / "camelup").glob("*.serai"))
PHARAOH = min((Path(__file__).parents[1] / "golden" / "pharaoh").glob("*.serai"))
POSITION = "1gyo 3bw | +5 -9 | bgoyw"


def test_it_shows_chances_with_bars(serai: Serai) -> None:
    answer = serai("odds", "camelup", POSITION)
    assert answer.code == 0
    assert "29,160 ways" in answer.out
    white = next(line for line in answer.out.splitlines() if line.startswith("white"))
    assert "28.4% ████" in white
    assert "26.3%" in white
    assert "the race ends in this leg: 0.0%" in answer.out
    assert "no desert tiles are placed in later legs" in answer.out
    assert "roll" not in answer.out


def test_a_fresh_command_compiles_nothing() -> None:
    fresh = subprocess.run([SERAI, "odds", "camelup", POSITION], capture_output=True, text=True, check=True)
    assert fresh.stderr == ""
    assert "29,160 ways" in fresh.stdout


def test_json_has_the_promised_keys_unrounded(serai: Serai) -> None:
    report = serai("odds", "camelup", POSITION, "--json").json
    found = odds(POSITION)
    assert set(report["leg"]) == set(report["race"]) == {"blue", "green", "orange", "yellow", "white"}
    for camel in report["leg"]:
        assert report["leg"][camel] == {
            "first": found.leg[camel].first,
            "second": found.leg[camel].second,
            "last": found.leg[camel].last,
        }
        assert report["race"][camel] == {"winner": found.race[camel].winner, "loser": found.race[camel].loser}
    assert report["assumes"] == ["no desert tiles are placed in later legs"]
    assert report["joint"]["blue"]["green"] == found.joint["blue"]["green"]
    assert report["stops"]["5"] == found.stops[5]
    assert "actions" not in report


def test_actions_are_listed_by_value(serai: Serai) -> None:
    answer = serai("odds", "camelup", POSITION, "--actions")
    lines = answer.out.split("pounds to be expected of every action:\n")[1].split("\n\n")[0].splitlines()
    values = [float(line.split()[-2 if "█" in line or line[-1] in "▏▎▍▌▋▊▉" else -1]) for line in lines]
    assert lines[0].startswith("loser green")
    assert values == sorted(values, reverse=True)
    assert len(lines) == len(odds(POSITION).actions)
    assert serai("odds", "camelup", POSITION, "--actions", "--json").json["actions"] == odds(POSITION).actions


def test_what_a_player_knows_changes_the_values(serai: Serai) -> None:
    report = serai(
        *("odds", "camelup", POSITION, "--actions", "--json", "--cards", "bgo", "--taken", "g2,b1"),
        *("--decks", "winner:3,loser:1", "--own-tile", "5"),
    ).json
    actions, start = report["actions"], odds(POSITION).actions
    assert [name for name in actions if name.startswith("winner")] == ["winner blue", "winner green", "winner orange"]
    assert actions["leg green"] < start["leg green"]
    assert actions["winner blue"] < start["winner blue"]
    assert "oasis 6" in actions
    assert "oasis 6" not in start
    assert actions["roll"] == 1
    assert len(report["assumes"]) == 5


@pytest.mark.parametrize(
    ("arguments", "marked", "reason"),
    [
        (["1gyo 3bx"], 7, "character 8: 'x' is no camel"),
        (["1gyo 3b"], 7, "character 8: white must stand on the track too"),
        (["1gyo 3bw | +5 +6"], 14, "character 15: space 6 is next to the desert tile on 5"),
        (["1gyo 3bw", "--actions", "--taken", "g2,b7"], 4, "character 5: say how many blue leg tiles"),
        (["1gyo 3bw", "--actions", "--decks", "winner"], 6, "character 7: say how many cards"),
        (["1gyo 3bw", "--actions", "--cards", "bb"], 1, "character 2: the blue card comes twice"),
        (
            ["1gyo 3bw", "--actions", "--own-tile", "17"],
            0,
            "character 1: say on which space, 1 to 16, your desert tile",
        ),
    ],
)
def test_mistakes_are_pointed_at(serai: Serai, arguments: list[str], marked: int, reason: str) -> None:
    answer = serai("odds", "camelup", *arguments)
    assert answer.code == 2
    assert answer.out == ""
    shown, mark, sentence = answer.err.splitlines()
    assert mark.index("^") == marked + 2
    assert shown.startswith("  ")
    assert sentence.startswith(f"serai: {reason}")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "give a position"),
        (["1bgoyw", "--record", "x.serai"], "not both"),
        (["1bgoyw", "--ply", "3"], "--ply goes with --record"),
        (["1bgoyw", "--cards", "b"], "--cards goes with --actions"),
        (["--record", "x.serai", "--actions", "--own-tile", "3"], "--own-tile goes with a position"),
        (["--record", "no-such.serai"], "cannot read 'no-such.serai'"),
        (["1bgoyw", "--actions", "--own-tile", "5"], "no desert tile lies on 5; tiles: none (--own-tile SPACE)"),
        (["1bgoyw | +2 -4 +6 -8 +10 -12 +14 -16", "--actions"], "say which (--own-tile SPACE)"),
    ],
)
def test_wrong_usage_is_told_in_one_line(serai: Serai, arguments: list[str], reason: str) -> None:
    answer = serai("odds", "camelup", *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert reason in answer.err


def test_a_position_comes_from_a_record(serai: Serai) -> None:
    record = Record.read(GOLDEN.read_text())
    plies = list(replay(record))
    number = next(number for number, ply in enumerate(plies) if number > 40 and not ply.drawn)
    ply = plies[number]
    report = serai("odds", "camelup", "--record", GOLDEN, "--ply", number, "--actions", "--json").json
    found = odds(ply.before.seen_by(ply.before.actor))
    assert report["actions"] == found.actions
    assert report["position"] == found.position


def test_games_without_odds_are_told_from_those_with(serai: Serai) -> None:
    for arguments, reason in (
        ([], 'give a game and a position, as in serai odds camelup "1gyo'),
        (["pharaoh", POSITION], "pharaoh has no odds; games with odds: camelup"),
        (["camelop", POSITION], "no game 'camelop' (did you mean 'camelup'?)"),
        (["camelup", "--record", PHARAOH], "a game of pharaoh, not of camelup"),
    ):
        answer = serai("odds", *arguments)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.count("\n") == 1
        assert reason in answer.err
    assert "camelup" in serai("odds", "--help").out
    text = serai("odds", "camelup", "--help").out
    assert all(option in text for option in ("--cards bgo", "--taken g2,b1", "--own-tile SPACE", "1gyo 3bw"))


def test_an_unfinished_record_keeps_its_cards(serai: Serai, tmp_path: Path) -> None:
    running = tmp_path / "running.serai"
    running.write_text("\n".join(GOLDEN.read_text().split("\n")[:40]) + "\n")
    assert serai("odds", "camelup", "--record", running).code == 0
    answer = serai("odds", "camelup", "--record", running, "--actions")
    assert answer.code == 2
    assert "would show what is hidden" in answer.err


def test_plies_without_odds_are_refused(serai: Serai) -> None:
    actions = len(Record.read(GOLDEN.read_text()).actions)
    for ply, reason in (
        (["--ply", "0"], "there are no odds after 0 actions; choose another --ply"),
        ([], "the game is over; choose another --ply"),
        (["--ply", str(actions + 1)], f"the record has {actions} actions"),
    ):
        answer = serai("odds", "camelup", "--record", GOLDEN, *ply)
        assert answer.code == 2
        assert answer.err.count("\n") == 1
        assert reason in answer.err


def test_between_a_roll_and_its_die_it_says_that_nobody_has_actions(serai: Serai) -> None:
    plies = list(replay(Record.read(GOLDEN.read_text())))
    number = next(number for number, ply in enumerate(plies) if number > 40 and ply.drawn)
    place = ("odds", "camelup", "--record", GOLDEN, "--ply", number)
    refused = serai(*place, "--actions")
    assert refused.code == 2
    assert f"after {number} actions a draw comes next" in refused.err
    assert f"choose --ply {number - 1} or {number + 1}, or leave out --actions" in refused.err
    assert "the race ends in this leg" in serai(*place).out
