"""``serai check-bot``: a bot put through odd situations."""

from __future__ import annotations

import click
import msgspec

from serai.bots.checking import Finding, check
from serai.bots.contract import NoAnswer
from serai.bots.program_bot import ProgramMaker
from serai.bots.specs import find_bot
from serai.cli._support.choices import json_option
from serai.cli._support.files import Failure
from serai.cli._support.screen import printable, say, say_json
from serai.core.registry import game as find_game
from serai.core.registry import games

WRONG = 1


@click.command()
@click.argument("spec", metavar="BOT")
@click.option("--game", "game_names", multiple=True, help="Which game; without it every one that the bot plays.")
@click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    help="Seconds a bot may think.",
)
@json_option()
def command(spec: str, game_names: tuple[str, ...], limit: float, as_json: bool) -> int:
    """Put BOT through forced moves, first and last decisions, hidden cards, all sizes and options, and tell what fails.

    BOT is a name, FILE.py:NAME, or a program: "process:./mybot --depth 3". A program is also tried at the protocol
    itself. Ends with exit code 1 if something is wrong.
    """
    findings: list[Finding] = []
    for name in game_names or _played(spec):
        if not as_json:
            say(f"{name}:")
        for finding in check(find_game(name), spec, limit):
            findings.append(finding)
            if not as_json:
                _tell(finding)
    wrong = sum(bool(finding.fault) for finding in findings)
    if as_json:
        say_json({"bot": spec, "well": not wrong, "findings": msgspec.to_builtins(findings)})
        return WRONG if wrong else 0
    slowest = max((finding.slowest for finding in findings), default=0.0)
    told = f"{wrong} wrong" if wrong else "all is well"
    say(f"{len(findings)} situations, slowest decision {slowest * 1000:.1f} ms: {told}.")
    return WRONG if wrong else 0


def _played(spec: str) -> tuple[str, ...]:
    """The games that this bot plays, as far as it says so itself."""
    make = find_bot(find_game(games()[0]), spec) if spec.partition(":")[1] else None
    if not isinstance(make, ProgramMaker):
        return tuple(name for name in games() if _is_known(name, spec))
    try:
        said = make.greeting().games
    except NoAnswer as error:
        printed = f"; it said: {error.printed}" if error.printed else ""
        raise Failure(f"bot {spec!r} {error.reason}{printed}") from None
    known = games() if said is None else tuple(name for name in said if name in games())
    if not known:
        raise Failure(f"bot {spec!r} plays no game that is known here; it names {', '.join(said or ())}")
    return tuple(known)


def _is_known(game: str, spec: str) -> bool:
    try:
        find_bot(find_game(game), spec)
    except ValueError:
        return game == games()[-1] and not any(_is_known(other, spec) for other in games()[:-1])
    return True


def _tell(finding: Finding) -> None:
    how = f"wrong: {finding.fault}" if finding.fault else "well"
    say(printable(f"  {finding.situation}: {how}"))
    for line in finding.printed.splitlines():
        say(printable(f"    {line}"))
