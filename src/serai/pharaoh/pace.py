"""How long a considerate player thinks, by what everybody sees."""

from __future__ import annotations

from serai.pharaoh.pieces import MOVES, NOWHERE
from serai.pharaoh.rules import PharaohState


def pause(view: PharaohState) -> float:
    """Longest at the start of a turn while figures are in a falling pyramid; shortest where nothing is left to do."""
    if view.over or view.drawn != NOWHERE:
        return 0.7
    seat = view.turn
    inside = {view.archaeologists[seat], view.helpers[seat]} - {NOWHERE, view.start}
    falling = view.mask_chamber != NOWHERE
    if view.moves_left == 0 or (falling and not inside):
        return 0.4
    if view.moves_left < MOVES:
        return 0.7
    return 1.8 if falling else 1.2
