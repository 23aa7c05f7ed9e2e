"""Whoever is connected to one table: through which seat they look, what they are told, and where else people are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from serai.server.net.connection import Connection, encode
from serai.server.peers.base import NOBODY, Attendance, tag_of
from serai.server.services import Services
from serai.table import frames, messages
from serai.table.effects import Effect
from serai.table.errors import Refusal
from serai.table.table import Table

GAP, GAP_BYTES = 100, 128 * 1024
"""Who misses more entries, or more in bytes, than this gets a welcome instead."""
MOVED = 4411
PUBLIC = "public tables"
"""What is kept of all of them together."""


class Audience:
    """The viewers of a table. Nothing of this is stored, and nothing here waits."""

    def __init__(self, table: Table, services: Services) -> None:
        self.connections: set[Connection] = set()
        self._table = table
        self._services = services
        self._elsewhere = NOBODY
        """Who is connected at other processes."""

    # -- who is there --------------------------------------------------------------------------------------------------

    @property
    def attended(self) -> bool:
        """Whether anybody is connected, here or elsewhere."""
        return bool(self.connections) or self._elsewhere != NOBODY

    @property
    def watching(self) -> int:
        """How many look on here without a seat."""
        return sum(connection.seat is None for connection in self.connections)

    @property
    def host_from(self) -> str:
        """What stands for the address from which the host is connected here; empty if they are not."""
        host = self._table.host
        return next((tag_of(one.address) for one in self.connections if host and one.visitor == host), "")

    def admit(self, connection: Connection, seen: int | None) -> None:
        """Let a viewer in: what they missed, or everything from scratch; from now on they hear of every change."""
        table, missed = self._table, None
        if seen is not None and table.n - GAP <= seen <= table.n:
            missed = [*map(encode, frames.history(table, connection.visitor, connection.seat, seen))]
        if missed is None or sum(map(len, missed)) > GAP_BYTES:
            self._welcome(connection)
        else:
            for text in missed:
                connection.line.write(text)
        self.connections.add(connection)
        if connection.visitor:
            table.presence.came(connection.visitor)
        self.changed()

    def lose(self, connection: Connection) -> None:
        """A viewer is gone."""
        self.connections.discard(connection)
        self._went(connection)
        self.changed()

    def part_from(self, stands_for: Mapping[str, str]) -> None:
        """Whoever is connected from one of these devices, and is not the visitor any more whom it stands for, looks on
        from now on until they come anew.
        """
        parted = [one for one in self.connections if stands_for.get(one.device, one.visitor) != one.visitor]
        for connection in parted:
            self._went(connection)
            connection.visitor, connection.seat, connection.onlooker_by_choice = "", None, True
            connection.line.close(MOVED)
        if parted:
            self.changed()

    def dismiss(self, code: int) -> None:
        """Let everybody go."""
        for connection in self.connections:
            connection.line.close(code)

    async def look_elsewhere(self) -> bool:
        """Ask who is connected at other processes; whether that changed, which everybody is told."""
        elsewhere = await self._services.peers.elsewhere(self._table.id)
        if elsewhere == self._elsewhere:
            return False
        self._elsewhere = elsewhere
        self._table.presence.elsewhere(elsewhere.visitors, self._services.sources.clock())
        self._outdate()
        self.tell_presence()
        return True

    def changed(self) -> None:
        """Let other processes and everybody here know who is connected."""
        visitors = frozenset(connection.visitor for connection in self.connections if connection.visitor)
        self._services.peers.attend(self._table.id, Attendance(visitors, self.watching, self.host_from))
        self._outdate()
        self.tell_presence()

    # -- through which seat --------------------------------------------------------------------------------------------

    def look(self, connection: Connection, seat: int | None) -> None:
        """Let a viewer look through another seat of theirs, or look on."""
        if seat is not None and seat not in self._table.held_by(connection.visitor):
            raise Refusal("table.not_yours", seat=seat)
        connection.seat = seat
        connection.onlooker_by_choice = seat is None
        self._welcome(connection)
        self.tell_presence()

    def follow_seats(self) -> None:
        """Before the start seats move about; whoever looked through one looks through their own again."""
        for connection in self.connections:
            held = self._table.held_by(connection.visitor)
            if connection.seat not in held and not connection.onlooker_by_choice:
                connection.seat = held[0] if held else None

    # -- what they are told --------------------------------------------------------------------------------------------

    def tell_all(self, reply: messages.AnyReply) -> None:
        """The same for everybody."""
        text = encode(reply)
        for connection in self.connections:
            connection.line.write(text)

    def tell_presence(self) -> None:
        """Who is away, for everybody."""
        watching = self.watching + self._elsewhere.watching
        self.tell_all(frames.presence(self._table, self._services.sources.clock(), watching))

    def tell(self, effect: Effect) -> None:
        """Everybody's frame of an effect, made once for all who see the same."""
        table, made = self._table, dict[Any, bytes]()
        game = effect.before is not effect.after
        for connection in self.connections:
            visitor, seat = connection.visitor, connection.seat
            key = seat if game else (seat, visitor)
            text = made.get(key)
            if text is None:
                frame = frames.game_frame(effect, seat) if game else frames.frame(table.effects, effect, visitor, seat)
                text = made[key] = b"" if frame is None else encode(frame)
            if text:
                connection.line.write(text)
        if effect.info is not None:
            self._outdate()

    def _welcome(self, connection: Connection) -> None:
        """Tell a viewer everything from scratch."""
        build = self._services.settings.build
        connection.line.write(encode(frames.welcome(self._table, connection.visitor, connection.seat, build)))

    def _went(self, connection: Connection) -> None:
        if connection.visitor:
            self._table.presence.went(connection.visitor, self._services.sources.clock())

    def _outdate(self) -> None:
        """The list of public tables is another one now, if this is one of them."""
        if self._table.table_rules.public:
            self._services.kept.outdate(PUBLIC)
