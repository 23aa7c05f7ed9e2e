"""Tournaments: schedule, archive of all games, ratings and reports."""

from serai.errors import need

need("fast", "tournaments", "numpy")
