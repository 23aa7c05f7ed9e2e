"""docs/process-bots.md: its messages and fields are real, and its own commands work in an empty folder."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from tests.docs.process_messages import PAGE, page
from tests.support import SERAI

ROOT = Path(__file__).parents[2]


def test_the_page_shows_the_messages_that_programs_get() -> None:
    text = PAGE.read_text()
    assert page(text) == text, "python -m tests.docs.process_messages writes it anew"
    assert text.count('{"type":"decide"') == 1


def test_its_commands_work_in_an_empty_folder(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "bots" / "caravan.py", tmp_path)
    listed = re.search(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert listed is not None
    commands = listed[1].splitlines()
    assert [command.split()[1] for command in commands] == ["check-bot", "simulate"]
    for command in commands:
        words = ["".join(found) for found in re.findall(r'"(.*?)"|(\S+)', command)][1:]
        done = subprocess.run([*SERAI, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "all is well" in done.stdout or "10 games of camelup" in done.stdout
