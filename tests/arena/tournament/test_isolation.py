"""Somebody's bot in a tournament is shut in unless it is trusted: it finds nothing, and no game tells it of another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import BadTournament, Description, Stop
from serai.arena.tournament.report import report_of
from serai.arena.tournament.runner import Runner, player_of
from serai.bots import program
from serai.bots.program import ProgramSpec, find_command
from serai.core.record import Record, verify
from serai.errors import BotCannotStart, UnknownName
from serai.lab.tally import group
from serai.processes import sandbox
from serai.processes.sandbox import NoSandbox
from tests.bots.test_fair_play import CHEATS, FOUND_NOTHING, told_by

pytestmark = pytest.mark.skipif(not sandbox.available(), reason="this kernel has no sandbox")
TELLING = '''
import os

class Bot:
    """Tells once in each game in which process it plays."""

    said = False

    def decide(self, view, rng):
        if not self.said:
            self.said = True
            raise RuntimeError(os.getpid())
        return rng.choice(view.actions())
'''


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where somebody works: bots, a rival, and the tournament."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cheats.py").write_text(CHEATS)
    (tmp_path / "rival.py").write_text("def decide(view, rng):\n    return view.actions()[0]\n")
    return tmp_path


@contextmanager
def held(entrant: str, games: int, *others: str, seed: str = "nobody guesses this", jobs: int = 1) -> Iterator[Archive]:
    """A tournament of this one, ``random`` and others, played to its end.

    Not with a secret that is drawn: one in thirty-five sets up a race as one of the seeds does that ``curious`` tries.
    """
    path = Path("kept.arena")
    asked = Description("camelup", [entrant, "random", *others], seats=2, seed=seed, stop=Stop(games=games))
    tournament, stop = asked.settle()
    tournament.check_place(path)
    with Archive(path, create=(tournament, stop, asked.seed)) as archive:
        Runner(archive, jobs=jobs, tell=lambda count: None, stopped=lambda: False).play()
        yield archive


def test_by_default_a_bot_in_a_file_finds_nothing_and_changes_nothing() -> None:
    with held("cheats.py:curious", 2) as archive:
        report = report_of(archive)
        assert archive.tournament.entrants[0].spec == "isolated:cheats.py:curious"
        (lineup,) = archive.lineups
        texts = [archive.record(lineup, number) for number in range(2)]
    assert [(fault.bot, fault.count) for fault in report.faults] == [("cheats", 2)]
    assert told_by(report.faults[0].reason) == FOUND_NOTHING
    for text in texts:
        assert text is not None
        record = Record.read(text)
        assert verify(record).finished
        assert record.result is not None
        assert max(record.result) < 999


def test_a_trusted_one_plays_where_the_game_is_and_finds_everything() -> None:
    with held("trusted:cheats.py:curious", 2) as archive:
        report = report_of(archive)
    found = told_by(report.faults[0].reason)
    assert all(found[where] > 0 for where in ("frames", "memory", "files"))
    assert not found["seeds"], "of a tournament nobody knows the seed"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_plays_one_game_of_a_pair_at_most_and_games_of_several_pairs(folder: Path, jobs: int) -> None:
    (folder / "telling.py").write_text(TELLING)
    with held("telling.py:Bot", 6, seed="7", jobs=jobs) as archive:
        played = [(group(2, number), fault.reason) for _, number, fault in archive.faults()]
    assert sorted(dice for dice, _ in played) == [0, 0, 1, 1, 2, 2]
    assert len(set(played)) == 6, "of two games with the same dice each has another process"
    assert len({process for _, process in played}) <= 2 * jobs, "which plays with other dice, too"


def test_a_process_goes_on_to_other_line_ups_whose_dice_are_others(folder: Path) -> None:
    (folder / "telling.py").write_text(TELLING)
    with held("telling.py:Bot", 6, "jerboa", seed="7") as archive:
        played = [(lineup, group(2, number), fault.reason) for lineup, number, fault in archive.faults()]
    assert len(played) == len(set(played)) == 4
    assert len({lineup for lineup, _, _ in played}) == 2
    assert len({process for _, _, process in played}) == 2


def test_a_module_is_shut_in_as_well(folder: Path) -> None:
    (folder / "camp").mkdir()
    (folder / "camp" / "__init__.py").touch()
    (folder / "camp" / "cheats.py").write_text(CHEATS)
    with held("camp.cheats:curious", 2) as archive:
        assert told_by(report_of(archive).faults[0].reason) == FOUND_NOTHING


def test_where_somebody_works_a_bot_reads_no_other_code_and_in_its_own_folder_all(folder: Path) -> None:
    (folder / "own").mkdir()
    for place in (folder, folder / "own"):
        (place / "helper.py").write_text("FIRST = 0\n")
        (place / "grown.py").write_text(
            "from helper import FIRST\ndef decide(view, rng):\n    return view.actions()[FIRST]\n"
        )
    with pytest.raises(UnknownName, match=r"does not let it read '[^']*helper\.py': put .* or name it trusted:"):
        Description("camelup", ["grown.py:decide", "random"]).settle()
    Description("camelup", ["own/grown.py:decide", "random"]).settle()
    Description("camelup", ["trusted:grown.py:decide", "random"]).settle()


LEARNED = """
from pathlib import Path

