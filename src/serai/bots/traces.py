"""Tracebacks of bots, without the frames of the code that called them."""

from __future__ import annotations

import traceback
from pathlib import Path

_FOLDER = Path(__file__).parent
_CALLERS = {str(_FOLDER / f"{name}.py") for name in ("contract", "isolated_main", "referee", "specs")}


def bot_trace(error: BaseException) -> str:
    """The traceback of what a bot raised, from the bot's own code on; empty if none of its code was running."""
    frames = error.__traceback__
    while frames is not None and _calls_bots(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    return "" if frames is None else "".join(traceback.format_exception(type(error), error, frames))


def _calls_bots(file: str) -> bool:
    return file in _CALLERS or "importlib" in file
