"""Exercises over REST: which there are, one of them as a table would show it, and what an answer was worth."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final

import msgspec
from litestar import get, post
from litestar.datastructures import State
from litestar.openapi.spec import Example
from litestar.params import JSONBody, PathParameter

from serai.coach.exercises import Collection, Exercise, Option, exercises
from serai.core.errors import phrase
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.server.errors import NotFound
from serai.server.http.problems import PROBLEMS
from serai.server.tables.hall import Hall
from serai.table.bodies import Answer, Exercises, Judged, Posed, Weighed
from serai.table.errors import Refusal
from serai.table.messages import Frame, SeatInfo, TableInfo
from serai.table.rules import TableRules

GameName = Annotated[str, PathParameter(max_length=64, examples=[Example(value="camelup")])]
ExerciseId = Annotated[str, PathParameter(max_length=64)]
SHOWN: Final = 3
"""So many of the best are told."""

phrase(
    {
        "server.exercises": "{game} has no exercises",
        "server.exercise": "there is no such exercise",
    }
)


@get("/api/exercises/{game:str}", summary="The exercises of a game, by theme, and today's", responses=PROBLEMS)
async def list_exercises(state: State, game: GameName) -> Exercises:
    hall: Hall = state.hall
    collection = _collection(find_game(game))
    today = collection.of_day(date.fromisoformat(hall.sources.date()).toordinal())
    themes = {
        theme: tuple(exercise.id for exercise in collection.exercises if exercise.theme == theme)
        for theme in collection.themes
    }
    return Exercises(game, today.id, themes)


@get("/api/exercises/{game:str}/{exercise:str}", summary="A position to find the best action in", responses=PROBLEMS)
async def pose(game: GameName, exercise: ExerciseId) -> Posed:
    played = find_game(game)
    collection = _collection(played)
    posed = _exercise(collection, exercise)
    view = played.state_decoder.decode(posed.view)
    bot = collection.making.level
    table = TableInfo(
        id="",
        game=played.name,
        rules=played.version,
        phase="playing",
        table_rules=TableRules(odds=False, advice=False, clock=0),
        options=msgspec.to_builtins(view.options),
        seats=tuple(
            SeatInfo("person") if seat == posed.seat else SeatInfo("bot", bot=bot) for seat in range(posed.players)
        ),
        host=posed.seat,
        commit="",
        hides=played.hides,
    )
    frame = Frame(
        n=0,
        on=0,
        patch=msgspec.structs.asdict(view),
        actions=view.actions(),
        scores=view.scores(),
        table=table,
    )
    return Posed(posed.id, posed.theme, posed.seat, table, frame)


@post(
    "/api/exercises/{game:str}/{exercise:str}",
    summary="What an answer is worth, and what is best",
    responses=PROBLEMS,
    status_code=200,
)
async def judge(game: GameName, exercise: ExerciseId, data: JSONBody[Answer]) -> Judged:
    played = find_game(game)
    posed = _exercise(_collection(played), exercise)
    chosen = posed.option(_notation(played, posed, data.action))
    return Judged(
        chosen == posed.best,
        _weighed(chosen),
        tuple(_weighed(option) for option in posed.options[:SHOWN]),
        posed.lead,
        posed.error,
    )


ROUTES = [list_exercises, pose, judge]


def _collection(game: Game) -> Collection:
    collection = exercises(game)
    if collection is None:
        raise NotFound("server.exercises", game=game.name)
    return collection


def _exercise(collection: Collection, name: str) -> Exercise:
    exercise = collection.exercise(name)
    if exercise is None:
        raise NotFound("server.exercise")
    return exercise


def _notation(game: Game, posed: Exercise, told: dict[str, Any]) -> str:
    """Of a legal action: others may not even have one."""
    try:
        action = msgspec.convert(told, game.action_type)
    except msgspec.ValidationError:
        action = None
    if action not in game.state_decoder.decode(posed.view).actions():
        raise Refusal("table.not_action", game=game.name)
    return str(action)


def _weighed(option: Option) -> Weighed:
    return Weighed(option.action, option.wins, option.error, option.score, option.reasons)
