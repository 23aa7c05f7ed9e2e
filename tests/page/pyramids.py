"""Pyramids whose components are tested: in hand, on the way, counting down, falling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import asdict

from serai.core.record import Record, replay
from serai.pharaoh.rules.events import (
    AnyEvent,
    CurseSpread,
    FigureLost,
    FigureShutIn,
    MaskFound,
    MummyWoke,
    RingFell,
    TreasureStolen,
)
from tests.browser.games import GOLDEN
from tests.browser.pharaoh_cases import half_fallen, last_ring
from tests.browser.scripted import ScriptedTable
from tests.page.scripts import script
from tests.pharaoh.positions import at

NAMES = ("Ann", "Ben")
CORRIDOR = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c2 H=c3
    1 A=c3 lamps=c2
"""
HOARD = f"""{CORRIDOR.split("0 A=")[0]}
    0 A=c2 H=c2
    1 A=c2+3 H=c2
    lying c2=2
"""
BURIED = "? ? ? ? ? ?\n" * 5 + "? ? S ? ? ?"
WINDING = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ┌ ─ ┐ ? ?
    ? │ ? └ ┐ ?
    ? └ ┐ ? │ ?
    ? ? S ? │ ?
    0 A=c2 H=b2 lamps=b3
    1 A=c4
    turn 0 ply=9
"""
LIT = WINDING.replace("└ ┐ ?\n    ? └", "┴ ┐ ?\n    ? └").replace("A=c2", "A=d3").replace("lamps=b3", "lamps=e3,e2")
POCKET = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ┌ ─ ┐ ? ?
    ? └ ┬ ┘ ? ?
    ? ? S ? ? ?
    0 A=b3 H=d3
    1 A=c1 H=c1
    turn 0 ply=9
"""
COUNTING_DOWN = """
    ? ? ? L ? ?
    ? ? ? │ ? ?
    ? ? ┌ ┘ ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=d4 H=d6
    1 A=d5 H=c3
    mask d6 finder=0 countdown=1
    lying d6=mask
    turn 0 ply=9
"""
CROWDED = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ┌ ┬ ┐ F ┐ ?
    └ ┴ S ┴ ┘ ?
    0 A=d2+3 H=d2 lamps=d2 photos=1
    1 A=d2+3 H=d2 lamps=d2
    2 A=d2+2 H=d2 lamps=d2
    3 A=d2+2 H=d2 lamps=d2
    lying d2=2
    turn 0 moves=3
"""
ALONE = """
    ? ? ? ? ? ?
    ? ? ? ? ? ?
    ? ? ? x ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=lost H=lost
    1 museum=mask
    unseen tee=12 corner=10 straight=6 lotus=1 eye=1 falcon=1 ibis=1
    mask d4 finder=1 clock=1 ring=0
    turn 0
