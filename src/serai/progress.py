"""Progress bars for notebooks and terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from serai.drawing import ACCENT, INK_SOFT, bar, picture, text
from serai.errors import BadArgument, shown

Progress = Callable[[int, int], None]
"""Called with what is done and the total."""

_PATIENCE: Final = 0.7
"""Seconds before a bar appears."""
_EVERY: Final = 0.2
"""Seconds between two updates."""
_WIDTH: Final = 460


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


@contextmanager
def progress_shown(progress: Progress | bool | None, what: str) -> Iterator[Progress | None]:
    """What to call with progress: ``None`` is a bar in notebooks and nothing elsewhere, ``True`` also in a terminal.

    A bar appears if it takes long enough, and disappears at the end.
    """
    if callable(progress):
        yield progress
        return
    if not isinstance(progress, bool | None):
        raise BadArgument(f"'progress' is true, false or called with {what} done and in all, not {shown(progress)}")
    show: Callable[[str, str], None] | None = None
    if progress is not False and in_notebook():
        show = _Display()
    elif progress and sys.stderr.isatty():
        show = _in_terminal
    if show is None:
        yield None
        return
    bar = _Bar(show, what)
    try:
        yield bar
    finally:
        bar.end()


class _Bar:
    """A bar that is updated now and then."""

    def __init__(self, show: Callable[[str, str], None], what: str) -> None:
        self._show, self._what = show, what
        self._began = time.monotonic()
        self._due = self._began + _PATIENCE
        self._seen = False

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _EVERY
        self._seen = True
        left = (now - self._began) / max(done, 1) * (of - done)
        said = f"{done:,} of {of:,} {self._what}, {left:.0f} s left"
        self._show(said, drawn_bar(done / of, said))

    def end(self) -> None:
        if self._seen:
            self._show("", "")


def drawn_bar(share: float, said: str) -> str:
    """The bar as a picture."""
    return picture(
        _WIDTH, 44, bar(12, 8, _WIDTH - 24, 10, share, ACCENT), text(12, 36, said, 14, fill=INK_SOFT), title=said
    )


class _Display:
    """An output of a notebook's cell, updated in place."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, said: str, drawn: str) -> None:
        from IPython.display import HTML, display

        shown = HTML(drawn)  # type: ignore[no-untyped-call]
        if self._handle is None:
            self._handle = display(shown, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(shown)


def _in_terminal(said: str, drawn: str) -> None:
    sys.stderr.write(f"\r\033[K{said}")
    sys.stderr.flush()
