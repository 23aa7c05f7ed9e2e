"""Every command test keeps its games in a folder of its own and calls ``serai`` in this process or on a terminal."""

from __future__ import annotations

import functools
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from serai.cli._support.group import run
from tests.cli.terminal import Terminal


class Answer(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of saved games during this test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("SERAI_HOME", str(folder))
    return folder


@pytest.fixture
def serai(home: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., Answer]]:
    """Call a command in this process."""
    before = signal.getsignal(signal.SIGINT)

    def call(*arguments: object) -> Answer:
        code = run([str(argument) for argument in arguments])
        signal.signal(signal.SIGINT, before)
        return Answer(code, *capsys.readouterr())

    yield call
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def terminal(home: Path) -> Callable[..., Terminal]:
    """Call a command on a terminal of its own."""
    return functools.partial(Terminal, home=home)
