"""Changing a tuple: states are immutable, so a changed field is a new tuple."""

from __future__ import annotations

from typing import TypeVar

_T = TypeVar("_T")


def put(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    """The tuple with one value replaced."""
    return (*values[:place], value, *values[place + 1 :])