class Bot:
    def __init__(self):
        self.first = int((Path(__file__).parent / "weights.txt").read_text())

    def decide(self, view, rng):
        return view.actions()[self.first]
"""


def test_where_somebody_works_a_bot_reads_the_data_beside_it_unless_that_is_hidden(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "_data_is_hidden", False)
    (folder / "learned.py").write_text(LEARNED)
    (folder / "weights.txt").write_text("0")
    for secret in ("kept.arena", "x.fault.json", ".hidden.json", "run.serai"):
        (folder / secret).touch()
    asked = Description("camelup", ["learned.py:Bot", "random"])
    (entrant, _) = asked.settle()[0].entrants
    readable = find_command(ProgramSpec("isolated:", "learned.py:Bot"), folder / "learned.py").readable
    assert entrant.spec == "isolated:learned.py:Bot"
    assert [name for name in readable if Path(name).parent == folder] == [
        *[str(folder / "learned.py")] * 2,
        str(folder / "weights.txt"),
    ]
    monkeypatch.setattr(Path, "home", lambda: folder / "below")
    with pytest.raises(BotCannotStart, match=r"does not let it read '[^']*weights\.txt'"):
        asked.settle()
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(program, "_data_is_hidden", False)
    program.hide_data()
    with pytest.raises(BotCannotStart, match=r"does not let it read '[^']*weights\.txt'") as refused:
        asked.settle()
    assert "self.first = int(" in refused.value.trace


def test_no_tournament_is_kept_where_an_entrant_could_read_it(folder: Path) -> None:
    (folder / "own").mkdir()
    (folder / "own" / "cheats.py").write_text(CHEATS)
    tournament, _ = Description("camelup", ["own/cheats.py:curious", "random"], seats=2).settle()
    tournament.check_place(folder / "cup.arena")
    with pytest.raises(BadTournament, match=r"where 'cheats' can read the secret of its dice: .*--file"):
        tournament.check_place(folder / "own" / "cup.arena")


def test_the_houses_own_bots_play_where_the_game_is() -> None:
    tournament, _ = Description("camelup", ["quick", "deep=cobra(rollouts=8, seconds=None)"], seats=2).settle()
    assert [entrant.spec for entrant in tournament.entrants] == ["quick", "cobra(rollouts=8, seconds=None)"]
    assert player_of(tournament).trusts((0, 1))


def test_beside_a_description_elsewhere_bots_are_found_shut_in_or_trusted(folder: Path) -> None:
    elsewhere = folder / "cup"
    elsewhere.mkdir()
    (elsewhere / "rival.py").write_text((folder / "rival.py").read_text())
    specs = ["rival.py:decide", "isolated:rival.py:decide", "trusted:rival.py:decide", "random"]
    entrants = [{"name": f"number{place}", "spec": spec} for place, spec in enumerate(specs)]
    listed = ", ".join(f"{{name = {json.dumps(one['name'])}, spec = {json.dumps(one['spec'])}}}" for one in entrants)
    (elsewhere / "cup.toml").write_text(f'game = "camelup"\nentrants = [{listed}]\n')
    tournament, _ = Description.read(Path("cup/cup.toml")).settle()
    assert [entrant.spec for entrant in tournament.entrants] == [
        "isolated:cup/rival.py:decide",
        "isolated:cup/rival.py:decide",
        "trusted:cup/rival.py:decide",
        "random",
    ]
    assert [bool(entrant.file) for entrant in tournament.entrants] == [True, True, True, False]


@pytest.mark.parametrize("spec", ["cheats.py:curious", "camp.cheats:curious", "process:./program"])
def test_where_there_is_no_sandbox_only_trusted_bots_enter(
    spec: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "camp").mkdir()
    (folder / "camp" / "__init__.py").touch()
    (folder / "camp" / "cheats.py").write_text(CHEATS)
    (folder / "program").write_text("#!/bin/sh\n")
    (folder / "program").chmod(0o755)
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    trusted = f"trusted:{spec.removeprefix('process:')}"
    with pytest.raises(NoSandbox, match=f"does not run without one.*write {re.escape(trusted)}$"), held(spec, 2):
        pass
    assert not Path("kept.arena").exists(), "nothing was begun"
    if spec.endswith("curious"):
        with held(trusted, 2) as archive:
            assert archive.tournament.entrants[0].spec == trusted
