"""The cache of machine code: never stale, never compiled anew without need, safe among processes."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import caching
from numba.core.caching import FunctionCache

import serai
from serai.camelup.policy import driver as camelup
from serai.lab.driver import driver_of
from serai.lab.jit import once_for_all_constants, read_by
from serai.pharaoh.kernel.layout import CHANGED
from serai.pharaoh.policy import driver as pharaoh
from tests.support import amount

ROOT = Path(__file__).parents[2]
KERNEL = "serai.camelup.kernel."
POLICY = "serai.camelup.policy."
CODE = """
import sys
import numpy as np
from serai.camelup.policy import driver
from serai.lab.driver import driver_of
row = np.zeros(driver.ROW_SIZE, sys.argv[1])
row[driver.PLAYERS] = 2
row[driver.SCORES] = 5
print(driver_of(driver).winners(row))
"""
"""A function of the driver, which calls one of the game."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package, without anything compiled, to be edited."""
    shutil.copytree(
        Path(serai.__file__).parent, tmp_path / "serai", ignore=shutil.ignore_patterns("__pycache__", "web")
    )
    return tmp_path / "serai"


def begun(copy: Path, kind: str = "int16") -> subprocess.Popen[str]:
    """A process that uses a compiled function of the copy, with numbers of that kind."""
    # What is compiled lies beside the copy, wherever else that of the suite may be.
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command, env = [sys.executable, "-c", CODE, kind], {**env, "PYTHONPATH": str(copy.parent)}
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
    assert told(begun(copy)) == ("1\n", True)
    assert told(begun(copy)) == ("1\n", False)
    for name in ("camelup/text/terminal.py", "camelup/rules/rules.py", "camelup/kernel/bridge.py", "lab/batch.py"):
        file = copy / name
        file.write_text(file.read_text() + "\nANYTHING = 1\n")
    assert told(begun(copy)) == ("1\n", False), "none of these is read by this function"
    kept = set(copy.rglob("*.nbc"))
    edit(copy / "camelup/policy/driver.py", "row[layout.MONEY + seat] > row[", "row[layout.MONEY + seat] < row[")
    assert told(begun(copy)) == ("2\n", True), "the game's part has changed"
    edit(copy / "lab/driver.py", "won |= 1 << seat", "won |= 4 << seat")
    assert told(begun(copy)) == ("8\n", True), "the template has changed"
    assert kept
    assert not kept & set(copy.rglob("*.nbc")), "what is out of date is swept up"


def test_processes_that_compile_at_once_do_no_harm(copy: Path) -> None:
    """Each for numbers of another kind, so that what they keep differs; afterwards nobody compiles any more."""
    different = ("int16", "int32", "int64")[: amount(2, 3)]
    kinds = different * amount(1, 2)
    assert [out for out, _ in map(told, [begun(copy, kind) for kind in kinds])] == ["1\n"] * len(kinds)
    assert [told(begun(copy, kind)) for kind in different] == [("1\n", False)] * len(different)


def test_a_folder_that_cannot_be_written_to_costs_only_time(copy: Path) -> None:
    code = "from numba.core import caching; caching.FunctionCache._impl_class._locator_classes = []" + CODE
    env = {**os.environ, "PYTHONPATH": str(copy.parent)}
    done = subprocess.run([sys.executable, "-c", code, "int16"], capture_output=True, text=True, env=env, check=True)
    assert done.stdout == "1\n"
    assert not set(copy.rglob("*.nbc"))


def test_a_function_called_with_several_constants_is_compiled_once() -> None:
    doubled: Any = numba.njit(lambda number: 2 * number)
    doubled.compile = once_for_all_constants(doubled.compile)
    assert numba.njit(lambda: doubled(1) + doubled(2))() == 6
    assert len(doubled.signatures) == 1


def test_what_a_kernel_module_reads_is_found_by_its_imports() -> None:
    lab = {"serai.lab.jit", "serai.lab.preparing", "serai.lab.rng"}
    basic = {f"{KERNEL}layout", "serai.camelup.bots", "serai.camelup.rules.pieces", *lab}
    assert read_by(f"{KERNEL}rules") == basic | {f"{KERNEL}rules"}
    driver = read_by(f"{POLICY}driver")
    assert driver >= basic | {f"{KERNEL}rules", f"{KERNEL}observe", f"{POLICY}decide", f"{POLICY}scratch"}
    assert not driver & {"serai.camelup.game", "serai.camelup.rules.rules", f"{KERNEL}bridge", "serai.lab.batch"}
    assert "serai.camelup.bots" in read_by(f"{POLICY}decide"), "values of a package may get into compiled code, too"
    assert read_by("serai.lab.driver") == {f"serai.lab.{name}" for name in ("driver", "jit", "preparing", "rng")}


def test_games_have_machine_code_of_their_own_for_the_same_template() -> None:
    codes = [driver_of(game).winners for game in (camelup, pharaoh)]
    rows = [np.zeros(game.ROW_SIZE, game.ROW_TYPE) for game in (camelup, pharaoh)]
    for game, row in zip((camelup, pharaoh), rows, strict=True):
        row[game.PLAYERS] = 2
    rows[1][CHANGED] = 1  # Camel Up shares a victory, Das Gold des Pharao does not (11.3)
    assert [code(row) for code, row in zip(codes, rows, strict=True)] == [0b11, 0b10]
    assert codes[0]._cache._cache_file._index_path != codes[1]._cache._cache_file._index_path


def test_what_is_used_of_numbas_own_parts_is_still_there() -> None:
    """``serai.lab.jit`` relies on these; numba's upper bound in pyproject.toml is the last version that has them."""
    changed = f"numba {numba.__version__} has changed: see serai.lab.jit before its bound in pyproject.toml is raised"
    dispatcher: Any = numba.njit(lambda number: number)
    assert callable(dispatcher.compile), changed
    assert dispatcher._cache is not None, changed
    assert {"cache_path", "save_overload", "load_overload"} <= set(dir(FunctionCache)), changed
    assert isinstance(FunctionCache._impl_class._locator_classes, list), changed
    assert any(name.endswith("InTreeCacheLocator") for name in dir(caching)), changed
    options: dict[str, Any] = {"_nrt": False, "forceinline": True}
    numba.njit(**options)(lambda number: number)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    bounds = {line for lines in extras.values() for line in lines if re.match("numba[<>=]", line)}
    assert bounds
    assert all("<" in bound for bound in bounds), bounds
