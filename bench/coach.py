"""How well the coach judges: whether its chances hold, what luck takes out of results, how much each level errs.

``python -m bench.coach camelup calibration --games 500`` plays games among the reference level and tells how often
seats won that were given each tenth of a chance, with intervals clustered by game. ``… luck`` reviews games among each
level for all seats: what is left of the variance of results without luck, and whether luck has a mean of zero.
``… levels --games 30`` reviews games of one of each level among those of the level below it, the company in which
that one is the stronger: who errs more. ``… alone`` judges the decisions of games among four of each level, the same
deals for all: which level errs more, tested as one-sided differences of neighbours' rates by errors clustered by game.
``… rates`` reviews tables at which every level meets every other equally
often; ``--write`` puts what each loses, there or alone, into the game's folder, where the coach looks for whom somebody
plays like. With ``--file FILE`` every game's figures are kept there, and what was stopped goes on.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

import serai
from serai.arena.series import Player, Series, play_game
from serai.bots.contract import BotFactory
from serai.coach import review
from serai.coach.decisions import Decision, judge_decision, verdict_on
from serai.coach.evaluator import Evaluator, final_worths
from serai.coach.review import rate_of
from serai.core.game import Game
from serai.core.record import Record, replay

TENTHS = 10


class Task(msgspec.Struct, frozen=True):
    """One game to be played and judged."""

    game: str
    what: str
    bots: tuple[str, ...]
    """By seat."""
    number: int
    effort: str
    seed: str


class Judged(msgspec.Struct, frozen=True):
    """One game, as far as the tables need it; by seat, but for the first."""

    task: Task
    seconds: float
    won: list[float]
    predicted: list[list[float]] = []
    """By moment and seat."""
    adjusted: list[float] = []
    own: list[float] = []
    """What own decisions changed, beside how seasoned players would have gone on."""
    chance: list[float] = []
    squares: list[float] = []
    """What all draws changed, each squared."""
    lost: list[float] = []
    """By decisions that count; then how hard those are, what hung on them, how many they are, and how many were bad."""
    as_hard: list[float] = []
    at_stake: list[float] = []
    counted: list[int] = []
    bad: list[int] = []


def judged(task: Task) -> Judged:
    """Play a game, and judge it."""
    record = _played(task)
    began = time.process_time()
    found = {"calibration": _calibrated, "alone": _decided}.get(task.what, _reviewed)(task, record)
    return msgspec.structs.replace(found, seconds=time.process_time() - began)


def _played(task: Task) -> Record:
    game = serai.game(task.game)
    series = Series(task.game, task.bots, {}, 1 << 30, task.seed, keep_records=True)
    record = play_game(game, _makers(task.game, task.bots), series, task.number).record
    assert record is not None
    return record


@cache
def _makers(name: str, bots: tuple[str, ...]) -> list[BotFactory]:
    return Player(name, bots, rows=False).makers(range(len(bots)))


def _calibrated(task: Task, record: Record) -> Judged:
    """Everybody's chances at every decision, by what each seat knew, and who won."""
    game = serai.game(task.game)
    evaluator = Evaluator(game, effort=task.effort, seed=task.number)
    everybody = range(len(record.seats))
    memories = [game.memory(seat) for seat in everybody]
    predicted = []
    for ply in replay(record):
        if not ply.drawn:
            worths = evaluator.worths(ply.before, everybody, memories)
            predicted.append([round(worth.wins, 5) for worth in worths])
        for seat, memory in enumerate(memories):
            for event in ply.events if memory is not None else ():
                memory.watch(event.seen_by(seat))  # type: ignore[union-attr]
        end = ply.after
    return Judged(task, 0.0, [worth.wins for worth in final_worths(end, everybody)], predicted)


def _reviewed(task: Task, record: Record) -> Judged:
    """A review for all seats, in figures."""
    found = review(record, effort=task.effort, seed=task.number)
    accounts = found.accounts
    draws = [step.wins for step in found.steps if step.chance is not None]
    return Judged(
        task,
        0.0,
        won=[account.wins.final for account in accounts],
        adjusted=[account.wins.adjusted for account in accounts],
        own=[account.wins.own for account in accounts],
        chance=[account.wins.chance for account in accounts],
        squares=[math.fsum(changes[seat] ** 2 for changes in draws) for seat in found.seats],
        lost=[account.total.loss for account in accounts],
        as_hard=[account.total.as_hard for account in accounts],
        at_stake=[account.total.at_stake for account in accounts],
        counted=[account.total.decisions for account in accounts],
        bad=[
            sum(_is_bad(step.decision) for step in found.steps if step.decision and step.decision.seat == seat)
            for seat in found.seats
        ],
    )


