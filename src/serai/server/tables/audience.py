"""The viewers of one table: who is connected, which seat each looks through, and what they are sent or have seen."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from serai.core.play import Play
from serai.server.bots.worker import MOST_EVENTS
from serai.server.peers.base import NOBODY, Attendance, tag_of
from serai.table import frames
from serai.table.errors import Refusal
from serai.table.table import Effect, Table
from serai.wire.frames import AnyReply

if TYPE_CHECKING:
    from serai.server.tables.hall import Hall

GAP, GAP_BYTES = 100, 128 * 1024
"""Most entries, and bytes of frames, that are sent one by one to a viewer who reconnects; else they get a welcome."""
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
    """The events of a game as one seat sees them, as JSON, by their number.

    Each is redacted and encoded once, and only as many at a time as somebody asks for: however long a game is, the
    event loop is never held up by all of it.
    """

    __slots__ = ("_encoded", "_opened", "_turns", "number")

    _numbers = itertools.count()

    def __init__(self) -> None:
        self.number = next(self._numbers)
        """Tells these events from those of the same seat after the table was loaded again."""
        self._encoded: list[bytes] = []
        self._opened = 0
        """How many plies of the opening are encoded."""
        self._turns: list[tuple[Play, int]] = []
        """The plays since the opening that are encoded, each with the number of events before it."""

    def after(self, table: Table, seat: int, known: int) -> list[bytes]:
        """The next events for whoever knows so many: ``MOST_EVENTS`` of them at most."""
        turns, done, encoded = table.turns, self._turns, self._encoded
        while done and (len(done) > len(turns) or done[-1][0] is not turns[len(done) - 1][1]):
            del encoded[done.pop()[1] :]  # it was undone
        while len(encoded) < known + MOST_EVENTS and self._encode_next(table, seat):
            pass
        return encoded[known : known + MOST_EVENTS]

    def _encode_next(self, table: Table, seat: int) -> bool:
        """Encode the next ply of the opening, or the next play; whether there was one."""
        opening, turns = table.opening, table.turns
        if opening is not None and self._opened < len(opening.plies):
            events = opening.plies[self._opened].events
            self._opened += 1
        elif len(self._turns) < len(turns):
            play = turns[len(self._turns)][1]
            self._turns.append((play, len(self._encoded)))
            events = play.events
        else:
            return False
        self._encoded += [msgspec.json.encode(event.seen_by(seat)) for event in events]
        return True


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

    def events(self, seat: int, known: int) -> list[bytes]:
        """The next events, as JSON, of those that this seat has seen, for whoever knows so many: ``MOST_EVENTS`` of
        them at most.
        """
        return self._seen[seat].after(self._table, seat, known)

    def story(self, seat: int) -> str:
        """A name for the events that this seat has seen: another one once some of them were undone."""
        return f"{self._table.id} {seat} {self._table.undone} {self._seen[seat].number}"

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
