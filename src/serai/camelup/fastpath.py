"""Whether compiled odds are at hand. Loading them brings in numba, so nobody does unless speed is asked for."""

from __future__ import annotations

import importlib
import threading
from types import ModuleType

_NAME = "serai.camelup.compiled_odds"
_lock = threading.Lock()
_module: ModuleType | None = None
_loading: threading.Thread | None = None


def ready() -> bool:
    """Whether compiled code is loaded."""
    return _module is not None


def load() -> ModuleType:
    """The compiled module, loaded and compiled (or taken from numba's cache) if it is not yet."""
    global _module
    with _lock:
        if _module is None:
            module = importlib.import_module(_NAME)
            module.warm_up()
            _module = module
    return _module
