"""The messages shown in docs/process-bots.md, as a real program gets them; running this module writes them."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec

import serai
from serai.bots import protocol
from serai.bots.protocol import Decide, Hello, NewGame, Over, Quit, write_line
from serai.core.chance import any_kind

PAGE = Path(__file__).parents[2] / "docs" / "process-bots.md"
_PLACE = re.compile(r"(<!-- (messages|fields of \w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_SEAT, _ASKED = 1, 2
"""Whose messages are shown, and which of its decisions."""


def page(text: str) -> str:
    """The page with up-to-date messages and fields."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{_made(found[2])}\n\n{found[3]}", text)


def _made(what: str) -> str:
    if what == "messages":
        return "```json\n" + "\n".join(_messages()) + "\n```"
    return "\n".join(_fields(getattr(protocol, what.rpartition(" ")[2])))


def _messages() -> list[str]:
    """Messages to one seat in a game of two: the beginning, a decision, the end."""
    game, rng = serai.game("camelup"), random.Random(4)
    state: Any = game.new(players=2)
    lines, asked = [_line(Hello())], 0
    events: list[msgspec.Raw] = []
    while not state.over:
        action = state.sample(rng) if state.actor is serai.CHANCE else any_kind(state.actions(), rng)
        if state.actor == _SEAT:
            view, actions = state.seen_by(_SEAT), state.actions()
            asked += 1
            if asked == 1:
                lines.append(_line(NewGame(game.name, game.version, _SEAT, 2, view.options)))
            if asked == _ASKED:
                assert game.encoding is not None
                numbers = [int(game.encoding.number(each)) for each in actions]
                number = random.Random(1).randrange(protocol.MAX_RANDOM)
                lines.append(_line(Decide([str(each) for each in actions], numbers, 10.0, number, view, events)))
            events = []
        state, happened = state.step(action)
        events += [msgspec.Raw(msgspec.json.encode(event.seen_by(_SEAT))) for event in happened]
    return [*lines, _line(Over(state.scores(), state.winners(), events[-1:])), _line(Quit())]


def _line(message: protocol.ToProgram) -> str:
    return write_line(message).decode().rstrip()


def _fields(kind: Any) -> list[str]:
    """The fields of a message with their docstrings."""
    source = Path(protocol.__file__).read_text()
    body = re.search(rf"^class {kind.__name__}\(.*?(?=^class |^Told = )", source, re.DOTALL | re.MULTILINE)
    assert body is not None
    rows = ["| field | what it is |", "|---|---|"]
    if kind.__struct_config__.tag:
        rows.append(f'| `type` | `"{kind.__struct_config__.tag}"` |')
    for name in kind.__struct_fields__:
        docstring = re.search(rf'^    {name}: [^\n]*\n    """(.*?)"""', body[0], re.DOTALL | re.MULTILINE)
        rows.append(f"| `{name}` | {' '.join(docstring[1].split()) if docstring else ''} |")
    return rows


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
