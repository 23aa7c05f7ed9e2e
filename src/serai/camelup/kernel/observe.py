"""What a seat sees of a row, as numbers: the same as ``serai.camelup.encoding`` makes of a view."""

from __future__ import annotations

from serai.camelup.kernel import layout
from serai.camelup.kernel.rules import Row
from serai.lab.driver import Array
from serai.lab.jit import inlined, lean
from serai.lab.rng import count


@lean
def observe(row: Row, seat: int, seen: Array) -> None:
    """Write what ``seat`` sees of a game. Loops without branches let the processor do several numbers at a time."""
    players = row[layout.PLAYERS]
    seen[layout.SEEN_LEG] = min(row[layout.LEG], layout.MOST_SEEN)
    seen[layout.SEEN_TURN] = _from(row[layout.TURN], seat, players)
    seen[layout.SEEN_MARKER] = _from(row[layout.MARKER], seat, players)
    for camel in range(layout.CAMEL_COUNT):
        seen[layout.SEEN_SPACE + camel] = row[layout.SPACE + camel]
        seen[layout.SEEN_TENT + camel] = row[layout.TENT + camel]
        seen[layout.SEEN_RANK + row[layout.ORDER + camel]] = camel
        seen[layout.SEEN_HAND + camel] = row[layout.HAND + seat] >> camel & 1
        seen[layout.SEEN_OWN_WINNER + camel] = 0
        seen[layout.SEEN_OWN_LOSER + camel] = 0
    for tile in range(3 * layout.CAMEL_COUNT):
        seen[layout.SEEN_LEG_TILE + tile] = _from(row[layout.LEG_TILE + tile], seat, players)
    for place in range(layout.MAX_SEATS):
        owner = seat + place if seat + place < players else seat + place - players
        taken = place < players
        seen[layout.SEEN_PYRAMID + place] = row[layout.PYRAMID + owner] if taken else 0
        seen[layout.SEEN_DESERT + place] = row[layout.DESERT + owner] if taken else 0
        seen[layout.SEEN_MONEY + place] = min(row[layout.MONEY + owner], layout.MOST_SEEN) if taken else 0
        seen[layout.SEEN_CARDS + place] = count(row[layout.HAND + owner]) if taken else 0
    for place in range(layout.DECK_SIZE):
        seen[layout.SEEN_WINNER_DECK + place] = _from(row[layout.WINNER_DECK + place] >> 3, seat, players)
    for place in range(layout.DECK_SIZE):
        seen[layout.SEEN_LOSER_DECK + place] = _from(row[layout.LOSER_DECK + place] >> 3, seat, players)
    for place in range(row[layout.WINNER_COUNT]):  # others' cards come to a place that is written last
        card = row[layout.WINNER_DECK + place]
        seen[layout.SEEN_OWN_WINNER + (card & 7) if card >> 3 == seat else layout.SEEN_PLAYERS] = place + 1
    for place in range(row[layout.LOSER_COUNT]):
        card = row[layout.LOSER_DECK + place]
        seen[layout.SEEN_OWN_LOSER + (card & 7) if card >> 3 == seat else layout.SEEN_PLAYERS] = place + 1
    seen[layout.SEEN_PLAYERS] = players


@inlined
def _from(owner: int, seat: int, players: int) -> int:
    """A seat counted from the observer; nobody (-1) stays nobody."""
    place = owner - seat if owner >= seat else owner - seat + players
    return place if owner >= 0 else -1
