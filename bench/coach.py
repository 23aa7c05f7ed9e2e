"""How well the coach judges: whether its chances hold, what luck takes out of results, how much each level errs.

``python -m bench.coach camelup calibration --games 500`` plays games among the reference level and tells how often
seats won that were given each tenth of a chance, with intervals clustered by game. ``… luck`` reviews such games for
all seats: the variance of results with and without luck, and time. ``… levels --games 30`` reviews one seat of each
level at tables of the reference level, so that all have the same company: what it loses in a decision. ``--write`` puts
that into the game's folder, where the coach looks for whom somebody plays like. With ``--file FILE`` every game's
figures are kept there, and what was stopped goes on.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path

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


Table = tuple[int, int, Record]
"""The number of a game, the seat of whom it is about, and its record."""


def games(game: Game, level: str, host: str, seats: int, seed: str, numbers: Iterable[int]) -> Iterator[Table]:
    """Games of a level at tables of another, its seat going round."""
    series = Series(game.name, (level, *(host,) * (seats - 1)), {}, 1 << 30, seed, rotate=True, keep_records=True)
    makers = makers_of(game, series.bots)
    for number in numbers:
        played = play_game(game, makers, series, number)
        assert played.record is not None
        yield number, played.seating.index(0), played.record


def calibrated(game: Game, level: str, effort: str, table: Table) -> Judged:
    """Everybody's chances at every decision, by what each seat knew, and who won."""
    began = time.process_time()
    number, _, record = table
    evaluator = Evaluator(game, effort=effort, seed=number)
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
    won = [worth.wins for worth in result(end, everybody)]
    return Judged("calibration", level, len(everybody), effort, number, time.process_time() - began, predicted, won)


def with_luck(game: Game, level: str, effort: str, table: Table) -> Judged:
    """A review for all seats, in figures."""
    number, _, record = table
    return _reviewed("luck", level, effort, number, record, None)


def one_of_level(game: Game, level: str, effort: str, table: Table) -> Judged:
    """A review for the seat of the level alone."""
    number, seat, record = table
    return _reviewed("levels", level, effort, number, record, seat)


def _reviewed(what: str, level: str, effort: str, number: int, record: Record, seat: int | None) -> Judged:
    began = time.process_time()
    accounts = review(record, seat, effort=effort, seed=number).accounts
    return Judged(
        what,
        level,
        len(record.seats),
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


def tell_luck(found: Sequence[Judged]) -> None:
    """How much of what happened was luck."""
    raw, without = (
        statistics.mean((share - 1 / one.seats) ** 2 for one, shares in both for share in shares)
        for both in ([(one, one.won) for one in found], [(one, one.adjusted) for one in found])
    )
    luck = [one.chance[0] for one in found]
    error = statistics.stdev(luck) / math.sqrt(len(luck))
    print(f"variance of results {raw:.4f}, without luck {without:.4f}: {without / raw:.2f} of it")
    print(f"luck of seat 0: {100 * statistics.mean(luck):+.1f} ± {100 * error:.1f}")
    print(f"{len(found)} games, {statistics.mean(one.seconds for one in found):.2f} s of a core each")


def tell_levels(found: Sequence[Judged], levels: Sequence[str]) -> dict[str, float]:
    """Level by level, and how surely neighbours are told apart."""
    print("| level | games | loss per decision | bad per 50 | won | without luck |")
    print("| --- | --- | --- | --- | --- | --- |")
    rates: dict[str, list[float]] = {}
    means = {}
    for level in levels:
        own = [one for one in found if one.level == level]
        counted = sum(sum(one.counted) for one in own)
        rates[level] = [sum(one.lost) / max(sum(one.counted), 1) for one in own]
        means[level] = sum(sum(one.lost) for one in own) / counted
        error = statistics.stdev(rates[level]) / math.sqrt(len(own))
        bad = 50 * sum(sum(one.bad) for one in own) / counted
        won = statistics.mean(one.won[0] for one in own)
        adjusted = statistics.mean(one.adjusted[0] for one in own)
        print(
            f"| `{level}` | {len(own)} | {100 * means[level]:.2f} ± {100 * error:.2f} | {bad:.2f} |"
            f" {100 * won:.0f} % | {100 * adjusted:.0f} % |"
        )
    for weaker, stronger in itertools.pairwise(levels):
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


JUDGES: dict[str, Callable[[Game, str, str, Table], Judged]] = {
    "calibration": calibrated,
    "luck": with_luck,
    "levels": one_of_level,
}


def main(given: Sequence[str] = ("camelup", "luck", "--games", "2")) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("what", choices=JUDGES)
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
    host = coaching.reference
    levels: Sequence[str] = asked.level or (game.levels if asked.what == "levels" else (host,))
    known = {(one.what, one.level, one.seats, one.effort, one.number): one for one in _kept(asked.file)}
    found: list[Judged] = []
    for level in levels:
        keys = [(asked.what, level, asked.seats, asked.effort, number) for number in range(asked.games)]
        found += [known[key] for key in keys if key in known]
        missing = [key[-1] for key in keys if key not in known]
        company = host if asked.what == "levels" else level
        for table in games(game, level, company, asked.seats, asked.seed, missing):
            found.append(JUDGES[asked.what](game, level, asked.effort, table))
            if asked.file is not None:
                with asked.file.open("ab") as file:
                    file.write(msgspec.json.encode(found[-1]) + b"\n")
    if asked.what == "calibration":
        tell_calibration(found)
    elif asked.what == "luck":
        tell_luck(found)
    else:
        means = tell_levels(found, levels)
        if asked.write:
            how = f"--games {asked.games} --seats {asked.seats} --effort {asked.effort} --seed {asked.seed}"
            _write(game, means, f"python -m bench.coach {game.name} levels {how} --write")


def _write(game: Game, means: dict[str, float], command: str) -> None:
    rates = {level: round(mean, 5) for level, mean in means.items()}
    made = {"command": command, "evaluator": Evaluator(game).name, "rates": rates}
    path = Path(str(files(f"serai.{game.name}").joinpath("error_rates.json")))
    path.write_text(msgspec.json.format(msgspec.json.encode(made)).decode() + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
