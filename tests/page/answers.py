"""What a real server answers to what the page asks it for."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from urllib.parse import urlencode

import msgspec
from msgspec import structs

from serai.coach.exercises import exercises
from serai.core.record import Record
from serai.core.registry import game as find_game
from tests.browser.games import GOLDEN, LESSON, with_forged_draw
from tests.server.support import Visitor, house

Asked = tuple[str, str] | tuple[str, str, Any]
"""A method, an address, and what is sent there, if anything is."""


def replay(record: str, seat: int | None = None) -> Asked:
    return "POST", "/api/replay", {"record": record, "seat": seat}


def odds(**asked: str) -> Asked:
    return "GET", f"/api/games/camelup/odds?{urlencode(asked)}"


def trained(name: str) -> list[Asked]:
    """Two exercises of a game: the first is answered by what is best, the second by something else of that kind."""
    game, kind = find_game(name), KINDS[name]
    collection = exercises(game)
    assert collection is not None
    fitting = [
        (one, wrong)
        for one in collection.exercises
        if one.best.action.startswith(kind)
        for wrong in [next((option for option in one.options[1:] if option.action.startswith(kind)), None)]
        if wrong is not None
    ]
    asked: list[Asked] = [("GET", f"/api/exercises/{name}")]
    for (one, wrong), right in zip(fitting[:2], (True, False), strict=True):
        path = f"/api/exercises/{name}/{one.id}"
        action = msgspec.to_builtins(game.parse((one.best if right else wrong).action))
        asked += [("GET", path), ("POST", path, {"action": action})]
    return asked


KINDS = {"camelup": "leg", "pharaoh": "archaeologist"}
"""What is best in the exercises that are tried."""
RECORD = min((GOLDEN / "camelup").glob("*.serai"), key=lambda file: (file.stat().st_size, file)).read_text()
SECRET = next(line for line in RECORD.splitlines() if line.startswith("secret: "))
WRONG_RECORDS = (
    "my shopping list",
    RECORD.replace("rules: 1", "rules: 0"),
    RECORD.replace("\nroll\n", "\noasis 1\n", 1),
    RECORD.replace("\nroll\n", "\nrun away\n", 1),
    RECORD.replace("\nrules: 1", "\nrules: 1\nnonsense"),
    RECORD.replace('"first":0', '"first":"me"'),
    "game: camelup\n" * 9,
)


def helped(text: str) -> str:
    """The record of a game in which the first seat has asked the coach three times."""
    record = Record.read(text)
    return structs.replace(record, hints=(3, *(0 for _ in record.seats[1:]))).write()


SOME_POSITIONS = (
    "1gyo 3bw", "3bw 5g 7yo | +4 -9 | bgy", "12w 14bgy 15o | -13 | w", "2g 4wb 6oy | +3 -8 +11 | bgoyw",
    "1bw 3go 4y | -6 | bow", "1gyo 3bx", "1gyo 3bw | +3", "1gyo 3bw | +5",
)  # fmt: skip
EIGHT_TILES = "5g 7w 9oby | +2 +4 -6 +8 -10 +12 +14 -16 | ow"

ASKED: dict[str, list[Asked]] = {
    "games": [("GET", "/api/games"), ("GET", "/api/games?tried=true"), ("GET", "/api/tables")],
    "odds": [
        *(odds(position=position) for position in SOME_POSITIONS),
        odds(position="1bw 3go 4y | -6 | bow", taken="b1"),
        odds(position=EIGHT_TILES),
        odds(position=EIGHT_TILES, own_tile="8"),
    ],
    "records": [
        replay(RECORD),
        replay(with_forged_draw(RECORD)),
        replay(RECORD.replace(SECRET, "secret: " + "ab" * 32)),
        replay(helped(RECORD)),
    ],
    "wrong-records": [replay(record) for record in WRONG_RECORDS],
    "train-camelup": [*trained("camelup"), ("GET", "/api/exercises/camelup/none")],
    "train-pharaoh": trained("pharaoh"),
    "insights-camelup": [("GET", "/api/insights/camelup")],
    "insights-pharaoh": [("GET", "/api/insights/pharaoh")],
    "lesson": [replay(LESSON, 0)],
    "lesson-camelup": [("GET", "/api/games/camelup/lesson")],
    "lesson-pharaoh": [("GET", "/api/games/pharaoh/lesson")],
}
"""By file, what is asked."""


LOBBIES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "lobby": (
        {"game": "camelup", "seats": 2, "table_rules": {"clock": 60, "one_device": True, "draw_first": True}},
        ("Ann", "Ben"),
    ),
    "lobby-by-the-book": (
        {"game": "pharaoh", "seats": 2, "bots": {"1": "random"}, "table_rules": {"advice": False}},
        ("Ann",),
    ),
}
"""By file, the table that is made, and who sits down at it."""


@cache
def answers() -> dict[str, Any]:
    """By file, each question with its answer, told by a server that has just begun."""

    async def ask() -> dict[str, Any]:
        with TemporaryDirectory() as folder:
            async with house(Path(folder)) as here:
                visitor = Visitor(here.base)
                told = {name: [await _answer(visitor, *one) for one in asked] for name, asked in ASKED.items()}
                return told | {name: await _lobby(visitor, *made) for name, made in LOBBIES.items()}

    return asyncio.run(ask())


async def _answer(visitor: Visitor, method: str, path: str, body: Any = None) -> dict[str, Any]:
    told = await visitor.call(method, path, body)
    answer = told.json()
    while path.endswith("?tried=true") and any(game["warming"] for game in answer):
        # Where much has to be compiled, that takes longer than a question may.
        answer = (await visitor.call(method, path, body)).json()
    if "today" in answer:
        # Every day has another exercise.
        answer["today"] = next(iter(answer["themes"].values()))[0]
    if path.startswith("/api/games") and isinstance(answer, list):
        for bot in (bot for game in answer for bot in game["warming"]):
            bot["seconds"] = 1  # which depends on the machine
    return {"method": method, "path": path, "body": body, "status": told.status_code, "answer": answer}


async def _lobby(visitor: Visitor, made: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """What the first of them is told who comes to the table: its own name and all that is random about it left out."""
    created = (await visitor.call("POST", "/api/tables", made)).json()["table"]
    for name in names:
        await visitor.join(created["id"], name)
    async with visitor.at(created["id"]) as socket:
        welcome = await socket.heard("welcome")
    seen = (await visitor.call("GET", f"/api/tables/{created['id']}")).json()
    told = {"frames": [], "steps": [{"replies": [welcome]}], "seen": {**seen, "link": ""}}
    text = msgspec.json.encode(told).decode().replace(created["id"], "case").replace(created["commit"], "0" * 64)
    return cast(dict[str, Any], msgspec.json.decode(text))
