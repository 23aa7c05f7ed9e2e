"""How well the coach judges: calibration of its chances, what luck takes out, error rates of the levels, time.

``python -m bench.coach camelup calibration --games 500`` plays games among the reference level and tells how often
seats won that were given each tenth of a chance, with intervals clustered by game. ``… levels --games 30`` reviews
games of each level among themselves: error rates, verdicts, variance of results with and without luck, and time.
With ``--file FILE`` every game's figures are kept there, and what was stopped goes on. ``--write`` puts the error rates
into the game's folder, where the coach looks for whom somebody plays like.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

import serai
from serai.arena.series import Series, makers_of, play_game
from serai.coach import review
from serai.coach.evaluator import Evaluator, result
from serai.core.game import Game
from serai.core.record import Record, replay

TENTHS = 10


class Judged(msgspec.Struct, frozen=True):
    """One game, as far as the tables need it."""

    what: str
    level: str
    seats: int
    effort: str
    number: int
    seconds: float
    predicted: list[list[float]] = []
    """By moment and seat."""
    won: list[float] = []
    adjusted: list[float] = []
    chance: list[float] = []
    lost: list[float] = []
    """By seat: of all decisions that count; then how many those are, and how many were bad or worse."""
    counted: list[int] = []
    bad: list[int] = []


def games(game: Game, level: str, seats: int, seed: str, numbers: Iterable[int]) -> Iterator[tuple[int, Record]]:
    """Games of a level among itself."""
    series = Series(game.name, (level,) * seats, {}, 1 << 30, seed, keep_records=True)
    makers = makers_of(game, series)
    for number in numbers:
        record = play_game(game, makers, series, number).record
        assert record is not None
        yield number, record


def calibrated(game: Game, level: str, seats: int, effort: str, number: int, record: Record) -> Judged:
    """Everybody's chances at every decision, by what each seat knew, and who won."""
    began = time.process_time()
    evaluator = Evaluator(game, effort=effort, seed=number)
    everybody = range(seats)
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
    won = [worth.wins for worth in result(end, everybody)]
    return Judged("calibration", level, seats, effort, number, time.process_time() - began, predicted, won)


def reviewed(game: Game, level: str, seats: int, effort: str, number: int, record: Record) -> Judged:
    """A whole review, in figures."""
    began = time.process_time()
    accounts = review(record, effort=effort, seed=number).accounts
    return Judged(
        "levels",
        level,
        seats,
        effort,
        number,
        time.process_time() - began,
        won=[account.wins.final for account in accounts],
        adjusted=[account.adjusted for account in accounts],
        chance=[account.wins.chance for account in accounts],
        lost=[account.total.loss for account in accounts],
        counted=[account.total.decisions for account in accounts],
        bad=[account.verdicts.get("bad", 0) + account.verdicts.get("very bad", 0) for account in accounts],
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
    print(f"\n{len(found)} games, {statistics.mean(one.seconds for one in found):.2f} s of a core each")


def tell_levels(found: Sequence[Judged], levels: Sequence[str]) -> dict[str, float]:
    """Level by level, and how surely neighbours are told apart."""
    print("| level | games | loss per decision | bad per 50 | luck | raw variance | without luck | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    rates: dict[str, list[float]] = {}
    means = {}
    for level in levels:
        own = [one for one in found if one.level == level]
        if len(own) < 2:
            continue
        rates[level] = [sum(one.lost) / max(sum(one.counted), 1) for one in own]
        means[level] = sum(sum(one.lost) for one in own) / sum(sum(one.counted) for one in own)
        error = statistics.stdev(rates[level]) / math.sqrt(len(own))
        bad = 50 * sum(sum(one.bad) for one in own) / sum(sum(one.counted) for one in own)
        luck = [one.chance[0] for one in own]
        raw, without = (
            statistics.mean(statistics.pvariance(shares, 1 / one.seats) for one, shares in both)
            for both in ([(one, one.won) for one in own], [(one, one.adjusted) for one in own])
        )
        print(
            f"| `{level}` | {len(own)} | {100 * means[level]:.2f} ± {100 * error:.2f} | {bad:.2f} |"
            f" {100 * statistics.mean(luck):+.1f} ± {100 * statistics.stdev(luck) / math.sqrt(len(own)):.1f} |"
            f" {raw:.4f} | {without:.4f} | {statistics.mean(one.seconds for one in own):.1f} |"
        )
    for weaker, stronger in itertools.pairwise(levels):
        if weaker in rates and stronger in rates:
            print(f"{weaker} errs more than {stronger}: p = {_p_value(rates[weaker], rates[stronger]):.2g}")
    return means


def _p_value(more: Sequence[float], less: Sequence[float]) -> float:
    """One-sided, by the normal distribution."""
    error = math.sqrt(statistics.variance(more) / len(more) + statistics.variance(less) / len(less))
    gap = (statistics.mean(more) - statistics.mean(less)) / error if error else 0.0
    return 0.5 * math.erfc(gap / math.sqrt(2))


# -- the command -------------------------------------------------------------------------------------------------------


def _kept(path: Path | None) -> list[Judged]:
    if path is None or not path.exists():
        return []
    return [msgspec.json.decode(line, type=Judged) for line in path.read_bytes().splitlines()]


def main(given: Sequence[str] = ("camelup", "levels", "--games", "2")) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("what", choices=("calibration", "levels"))
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--level", action="append")
    parser.add_argument("--effort", default="low")
    parser.add_argument("--seed", default="coach")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(given)
    game = serai.game(asked.game)
    coaching = game.coaching()
    assert coaching is not None
    levels: Sequence[str] = asked.level or (game.levels if asked.what == "levels" else (coaching.reference,))
    judge = reviewed if asked.what == "levels" else calibrated
    found: list[Judged] = []
    known: dict[tuple[Any, ...], Judged] = defaultdict()
    for one in _kept(asked.file):
        known[one.what, one.level, one.seats, one.effort, one.number] = one
    for level in levels:
        keys = [(asked.what, level, asked.seats, asked.effort, number) for number in range(asked.games)]
        found += [known[key] for key in keys if key in known]
        missing = [key[-1] for key in keys if key not in known]
        for number, record in games(game, level, asked.seats, asked.seed, missing):
            one = judge(game, level, asked.seats, asked.effort, number, record)
            found.append(one)
            if asked.file is not None:
                with asked.file.open("ab") as file:
                    file.write(msgspec.json.encode(one) + b"\n")
    if asked.what == "calibration":
        tell_calibration(found)
        return
    means = tell_levels(found, levels)
    if asked.write:
        command = f"python -m bench.coach {' '.join(given)}"
        rates = {level: round(mean, 5) for level, mean in means.items()}
        path = Path(str(files(f"serai.{game.name}").joinpath("error_rates.json")))
        made = {"command": command, "evaluator": Evaluator(game).name, "rates": rates}
        path.write_text(msgspec.json.format(msgspec.json.encode(made)).decode() + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
