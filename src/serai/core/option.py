"""Options of a game: what may be chosen, and how a typed value is read."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from serai.errors import BadNotation

OptionType = Literal["bool", "seat", "choice", "count"]
FIRST = "first"
"""The name of the option that says which seat begins, in every game that has one."""


class Option(msgspec.Struct, frozen=True):
    """One named choice of a game's set-up: what a form or a command line needs to offer it."""

    name: str
    type: OptionType
    default: Any
    label: str
    choices: tuple[Any, ...] = ()
    optional: bool = False
    """Whether ``None`` (no limit) is a value too."""

    def wanted(self, players: int) -> str:
        """What a value must look like, in words."""
        match self.type:
            case "bool":
                words = "true or false"
            case "seat":
                words = f"a seat from 0 to {players - 1}"
            case "count":
                words = "a whole number from 1"
            case _:
                words = ", ".join(map(str, self.choices))
        return f"{words} or none" if self.optional else words

    def allows(self, value: object, players: int) -> bool:
        """Whether ``value`` can be used with that many players."""
        if value is None:
            return self.optional
        match self.type:
            case "bool":
                return isinstance(value, bool)
            case "seat":
                return type(value) is int and 0 <= value < players
            case "count":
                return type(value) is int and value >= 1
            case _:
                return any(value == choice and type(value) is type(choice) for choice in self.choices)

    def read(self, text: str) -> Any:
        """The value a person typed; ``BadNotation`` if it cannot be one."""
        word = text.strip().lower()
        if self.optional and word == "none":
            return None
        if self.type == "bool" and word in _WORDS_FOR_BOOL:
            return _WORDS_FOR_BOOL[word]
        if self.type in ("seat", "count") and word.isdecimal():
            return int(word)
        if self.type == "choice":
            for choice in self.choices:
                if str(choice) == word:
                    return choice
        raise BadNotation(f"option {self.name} cannot be {text!r}", text=text)


_WORDS_FOR_BOOL = dict.fromkeys(("true", "on", "yes", "1"), True) | dict.fromkeys(("false", "off", "no", "0"), False)