"""


def pyramid(
    position: str, *done: str, draws: tuple[str, ...] = (), advice: bool = True, **options: Any
) -> Callable[[], dict[str, Any]]:
    return lambda: script(ScriptedTable(at(position, **options), draws, names=NAMES), *done, advice=advice)


def moment(name: str, kind: type[AnyEvent], **values: Any) -> Callable[[], dict[str, Any]]:
    """What leads to the first event of a kind with these values in a golden record, with the draws that follow."""

    def found() -> dict[str, Any]:
        before, action, drawn = None, "", list[str]()
        wanted = False
        for ply in replay(Record.read((GOLDEN / "pharaoh" / f"{name}.serai").read_text())):
            if not ply.drawn and wanted:
                break
            if not ply.drawn:
                before, action, drawn = ply.before, str(ply.action), []
            else:
                drawn.append(str(ply.action))
            wanted |= any(isinstance(event, kind) and values.items() <= asdict(event).items() for event in ply.events)
        return script(ScriptedTable(before, tuple(drawn)), action, advice=False)

    return found


MUMMY = ("tile ibis", "photo 3", "treasure 2", "treasure 3")


class ByTheBook(ScriptedTable):
    """A table at which the game gives no advice."""

    def _table(self) -> dict[str, Any]:
        table = super()._table()
        return {**table, "table_rules": {**table["table_rules"], "advice": False}}


PYRAMIDS = {
    "by-the-book": lambda: script(ByTheBook(at(WINDING), names=NAMES), advice=False),
    "buried": pyramid(BURIED),
    "winding": pyramid(WINDING, "archaeologist b2", "archaeologist b4", "archaeologist c4"),
    "winding-end": pyramid(WINDING, "end"),
    "winding-lit": pyramid(LIT),
    "winding-long-run": pyramid(WINDING.replace("A=c2", "A=e1").replace("lamps=b3", "lamps=e2,e3")),
    "winding-bens-turn": pyramid(WINDING.replace("0 A=c2 H=b2", "0 A=b4 H=b2").replace("turn 0", "turn 1")),
    "counting-down": pyramid(COUNTING_DOWN, "helper d5"),
    "counting-down-crossing": pyramid(
        COUNTING_DOWN.replace("A=d4", "A=c3").replace("│ ? ? ?\n    ? ? S", "├ ? ? ?\n    ? ? S"), "archaeologist c2"
    ),
    "counting-down-both": pyramid(COUNTING_DOWN.replace("A=d4", "A=d6")),
    "counting-down-one-lost": pyramid(COUNTING_DOWN.replace("H=d6", "H=lost")),
    "cut-off": pyramid(POCKET, "end & turn c2 NEW & end"),
    "corridor-undo": pyramid(CORRIDOR, "archaeologist c3", "lamp", "undo", "undo", advice=False),
    "corridor-keys": pyramid(
        CORRIDOR, "lamp", "undo", "archaeologist c3", "reveal c4", "lay ES", "end", draws=("tile corner",), advice=False
    ),
    "corridor-tile": pyramid(
        CORRIDOR, "archaeologist c3", "reveal c4", "lay SW", "turn c4 NW", draws=("tile corner",), advice=False
    ),
    "corridor-mummy": pyramid(CORRIDOR, "archaeologist c3", "reveal c4", draws=MUMMY, advice=False),
    "corridor-curse": pyramid(
        CORRIDOR, "archaeologist c3", "reveal c4", draws=("tile eye", "photo 2", "treasure 3"), advice=False
    ),
    "reveals": pyramid(
        BURIED, "reveal c2", "lay NES", "reveal b1", "lay NE", "reveal d1", "lay EW", "end",
        draws=("tile tee", "tile corner", "tile straight"), advice=False,
    ),
    "hoard": pyramid(HOARD, "take 2", "drop", "steal 1", advice=False),
    "crowded": lambda: script(ScriptedTable(at(CROWDED)), "archaeologist e2", advice=False),
    "half-fallen": lambda: script(ScriptedTable(half_fallen()), "end"),
    "last-ring": lambda: script(ScriptedTable(last_ring()), "end"),
    "moment-mummy": moment("mummy-frightens-rivals", MummyWoke),
    "moment-curse": moment("curse-blows-out-lamps-of-several", CurseSpread),
    "moment-mask": moment("mask-brought-to-safety", MaskFound),
    "moment-theft": moment("theft", TreasureStolen),
    "moment-shut-in": moment("somebody-is-shut-in", FigureShutIn, alone=True),
    "moment-collapse": moment("ring-takes-several-figures", RingFell),
    "moment-loss": moment("ring-takes-several-figures", FigureLost),
    "restless-grows": pyramid(f"{CORRIDOR} turn 0 round=3 ply=9", "end", restless=4, first=1),
    "restless-falls": pyramid(f"{CORRIDOR} turn 0 round=4 ply=9", "end", restless=4, first=1),
    "restless-calmed": pyramid(
        f"{CORRIDOR.replace('A=c2', 'A=c3')} turn 0 round=4 ply=9", "reveal c4",
        draws=("tile corner",), restless=4, first=1,
    ),
    "no-figures": pyramid(ALONE, "end", advice=False),
}  # fmt: skip
