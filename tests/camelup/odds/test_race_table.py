"""The race table: right in itself, and never wrong whatever happens to its file."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from platformdirs import user_cache_path

from serai.camelup.odds import race_table as tables
from serai.camelup.odds.race_table import (
    ALL_DICE,
    ENDS,
    LAST,
    OVER,
    PAIRS,
    POSITIONS,
    RANKS,
    SECOND,
    SEQUENCES,
    index_of,
    race_table,
    spaces,
)
from serai.camelup.rules.pieces import CAMELS, FACES, TRACK_SIZE, Track
from serai.camelup.rules.track import crossed, move
from serai.camelup.text.position import Position
from tests.camelup.odds.brute import race_ends, tally_leg
from tests.support import SOAK, amount

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
    for position, dice in sampled(rng, amount(150, 10000)):
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
    for position, dice in sampled(rng, amount(30, 1000), least=late):
        track = track_of(position)
        if sum(spaces()[position].tolist()) < 66:
            continue
        exact = race_ends(track, dice)
        for pair, chance in chances_at(track, dice).items():
            assert chance == pytest.approx(float(exact.get(pair, 0)), abs=1e-13)


def test_leg_counts_equal_brute_force() -> None:
    rng = random.Random(33)
    for position, dice in sampled(rng, amount(12, 500)):
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
    for position, dice in sampled(rng, amount(12, 500)):
        tally = tally_leg(Position(track_of(position), (), dice))
        reach = int(race_table().reach[position, sum(1 << camel for camel in dice)])
        assert {space for space in range(TRACK_SIZE) if reach >> space & 1} == set(tally.stops)


def test_it_is_built_as_it_was_kept_and_its_chances_are_whole() -> None:
    built = tables.build()
    assert same(built, race_table())
    assert built.race[:OVER, 1:].sum(axis=2) == pytest.approx(1)
    assert int(built.leg[0, ALL_DICE, :RANKS].sum()) == SEQUENCES[RANKS]
    assert not any(array.flags.writeable for array in built)


# -- its file: what is true of any cached file is in test_race_table_file ----------------------------------------------


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


def test_a_damaged_file_is_built_anew_and_mended(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    freshly_loaded(monkeypatch)
    with (cache / FILE).open("r+b") as opened:
        opened.seek((cache / FILE).stat().st_size // 2)
        byte = opened.read(1)[0]
        opened.seek(-1, os.SEEK_CUR)
        opened.write(bytes([byte ^ 4]))
    table, builds = freshly_loaded(monkeypatch)
    assert builds == 1
    assert same(table, race_table())
    assert freshly_loaded(monkeypatch)[1] == 0, "the next process finds it mended"


def test_a_table_of_another_version_is_built_anew(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    freshly_loaded(monkeypatch)
    monkeypatch.setattr(tables, "VERSION", tables.VERSION + 1)
    assert freshly_loaded(monkeypatch)[1] == 1


ASK = """
import json, sys
from serai.camelup.odds.report import odds
found = odds("1gyo 3bw | +5 -9")
print(json.dumps([found.best, found.race["green"].winner, found.counts["green"].first]))
"""
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))\n" + ASK
QUICKLY = """
import os, sys
from serai.camelup.odds import race_table as tables
known = tables.race_table()
tables._loaded, tables.build = None, lambda: known
os.environ["SERAI_CACHE"] = sys.argv[1]
"""
"""Building takes no time, since it is known what comes out: in its short form a test is about the file alone."""


def asked(cache: str, code: str = ASK) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code if SOAK else QUICKLY + code, cache],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **({"SERAI_CACHE": cache} if SOAK else {})},
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

    found = odds("1gyo 3bw | +5 -9")
    return [found.best, found.race["green"].winner, found.counts["green"].first]


def test_processes_that_build_at_once_do_no_harm(tmp_path: Path) -> None:
    processes = [asked(str(tmp_path)) for _ in range(amount(2, 3))]
    assert [answer(process) for process in processes] == [right_answer()] * len(processes)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    assert answer(asked(str(tmp_path))) == right_answer()


def test_a_disk_that_is_full_costs_only_time(tmp_path: Path) -> None:
    """The system refuses to let the file grow beyond a megabyte, as a full disk would."""
    assert answer(asked(str(tmp_path), LIMITED)) == right_answer()
    assert list(tmp_path.iterdir()) == []


def test_the_folder_follows_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SERAI_CACHE", str(tmp_path / "own"))
    assert tables.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("SERAI_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tables.cache_folder() == tmp_path / "serai"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tables.cache_folder() == user_cache_path("serai", appauthor=False)
