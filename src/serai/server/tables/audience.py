"""The viewers of one table: who is connected, which seat each looks through, and what they are sent or have seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from serai.core.game import Event
from serai.core.play import Play
from serai.server.peers.base import NOBODY, Attendance, tag_of
from serai.server.threads import paced
from serai.table import frames
from serai.table.errors import Refusal
from serai.table.table import Effect, Table
from serai.wire.frames import AnyReply

if TYPE_CHECKING:
    from serai.server.tables.hall import Hall

GAP, GAP_BYTES = 100, 128 * 1024
"""Most entries, and bytes of frames, that are sent one by one to a viewer who reconnects; else they get a welcome."""
SHORT = 50
"""Actions of an opening whose events are encoded on the event loop."""
MOVED = 4411
"""Close code: the visitor has moved to another device."""
encode: Callable[[AnyReply], bytes] = msgspec.json.Encoder().encode
"""A reply as JSON."""


class Socket(Protocol):
    """The other end of a connection."""

    @property
    def lost(self) -> bool:
        """Whether the client is gone."""

    @property
    def too_slow(self) -> bool:
        """Whether it was closed because the client read too slowly."""

    def write(self, text: bytes) -> None:
        """Send a message without waiting; close if too much is unread."""

    def close(self, code: int) -> None:
        """Close once all that was written has been sent; nothing can be written any more."""


@dataclass(slots=True, eq=False)
class Connection:
    """One viewer: the socket, who they are, and the seat they look through."""

    device: str
    visitor: str
    seat: int | None
    socket: Socket
    address: str
    onlooker_by_choice: bool


class SeenEvents:
    """The events of a game as one seat sees them, as JSON; each is redacted and encoded once."""

    __slots__ = ("_encoded", "_turns")

    def __init__(self) -> None:
        self._encoded: list[bytes] = []
        self._turns: list[tuple[Play, int]] = []
        """The plays since the opening that are encoded, each with the number of events before it."""

    def begins(self, table: Table) -> Play | None:
        """The opening, if it is not encoded yet."""
        return None if self._encoded else table.opening

    def begin(self, encoded: list[bytes]) -> None:
        """Take in the events of the opening, encoded elsewhere."""
        if not self._encoded:
            self._encoded = encoded

    def of(self, table: Table, seat: int) -> list[bytes]:
        """All events so far. The caller must not change the list, which grows with the game."""
        turns, known, encoded = table.turns, self._turns, self._encoded
        while known and (len(known) > len(turns) or known[-1][0] is not turns[len(known) - 1][1]):
            del encoded[known.pop()[1] :]  # it was undone
        if not encoded and table.opening is not None:
            encoded += _encoded(table.opening.events, seat)
        for _, play in turns[len(known) :]:
            known.append((play, len(encoded)))
            encoded += (msgspec.json.encode(event.seen_by(seat)) for event in play.events)
        return encoded


def _encoded(events: Iterable[Event], seat: int) -> list[bytes]:
    return [msgspec.json.encode(event.seen_by(seat)) for event in events]


class Audience:
    """The viewers of a table. Nothing here is stored, and nothing waits but :meth:`look_elsewhere`."""

    def __init__(self, table: Table, hall: Hall) -> None:
        self.connections: set[Connection] = set()
        self._table = table
        self._hall = hall
        self._elsewhere = NOBODY
        """Who is connected to other processes."""
        self._seen: defaultdict[int, SeenEvents] = defaultdict(SeenEvents)
        """By seat, where a bot or the coach has asked for them."""

    # -- who is there --------------------------------------------------------------------------------------------------

    @property
    def attended(self) -> bool:
        """Whether anybody is connected, here or elsewhere."""
        return bool(self.connections) or self._elsewhere != NOBODY

    @property
    def watching(self) -> int:
        """How many onlookers are connected here."""
        return sum(connection.seat is None for connection in self.connections)

    @property
    def host_from(self) -> str:
        """The tag of the address from which the host is connected here; empty if they are not."""
        host = self._table.host
        return next((tag_of(one.address) for one in self.connections if host and one.visitor == host), "")

    def admit(self, connection: Connection, seen: int | None) -> None:
        """Add a viewer: send what they missed, or everything from scratch; from now on they get every frame."""
        table, missed = self._table, None
        if seen is not None and table.n - GAP <= seen <= table.n:
            missed = [*map(encode, frames.history(table, connection.visitor, connection.seat, seen))]
        if missed is None or sum(map(len, missed)) > GAP_BYTES:
            self._welcome(connection)
        else:
            for text in missed:
                connection.socket.write(text)
        self.connections.add(connection)
        if connection.visitor:
            table.attendance.came(connection.visitor)
        self.changed()

    def lose(self, connection: Connection) -> None:
        self.connections.discard(connection)
        self._went(connection)
        self.changed()

    def drop_moved(self, stands_for: Mapping[str, str]) -> None:
        """Disconnect viewers whose device now stands for another visitor (``stands_for``: device to visitor)."""
        moved = [one for one in self.connections if stands_for.get(one.device, one.visitor) != one.visitor]
        for connection in moved:
            self._went(connection)
            connection.visitor, connection.seat, connection.onlooker_by_choice = "", None, True
            connection.socket.close(MOVED)
        if moved:
            self.changed()

    def close_those(self, code: int, wanted: Callable[[Connection], object]) -> None:
        """Close the sockets of some viewers."""
        for connection in self.connections:
            if wanted(connection):
                connection.socket.close(code)

    def close_all(self, code: int) -> None:
        for connection in self.connections:
            connection.socket.close(code)

    async def look_elsewhere(self) -> bool:
        """Ask who is connected to other processes; whether that changed. If so, everybody gets the presence."""
        elsewhere = await self._hall.peers.elsewhere(self._table.id)
        if elsewhere == self._elsewhere:
            return False
        self._elsewhere = elsewhere
        self._table.attendance.elsewhere(elsewhere.visitors, self._hall.sources.clock())
        self._list_anew()
        self.tell_presence()
        return True

    def changed(self) -> None:
        """Tell other processes and everybody here who is connected."""
        visitors = frozenset(connection.visitor for connection in self.connections if connection.visitor)
        self._hall.peers.attend(self._table.id, Attendance(visitors, self.watching, self.host_from))
        self._list_anew()
        self.tell_presence()

    # -- through which seat --------------------------------------------------------------------------------------------

    def look(self, connection: Connection, seat: int | None) -> None:
        """Let a viewer look through another of their seats, or look on."""
        if seat is not None and seat not in self._table.held_by(connection.visitor):
            raise Refusal("table.not_yours", seat=seat)
        connection.seat = seat
        connection.onlooker_by_choice = seat is None
        self._welcome(connection)
        self.tell_presence()

    def follow_seats(self) -> None:
        """Let viewers follow their seats, which may be rearranged before the start."""
        for connection in self.connections:
            held = self._table.held_by(connection.visitor)
            if connection.seat not in held and not connection.onlooker_by_choice:
                connection.seat = held[0] if held else None

    # -- what they are sent --------------------------------------------------------------------------------------------

    def tell_all(self, reply: AnyReply) -> None:
        text = encode(reply)
        for connection in self.connections:
            connection.socket.write(text)

    def tell_presence(self) -> None:
        """Send everybody who is away."""
        watching = self.watching + self._elsewhere.watching
        self.tell_all(frames.presence(self._table, self._hall.sources.clock(), watching))

    def tell(self, effect: Effect) -> None:
        """Send everybody their frame of an effect, made once for all who see the same."""
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
                connection.socket.write(text)
        if effect.info is not None:
            self._list_anew()

    def events(self, seat: int) -> list[bytes]:
        """The events that this seat has seen, as JSON; the caller must not change the list."""
        return self._seen[seat].of(self._table, seat)

    async def prepare_events(self, seat: int, address: str) -> None:
        """Encode the events of a long opening, which a game inherited from another, in a thread."""
        seen = self._seen[seat]
        opening = seen.begins(self._table)
        if opening is not None and len(opening.plies) > SHORT:
            seen.begin(await self._hall.in_turn(address, lambda: _encoded(paced(opening.events), seat)))

    def _welcome(self, connection: Connection) -> None:
        """Send a viewer everything from scratch."""
        build = self._hall.settings.build
        connection.socket.write(encode(frames.welcome(self._table, connection.visitor, connection.seat, build)))

    def _went(self, connection: Connection) -> None:
        if connection.visitor:
            self._table.attendance.went(connection.visitor, self._hall.sources.clock())

    def _list_anew(self) -> None:
        if self._table.table_rules.public:
            self._hall.public_changes += 1
