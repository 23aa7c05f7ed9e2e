"""Whatever is sent to a server, it answers, never with a fault of its own, and tables play on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from serai import games
from serai.core.record import Record, verify
from serai.server.http.admin import HEADER
from serai.server.tables.hall import device_of
from tests.faults.support import process
from tests.server.support import Json, Visitor, any_kind, run
from tests.support import POSTGRES_IN_SOAK, amount

FRAMES = amount(3_000, 100_000)
EXAMPLES = amount(15, 300)
KINDS = [
    "look",
    "act",
    "undo",
    "say",
    "mute",
    "arrange",
    "place_bot",
    "vacate",
    "set_options",
    "start",
    "take_host",
    "pause",
    "resume",
    "take_over",
    "return",
    "leave",
    "agree",
    "rematch",
    "nothing",
]
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 3, 63, 64, 2**31, 2**63, -(2**70), 1.5, 1e308, "", "x", "random", "\0", "ß" * 50),
    *("x" * 300, "well_played", [], [0], [0, 0], [None] * 20, {}, {"a": 1}, {"type": "roll"}, {"first": 1}, [[[[]]]]),
)
FIELDS = ("id", "on", "seat", "action", "text", "phrase", "bot", "order", "options", "type", "extra")


def fuzz(rng: random.Random, seen: Json) -> str | bytes:
    """One message: now nearly right, now nonsense."""
    kind = rng.randrange(10)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return rng.choice(['{"type":', "[]", "null", '"', "{" * 5000, "[" * 8000, "x" * 8193, "\\ud800", "1e999"])
    message: Json = {"type": rng.choice(KINDS), "id": f"f{rng.randrange(10**9)}"}
    if rng.random() < 0.7:
        message["on"] = seen.get("on", 0) + rng.choice((0, 0, 0, -1, 1))
    if seen.get("actions") and rng.random() < 0.5:
        message["action"] = rng.choice(seen["actions"])
    for _ in range(rng.randrange(4)):
        message[rng.choice(FIELDS)] = rng.choice(VALUES)
    text = json.dumps(message)
    if kind == 2:
        cut = rng.randrange(len(text))
        return text[:cut] + rng.choice(["", "\0", "}", '"', "é"]) + text[cut + 1 :]
    return text


def rss(pid: int) -> int:
    """Kilobytes of memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@POSTGRES_IN_SOAK
