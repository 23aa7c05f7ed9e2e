"""Where packages are missing that an extra brings, modules of Serai say which extra, instead of Python's own error.

The library alone needs none of them. Whoever imports a module that does is told what to install, whichever it is.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from types import ModuleType

from serai.core.errors import MissingExtra

_HOUSE = "serai"
_FAST = "fast"
_OTHERS = {"cli": "play", "server": "play", "envs": "envs"}
"""The extras of rooms that need another one."""
_SIGNS = ("numba", "numpy", "litestar", "gymnasium")
"""Where one of these is missing, so is an extra."""


def tell_what_is_missing() -> None:
    """From now on, if anything is; where everything is installed nothing changes."""
    if any(find_spec(package) is None for package in _SIGNS):
        sys.meta_path.insert(0, _Finder)


class _Finder:
    """Finds the modules of Serai where they are."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target) if name.startswith(f"{_HOUSE}.") else None
        if found is None or found.origin is None or not isinstance(found.loader, SourceFileLoader):
            return None
        inside = found.submodule_search_locations
        loader = _Loader(name, found.origin)
        return spec_from_file_location(name, found.origin, loader=loader, submodule_search_locations=inside)


class _Loader(SourceFileLoader):
    """Loads a module, or says what it needs."""

    def exec_module(self, module: ModuleType) -> None:
        try:
            super().exec_module(module)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package in ("", _HOUSE):
                raise
            extra = _OTHERS.get(module.__name__.split(".")[1], _FAST)
            raise MissingExtra(f"modules like {module.__name__!r}", package, extra) from None
