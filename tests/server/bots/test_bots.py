"""Bots at tables, as a host's own package would bring them: what they see, and what they can spoil.

Where a bot writes down what it saw, the host trusts it: others can write nothing.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import os
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from serai import CHANCE, games
from serai.core.record import Record, replay, verify
from tests.faults.support import BOTS_NEVER_ACT, TRIALS_NOT_AWAITED, Process, process
from tests.server.support import Visitor, any_kind, run
from tests.support import POSTGRES_IN_SOAK, amount

GAMES = games()

BOTS = '''
import copy, functools, gc, json, os, random, sys, time
from serai import CHANCE
from serai.core.dealer import Dealer


def after_its_trial(misbehave):
    """Behaves when it is tried, at a game of two, and misbehaves at tables of three."""
    @functools.wraps(misbehave)
    def decide(view, rng):
        return view.actions()[0] if view.players == 2 else misbehave(view, rng)
    return decide


def unfit(view, rng):
    raise RuntimeError("I do not feel like it")


def unlawful(view, rng):
    return "not an action"


raising = after_its_trial(unfit)
wrong = after_its_trial(unlawful)


@after_its_trial
def printing(view, rng):
    print("garbage" * 1000)
    sys.stdout.flush()
    return view.actions()[0]


@after_its_trial
def dying(view, rng):
    os._exit(3)


@after_its_trial
def sleeping(view, rng):
    time.sleep(60)


class Patient:
    """Its trial, at a game of two, lasts as long as a file is not there; it always does the last thing it may."""

    def decide(self, view, rng):
        open(NOTES + ".trying", "w").close()
        while view.players == 2 and not os.path.exists(NOTES + ".go"):
            time.sleep(0.01)
        return view.actions()[-1]


class Watching:
    """Tells what it watched."""

    def __init__(self):
        self.events = []

    def watch(self, event):
        self.events.append(repr(event))

    def decide(self, view, rng):
        with open(NOTES + ".watched", "a") as notes:
            notes.write(json.dumps(self.events) + "\\n")
        return rng.choice(view.actions())


class Guessing:
    """Knows that bots elsewhere can foresee the dice: with the state of the true generator, or the dealer itself."""

    def decide(self, view, rng):
        risky = [action for action in view.actions() if view.apply(action).actor is CHANCE]
        if not risky:
            return rng.choice(view.actions())
        chance = view.apply(risky[0])
        dealers = [thing for thing in gc.get_objects() if isinstance(thing, Dealer)]
        guess = dealers[0].draw(chance) if dealers else chance.sample(copy.deepcopy(rng))
        with open(NOTES + ".guessed", "a") as notes:
            notes.write(json.dumps([repr(view), str(guess)]) + "\\n")
        return risky[0]
'''
NAMES = {
    name.lower(): f"tables_test_bots:{name}"
    for name in (
        *("unfit", "unlawful", "raising", "wrong", "printing", "dying", "sleeping"),
        *("Patient", "Watching", "Guessing"),
    )
}


Installed = Callable[..., dict[str, str]]


@pytest.fixture
def package(tmp_path: Path) -> Installed:
    """A package with these bots, installed where only this test's server finds it; what its environment says."""
    return lambda *bots: _installed(tmp_path, bots)


