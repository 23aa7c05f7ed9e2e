"""What the documentation names exists: Python names, files, commands and flags, benches, make targets, variables."""

from __future__ import annotations

import importlib
import re
import shlex
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import serai
from serai.cli._support.group import COMMANDS, group
from serai.server.metrics import Metrics

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "serai"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "api").glob("*.md")),
]
SUFFIXES = {"py", "md", "json", "jsonl", "toml", "serai", "ts", "js", "svelte", "svg", "jpg", "npz", "ipynb", "html"}
OF_READERS = {"bots/mine.py", "mybot/main.py", "pages/NAME.svelte", "site/index.html"}
"""Files that readers have, or that a command makes."""
GAMES = ("GAME", "{game}")
"""What stands for the name of a game in a path."""
OTHER_OBJECTS = {"game.py", "game.serai", "state.clone", "state.resample_from_infostate"}
"""Files, and methods of OpenSpiel's states."""
OF_OTHERS = {
    "--build",
    "--detach",
    "--durations",
    "--fail",
    "--file",
    "--no-deps",
    "--now",
    "--reference",
    "--require-hashes",
    "--retry",
    "--retry-all-errors",
    "--retry-connrefused",
    "--scheduler",
    "--signal",
    "--silent",
    "--tag",
    "--wheel",
    "--wheel-dir",
}
"""Flags of pip, Dask, systemctl, docker and the like."""

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@every_page
def test_python_names_exist(page: Path) -> None:
    named = set(re.findall(r"(?<![\w/.-])serai(?:\.\w+)+", page.read_text())) - {"serai.md", "serai.service"}
    assert [name for name in sorted(named) if not _importable(name)] == []


@every_page
def test_members_of_the_reference_exist(page: Path) -> None:
    listed = re.findall(r"(?m)^::: (\S+)\n    options:\n(?:      .*\n)*?      members: \[(.+)\]", page.read_text())
    named = [(importlib.import_module(module), name) for module, names in listed for name in names.split(", ")]
    assert [name for module, name in named if not hasattr(module, name)] == []


@every_page
def test_what_a_game_and_a_state_are_said_to_have_exists(page: Path) -> None:
    games = [serai.game(name) for name in serai.games()]
    owners = {"game": games, "Game": games, "state": [game.new(players=2) for game in games]}
    wrong = []
    for owner, path in re.findall(r"`(game|Game|state)\.([a-z_]+(?:\.[a-z_]+)*)\b(?![.*{…])", page.read_text()):
        found = [value for one in owners[owner] if (value := _attribute(one, path)) is not None]
        name = f"{owner}.{path}"
        wrong += [] if found or name in OTHER_OBJECTS else [name]
    assert wrong == []


@every_page
def test_files_exist(page: Path) -> None:
    named = re.findall(r"(?<![\w:/.~%{}-])((?:\.\./)?[\w.{}*-]+(?:/[\w.{}*-]+)+\.(\w+))", page.read_text())
    paths = {path for path, suffix in named if suffix in SUFFIXES and "*" not in path} - OF_READERS
    assert [path for path in sorted(paths) if not _file(page, path)] == []


@every_page
def test_commands_exist_with_the_flags_that_are_shown(page: Path) -> None:
    wrong = []
    for line in re.findall(r"^serai [a-z][^\n]*|(?<=`)serai [a-z][^`]*", page.read_text(), re.MULTILINE):
        _, name, *words = _words(line)
        flags = {word.split("=")[0] for word in words if word.startswith("--")}
        if name not in COMMANDS or flags - _flags_of(name):
            wrong.append(line)
    assert wrong == []


@every_page
def test_flags_exist(page: Path) -> None:
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]+", page.read_text()))
    assert sorted(named - _flags() - OF_OTHERS) == []


@every_page
def test_modules_to_run_exist(page: Path) -> None:
    wrong = []
    for module, names in re.findall(r"python -m ([\w.]+)((?: [a-z_]+)*)", page.read_text()):
        wrong += [] if module in ("build", "venv", "pip") or find_spec(module) else [module]
        wrong += [name for name in names.split() if module == "bench" and not (ROOT / "bench" / f"{name}.py").exists()]
    assert wrong == []


@every_page
def test_make_targets_exist(page: Path) -> None:
    targets = re.findall(r"^([\w ]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"(?:^|`)make (\w+)", page.read_text(), re.MULTILINE))
    assert sorted(named - set(targets)) == []


@every_page
def test_variables_and_metrics_exist(page: Path) -> None:
    text = page.read_text()
    code = "".join(file.read_text() for room in (SOURCE, ROOT / "tests") for file in room.rglob("*.py"))
    assert sorted(name for name in set(re.findall(r"\bSERAI_[A-Z_]+", text)) if name not in code) == []
    metrics = {name.removesuffix("_total") for name in re.findall(r"\bserai_([a-z_]+_(?:total|seconds))\b", text)}
    assert sorted(name for name in metrics if not hasattr(Metrics(), name)) == []


def _attribute(owner: object, path: str) -> object:
    for name in path.split("."):
        owner = getattr(owner, name, None)
    return owner


def _importable(name: str) -> bool:
    module, *rest = name.split(".")
    found = importlib.import_module(module)
    for part in rest:
        module = f"{module}.{part}"
        if not hasattr(found, part):
            if not hasattr(found, "__path__") or find_spec(module) is None:
                return False
            importlib.import_module(module)
        found = getattr(found, part)
    return True


def _file(page: Path, path: str) -> bool:
    """Whether it lies beside the page, at the root, in the package, or in the folder of a game."""
    rooms = [page.parent, ROOT, SOURCE.parent, SOURCE, *(SOURCE / game for game in ("camelup", "pharaoh"))]
    spellings = {path} | {path.replace(word, game) for word in GAMES for game in ("camelup", "pharaoh")}
    made = path.endswith(".arena")
    return made or any((room / spelling).exists() for room in rooms for spelling in spellings)


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return line.split()


@cache
def _flags_of(name: str) -> frozenset[str]:
    """Every flag of a command, and of its own commands."""
    command = group.get_command(click.Context(group), name)
    assert command is not None
    context = click.Context(command)
    below = (
        [command.get_command(context, game) for game in command.list_commands(context)]
        if isinstance(command, click.Group)
        else []
    )
    options = [option for one in (command, *below) if one is not None for option in one.params]
    return frozenset({"--help", *(flag for option in options for flag in option.opts + option.secondary_opts)})


@cache
def _flags() -> frozenset[str]:
    """Every flag of every command and script."""
    scripts = [
        file.read_text() for room in ("bench", "ladder", "training", "examples") for file in (ROOT / room).rglob("*.py")
    ]
    settings = re.findall(r"^    (\w+): \w+ = ", (ROOT / "examples" / "learn" / "train.py").read_text(), re.MULTILINE)
    written = (re.findall(r'"(--[\w-]+)"', text) for text in scripts)
    return frozenset().union(*map(_flags_of, COMMANDS), *written, (f"--{name}" for name in settings))
