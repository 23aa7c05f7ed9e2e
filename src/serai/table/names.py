"""Names and talk as people may show them to others: visible, in no disguise, and unable to disturb what stands around.

What a character is, Unicode itself says (its general category). Controls, direction and other format characters, halves
of characters, private and unassigned ones go; accents pile up only so high; whatever is blank is a space or nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from unicodedata import bidirectional, category, combining, normalize

from serai.table.messages import MAX_NAME, MAX_TEXT

MOST_MARKS = 3
"""Accents on one letter: Burmese and pointed Hebrew need as many."""
_BOT_MARKS = "\u2699\U0001f916"
"""What the page puts before a bot's name, a gear, and what looks like it: no person's name holds one."""
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
).union(map(chr, (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))))
"""Letters, symbols and marks by their category that nobody can see."""
_EMOJI_STYLE, _JOINER, _NON_JOINER = "\ufe0f", "\u200d", "\u200c"
_VIRAMA = 9
"""The combining class of the signs after which the joiners shape letters of India's scripts."""
_LOOKALIKES = str.maketrans(
    # Cyrillic and Greek capitals, then small letters, then what differs only in some fonts
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u03bf\u03bd"
    "I1|0",
    "ABEKMHOPCTYXlJSABEZHlKMNOPTYXaeopcyxijshdqwovll" + "lo",
)


@functools.lru_cache(maxsize=4096)
def clean_name(name: str) -> str:
    """The name as it is shown; empty if nothing of it can be seen."""
    cleaned = _clean("".join(char for char in name if char not in _BOT_MARKS), MAX_NAME)
    return cleaned if any(category(char)[0] in "LNS" for char in cleaned) else ""


def clean_text(text: str) -> str:
    """Something said as it is shown, in one line; empty if nothing of it can be seen."""
    return _clean(text, MAX_TEXT)


def alike(name: str, others: Iterable[str]) -> bool:
    """Whether somebody could take this name for one of the others."""
    own = _keys(name)
    return any(own & _keys(other) for other in others)


def _keys(name: str) -> set[str]:
    """The name without case, spaces and forms of letters; and with letters of other scripts as those they look like."""
    plain = "".join(char for char in normalize("NFKC", name) if category(char)[0] not in "CZ")
    return {normalize("NFKC", text.casefold()) for text in (plain, plain.translate(_LOOKALIKES))}


def _clean(text: str, most: int) -> str:
    text = normalize("NFC", text)
    kept: list[str] = []
    marks = spacing = MOST_MARKS  # at first there is no letter to put one on
    for at, char in enumerate(text):
        kind = category(char)
        if char.isspace():
            if kept and kept[-1] != " ":
                kept.append(" ")
            marks = spacing = MOST_MARKS
        elif char in (_JOINER, _NON_JOINER):
            if kept and _joins(char, kept[-1], text[at + 1 : at + 2]):
                kept.append(char)
        elif char == _EMOJI_STYLE:
            if kept and category(kept[-1]) == "So":
                kept.append(char)
        elif kind[0] == "C" or char in _BLANK:
            continue
        elif kind[0] != "M":
            kept.append(char)
            marks = spacing = 0
        elif kind == "Mc" and spacing < MOST_MARKS:
            kept.append(char)
            spacing += 1
        elif kind != "Mc" and marks < MOST_MARKS:
            kept.append(char)
            marks += 1
    return normalize("NFC", "".join(kept))[:most].rstrip(f" {_JOINER}{_NON_JOINER}")


def _joins(char: str, before: str, after: str) -> bool:
    """Whether a joiner shapes what stands around it: emoji into one, or letters of scripts that need it."""
    if not after:
        return False
    if combining(before) == _VIRAMA:
        return category(after)[0] == "L"
    if char == _JOINER:
        return category(after) == "So" and (before == _EMOJI_STYLE or category(before) in ("So", "Sk"))
    return bidirectional(before) == bidirectional(after) == "AL"
