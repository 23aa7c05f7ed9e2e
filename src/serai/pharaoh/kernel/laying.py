"""How a passage tile is laid, compiled: open towards its finder and towards what is unknown."""

from __future__ import annotations

from serai.core.jit import compiled
from serai.core.splitmix import Words
from serai.pharaoh.kernel.layout import ARCHAEOLOGIST, DOWN, LAY_ACTION, OPEN, SITE, WAYS
from serai.pharaoh.kernel.legal import WAY_COUNT, lays
from serai.pharaoh.kernel.routes import beside
from serai.pharaoh.kernel.steps import chance
from serai.pharaoh.kernel.ways import Row


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
                other = beside(site, side)
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
