"""The race table: right in itself, and never wrong whatever happens to its file."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from platformdirs import user_cache_path

from serai.camelup.kernel import leg
from serai.camelup.odds import cachefile
from serai.camelup.odds import race_table as tables
from serai.camelup.odds.canonical import ALL_DICE, OVER, POSITIONS, RANKS, SEQUENCES, index_of, spaces
from serai.camelup.odds.race_table import ENDS, LAST, PAIRS, SECOND, race_table
from serai.camelup.pieces import CAMELS, FACES, TRACK_SIZE, Track
from serai.camelup.position import Position
from serai.camelup.track import crossed, move
from tests.camelup.odds.brute import race_ends, tally_leg
from tests.support import amount

FILE = "camelup-race"


# -- what it says ------------------------------------------------------------------------------------------------------


def track_of(position: int) -> Track:
    """The position with camel r at rank r."""
    stacks: list[tuple[int, ...]] = [()] * TRACK_SIZE
    for camel, space in enumerate(spaces()[position].tolist()):
        stacks[space] += (camel,)
    return tuple(stacks)


def chances_at(track: Track, dice: tuple[int, ...]) -> dict[tuple[int, int], float]:
    """(winner, loser) of a coloured track by a look-up."""
    order = [camel for stack in track for camel in stack]
    position = OVER
    if not crossed(track):
        position = index_of(tuple(space for space, stack in enumerate(track) for _ in stack))
    bits = sum(1 << order.index(camel) for camel in dice)
    row = race_table().race[position, bits]
    return {(order[winner], order[loser]): float(row[column]) for column, (winner, loser) in enumerate(PAIRS)}


def sampled(rng: random.Random, count: int, least: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    return [
        (rng.randrange(least, POSITIONS), tuple(sorted(rng.sample(CAMELS, rng.randint(1, RANKS)))))
        for _ in range(count)
    ]


def test_positions_are_counted_and_numbered() -> None:
    assert POSITIONS == 15504
    assert [index_of(tuple(row)) for row in spaces()[::101].tolist()] == list(range(0, POSITIONS, 101))


def test_every_chance_is_the_mean_over_the_next_die() -> None:
    """One step by the rules' own movement, on coloured camels; across the end of a leg too."""
    rng = random.Random(31)
    for position, dice in sampled(rng, amount(400, 10000)):
        track = track_of(position)
        mean = dict.fromkeys(PAIRS, 0.0)
        for camel in dice:
            rest = tuple(other for other in dice if other != camel) or tuple(CAMELS)
            for pips in FACES:
                for pair, chance in chances_at(move(track, camel, pips, (), ())[0], rest).items():
                    mean[pair] += chance / (len(FACES) * len(dice))
        assert chances_at(track, dice) == pytest.approx(mean, abs=1e-13)


def test_near_the_finish_the_table_equals_exact_fractions() -> None:
    rng = random.Random(32)
    late = index_of((11,) * RANKS)
    for position, dice in sampled(rng, amount(60, 1000), least=late):
        track = track_of(position)
        if sum(spaces()[position].tolist()) < 66:
            continue
        exact = race_ends(track, dice)
        for pair, chance in chances_at(track, dice).items():
            assert chance == pytest.approx(float(exact.get(pair, 0)), abs=1e-13)


def test_leg_counts_equal_brute_force() -> None:
    rng = random.Random(33)
    for position, dice in sampled(rng, amount(40, 500)):
        tally = tally_leg(Position(track_of(position), (), dice))
        row = race_table().leg[position, sum(1 << camel for camel in dice)].tolist()
        for rank in range(RANKS):
            assert (row[rank], row[SECOND + rank], row[LAST + rank]) == (
                tally.first[rank],
                tally.second[rank],
                tally.last[rank],
            )
        assert row[ENDS] == tally.ends


def test_reach_names_exactly_the_spaces_where_a_unit_can_stop() -> None:
    rng = random.Random(34)
    for position, dice in sampled(rng, amount(40, 500)):
        tally = tally_leg(Position(track_of(position), (), dice))
        reach = int(race_table().reach[position, sum(1 << camel for camel in dice)])
        assert {space for space in range(TRACK_SIZE) if reach >> space & 1} == set(tally.stops)


def test_both_builders_agree() -> None:
    plain, fast = tables.build(), leg.build()
    for name in ("spaces", "moves", "reach", "leg"):
        assert np.array_equal(getattr(plain, name), getattr(fast, name)), name
    assert np.allclose(plain.race, fast.race, rtol=0, atol=1e-14)
    assert plain.race[:OVER, 1:].sum(axis=2) == pytest.approx(1)
    assert int(plain.leg[0, ALL_DICE, :RANKS].sum()) == SEQUENCES[RANKS]


