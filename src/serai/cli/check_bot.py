"""``serai check-bot``: test a bot in unusual situations."""

from __future__ import annotations

import click
import msgspec

from serai.bots.check_bot import Finding, check, first_decision
from serai.bots.contract import NoAnswer
from serai.bots.program import ISOLATED, ProgramMaker, program_spec
from serai.bots.specs import declared_games, find_bot, is_bot_file, not_started
from serai.cli._support.choices import POSITIVE, json_option, walls_option
from serai.cli._support.files import Failure
from serai.cli._support.screen import printable, say, say_json
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.core.registry import games

WRONG = 1


@click.command()
@click.argument("spec", metavar="BOT")
@click.option("--game", "game_names", multiple=True, help="The game. Default: every game that the bot plays.")
@click.option(
    "--limit", type=POSITIVE, default=10.0, show_default=True, help="Seconds that the bot may take for a decision."
)
@walls_option
@json_option
def command(spec: str, game_names: tuple[str, ...], limit: float, as_json: bool) -> int:
    """Test BOT in forced, first and last decisions, with hidden cards, all numbers of players and options.

    BOT is a name, FILE.py:NAME, or a program: "process:./mybot --depth 3". For a program the protocol is tested too.
    The exit code is 1 if something is wrong.
    """
    findings: list[Finding] = []
    for game in _tried(spec, game_names, limit):
        if not as_json:
            say(f"{game.name}:")
        for finding in check(game, spec, limit):
            findings.append(finding)
            if not as_json:
                _tell(finding)
    wrong = sum(bool(finding.fault) for finding in findings)
    if as_json:
        say_json({"bot": spec, "well": not wrong, "findings": msgspec.to_builtins(findings)})
        return WRONG if wrong else 0
    slowest = max((finding.slowest for finding in findings), default=0.0)
    outcome = f"{wrong} wrong" if wrong else "all is well"
    say(f"{len(findings)} situations, slowest decision {slowest * 1000:.1f} ms: {outcome}.")
    return WRONG if wrong else 0


def _tried(spec: str, named: tuple[str, ...], limit: float) -> list[Game]:
    """The games to check: those named; those that the bot says it is for; or those in which it can decide once."""
    if named:
        return [find_game(name) for name in named]
    known = [find_game(name) for name in _played(spec)]
    program = program_spec(spec)
    if len(known) == 1 or (program is not None and program.kind != ISOLATED):
        return known
    failed = {game.name: fault for game in known if (fault := first_decision(game, spec, limit))}
    if len(failed) == len(known):
        return known
    for name, fault in failed.items():
        say(printable(f"{name} is left out: there its first decision {fault}; --game {name} tries it"), err=True)
    return [game for game in known if game.name not in failed]


def _played(spec: str) -> tuple[str, ...]:
    """The games that this bot plays; a program says so itself."""
    make = find_bot(find_game(games()[0]), spec) if spec.partition(":")[1] else None
    if not isinstance(make, ProgramMaker):
        return _known_to(spec)
    try:
        said = make.greeting().games
    except NoAnswer as error:
        raise not_started(spec, error) from None
    known = games() if said is None else tuple(name for name in said if name in games())
    if not known:
        raise Failure(f"bot {spec!r} plays none of {', '.join(games())}; it names {', '.join(said or ())}")
    return tuple(known)


def _known_to(spec: str) -> tuple[str, ...]:
    """The games that have this bot; at least one must."""
    known: list[str] = []
    for name in games():
        try:
            played = declared_games(find_bot(find_game(name), spec))
        except ValueError as error:
            reason = error
        else:
            if played is not None and is_bot_file(spec):
                return tuple(played)
            known.append(name)
    if known:
        return tuple(known)
    if spec.isidentifier():
        raise Failure(f"no game has a bot {spec!r}; 'serai games' lists the bots")
    raise reason


def _tell(finding: Finding) -> None:
    how = f"wrong: {finding.fault}" if finding.fault else "well"
    say(printable(f"  {finding.situation}: {how}"))
    for line in finding.printed.splitlines():
        say(printable(f"    {line}"))
