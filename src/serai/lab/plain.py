"""Compiled functions as plain Python: hundreds of times slower, but there at once, while they are being compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from serai.errors import requiring

with requiring("fast", "compiled games"):
    import numpy as np

_F = TypeVar("_F", bound=Callable[..., Any])
_functions: dict[int, FunctionType] = {}
"""By compiled function."""
_namespaces: dict[int, dict[str, Any]] = {}
"""By the namespace of a module: the same, with plain functions."""


def plain(compiled: _F) -> _F:
    """The same function without compiling, and so all that it calls.

    Rows are to have 64 bits: compiled code calculates with whole numbers of 64 bits, NumPy with those of the row.
    """
    inner = _uncompiled(compiled)

    def function(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # compiled code says nothing of overflows, which random numbers live on
            return inner(*arguments)

    return cast("_F", function)


def _uncompiled(compiled: Any) -> FunctionType:
    known = _functions.get(id(compiled))
    if known is None:
        function = compiled.py_func
        namespace = _namespace(function.__globals__)
        known = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        _functions[id(compiled)] = known
    return known


def _namespace(names: dict[str, Any]) -> dict[str, Any]:
    known = _namespaces.get(id(names))
    if known is None:
        known = _namespaces[id(names)] = dict(names)
        known.update({name: _uncompiled(value) for name, value in names.items() if hasattr(value, "py_func")})
    return known
