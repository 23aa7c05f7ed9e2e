"""Notation: parsing actions, and describing how positions are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

import msgspec

from serai.core.game import Action
from serai.errors import BadNotation, shown

A = TypeVar("A", bound=Action)

_SHOWN = 60
"""Characters of a text that an error repeats; every action is shorter."""


class ActionNotation(Generic[A]):
    """Parses actions by a look-up table, and says what is wrong with a text that is not in it."""

    def __init__(
        self,
        actions: Iterable[A],
        forms: Mapping[str, str],
        *,
        called: str,
        why_not: Callable[[str, str], str],
        example: Callable[[str], str] = str,
    ) -> None:
        """``forms``, by first word, are like ``die COLOUR PIPS``; ``called`` is what an error calls an action.

        ``why_not("COLOUR", "pink")`` is the reason why that word cannot stand there, or ``""``. ``example`` turns a
        form into something that a person may write.
        """
        self._actions = {str(action): action for action in actions}
        self._some = next(iter(self._actions))
        self._forms = forms
        self._called = called
        self._why_not = why_not
        self._example = example

    def parse(self, text: str) -> A:
        """The action that ``text`` denotes, spelled exactly as ``str(action)`` spells it."""
        if not isinstance(text, str):
            raise BadNotation(f"an action is parsed from a text, such as {self._some!r}, not from {shown(text)}")
        action = self._actions.get(text)
        if action is None:
            start = text[:_SHOWN]
            raise BadNotation(f"{start!r}{self._what_is_wrong(start)}", text=start)
        return action

    def _what_is_wrong(self, text: str) -> str:
        kind, *words = text.split(" ")
        form = self._forms.get(kind)
        if form is None:
            return f" is no {self._called}; actions: {', '.join(self._forms.values())}"
        wanted = form.split(" ")[1:]
        if len(words) == len(wanted):
            for want, word in zip(wanted, words, strict=True):
                if reason := self._why_not(want, word):
                    return f": {word!r} {reason}"
        return f": write it as '{self._example(form)}'"


class Detail(msgspec.Struct, frozen=True):
    """Something that a person at a real table may add to a position."""

    name: str
    form: str
    """What its value looks like: ``g2,b1``, or a word for it."""
    help: str
    """What it says, as an English sentence."""


class PositionNotation(msgspec.Struct, frozen=True):
    """How positions are written: what a command line or a form needs to ask for one."""

    example: str
    help: str
    """How it is read, as an English sentence."""
    details: tuple[Detail, ...] = ()
