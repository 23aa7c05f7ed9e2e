"""Exercises looked for in games of bots: positions in which one action is clearly best and not everybody finds it.

Every decision gets a short look; what promises to be clear is looked at again over fresh playouts, bots of the middling
levels are asked what they would do, and what is left is checked at high effort by another seed, every legal action of
it, also with others playing on. All of it goes by the view of the seat to act, without any memory of the game.

An exercise is about its best action, or just as often about the second: so its theme does not tell what to do.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from serai.bots.contract import warm_up
from serai.bots.referee import ask, dealer_for, play
from serai.bots.specs import find_working_bot
from serai.coach.evaluator import Evaluator
from serai.coach.exercises import Exercise, Making, Option, named
from serai.core.coaching import Coaching
from serai.core.game import Game
from serai.core.playouts import Playouts
from serai.core.record import replay
from serai.core.registry import game as find_game

LEAD: Final = 0.04
"""The least by which the best is better than any other, in shares of victory: to miss it is bad."""
SURE: Final = 4.0
"""In so many standard errors of it, when it is checked."""
PROMISING: Final = 0.5
"""A part of the lead that the short look has to show."""
LOOK: Final = 8
"""One part in so many of the playouts is for that look."""
CHECK: Final = 2
"""Times the playouts of high effort, when it is checked."""
FINALISTS: Final = 4
FEWEST_ACTIONS: Final = 4
"""Fewer are no choice to speak of."""
ASKED: Final = 3
"""How often each of the middling levels is asked."""
SECONDS: Final = 60.0
REASONS_TOLD: Final = 4
"""Kinds of actions of which the best is told with reasons."""


class Search(msgspec.Struct, frozen=True):
    """Where to look. What game ``n`` brings follows from this and ``n`` alone."""

    game: str
    level: str
    seed: str


def sought(search: Search, game: Game, number: int) -> list[Exercise]:
    """The exercises in that game: one for each theme of best actions, at most."""
    looking = _Looking(search, game, number)
    found: dict[str, Exercise] = {}
    for ply, view in looking.views():
        best = looking.best(view)
        if best is None or looking.theme(view, best) in found:
            continue
        missed = looking.missed(view, best, ply)
        exercise = looking.checked(view, best, missed, ply) if missed else None
        if exercise is not None:
            found[looking.theme(view, best)] = exercise
    return list(found.values())


def sought_in(search: Search, numbers: Iterable[int]) -> list[Exercise]:
    """The exercises in some games: what a process of its own is asked for."""
    game = find_game(search.game)
    return [exercise for number in numbers for exercise in sought(search, game, number)]


def again_in(exercises: Sequence[Exercise], game: str, seed: str, numbers: Iterable[int]) -> list[Exercise]:
    """Those with some numbers that still stand: what a process of its own is asked for."""
    judged = find_game(game)
    found = (again(exercises[number], judged, seed) for number in numbers)
    return [exercise for exercise in found if exercise is not None]


def making(search: Search, games: int, command: str) -> Making:
    """How the exercises of so many games were found."""
    game = find_game(search.game)
    evaluator = Evaluator(game, effort="high")
    return Making(
        game.name,
        game.version,
        command,
        evaluator.name,
        search.level,
        games,
        search.seed,
        CHECK * evaluator.compared,
        LEAD,
        SURE,
    )


def middling(game: Game) -> tuple[str, ...]:
    """The levels that are asked: up to the one that plays as everybody does, without the weakest."""
    coaching = game.coaching()
    assert coaching is not None
    last = game.levels.index(coaching.reference)
    return game.levels[min(1, last) : last + 1]


class _Looking:
    """One game, and who judges it."""

    def __init__(self, search: Search, game: Game, number: int) -> None:
        self._search, self._game, self._number = search, game, number
        self._word = random.Random(f"{search.seed} {number}")
        self._first = Evaluator(game, seed=self._word.getrandbits(62))
        self._second = Evaluator(game, effort="high", seed=self._word.getrandbits(62))
        self._coaching = self._first.coaching

    def views(self) -> list[tuple[int, Any]]:
        """What whoever had a choice saw then, by the number of the action, in no order."""
        game, players = self._game, self._game.players[self._number % len(self._game.players)]
        make = find_working_bot(game, self._search.level)
        bots = [(self._search.level, make()) for _ in range(players)]
        for _, bot in bots:
            warm_up(bot)
        seed = f"{self._search.seed} {self._number}"
        record = play(game, bots, dealer=dealer_for(seed), seed=seed, seconds=SECONDS).record
        choices = [
            (number, ply.before.seen_by(ply.before.actor))
            for number, ply in enumerate(replay(record))
            if not ply.drawn and len(ply.before.actions()) >= FEWEST_ACTIONS
        ]
        self._word.shuffle(choices)
        return choices

    def theme(self, view: Any, action: Any) -> str:
        """What is trained by an exercise about this action."""
        return self._coaching.theme(view, action)

    def best(self, view: Any) -> Any:
        """The action that seems clearly best; ``None`` where none does."""
        evaluator = self._first
        actions = self._coaching.alternatives(view)
        if len(actions) < 2:
            return None
        count = max(16, evaluator.compared // LOOK)
        look = evaluator.play_on(view, actions, count, None)
        first, second = _ranked(look, view.actor)[:2]
        lead, error = look.lead(view.actor, first, second)
        if lead < max(PROMISING * LEAD, error):
            return None
        finalists = [actions[place] for place in _ranked(look, view.actor)[:FINALISTS]]
        final = evaluator.play_on(view, finalists, evaluator.compared, None, first=count)
        first, second = _ranked(final, view.actor)[:2]
        lead, error = final.lead(view.actor, first, second)
        return finalists[first] if lead >= LEAD and lead >= SURE / 2 * error else None

    def missed(self, view: Any, best: Any, ply: int) -> tuple[str, ...]:
        """The middling levels that would do something else, now and then."""
        return tuple(level for level in middling(self._game) if self._misses(level, view, best, ply))

    def checked(self, view: Any, best: Any, missed: tuple[str, ...], ply: int) -> Exercise | None:
        """The exercise, if it stands."""
        return _checked(self._second, view, best, missed, (self._number, ply))

    def _misses(self, level: str, view: Any, best: Any, ply: int) -> bool:
        make = find_working_bot(self._game, level)
        for time in range(ASKED):
            bot = make()
            warm_up(bot)
            answer, _ = ask(bot, view, random.Random(f"{self._search.seed} {self._number} {ply} {time}"), SECONDS)
            if answer is not None and answer != best:
                return True
        return False


def again(exercise: Exercise, game: Game, seed: str) -> Exercise | None:
    """The exercise checked once more by another seed and the evaluator of today; ``None`` if it does not stand."""
    evaluator = Evaluator(game, effort="high", seed=random.Random(f"{seed} {exercise.id}").getrandbits(62))
    view = game.state_decoder.decode(exercise.view)
    origin = (exercise.number, exercise.ply)
    return _checked(evaluator, view, game.parse(exercise.best.action), exercise.missed, origin)


def _checked(
    evaluator: Evaluator, view: Any, best: Any, missed: tuple[str, ...], origin: tuple[int, int]
) -> Exercise | None:
    """The exercise, if the best is clearly so at high effort, also with others playing on, for a reason."""
    seat, coaching = view.actor, evaluator.coaching
    actions = view.actions()
    count = CHECK * evaluator.compared
    found = evaluator.play_on(view, actions, count, None)
    order = _ranked(found, seat)
    lead, error = found.lead(seat, order[0], order[1])
    if actions[order[0]] != best or lead < max(LEAD, SURE * error):
        return None
    finalists = [actions[place] for place in order[:FINALISTS]]
    others = evaluator.game.rollouts(view, finalists, count, seed=evaluator.seed, first=count)
    if _ranked(others, seat)[0] != 0:
        return None
    options = _options(coaching, view, [actions[place] for place in order], found, order)
    best_reasons, other_reasons = options[0].reasons, options[1].reasons
    objected = any(reason.key in coaching.objections for reason in best_reasons)
    if not best_reasons or best_reasons == other_reasons or objected:
        return None
    raw = msgspec.json.encode(view)
    name = named(raw)
    about = actions[order[1 if other_reasons and int(name, 16) % 2 else 0]]
    number, ply = origin
    return Exercise(
        id=name,
        theme=coaching.theme(view, about),
        players=len(view.scores()),
        seat=seat,
        view=msgspec.Raw(raw),
        options=options,
        lead=round(lead, 4),
        error=round(error, 4),
        missed=missed,
        number=number,
        ply=ply,
    )


def _options(
    coaching: Coaching, view: Any, actions: Sequence[Any], found: Playouts, order: Sequence[int]
) -> tuple[Option, ...]:
    """Best first, the best of the first few kinds with reasons."""
    kinds: dict[str, int] = {}
    for rank, action in enumerate(actions):
        kinds.setdefault(action.kind, rank)
    spoken = sorted({0, 1, *list(kinds.values())[:REASONS_TOLD]})
    reasons = coaching.reasons(view, [actions[rank] for rank in spoken])
    said = dict(zip(spoken, reasons, strict=True))
    seat = view.actor
    wins, errors = found.means(seat), found.errors(seat)
    scores = found.scores[:, :, seat].mean(axis=1, dtype=float)
    return tuple(
        Option(
            str(action),
            round(float(wins[place]), 4),
            round(float(errors[place]), 4),
            round(float(scores[place]), 2),
            said.get(rank, ()),
        )
        for rank, (action, place) in enumerate(zip(actions, order, strict=True))
    )


def _ranked(playouts: Playouts, seat: int) -> list[int]:
    """Places of actions, best first."""
    means = playouts.means(seat)
    return sorted(range(len(means)), key=lambda place: (-means[place], place))
