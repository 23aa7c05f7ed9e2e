"""Camel Up in writing: actions as words. Positions have a module of their own, ``position``."""

from __future__ import annotations

from serai.camelup.actions import ALL_ACTIONS, AnyAction, Loser, Mirage, Oasis, Winner
from serai.camelup.pieces import CAMEL_NAMES, FACES, LAST_SPACE
from serai.core import BadNotation

_NEVER_LEGAL = (Oasis(1), Mirage(1), Winner(None), Loser(None))
"""Read all the same: the rules say why no tile lies on space 1, and others see a card without its colour."""
_BY_TEXT: dict[str, AnyAction] = {str(action): action for action in (*ALL_ACTIONS, *_NEVER_LEGAL)}
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


def parse_action(text: str) -> AnyAction:
    """The action that ``text`` denotes, spelled exactly as ``str(action)`` spells it."""
    action = _BY_TEXT.get(text)
    if action is None:
        raise BadNotation(f"{text!r}{_what_is_wrong(text)}", text=text)
    return action


def _what_is_wrong(text: str) -> str:
    kind, *words = text.split(" ")
    form = _FORMS.get(kind)
    if form is None:
        return f" is no Camel Up action; actions: {', '.join(_FORMS.values())}"
    wanted = form.split(" ")[1:]
    if len(words) == len(wanted):
        for want, word in zip(wanted, words, strict=True):
            if want == "COLOUR" and word not in CAMEL_NAMES:
                return f": {word!r} is no camel; camels: {', '.join(CAMEL_NAMES)}"
            if want == "SPACE" and word not in _SPACES:
                return f": {word!r} is no space from {_SPACES[0]} to {_SPACES[-1]}"
            if want == "PIPS" and word not in _PIPS:
                return f": {word!r} is no number on a die from {_PIPS[0]} to {_PIPS[-1]}"
    return f": write it as '{' '.join([kind, *(_EXAMPLES[want] for want in wanted)])}'"
