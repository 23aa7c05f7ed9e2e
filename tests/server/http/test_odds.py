"""The odds of a position over HTTP: what the command line says, and every mistake pointed at."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import httpx
import msgspec
import pytest

from serai.camelup.odds.report import odds
from serai.camelup.text.position import parse_position, situation
from tests.server.support import House, Visitor, house, run

POSITION = "1gyo 3bw | +5 -9 | bgw"


async def asked_of(served: House, path: str, query: dict[str, str] | None = None) -> httpx.Response:
    return await Visitor(served.base).call("GET", f"{path}?{urlencode(query or {})}")


def test_a_position_is_answered_as_the_library_answers_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with house(tmp_path) as served:
            answer = await asked_of(served, "/api/games/camelup/odds", {"position": POSITION})
            assert answer.status_code == 200
            told = answer.json()["odds"]
            known = msgspec.to_builtins(odds(POSITION), str_keys=True)
            assert {name: told[name] for name in ("leg", "race", "actions", "deserts", "best")} == {
                name: known[name] for name in ("leg", "race", "actions", "deserts", "best")
            }

    run(main())


def test_details_change_what_bets_are_worth(tmp_path: Path) -> None:
    async def main() -> None:
        async with house(tmp_path) as served:
            details = {"cards": "bg", "taken": "g2,b3", "decks": "winner:2", "own_tile": "5"}
            answer = await asked_of(served, "/api/games/camelup/odds", {"position": POSITION, **details})
            view = situation(
                parse_position(POSITION), cards=(0, 1), taken={1: 2, 0: 3}, decks={"winner": 2}, own_tile=5
            )
            assert answer.json()["odds"]["actions"] == odds(view).actions
            assert "leg blue" not in answer.json()["odds"]["actions"]

    run(main())


@pytest.mark.parametrize(
    ("asked", "status", "key", "values"),
    [
        ({"position": "1gyo 3bx"}, 400, "camelup.position.camel", {"text": "1gyo 3bx", "column": 7}),
        ({"position": "1gyo 3bw | +3"}, 400, "camelup.position.tile_camel", {"space": 3, "column": 11}),
        ({"position": "1gyo"}, 400, "camelup.position.camels_missing", {"column": 4}),
        ({"position": POSITION, "taken": "g9"}, 400, "server.notation", {"text": "g9", "column": 1}),
        ({"position": POSITION, "own_tile": "x"}, 400, "server.notation", {"text": "x", "column": 0}),
        ({"position": POSITION, "luck": "1"}, 400, "server.notation", {"column": None}),
        ({}, 400, "server.malformed", {}),
    ],
)
def test_a_mistake_is_pointed_at(
    tmp_path: Path, asked: dict[str, str], status: int, key: str, values: dict[str, object]
) -> None:
    async def main() -> None:
        async with house(tmp_path) as served:
            answer = await asked_of(served, "/api/games/camelup/odds", asked)
            assert (answer.status_code, answer.json()["key"]) == (status, key)
            assert answer.json()["values"].items() >= values.items()

    run(main())


def test_odds_on_one_screen_know_only_what_everybody_sees(tmp_path: Path) -> None:
    async def main() -> None:
        async with house(tmp_path) as served:
            found = {}
            for one_device in (False, True):
                ann = Visitor(served.base)
                table = await ann.create("camelup", seats=2, table_rules={"one_device": one_device})
                await ann.join(table, "Ann")
                await ann.join(table, "Ben")
                async with ann.at(table) as a:
                    await a.do("start")
                    first = a.view["actor"]
                    for action in ("winner", "leg"):
                        await a.tell("look", seat=a.view["actor"])
                        await a.heard("welcome")
                        await a.act({"type": action, "camel": 0})
                    path = f"/api/tables/{table}/odds"
                    own = (await ann.call("GET", f"{path}?seat={first}")).json()["odds"]
                    found[one_device] = own == (await ann.call("GET", path)).json()["odds"]
            assert found == {False: False, True: True}, "a hidden card counts only where its seat alone looks"

    run(main())


def test_a_game_without_odds_says_so(tmp_path: Path) -> None:
    async def main() -> None:
        async with house(tmp_path) as served:
            games = (await asked_of(served, "/api/games")).json()
            without = [game["name"] for game in games if not game["odds"]]
            assert without
            for name in [*without, "nosuchgame"]:
                answer = await asked_of(served, f"/api/games/{name}/odds", {"position": POSITION})
                assert answer.status_code == 404

    run(main())
