"""The tables of docs/states.md, made from the docstrings of the fields; running this module writes them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import griffe

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "states.md"
_PLACE = re.compile(r"(<!-- fields of ([\w.]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def page(text: str) -> str:
    """The page with up-to-date tables."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{_table(found[2])}\n\n{found[3]}", text)


def undescribed(text: str) -> list[str]:
    """Fields in the tables without a docstring."""
    return [
        f"{name}.{field.name}" for _, name, _ in _PLACE.findall(text) for field in fields(name) if not meaning(field)
    ]


def fields(name: str) -> list[griffe.Attribute]:
    """The fields of a type, those of its parents first."""
    module, _, own_name = name.rpartition(".")
    kind = _module(module)[own_name]
    assert isinstance(kind, griffe.Class), name
    own = [member for member in kind.members.values() if isinstance(member, griffe.Attribute) and _is_field(member)]
    known = {member.name for member in own}
    if any("State[" in str(base) for base in kind.bases):
        own = [field for field in fields("serai.core.game.State") if field.name not in known] + own
    return own


def meaning(field: griffe.Attribute) -> str:
    """The docstring of a field, or else of its named type."""
    if field.docstring is not None:
        return _one_line(field.docstring.value)
    named = re.match(r"[\w.]+", str(field.annotation))
    if named is None:
        return ""
    kind = field.module.members.get(named[0])
    if isinstance(kind, griffe.Alias):
        module, _, name = kind.target_path.rpartition(".")
        kind = _module(module)[name]
    return _one_line(kind.docstring.value) if kind is not None and kind.docstring is not None else ""


def _table(name: str) -> str:
    rows = ["| field | type | meaning |", "|---|---|---|"]
    for field in fields(name):
        kind = str(field.annotation).replace("|", "\\|")
        rows.append(f"| `{field.name}` | `{kind}` | {meaning(field)} |")
    return "\n".join(rows)


def _is_field(member: griffe.Attribute) -> bool:
    return (
        member.annotation is not None and "ClassVar" not in str(member.annotation) and "property" not in member.labels
    )


def _one_line(words: str) -> str:
    return " ".join(words.replace("``", "`").split()).replace("|", "\\|")


@cache
def _module(name: str) -> griffe.Module:
    """One file, read and not run."""
    file = ROOT.joinpath("src", *name.split(".")).with_suffix(".py")
    return griffe.visit(name, filepath=file, code=file.read_text())


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
