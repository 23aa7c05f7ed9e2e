"""What odds run on, loaded when it is needed: NumPy for every answer, numba for speed.

``import serai`` loads neither. Compiled code is loaded when somebody asks for it, and used by all once it is there.
"""

from __future__ import annotations

import importlib
import threading
from types import ModuleType

from serai.core import SeraiError

_lock = threading.Lock()
_compiled: ModuleType | None = None


def odds_engine() -> ModuleType:
    """The module :mod:`serai.camelup.odds.report`."""
    return _loaded("serai.camelup.odds.report")


def compiled_ready() -> bool:
    """Whether compiled code is loaded."""
    return _compiled is not None


def compiled_engine() -> ModuleType:
    """The module :mod:`serai.camelup.fast`, compiled or taken from numba's cache if it is not there yet."""
    global _compiled
    with _lock:
        if _compiled is None:
            module = _loaded("serai.camelup.fast")
            module.warm_up()
            _compiled = module
    return _compiled


def _loaded(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name in ("numpy", "numba", "platformdirs"):
            raise SeraiError(f"Camel Up's odds need {missing.name}: install Serai with its extra 'fast'") from None
        raise
