"""Where compiled games are to run: on the CPU, or on a GPU, which needs the extra ``gpu``."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from typing import Literal, get_args

from serai.core.errors import BadOptions, MissingExtra, phrase

Device = Literal["cpu", "gpu"]


def on_gpu(device: str, bots: Collection[str] = (), able: Collection[str] = ()) -> bool:
    """Whether the GPU is meant; what is missing for that, or which bots are not able to play there, is told."""
    if device not in get_args(Device):
        raise BadOptions("core.device", device=device, known=get_args(Device))
    if device == "gpu" and find_spec("numba_cuda") is None:
        raise MissingExtra("games on a GPU", "numba-cuda", "gpu")
    unable = tuple(sorted(set(bots) - set(able)))
    if device == "gpu" and unable:
        raise BadOptions("core.device.bots", bots=unable, able=tuple(able))
    return device == "gpu"


phrase(
    {
        "core.device": "a device is one of {known}, not {device!r}",
        "core.device.bots": "on a GPU {bots} cannot play; those that can: {able}",
    }
)
