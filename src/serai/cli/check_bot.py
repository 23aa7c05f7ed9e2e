"""``serai check-bot``: test a bot in unusual situations."""

from __future__ import annotations

import click
import msgspec

from serai.bots.check_bot import Finding, check
from serai.cli._support.choices import POSITIVE, json_option, walls_option
from serai.cli._support.games_of_bots import games_for
from serai.cli._support.screen import printable, say, say_json

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
    for game in games_for(spec, game_names, limit):
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


def _tell(finding: Finding) -> None:
    how = f"wrong: {finding.fault}" if finding.fault else "well"
    say(printable(f"  {finding.situation}: {how}"))
    for line in finding.printed.splitlines():
        say(printable(f"    {line}"))
