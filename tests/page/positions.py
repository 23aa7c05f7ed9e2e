"""Tables for tests of the page's components: what the real rules say at each step, written down as JSON.

``python -m tests.page.positions`` writes ``web/tests/dom/positions``; a test sees that it is what the rules say today.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.page.answers import ASKED, LOBBIES, answers
from tests.page.pyramids import PYRAMIDS
from tests.page.races import RACES

FOLDER = Path(__file__).parents[2] / "web" / "tests" / "dom" / "positions"
TABLES = {**RACES, **PYRAMIDS}
NAMES = (*TABLES, *ASKED, *LOBBIES)
"""The files of the folder."""


def written(name: str) -> bytes:
    """What a file of the folder has to hold."""
    held = TABLES[name]() if name in TABLES else answers()[name]
    return msgspec.json.encode(held) + b"\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.json"):
        file.unlink()
    for name in NAMES:
        (FOLDER / f"{name}.json").write_bytes(written(name))
