"""All error types. Every mistake of a caller has its own, and all are ``ValueError``s.

A :class:`KeyedError` has a key with values, so that a page can say it in any language, and an English sentence that
says what to do next. Games add the sentences for their own keys with :func:`phrase`. Values are plain: numbers, words,
and tuples of these, never text in some language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import Any

_SENTENCES: dict[str, str] = {}


def phrase(sentences: Mapping[str, str]) -> None:
    """Add English sentences for error keys; ``{name}`` stands for the value of that name."""
    _SENTENCES.update(sentences)


def sentence(key: str, values: Mapping[str, Any]) -> str:
    """The English sentence of a key; the key itself where it has none."""
    pattern = _SENTENCES.get(key)
    if pattern is not None:
        return pattern.format(**{name: _said(value) for name, value in values.items()})
    listed = ", ".join(f"{name}={value!r}" for name, value in values.items())
    return f"{key} ({listed})" if listed else key


class SeraiError(ValueError):
    """A mistake by the caller, never a fault of Serai itself."""


class KeyedError(SeraiError):
    """An error with a key and its values; ``str()`` says it in English."""

    def __init__(self, key: str, **values: Any) -> None:
        values = {name: _cut(value) for name, value in values.items()}
        super().__init__(key, values)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return sentence(self.key, self.values)

    def __repr__(self) -> str:
        values = "".join(f", {name}={value!r}" for name, value in self.values.items())
        return f"{type(self).__name__}({self.key!r}{values})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.key, **self.values), ()


def _cut(value: Any) -> Any:
    """The value, but of a long text only the beginning: what somebody sent may be as long as a body can be."""
    return f"{value[:_LONGEST]}…" if isinstance(value, str) and len(value) > _LONGEST else value


_LONGEST = 200


class _Count(int):
    """A number that counts something where a sentence says what: ``{moves:move}`` is "1 move" or "2 moves"."""

    def __format__(self, what: str) -> str:
        counts = len(what) > 1 and what.isalpha()
        return f"{int(self)} {what}{'' if self == 1 else 's'}" if counts else super().__format__(what)


def _said(value: Any) -> Any:
    """A value for a sentence; tuples as a person lists them: ``2, 3, 8 to 16`` or ``green, white``."""
    if not isinstance(value, tuple):
        if type(value) is int:
            return _Count(value)
        return value if value is None or isinstance(value, str | int | float) else _Odd(value)
    runs: list[list[Any]] = []
    for item in value:
        if runs and isinstance(item, int) and item == runs[-1][-1] + 1:
            runs[-1].append(item)
        else:
            runs.append([item])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs) or "none"


def shown(value: object) -> str:
    """The ``repr`` of any value, on one line and shortened, for an error sentence."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # somebody else's repr
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_SHOWN = 60


class _Odd:
    """A value that is neither a number nor a word; its ``repr`` is short."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        return shown(self._value)


class IllegalAction(KeyedError):
    """The rules do not allow this action now."""


class BadOptions(KeyedError):
    """A game cannot be set up like this."""


class Hidden(SeraiError):
    """The answer would need something that this view does not show."""


class NotOver(SeraiError):
    """Asked for a result before there is one."""


class BadNotation(SeraiError):
    """A text that is not an action, a position or a value; ``column`` (from 0) points at the place if known.

    Where people type in their own language, ``key`` and ``values`` give the reason as in a :class:`KeyedError`.
    ``detail`` names what was added to a position, or has to be, where that is at fault.
    """

    def __init__(
        self,
        message: str,
        *,
        text: str = "",
        column: int | None = None,
        key: str = "",
        values: Mapping[str, Any] | None = None,
        detail: str = "",
    ) -> None:
        super().__init__(message)
        self.text = text
        self.column = column
        self.key = key
        self.values = dict(values or {})
        self.detail = detail


class BadRecord(SeraiError):
    """A record that cannot be read or does not hold; ``line`` counts from 1 (0: the file as a whole).

    ``key`` is the kind of fault, so that a page can say it in any language; what an action broke is the cause.
    """

    def __init__(self, reason: str, *, line: int = 0, key: str = "record.damaged") -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.reason = reason
        self.line = line
        self.key = key


class UnknownName(SeraiError):
    """No game or bot of that name."""


class BotCannotStart(UnknownName):
    """A bot that cannot be loaded or made: nothing is played with it. ``trace``: the traceback in its code."""

    def __init__(self, reason: str, trace: str = "") -> None:
        super().__init__(reason, trace)
        self.reason, self.trace = reason, trace.rstrip()

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.reason, self.trace)))


class BadArgument(SeraiError):
    """An argument of the wrong kind; the message says what is wanted."""


class MissingExtra(SeraiError):
    """A package is not installed that something needs; ``extra`` of Serai brings it."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(what, package, extra)
        self.what = what
        self.package = package
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.what} need {self.package}: install Serai with its extra {self.extra!r}"


def missing(packages: Iterable[str]) -> tuple[str, ...]:
    """Those of some packages that are not installed; nothing is loaded to find out."""
    return tuple(package for package in packages if find_spec(package) is None)


@contextmanager
def requiring(extra: str, what: str) -> Iterator[None]:
    """Around imports: ``MissingExtra`` instead of an ``ImportError``, since ``what`` needs this extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "serai"):
            raise
        raise MissingExtra(what, package, extra) from None


def need(extra: str, what: str, *packages: str) -> None:
    """Raise ``MissingExtra`` unless the packages are installed that ``what`` needs and this extra brings."""
    if lacking := missing(packages):
        raise MissingExtra(what, " and ".join(lacking), extra)


phrase(
    {
        "core.over": "the game is over: no more actions",
        "core.chance_first": "a draw is due first: {kinds}",
        "core.player_first": "it is seat {seat}'s turn: no draw is due",
        "core.written": "'{written}' is no legal action here; legal: {legal} ({count} in all)",
        "core.foreign": "{action} is no action of {game}",
        "core.players": "{game} takes {least} to {most} players, not {players!r}",
        "core.option.unknown": "{game} has no option {name!r}; its options: {known}",
        "core.option.type": "option {name} wants {wanted}, not {value!r}",
        "core.option.choice": "option {name} is one of {wanted}, not {value!r}",
    }
)
