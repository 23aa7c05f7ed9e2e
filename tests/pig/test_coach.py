"""A game with readable rules alone has a coach: hints, reviews, exercises and playing on, by plain playouts."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from tests.browser.serving import Server
from tests.cli.terminal import SERAI
from tests.pig.conftest import Run
from tests.server import support

WON = """
import msgspec, serai
from serai.coach import hints
from serai.coach.exercise_search import recheck
from serai.coach.exercises import Choice, Exercise
game = serai.game("pig")
view = msgspec.structs.replace(game.new(players=2, target=20), gathered=20)  # to hold wins
print(*(hint.action for hint in hints(game, view, game.memory(0))))
answer = (Choice("hold", 0.0, 0.0, 0.0),)
drafted = Exercise("0", "", 2, 0, msgspec.Raw(msgspec.json.encode(view)), answer, 0.0, 0.0, ("random",), 0, 0)
checked = recheck(drafted, game, "1")
print(*(option.action for option in checked.options), checked.best.wins, checked.theme)
"""


def test_the_action_that_wins_is_hinted_at_and_makes_an_exercise(run: Run) -> None:
    hinted, exercise = run(sys.executable, "-c", WON).splitlines()
    assert hinted.split() == ["hold", "roll"]
    assert exercise.split() in (["hold", "roll", "1.0", theme] for theme in ("hold", "roll"))


def test_games_of_its_bots_are_searched_for_exercises(run: Run, tmp_path: Path) -> None:
    found = tmp_path / "exercises.jsonl"
    run(SERAI, "coach", "--exercises", "pig", "--games", 1, "--level", "random", "--out", found)
    assert json.loads(found.read_text().splitlines()[0])["game"] == "pig"


def test_a_live_game_is_hinted_at_reviewed_and_played_on_from(server: Server, run: Run, tmp_path: Path) -> None:
    ann = support.Visitor(server.url)
    save = tmp_path / "game.serai"

    async def play() -> None:
        wanted = {"seats": 2, "bots": {"1": "cautious"}, "options": {"target": 15}, "table_rules": {"hints": True}}
        table = await ann.create("pig", **wanted)
        await ann.join(table, "Ann")
        async with ann.at(table) as a:
            await a.do("start")
            await a.my_turn()
            answer = await ann.call("POST", f"/api/tables/{table}/hints", {"seat": 0, "on": a.on})
            assert [hint["notation"] for hint in answer.json()["hints"]] == ["roll"], answer.text
            await a.play_to_the_end(random.Random(3))
        save.write_text(await ann.record(table))
        lines = (await ann.call("GET", f"/api/tables/{table}/review")).content.splitlines()
        review = json.loads(lines[-1])
        assert review["type"] == "reviewed", review
        assert review["review"]["steps"], "no decision was judged"
        body = {"turn": 2, "seat": 0, "bot": "cautious", "table": table}
        made = await ann.call("POST", "/api/continued", body)
        assert made.status_code == 201, made.text
        following = made.json()["table"]["id"]
        await ann.join(following, "Ann")
        async with ann.at(following) as a:
            await a.do("start")
            await a.play_to_the_end(random.Random(4))

    support.run(play())
    assert "own decisions" in run(SERAI, "coach", save)
