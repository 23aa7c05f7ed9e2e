"""Kernels compiled for a GPU where there is none: as far as PTX, which needs only the compiler's own library."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numba
import numpy as np
from numba import cuda as _cuda
from numba import types

cuda: Any = _cuda
ARCHITECTURE = (9, 0)


@contextmanager
def imagined_gpu() -> Iterator[None]:
    """numba-cuda asks a device, and a library that only a device's toolkit brings, what to compile for."""
    device = SimpleNamespace(compute_capability=ARCHITECTURE)
    with (
        patch("numba.cuda.dispatcher.get_current_device", lambda: device),
        patch("numba.cuda.cudadrv.nvrtc.get_supported_ccs", lambda: [ARCHITECTURE]),
        patch("numba.cuda.cuda_paths._get_nvrtc_path", lambda: None),
    ):
        yield


def ptx(kernel: Any, *arguments: Any) -> str:
    """What a kernel becomes for arguments like these; arrays of two axes have the lanes side by side."""
    with imagined_gpu():
        code, _ = cuda.compile(
            kernel.py_func, tuple(map(_type, arguments)), device=False, cc=ARCHITECTURE, abi="numba", output="ptx"
        )
    return str(code)


def _type(value: Any) -> Any:
    if isinstance(value, types.Type):
        return value
    if isinstance(value, np.ndarray):
        return types.Array(numba.from_dtype(value.dtype), value.ndim, "F" if value.ndim == 2 else "C")
    if isinstance(value, tuple):
        return types.NamedTuple(tuple(map(_type, value)), type(value))
    return numba.typeof(value)
