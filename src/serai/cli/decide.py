"""``serai decide``: repeat the decision at which a bot failed."""

from __future__ import annotations

import shlex
import traceback
from pathlib import Path

import click
import msgspec

from serai.bots.contract import NoAnswer, close
from serai.bots.program import program_spec
from serai.bots.referee import Scene
from serai.bots.specs import find_working_bot
from serai.cli._support.choices import PATH
from serai.cli._support.files import Failure
from serai.cli._support.screen import say
from serai.core.registry import game as find_game


@click.command()
@click.argument("file", type=PATH)
@click.option("--bot", "spec", help="Ask another bot. Default: the one that failed.")
def command(file: Path, spec: str | None) -> int:
    """Repeat the decision at which a bot failed in a simulation, with the same events and random numbers.

    FILE is the one that 'serai simulate' wrote when it stopped.
    """
    try:
        scene = msgspec.json.decode(file.read_bytes(), type=Scene)
    except OSError as error:
        raise Failure(f"cannot read {str(file)!r}: {error.strerror}") from None
    except msgspec.DecodeError:
        raise Failure(f"{str(file)!r} is not a file of a bot's failure, which 'serai simulate' writes") from None
    game = find_game(scene.game)
    if spec is None and program_spec(scene.bot) is not None:
        raise Failure(f"the file names a program to run; to run it, add --bot {shlex.quote(scene.bot)}")
    bot = find_working_bot(game, spec or scene.bot)()
    view = scene.seen()
    if view is not None:
        say(game.text.draw(view, seat=scene.seat))
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
    say("the bot watched all events without failing" if answer is None else f"the bot answers: {answer}")
    return 0
