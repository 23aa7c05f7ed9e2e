"""The notation of actions. That of positions is in ``position``."""

from __future__ import annotations

from serai.camelup.rules.actions import ALL_ACTIONS, AnyAction, Loser, Mirage, Oasis, Winner
from serai.camelup.rules.pieces import CAMEL_NAMES, FACES, LAST_SPACE
from serai.core.notation import ActionNotation

_NEVER_LEGAL = (Oasis(1), Mirage(1), Winner(None), Loser(None))
"""Also parsed: the rules say why no tile lies on space 1, and others see a card without its colour."""
_FORMS = {
    "leg": "leg COLOUR",
    "oasis": "oasis SPACE",
    "mirage": "mirage SPACE",
    "roll": "roll",
    "winner": "winner COLOUR",
    "loser": "loser COLOUR",
    "die": "die COLOUR PIPS",
}
_EXAMPLES = {"COLOUR": "green", "SPACE": "5", "PIPS": "2"}
_SPACES = tuple(map(str, range(1, LAST_SPACE + 1)))
_PIPS = tuple(map(str, FACES))


def _why_not(want: str, word: str) -> str:
    if want == "COLOUR" and word not in CAMEL_NAMES:
        return f"is no camel; camels: {', '.join(CAMEL_NAMES)}"
    if want == "SPACE" and word not in _SPACES:
        return f"is no space from {_SPACES[0]} to {_SPACES[-1]}"
    if want == "PIPS" and word not in _PIPS:
        return f"is no number on a die from {_PIPS[0]} to {_PIPS[-1]}"
    return ""


def _example(form: str) -> str:
    return " ".join(_EXAMPLES.get(word, word) for word in form.split(" "))


NOTATION: ActionNotation[AnyAction] = ActionNotation(
    (*ALL_ACTIONS, *_NEVER_LEGAL), _FORMS, called="Camel Up action", why_not=_why_not, example=_example
)
