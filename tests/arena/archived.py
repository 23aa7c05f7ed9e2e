"""The games in the archive of a tournament, to compare two of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from serai.arena.tournament.archive import Archive


def games(path: str | Path) -> dict[Any, Any]:
    """By line-up and number: the scores and the record of every game; none is there twice."""
    with Archive(Path(path)) as archive:
        found = {}
        for lineup, runs in archive.stored.items():
            for stored in runs:
                for place, number in enumerate(stored.numbers):
                    game = (archive.lineups[lineup], number)
                    assert game not in found
                    found[game] = stored.results["scores"][place].tolist(), archive.record(lineup, number)
        return found
