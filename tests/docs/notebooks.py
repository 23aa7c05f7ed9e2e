"""The notebooks of the docs, run from top to bottom in a fresh kernel.

``python -m tests.docs.notebooks`` runs them and keeps what they show; ``--check FILE`` only runs one, with fewer games
unless the tests are to take long.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.support import SOAK

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
FILES = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 240
"""For one cell: long enough for a machine on which nothing has been compiled yet."""


FEWER = {"your-first-strong-bot": ('"quick", "quick"], 40)', '"quick", "quick"], 20)')}
"""By notebook: the slowest simulation, and one that is long enough for the same conclusion."""


def read(file: Path) -> Any:
    return nbformat.read(file, as_version=4)


def executed(file: Path, *, fewer: bool = False) -> Any:
    """The notebook with what it shows now; a cell that fails raises, with its traceback."""
    notebook = read(file)
    if fewer and file.stem in FEWER:
        many, few = FEWER[file.stem]
        cell = next(cell for cell in notebook.cells if many in cell.source)
        cell.source = cell.source.replace(many, few)
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", record_timing=False).execute()
    return notebook


def keep(file: Path) -> None:
    """Run it and write down what it shows, and nothing of the machine it ran on."""
    notebook = executed(file)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if lasting(output)]
    nbformat.write(notebook, file)


def lasting(output: Any) -> bool:
    """Whether it stays: not what is only said while it runs, nor bars, which come on slow machines and go."""
    return output.get("name") != "stderr" and "text/html" not in output.get("data", {})


def shown(notebook: Any) -> list[list[str]]:
    """By cell with code: the kinds of what it shows."""
    return [
        sorted({kind for output in cell.outputs if lasting(output) for kind in output.get("data", {"stdout": ""})})
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--check", name]:
            file = Path(name)
            assert shown(executed(file, fewer=not SOAK)) == shown(read(file)), (
                "it shows something else than what is kept"
            )
        case names:
            for file in map(Path, names or FILES):
                keep(file)
