"""What only the store in PostgreSQL can meet with."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from serai import games
from serai.server.http.socket import TRY_LATER
from serai.server.store.base import StoreError
from serai.server.store.postgres import APPEND, APPEND_UNDER_LEASE, PostgresStore
from serai.table.chain import Stored
from tests.postgres import Cluster
from tests.server.stores import kept_in, made_up
from tests.server.support import PATIENCE, Visitor, house, run

SOCKET = ".s.PGSQL.5432"
FIVE_COLUMNS = b"D\0\0\0\6\0\5"
"""A row as no query of the store has one."""


class Line:
    """The way between a store and its database, which can be spoilt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._carrying: set[asyncio.Task[None] | None] = set()
        self.spoilt = False

    @contextlib.asynccontextmanager
    async def open(self, folder: Path) -> AsyncIterator[None]:
        """Let connections to this folder reach the database, until the last of them ends."""
        async with await asyncio.start_unix_server(self._carry, folder / SOCKET):
            yield
            while self._carrying:
                await asyncio.sleep(0.01)

    async def _carry(self, asked: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        self._carrying.add(asyncio.current_task())
        told, ask = await asyncio.open_unix_connection(self._folder / SOCKET)
        await asyncio.gather(self._pump(asked, ask), self._pump(told, answer, spoil=True))
        self._carrying.discard(asyncio.current_task())

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, spoil: bool = False) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(1 << 16):
                target.write(FIVE_COLUMNS + data if spoil and self.spoilt else data)
                await target.drain()
        target.close()
        with contextlib.suppress(OSError):
            await target.wait_closed()


