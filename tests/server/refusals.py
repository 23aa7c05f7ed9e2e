"""Requests with a body that a server refuses, one of every kind at every endpoint that takes a body."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

from serai.coach.exercises import exercises
from serai.core.record import Record, Seat
from serai.core.registry import game as find_game
from tests.support import random_play

EMOJI = "🐪"
"""One of these makes Python keep four bytes for every character of a text."""
LARGE = 124_000
"""Characters of padding in a record: nearly as many as are allowed."""
GAME = "camelup"
PATHS = (
    "/api/review",
    "/api/replay",
    "/api/replay/advice",
    "/api/continued",
    "/api/tables",
    "/api/tables/{table}/seats",
    "/api/tables/{table}/hints",
    "/api/tables/{table}/code",
    f"/api/exercises/{GAME}/nothing",
    "/api/handover",
    "/api/handover/look",
    "/api/handover/claim",
)
BODIES: dict[str, dict[str, Any]] = {
    "/api/review": {},
    "/api/replay": {},
    "/api/replay/advice": {"n": 1},
    "/api/continued": {"turn": 1, "seat": 0, "bot": "random"},
}
"""Endpoints that take a record, and what they want beside it."""


def refusals(table: str) -> Iterator[tuple[str, str, bytes]]:
    """What is wrong, the path to send it to, and the body."""
    for path in (path.format(table=table) for path in PATHS):
        yield "no JSON", path, b'{"record": "' + EMOJI.encode() + b"x" * LARGE
        yield "no UTF-8", path, b'{"record": "' + b"\xff" * LARGE + b'"}'
        yield "nested", path, b"[" * LARGE
        yield "wrong type", path, json.dumps([EMOJI + "x" * LARGE], ensure_ascii=False).encode()
        yield "unknown field", path, json.dumps({"large": EMOJI + "x" * LARGE}, ensure_ascii=False).encode()
        yield "too large", path, b" " * 300_000
        yield "much for a seat", path, json.dumps({"large": EMOJI + "x" * 15_000}, ensure_ascii=False).encode()
    for path, more in BODIES.items():
        for name, record in _records():
            yield name, path, json.dumps({**more, "record": record}, ensure_ascii=False).encode()
    small = EMOJI + "x" * 3000
    for name, body in (
        ("unknown game", {"game": "chess"}),
        ("odd option", {"game": GAME, "options": {"large": small}}),
        ("odd value of an option", {"game": GAME, "options": {"first": small}}),
        ("unknown bot", {"game": GAME, "seats": 2, "bots": {"1": "nobody"}}),
    ):
        yield name, "/api/tables", json.dumps(body, ensure_ascii=False).encode()
    seat = {"id": "1", "name": "Ann", "value": "0" * 64}
    yield "no such seat", f"/api/tables/{table}/seats", json.dumps({**seat, "seat": 9}).encode()
    yield "no such table", "/api/tables/abc/seats", json.dumps(seat).encode()
    yield "no hints here", f"/api/tables/{table}/hints", json.dumps({"seat": 0, "on": 0}).encode()
    yield "no such table", "/api/tables/abc/hints", json.dumps({"seat": 0, "on": 0}).encode()
    yield "no such table", "/api/continued", json.dumps({**BODIES["/api/continued"], "table": "abc"}).encode()
    yield "neither table nor record", "/api/continued", json.dumps(BODIES["/api/continued"]).encode()
    collection = exercises(find_game(GAME))
    assert collection is not None
    known = collection.exercises[0].id
    for name, action in (("no action", {"large": small}), ("unknown kind", {"type": small})):
        yield name, f"/api/exercises/{GAME}/{known}", json.dumps({"action": action}, ensure_ascii=False).encode()
    for path in ("/api/handover/look", "/api/handover/claim"):
        yield "unknown code", path, json.dumps({"code": "0000-0000"}).encode()


def _records() -> Iterator[tuple[str, str]]:
    """Records that are refused, most of them with a large comment."""
    padding = f"; {EMOJI}{'x' * LARGE}\n"
    game = find_game(GAME)
    plays = itertools.islice(random_play(game, 2, random.Random(3)), 12)
    actions = tuple(str(action) for _, action, _, _ in plays)
    sound = Record(game.name, game.version, (Seat("A"),) * 2, {}, actions=actions).write()
    head = f'game: {GAME}\nrules: {game.version}\nseats: "A", "B"\n'
    yield "no record", EMOJI + "x" * LARGE
    yield "meaningless lines", f"{EMOJI}\n" * (LARGE // 4)
    yield "unknown game", f'game: chess\nrules: 1\nseats: "A", "B"\n\n{padding}result 1 1\n'
    yield "other rules", sound.replace(f"rules: {game.version}", "rules: 999") + padding
    yield "illegal action", sound + padding + "zzz zzz\n"
    yield "illegal first action", f"{head}\n{padding}zzz\n"
    yield "many seats", head.replace('"A", "B"', ",".join(['"A"'] * 30_000)) + f"\n; {EMOJI}\n"
    yield "many actions", f"{head}\n; {EMOJI}\n" + "zzz\n" * 30_000
    yield "large option", head + 'options: {"' + EMOJI + "x" * LARGE + '": 1}\n\n'
    yield "large action", f"{head}\n{EMOJI}{'x' * LARGE}\n"


def posted(path: str, body: bytes) -> bytes:
    """The request that sends this body, on a connection of its own."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
