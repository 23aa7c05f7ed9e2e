"""Recorded games replay to their stored scores: a silent change of the rules cannot pass."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import serai
from serai.core.record import Record, replay, verify

FILES = sorted(Path(__file__).parent.glob("*/*.serai"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_golden_records_replay_to_their_scores(file: Path) -> None:
    verdict = verify(Record.read(file.read_text()))
    assert verdict.finished
    assert verdict.draws_checked


@pytest.mark.parametrize("name", serai.games())
def test_there_are_enough_and_they_turn_every_corner(name: str) -> None:
    files = [file for file in FILES if file.parent.name == name]
    assert len(files) >= 60
    seats = {len(Record.read(file.read_text()).seats) for file in files}
    assert seats == set(serai.game(name).players)
    for corner, turned in importlib.import_module(f"tests.{name}.golden_corners").CORNERS.items():
        record = Record.read((Path(__file__).parent / name / f"{corner}.serai").read_text())
        assert any(turned(ply.before, ply.action, ply.after, ply.events) for ply in replay(record)), corner
