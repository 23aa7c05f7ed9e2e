"""No other room starts a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import serai

SOURCE = Path(serai.__file__).parent
MODULES = {"subprocess", "multiprocessing", "pty"}
NAMES = {"ProcessPoolExecutor", "create_subprocess_exec", "create_subprocess_shell", "subprocess_exec"}
OF_OS = {"fork", "forkpty", "popen", "posix_spawn", "posix_spawnp", "startfile", "system"}


def starters(tree: ast.AST) -> Iterator[str]:
    """What in this code can start a process."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (one.name for one in node.names if one.name in MODULES)
            case ast.ImportFrom(module=module) if module in MODULES:
                yield str(module)
            case ast.ImportFrom():
                yield from (one.name for one in node.names if one.name in NAMES)
            case ast.Attribute(value=ast.Name(id="os"), attr=name):
                if name in OF_OS or name.startswith(("exec", "spawn")):
                    yield f"os.{name}"
            case ast.Attribute(attr=name) if name in NAMES:
                yield name


def test_only_one_room_starts_processes() -> None:
    found = {}
    for file in SOURCE.rglob("*.py"):
        name = file.relative_to(SOURCE).as_posix()
        if not name.startswith("processes/") and (how := sorted(set(starters(ast.parse(file.read_text()))))):
            found[name] = how
    assert not found, "use serai.processes"


def test_the_search_finds_what_it_looks_for() -> None:
    for code in (
        "import subprocess",
        "from subprocess import run",
        "import os\nos.fork()",
        "import os\nos.execv('a', [])",
        "import asyncio\nasyncio.create_subprocess_exec('a')",
        "from concurrent.futures import ProcessPoolExecutor",
        "import multiprocessing",
    ):
        assert list(starters(ast.parse(code))), code
    assert not list(starters(ast.parse("from multiprocessing.connection import wait\nimport os\nos.kill(1, 2)")))