def test_a_socket_takes_anything_and_the_table_plays_on(database: str) -> None:
    async def fuzz_on(base: str, table: str, token: str, rng: random.Random, count: int) -> None:
        """Send nonsense through connections of a visitor, seat or none, coming back whenever the server hangs up."""
        url = f"{base.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        sent = 0
        while sent < count:
            seen: Json = {}
            async with connect(
                url, additional_headers=headers, compression=None, max_queue=None, close_timeout=1
            ) as socket:

                async def hear(socket: Any = socket, seen: Json = seen) -> None:
                    with contextlib.suppress(ConnectionClosed):
                        async for text in socket:
                            told = json.loads(text)
                            assert told.get("key") != "server.error", text
                            seen.update({key: told[key] for key in ("on", "actions") if key in told})

                hearing = asyncio.create_task(hear())
                try:
                    for _ in range(min(200, count - sent)):
                        sent += 1
                        await socket.send(fuzz(rng, seen))
                except ConnectionClosed:
                    pass  # a message was too large, or no text
                await socket.close()
                await hearing
                assert socket.close_code in (1000, 1003, 1007, 1009, 4413), socket.close_code

    async def play(pid: int, base: str) -> None:
        rng = random.Random(13)
        ann, bob = Visitor(base), Visitor(base)
        quiet = await ann.create(games()[0], seats=2)
        await ann.join(quiet, "Ann")
        await bob.join(quiet, "Bob")
        victims = [await ann.create(game, seats=3, bots={"2": "random"}) for game in games()]
        for table in victims:
            await ann.join(table, "Ann")
            await bob.join(table, "Bob")
            async with ann.at(table) as a:
                await a.do("start")
        jobs = [(table, token) for table in victims for token in (ann.token, bob.token, "")]
        share = FRAMES // len(jobs) + 1
        await asyncio.gather(*(fuzz_on(base, table, token, rng, share // 10) for table, token in jobs))
        before = rss(pid)
        fuzzing = asyncio.gather(*(fuzz_on(base, table, token, rng, share) for table, token in jobs))
        async with ann.at(quiet) as a, bob.at(quiet) as b:
            await a.do("start")
            while not a.over:
                mover = await a.my_turn_or(b)
                if a.over:
                    break
                await mover.act(any_kind(mover.actions, rng))
            await fuzzing
        assert verify(Record.read(await ann.record(quiet))).draws_checked
        for table in victims:
            verify(Record.read(await ann.record(table)))
        grown = rss(pid) - before
        assert grown < 20_000 + 2 * FRAMES, f"{grown} kB more: what is said stays, nonsense does not"
        metrics = (await ann.call("GET", "/metrics")).text
        assert "serai_sockets 0" in metrics, "no connection is kept"

    with process(database) as server:
        run(play(server.popen.pid, server.base))
        server.popen.terminate()
        assert server.popen.stdout is not None
        assert "Traceback" not in server.popen.stdout.read()


async def write_settings(file: Path, visitor: Visitor, stranger: Visitor, key: str) -> None:
    """As whom the fuzzer asks, and names of what there is at a server, so that not every question is about what there
    is not: games, a record, and a table of each game in each phase, with this visitor at it, and the codes of those
    that wait. Only strangers are forgotten and shut out, and only tables that nothing else needs are removed.
    """
    tables, codes, exercises = [], [], []
    for game in games():
        waiting, playing, over = [await visitor.create(game, seats=2, table_rules={"public": True}) for _ in range(3)]
        for table in (playing, over):
            await visitor.join(table, "Ann")
            await visitor.join(table, "Bob")
            async with visitor.at(table) as a:
                await a.do("start")
                if table == over:
                    await a.my_turn()
                    await a.act(any_kind(a.actions, random.Random(1)))
                    await a.do("agree")
        tables += [waiting, playing, over]
        found = await visitor.call("GET", f"/api/exercises/{game}")
        exercises += [found.json()["today"]] if found.status_code == 200 else []
        codes.append((await visitor.call("POST", f"/api/tables/{waiting}/code")).json()["code"])
    advised = [one for one in tables if (await visitor.call("GET", f"/api/tables/{one}/advice")).status_code == 200]
    needless = [await stranger.create(games()[0], seats=2) for _ in range(3)]
    for table in needless:
        await stranger.join(table, "Zoe")
    rude = Visitor(visitor.base)
    reported = await rude.create(games()[0], seats=2)
    await rude.join(reported, "Max")
    reports = range(1, 21)
    for _ in reports:
        told = await visitor.call(
            "POST", f"/api/tables/{reported}/reports", {"seat": 0, "text": "I will not repeat it"}
        )
        assert told.status_code < 300, told.text
    strangers = [device_of(name.token) for name in (stranger, Visitor(visitor.base), Visitor(visitor.base))]
    known: dict[str, tuple[Sequence[str | int], tuple[str, ...]]] = {
        "tables": (tables, ("path.table_id",)),
        "finished": (tables[2::3], ("body.table",)),
        "bots": (["random"], ("body.bot",)),
        "seats": ([0, 1], ("body.seat", "query.seat")),
        "changes": ([0, 1, 2], ("body.on", "body.turn")),
        "entries": ([9, 0], ("query.n",)),
        "codes": (codes, ("path.code",)),
        "games": (list(games()), ("path.game", "path.name", "query.game", "body.game")),
        "positions": (["1gyo 3bw | +5 -9 | bgoyw"], ("query.position",)),
        "records": ([await visitor.record(tables[-1])], ("body.record",)),
        "exercises": (exercises, ("path.exercise",)),
        "strangers": (strangers, ("path.visitor",)),
        "subjects": (["203.0.113.7", *strangers], ("body.subject",)),
        "reports": (list(reports), ("path.report",)),
        "needless": (needless, ()),
        "reported": ([reported], ()),
        "advised": (advised, ()),
    }

    def drawn(place: str, name: str) -> str:
        return f'parameters."{place}" = {{ dictionary = "{name}", probability = 0.8 }}'

    lines = [f'headers = {{ Authorization = "Bearer {visitor.token}" }}']
    lines += [f"dictionaries.{name}.values = {json.dumps(values)}" for name, (values, _) in known.items()]
    lines += [drawn(place, name) for name, (_, places) in known.items() for place in places]
    lines += [
        *("[[operations]]", 'include-name = "DELETE /api/me"'),
        f'headers = {{ Authorization = "Bearer {stranger.token}" }}',
        *("[[operations]]", 'include-path-regex = "^/api/admin/"', f'headers = {{ {HEADER} = "{key}" }}'),
        *("[[operations]]", 'include-name = "DELETE /api/admin/tables/{table_id}"', drawn("path.table_id", "needless")),
        *("[[operations]]", 'include-name = "POST /api/tables/{table_id}/reports"', drawn("path.table_id", "reported")),
        *("[[operations]]", 'include-name = "GET /api/tables/{table_id}/advice"', drawn("path.table_id", "advised")),
    ]
    file.write_text("\n".join(lines))


BEYOND_NAMES = {"POST /api/exercises/{game}/{exercise}", "POST /api/tables/{table_id}/hints"}
"""Of an action that fits a position the fuzzer cannot be told, and a hint would take the coach's process."""


def met_nothing(told: str) -> set[str]:
    """The operations of which a run says that they only ever answered 404."""
    _, _, missing = told.partition("Missing test data")
    return set(re.findall(r"^ *- (\S+ \S+)$", missing.partition("Schema validation")[0], re.MULTILINE))


@POSTGRES_IN_SOAK
def test_whatever_the_description_allows_gets_an_answer_it_describes(tmp_path: Path, database: str) -> None:
    key_file = tmp_path / "key"
    with process(database, "--host-key-file", str(key_file)) as server:
        asks, is_forgotten = Visitor(server.base, "a" * 30), Visitor(server.base, "b" * 30)
        run(write_settings(tmp_path / "schemathesis.toml", asks, is_forgotten, key_file.read_text().strip()))
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{server.base}/api/openapi.json"),
            *("--checks", "not_a_server_error,response_schema_conformance,content_type_conformance"),
            *("--max-examples", str(EXAMPLES), "--no-color", "--seed", "7", "--generation-database", "none"),
            *("--request-timeout", "20", "--phases", "examples,coverage,fuzzing"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert met_nothing(done.stdout) <= BEYOND_NAMES, "an operation met nothing but 404"

        async def still_there() -> None:
            assert (await Visitor(server.base).call("GET", "/readyz")).status_code == 200

        run(still_there())
        server.popen.terminate()
        assert server.popen.stdout is not None
        assert "Traceback" not in server.popen.stdout.read()
