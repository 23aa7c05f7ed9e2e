"""Exercises over REST: posed without the answer, judged by what is known of them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from serai.coach.exercises import exercises
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.wire.bodies import Posed
from tests.server.support import Visitor, house, run

TRAINED = [name for name in games() if exercises(find_game(name)) is not None]


def test_exercises_are_posed_without_the_answer_and_judged(tmp_path: Path) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            visitor = Visitor(here.base)
            infos = (await visitor.call("GET", "/api/games")).json()
            offered = {info["name"] for info in infos if info["exercises"]}
            assert offered == set(TRAINED)
            for name in TRAINED:
                await _one(visitor, name)

    run(ask())


async def _one(visitor: Visitor, name: str) -> None:
    game = find_game(name)
    collection = exercises(game)
    assert collection is not None
    told = (await visitor.call("GET", f"/api/exercises/{name}")).json()
    assert {name for names in told["themes"].values() for name in names} == {each.id for each in collection.exercises}
    exercise = collection.exercise(told["today"])
    assert exercise is not None
    address = f"/api/exercises/{name}/{exercise.id}"
    posed = (await visitor.call("GET", address)).json()
    assert set(posed) == set(Posed.__struct_fields__)
    view = game.state_decoder.decode(exercise.view)
    assert game.state_decoder.decode(msgspec.json.encode(posed["frame"]["patch"])) == view.seen_by(exercise.seat)
    # what can be done comes in the order of the rules, which tells nothing
    offered = [str(msgspec.convert(action, game.action_type)) for action in posed["frame"]["actions"]]
    assert offered == [str(action) for action in view.actions()]
    text = msgspec.json.encode(posed).decode()
    assert "reasons" not in text
    assert "wins" not in text
    for option in (exercise.options[0], exercise.options[-1]):
        action = msgspec.to_builtins(game.parse(option.action))
        judged = (await visitor.call("POST", address, {"action": action})).json()
        assert judged["right"] == (option == exercise.best)
        assert judged["chosen"]["action"] == option.action
        assert judged["best"][0]["action"] == exercise.best.action
        assert judged["best"][0]["reasons"]
    unheard = {"type": "dance"}, {"type": "leg", "camel": 99}, {"type": "turn", "cell": -77, "openings": 99}
    for action in unheard:
        refused = await visitor.call("POST", address, {"action": action})
        assert (refused.status_code, refused.json()["key"]) == (409, "table.not_action")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            visitor = Visitor(here.base)
            for path, key in (("camelup/none", "server.exercise"), ("chess", "server.unknown")):
                answer = await visitor.call("GET", f"/api/exercises/{path}")
                assert (answer.status_code, answer.json()["key"]) == (404, key)

    run(ask())
