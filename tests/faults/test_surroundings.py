"""What goes wrong around a server: disks, folders, ports, clocks, and a second server."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import socket
import sqlite3
import urllib.request
from pathlib import Path

import msgspec

from serai import games
from serai.core.record import Record, verify
from serai.server.run import listen
from serai.server.settings import Sources
from serai.server.store.sqlite_schema import APPLICATION_ID
from tests.faults.support import BOTS_NEVER_ACT, process, refused
from tests.server.stores import entries_in
from tests.server.support import PATIENCE, QUICK, Visitor, any_kind, house, run
from tests.support import POSTGRES_IN_SOAK, wait_until

GAMES = games()


def test_full_disk_refuses_what_it_cannot_keep_and_goes_on_once_there_is_room(tmp_path: Path) -> None:
    unlimited = resource.RLIM_INFINITY

    async def play(pid: int, person: Visitor) -> None:
        rng = random.Random(1)
        table = await person.create(GAMES[0], seats=2)
        await person.join(table, "Ann")
        await person.join(table, "Bob")
        async with person.at(table, seat=0) as a, person.at(table, seat=1) as b:
            await a.do("start")
            full = (tmp_path / "tables.db-wal").stat().st_size
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (full, unlimited))
            answer = await a.ask("agree", on=False)
            assert answer["key"] == "server.store"
            assert "nothing has changed" in answer["text"]
            last = a.n
            mover = a if a.actions else b
            while not mover.actions:
                await mover.next()
            action = any_kind(mover.actions, rng)
            lost = await mover.ask("act", on=mover.on, action=action, id="again")
            assert lost["key"] == "server.store"
            assert (await person.call("GET", "/readyz")).status_code == 503
            assert (await person.call("GET", "/healthz")).status_code == 200
            assert (await person.call("GET", f"/api/tables/{table}")).json()["table"]["phase"] == "playing"
            assert (await person.call("POST", "/api/tables", {"game": GAMES[0]})).status_code == 503
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
            kept = await mover.do("act", on=mover.on, action=action, id="again")
            assert kept["n"] == last + 1, "no number is left out by what could not be kept"
            assert (await person.call("GET", "/readyz")).status_code == 200
            await asyncio.gather(a.play_to_the_end(rng), b.play_to_the_end(rng))
        assert verify(Record.read(await person.record(table))).draws_checked

    with process(tmp_path / "tables.db") as server:
        run(play(server.popen.pid, Visitor(server.base)))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    sealed = tmp_path / "sealed"
    sealed.mkdir(mode=0o500)
    folders = [tmp_path / "file" / "below", Path("/proc/serai")]
    if os.geteuid() != 0:
        folders.append(sealed)
    for folder in folders:
        code, told = refused("--database", str(folder / "tables.db"), "--port", "0")
        assert code == 2
        assert str(folder) in told
        assert "--database" in told
        assert told.count("\n") == 1


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann, " * 200)
    code, told = refused("--database", str(letter), "--port", "0")
    assert code == 2
    assert "cannot be used as a database" in told
    assert letter.read_text() == "Dear Ann, " * 200


def test_an_address_is_no_file() -> None:
    code, told = refused("--port", "0", env={**os.environ, "SERAI_DATABASE": "mysql://ann:password@db/serai"})
    assert code == 2
    assert "takes a file or postgresql://" in told
    assert "password" not in told


def test_a_database_of_a_newer_serai_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "tables.db") as db:
        db.execute(f"pragma application_id = {APPLICATION_ID}")
        db.execute("pragma user_version = 999")
    db.close()
    code, told = refused("--database", str(tmp_path / "tables.db"), "--port", "0")
    assert code == 2
    assert "newer Serai" in told


def test_a_second_server_on_the_same_file_refuses_and_names_the_first(tmp_path: Path) -> None:
    with process(tmp_path / "tables.db") as first:
        code, told = refused("--database", str(tmp_path / "tables.db"), "--port", "0")
        assert code == 2
        assert first.base in told
        assert f"process {first.popen.pid}" in told
        first.kill()
        with process(tmp_path / "tables.db"):
            pass  # a killed server leaves no lock behind


def test_a_taken_port_is_passed_over_or_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, told = refused("--database", str(tmp_path / "tables.db"), "--port", str(port))
        assert code == 2
        assert f"port {port}" in told
        assert "is taken" in told
        with listen("127.0.0.1", port, exactly=False) as other:
            assert port < other.getsockname()[1] < port + 20


def test_a_clock_that_jumps_back_stalls_nothing(database: str) -> None:
    now = [5_000_000.0]

    async def play() -> None:
        settings = msgspec.structs.replace(QUICK, bot_delay=True)
        sources = Sources(clock=lambda: now[0], date=lambda: "1999-12-31" if now[0] < 1_000_000 else "2026-01-01")
        async with house(database, settings=settings, sources=sources) as here:
            ann, bob = Visitor(here.base), Visitor(here.base)
            table = await ann.create(GAMES[0], seats=3, bots={"2": "random"})
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            async with ann.at(table) as a:
                async with bob.at(table) as b:
                    await a.do("start")
                    await a.my_turn_or(b)
                    now[0] -= 4_500_000
                    for mover in (a, b):
                        await mover.my_turn()
                        while mover.actions:
                            quiet = [x for x in mover.actions if x["type"] == "end"] or mover.actions
                            await mover.act(quiet[0])
                    async with asyncio.timeout(PATIENCE):
                        await a.my_turn()  # the bot moved, an hour "before" the start
                await a.until(lambda told: told["type"] == "presence" and bool(told["away"]))
                assert a.presence["away"] == [{"seat": 1, "grace": 60}]

    run(play())


def test_a_stopping_server_tells_its_clients_and_resumes_with_the_bots_turn(database: str) -> None:
    person = Visitor("")
    tables: list[str] = []

    async def begin(pid: int) -> None:
        table = await person.create(GAMES[0], seats=2, bots={"1": "random"})
        tables.append(table)
        await person.join(table, "Ann")
        async with person.at(table) as a:
            await a.do("start")
            while a.actions:
                ends = [x for x in a.actions if x["type"] == "end"] or a.actions
                await a.act(ends[0])
            os.kill(pid, signal.SIGTERM)  # while the bot leaves time for an undo
            assert (await a.heard("closing"))["reason"] == "shutdown"
            await a.socket.wait_closed()
            assert a.socket.close_code == 1012
            assert a.view["actor"] == 1

    async def see() -> None:
        async with person.at(tables[0]) as a:
            await a.heard("welcome")
            await a.my_turn()

    async def count() -> int:
        return len(await entries_in(database, tables[0]))

    with process(database, command=BOTS_NEVER_ACT) as server:
        person.base = server.base
        run(begin(server.popen.pid))
        assert server.popen.wait(10) in (0, -signal.SIGTERM)
    kept = asyncio.run(count())
    with process(database) as server:
        # the bot plays on, although nobody has asked for the table yet
        wait_until(lambda: asyncio.run(count()) > kept)
        person.base = server.base
        run(see())


def test_opened_to_the_network_it_shows_a_code_for_phones(tmp_path: Path) -> None:
    with process(tmp_path / "tables.db", "--public-url", "https://games.example") as server:
        assert server.popen.stdout is not None
        told = [server.popen.stdout.readline() for _ in range(16)]
    assert told[0] == "Other devices: https://games.example\n"
    assert sum(any(block in line for block in "█▀▄") for line in told) > 8, "a QR code in half blocks"


@POSTGRES_IN_SOAK
def test_ctrl_c_stops_cleanly(database: str) -> None:
    with process(database) as server:
        children = Path(f"/proc/{server.popen.pid}/task/{server.popen.pid}/children")
        urllib.request.urlopen(f"{server.base}/api/games").close()  # somebody asks for bots
        wait_until(lambda: children.read_text())
        workers = children.read_text().split()
        server.popen.send_signal(signal.SIGINT)
        assert server.popen.stdout is not None
        told = server.popen.stdout.read()
        assert server.popen.wait(10) == 0
    assert "all tables are saved" in told
    assert "Traceback" not in told
    wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
