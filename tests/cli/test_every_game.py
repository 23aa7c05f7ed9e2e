"""Commands know games only by their contract: what holds for one holds for every game there is."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import serai as house
from serai.cli._support.files import read_record
from serai.cli._support.prompt import explain, offer, understand
from serai.core.record import verify
from tests.cli.conftest import Answer
from tests.support import amount, random_play

Serai = Callable[..., Answer]
GAMES = house.games()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_bots_is_played_replayed_and_verified(serai: Serai, tmp_path: Path, name: str) -> None:
    save = tmp_path / "game.serai"
    assert serai("play", name, "--seats", "random,random", "--save", save).code == 0
    assert verify(read_record(save)).finished
    assert serai("verify", save).out.startswith(f"{save}: holds: {name}, 2 players")
    assert "The result: random 0 " in serai("replay", save).out
    report = serai("replay", "--json", save).json
    assert len(report["plies"]) == len(read_record(save).actions)


@pytest.mark.parametrize("name", GAMES)
def test_simulating(serai: Serai, name: str) -> None:
    most = house.game(name).players[-1]
    answer = serai("simulate", name, "--players", most, "--games", 2, "--bots", "random", "--json")
    assert answer.code == 0
    assert len(answer.json["summary"]["seats"]) == most
    assert answer.json["faults"] == []


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_listed_apart_from_other_bots(serai: Serai, name: str) -> None:
    game = house.game(name)
    (listed,) = (one for one in serai("games", "--json").json if one["name"] == name)
    assert listed["levels"] == [level for level in game.levels if level in listed["bots"]]
    assert set(game.levels) <= set(game.bots)
    shown = serai("games").out.partition(name)[2]
    for level in game.levels:
        assert shown.count(f" {level}") == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_is_offered_and_understood(name: str) -> None:
    game: Any = house.game(name)
    rng = random.Random(4)
    for _ in range(amount(2, 20)):
        for state, _, _, _ in random_play(game, 3, rng):
            if state.actor is house.CHANCE or rng.random() < 0.7:
                continue
            view = state.seen_by(state.actor)
            legal = view.actions()
            offered = offer(legal, 72)
            assert max(map(len, offered.split("\n"))) <= 72
            assert all(action.kind in offered for action in legal)
            assert all(action.kind in explain(legal, 72) for action in legal)
            for action in legal:
                assert understand(game, view, str(action), ()).action == action
                assert understand(game, view, f"  {str(action).upper()} ", ()).action == action
            for action in rng.sample(legal, min(8, len(legal))):
                cut = " ".join(word[: rng.randint(1, len(word))] for word in str(action).split())
                meant = understand(game, view, cut, ()).action
                assert meant is None or all(
                    whole.casefold().startswith(word.casefold())
                    for word, whole in zip(cut.split(), str(meant).split(), strict=True)
                )


@pytest.mark.parametrize("name", GAMES)
def test_a_typo_is_answered_with_what_a_player_may_type(name: str) -> None:
    game: Any = house.game(name)
    played = [(state, action) for state, action, _, _ in random_play(game, 2, random.Random(3))]
    chances = {action.kind for state, action in played if state.actor is house.CHANCE}
    assert chances
    for state, _ in played[:60]:
        if state.actor is not house.CHANCE:
            view = state.seen_by(state.actor)
            for typed in ("xyzzy", *(f"{kind} xyzzy" for kind in chances)):
                offered = understand(game, view, typed, ()).trouble.partition(";")[2]
                assert not chances & set(offered.replace(",", " ").replace("'", " ").split()), offered
                assert offered.count(" type ") + offered.count("did you mean") == 1, offered
