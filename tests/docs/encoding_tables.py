"""The tables of docs/encoding.md, made from the encodings; running this module writes them."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Any

import serai

PAGE = Path(__file__).parents[2] / "docs" / "encoding.md"
_PLACE = re.compile(r"(<!-- (actions|fields) of (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with up-to-date tables."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{_table(found[2], found[3])}\n\n{found[4]}", text)


def _table(kind: str, name: str) -> str:
    encoding: Any = serai.game(name).encoding
    return "\n".join(_actions(encoding) if kind == "actions" else _fields(encoding))


def _actions(encoding: Any) -> list[str]:
    rows = ["| number | action |", "|---|---|"]
    for kind, grouped in groupby((*encoding.actions, *encoding.draws), key=lambda action: action.kind):
        group = list(grouped)
        first, last = encoding.number(group[0]), encoding.number(group[-1])
        chance = " (chance)" if group[0] in encoding.draws else ""
        if len(group) <= 5:
            listed = ", ".join(f"`{action}`" for action in group)
        else:
            listed = f"`{group[0]}`, `{group[1]}` … `{group[-1]}`"
        assert [encoding.number(action) for action in group] == list(range(first, last + 1)), kind
        rows.append(f"| {_span(first, last)} | {listed}{chance} |")
    return rows


def _fields(encoding: Any) -> list[str]:
    rows = ["| at | field | of each | values | features | meaning |", "|---|---|---|---|---|---|"]
    features = 0
    for field in encoding.fields:
        at = encoding.starts[field.name]
        places = _span(at, at + field.count - 1)
        each = " × ".join(_labels(labels) for labels in field.by)
        form = "one of" if field.one_hot else "as it is" if field.divisor == 1 else f"÷ {field.divisor}"
        wide = field.count * field.width
        rows.append(
            f"| {places} | `{field.name}` | {each} | {field.low} to {field.high} "
            f"| {_span(features, features + wide - 1)}: {form} | {field.meaning} |"
        )
        features += wide
    assert features == len(encoding.feature_names)
    return rows


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _labels(labels: tuple[str, ...]) -> str:
    return ", ".join(labels) if len(labels) <= 8 else f"{labels[0]}, {labels[1]} … {labels[-1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
