"""The group of all commands; turns every failure into one line and an exit code."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import signal
import sys
from collections.abc import Sequence

import click

from serai.cli._support.screen import prepare_streams, printable, say
from serai.errors import BotCannotStart, SeraiError

COMMANDS = {
    "serve": "Play in the browser: alone, on one device, or with friends by a link.",
    "games": "List the games with their options and bots.",
    "play": "Play in the terminal: people at one keyboard, and bots.",
    "simulate": "Let bots play many games, and count who wins how often.",
    "compile": "Compile everything now, instead of when it is first needed.",
    "check-bot": "Test a bot in unusual situations, and report what is wrong with it.",
    "benchmark": "Measure how strong a bot is: fixed tables and opponents, one score.",
    "best-response": "Teach a learner against one bot, and say how much it wins from it.",
    "dataset": "Write games of bots, with every decision in numbers, as Parquet files.",
    "arena": "Run a tournament of bots, with ratings; it stores every game and can be stopped and resumed.",
    "decide": "Repeat the decision at which a bot failed in a simulation.",
    "replay": "Step through a recorded game.",
    "verify": "Check recorded games: every action, every draw, the result.",
    "coach": "Review a finished game: what each decision lost, and what was luck.",
    "odds": "Show the odds in a position, and what each action is worth.",
    "bot": "Let a bot join a table on a server, over the network.",
    "admin": "Look after people at a running server: who is there, bans, reports, what is kept about somebody.",
    "check": "Check all stored tables for damage, or compare a record with its table.",
    "backup": "Copy all tables to a file; the server may be running.",
    "migrate": "Move all tables to another database, for example to PostgreSQL.",
    "prune": "Delete old tables.",
    "examples": "Copy the examples: bots in several languages, programs that learn.",
    "schema": "Print the JSON Schema of the messages between page and server.",
}
"""Name and help. ``serai NAME`` runs ``command`` in the module ``serai.cli.NAME``, with ``_`` for ``-``."""

FAILED = 2
"""The exit code of a command that failed."""


class _LazyGroup(click.Group):
    """Imports the module of a command only when it is called, so that every start is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"serai.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise click.UsageError(f"no command {name!r}{hint}; commands: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="serai", message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Serai: play Camel Up and Das Gold des Pharao, let bots play them, and study both games."""
    if ctx.invoked_subcommand is None:
        say(ctx.get_help())


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code. A failure prints one line, and a traceback only of a bot's code."""
    prepare_streams()
    try:
        with group.make_context("serai", list(arguments)) as context:
            code = group.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "serai"
        return _fail(f"{error.format_message().rstrip('.')} (see '{path} --help')")
    except click.ClickException as error:
        return _fail(error.format_message())
    except BotCannotStart as error:
        for line in error.trace.splitlines():
            say(printable(line), err=True)
        return _fail(error.reason)
    except SeraiError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, EOFError, click.Abort):
        return _fail("stopped")
    except BrokenPipeError:
        return _reader_left()
    except OSError as error:
        return _fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
    return code if isinstance(code, int) else 0


def _fail(reason: str) -> int:
    # a second Ctrl-C during this message would print a traceback
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(BrokenPipeError):
        say(f"serai: {printable(' '.join(reason.split()))}", err=True)
    return FAILED


def _reader_left() -> int:
    """The reader of our output has stopped reading (``serai … | head``): end quietly."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
