"""Makes the golden database and records of the current format: ``python -m tests.upgrade.make``.

They stand for what hosts and players have stored. Each format has a folder of its own, ``formatN``; once a release has
written a format, its folder stays as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import sqlite3
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from serai import games
from serai.server.settings import Sources
from serai.server.store import postgres_schema
from serai.server.store.base import FORMAT, DeviceRow, Store
from serai.server.tables.hall import device_of
from serai.table import proposals
from serai.wire.bodies import BanInfo, ReportInfo
from tests.cli.terminal import CTRL_D, Terminal
from tests.server.support import QUICK, Json, Socket, Visitor, house
from tests.upgrade.people import TOKENS

SOON = 6
"""How many actions a running game has behind it."""
SHORT: dict[str, Json] = {"pharaoh": {"max_rounds": 12}}
"""Options with which a game comes to its end soon, where it would take long."""
FAR = 4e9
"""Seconds since 1970: the year 2096."""
TYPED = {"camelup": ("leg blue", "roll", "roll"), "pharaoh": ("reveal b1",)}
"""What is typed in the terminal before the game is left."""


class Maker:
    """Goes round a house and leaves tables behind."""

    def __init__(self, hall: Any, base: str, ids: list[str]) -> None:
        self._hall = hall
        self.ann, self.ben = Visitor(base, TOKENS["ann"]), Visitor(base, TOKENS["ben"])
        self._ids = ids
        self._rng = random.Random(7)
        self.tables: list[str] = []

    async def create(self, table: str, game: str, **wanted: object) -> str:
        self._ids.append(table)
        self.tables.append(table)
        assert await self.ann.create(game, **wanted) == table
        return table

    async def act(self, socket: Socket) -> None:
        await socket.my_turn()
        action = self._rng.choice(socket.actions)
        socket.actions = []
        await socket.act(action)

    async def lobby(self, game: str) -> None:
        table = await self.create(f"{game}lobby", game, seats=4, bots={"2": "random"}, table_rules={"public": True})
        await self.ann.join(table, "Ann")
        await self.ben.join(table, "Ben ☕")
        async with self.ann.at(table) as a, self.ben.at(table) as b:
            await a.do("set_options", options={"first": 1, **SHORT.get(game, {})})
            await a.do("arrange", order=[1, 0, 2, 3])
            await b.do("say", phrase="hello")

    async def running(self, game: str) -> None:
        """People and bots, with all that people do meanwhile; in the end paused, so that it stays as it is."""
        bots = {"1": "random", "3": "random"}
        table = await self.create(f"{game}running", game, seats=4, bots=bots, options=SHORT.get(game, {}))
        await self.ann.join(table, "Ann")
        await self.ben.join(table, "Ben ☕")
        async with self.ann.at(table) as a, self.ben.at(table) as b:
            await a.do("start")
            for _ in range(SOON):
                socket = await a.my_turn_or(b)
                await self.act(socket)
            await a.do("say", text="Viel Glück — à tous!")
            await b.do("mute", seat=0)
            await a.do("say", text="Do you hear me?")
            await b.do("say", phrase="good_luck")
            await b.do("pause")
            await a.do("resume")
            await b.do("leave", seat=2)
            await a.do("take_over", seat=2, bot="random")
            await self.act(a)
            await b.do("return", seat=2)
            await b.do("agree", on=True)
            await a.do("pause")

    async def hot_seat(self, game: str) -> None:
        """Three at one device, the last action taken back."""
        table = await self.create(f"{game}hotseat", game, seats=3, options=SHORT.get(game, {}))
        for name in ("Ann", "Ben ☕", "Cleo"):
            await self.ann.join(table, name)
        async with self.ann.at(table) as a:
            await a.do("start")
            await a.do("say", text="three at one table")
            for _ in range(SOON):
                await self._look_through_the_actor(a)
                await self.act(a)
            while True:
                await self._look_through_the_actor(a)
                seat = a.seat
                await self.act(a)
                await a.tell("look", seat=seat)
                await a.heard("welcome")
                if a.undo:
                    await a.do("undo", on=a.on)
                    return

    async def _look_through_the_actor(self, socket: Socket) -> None:
        if socket.view["actor"] != socket.seat:
            await socket.tell("look", seat=socket.view["actor"])
            await socket.heard("welcome")

    async def finished(self, game: str) -> None:
        table = await self.create(f"{game}finished", game, seats=2, bots={"1": "random"}, options=SHORT.get(game, {}))
        await self.ann.join(table, "Ann")
        async with self.ann.at(table) as a:
            await a.do("start")
            await a.play_to_the_end(self._rng)
            await a.do("say", phrase="well_played")
        self._ids.append(f"{game}continued")
        self.tables.append(f"{game}continued")
        body = {"table": table, "turn": 3, "seat": 0, "bot": "random"}
        assert (await self.ann.call("POST", "/api/continued", body)).status_code == 201

    async def hinted(self, game: str) -> None:
        """A game in which the coach was asked."""
        rules = {"hints": True, "clock": 0}
        table = await self.create(f"{game}hinted", game, seats=2, table_rules=rules, options=SHORT.get(game, {}))
        for name in ("Ann", "Cleo"):
            await self.ann.join(table, name)
        async with self.ann.at(table) as a:
            await a.do("start")
            await self._look_through_the_actor(a)
            live = await self._hall.find(table)
            visitor = device_of(self.ann.token)
            await live.submit(partial(proposals.hint, live.table, a.seat or 0, live.table.on, visitor))

    async def keep_the_rest(self, store: Store) -> None:
        """What is stored besides entries."""
        await store.save_devices([DeviceRow("phone", device_of(self.ann.token), 1.0), DeviceRow("lost", "", 2.0)])
        await store.offer_handover("phone", "hashed", until=FAR, now=0.0)
        await store.give_code("cameluplobby", "417203", until=FAR, now=0.0)
        await store.save_review("camelupfinished", "golden", b"review")
        await store.set_ban(BanInfo("address:192.0.2.7", "silence", until=FAR, why="shouting"), now=0.0)
        await store.add_report(
            ReportInfo(0, 3.0, "cameluplobby", 1, "Ben ☕", "b" * 32, "", "a" * 32, "golden"), most=9
        )

    async def forgotten(self, game: str) -> None:
        """Somebody who sat down in a lobby, left again, and was forgotten."""
        table, cid = f"{game}lobby", Visitor(self.ann.base)
        await cid.join(table, "Cid")
        async with cid.at(table) as c:
            await c.do("say", phrase="hello")
            await c.do("leave", seat=3)
        await self._hall.visitors.forget(device_of(cid.token))
        while await self._hall.store.erasures():
            await asyncio.sleep(0.01)

    async def agreed(self, game: str) -> None:
        """An end by agreement, and the table of the rematch."""
        table = await self.create(f"{game}agreed", game, seats=2, options=SHORT.get(game, {}))
        await self.ann.join(table, "Ann")
        await self.ben.join(table, "Ben ☕")
        async with self.ann.at(table) as a, self.ben.at(table) as b:
            await a.do("start")
            for _ in range(SOON):
                await self.act(await a.my_turn_or(b))
            await a.do("agree", on=True)
            await b.do("agree", on=True)
            self._ids.append(f"{game}rematch")
            self.tables.append(f"{game}rematch")
            await a.do("rematch")
        await self.ann.join(f"{game}rematch", "Ann")

    async def seen(self) -> Json:
        """What each visitor is shown of each table, through each of their seats."""
        shown: Json = {}
        for table in self.tables:
            for name, visitor in (("ann", self.ann), ("ben", self.ben)):
                async with visitor.at(table) as socket:
                    welcome = await socket.heard("welcome")
                    shown.setdefault(table, {})[f"{name} {welcome['seat']}"] = welcome
                    for seat in welcome["yours"][1:]:
                        await socket.tell("look", seat=seat)
                        shown[table][f"{name} {seat}"] = await socket.heard("welcome")
        return shown


async def make_tables(folder: Path, database: Path) -> None:
    """The database, what is seen of it, and the records of its games."""
    ids: list[str] = []
    sources = Sources(table_id=lambda: ids.pop() if ids else secrets.token_hex(10), date=lambda: "2026-11-01")
    async with house(str(database), QUICK, sources) as here:
        maker = Maker(here.hall, here.base, ids)
        for game in games():
            for make in (maker.lobby, maker.running, maker.hot_seat, maker.finished, maker.agreed, maker.hinted):
                await make(game)
            await maker.forgotten(game)
        await maker.keep_the_rest(here.hall.store)
        shown = await maker.seen()
        for table in maker.tables:
            if "view" in next(iter(shown[table].values())):
                (folder / f"{table}.serai").write_text(await maker.ann.record(table))
    lines = [
        f"{json.dumps(f'{table} {who}')}: {json.dumps(welcome, ensure_ascii=False, separators=(',', ':'))}"
        for table, welcomes in shown.items()
        for who, welcome in welcomes.items()
    ]
    (folder / "seen.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def make_saves(folder: Path) -> None:
    """A game in the terminal, left after a few actions."""
    for game in games():
        save = folder / f"{game}save.serai"
        with Terminal("play", game, "--seats", "Ann,random", "--save", str(save), home=folder / "home") as screen:
            for line in TYPED[game]:
                screen.wait_for("Ann> ")
                screen.line(line)
            screen.wait_for("Ann> ")
            screen.type(CTRL_D)
            assert screen.finish()[0] == 2, screen.text


def as_sql(database: Path) -> str:
    """The database as text in which entries can be read."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.create_function("text_of", 1, lambda entry: entry.decode(), deterministic=True)
        schema = db.execute("select type, name, sql from sqlite_schema where sql is not null").fetchall()
        lines = ["begin;", *(f"{sql};" for _, _, sql in schema)]
        for name in (name for kind, name, _ in schema if kind == "table"):
            columns = [column[1] for column in db.execute(f"pragma table_info({name})")]
            quoted = [
                "'cast(' || quote(text_of(entry)) || ' as blob)'" if one == "entry" else f"quote({one})"
                for one in columns
            ]
            found = db.execute(f"select {', '.join(quoted)} from {name}")
            lines += [f"insert into {name} values ({', '.join(values)});" for values in found]
        pragmas = {name: db.execute(f"pragma {name}").fetchone()[0] for name in ("application_id", "user_version")}
        lines += [f"pragma {name} = {value};" for name, value in pragmas.items()]
    return "\n".join([*lines, "commit;"]) + "\n"


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch) / "tables.db"
        asyncio.run(make_tables(folder, database))
        (folder / "tables.sql").write_text(as_sql(database))
    (folder / "postgres_schema.sql").write_text(postgres_schema.SCHEMA)
    make_saves(folder)


if __name__ == "__main__":
    main(Path(__file__).parent / f"format{FORMAT}")
