"""Reading an action from a person: listing the legal ones, understanding what was typed, explaining what is wrong."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import re
import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec

from serai.cli._support.screen import strong
from serai.core.game import Action, Game, State
from serai.errors import BadNotation, Hidden, IllegalAction, KeyedError

WORDS = {
    "help": "this explanation",
    "board": "draw the table again",
    "story": "repeat what happened since your last turn",
    "quit": "stop here; the game is saved after every action",
}
"""Words that can be typed instead of an action; an action that begins the same way comes first."""

_OFFER_INDENT = 18


class Meant(msgspec.Struct, frozen=True):
    """What somebody typed: an action, one of ``WORDS``, or why it is neither."""

    action: Any = None
    word: str = ""
    trouble: str = ""


def offer(actions: Sequence[Action], columns: int) -> str:
    """Every legal action, grouped by kind; kinds followed by the same words share a line."""
    kinds = [
        # the words of one action stay on one line
        (kind, tuple(str(action).partition(" ")[2].replace(" ", "\xa0") for action in group))
        for kind, group in groupby(actions, key=lambda action: action.kind)
    ]
    rows = []
    for rests, group in groupby(kinds, key=lambda pair: pair[1]):
        head = f"  {' / '.join(kind for kind, _ in group):{_OFFER_INDENT - 4}}  "
        indent = " " * _OFFER_INDENT
        body = textwrap.wrap(_spans(rests), columns, initial_indent=" " * len(head), subsequent_indent=indent) or [""]
        rows.append(f"{strong(head)}{body[0][len(head) :]}".rstrip())
        rows += body[1:]
    return "\n".join(rows).replace("\xa0", " ")


def explain(actions: Sequence[Action], columns: int) -> str:
    """How to answer, and what each kind of action does."""
    example = max(map(str, actions), key=len)
    short = _shortest(example, list(map(str, actions)))
    rows = [f"Type an action as listed, for example '{example}'; '{short}' is enough, since no other action begins so."]
    kinds = {action.kind: type(action) for action in actions}
    summaries = {kind: (inspect.getdoc(made) or "").partition("\n")[0] for kind, made in kinds.items()}
    lines = textwrap.wrap(rows[0], columns)
    for word, about in (summaries | WORDS).items():
        wrapped = textwrap.wrap(about, columns - 16) or [""]
        lines.append(f"  {strong(f'{word:14}')}{wrapped[0]}")
        lines += [" " * 16 + line for line in wrapped[1:]]
    return "\n".join(lines)


def understand(game: Game, view: State, text: str, names: Sequence[str]) -> Meant:
    """What ``text`` means for the seat to act in this view.

    The words of an action may be cut short as long as only one legal action fits.
    """
    words = text.casefold().split()
    if not words:
        return Meant(word="offer")
    if words == ["?"]:
        return Meant(word="help")
    actions = {str(action).casefold(): action for action in view.actions()}
    if " ".join(words) in actions:
        return Meant(action=actions[" ".join(words)])
    begun = [notation for notation in actions if _begins(words, notation)]
    fitting = [notation for notation in begun if len(notation.split()) == len(words)]
    if len(fitting) == 1:
        return Meant(action=actions[fitting[0]])
    for word in WORDS:
        if len(words) == 1 and word.startswith(words[0]):
            return Meant(word=word)
    if begun:
        meanings = _some([str(actions[notation]) for notation in fitting or begun])
        return Meant(trouble=f"{' '.join(text.split())!r} can be {meanings}: type a little more")
    return Meant(trouble=_why_not(game, view, text.split(), names))


def _begins(words: Sequence[str], notation: str) -> bool:
    """Whether each word begins a word of the notation, whose last words may be missing; numbers must be whole."""
    whole = notation.casefold().split()
    return len(words) <= len(whole) and all(
        full == word if word[-1].isdecimal() else full.startswith(word)
        for word, full in zip(words, whole, strict=False)
    )


def _why_not(game: Game, view: State, words: Sequence[str], names: Sequence[str]) -> str:
    """Why the text is not possible: the game's reason for an illegal action, else the nearest action."""
    typed = " ".join(words)
    legal = list(map(str, view.actions()))
    kinds = dict.fromkeys(notation.partition(" ")[0] for notation in legal)
    meant = [kind for kind in kinds if kind.startswith(words[0].casefold())]
    try:
        view.step(game.parse(" ".join([meant[0] if len(meant) == 1 else words[0], *words[1:]])))
    except (IllegalAction, Hidden) as error:
        return with_names(error, names)
    except BadNotation as error:
        close = difflib.get_close_matches(typed.casefold(), [*legal, *WORDS], n=1)
        if len(meant) == 1:
            return f"{error} ('?' explains)"
        if close and not meant:
            return f"no action {typed!r}; did you mean {close[0]!r}? ('?' explains)"
        # the error would list chance actions too, which nobody types
        return f"no action {typed!r}; now you can type {', '.join(meant or kinds)} ('?' explains)"
    return f"{typed!r} is not possible now"


def with_names(error: Exception, names: Sequence[str]) -> str:
    """The error's sentence with players' names instead of seat numbers."""
    sentence = str(error)
    if isinstance(error, KeyedError):
        with contextlib.suppress(IndexError):
            return re.sub(r"\bseat (\d+)", lambda found: names[int(found[1])], sentence)
    return sentence


def _spans(words: Sequence[str]) -> str:
    """The words side by side; three or more consecutive numbers as a range."""
    parts: list[str] = []
    for _, run in groupby(enumerate(words), key=lambda pair: int(pair[1]) - pair[0] if pair[1].isdecimal() else pair):
        row = [word for _, word in run]
        parts += [f"{row[0]}–{row[-1]}"] if len(row) > 2 else row
    return "  ".join(parts)


def _shortest(notation: str, legal: Sequence[str]) -> str:
    """The notation with its words cut as short as still fits no other legal action."""
    words = notation.split()
    for cut in range(1, max(map(len, words)) + 1):
        short = [word[:cut] for word in words]
        if sum(_begins(short, other) for other in legal) == 1:
            return " ".join(short)
    return notation


def _some(notations: Sequence[str]) -> str:
    shown = [f"'{notation}'" for notation in notations[:4]]
    more = len(notations) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return " or ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
