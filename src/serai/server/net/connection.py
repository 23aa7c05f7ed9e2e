"""One viewer's socket, seen from a table: the line to them, who they are, and through which seat they look."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from serai.server.net.ws_protocol import Line
from serai.table.messages import AnyReply

encode: Callable[[AnyReply], bytes] = msgspec.json.Encoder().encode
"""A reply as it travels."""


class Connection:
    """A viewer."""

    __slots__ = ("address", "device", "line", "onlooker_by_choice", "seat", "visitor")

    def __init__(
        self, device: str, visitor: str, seat: int | None, line: Line, address: str, *, onlooker_by_choice: bool
    ) -> None:
        self.device = device
        self.visitor = visitor
        self.address = address
        self.seat = seat
        self.line = line
        self.onlooker_by_choice = onlooker_by_choice
