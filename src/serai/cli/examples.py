"""``serai examples``: copy the examples that come with Serai."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

import serai
from serai.cli._support.choices import PATH
from serai.cli._support.files import Failure
from serai.cli._support.screen import say

_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc")


@click.command()
@click.argument("folder", type=PATH, metavar="DIR")
def command(folder: Path) -> None:
    """Copy all examples to DIR: bots in several languages, and programs that learn.

    Files that are there already are kept: then nothing is copied.
    """
    source = examples_folder()
    files = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    there = [str(folder / file) for file in files if (folder / file).exists()]
    if there:
        raise Failure(f"{there[0]} is there already; copy the examples to another folder")
    shutil.copytree(source, folder, ignore=_LEFT_OUT, dirs_exist_ok=True)
    for file in files:
        if "__pycache__" not in file.parts:
            say(str(folder / file))


def examples_folder() -> Path:
    """Where they lie: in the package, or beside it in a clone."""
    package = Path(serai.__file__).parent
    found = next((one for one in (package / "examples", package.parents[1] / "examples") if one.is_dir()), None)
    if found is None:
        raise Failure("this installation of Serai has no examples")
    return found