def test_what_cannot_be_understood_is_a_fault_like_any_other(postgres: Cluster, tmp_path: Path) -> None:
    async def work() -> None:
        line = Line(postgres.folder)
        address = postgres.new_database().replace(str(postgres.folder), str(tmp_path))
        async with line.open(tmp_path):
            store = PostgresStore(address)
            await store.open()
            await store.append("t", made_up(0, b"before"))
            line.spoilt = True
            async with asyncio.timeout(PATIENCE):
                with pytest.raises(StoreError):
                    await store.append("t", made_up(1, b"doubtful"))
                with pytest.raises(StoreError):
                    await kept_in(store, "t")
                line.spoilt = False
                kept = await kept_in(store, "t")
                await store.append("t", made_up(len(kept), b"after"))
            assert (await kept_in(store, "t"))[-1] == b"after"
            await store.close()

    run(work())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_what_is_removed_while_another_process_adds_to_it_is_wholly_gone(database: str) -> None:
    async def work() -> None:
        here, there = PostgresStore(database), PostgresStore(database)
        await here.open()
        await there.open()
        tables = [f"t{number}" for number in range(100)]
        for table in tables:
            await here.append(table, made_up(0, b""))
            adding = [here.append(table, made_up(1, b"")), here.append("busy", made_up(int(table[1:]), b""))]
            await asyncio.gather(*adding, there.remove([table]), return_exceptions=True)
        assert [await kept_in(here, table) for table in tables] == [[]] * len(tables)
        assert len(await kept_in(here, "busy")) == len(tables)
        await here.close()
        await there.close()

    run(work())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_saving_costs_no_more_when_much_has_been_saved(database: str) -> None:
    async def work() -> None:
        store = PostgresStore(database)
        await store.open()
        count = 200
        numbers = list(range(count))
        values: list[list[object]] = [["t"] * count, [*numbers], [b""] * count, *([] for _ in range(8))]
        values += [[number - 1 for number in numbers], [b""] * count]
        for statement, lease in ((APPEND, []), (APPEND_UNDER_LEASE, [1, ["t"], [1]])):
            plan = await store.read(f"explain {statement}", *values, *lease)
            told = "\n".join(line[0] for line in plan)
            assert "Seq Scan on entries" not in told, told
            assert "Index Only Scan using entries_pkey" in told, told
        await store.close()

    run(work())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_a_seat_taken_at_another_process_is_known_before_word_of_it_comes(database: str) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann, bob = Visitor(here.base), Visitor(there.base)
            table = await ann.create(games()[0], seats=2)
            await ann.join(table, "Ann")
            here.hall.peers._listener = None  # news is late
            assert await bob.join(table, "Bob") == 1
            bob.base = here.base
            async with bob.at(table, seat=1) as b:
                assert (await b.heard("welcome"))["seat"] == 1
            async with ann.at(table, seat=1) as a:
                await a.socket.wait_closed()
                assert a.socket.close_code == 4409, "what is not theirs is still not theirs"

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_others_are_heard_while_there_is_no_connection_to_write_on(database: str) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann, bob = Visitor(here.base), Visitor(there.base)
            table = await ann.create(games()[0], seats=2)
            await bob.join(table, "Bob")
            async with ann.at(table) as a, bob.at(table) as b:
                await a.heard("presence")
                here.hall.store._writing.terminate()  # as after an answer that did not come in time
                await b.do("say", text="can you hear me?")
                assert (await a.heard("chat"))["text"] == "can you hear me?"

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_what_nobody_thought_of_does_not_end_the_listening(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann, bob = Visitor(here.base), Visitor(there.base)
            table = await ann.create(games()[0], seats=2)
            await bob.join(table, "Bob")
            peers = here.hall.peers
            peers._listener = msgspec.structs.replace(peers._listener, lost=_fail)
            async with bob.at(table) as b:
                peers._guard.terminate()
                peers._unannounced.add("a table nobody is at")
                peers._wake.set()
                async with asyncio.timeout(PATIENCE):
                    while caplog.text.count("Traceback") < 2:
                        await asyncio.sleep(0.01)
                peers._unannounced.discard("a table nobody is at")
                async with ann.at(table) as a:
                    await b.until(lambda told: told["type"] == "presence" and told["watching"] == 1)
                    await b.do("say", text="can you hear me?")
                    assert (await a.heard("chat"))["text"] == "can you hear me?"

    run(play())
    assert "NotImplementedError while watching the connection" in caplog.text
    assert "KeyError while announcing who is connected" in caplog.text


def _fail() -> None:
    raise NotImplementedError


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_nobody_is_refused_only_because_word_from_another_process_is_late(database: str) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann, bob = Visitor(here.base), Visitor(there.base)
            table = await ann.create(games()[0], seats=2)
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                here.hall.peers._listener = None  # news is late
                await bob.join(table, "Bob")
                await a.do("start")
                assert (await a.ask("start"))["key"] == "table.phase", "what is refused for good still is"

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_a_table_that_was_removed_when_word_of_it_comes_is_let_go(database: str) -> None:
    async def play() -> None:
        async with house(database) as here:
            ann = Visitor(here.base)
            table = await ann.create(games()[0], seats=2)
            async with ann.at(table) as a:
                await a.heard("welcome")
                await here.hall.store.remove([table])
                here.hall.peers._listener.changed(table, 7)
                await a.socket.wait_closed()
                assert a.socket.close_code == 4404
            assert len(here.hall.tables) == 0

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_word_that_comes_while_the_store_is_read_is_no_sign_of_a_removed_table(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann, bob = Visitor(here.base), Visitor(there.base)
            table = await ann.create(games()[0], seats=2)
            await bob.join(table, "Bob")
            async with ann.at(table) as a, bob.at(table) as b:
                await a.heard("welcome")
                read, live = here.hall.store.entries, here.hall.tables[table]
                while live.table.n < 1:  # word of Bob may be on its way
                    await asyncio.sleep(0.005)

                async def read_slowly(table_id: str, after: int = -1) -> list[Stored]:
                    found: list[Stored] = await read(table_id, after)
                    if found:
                        monkeypatch.undo()
                        await b.do("say", text="two")
                        while live.heard_of < live.table.n + 2:
                            await asyncio.sleep(0.005)
                    return found

                monkeypatch.setattr(here.hall.store, "entries", read_slowly)
                await b.do("say", text="one")
                assert [(await a.heard("chat"))["text"] for _ in range(2)] == ["one", "two"]

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_nobody_is_shown_less_than_they_have_seen_elsewhere(database: str) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann = Visitor(here.base)
            table = await ann.create(games()[0], seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table, seat=0) as a:
                await there.hall.find(table)
                there.hall.peers._listener = None  # news is late
                await a.do("start")
                await a.act(a.actions[0])
            ann.base = there.base
            async with ann.at(table, seat=0, seen=a.n) as again:
                assert (await again.next())["type"] == "presence", "there is nothing they missed"
            async with ann.at(table, seat=0, seen=a.n + 5) as ahead:
                assert (await ahead.next())["n"] == a.n

    run(play())


@pytest.mark.parametrize("new_database", ["postgres"], indirect=True)
def test_a_page_that_is_loaded_anew_at_another_process_does_not_go_back_in_time(database: str) -> None:
    async def play() -> None:
        async with house(database) as here, house(database) as there:
            ann = Visitor(here.base)
            table = await ann.create(games()[0], seats=2)
            await ann.join(table, "Ann")
            await ann.join(table, "Bob")
            async with ann.at(table, seat=0) as a:
                await there.hall.find(table)
                there.hall.peers._listener = None  # news is late
                await a.do("start")
                acted = await a.act(a.actions[0])
            ann.base = there.base
            async with ann.at(table, seat=0) as anew:
                assert (await anew.heard("welcome"))["n"] == acted["n"]
            there.hall.store._pool.terminate()  # and what cannot be known is not made up
            async with ann.at(table, seat=0) as away:
                await away.socket.wait_closed()
                assert away.socket.close_code == TRY_LATER
            async with ann.at(table, seat=0, seen=acted["n"]) as back:
                assert (await back.next())["type"] == "presence", "who says what they have seen goes on from there"

    run(play())
