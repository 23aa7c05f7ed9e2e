"""What a viewer is sent depends on nothing the viewer may not know."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import logging
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest

from serai import CHANCE, games
from serai import game as find_game
from serai.core import dealer
from serai.server.settings import Sources
from serai.server.tables.hall import device_of
from serai.table import table as live_table
from tests.server.stores import everything_in, files_of
from tests.server.support import House, Socket, Visitor, house, run
from tests.support import POSTGRES_IN_SOAK, amount

GAMES = games()
PEOPLE = 3
SET_UP = 5
"""Draws of a set-up that is left to chance."""
MOST_DRAWS = 6
"""No action of any game is followed by more draws than this."""


def _fixed(secret: bytes) -> Sources:
    """A server without any surprise but the secret."""
    ids = itertools.count()
    return Sources(
        clock=lambda: 1000.0,
        date=lambda: "2026-01-01",
        secret=lambda: secret,
        table_id=lambda: f"table{next(ids)}",
        token=lambda: "never-asked-for-never-asked",
    )


class World:
    """One table of persons, seen by each of them and by an onlooker, played by a script."""

    def __init__(self, here: House, game: str) -> None:
        self.here = here
        self.game = find_game(game)
        self.people = [Visitor(here.base, f"{'token-of-person-':-<29}{seat}") for seat in range(PEOPLE)]
        self.onlooker = Visitor(here.base, f"{'token-of-onlooker':-<30}")
        self.table = ""
        self.viewers: list[Socket] = []
        self.hidden_choices = 0

    @property
    def live(self) -> live_table.Table:
        found: live_table.Table = self.here.hall.tables[self.table].table
        return found

    @property
    def state(self) -> Any:
        assert self.live.snapshot is not None
        return self.live.snapshot.state

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        self.table = await self.people[0].create(self.game.name, seats=PEOPLE)
        for seat, person in enumerate(self.people):
            await person.join(self.table, f"Person {seat}", value=f"{seat:064x}")
        async with contextlib.AsyncExitStack() as stack:
            for person in (*self.people, self.onlooker):
                viewer = await stack.enter_async_context(person.at(self.table))
                self.viewers.append(viewer)
                await viewer.heard("welcome")
                for other in self.viewers:
                    await other.heard("presence")
            await self.viewers[0].do("start")
            await self._settle()
            yield

    async def _settle(self) -> None:
        for viewer in self.viewers:
            while viewer.n < self.live.n:
                await viewer.next()

    def pick(self, script: random.Random, hider: int | None, secretly: random.Random) -> Any:
        """An action, picked by how it looks to others; among those that look alike the hider picks secretly."""
        state = self.state
        looks: dict[str, list[Any]] = {}
        for action in state.actions():
            looks.setdefault(str(action.seen_by(None, state.actor)), []).append(action)
        kinds: dict[str, list[str]] = {}
        for look in looks:
            kinds.setdefault(look.split(" ")[0], []).append(look)
        alike = looks[script.choice(kinds[script.choice(list(kinds))])]
        chosen = alike[script.randrange(1 << 30) % len(alike)]
        if state.actor == hider and len(alike) > 1:
            self.hidden_choices += 1
            chosen = secretly.choice(alike)
        return chosen

    async def play(self, action: Any) -> None:
        await self.viewers[self.state.actor].act(msgspec.to_builtins(action))
        await self._settle()

    async def seen(self) -> list[str]:
        """All that each viewer was sent, over the socket and by REST."""
        streams = []
        for viewer in self.viewers:
            answers = [await viewer.visitor.call("GET", f"/api/tables/{self.table}{part}") for part in ("", "/record")]
            assert all(answer.status_code == 200 for answer in answers)
            pages = [await viewer.visitor.frames(self.table, seat) for seat in {None, viewer.seat}]
            told = "\n".join([*viewer.stream, *(answer.text for answer in answers), *map(json.dumps, pages)])
            streams.append(told.replace(viewer.visitor.base, "http://here"))
        return streams


@pytest.mark.parametrize("game", GAMES)
def test_streams_do_not_depend_on_the_undrawn_future(
    game: str, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_table, "commitment", lambda secret: "c" * 64)

    async def world(seed: int, later: int, future: bytes) -> tuple[list[str], list[str]]:
        """What is seen before and after a draw some way on; only draws from there on depend on ``future``."""
        known = MOST_DRAWS + later + (SET_UP if find_game(game).new(players=PEOPLE).actor is CHANCE else 0)

        def point(secret: bytes, mix: bytes, n: int, total: int) -> int:
            past = f"{seed} {n}".encode()
            return int.from_bytes(hashlib.sha256(past if n < known else past + secret).digest(), "big") % total

        monkeypatch.setattr(dealer, "draw_point", point)
        script = random.Random(seed)
        async with house(new_database(), sources=_fixed(future)) as here:
            told = World(here, game)
            async with told.open():
                while told.live.phase == "playing":
                    action = told.pick(script, None, script)
                    draws = told.state.apply(action).actor is CHANCE
                    if draws and told.live.drawn + MOST_DRAWS > known:
                        break
                    await told.play(action)
                seen = await told.seen()
                while told.live.phase == "playing" and told.live.drawn < known + 4:
                    await told.play(action)
                    if told.live.phase == "playing":
                        action = told.pick(script, None, script)
                return seen, await told.seen()

    async def compare() -> None:
        differed = 0
        for seed in range(amount(1, 8)):
            one, one_later = await world(seed, seed % 4, b"a" * 32)
            two, two_later = await world(seed, seed % 4, b"b" * 32)
            assert one == two
            differed += one_later != two_later
        assert differed, "there was a future to be hidden"

    run(compare())


@pytest.mark.every_pair  # only one game hides anything from others, and each store has its own ways
@pytest.mark.parametrize("game", GAMES)
def test_streams_do_not_depend_on_others_hidden_choices(
    game: str, new_database: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def world(seed: int, hider: int, secretly: random.Random) -> tuple[list[str], int]:
        script = random.Random(seed)
        async with house(new_database(), sources=_fixed(b"s" * 32)) as here:
            told = World(here, game)
            async with told.open():
                rest: list[str] = []
                for _ in range(300):
                    marks = [len(viewer.stream) for viewer in told.viewers]
                    seen = await told.seen() if told.live.on == 30 else []
                    await told.play(told.pick(script, hider, secretly))
                    if told.live.phase != "playing":
                        break  # the end shows everything
                    rest = seen or rest
                streams = ["\n".join(v.stream[:mark]) for v, mark in zip(told.viewers, marks, strict=True)]
                return [*streams, *rest], told.hidden_choices

    async def compare() -> None:
        hidden = 0
        for hider in range(amount(1, PEOPLE)):
            one, choices = await world(hider, hider, random.Random(1))
            two, _ = await world(hider, hider, random.Random(2))
            for at, (first, second) in enumerate(zip(one, two, strict=True)):
                seat = at % (PEOPLE + 1)  # the streams of all viewers, then what they got by REST
                if seat != hider:
                    assert first == second, f"seat {seat} is told what seat {hider} hides"
            if choices > 1:
                hidden += one[hider] != two[hider]
        assert hidden or not _hides_anything(game), "the hider's own stream shows that there was something to hide"

    run(compare())


def _hides_anything(name: str) -> bool:
    game = find_game(name)
    state: Any = game.new(players=2)
    rng = random.Random(0)
    for _ in range(50):
        if state.actor is CHANCE:
            state = state.apply(state.sample(rng))
            continue
        if any(action.seen_by(None) != action for action in state.actions()):
            return True
        state = state.apply(rng.choice(state.actions()))
        if state.over:
            break
    return False


@pytest.mark.every_pair
@pytest.mark.parametrize("game", GAMES)
def test_secret_and_tokens_appear_nowhere_while_the_game_runs(
    game: str, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for chatty in ("httpx", "httpcore", "websockets"):
        caplog.set_level(logging.WARNING, chatty)  # the client's own, which may know its token
    secret = hashlib.sha256(b"secret").digest()

    async def play() -> None:
        script = random.Random(9)
        async with house(database, sources=_fixed(secret)) as here:
            told = World(here, game)
            async with told.open():
                for _ in range(40):
                    await told.play(told.pick(script, None, script))
                    for viewer in told.viewers:  # and what goes wrong tells nothing either
                        await viewer.tell("act", on=0, action={"type": "nothing"})
                        await viewer.heard("refused")
                for viewer in told.viewers:
                    await viewer.visitor.call("POST", f"/api/tables/{told.table}/seats", {"id": 5})
                everything = "\n".join([*await told.seen(), caplog.text])
                assert len(everything) > 10_000
                for private in (secret.hex(), secret.hex()[:16], str(secret)[2:-1]):
                    assert private not in everything
                for person in (*told.people, told.onlooker):
                    assert person.token not in everything
                    assert device_of(person.token) not in everything
                for viewer in told.viewers[:PEOPLE]:
                    await viewer.do("agree")
                await told._settle()
                assert secret.hex() in told.viewers[-1].stream[-1], "told to everybody once the game has ended"
        stored = await everything_in(database)
        assert device_of(told.people[0].token).encode() in stored
        for person in (*told.people, told.onlooker):
            assert person.token.encode() not in stored, "the store knows no tokens either"
        assert not [file for file in files_of(database) if file.stat().st_mode & 0o077]

    run(play())


@POSTGRES_IN_SOAK
def test_nobody_looks_through_a_seat_that_is_not_theirs(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann, eve = Visitor(here.base), Visitor(here.base)
            table = await ann.create(GAMES[0], seats=2, bots={"1": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                async with eve.at(table, seat=0) as e:
                    await e.socket.wait_closed()
                    assert e.socket.close_code == 4409
                async with eve.at(table) as e:
                    assert (await e.heard("welcome"))["seat"] is None
                    assert (await e.ask("act", on=a.on, action=a.actions[0]))["key"] == "table.not_seated"
                    for kind in ("pause", "agree", "rematch", "start"):
                        assert (await e.ask(kind))["type"] == "refused"
                assert (await eve.call("GET", f"/api/tables/{table}/frames?seat=0")).status_code == 403

    run(play())
