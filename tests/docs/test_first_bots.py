"""*Your first bot*: every file that docs/bots.md shows plays as it stands, and none loses to ``random``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import serai

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
FILES = dict(re.findall(r'^```python title="([\w.]+)"\n(.*?)^```$', PAGE.read_text(), re.MULTILINE | re.DOTALL))
SOAK = bool(os.environ.get("SERAI_SOAK"))
SERAI = (sys.executable, "-c", "from serai.cli import main; main()")
NAMES = {"leader.py": "decide", "by_odds.py": "decide", "by_hand.py": "Bot", "by_rollouts.py": "decide"}


def test_every_file_that_is_shown_is_played() -> None:
    assert set(FILES) == set(NAMES)
    assert len(re.sub(r'\n *"""[^"]*"""', "", FILES["leader.py"].partition("def ")[2]).splitlines()) <= 5


@pytest.mark.parametrize(
    ("file", "opponent", "games", "many"),
    [
        ("leader.py", "random", 20, 200),
        ("by_odds.py", "random", 2, 40),  # far better, so that many games would only take long
        ("by_hand.py", "random", 2, 40),
        pytest.param("by_rollouts.py", "random", 2, 40, marks=pytest.mark.skipif(not SOAK, reason="quick is stronger")),
        ("by_rollouts.py", "quick", 4, 200),
    ],
)
def test_none_loses(file: str, opponent: str, games: int, many: int, tmp_path: Path) -> None:
    """The same seed gives the same games, here and everywhere, so few of them will do in the short form."""
    (tmp_path / file).write_text(FILES[file])
    run = serai.simulate(
        "camelup",
        [f"{tmp_path / file}:{NAMES[file]}", opponent],
        games=many if SOAK else games,
        seed=7,
        paired=True,
        limit=None,
    )
    wins = run.summary().bots[0].wins
    assert (wins.low if SOAK else wins.share) > 0.5


@pytest.mark.skipif(not SOAK, reason="compiles anew what the cache holds already")
def test_all_of_them_play_in_their_order_on_a_machine_where_nothing_is_compiled(tmp_path: Path) -> None:
    """The first rollouts of a bot compile for longer than it may think: that is on no clock."""
    empty = {name: str(tmp_path / name) for name in ("NUMBA_CACHE_DIR", "SERAI_CACHE", "SERAI_HOME")}
    for file, opponent in zip(FILES, ("random", "random", "random", "quick"), strict=True):
        (tmp_path / file).write_text(FILES[file])
        bot = f"{file}:{NAMES[file]}"
        subprocess.run(
            [*SERAI, "simulate", "camelup", bot, opponent, "--paired", "--games", "2"],
            cwd=tmp_path,
            env={**os.environ, **empty},
            check=True,
        )
