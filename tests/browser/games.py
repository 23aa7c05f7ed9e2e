"""Games made ready for tests of the page without playing them on it."""

from __future__ import annotations

from pathlib import Path

from serai.core.chance import CHANCE
from serai.core.record import Record, replay

GOLDEN = Path(__file__).parents[1] / "golden"


def golden_record() -> str:
    return min((GOLDEN / "camelup").glob("*.serai")).read_text()


def with_forged_draw(text: str) -> str:
    """The record with one draw replaced by another that leaves every action legal, and the result made to fit."""
    record = Record.read(text)
    plies = list(replay(record))
    for ply in reversed(plies):
        if ply.before.actor is not CHANCE:
            continue
        for other in ply.before.actions():
            if other == ply.action:
                continue
            forged = _played_on(record, ply.number, str(other))
            if forged is not None:
                return forged
    raise AssertionError("no draw of this record can be forged")


def _played_on(record: Record, at: int, other: str) -> str | None:
    actions = (*record.actions[:at], other, *record.actions[at + 1 :])
    try:
        *_, last = replay(Record(record.game, record.rules, record.seats, record.options, actions=actions))
    except ValueError:
        return None
    if not last.after.over:
        return None
    head = (record.date, record.commit, record.mix, record.secret, "")
    forged = Record(record.game, record.rules, record.seats, record.options, *head, actions, last.after.scores())
    return forged.write()
