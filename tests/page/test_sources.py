"""What holds for the sources of the page, checked by its own tools."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from serai.wire.schema import schema

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "hatch_build.py"


def node(*arguments: str, told: str = "") -> None:
    command = [sys.executable, str(BUILD), "node", *arguments]
    done = subprocess.run(command, input=told, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_has_logic() -> None:
    node("node_modules/vitest/vitest.mjs", "run")


def test_message_types_are_those_of_the_schema() -> None:
    node("tools/messages.js", "--check", told=json.dumps(schema()))


def test_every_link_is_made_where_the_base_path_is_known() -> None:
    sources = [file for file in (ROOT / "web" / "src").rglob("*") if file.suffix in (".ts", ".svelte")]
    found = {file.name: re.findall(r"""(?:href|src)=["']/.*""", file.read_text()) for file in sources}
    assert len(found) > 50
    assert {name: absolute for name, absolute in found.items() if absolute} == {}


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_nothing_changed_means_nothing_built() -> None:
    built = ROOT / "src" / "serai" / "web" / "index.html"
    subprocess.run([sys.executable, str(BUILD)], check=True)
    before = built.stat().st_mtime_ns
    subprocess.run([sys.executable, str(BUILD)], check=True)
    assert built.stat().st_mtime_ns == before
