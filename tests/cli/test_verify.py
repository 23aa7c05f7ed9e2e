"""``serai verify``: what holds, what does not and where."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Answer
from tests.support import amount

Serai = Callable[..., Answer]
GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "camelup").glob("*.serai"))


def changed(tmp_path: Path, change: Callable[[list[str]], None]) -> Path:
    lines = GOLDEN[0].read_text().split("\n")
    change(lines)
    file = tmp_path / "changed.serai"
    file.write_text("\n".join(lines))
    return file


def test_whole_records_hold(serai: Serai) -> None:
    answer = serai("verify", *GOLDEN[:5])
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.count(": holds: camelup, ") == 5
    assert answer.out.count("draws checked; ") == 5


def test_an_unfinished_record_is_recognised(serai: Serai, tmp_path: Path) -> None:
    def cut(lines: list[str]) -> None:
        del lines[-5:]

    answer = serai("verify", changed(tmp_path, cut))
    assert answer.code == 0
    assert "holds so far, unfinished" in answer.out


def test_a_changed_die_an_illegal_action_and_a_wrong_result(serai: Serai, tmp_path: Path) -> None:
    def die(lines: list[str]) -> None:
        place = next(n for n, line in enumerate(lines) if line.startswith("die "))
        lines[place] = lines[place][:-1] + str(int(lines[place][-1]) % 3 + 1)

    def action(lines: list[str]) -> None:
        lines[lines.index("roll")] = "oasis 1"

    def result(lines: list[str]) -> None:
        place = next(n for n, line in enumerate(lines) if line.startswith("result"))
        lines[place] = lines[place][:-1] + str((int(lines[place][-1]) + 1) % 10)

    for change, reason in (
        (die, "was not drawn by this secret"),
        (action, "no desert tile"),
        (result, "the result says"),
    ):
        file = changed(tmp_path, change)
        was = next(
            n
            for n, (a, b) in enumerate(
                zip(GOLDEN[0].read_text().split("\n"), file.read_text().split("\n"), strict=True)
            )
            if a != b
        )
        answer = serai("verify", file)
        assert answer.code == 1
        assert answer.out == ""
        assert answer.err.count("\n") == 1
        assert f"changed.serai: does not hold: line {was + 1}: " in answer.err
        assert reason in answer.err


def test_several_files_are_all_reported(serai: Serai, tmp_path: Path) -> None:
    bad = tmp_path / "bad.serai"
    bad.write_text("game: camelup\nrules: 1\n")
    answer = serai("verify", GOLDEN[0], tmp_path / "missing.serai", bad, GOLDEN[1])
    assert answer.code == 1
    assert answer.out.count("holds: ") == 2
    assert answer.err.count("\n") == 2
    assert serai("verify", GOLDEN[0], tmp_path / "missing.serai").code == 2


def test_json(serai: Serai, tmp_path: Path) -> None:
    bad = tmp_path / "bad.serai"
    bad.write_text(GOLDEN[0].read_text().replace("rules: 1", "rules: 7"))
    answer = serai("verify", "--json", GOLDEN[0], bad)
    assert answer.code == 1
    good, failed = answer.json
    assert good["holds"] is True
    assert good["finished"] is True
    assert good["draws_checked"] is True
    assert failed["holds"] is False
    assert failed["line"] == 1
    assert "rules version '7'" in failed["reason"]


@pytest.mark.parametrize("portion", range(4))
def test_no_damage_whatsoever_brings_a_traceback(serai: Serai, tmp_path: Path, portion: int) -> None:
    rng = random.Random(portion)
    file = tmp_path / "damaged.serai"
    whole = GOLDEN[0].read_bytes()
    for _ in range(amount(60, 2000)):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    data[place] = rng.randrange(256)
                case 1:
                    del data[place : place + rng.randint(1, 80)]
                case 2:
                    data[place:place] = data[rng.randrange(len(data)) :][: rng.randint(1, 40)]
                case _:
                    data[place] = rng.choice(b'0123456789{}[]",:\n abcdef')
        file.write_bytes(data)
        answer = serai("verify", file)
        assert answer.code in (0, 1, 2)
        assert (answer.out + answer.err).count("\n") == 1
        assert (answer.code == 0) == answer.out.startswith(f"{file}: holds")
