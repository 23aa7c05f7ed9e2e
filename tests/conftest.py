"""What every test starts with, and what tests measured, told at the end of a run: ``record_property("told", "…")``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

# tables that Serai keeps between runs: in this checkout, not in the cache of whoever runs the tests
os.environ.setdefault("SERAI_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "serai"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print every line that a test recorded as ``told``, whether it ran here or in another process."""
    lines = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == "told"
    ]
    for line in sorted(lines):
        terminalreporter.write_line(line)
