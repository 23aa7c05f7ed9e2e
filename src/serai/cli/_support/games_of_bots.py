"""Which games a bot is for, for commands that try them all."""

from __future__ import annotations

from collections.abc import Sequence

from serai.bots.check_bot import first_decision
from serai.bots.contract import NoAnswer
from serai.bots.program import ISOLATED, ProgramMaker, program_spec
from serai.bots.specs import declared_games, find_bot, is_bot_file, not_started
from serai.cli._support.files import Failure
from serai.cli._support.screen import printable, say
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.core.registry import games


def games_for(spec: str, named: Sequence[str] = (), limit: float = 10.0) -> list[Game]:
    """The games to try: those named; those that the bot says it is for; or those in which it can decide once."""
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