def _is_bad(decision: Decision) -> bool:
    """Whether it lost as much of a victory, by itself: points, and whether it repeats another, do not matter here."""
    return decision.counts and verdict_on(decision.loss, decision.error) in ("bad", "very bad")


def _decided(task: Task, record: Record) -> Judged:
    """A review's decisions alone, for all seats, in figures."""
    game = serai.game(task.game)
    evaluator = Evaluator(game, effort=task.effort, seed=task.number)
    everybody = range(len(record.seats))
    memories = [game.memory(seat) for seat in everybody]
    decisions: list[list[Decision]] = [[] for _ in everybody]
    for ply in replay(record):
        if not ply.drawn:
            seat = ply.before.actor
            decision = judge_decision(evaluator, ply.before, ply.action, memories[seat])
            if decision is not None and decision.counts:
                decisions[seat].append(decision)
        for seat, memory in enumerate(memories):
            for event in ply.events if memory is not None else ():
                memory.watch(event.seen_by(seat))  # type: ignore[union-attr]
        end = ply.after
    rates = [rate_of(some, evaluator.coach.difficulty) for some in decisions]
    return Judged(
        task,
        0.0,
        won=[worth.wins for worth in final_worths(end, everybody)],
        lost=[rate.loss for rate in rates],
        as_hard=[rate.as_hard for rate in rates],
        at_stake=[rate.at_stake for rate in rates],
        counted=[rate.decisions for rate in rates],
        bad=[sum(map(_is_bad, some)) for some in decisions],
    )


# -- tables ------------------------------------------------------------------------------------------------------------


def tell_calibration(found: Sequence[Judged]) -> None:
    """Tenth by tenth: how often was it told, what was told, how often they won."""
    print("| chance | told | mean | won | off | two errors | holds |\n| --- | --- | --- | --- | --- | --- | --- |")
    for tenth in range(TENTHS):
        by_game = []
        for one in found:
            pairs = [
                (share, won)
                for moment in one.predicted
                for share, won in zip(moment, one.won, strict=True)
                if min(int(share * TENTHS), TENTHS - 1) == tenth
            ]
            if pairs:
                by_game.append((len(pairs), sum(share for share, _ in pairs), sum(won for _, won in pairs)))
        told = sum(count for count, _, _ in by_game)
        if not told:
            continue
        mean, won = (sum(each[place] for each in by_game) / told for place in (1, 2))
        off = won - mean
        # the error of a ratio of sums, game by game
        error = math.sqrt(sum((wins - shares - off * count) ** 2 for count, shares, wins in by_game)) / told
        holds = abs(off) <= max(0.03, 2 * error)
        print(
            f"| {tenth * 10}–{tenth * 10 + 10} % | {told} | {100 * mean:.1f} | {100 * won:.1f} | {100 * off:+.1f} |"
            f" {200 * error:.1f} | {'yes' if holds else 'NO'} |"
        )


def tell_luck(found: Sequence[Judged]) -> None:
    """Level by level: how much of what happened was luck, and whether it was fair."""
    print("| level | games | variance of results | without luck | of it | mean luck by seat |")
    print("| --- | --- | --- | --- | --- | --- |")
    for level in dict.fromkeys(one.task.bots[0] for one in found):
        own = [one for one in found if one.task.bots[0] == level]
        seats = range(len(own[0].won))
        raw, without = (
            statistics.mean((share - 1 / len(seats)) ** 2 for shares in both for share in shares)
            for both in ([one.won for one in own], [one.adjusted for one in own])
        )
        # the error by the squares of draws: whole games are too crooked for some of them to tell their spread
        errors = [math.sqrt(sum(one.squares[seat] for one in own)) for seat in seats]
        luck = [math.fsum(one.chance[seat] for one in own) for seat in seats]
        told = (
            f"{100 * each / len(own):+.1f} ± {100 * error / len(own):.1f}"
            for each, error in zip(luck, errors, strict=True)
        )
        print(f"| `{level}` | {len(own)} | {raw:.4f} | {without:.4f} | {without / raw:.2f} | {', '.join(told)} |")


