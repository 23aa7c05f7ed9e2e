"""What tests measured, told at the end of a run: ``record_property("told", "…")``."""

from __future__ import annotations

from typing import Any


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
