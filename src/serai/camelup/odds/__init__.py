"""Exact chances of leg and race, and what every action is worth. NumPy is loaded when somebody asks for them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from serai.core.errors import MissingExtra


def load_report() -> ModuleType:
    """The module :mod:`serai.camelup.odds.report`, or an error that names what to install."""
    if find_spec("numpy") is None:
        raise MissingExtra("Camel Up's odds", "numpy", "fast")
    return import_module("serai.camelup.odds.report")
