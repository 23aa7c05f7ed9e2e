"""What a server says to a page that does certain things, one after the other."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.browser.scripted import ScriptedTable


class Line:
    """Holds what is sent to the page."""

    def __init__(self) -> None:
        self._sent: list[Any] = []

    def send(self, text: str) -> None:
        self._sent.append(msgspec.json.decode(text))

    def on_message(self, _hear: Any) -> None:
        """The page says nothing that is not in the script."""

    def take(self) -> list[Any]:
        """What was sent since the last time."""
        taken, self._sent = self._sent, []
        return taken


def script(table: ScriptedTable, *done: str, advice: bool = True) -> dict[str, Any]:
    """The welcome at a table and the answers to actions in notation or to ``undo``, with the game's advice or not.

    What others do at once stands behind an ``&``.
    """
    line: Any = Line()

    def told(**more: Any) -> dict[str, Any]:
        wanted = advice and not table.state.over and table.game.advice is not None
        return {**more, "replies": line.take(), **({"advice": table.advice()} if wanted else {})}

    table.welcome(line)
    steps = [told()]
    for what in done:
        first, *others = (_said(table, one) for one in what.split(" & "))
        for said in (first, *others):
            table.hear(line, {**msgspec.to_builtins(said), "id": "said"})
        steps.append(told(said=first))
    return {"frames": table.frames, "steps": steps}


def _said(table: ScriptedTable, what: str) -> dict[str, Any]:
    return {"type": "undo"} if what == "undo" else {"type": "act", "action": table.game.parse(what)}
