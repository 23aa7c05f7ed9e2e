"""What the terminal can show: colours, characters, width; and how a story is laid out on it."""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import msgspec

_PLAIN = {
    "-": "─━┄╌–—−",
    "|": "│┃║┆╎",
    "+": "┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╭╮╰╯",
    "=": "═",
    ".": "·•…░▒",
    "#": "▓█■▪▌▋▊▉",
    " ": "▏▎▍",
    "o": "●○◆◇□",
    ">": "▸▶→",
    "<": "◂◀←",
    "^": "▲△↑",
    "v": "▼▽↓",
    "*": "★☆",
    "x": "×",
    "'": "‘’“”",
}
"""What stands in for a character that the terminal's encoding lacks, column for column."""
_PLAINLY = {ord(char): plain for plain, chars in _PLAIN.items() for char in chars}
_LONG_STORY = 3
"""More lines than this are easier to read with a line for each sentence."""
_FALLBACK = "serai-plain"


def prepare_streams() -> None:
    """Let output that the terminal's encoding lacks become plain characters, and odd input never be an error."""
    codecs.register_error(_FALLBACK, _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_FALLBACK)
    if sys.platform == "win32":
        import colorama

        colorama.just_fix_windows_console()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def say(text: str = "", *, err: bool = False) -> None:
    """Print at once. (``click.echo`` would write UTF-8 to a terminal that has told us it cannot show it.)"""
    print(text, file=sys.stderr if err else sys.stdout, flush=True)


def say_json(value: Any) -> None:
    """Print a value as JSON, in plain ASCII: every terminal and every odd character of a name gets through."""
    say(json.dumps(msgspec.to_builtins(value), indent=2))


def printable(text: str) -> str:
    """The text without anything that would steer a terminal: names and files are written by others."""
    return "".join(char if char.isprintable() else "?" for char in text)


def told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names, printable, with a number behind each that stood before: tables call every bot of a kind the same."""
    wanted = [printable(name) for name in names]
    told: list[str] = []
    for name in wanted:
        numbered = (f"{name} {number}" for number in itertools.count(2))
        told.append(name if name not in told else next(one for one in numbered if one not in (*told, *wanted)))
    return tuple(told)


def is_terminal() -> bool:
    """Whether a person looks at our output and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and has_screen()


def has_screen() -> bool:
    """Whether our output goes to a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colour() -> bool:
    """Whether to colour what goes to stdout (https://no-color.org is honoured)."""
    return has_screen() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """How many columns there are to write in."""
    return max(20, shutil.get_terminal_size((80, 24)).columns)


def read_line(prompt: str, choices: Sequence[str] = ()) -> str:
    """A line from the keyboard; where there is line editing, Tab completes to one of the choices.

    Nothing typed is remembered: it would tell the next person at this keyboard what cards were laid.
    """
    with contextlib.suppress(ImportError):
        _edit_lines(choices)
    try:
        return input(prompt)
    except (KeyboardInterrupt, EOFError):
        say()
        raise
    except RuntimeError:  # there is no input at all, not even an empty one
        raise EOFError from None


def _edit_lines(choices: Sequence[str]) -> None:
    import readline

    def complete(text: str, state: int) -> str | None:
        fitting = [choice for choice in choices if choice.casefold().startswith(text.casefold())]
        return fitting[state] if state < len(fitting) else None

    readline.set_auto_history(False)
    readline.set_completer_delims("")
    readline.set_completer(complete)
    on_macos = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if on_macos else "tab: complete")


def fitted(drawing: str, below: int) -> str:
    """A drawing with ``below`` lines to follow it: without its empty lines if the screen is too low for it."""
    lines = drawing.split("\n")
    if has_screen() and len(lines) + below >= shutil.get_terminal_size().lines:
        lines = [line for line in lines if line]
    return "\n".join(lines)


def clear() -> None:
    """Wipe the screen, what was scrolled off it included: it may have shown somebody's cards."""
    if has_screen() and os.environ.get("TERM") != "dumb":
        print("\033[H\033[2J\033[3J", end="", flush=True)
    else:
        say("\n" * 3)


def strong(text: str) -> str:
    """The text in bold, where there is colour."""
    return f"\033[1m{text}\033[0m" if has_colour() else text


def faint(text: str) -> str:
    """The text dimmed, where there is colour."""
    return f"\033[2m{text}\033[0m" if has_colour() else text


def story(sentences: Sequence[str], columns: int) -> str:
    """What one action brought, behind a bullet: run on while it is short, else a line for each sentence."""
    told = [sentence for sentence in sentences if sentence]
    together = textwrap.wrap(" ".join(told), columns - 2)
    lines = together
    if len(together) > _LONG_STORY:
        lines = [line for sentence in told for line in textwrap.wrap(sentence, columns - 2, subsequent_indent="  ")]
    return "\n".join(("• " if first else "  ") + line for first, line in _marked(lines))


def _marked(lines: Sequence[str]) -> list[tuple[bool, str]]:
    return [(number == 0, line) for number, line in enumerate(lines)]


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end].translate(_PLAINLY)
    return "".join(char if char.isascii() else "?" for char in lost), error.end
