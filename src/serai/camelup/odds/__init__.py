"""Exact chances of leg and race, and what every action is worth. NumPy is loaded when somebody asks for them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from serai.core.errors import MissingExtra


def load_report() -> ModuleType:
    """The module :mod:`serai.camelup.odds.report`, or an error that names what to install."""
    try:
        return import_module("serai.camelup.odds.report")
    except ModuleNotFoundError as missing:
        if missing.name == "numpy":
            raise MissingExtra("Camel Up's odds", "numpy", "fast") from None
        raise