def _installed(tmp_path: Path, bots: tuple[str, ...]) -> dict[str, str]:
    folder = tmp_path / "bots"
    info = folder / "tables_test_bots-1.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (folder / "tables_test_bots.py").write_text(f"NOTES = {str(tmp_path / 'notes')!r}\n{BOTS}")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tables-test-bots\nVersion: 1\n")
    lines = "\n".join(f"{name} = {NAMES[name]}" for name in bots)
    (info / "entry_points.txt").write_text(f"[serai.bots]\n{lines}\n")
    return {"PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}


async def _offered(person: Visitor, game: str, bot: str) -> None:
    """Wait until a bot has been tried and found fit."""
    while bot not in await _bots(person, game):
        await asyncio.sleep(0.02)


async def _bots(person: Visitor, game: str, query: str = "") -> list[str]:
    told = (await person.call("GET", f"/api/games{query}")).json()
    bots: list[str] = next(info["bots"] for info in told if info["name"] == game)
    return bots


async def _whole_game(server: Process, game: str, bot: str, rng: random.Random) -> Record:
    person = Visitor(server.base)
    await _offered(person, game, bot)
    table = await person.create(game, seats=2, bots={"1": bot})
    await person.join(table, "Ann")
    async with person.at(table) as a:
        await a.do("start")
        await a.play_to_the_end(rng)
    return Record.read(await person.record(table))


@POSTGRES_IN_SOAK
def test_a_bot_that_fails_never_stalls_the_table(database: str, package: Installed) -> None:
    failing = ("raising", "wrong", "printing", "dying")

    async def play(server: Process, bot: str) -> None:
        person = Visitor(server.base)
        await _offered(person, GAMES[0], bot)
        table = await person.create(GAMES[0], seats=3, bots={"1": bot, "2": bot})
        await person.join(table, "Ann")
        async with person.at(table) as a:
            await a.do("start")
            for _ in range(3):
                await a.my_turn()
                await a.act(any_kind(a.actions, random.Random(1)))
            await a.my_turn()

    with process(database, env=package(*failing)) as server:
        for bot in failing:
            run(play(server, bot))


def test_a_bot_that_fails_its_trial_is_neither_offered_nor_seated(tmp_path: Path, package: Installed) -> None:
    async def look(server: Process) -> None:
        person = Visitor(server.base)
        for bot in ("unfit", "unlawful"):
            while (refused := await _refusal(person, bot))["key"] == "server.bot_warming":
                assert bot not in await _bots(person, GAMES[0], "?tried=true")
            assert refused["key"] == "server.bot_unfit"
            assert refused["values"] == {"bot": bot}
        await _offered(person, GAMES[0], "wrong")
        bots = await _bots(person, GAMES[0], "?tried=true")
        assert not {"unfit", "unlawful"} & set(bots)
        assert "random" in bots

    with process(tmp_path / "tables.db", env=package("unfit", "unlawful", "wrong")) as server:
        run(look(server))


async def _refusal(person: Visitor, bot: str) -> Any:
    answer = await person.call("POST", "/api/tables", {"game": GAMES[0], "seats": 2, "bots": {"1": bot}})
    assert answer.status_code == 409, answer.text
    return answer.json()


def test_a_bot_is_offered_only_once_it_has_been_tried(tmp_path: Path, package: Installed) -> None:
    async def look(server: Process) -> None:
        person = Visitor(server.base)
        assert "random" in await _bots(person, GAMES[0]), "which needs no trial"
        table = await person.create(GAMES[0], seats=2, bots={"1": "random"})
        assert "patient" not in await _bots(person, GAMES[0])
        assert (await _refusal(person, "patient"))["key"] == "server.bot_warming"
        await person.join(table, "Ann")
        async with person.at(table) as a:
            refused = await a.ask("place_bot", seat=1, bot="patient")
            assert refused["key"] == "server.bot_warming"
            (tmp_path / "notes.go").touch()
            await _offered(person, GAMES[0], "patient")
            await a.do("place_bot", seat=1, bot="patient")
        await person.create(GAMES[0], seats=2, bots={"1": "patient"})

    command = TRIALS_NOT_AWAITED
    with process(tmp_path / "tables.db", "--trust-bots", command=command, env=package("patient")) as server:
        run(look(server))


@POSTGRES_IN_SOAK
def test_a_table_that_was_left_with_a_bot_waits_for_its_trial(
    tmp_path: Path, database: str, package: Installed
) -> None:
    """It is not played at random meanwhile, and other tables go on."""
    ann, bob = Visitor(""), Visitor("")
    tables: list[str] = []
    go, trying = tmp_path / "notes.go", tmp_path / "notes.trying"
    go.touch()

    async def begin() -> None:
        await _offered(ann, GAMES[0], "patient")
        for person, bot in ((ann, "patient"), (bob, "random")):
            table = await person.create(GAMES[0], seats=3, bots={"1": bot, "2": bot})
            await person.join(table, "Somebody")
            tables.append(table)
        async with ann.at(tables[0]) as a:
            await a.do("start")
            while a.actions:
                await a.act(a.actions[-1])

    async def go_on() -> None:
        async with ann.at(tables[0]) as a, bob.at(tables[1]) as b:
            await a.heard("welcome")
            while not trying.exists():
                await asyncio.sleep(0.02)
            await b.do("start")
            for _ in range(3):
                await b.my_turn()
                await b.act(any_kind(b.actions, random.Random(1)))
            await b.my_turn()
            async with ann.at(tables[0]) as again:
                assert (await again.heard("welcome"))["n"] == a.n
            go.touch()
            assert (await a.heard("frame"))["action"] == {"type": "loser", "camel": None}, "its own choice, covered"

    with process(database, "--trust-bots", command=BOTS_NEVER_ACT, env=package("patient")) as server:
        ann.base = bob.base = server.base
        run(begin())
    go.unlink()
    trying.unlink()
    with process(database, "--trust-bots", env=package("patient")) as server:
        ann.base = bob.base = server.base
        run(go_on())


def test_without_numpy_neither_odds_nor_the_bots_that_need_it_are_offered(tmp_path: Path, package: Installed) -> None:
    environment = package()
    (tmp_path / "bots" / "sitecustomize.py").write_text('import sys\nsys.modules["numpy"] = None\n')

    async def look(server: Process) -> None:
        person = Visitor(server.base)
        for bot in ("quick", "greedy"):
            while (refused := await _refusal(person, bot))["key"] == "server.bot_warming":
                assert bot not in await _bots(person, "camelup", "?tried=true")
            assert refused["key"] == "server.bot_needs"
            assert refused["values"] == {"bot": bot, "extra": "fast"}
            assert "extra 'fast'" in refused["text"]
            assert bot not in await _bots(person, "camelup")
        told = (await person.call("GET", "/api/games")).json()
        assert not any(info["odds"] for info in told)
        seen = await person.call("POST", "/api/tables", {"game": "camelup", "seats": 2, "table_rules": {"odds": True}})
        assert not seen.json()["table"]["table_rules"]["odds"], "nor is a switch for them shown"
        asked = await person.call("GET", "/api/games/camelup/odds?position=1bgoyw")
        assert (asked.status_code, asked.json()["key"]) == (404, "server.lacks")

    with process(tmp_path / "tables.db", env=environment) as server:
        run(look(server))


@POSTGRES_IN_SOAK
def test_a_bot_that_takes_too_long_is_killed_and_the_game_goes_on(database: str, package: Installed) -> None:
    async def play(server: Process) -> None:
        slow, quick = Visitor(server.base), Visitor(server.base)
        await _offered(slow, GAMES[0], "sleeping")
        stuck = await slow.create(GAMES[0], seats=3, bots={"1": "sleeping", "2": "random"})
        fine = await quick.create(GAMES[0], seats=2, bots={"1": "random"})
        await slow.join(stuck, "Ann")
        await quick.join(fine, "Bob")
        async with slow.at(stuck) as a, quick.at(fine) as b:
            await a.do("start")
            await b.do("start")
            began = time.monotonic()
            await a.my_turn()
            await a.act(any_kind(a.actions, random.Random(1)))
            await b.play_to_the_end(random.Random(2))
            await a.my_turn()
            assert time.monotonic() - began < 30

    with process(database, "--bot-seconds", "0.5", env=package("sleeping")) as server:
        run(play(server))


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_watches_every_event_as_its_seat_sees_it(
    game: str, tmp_path: Path, database: str, package: Installed
) -> None:
    records: list[Record] = []

    async def play(server: Process) -> None:
        records.append(await _whole_game(server, game, "watching", random.Random(3)))

    with process(database, "--trust-bots", env=package("watching")) as server:
        run(play(server))
    seen = [json.loads(line) for line in (tmp_path / "notes.watched").read_text().splitlines()]
    told = [repr(event.seen_by(1)) for ply in replay(records[0]) for event in ply.events]
    lives = [notes for notes in seen if notes]
    assert len(lives) > 2
    for notes in lives:
        assert notes == told[: len(notes)], "in order, none twice, none left out, nothing hidden shown"


@POSTGRES_IN_SOAK
@pytest.mark.parametrize("game", GAMES)
def test_a_bot_guesses_draws_no_better_than_chance(
    game: str, tmp_path: Path, database: str, package: Installed
) -> None:
    records: list[Record] = []
    notes = tmp_path / "notes.guessed"

    async def play(server: Process) -> None:
        notes.touch()
        while len(notes.read_text().splitlines()) < amount(80, 400):
            records.append(await _whole_game(server, game, "guessing", random.Random(len(records))))

    with process(database, "--trust-bots", env=package("guessing")) as server:
        run(play(server))
    guesses = dict(json.loads(line) for line in notes.read_text().splitlines())
    hits = expected = variance = 0.0
    for record in records:
        assert verify(record).draws_checked
        for before, ply in itertools.pairwise(replay(record)):
            guess = guesses.get(repr(before.before.seen_by(1))) if before.before.actor == 1 else None
            if guess is None or ply.before.actor is not CHANCE:
                continue
            chances = {str(action): float(chance) for action, chance in ply.before.chances()}
            likely = chances[guess]
            expected += likely
            variance += likely * (1 - likely)
            hits += guess == str(ply.action)
    assert variance > 3
    assert abs(hits - expected) < 4.5 * math.sqrt(variance), (hits, expected)


def test_random_actions_for_a_bot_that_fails_are_counted(tmp_path: Path, package: Installed) -> None:
    async def play(server: Process) -> None:
        person = Visitor(server.base)
        await _offered(person, GAMES[0], "raising")
        table = await person.create(GAMES[0], seats=3, bots={"1": "raising", "2": "raising"})
        await person.join(table, "Ann")
        async with person.at(table) as a:
            await a.do("start")
            await a.my_turn()
            await a.act(any_kind(a.actions, random.Random(1)))
            await a.my_turn()
        counted = (await person.call("GET", "/metrics")).text
        assert re.search(r"^serai_bot_replacements_total [1-9]", counted, re.MULTILINE)

    with process(tmp_path / "tables.db", env=package("raising")) as server:
        run(play(server))
