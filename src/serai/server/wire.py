"""The WebSocket protocol of the web server, with one thing added: a way to cut off who does not read.

Closing in the ordinary way waits until everything has been sent, which for somebody who never reads is for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_CUT = "serai.cut"


class Wire(WebSocketsSansIOProtocol):
    """Tells the application how to cut the line; cuts it itself when nobody answers a ping."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            scope["extensions"][_CUT] = {"cut": self.transport.abort}

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()


def cutter(scope: Any) -> Callable[[], None]:
    """How to cut this socket's line; nothing where the web server offers no way."""
    cut: Callable[[], None] = scope.get("extensions", {}).get(_CUT, {}).get("cut", _nothing)
    return cut


def _nothing() -> None:
    """There is no line to cut."""
