"""Whatever is handed to the library, the answer is right or an error of ours, in words that say what to do."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import serai
from serai.bots.random import RandomBot
from serai.bots.referee import dealer_for, play
from serai.bots.specs import find_bot
from serai.coach.decisions import hints
from serai.coach.review import review
from serai.core.dealer import Dealer
from serai.core.game import Game
from serai.core.parts import compiled
from serai.core.record import Record, replay, verify
from serai.errors import SeraiError
from tests.support import SOAK

ODD: list[Any] = [None, 3, -1, 2.5, math.nan, "x", "", b"", [], [None], {}, (1, 2), True, 10**30, object(), print]
Call = Callable[[Any], Any]

LARGE = {
    "batch lanes",
    "buffers",
    "rollouts n",
    "rollouts threads",
    "simulate games",
    "simulate jobs",
    "sim.play games",
}
"""Where a large number is right, and would take as long as it says."""


def begun(game: Game, rng: random.Random) -> Any:
    state: Any = game.new(3)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(rng))
    return state


def next_draw(state: Any, rng: random.Random) -> Any:
    while state.actor is not serai.CHANCE:
        state = state.apply(rng.choice(state.actions()))
    return state


def by_name(setting: str, call: Callable[..., Any], *given: Any, **kept: Any) -> Call:
    """A call that hands over the odd value by the name of this setting."""
    return lambda odd: call(*given, **{**kept, setting: odd})


def of_game(game: Game) -> Iterator[tuple[str, Call]]:
    rng = random.Random(1)
    state = begun(game, rng)
    view = state.seen_by(0)
    yield "new", game.new
    yield "new first", lambda odd: game.new(3, first=odd)
    yield "new option", lambda odd: game.new(3, **{str(odd)[:20]: 1})
    yield "settled", lambda odd: game.settled(2, odd)
    yield "parse", game.parse
    yield "position", game.position
    yield "position details", lambda odd: game.position("1gyobw", odd)
    yield "position detail", lambda odd: game.position("1gyobw", {"cards": odd})
    yield "imagine", lambda odd: game.imagine(odd, rng)
    yield "imagine rng", lambda odd: game.imagine(view, odd)
    yield "draw", game.text.draw
    yield "draw seat", lambda odd: game.text.draw(view, seat=odd)
    yield "draw names", lambda odd: game.text.draw(view, names=odd)
    yield "tell", game.text.tell
    if (odds := game.odds) is not None:
        yield "odds", odds
        yield "odds details", lambda odd: odds("1gyobw", odd)
        yield "odds.draw", odds.draw
    if game.advice is not None:
        yield "advice", game.advice
    yield "row", lambda odd: game.row(odd, odd)
    yield "pause", game.pause
    yield "memory", game.memory
    for name, one in (("state", state), ("view", view), ("draw due", next_draw(state, rng))):
        yield f"{name} seen_by", one.seen_by
        yield f"{name} step", one.step
        yield f"{name} apply", one.apply
        yield f"{name} sample", one.sample
    encoding = game.encoding
    assert encoding is not None
    for name in ("number", "action", "mask", "observation", "features", "features_of"):
        yield f"encoding {name}", getattr(encoding, name)
    yield "encoding action view", lambda odd: encoding.action(0, odd)
    yield "encoding observation seat", lambda odd: encoding.observation(view, odd)
    yield "rollouts", game.rollouts
    yield "rollouts actions", lambda odd: game.rollouts(view, odd, 4)
    yield "rollouts action", lambda odd: game.rollouts(view, [odd], 4)
    yield "rollouts n", lambda odd: game.rollouts(view, None, odd)
    for setting in ("policy", "seed", "first", "memory", "threads"):
        yield f"rollouts {setting}", by_name(setting, game.rollouts, view, None, 4)
    yield "hints", lambda odd: hints(game, odd)
    yield "hints effort", lambda odd: hints(game, view, effort=odd)


def of_many_games(game: Game, folder: Path) -> Iterator[tuple[str, Call]]:
    two = ["random", "random"]
    state = begun(game, random.Random(1))
    yield "simulator bots", lambda odd: compiled(game).simulator(odd, seed="1")
    yield "simulator bot", lambda odd: compiled(game).simulator([odd, odd], seed="1")
    yield "simulator seed", lambda odd: compiled(game).simulator(two, seed=odd)
    yield "simulator device", lambda odd: compiled(game).simulator(two, seed="1", device=odd)
    simulator = compiled(game).simulator(two, seed="1")
    assert simulator is not None
    yield "sim.record", simulator.record
    yield "sim.play first", lambda odd: simulator.play(odd, 1)
    yield "sim.play games", lambda odd: simulator.play(0, odd)
    yield "sim.play rows", lambda odd: simulator.play(0, 1, odd)
    yield "batch lanes", compiled(game).batch
    for setting in ("players", "opponents", "seat", "reward", "seed", "first_game", "stride", "restart", "packed"):
        yield f"batch {setting}", by_name(setting, compiled(game).batch, 2)
    for setting in ("threads", "buffers", "device", "first", "nonsense"):
        yield f"batch {setting}", by_name(setting, compiled(game).batch, 2)
    yield "batch learner", lambda odd: compiled(game).batch(2, opponents="random", seat=odd)
    yield "batch opponent", lambda odd: compiled(game).batch(2, 2, opponents=[odd])
    yield "batch weight", lambda odd: compiled(game).batch(2, 2, reward={"win": odd})
    batch = compiled(game).batch(2, 3)
    assert batch is not None
    yield "buffers", compiled(game).buffers  # type: ignore[attr-defined]
    yield "Batch.step", batch.step
    yield "Batch.observe", lambda odd: batch.observe(odd, batch.buffers.observations)
    yield "Batch.random_actions", lambda odd: batch.random_actions(odd, odd)
    yield "Batch.state", batch.state
    yield "Batch.put", lambda odd: batch.put(odd, state)
    yield "Batch.put state", lambda odd: batch.put(0, odd)
    yield "Batch.save", lambda odd: batch.save(str(folder / odd) if isinstance(odd, str) else odd)
    yield "Batch.load", lambda odd: batch.load(str(folder / odd) if isinstance(odd, str) else odd)
    yield "simulate game", lambda odd: serai.simulate(odd, two, games=1)
    yield "simulate bots", lambda odd: serai.simulate(game, odd, games=1)
    yield "simulate bot", lambda odd: serai.simulate(game, ["random", odd], games=1, limit=None)
    for setting in ("games", "seed", "skip", "rotate", "paired", "jobs", "limit", "tolerate", "first", "nonsense"):
        yield (
            f"simulate {setting}",
            by_name(setting, serai.simulate, game, two, games=1),
        )
    yield "simulate progress", lambda odd: serai.simulate(game, two, games=1, progress=None if odd is print else odd)
    run = serai.simulate(game, two, games=1)
    yield "run.record", run.record
    record = run.record(0)
    yield "review", review
    yield "review seat", lambda odd: odd is None or review(record, odd)
    yield "review effort", lambda odd: review(record, 0, effort=odd)
    yield "find_bot", lambda odd: find_bot(game, odd)
    bots = [("a", RandomBot())] * 2
    yield "play bots", lambda odd: play(game, odd, dealer=Dealer(), seed="1")
    yield "play bot", lambda odd: play(game, [odd, odd], dealer=Dealer(), seed="1")
    yield "play dealer", lambda odd: play(game, bots, dealer=odd, seed="1")
    yield "play seed", lambda odd: play(game, bots, dealer=Dealer(), seed=odd)
    yield "play seconds", lambda odd: play(game, bots, dealer=Dealer(), seed="1", seconds=odd)


def of_all() -> Iterator[tuple[str, Call]]:
    yield "game", serai.game
    yield "Record.read", Record.read
    yield "replay", lambda odd: list(replay(odd))
    yield "verify", verify
    yield "Dealer", Dealer
    yield "Dealer mix", lambda odd: Dealer(None, odd)
    yield "Dealer drawn", lambda odd: Dealer(None, None, odd)
    yield "Dealer.draw", Dealer().draw
    yield "Dealer.draw_first", Dealer().draw_first
    yield "dealer_for", dealer_for
    yield "hints game", lambda odd: hints(odd, None)


def of_environments(game: Game) -> Iterator[tuple[str, Call]]:
    from serai.envs import pettingzoo
    from serai.envs.gymnasium import GameEnv
    from serai.envs.vector import GameVectorEnv

    made: dict[str, Call] = {
        "pettingzoo": pettingzoo.raw_env,
        "gymnasium": GameEnv,
        "vector": lambda name, **settings: GameVectorEnv(2, name, **settings),
    }
    for name, make in made.items():
        yield f"{name} game", make
        for setting in ("reward", "observe", "render_mode", "first", "nonsense"):
            yield f"{name} {setting}", by_name(setting, make, game.name)
    yield "pettingzoo players", lambda odd: pettingzoo.raw_env(game.name, players=odd)
    yield "gymnasium opponents", lambda odd: GameEnv(game.name, odd)
    yield "gymnasium opponent", lambda odd: GameEnv(game.name, [odd])
    yield "gymnasium seat", lambda odd: GameEnv(game.name, seat=odd)
    yield "vector lanes", lambda odd: odd == 10**30 or GameVectorEnv(odd, game.name)
    yield "vector opponents", lambda odd: GameVectorEnv(2, game.name, odd)


def wrong(calls: Iterator[tuple[str, Call]]) -> list[str]:
    """What came of it that is neither an answer nor an error of ours in a few words.

    In the short form odd values take turns from call to call.
    """
    found = []
    for place, (name, call) in enumerate(calls):
        for odd in ODD if SOAK else ODD[place % 4 :: 4]:
            if name in LARGE and odd == 10**30:
                continue
            try:
                call(odd)
            except SeraiError as error:
                said = str(error)
                if not 10 < len(said) < 500 or " " not in said or "\n" in said.strip():
                    found.append(f"{name}({odd!r}): says {said[:200]!r}")
            except Exception as error:
                found.append(f"{name}({odd!r}): {type(error).__name__}: {error!s:.120}")
    return found


@pytest.mark.parametrize("name", serai.games())
def test_a_game_answers_or_says_what_it_takes(name: str) -> None:
    assert wrong(of_game(serai.game(name))) == []


@pytest.mark.parametrize("name", serai.games())
def test_many_games_are_played_or_it_is_said_what_they_take(name: str, tmp_path: Path) -> None:
    assert wrong(of_many_games(serai.game(name), tmp_path)) == []


def test_what_belongs_to_no_game_says_what_it_takes() -> None:
    assert wrong(of_all()) == []


@pytest.mark.parametrize("name", serai.games())
def test_environments_are_made_or_it_is_said_what_they_take(name: str) -> None:
    assert wrong(of_environments(serai.game(name))) == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda game: serai.game(3), r"a game is asked for by its name, not by 3; games: camelup, pharaoh"),  # type: ignore[call-overload]
        (lambda game: game.parse(None), r"an action is parsed from a text, such as 'leg blue', not from None"),
        (lambda game: game.new("3"), r"camelup takes 2 to 8 players, not '3'"),
        (lambda game: game.new(3).seen_by(7), r"there is no seat 7: seats are 0 to 2, or None for an onlooker"),
        (
            lambda game: game.compiled.simulator(["random"] * 2, seed=0.7),
            r"a seed is a whole number or a text, not 0.7",
        ),
        (lambda game: dealer_for(7), r"a seed is a text, not 7"),  # type: ignore[arg-type]
        (lambda game: begun(game, random.Random(1)).sample(random.Random(1)), r"it is seat 0's turn: no draw is due"),
        (lambda game: game.new(3).sample(7), r"chance must come from a random.Random, such as random.Random\(7\)"),
        (lambda game: play(game, [(game, "quick")] * 2), r"a spec, or a pair of its name and an object with decide"),  # type: ignore[list-item]
        (
            lambda game: play(game, [(name, lambda view, rng: 1 / 0) for name in "ab"], dealer=Dealer(), seed="1"),  # type: ignore[misc]
            r"an object with decide\(view, rng\), not \('a', <function",
        ),
        (lambda game: serai.simulate(game, "quick"), r"bots are a list, such as \['quick', 'random'\], not 'quick'"),
    ],
)
def test_common_slips_are_told_what_to_do(call: Call, said: str) -> None:
    with pytest.raises(SeraiError, match=said):
        call(serai.game("camelup"))


BARE = """
import sys
for name in ("numpy", "numba", "pyarrow", "pandas", "polars", "gymnasium", "pettingzoo", "pyspiel", "click"):
    sys.modules[name] = None