HEAD = """| level | games | error rate | loss per decision | bad per 50 | own decisions | won | without luck |
| --- | --- | --- | --- | --- | --- | --- | --- |"""


def tell_levels(found: Sequence[Judged], levels: Sequence[str]) -> None:
    """Neighbours in the games they had in common, and how surely they are told apart."""
    print(HEAD)
    tests = []
    for pair in itertools.pairwise(levels):
        weaker, stronger = (_Rated([one for one in found if set(one.task.bots) == set(pair)], level) for level in pair)
        print(f"{weaker.line()}\n{stronger.line()}")
        errs = _p_value((weaker.rate - stronger.rate) / _error(weaker.off, stronger.off))
        decides = _p_value((stronger.own - weaker.own) / _error(weaker.own_off, stronger.own_off))
        tests.append(f"{weaker.level} errs more than {stronger.level}: p = {errs:.2g}; by own decisions {decides:.2g}")
    print("", *tests, sep="\n")


def tell_alone(found: Sequence[Judged], levels: Sequence[str]) -> list[_Rated]:
    """Level by level among their own kind, and how surely neighbours are told apart."""
    print("| level | games | error rate | loss per decision | bad per 50 |\n| --- | --- | --- | --- | --- |")
    rates = [_Rated([one for one in found if level in one.task.bots], level) for level in levels]
    for rate in rates:
        print("|".join(rate.line().split("|")[:6]) + "|")
    print()
    for weaker, stronger in itertools.pairwise(rates):
        errs = _p_value((weaker.rate - stronger.rate) / math.hypot(_error(weaker.off), _error(stronger.off)))
        print(f"{weaker.level} errs more than {stronger.level}: p = {errs:.2g}")
    return rates


def tell_rates(found: Sequence[Judged], levels: Sequence[str]) -> list[_Rated]:
    """Level by level, in mixed company."""
    print(HEAD)
    rates = [_Rated([one for one in found if level in one.task.bots], level) for level in levels]
    for rate in rates:
        print(rate.line())
    return rates


class _Rated:
    """The seats of one level in some games."""

    def __init__(self, games: Sequence[Judged], level: str) -> None:
        self.level = level
        self._games = games
        self._seats = [(one, seat) for one in games for seat, bot in enumerate(one.task.bots) if bot == level]
        self.rate, self.off = self._ratio([(one.lost[seat], one.as_hard[seat]) for one, seat in self._seats])
        self.own, self.own_off = self._ratio(
            [(one.own[seat] if one.own else 0.0, one.counted[seat]) for one, seat in self._seats]
        )

    def _ratio(self, parts: Sequence[tuple[float, float]]) -> tuple[float, dict[Task, float]]:
        """A ratio of sums, and by game what that adds to its error."""
        total = sum(each for _, each in parts)
        ratio = sum(each for each, _ in parts) / total
        off: dict[Task, float] = {}
        for (one, _), (above, below) in zip(self._seats, parts, strict=True):
            off[one.task] = off.get(one.task, 0.0) + (above - ratio * below) / total
        return ratio, off

    def beside(self, measure: Callable[[float, float], float]) -> float:
        """What was lost beside what a coach sets it against."""
        hard, stake, lost = (
            math.fsum(figures[seat] for figures, seat in some)
            for some in (
                [(one.as_hard, seat) for one, seat in self._seats],
                [(one.at_stake, seat) for one, seat in self._seats],
                [(one.lost, seat) for one, seat in self._seats],
            )
        )
        return lost / measure(hard, stake)

    def line(self) -> str:
        """For the table."""
        counted = sum(one.counted[seat] for one, seat in self._seats)
        each = sum(one.lost[seat] for one, seat in self._seats) / counted
        bad = 50 * sum(one.bad[seat] for one, seat in self._seats) / counted
        won = statistics.mean(one.won[seat] for one, seat in self._seats)
        adjusted, own = (
            statistics.mean(figures[seat] if figures else 0.0 for figures, seat in some)
            for some in (
                [(one.adjusted, seat) for one, seat in self._seats],
                [(one.own, seat) for one, seat in self._seats],
            )
        )
        return (
            f"| `{self.level}` | {len(self._games)} | {100 * self.rate:.2f} ± {100 * _error(self.off):.2f} |"
            f" {100 * each:.2f} | {bad:.2f} | {100 * own:+.0f} | {100 * won:.0f} % | {100 * adjusted:.0f} % |"
        )


