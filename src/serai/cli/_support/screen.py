"""Printing to the terminal: colours, plain characters where it lacks others, width, tables, progress bars."""

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from serai.processes.sandbox import IN_WORDS, Walls

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from serai.table.errors import Damaged

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
"""The plain character for each that the terminal's encoding may lack."""
_PLAINLY = {ord(char): plain for plain, chars in _PLAIN.items() for char in chars}
_LONG_STORY = 3
"""Above this many lines, each sentence gets a line of its own."""
_FALLBACK = "serai-plain"
DAMAGED = 1
"""The exit code of a command that found a damaged table."""


def prepare_streams() -> None:
    """Print plain characters for those that the terminal's encoding lacks, and read odd input without errors."""
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
    """Print and flush. (``click.echo`` would write UTF-8 even to a terminal that cannot show it.)"""
    print(text, file=sys.stderr if err else sys.stdout, flush=True)


def say_json(value: Any) -> None:
    """Print a value as JSON in ASCII, which every terminal can show."""
    say(json.dumps(msgspec.to_builtins(value), indent=2))


def printable(text: str) -> str:
    """The text without control characters: names and files come from others."""
    return "".join(char if char.isprintable() else "?" for char in text)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names, printable, with a number after each repeated one: tables give every bot of a kind the same name."""
    wanted = [printable(name) for name in names]
    chosen: list[str] = []
    for name in wanted:
        numbered = (f"{name} {number}" for number in itertools.count(2))
        chosen.append(name if name not in chosen else next(one for one in numbered if one not in (*chosen, *wanted)))
    return tuple(chosen)


def is_terminal() -> bool:
    """Whether a person sees the output and can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and has_screen()


def has_screen() -> bool:
    """Whether the output goes to a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colour() -> bool:
    """Whether to colour the output (see https://no-color.org)."""
    return has_screen() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """How many columns the terminal has."""
    return max(20, shutil.get_terminal_size((80, 24)).columns)


def read_line(prompt: str, choices: Sequence[str] = ()) -> str:
    """A line from the keyboard; with line editing, Tab completes to one of the choices.

    No history is kept: it would show the next person at this keyboard which cards were laid.
    """
    with contextlib.suppress(ImportError):
        _edit_lines(choices)
    try:
        return input(prompt)
    except (KeyboardInterrupt, EOFError):
        say()
        raise
    except RuntimeError:  # stdin is closed
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
    """A drawing; without its empty lines if the screen is too low for it and the ``below`` lines that follow."""
    lines = drawing.split("\n")
    if has_screen() and len(lines) + below >= shutil.get_terminal_size().lines:
        lines = [line for line in lines if line]
    return "\n".join(lines)


def clear() -> None:
    """Clear the screen and its scroll-back: they may show somebody's cards."""
    if has_screen() and os.environ.get("TERM") != "dumb":
        print("\033[H\033[2J\033[3J", end="", flush=True)
    else:
        say("\n" * 3)


def strong(text: str) -> str:
    """The text in bold, if there is colour."""
    return f"\033[1m{text}\033[0m" if has_colour() else text


def story(sentences: Sequence[str], columns: int) -> str:
    """The sentences about one action after a bullet: as one paragraph while short, else one line each."""
    shown = [sentence for sentence in sentences if sentence]
    lines = textwrap.wrap(" ".join(shown), columns - 2)
    if len(lines) > _LONG_STORY:
        lines = [line for sentence in shown for line in textwrap.wrap(sentence, columns - 2, subsequent_indent="  ")]
    return "\n".join(("  " if number else "• ") + line for number, line in enumerate(lines))


def say_damaged(tables: Sequence[Damaged]) -> int:
    """Name the damaged tables on stderr; the exit code says whether there are any."""
    for table in tables:
        say(printable(f"serai: table {table.values['table']} is damaged: {table.reason}"), err=True)
    return DAMAGED if tables else 0


# -- tables and bars, by rich, which is imported when they are used ----------------------------------------------------


@contextlib.contextmanager
def progress_bar(count: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr if that is a terminal; yields a function that advances it."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=count)
        yield lambda done: progress.advance(task, done)


def headed_table(first: str, *others: str) -> Table:
    """An empty table with these headings: one column of words, the others of figures."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="fold")
    for title in others:
        table.add_column(title, justify="right", no_wrap=True)
    return table


def print_walls(console: Console, walls: Mapping[str, Walls]) -> None:
    """Say what guarded each bot that is not part of Serai."""
    for name, guarded in walls.items():
        console.print(f"{name} played {IN_WORDS[guarded]}", markup=False, soft_wrap=True)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end].translate(_PLAINLY)
    return "".join(char if char.isascii() else "?" for char in lost), error.end
