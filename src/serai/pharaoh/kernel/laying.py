"""How a passage tile is laid, compiled: open towards its finder and towards what is unknown."""

from __future__ import annotations

from serai.core.jit import compiled, inlined
from serai.core.splitmix import Words
from serai.pharaoh.kernel.layout import ARCHAEOLOGIST, CELL_COUNT, DOWN, LAY_ACTION, OPEN, SITE, WAYS
from serai.pharaoh.kernel.legal import WAY_COUNT, lays
from serai.pharaoh.kernel.steps import chance
from serai.pharaoh.kernel.ways import Row
from serai.pharaoh.pieces import SIZE


@compiled
def best_lay(row: Row, seat: int, words: Words, lane: int) -> int:
    """Open towards the finder and towards what is unknown, not against walls."""
    site = row[SITE]
    stands = row[ARCHAEOLOGIST + seat]
    ways = lays(row)
    best = -1.0
    found = 0
    for place in range(WAY_COUNT):
        if ways >> place & 1:
            merit = chance(words, lane)
            for side in range(4):
                other = _beside(site, side)
                if WAYS[place] >> side & 1 and other >= 0:
                    if other == stands:
                        merit += 10.0
                    elif row[DOWN] >> other & 1:
                        merit += 2.0
                    elif row[OPEN + (side + 2) % 4] >> other & 1:
                        merit += 1.0
            if merit > best:
                best, found = merit, place
    return LAY_ACTION + found


@inlined
def _beside(cell: int, side: int) -> int:
    """The cell on that side, -1 beyond the border."""
    if side == 0:
        return cell + SIZE if cell + SIZE < CELL_COUNT else -1
    if side == 1:
        return cell + 1 if cell % SIZE < SIZE - 1 else -1
    if side == 2:
        return cell - SIZE
    return cell - 1 if cell % SIZE > 0 else -1