# -- its file ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SERAI_CACHE", str(tmp_path))
    return tmp_path


def freshly_loaded(monkeypatch: pytest.MonkeyPatch) -> tuple[tables.RaceTable, int]:
    """The table as a new process would get it, and how often it was built on the way."""
    known = race_table()
    builds = []

    def build() -> tables.RaceTable:
        builds.append(1)
        return known

    with monkeypatch.context() as patch:
        patch.setattr(tables, "_loaded", None)
        patch.setattr(tables, "build", build)
        patch.setattr(leg, "build", build)
        return race_table(), len(builds)


def same(one: tables.RaceTable, other: tables.RaceTable) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in one._fields)


def test_the_second_load_maps_the_file(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert freshly_loaded(monkeypatch)[1] == 1
    assert [file.name for file in cache.iterdir()] == [FILE]
    table, builds = freshly_loaded(monkeypatch)
    assert builds == 0
    assert same(table, race_table())
    assert not table.race.flags.writeable


def spoil_byte(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2)
        byte = opened.read(1)[0]
        opened.seek(-1, os.SEEK_CUR)
        opened.write(bytes([byte ^ 4]))


def spoil_header(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(b"x")


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size - 1000)


def lengthen(file: Path) -> None:
    with file.open("ab") as opened:
        opened.write(b"more")


def empty(file: Path) -> None:
    os.truncate(file, 0)


def make_old(file: Path) -> None:
    """A whole file of another version, as an older Serai would have left it."""
    with file.open("rb") as opened:
        opened.seek(cachefile.HEADER_SIZE)
        block = opened.read()
    cachefile.write(FILE, tables.VERSION + 1, [memoryview(block)])


def replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("spoil", [spoil_byte, spoil_header, cut, lengthen, empty, make_old, replace_by_folder])
def test_a_file_that_is_not_right_is_built_anew(spoil: object, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    freshly_loaded(monkeypatch)
    assert callable(spoil)
    spoil(cache / FILE)
    table, builds = freshly_loaded(monkeypatch)
    assert builds == 1
    assert same(table, race_table())
    if spoil is not replace_by_folder:
        assert freshly_loaded(monkeypatch)[1] == 0, "the next process finds it mended"


def test_leftovers_of_killed_writers_are_swept_up(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, young = cache / f".{FILE}.old", cache / f".{FILE}.young"
    for file in (old, young):
        file.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    freshly_loaded(monkeypatch)
    assert not old.exists()
    assert young.exists(), "it may be of a writer at work"


ASK = """
import json, sys
from serai.camelup.odds.report import odds
found = odds("1gyo 3bw | +5 -9")
print(json.dumps([found.best, found.race["green"].winner, found.counts["green"].first]))
"""
LIMITED = "import resource, signal; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\n" + ASK


def asked(cache: str, code: str = ASK) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "SERAI_CACHE": cache, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> list[object]:
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    assert error == ""
    told: list[object] = json.loads(out)
    return told


def right_answer() -> list[object]:
    from serai.camelup.odds.report import odds

    found = odds("1gyo 3bw | +5 -9", compiled=False)
    return [found.best, found.race["green"].winner, found.counts["green"].first]


def test_processes_that_build_at_once_do_no_harm(tmp_path: Path) -> None:
    processes = [asked(str(tmp_path)) for _ in range(3)]
    assert [answer(process) for process in processes] == [right_answer()] * 3
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    assert answer(asked(str(tmp_path))) == right_answer()


def test_a_disk_that_is_full_costs_only_time(tmp_path: Path) -> None:
    """The system refuses to let the file grow beyond a megabyte, as a full disk would."""
    assert answer(asked(str(tmp_path), LIMITED)) == right_answer()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that nobody can write to")
def test_a_folder_that_cannot_be_written_to_costs_only_time() -> None:
    assert answer(asked("/proc/serai")) == right_answer()


def test_a_cache_folder_that_is_a_file_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert answer(asked(str(tmp_path / "file"))) == right_answer()


def test_an_input_output_error_costs_only_time(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Path, target: object) -> Path:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "replace", fails)
    assert same(freshly_loaded(monkeypatch)[0], race_table())
    assert list(cache.iterdir()) == []


def test_the_folder_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SERAI_CACHE", str(tmp_path / "own"))
    assert cachefile.folder() == tmp_path / "own"
    monkeypatch.delenv("SERAI_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cachefile.folder() == tmp_path / "serai"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cachefile.folder() == user_cache_path("serai", appauthor=False)
