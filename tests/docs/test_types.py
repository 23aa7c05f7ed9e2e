"""An editor understands the README and the first bots: the strictest type checker has no objection."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.docs.test_first_bots import FILES

ROOT = Path(__file__).parents[2]
README = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)


def written(doctest: str) -> str:
    """The lines of a doctest as a file."""
    return "\n".join(line[4:] for line in doctest.splitlines() if line.startswith((">>>", "...")))


def objections(file: Path) -> str:
    """What mypy says of a file of somebody who has no configuration."""
    cache = ROOT / ".mypy_cache" / "of-users"
    # in a process of its own, since mypy raises the limit of recursion of the one that it runs in
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "\n".join(line for line in f"{done.stdout}{done.stderr}".splitlines() if file.name in line)


def objections_of_pyright(file: Path) -> list[str]:
    """What pyright says of it, as editors ask it."""
    (file.parent / "pyrightconfig.json").write_text(
        json.dumps({"typeCheckingMode": "standard", "reportUnusedExpression": False, "include": [file.name]})
    )
    command = [
        sys.executable,
        "-m",
        "basedpyright",
        "--outputjson",
        "-p",
        str(file.parent),
        "--pythonpath",
        sys.executable,
    ]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert said["summary"]["filesAnalyzed"] == 1
    return [f"{one['range']['start']['line'] + 1}: {one['message']}" for one in said["generalDiagnostics"]]


def test_what_the_readme_and_the_first_bots_do_is_typed(tmp_path: Path) -> None:
    file = tmp_path / "all_of_them.py"
    parts = [*FILES.values(), "\n".join(map(written, README))]
    indented = [f"def part_{number}() -> None:\n{textwrap.indent(part, '    ')}" for number, part in enumerate(parts)]
    file.write_text("\n\n".join(indented) + "\n")
    assert objections(file) == ""
    assert objections_of_pyright(file) == []


def test_the_kind_of_an_action_says_which_fields_it_has(tmp_path: Path) -> None:
    file = tmp_path / "kinds.py"
    file.write_text(
        "from serai.camelup import CamelUpState\n"
        "def spaces(view: CamelUpState) -> list[int]:\n"
        "    return [action.space for action in view.actions() if action.kind == 'leg']\n"
    )
    assert '"Leg" has no attribute "space"' in objections(file)
