"""``serai compile``: compile everything now, with a progress bar, instead of when it is first needed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import click

from serai import game as find_game
from serai import games, simulate
from serai.arena.executors import processors
from serai.arena.worker_processes import Processes
from serai.bots.contract import warm_up
from serai.bots.specs import find_bot
from serai.cli._support.screen import progress_bar, say
from serai.core.chance import CHANCE
from serai.core.game import Game, State
from serai.core.parts import works
from serai.core.registry import bots_here
from serai.errors import need

Step = tuple[str, str, str]
"""A game, what is compiled of it, and for which bot (or none)."""


@click.command()
@click.argument("wanted", nargs=-1, metavar="[GAME]...")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def command(wanted: tuple[str, ...], quiet: bool) -> None:
    """Compile all bots, hints, simulations and batches of every GAME (all, if none is named).

    Compiled code is stored, so this is needed once, and again after an update of Serai. Without it everything is
    compiled when it is first used.
    """
    need("fast", "compiled games", "numba")
    plans = [list(steps(find_game(name))) for name in wanted or games()]
    count = sum(map(len, plans))
    with progress_bar(count) as advance:
        for done in _done(plans):
            if not quiet:
                say(f"{done[0]}: {done[1]} {done[2]}".rstrip(), err=True)
            advance(1)
    if not quiet:
        say("everything is compiled")


def steps(game: Game) -> Iterator[Step]:
    """What is compiled, in the order in which people ask for it: opponents in the middle of the levels first."""
    middle = len(game.levels) // 2
    here = bots_here(game)
    by_demand = sorted(here, key=lambda bot: _demand(game, bot, middle))
    yield from ((game.name, "bot", bot) for bot in by_demand)
    if works(game.coach):
        yield game.name, "hints", ""
    if game.compiled is not None and game.compiled.available:
        yield game.name, "rollouts", ""
        yield from ((game.name, "games", bot) for bot in here if bot in game.compiled.twins)
        yield game.name, "batch", ""
        yield game.name, "batch", game.bots[1]


def _demand(game: Game, bot: str, middle: int) -> int:
    return abs(game.levels.index(bot) - middle) if bot in game.levels else len(game.bots)


def do(game: str, what: str, bot: str) -> None:
    """Use something once, so that it is compiled."""
    _DOERS[what](find_game(game), bot)


def _bot(game: Game, bot: str) -> None:
    player = find_bot(game, bot)()
    warm_up(player)
    player.decide(_first_view(game), random.Random(0))


def _hints(game: Game, bot: str) -> None:
    from serai.coach import hints

    hints(game, _first_view(game), game.memory(0))


def _rollouts(game: Game, bot: str) -> None:
    game.rollouts(_first_view(game), n=2)


def _games(game: Game, bot: str) -> None:
    simulate(game, [bot] * game.players[0], games=1, progress=False)


def _batch(game: Game, bot: str) -> None:
    assert game.compiled is not None
    batch = game.compiled.batch(2, game.players[0], opponents=bot or None)
    batch.step(batch.buffers.mask.argmax(axis=1))


_DOERS: dict[str, Callable[[Game, str], None]] = {
    "bot": _bot,
    "hints": _hints,
    "rollouts": _rollouts,
    "games": _games,
    "batch": _batch,
}


def _first_view(game: Game) -> State:
    rng = random.Random(0)
    state: Any = game.new(game.players[0])
    while state.actor is CHANCE:
        state = state.apply(state.sample(rng))
    view: State = state.seen_by(state.actor)
    return view


def _done(plans: list[list[Step]]) -> Iterator[Step]:
    """Every step once it is done. Each game has a process: two that compile parts of one game would both do it."""
    with Processes(do, min(len(plans), processors())) as executor:
        waiting = [iter(plan) for plan in plans]
        idle, busy = waiting, 0
        while idle or busy:
            while idle and busy < executor.parallel:
                plan = idle.pop(0)
                if (step := next(plan, None)) is not None:
                    executor.submit((step, plan), *step)
                    busy += 1
            for done in executor.finished(_WAIT_SECONDS):
                step, plan = done.label
                busy -= 1
                idle.append(plan)
                yield step


_WAIT_SECONDS = 1.0
