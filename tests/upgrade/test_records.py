"""Records that an older Serai wrote: they hold, are replayed, and a saved game goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from serai.cli._support.files import read_record
from serai.core.record import replay, verify
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