import random, serai
game, rng = serai.game(sys.argv[1]), random.Random(1)
state = game.new(2)
while state.actor is serai.CHANCE:
    state = state.apply(state.sample(rng))
view = state.seen_by(state.actor)
asked = {
    "batch": lambda: game.compiled.batch(4),
    "simulator": lambda: game.compiled.simulator(["random"] * 2, seed="1"),
    "simulate": lambda: serai.simulate(game, ["random"] * 2, games=1),
    "rollouts": lambda: game.rollouts(view),
    "observation": lambda: game.encoding.observation(view),
    "mask": lambda: game.encoding.mask(view),
    "gymnasium": lambda: __import__("serai.envs.gymnasium"),
    "pettingzoo": lambda: __import__("serai.envs.pettingzoo"),
    "openspiel": lambda: __import__("serai.envs.openspiel"),
    "vector": lambda: __import__("serai.envs.vector"),
}
if game.odds is not None:
    asked["odds"] = lambda: game.odds(view)
for what, ask in asked.items():
    try:
        ask()
        print(what, "ANSWERED")
    except serai.errors.SeraiError as error:
        print(what, type(error).__name__, error)
"""


@pytest.mark.parametrize("name", serai.games())
def test_without_an_extra_whatever_needs_it_says_which(name: str) -> None:
    said = subprocess.run([sys.executable, "-c", BARE, name], capture_output=True, text=True, check=True).stdout
    lines = said.splitlines()
    assert len(lines) >= 10
    for line in lines:
        what, kind, rest = line.split(" ", 2)
        extra = "envs" if what in ("gymnasium", "pettingzoo", "openspiel", "vector") else "fast"
        assert kind == "MissingExtra", line
        assert rest.endswith(f"install Serai with its extra '{extra}'"), line
