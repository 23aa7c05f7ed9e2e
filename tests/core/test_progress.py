"""Bars: in notebooks, in terminals if asked for, and otherwise not a word."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import serai
from serai import progress


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A kernel that keeps what it is given to show."""
    shown: list[Any] = []
    display = ModuleType("IPython.display")
    display.HTML = str  # type: ignore[attr-defined]

    def show(drawn: str, display_id: bool) -> Any:
        shown.append(drawn)
        return SimpleNamespace(update=shown.append)

    display.display = show  # type: ignore[attr-defined]
    python = ModuleType("IPython")
    python.get_ipython = lambda: SimpleNamespace(kernel=1)  # type: ignore[attr-defined]
    python.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    return shown


def test_a_notebook_sees_a_bar_that_is_gone_in_the_end(kernel: list[Any]) -> None:
    serai.simulate("camelup", ["random", "random"], games=30, seed=1)
    assert "of 30 games" in kernel[0]
    assert kernel[0].startswith("<svg")
    assert kernel[-1] == ""


def test_it_can_be_told_not_to(kernel: list[Any]) -> None:
    serai.simulate("camelup", ["random", "random"], games=30, seed=1, progress=False)
    heard: list[tuple[int, int]] = []
    serai.simulate("camelup", ["random", "random"], games=30, seed=1, progress=lambda *told: heard.append(told))
    assert kernel == []
    assert heard[-1] == (30, 30)


def test_what_is_soon_done_shows_no_bar(kernel: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 1000.0)
    serai.simulate("camelup", ["random", "random"], games=3, seed=1)
    assert kernel == []


@pytest.mark.parametrize("progress", [None, True, False])
def test_elsewhere_it_is_quiet(progress: bool | None, capfd: pytest.CaptureFixture[str]) -> None:
    serai.simulate("camelup", ["random", "random"], games=3, seed=1)  # whatever is compiled first says so
    capfd.readouterr()
    serai.simulate("camelup", ["random", "random"], games=3, seed=1, progress=progress)
    assert capfd.readouterr() == ("", "")


def test_a_terminal_has_a_line_if_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress.progress_shown(True, "games") as told:
        assert told is not None
        told(1, 2)
    said = capsys.readouterr().err
    assert "1 of 2 games" in said
    assert said.endswith("\r\033[K")
