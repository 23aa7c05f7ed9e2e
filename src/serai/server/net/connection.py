"""One viewer's socket, seen from a table: the line to them, and through which seat they look."""

from __future__ import annotations

import msgspec

from serai.server.net import ws_protocol
from serai.table.messages import AnyReply

TOO_SLOW = 4408
RESTARTING = 1012

_encoder = msgspec.json.Encoder()


def encode(reply: AnyReply) -> bytes:
    """A reply as it travels."""
    return _encoder.encode(reply)


class Connection:
    """Keeps order, and never makes a table wait for a slow reader."""

    __slots__ = ("_close_code", "_line", "onlooker_by_choice", "seat", "visitor")

    def __init__(self, visitor: str, seat: int | None, line: ws_protocol.Line) -> None:
        self.visitor = visitor
        self.seat = seat
        self.onlooker_by_choice = False
        self._line = line
        self._close_code: int | None = None

    def send(self, text: bytes) -> None:
        """Send something, or let them go if they are too far behind."""
        if self._close_code is not None:
            return
        if self._line.unsent() + len(text) > ws_protocol.OUTBOX_BYTES:
            self._close_code = TOO_SLOW
            self._line.close(TOO_SLOW, within=ws_protocol.LAST_CHANCE)
        else:
            self._line.write(text)

    @property
    def lost(self) -> bool:
        """Whether nobody is there any more."""
        return self._line.lost

    @property
    def too_slow(self) -> bool:
        """Whether it was let go for being too far behind."""
        return self._close_code == TOO_SLOW

    def close(self, code: int) -> None:
        """Close, once all that waits has been sent."""
        if self._close_code is None:
            self._close_code = code
            self._line.close(code)