def _p_value(errors: float) -> float:
    """One-sided, by the normal distribution."""
    return 0.5 * math.erfc(errors / math.sqrt(2))


def _error(off: Mapping[Task, float], other: Mapping[Task, float] | None = None) -> float:
    """The standard error of a rate, or of the difference of two, whose games may be the same ones."""
    both = [off.get(task, 0.0) - (other or {}).get(task, 0.0) for task in {**off, **(other or {})}]
    return (
        math.sqrt(math.fsum(each * each for each in both) * len(both) / (len(both) - 1)) if len(both) > 1 else math.nan
    )


# -- the command -------------------------------------------------------------------------------------------------------


def tasks_of(
    game: Game, what: str, levels: Sequence[str], seats: int, games: int, effort: str, seed: str
) -> list[Task]:
    """What is to be played; where levels differ, everyone sits on every seat."""
    if what == "levels":
        among = [(stronger, *(weaker,) * (seats - 1)) for weaker, stronger in itertools.pairwise(levels)]
        tables = [_rotated(table, turn) for turn in range(games) for table in among]
    elif what == "rates":
        companies = list(itertools.combinations(levels, seats))
        rounds = math.ceil(games * len(levels) / seats / len(companies))
        tables = [_rotated(company, turn) for turn in range(rounds) for company in companies]
    elif what == "alone":
        return [
            Task(game.name, what, (level,) * seats, number, effort, seed) for number in range(games) for level in levels
        ]
    else:
        tables = [(level,) * seats for _ in range(games) for level in levels]
    return [Task(game.name, what, table, number, effort, seed) for number, table in enumerate(tables)]


def _rotated(bots: tuple[str, ...], turn: int) -> tuple[str, ...]:
    turn %= len(bots)
    return bots[turn:] + bots[:turn]


def _kept(path: Path | None) -> list[Judged]:
    if path is None or not path.exists():
        return []
    return [msgspec.json.decode(line, type=Judged) for line in path.read_bytes().splitlines()]


def done(tasks: Sequence[Task], jobs: int, path: Path | None) -> list[Judged]:
    """All games judged, those in the file as they were."""
    known = {one.task: one for one in _kept(path)}
    missing = [task for task in tasks if task not in known]
    with ProcessPoolExecutor(jobs) as pool:
        for future in as_completed(pool.submit(judged, task) for task in missing) if missing else ():
            one = future.result()
            known[one.task] = one
            if path is not None:
                with path.open("ab") as file:
                    file.write(msgspec.json.encode(one) + b"\n")
    return [known[task] for task in tasks]


def main(given: Sequence[str] = ("camelup", "luck", "--games", "2")) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("what", choices=("calibration", "luck", "levels", "alone", "rates"))
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--level", action="append")
    parser.add_argument("--effort", default="low")
    parser.add_argument("--seed", default="coach")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(given)
    game = serai.game(asked.game)
    coach = game.coach
    assert coach is not None
    every = game.levels if asked.what in ("levels", "alone", "rates") else (coach.reference,)
    levels: Sequence[str] = asked.level or every
    tasks = tasks_of(game, asked.what, levels, asked.seats, asked.games, asked.effort, asked.seed)
    found = done(tasks, asked.jobs, asked.file)
    if asked.what == "calibration":
        tell_calibration(found)
    elif asked.what == "luck":
        tell_luck(found)
    elif asked.what == "levels":
        tell_levels(found, levels)
    else:
        rates = (tell_alone if asked.what == "alone" else tell_rates)(found, levels)
        if asked.write:
            how = f"--games {asked.games} --seats {asked.seats} --effort {asked.effort} --seed {asked.seed}"
            _write(
                game,
                {rate.level: rate.beside(coach.measure) for rate in rates},
                f"python -m bench.coach {game.name} {asked.what} {how} --write",
            )
    seconds = [one.seconds for one in found]
    print(f"\n{len(found)} games, {statistics.mean(seconds):.2f} s of a core each, {max(seconds):.2f} s at most")


def _write(game: Game, rates: Mapping[str, float], command: str) -> None:
    told = {level: round(rate, 5) for level, rate in rates.items()}
    made = {"command": command, "evaluator": Evaluator(game).name, "rates": told}
    path = Path(str(files(f"serai.{game.name}").joinpath("data/level_rates.json")))
    path.write_text(msgspec.json.format(msgspec.json.encode(made)).decode() + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
