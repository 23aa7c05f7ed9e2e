"""What the documentation promises of an installed Serai: run by the Python of an environment that has the wheel and
one extra (or none), with the name of that as its argument. It knows nothing of the tests it belongs to.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import serai
from serai.core.parts import compiled

COMMAND = str(Path(sys.executable).parent / "serai")


def refused(ask: Callable[[], object], extra: str) -> None:
    """It needs an extra that is not here, and says so."""
    told = ""
    try:
        ask()
    except serai.errors.SeraiError as error:
        told = str(error)
    assert f"extra {extra!r}" in told, told or f"this should need the extra {extra!r}"


def whole_game(name: str) -> Any:
    game, rng = serai.game(name), random.Random(7)
    state: Any = game.new(players=4)
    while not state.over:
        action = state.sample(rng) if state.actor is serai.CHANCE else rng.choice(state.actions())
        state = state.apply(action)
    return state


def begun(game: Any) -> Any:
    """The first view of whoever acts first."""
    state = game.new(2)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(random.Random(7)))
    return state.seen_by(state.actor)


def base() -> None:
    """The library alone: whole games, views, pictures, records; everything else says what it needs."""
    from serai.bots.random import RandomBot
    from serai.bots.referee import dealer_for, play
    from serai.bots.specs import find_bot
    from serai.core.record import Record, verify
    from serai.core.registry import bot_names

    for name in serai.games():
        ended = whole_game(name)
        assert ended.winners()
        game = serai.game(name)
        seen: Any
        for seen in (game.new(3), ended, ended.seen_by(0)):
            assert ElementTree.fromstring(seen._repr_svg_()).tag.endswith("svg")
            assert len(str(seen)) < 1000
            assert len(str(seen).splitlines()) > 1
        bots = [("a", RandomBot()), ("b", RandomBot())]
        told = play(game, bots, dealer=dealer_for("7"), seed="7").record.write()
        assert verify(Record.read(told)).draws_checked
        refused(partial(compiled(game).batch, 4), "fast")
        refused(partial(serai.simulate, game, ["random"] * 2, games=1), "fast")
        refused(partial(game.rollouts, game.new(2)), "fast")
        for bot in bot_names(game):
            ask = partial(find_bot, game, bot)
            if game.bot_packages.get(bot):
                refused(ask, "fast")
            else:
                assert ask()().decide(begun(game), random.Random(7))
    assert serai.game("camelup").new(4).apply(serai.game("camelup").parse("die green 2"))
    refused(lambda: serai.game("camelup").odds("1gyo 3bw"), "fast")
    refused(lambda: __import__("serai.envs.pettingzoo"), "envs")
    for module in (
        "serai.camelup.kernel.rules",
        "serai.pharaoh.policy.styles",
        "serai.lab.jit",
        "serai.arena.ratings",
    ):
        refused(partial(__import__, module), "fast")
    refused(lambda: __import__("serai.server.app"), "play")
    asked = subprocess.run([COMMAND, "games"], capture_output=True, text=True, check=False)
    assert asked.returncode == 2
    assert asked.stderr.strip().endswith("install Serai with its extra 'play'"), asked.stderr


def fast() -> None:
    """Compiled games with rows, odds, batches, rollouts, a review."""
    from serai.coach.review import review

    for name in serai.games():
        game = serai.game(name)
        run = serai.simulate(game, ["random"] * 4, games=2000, seed=7, rotate=True)
        assert len(run.rows) == 2000
        assert abs(float(run.rows["share"].sum()) - 2000) < 1e-3
        batch = compiled(game).batch(8, 4, opponents="random", seat="rotate")
        assert batch is not None
        batch.step(batch.buffers.mask.argmax(axis=1))
        assert review(run.record(0), 0, effort="low").accounts
        refused(run.to_pandas, "data")
    odds = serai.game("camelup").odds("1gyo 3bw")
    assert odds is not None
    assert odds.actions


def envs() -> None:
    """PettingZoo, Gymnasium and OpenSpiel make the games, and their own checkers have nothing to say."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    import serai.envs
    from serai.envs import pettingzoo

    for name, registered in (("camelup", "CamelUp"), ("pharaoh", "Pharaoh")):
        api_test(pettingzoo.env(name, players=3), num_cycles=100)
        seed_test(lambda name=name: pettingzoo.env(name, players=3), num_cycles=30)
        env = gymnasium.make(f"serai/{registered}-v0", opponents=["random"] * 2)
        check_env(env.unwrapped, skip_render_check=True)
    if find_spec("pyspiel") is not None:
        import pyspiel

        import serai.envs.openspiel

        for name in serai.games():
            pyspiel.random_sim_test(pyspiel.load_game(f"python_serai_{name}"), 1, False, False)


