"""The folder of saved games."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from platformdirs import user_data_path

from serai.cli._support.files import Failure, home


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERAI_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_the_folder_follows_the_system_unless_one_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home() == user_data_path("serai", appauthor=False) == tmp_path / ".local" / "share" / "serai"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert home() == tmp_path / "data" / "serai"
    monkeypatch.setenv("SERAI_HOME", str(tmp_path / "own"))
    assert home() == tmp_path / "own"


def test_games_saved_earlier_on_macos_are_still_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "darwin")
    assert home() == user_data_path("serai", appauthor=False)
    earlier = tmp_path / "Library" / "Application Support" / "Serai"
    earlier.mkdir(parents=True)
    assert home() == earlier


def test_somebody_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("serai.cli._support.files.user_data_path", nowhere)
    with pytest.raises(Failure, match="SERAI_HOME"):
        home()
