"""Records that an older Serai wrote: they hold, are replayed, and a saved game goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from serai.cli._support.files import read_record
from serai.core.record import Record, first_state, replay, verify
from serai.errors import BadRecord
from tests.cli.terminal import CTRL_D, Terminal
from tests.server.support import Visitor, house, run
from tests.upgrade.golden import CURRENT

OVER = sorted(file.name for kind in ("finished", "agreed") for file in CURRENT.glob(f"*{kind}.serai"))
UNFINISHED = sorted(file.name for kind in ("running", "hotseat") for file in CURRENT.glob(f"*{kind}.serai"))


@pytest.mark.parametrize("name", OVER)
def test_a_whole_record_holds(name: str) -> None:
    verdict = verify(read_record(CURRENT / name))
    assert verdict.finished
    assert verdict.draws_checked


@pytest.mark.parametrize("name", ["camelupsave.serai", "pharaohsave.serai", "pharaohrunning.serai"])
def test_an_unfinished_record_holds_so_far(name: str) -> None:
    assert not verify(read_record(CURRENT / name)).finished


def test_records_are_replayed(tmp_path: Path) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            for name in [*OVER, *UNFINISHED]:
                record = (CURRENT / name).read_text()
                answer = await Visitor(here.base).call("POST", "/api/replay", {"record": record})
                hidden = " ?" in record
                assert answer.status_code == (400 if hidden else 200), answer.text
                if hidden:
                    assert answer.json()["key"] == "record.hidden"
                else:
                    assert answer.json()["frames"]

    run(ask())


def test_a_record_keeps_the_defaults_of_its_rules() -> None:
    """Version 1 of the pyramid's rules: walls that nobody can turn away, and at most 200 rounds."""
    rounds = 200
    head = 'game: pharaoh\nrules: 1\nseats: "Ann", "Ben"\n'
    old = Record.read("\n".join([head, *["end"] * 2 * rounds, "result 0 0"]))
    assert verify(old).finished
    *_, last = replay(old)
    assert (last.after.options.turn_reach, last.after.options.max_rounds) == ("linked", rounds)
    with pytest.raises(BadRecord, match=r"'end': the game is over"):
        verify(msgspec.structs.replace(old, rules="2"))
    chosen = msgspec.structs.replace(old, options={"turn_reach": "opening"})
    assert first_state(chosen)[1].options.turn_reach == "opening"


def test_whoever_plays_on_from_an_old_record_keeps_its_options(tmp_path: Path) -> None:
    text = 'game: pharaoh\nrules: 1\nseats: "Ann", "Ben"\n\n' + "end\n" * 400 + "result 0 0\n"

    async def play_on() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            wanted = {"record": text, "turn": 0, "seat": 0, "bot": "random"}
            answer = await ann.call("POST", "/api/continued", wanted)
            options = answer.json()["table"]["options"]
            assert (options["turn_reach"], options["max_rounds"]) == ("linked", 200)

    run(play_on())


def test_a_saved_game_of_camel_up_is_played_to_its_end(tmp_path: Path) -> None:
    save = copied("camelupsave.serai", tmp_path)
    with Terminal("play", "--resume", str(save), home=tmp_path) as screen:
        while not screen.wait_for("Ann> ", "The record of this game").endswith("game"):
            screen.line("roll")
        assert screen.finish()[0] == 0
    verdict = verify(read_record(save))
    assert verdict.finished
    assert verdict.draws_checked


def test_a_game_of_pharaoh_saved_in_the_middle_of_a_turn_goes_on(tmp_path: Path) -> None:
    save = copied("pharaohsave.serai", tmp_path)
    before = read_record(save).actions
    laid = str(list(replay(read_record(save)))[-1].after.actions()[0])
    assert laid.startswith("lay ")
    with Terminal("play", "--resume", str(save), home=tmp_path) as screen:
        screen.wait_for("Ann> ")
        screen.line(laid)
        screen.wait_for("Ann> ")
        screen.type(CTRL_D)
        assert screen.finish()[0] == 2
    after = read_record(save).actions
    assert after[: len(before) + 1] == (*before, laid)


def copied(name: str, folder: Path) -> Path:
    shutil.copy(CURRENT / name, folder / name)
    return folder / name
