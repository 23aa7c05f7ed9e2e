"""The one door to numba: how compiled functions are cached, and the line a person sees while they are compiled."""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

_F = TypeVar("_F", bound=Callable[..., Any])
_FINGERPRINT = re.compile(r"\.camelup_([0-9a-f]{10})")
"""In the name of a compiled function and of the files it is kept in."""


def compiled(function: _F) -> _F:
    """Compile on first call and keep the machine code for later runs.

    numba notices a change only in the file of the function itself, not in the files of what it calls. So the name
    under which the code is kept holds a fingerprint of all sources of this game.
    """
    function.__qualname__ = f"{function.__name__}.camelup_{_fingerprint()}"
    _announce()
    try:
        made = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no folder that could be written to: compiled anew in every process
        made = numba.njit(nogil=True, error_model="numpy")(function)
    return cast("_F", made)


@cache
def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


def _sweep(folder: str | None) -> None:
    """Remove machine code kept for sources that have changed since."""
    for path in Path(folder).glob("*.nb[ic]") if folder else ():
        found = _FINGERPRINT.search(path.name)
        if found and found[1] != _fingerprint():
            with contextlib.suppress(OSError):  # another process may hold it
                path.unlink()


@cache
def _announce() -> None:
    """Listen for compilations: the event comes only when no kept machine code was found."""
    event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]


class _Notice(event.Listener):
    """Says once per process why the program waits."""

    said = False

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not self.said and _FINGERPRINT.search(dispatcher.py_func.__qualname__):
            self.said = True
            sys.stderr.write("compiling Camel Up for speed, once on this machine …\n")
            sys.stderr.flush()
            _sweep(dispatcher.stats.cache_path)

    def on_end(self, event: Any) -> None:
        """Nothing to say."""
