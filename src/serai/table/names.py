"""Cleaning names and chat: visible characters only, no disguises, nothing that disturbs the text around it.

Characters are sorted by their Unicode category. Controls, format characters (such as text direction), surrogates,
private and unassigned characters are removed; accents on one letter are limited; blanks become a space or nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from unicodedata import bidirectional, category, combining, normalize

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
_LOOKALIKES = str.maketrans(
    # Cyrillic and Greek capitals, then small letters, then pairs that differ only in some fonts
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u03bf\u03bd"
    "I1|0",
    "ABEKMHOPCTYXlJSABEZHlKMNOPTYXaeopcyxijshdqwovll" + "lo",
)


@functools.lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """The name as it is shown; empty if nothing of it is visible."""
    cleaned = _clean("".join(char for char in name if char not in _BOT_MARKS), MAX_NAME)
    return cleaned if any(category(char)[0] in "LNS" for char in cleaned) else ""


def clean_text(text: str) -> str:
    """A chat line as it is shown; empty if nothing of it is visible."""
    return _clean(text, MAX_TEXT)


def alike(name: str, others: Iterable[str]) -> bool:
    """Whether this name could be mistaken for one of the others."""
    own = _keys(name)
    return any(own & _keys(other) for other in others)


def _keys(name: str) -> set[str]:
    """The name without case, spaces and letter forms, and the same with letters replaced by their lookalikes."""
    plain = "".join(char for char in normalize("NFKC", name) if category(char)[0] not in "CZ")
    return {normalize("NFKC", text.casefold()) for text in (plain, plain.translate(_LOOKALIKES))}


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
