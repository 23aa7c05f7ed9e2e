"""Camel Up in writing: actions as words."""

from __future__ import annotations

from collections.abc import Callable

from serai.camelup.actions import AnyAction, Die, Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.camelup.pieces import CAMEL_NAMES, FACES, LAST_SPACE
from serai.core import BadNotation

_FORMS = "leg COLOUR, oasis SPACE, mirage SPACE, roll, winner COLOUR, loser COLOUR, die COLOUR PIPS"


def parse_action(text: str) -> AnyAction:
    """The action that ``text`` denotes, spelled exactly as ``str(action)`` spells it."""
    kind, *words = text.split(" ")
    read = _READERS.get(kind)
    if read is None:
        raise BadNotation(f"{text!r} is no Camel Up action; actions: {_FORMS}", text=text)
    try:
        return read(words)
    except _Unfit as unfit:
        raise BadNotation(f"{text!r}: {unfit}", text=text) from None


class _Unfit(Exception):
    """What is wrong with the words behind the kind."""


def _camel(word: str) -> int:
    if word not in CAMEL_NAMES:
        raise _Unfit(f"{word!r} is no camel; camels: {', '.join(CAMEL_NAMES)}")
    return CAMEL_NAMES.index(word)


def _camel_or_blank(word: str) -> int | None:
    return None if word == "?" else _camel(word)


def _number(word: str, least: int, most: int, what: str) -> int:
    # an exact spelling: int() alone would also read '05' or '+5'
    if word not in map(str, range(least, most + 1)):
        raise _Unfit(f"{word!r} is no {what} from {least} to {most}")
    return int(word)


def _space(word: str) -> int:
    return _number(word, 1, LAST_SPACE, "space")


def _pips(word: str) -> int:
    return _number(word, FACES[0], FACES[-1], "number on a die")


def _words(words: list[str], count: int, form: str) -> list[str]:
    if len(words) != count:
        raise _Unfit(f"write it as '{form}'")
    return words


def _die(words: list[str]) -> Die:
    camel, pips = _words(words, 2, "die green 2")
    return Die(_camel(camel), _pips(pips))


def _roll(words: list[str]) -> Roll:
    _words(words, 0, "roll")
    return Roll()


_READERS: dict[str, Callable[[list[str]], AnyAction]] = {
    "leg": lambda words: Leg(_camel(*_words(words, 1, "leg green"))),
    "oasis": lambda words: Oasis(_space(*_words(words, 1, "oasis 5"))),
    "mirage": lambda words: Mirage(_space(*_words(words, 1, "mirage 5"))),
    "roll": _roll,
    "winner": lambda words: Winner(_camel_or_blank(*_words(words, 1, "winner green"))),
    "loser": lambda words: Loser(_camel_or_blank(*_words(words, 1, "loser green"))),
    "die": _die,
}
