"""Searching bots' games for exercises: positions in which one action is clearly best and not every bot finds it.

Every decision gets a short look, and a promising one a second look with fresh playouts. Then bots of the middle levels
are asked what they would do; what one of them misses is checked at high effort with another seed, for every legal
action, and also with other playout policies. Everything is judged by the view of the seat to act, without memory.

The theme of an exercise is that of its best action or, just as often, of the second best, so it does not give the
answer away.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import msgspec

from serai.bots.contract import warm_up
from serai.bots.referee import dealer_for, play
from serai.bots.specs import find_working_bot
from serai.coach.contrasts import EVEN, MANY, explanations
from serai.coach.evaluator import Evaluator
from serai.coach.exercises import Choice, Exercise, Provenance, exercise_id
from serai.core.chance import seat_of
from serai.core.game import Action, Game, State
from serai.core.record import replay
from serai.core.registry import game as find_game
from serai.core.rollouts import Playouts

LEAD: Final = 0.04
"""The least lead of the best action, in shares of victory: missing it is *bad*."""
SURE: Final = 4.0
"""The least lead in standard errors, when an exercise is checked."""
PROMISING: Final = 0.5
"""The share of the lead that the short look must show."""
LOOK: Final = 8
"""The short look has one ``LOOK``-th of the playouts."""
CHECK: Final = 2
"""The check has this many times the playouts of high effort."""
FINALISTS: Final = 4
ASKED: Final = 3
"""How often each of the middle levels is asked."""
SECONDS: Final = 60.0
KINDS_EXPLAINED: Final = 4
"""Kinds of actions whose best one gets reasons."""


class Search(msgspec.Struct, frozen=True):
    """What to search. The exercises of game ``n`` depend on this and ``n`` alone."""

    game: str
    level: str
    seed: str
    preferred: tuple[str, ...] = ()
    """Rare themes: an exercise whose best or second best action is of one of them is about that."""
    only: bool = False
    """Whether exercises about other themes are left out, which takes far less time."""


def search_games(search: Search, numbers: Iterable[int]) -> list[Exercise]:
    """The exercises in the games of these numbers; what a worker runs."""
    game = find_game(search.game)
    return [exercise for number in numbers for exercise in _GameSearch(search, game, number).exercises()]


def recheck_exercises(exercises: Sequence[Exercise], game: str, seed: str, numbers: Iterable[int]) -> list[Exercise]:
    """Of the exercises with these numbers those that still stand; what a worker runs."""
    judged = find_game(game)
    found = (recheck(exercises[number], judged, seed) for number in numbers)
    return [exercise for exercise in found if exercise is not None]


def provenance(search: Search, games: int, command: str) -> Provenance:
    """How the exercises of this search were found."""
    game = find_game(search.game)
    evaluator = Evaluator(game, effort="high")
    return Provenance(
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


def middle_levels(game: Game) -> tuple[str, ...]:
    """The levels (or bots, where a game has no levels) that are asked: up to the reference, without the weakest."""
    coach = game.coach
    assert coach is not None
    ranks = game.levels or game.bots
    last = ranks.index(coach.reference) if coach.reference else len(ranks) - 1
    return ranks[min(1, last) : last + 1]


class _GameSearch:
    """One game of bots, and the evaluators of its positions."""

    def __init__(self, search: Search, game: Game, number: int) -> None:
        self._search, self._game, self._number = search, game, number
        self._rng = random.Random(f"{search.seed} {number}")
        self._first = Evaluator(game, seed=self._rng.getrandbits(62))
        self._second = Evaluator(game, effort="high", seed=self._rng.getrandbits(62))
        self._coach = self._first.coach

    def exercises(self) -> list[Exercise]:
        """The exercises in this game, at most one for each theme of best actions."""
        found: dict[str, Exercise] = {}
        for ply, view in self._views():
            if not self._wanted(view, self._coach.alternatives(view)):
                continue
            best, second = _clearly_best(self._first, view)
            if best is None or (theme := self._coach.theme(view, best)) in found:
                continue
            if not self._wanted(view, [best, second]):
                continue
            missed = tuple(level for level in middle_levels(self._game) if self._misses(level, view, best, ply))
            origin, preferred = (self._number, ply), self._search.preferred
            exercise = _checked(self._second, view, best, missed, origin, preferred) if missed else None
            if exercise is not None:
                found[theme] = exercise
        return list(found.values())

    def _views(self) -> list[tuple[int, State]]:
        """The views of seats that had a choice, with the number of the action, in random order."""
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
            if not ply.drawn and len(ply.before.actions()) >= self._coach.fewest_actions
        ]
        self._rng.shuffle(choices)
        return choices

    def _wanted(self, view: State, actions: Iterable[Any]) -> bool:
        """Whether an exercise whose best actions are among these may be about a wanted theme."""
        search = self._search
        return not search.only or any(self._coach.theme(view, action) in search.preferred for action in actions)

    def _misses(self, level: str, view: State, best: Action, ply: int) -> bool:
        """Whether bots of this level choose another action at least once."""
        make = find_working_bot(self._game, level)
        for time in range(ASKED):
            bot = make()
            warm_up(bot)
            rng = random.Random(f"{self._search.seed} {self._number} {ply} {time}")
            if bot.decide(view, rng) != best:
                return True
        return False


def recheck(exercise: Exercise, game: Game, seed: str) -> Exercise | None:
    """The exercise checked again with another seed and the present evaluator; ``None`` if it no longer stands."""
    evaluator = Evaluator(game, effort="high", seed=random.Random(f"{seed} {exercise.id}").getrandbits(62))
    view = game.state_decoder.decode(exercise.view)
    origin = (exercise.number, exercise.ply)
    return _checked(evaluator, view, game.parse(exercise.best.action), exercise.missed, origin)


def check_position(
    game: Game, view: State, seed: str, shows: Callable[[Any, Any], bool], number: int = 0
) -> Exercise | None:
    """The exercise that this position makes if its best action shows something; ``None`` if it makes none."""
    rng = random.Random(f"{seed} {number}")
    first, second = (Evaluator(game, effort=effort, seed=rng.getrandbits(62)) for effort in ("usual", "high"))
    best, _ = _clearly_best(first, view)
    if best is None or not shows(view, best):
        return None
    return _checked(second, view, best, (), (number, 0))


def _clearly_best(evaluator: Evaluator, view: State) -> tuple[Action, Action] | tuple[None, None]:
    """The action that seems clearly best, and the second best; ``None`` if none does."""
    seat = seat_of(view.actor)
    actions = evaluator.coach.alternatives(view)
    if len(actions) < 2:
        return None, None
    count = max(16, evaluator.compared // LOOK)
    look = evaluator.play_on(view, actions, count, None)
    first, second = _ranked(look, seat)[:2]
    lead, error = look.lead(seat, first, second)
    if lead < max(PROMISING * LEAD, error):
        return None, None
    finalists = [actions[place] for place in _ranked(look, seat)[:FINALISTS]]
    final = evaluator.play_on(view, finalists, evaluator.compared, None, first=count)
    first, second = _ranked(final, seat)[:2]
    lead, error = final.lead(seat, first, second)
    if lead < max(LEAD, SURE / 2 * error):
        return None, None
    return finalists[first], finalists[second]


def _checked(
    evaluator: Evaluator,
    view: Any,
    best: Any,
    missed: tuple[str, ...],
    origin: tuple[int, int],
    preferred: tuple[str, ...] = (),
) -> Exercise | None:
    """The exercise, if the best action is clearly best at high effort and with other policies, and for a reason."""
    seat, coach = view.actor, evaluator.coach
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
    options = _options(evaluator, view, [actions[place] for place in order], found, order)
    best_reasons, other_reasons = options[0].reasons, options[1].reasons
    vague = any(reason.key in {EVEN, MANY} for reason in best_reasons)
    if coach.explains and (not best_reasons or best_reasons == other_reasons or vague):
        return None
    raw = msgspec.json.encode(view)
    name = exercise_id(raw)
    either = [coach.theme(view, actions[place]) for place in order[:2]]
    rare = [theme for theme in either if theme in preferred]
    theme = either[1 if (other_reasons or not coach.explains) and int(name, 16) % 2 else 0]
    number, ply = origin
    return Exercise(
        id=name,
        theme=theme if theme in preferred or not rare else rare[0],
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
    evaluator: Evaluator, view: Any, actions: Sequence[Any], found: Playouts, order: Sequence[int]
) -> tuple[Choice, ...]:
    """Best first; the best of the first few kinds with reasons."""
    kinds: dict[str, int] = {}
    for rank, action in enumerate(actions):
        kinds.setdefault(action.kind, rank)
    explained = sorted({0, 1, *list(kinds.values())[:KINDS_EXPLAINED]})
    seat, chosen = view.actor, [actions[rank] for rank in explained]
    counted = evaluator.play_on(view, chosen, found.count // 2, None, counted=True)
    places = range(len(chosen))
    why = explanations(evaluator.coach, view, counted, seat, places, partial(counted.lead, seat))
    by_rank = dict(zip(explained, why.values(), strict=True))
    wins, errors = found.means(seat), found.errors(seat)
    scores = found.mean_scores(seat)
    return tuple(
        Choice(
            str(action),
            round(float(wins[place]), 4),
            round(float(errors[place]), 4),
            round(float(scores[place]), 2),
            *by_rank.get(rank, ()),
        )
        for rank, (action, place) in enumerate(zip(actions, order, strict=True))
    )


def _ranked(playouts: Playouts, seat: int) -> list[int]:
    """Indices of actions, best first."""
    means = playouts.means(seat)
    return sorted(range(len(means)), key=lambda place: (-means[place], place))
