"""Cleaning names and chat: visible characters only, no disguises, nothing that disturbs the text around it.

Characters are sorted by their Unicode category. Controls, format characters (such as text direction), surrogates,
private and unassigned characters are removed; accents on one letter are limited; blanks become a space or nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib import resources
from unicodedata import bidirectional, category, combining, normalize

import msgspec

from serai.wire.messages import MAX_NAME, MAX_TEXT

MOST_MARKS = 3
"""Accents on one letter; Burmese and pointed Hebrew need three."""
_BOT_MARKS = "\u2699\U0001f916"
"""The gear that the page puts before a bot's name, and its lookalike: removed from people's names."""
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
).union(map(chr, (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))))
"""Letters, symbols and marks by category, but invisible."""
_EMOJI_STYLE, _JOINER, _NON_JOINER = "\ufe0f", "\u200d", "\u200c"
_VIRAMA = 9
"""The combining class of the signs after which joiners shape letters in Indian scripts."""
_TITLES = (
    "Serai",
    "Host",
    "Hostess",
    "Gastgeber",
    "Gastgeberin",
    "Hôte",
    "Hôtesse",
    "Admin",
    "Administrator",
    "Moderator",
)
"""Words that no person has in their name: who reads them would believe that the house speaks, or the table's host."""
_FORMATS = "\u200e\u200f"
"""With which the table of look-alikes surrounds letters that are written from right to left."""


@functools.lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """The name as it is shown; empty if nothing of it is visible."""
    cleaned = _clean("".join(char for char in name if char not in _BOT_MARKS), MAX_NAME)
    return cleaned if any(category(char)[0] in "LNS" for char in cleaned) else ""


def clean_text(text: str) -> str:
    """A chat line as it is shown; empty if nothing of it is visible."""
    return _clean(text, MAX_TEXT)


def prepare() -> None:
    """Make the table of look-alikes, which takes a fifth of a second: in a thread, before the first name comes."""
    _lookalikes()


def alike(name: str, others: Iterable[str]) -> bool:
    """Whether this name could be mistaken for one of the others."""
    own = _keys(name)
    return any(own & _keys(other) for other in others)


def pretends(name: str, bots: Iterable[str]) -> bool:
    """Whether this name is one of these bots', with whatever decoration."""
    keys = _bare_keys(name)
    return any(_bare_keys(bot) & keys for bot in bots)


def titled(name: str) -> bool:
    """Whether somebody with this name could be taken for the host, or for Serai itself."""
    words = "".join(char if category(char)[0] in "LMN" else " " for char in normalize("NFKC", name)).split()
    return any(_bare_keys(word) & _bare_keys(title) for word in (*words, name) for title in _TITLES)


@functools.lru_cache(maxsize=4096)
def _bare_keys(name: str) -> frozenset[str]:
    """Those of the name without accents, symbols, spaces and punctuation, with and without its digits."""
    decomposed = normalize("NFKD", name)
    shapes = ("".join(char for char in decomposed if category(char)[0] in kinds) for kinds in ("LN", "L"))
    return _keys(name).union(*map(_keys, shapes))


@functools.lru_cache(maxsize=4096)
def _keys(name: str) -> frozenset[str]:
    """The name without case, spaces and letter forms, and the same with characters replaced by what they look like."""
    plain = "".join(char for char in normalize("NFKC", name) if category(char)[0] not in "CZ")
    shapes = (plain, _skeleton(plain), _skeleton(plain.casefold()))
    return frozenset(normalize("NFKC", shape.casefold()) for shape in shapes if shape)


def _skeleton(text: str) -> str:
    """The text with each character replaced by the simplest that looks like it, accents apart."""
    return text.translate(_lookalikes())


@functools.cache
def _lookalikes() -> dict[int, str]:
    """For each character that looks like others the one that stands for all of them: Unicode's table of confusables."""
    data = (resources.files("confusable_homoglyphs") / "confusables.json").read_bytes()
    listed = msgspec.json.decode(data, type=dict[str, list[dict[str, str]]])
    groups: dict[str, list[str]] = {}
    for first, others in listed.items():
        for one in (first, *(other["c"] for other in others)):
            one, into = one.strip(_FORMATS), groups.setdefault(first.strip(_FORMATS), [])
            joined = groups.setdefault(one, [one])
            if joined is into:
                continue
            into += joined
            for each in joined:
                groups[each] = into
    stands = {id(group): min(group, key=_simplicity) for group in groups.values()}
    found = {ord(one): stands[id(group)] for one, group in groups.items() if len(one) == 1}
    return {one: text for one, text in found.items() if chr(one) != text}


def _simplicity(text: str) -> tuple[bool, int, bool, bool, str]:
    """Several characters stand for one (rn for m), else plain letters for everything else, the l for the capital I."""
    return not text.isascii(), -len(text), not text.isalpha(), not text.islower(), text


def _clean(text: str, most: int) -> str:
    text = normalize("NFC", text)
    shown: list[str] = []
    marks = spacing = MOST_MARKS  # no letter yet to put one on
    for at, char in enumerate(text):
        kind = category(char)
        if char.isspace():
            if shown and shown[-1] != " ":
                shown.append(" ")
            marks = spacing = MOST_MARKS
        elif char in (_JOINER, _NON_JOINER):
            if shown and _joins(char, shown[-1], text[at + 1 : at + 2]):
                shown.append(char)
        elif char == _EMOJI_STYLE:
            if shown and category(shown[-1]) == "So":
                shown.append(char)
        elif kind[0] == "C" or char in _BLANK:
            continue
        elif kind[0] != "M":
            shown.append(char)
            marks = spacing = 0
        elif kind == "Mc" and spacing < MOST_MARKS:
            shown.append(char)
            spacing += 1
        elif kind != "Mc" and marks < MOST_MARKS:
            shown.append(char)
            marks += 1
    return normalize("NFC", "".join(shown))[:most].rstrip(f" {_JOINER}{_NON_JOINER}")


def _joins(char: str, before: str, after: str) -> bool:
    """Whether a joiner does something here: joins emoji, or shapes letters of a script that needs it."""
    if not after:
        return False
    if combining(before) == _VIRAMA:
        return category(after)[0] == "L"
    if char == _JOINER:
        return category(after) == "So" and (before == _EMOJI_STYLE or category(before) in ("So", "Sk"))
    return bidirectional(before) == bidirectional(after) == "AL"
