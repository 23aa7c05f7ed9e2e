"""Compiled code is kept between runs: never stale, never compiled anew without need, whoever compiles at once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

import serai
from serai.core.jit import once_for_all_constants, read_by
from tests.support import amount

KERNEL = "serai.camelup.kernel."
CODE = """
import sys
import numpy as np
from serai.camelup.kernel import layout, rules
row = np.zeros(layout.ROW_SIZE, sys.argv[1])
rules.set_up(row, 2, 0, 0)
print(row[layout.MONEY])
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package, without anything compiled, to be edited."""
    shutil.copytree(
        Path(serai.__file__).parent, tmp_path / "serai", ignore=shutil.ignore_patterns("__pycache__", "web")
    )
    return tmp_path / "serai"


def begun(copy: Path, kind: str = "int16") -> subprocess.Popen[str]:
    """A process that uses a compiled function of the copy, with numbers of that kind."""
    command, env = [sys.executable, "-c", CODE, kind], {**os.environ, "PYTHONPATH": str(copy.parent)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def told(process: subprocess.Popen[str]) -> tuple[str, bool]:
    """What it prints, and whether it told of compiling, once and nothing else."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert re.fullmatch("(compiling .*\n)?", err), err
    return out, bool(err)


def edit(file: Path, old: str, new: str) -> None:
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def test_it_is_compiled_anew_when_something_it_reads_has_changed_and_only_then(copy: Path) -> None:
    assert told(begun(copy)) == ("3\n", True)
    assert told(begun(copy)) == ("3\n", False)
    for name in ("terminal.py", "rules.py", "bots/greedy.py", "kernel/lanes.py", "kernel/policies.py"):
        file = copy / "camelup" / name
        file.write_text(file.read_text() + "\nANYTHING = 1\n")
    assert told(begun(copy)) == ("3\n", False), "none of these is read by this function"
    kept = set(copy.rglob("*.nbc"))
    edit(copy / "camelup" / "pieces.py", "START_MONEY = 3", "START_MONEY = 4")
    assert told(begun(copy)) == ("4\n", True)
    assert kept
    assert not kept & set(copy.rglob("*.nbc")), "what is out of date is swept up"


def test_processes_that_compile_at_once_do_no_harm(copy: Path) -> None:
    """Each for numbers of another kind, so that what they keep differs; afterwards nobody compiles any more."""
    different = ("int16", "int32", "int64")[: amount(2, 3)]
    kinds = different * amount(1, 2)
    assert [out for out, _ in map(told, [begun(copy, kind) for kind in kinds])] == ["3\n"] * len(kinds)
    assert [told(begun(copy, kind)) for kind in different] == [("3\n", False)] * len(different)


def test_a_folder_that_cannot_be_written_to_costs_only_time(copy: Path) -> None:
    code = "from numba.core import caching; caching.FunctionCache._impl_class._locator_classes = []" + CODE
    env = {**os.environ, "PYTHONPATH": str(copy.parent)}
    done = subprocess.run([sys.executable, "-c", code, "int16"], capture_output=True, text=True, env=env, check=True)
    assert done.stdout == "3\n"
    assert not set(copy.rglob("*.nbc"))


def test_a_function_called_with_several_constants_is_compiled_once() -> None:
    doubled: Any = numba.njit(lambda number: 2 * number)
    doubled.compile = once_for_all_constants(doubled.compile)
    assert numba.njit(lambda: doubled(1) + doubled(2))() == 6
    assert len(doubled.signatures) == 1


def test_what_a_kernel_module_reads_is_found_by_its_imports() -> None:
    basic = {f"{KERNEL}layout", "serai.camelup.pieces", "serai.core.jit", "serai.core.splitmix"}
    assert read_by(f"{KERNEL}rules") == basic | {f"{KERNEL}rules"}
    odds = {f"serai.camelup.odds.{name}" for name in ("canonical", "race_table", "leg", "cachefile")}
    thinking = {f"{KERNEL}{name}" for name in ("leg", "sight", "stake", "policies")}
    assert read_by(f"{KERNEL}policies") == basic | odds | thinking | {f"{KERNEL}rules"}
    assert read_by(f"{KERNEL}games") == read_by(f"{KERNEL}policies") | {
        f"{KERNEL}{name}" for name in ("choose", "games", "styles")
    }
    assert read_by(f"{KERNEL}lanes") == read_by(f"{KERNEL}games") - {f"{KERNEL}games"} | {
        f"{KERNEL}lanes",
        "serai.core.lanes",
    }