def data() -> None:
    """Rows as data frames and Arrow tables, played by the referee."""
    run = serai.simulate("camelup", ["random"] * 2, games=20, seed=7)
    assert len(run.to_pandas()) == run.to_polars().height == run.to_arrow().num_rows == 20


def cluster() -> None:
    """Games on a cluster of this machine are the same as without one."""
    there, here = (serai.simulate("camelup", ["random"] * 2, games=20, seed=7, cluster=on) for on in ("local:1", None))
    assert (there.rows == here.rows).all()


def gpu() -> None:
    """The compiled games, and a sentence where there is no GPU."""
    from numba import cuda

    kind = compiled(serai.game("camelup"))
    if cuda.is_available():
        assert len(kind.batch(8, 4, device="gpu")) == 8
        return
    said = ""
    try:
        kind.batch(8, 4, device="gpu")
    except serai.errors.SeraiError as problem:
        said = str(problem)
    assert "GPU" in said, said or "there is no GPU here"


def play() -> None:
    """The commands, and a server at which somebody plays a game against a bot."""
    names = json.loads(subprocess.run([COMMAND, "games", "--json"], capture_output=True, text=True, check=True).stdout)
    assert {game["name"] for game in names} == set(serai.games())
    place = [COMMAND, "serve", "--no-open", "--no-bot-delay", "--port", "0", "--database", "tables.db"]
    server = subprocess.Popen(place, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = next(found for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
        for name in serai.games():
            asyncio.run(_at_a_table(found.group(), name))
    finally:
        server.terminate()
        server.wait(30)


async def _at_a_table(address: str, name: str) -> None:
    from websockets.asyncio.client import connect

    from serai.bots.remote import Guest

    token = "a-host-who-only-starts-the-game"
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    wanted = json.dumps({"game": name, "seats": 2, "bots": {"1": "random"}}).encode()
    request = urllib.request.Request(f"{address}/api/tables", wanted, headers)
    with urllib.request.urlopen(f"{address}/") as page:
        assert b'<div id="page">' in page.read()
    with urllib.request.urlopen(f"{address}/api/games?tried=true") as games:
        assert games.status == 200
    with urllib.request.urlopen(request) as made:
        link = json.load(made)["link"]
    guest, rng = Guest(link, token), random.Random(7)
    seat = guest.join("Ann")
    playing = asyncio.create_task(guest.play(seat, lambda view: rng.choice(view.actions())))
    socket = f"{address.replace('http', 'ws', 1)}/api/tables/{guest.table}/socket?seat={seat}"
    async with connect(socket, additional_headers=headers, max_queue=None) as host:
        await host.recv()
        await host.send(json.dumps({"type": "start", "id": "h1"}))
        scores = await asyncio.wait_for(playing, 240)
    assert len(scores) == 2
    with urllib.request.urlopen(f"{address}/api/tables/{guest.table}/record") as record:
        text = record.read().decode()
    from serai.core.record import Record, verify

    assert verify(Record.read(text)).draws_checked


if __name__ == "__main__":
    {part.__name__: part for part in (base, fast, envs, data, cluster, gpu, play)}[sys.argv[1]]()
