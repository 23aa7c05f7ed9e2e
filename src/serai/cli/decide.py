"""``serai decide``: one decision of a bot once more, where it failed."""

from __future__ import annotations

import shlex
import traceback
from pathlib import Path

import click
import msgspec

from serai.bots.commands import names_program
from serai.bots.contract import NoAnswer, close
from serai.bots.referee import Scene
from serai.bots.specs import find_working_bot
from serai.cli._support.files import Failure
from serai.cli._support.screen import say
from serai.core.registry import game as find_game


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--bot", "spec", help="Another bot in its place; without it the one that failed.")
def command(file: Path, spec: str | None) -> int:
    """Let a bot decide once more where it failed in a simulation, with what it had seen and its own randomness.

    FILE is what ``serai simulate`` wrote when it stopped.
    """
    try:
        scene = msgspec.json.decode(file.read_bytes(), type=Scene)
    except OSError as error:
        raise Failure(f"cannot read {str(file)!r}: {error.strerror}") from None
    except msgspec.DecodeError:
        raise Failure(f"{str(file)!r} is no file of a bot's failure, as serai simulate writes one") from None
    game = find_game(scene.game)
    if spec is None and names_program(scene.bot) is not None:
        raise Failure(f"the file names a program to run; if that is what you want: --bot {shlex.quote(scene.bot)}")
    bot = find_working_bot(game, spec or scene.bot)()
    view = scene.seen()
    if view is not None:
        say(game.draw(view, seat=scene.seat))
    try:
        answer = scene.again(bot)
    except NoAnswer as error:
        say(error.printed.rstrip(), err=True)
        raise Failure(f"bot {spec or scene.bot} failed again: it {error}") from None
    except Exception as error:
        say(traceback.format_exc().rstrip(), err=True)
        raise Failure(f"bot {spec or scene.bot} failed again: {type(error).__name__}: {error}") from None
    finally:
        close(bot)
    say("it watched everything without failing" if answer is None else f"it answers: {answer}")
    return 0
