"""Servers under test spare themselves the trials of bots: no test of tables and pages looks at what they cost."""

from __future__ import annotations

from serai.core.registry import game, games
from serai.server.bots import pool


def spare_trials() -> None:
    """From now on this process's servers try bots only when somebody asks for them, levels not at all, and warm none.

    Otherwise each server would take ten seconds of processor time. That levels pass their trial is tested once.
    """
    pool.WARM_AFTER = 24 * 60 * 60.0
    pool.SURE |= {level for name in games() for level in game(name).levels}
