"""Ways: which cells are linked, how far one move goes (rules 4.1 to 4.3), which ways are shortest (rule 9.2)."""

from __future__ import annotations

from serai.pharaoh.rules.board import EXITS
from serai.pharaoh.rules.pieces import CELLS, NOWHERE, OPENINGS, Cells, Tiles


def linked(tiles: Tiles, cell: int) -> list[int]:
    """The cells linked with this one, ascending (4.1)."""
    return [other for other, needed in EXITS[cell][tiles[cell]] if OPENINGS[tiles[other]] & needed]


def walks(tiles: Tiles, lamps: Cells, cell: int) -> list[int]:
    """Where one move takes a figure whose player has these lamps, ascending (4.2, 4.3); a lost one goes nowhere."""
    if cell == NOWHERE:
        return []
    near = linked(tiles, cell)
    for other in near:
        if other in lamps:
            return sorted(_lit_run(tiles, lamps, cell, near))
    return near


def route(tiles: Tiles, lamps: Cells, cell: int, goal: int) -> Cells:
    """The cells a walk of one move passes, both ends included: the way with fewest cells."""
    near = linked(tiles, cell)
    if goal in near:
        return (cell, goal)
    came_from = _lit_run(tiles, lamps, cell, near)
    way = [goal]
    while way[-1] != cell:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))


def _lit_run(tiles: Tiles, lamps: Cells, cell: int, near: list[int]) -> dict[int, int]:
    """Every cell that one move reaches, with the cell before it: through own lamps up to the first unlit cell."""
    came_from = dict.fromkeys(near, cell)
    queue = [other for other in near if other in lamps]
    for here in queue:
        for other in linked(tiles, here):
            if other not in came_from and other != cell:
                came_from[other] = here
                if other in lamps:
                    queue.append(other)
    return came_from


def distances(tiles: Tiles, source: int) -> list[int]:
    """How many cells every cell is away, ignoring lamps; ``NOWHERE`` where no way leads (9.2)."""
    return moves_from(tiles, (), source)


def moves_from(tiles: Tiles, lamps: Cells, source: int) -> list[int]:
    """How many moves every cell is away for a player with these lamps; ``NOWHERE`` where no way leads (4.2, 4.3)."""
    far = [NOWHERE for _ in CELLS]
    far[source] = 0
    queue = [source]
    for here in queue:
        onward = far[here] + 1
        for other in walks(tiles, lamps, here) if lamps else linked(tiles, here):
            if far[other] == NOWHERE:
                far[other] = onward
                queue.append(other)
    return far


def shortest_way(tiles: Tiles, chamber: int, start: int) -> Cells:
    """All cells on shortest ways from the chamber to the start, in the order they are passed; empty if none."""
    from_chamber = distances(tiles, chamber)
    length = from_chamber[start]
    if length == NOWHERE:
        return ()
    from_start = distances(tiles, start)
    way = [cell for cell in CELLS if from_chamber[cell] >= 0 and from_chamber[cell] + from_start[cell] == length]
    return tuple(sorted(way, key=lambda cell: (from_chamber[cell], cell)))
