"""``serai benchmark`` shows every table and ends with a line to hand in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import serai as library
from tests.cli.conftest import Answer

Serai = Callable[..., Answer]
FIRST = "def decide(view, rng):\n    return 'roll' if 'roll' in map(str, view.actions()) else view.actions()[0]\n"


def test_the_command_shows_tables_and_a_line_to_hand_in(
    serai: Serai, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(library.game("camelup")), "benchmark", (("random", 8), ("jerboa", 8)))
    monkeypatch.setattr(type(library.game("pharaoh")), "benchmark", ())
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(FIRST)
    answer: Answer = serai("benchmark", "trusted:mine.py:decide", "--games", 2)
    assert answer.code == 0, answer.err
    assert "camelup, 8 seats, jerboa" in answer.out
    assert "a first look" in answer.out
    assert answer.out.splitlines()[-1].startswith("| `mine` |")
    report = serai("benchmark", "trusted:mine.py:decide", "--json").json
    assert report["finished"]
    assert [table["games"] for table in report["tables"]] == [8] * 6
    assert serai("benchmark", "random", "--game", "pharaoh").code == 2
