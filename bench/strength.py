"""How strong bots are: paired matches of one against the rest of the table, with 95 % intervals, as a Markdown table.

``python -m bench.strength camelup greedy quick --seats 4 --groups 200`` plays ``greedy`` against three ``quick``;
``python -m bench.strength pharaoh --ladder --seats 2,4 --groups 100`` plays every level against the one below.
A *group* is one game for every rotation of the seats, all with the same dice. ``--width 6`` plays on until the interval
is no wider than six points (at most ``--groups``). With ``--file FILE`` every finished group is written there, a match
that was stopped goes on where it was, and ``--report`` tells again what lies there. Bots that have changed want a new
``--label``. Games follow from the seed, but for decisions that a bot's own clock has *cut* short (their part of all
decisions is told); times count decisions that had a choice.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import serai
from serai.arena.series import Player, Series, play_game
from serai.arena.statistics import Summary, percent, quantile, summarise
from serai.bots.contract import Bot, BotFactory, warm_up
from serai.bots.specs import bot_title
from serai.core.game import Game
from serai.core.parts import compiled
from serai.lab.simulator import Simulator
from serai.lab.tally import Distribution, Tally

FEWEST = 20
"""Groups before a width is believed."""
IN_BULK = 10
"""Compiled groups that are played at once."""
HEAD = (
    "bot",
    "against",
    "seats",
    "groups",
    "wins",
    "score",
    "others",
    "seat 0",
    "ms: median",
    "99 of 100",
    "others",
    "cut",
)


class Match(msgspec.Struct, frozen=True):
    """Who plays whom. The same match is the same games, if the bots are the same."""

    game: str
    rules: str
    entrants: tuple[str, ...]
    options: dict[str, Any]
    seed: str
    label: str = ""


class Stretch(msgspec.Struct):
    """Some groups of a match in a row, and what they came to."""

    match: Match
    first: int
    groups: int
    tally: Tally
    times: dict[str, Distribution]
    """By bot: decisions by microseconds, of two digits; nothing for compiled games."""
    faults: int
    seconds: float
    cuts: dict[str, int] = {}
    """By bot: decisions that a clock of its own cut short, so that they may come out otherwise another time."""

    def add(self, other: Stretch) -> None:
        """The next groups."""
        self.groups += other.groups
        self.tally.merge(other.tally)
        self.faults += other.faults
        self.seconds += other.seconds
        for bot, cuts in other.cuts.items():
            self.cuts[bot] = self.cuts.get(bot, 0) + cuts
        for bot, times in other.times.items():
            mine = self.times.setdefault(bot, {})
            for micros, count in times.items():
                mine[micros] = mine.get(micros, 0) + count


# -- playing -----------------------------------------------------------------------------------------------------------


class Timed:
    """A bot, how long each of its decisions took that had a choice, and how many the clock cut short."""

    def __init__(self, bot: Bot, name: str, stretch: Stretch) -> None:
        self._bot, self._name, self._stretch = bot, name, stretch
        self._times = stretch.times.setdefault(name, {})
        watch = getattr(bot, "watch", None)
        if watch is not None:
            self.watch = watch

    def warm_up(self) -> None:
        warm_up(self._bot)

    def decide(self, view: Any, rng: Any) -> Any:
        began = time.perf_counter_ns()
        action = self._bot.decide(view, rng)
        micros = (time.perf_counter_ns() - began) // 1000
        if len(view.actions()) > 1:
            micros = int(float(f"{micros:.1e}"))
            self._times[micros] = self._times.get(micros, 0) + 1
        if getattr(getattr(self._bot, "found", None), "cut", False):
            self._stretch.cuts[self._name] = self._stretch.cuts.get(self._name, 0) + 1
        return action


def played(match: Match, groups: range) -> Stretch:
    """Play these groups, compiled if that can be."""
    players = len(match.entrants)
    games = range(groups.start * players, groups.stop * players)
    began = time.perf_counter()
    simulator = _simulator(_key(match))
    if simulator is not None:
        tally = simulator.play(games.start, len(games))
        return Stretch(match, groups.start, len(groups), tally, {}, 0, time.perf_counter() - began)
    game = serai.game(match.game)
    series = Series(match.game, match.entrants, match.options, games.stop, match.seed, rotate=True, paired=True)
    stretch = Stretch(match, groups.start, len(groups), Tally.empty(players, paired=True), {}, 0, 0.0)
    makers = [
        _timed(make, bot, stretch)
        for make, bot in zip(_makers(msgspec.json.encode(series)), match.entrants, strict=True)
    ]
    for number in games:
        done = play_game(game, makers, series, number)
        stretch.faults += len(done.faults)
        for fault in done.faults:
            print(f"game {number}, ply {fault.ply}: {fault.bot} {fault.reason}", file=sys.stderr)
        stretch.tally.add(
            done.seating,
            done.scores,
            done.winners,
            plies=done.plies,
            decisions=done.decisions,
            measures=done.measures,
        )
    stretch.seconds = time.perf_counter() - began
    return stretch


@cache
def _simulator(match: bytes) -> Simulator | None:
    asked = msgspec.json.decode(match, type=Match)
    game = compiled(serai.game(asked.game))
    found: Simulator | None = game.simulator(asked.entrants, seed=asked.seed, paired=True, **asked.options)
    return found


@cache
def _makers(series: bytes) -> list[BotFactory]:
    asked = msgspec.json.decode(series, type=Series)
    return Player(asked.game, asked.bots, rows=False).makers(range(len(asked.bots)))


def _timed(make: BotFactory, name: str, stretch: Stretch) -> BotFactory:
    return lambda: Timed(make(), name, stretch)


def stretches(match: Match, wanted: Iterable[range], jobs: int) -> Iterator[Stretch]:
    """Play them all, in order, with that many processes."""
    if jobs == 1:
        yield from (played(match, groups) for groups in wanted)
        return
    pool: Executor = ProcessPoolExecutor(jobs)
    try:
        waiting: list[Future[Stretch]] = []
        for groups in wanted:
            waiting.append(pool.submit(played, match, groups))
            if len(waiting) > jobs:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


# -- what lies in a file -----------------------------------------------------------------------------------------------


def known(file: Path | None) -> dict[bytes, Stretch]:
    """What lies in the file, by match; of a line that was not finished nothing."""
    found: dict[bytes, Stretch] = {}
    if file is None or not file.exists():
        return found
    for line in file.read_bytes().splitlines():
        try:
            stretch = msgspec.json.decode(line, type=Stretch)
        except msgspec.DecodeError:
            continue
        whole = found.setdefault(_key(stretch.match), stretch)
        if whole is not stretch and stretch.first == whole.groups:
            whole.add(stretch)
    return found


def _write(file: Path, stretch: Stretch) -> None:
    cut_off = file.exists() and not file.read_bytes().endswith(b"\n")
    with file.open("ab") as out:
        out.write(b"\n" * cut_off + msgspec.json.encode(stretch) + b"\n")


def _key(match: Match) -> bytes:
    return msgspec.json.encode(match)


# -- a match, and what it says -----------------------------------------------------------------------------------------


def play(match: Match, groups: int, *, width: float = 0.0, jobs: int = 1, file: Path | None = None) -> Stretch:
    """Play a match on from where the file left it, until there are so many groups or the interval is narrow enough."""
    whole = known(file).get(_key(match))
    done = 0 if whole is None else whole.groups
    at_once = 1 if _simulator(_key(match)) is None else IN_BULK
    wanted = (range(first, min(first + at_once, groups)) for first in range(done, groups, at_once))
    if whole is not None and _narrow(whole, width):
        return whole
    for stretch in stretches(match, wanted, jobs):
        if file is not None:
            _write(file, stretch)
        if whole is None:
            whole = stretch
        else:
            whole.add(stretch)
        if sys.stderr.isatty():
            share = percent(_summary(whole).bots[0].wins)
            print(f"\r{whole.groups} groups: {share}, {whole.seconds:.0f} s ", end="\r", file=sys.stderr)
        if _narrow(whole, width):
            break
    assert whole is not None, "no groups were asked for"
    return whole


def _narrow(whole: Stretch, width: float) -> bool:
    wins = _summary(whole).bots[0].wins
    return whole.groups >= FEWEST and 100 * (wins.high - wins.low) <= width


def _summary(whole: Stretch) -> Summary:
    return summarise(whole.tally, whole.match.entrants)


def table(matches: Sequence[Stretch]) -> str:
    """The matches in Markdown; the mean of whatever else a game counts stands behind."""
    measures = list(dict.fromkeys(name for whole in matches for name in whole.tally.measures))
    lines = [(*HEAD, *measures), ("---",) * (len(HEAD) + len(measures))]
    lines += [(*_line(whole), *(_mean(whole.tally.measures.get(name)) for name in measures)) for whole in matches]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _line(whole: Stretch) -> Iterator[str]:
    one, *others = (bot_title(bot) for bot in whole.match.entrants)
    summary = _summary(whole)
    label = f" ({whole.match.label})" if whole.match.label else ""
    counts = {name: others.count(name) for name in dict.fromkeys(others)}
    yield one + label
    yield ", ".join(f"{count} {name}" for name, count in counts.items())
    yield str(len(whole.match.entrants))
    yield str(whole.groups)
    yield percent(summary.bots[0].wins)
    yield f"{summary.bots[0].scores.mean:.1f}"
    yield ", ".join(f"{bot.scores.mean:.1f}" for bot in summary.bots[1:])
    yield f"{100 * summary.seats[0].wins.share:.0f} %"
    mine, *theirs = (whole.times.get(bot, {}) for bot in dict.fromkeys(whole.match.entrants))
    yield _milliseconds(mine, 0.5)
    yield _milliseconds(mine, 0.99)
    yield ", ".join(f"{_milliseconds(times, 0.5)} / {_milliseconds(times, 0.99)}" for times in theirs)
    yield f"{100 * sum(whole.cuts.values()) / whole.tally.decisions:.1f} %"


def _milliseconds(times: Distribution, part: float) -> str:
    return f"{quantile(times, part) / 1000:.3g}" if times else "compiled"


def _mean(counts: Distribution | None) -> str:
    return f"{sum(value * games for value, games in counts.items()) / sum(counts.values()):.2f}" if counts else ""


# -- the command -------------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] = ()) -> None:
    if not arguments:
        shown = [play(match, 5) for name in serai.games() for match in _ladder(serai.game(name), [4], {}, "1", "")]
        print(table(shown))
        return
    asked = _parser().parse_args(arguments)
    game = serai.game(asked.game)
    options = {name: msgspec.json.decode(value) for name, _, value in (text.partition("=") for text in asked.option)}
    if asked.report:
        lying = [whole for whole in known(asked.file).values() if whole.match.game == game.name]
        print(table(lying))
        return
    if asked.ladder:
        matches = list(_ladder(game, asked.seats, options, asked.seed, asked.label))
    else:
        matches = list(_against(game, asked.bots, asked.seats, options, asked.seed, asked.label))
    shown = []
    for match in matches:
        shown.append(play(match, asked.groups, width=asked.width, jobs=asked.jobs, file=asked.file))
        if shown[-1].faults:
            print(f"{shown[-1].faults} faults: {', '.join(match.entrants)}", file=sys.stderr)
    print(table(shown))


def _ladder(game: Game, seats: Sequence[int], options: dict[str, Any], seed: str, label: str) -> Iterator[Match]:
    for weaker, stronger in itertools.pairwise(game.levels or game.bots):
        yield from _against(game, [stronger, weaker], seats, options, seed, label)


def _against(
    game: Game, bots: Sequence[str], seats: Sequence[int], options: dict[str, Any], seed: str, label: str
) -> Iterator[Match]:
    one, *others = bots
    if len(others) > 1:
        seats = [len(bots)]
    for players in seats:
        entrants = (one, *(others * (players - 1) if len(others) == 1 else others))
        yield Match(game.name, game.version, entrants, options, seed, label)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("bots", nargs="*", help="one bot, and the other or others it plays against")
    parser.add_argument("--ladder", action="store_true", help="every level against the one below")
    parser.add_argument("--seats", type=_numbers, default=[4], help="how many play, as 4 or 2,3,4 (default 4)")
    parser.add_argument("--groups", type=int, default=100, help="how many groups at most (default 100)")
    parser.add_argument("--width", type=float, default=0.0, help="stop once the interval is no wider, in points")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--label", default="", help="what is special about these bots")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes (default 1)")
    parser.add_argument("--file", type=Path, help="where every finished group is written")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="VALUE as JSON")
    parser.add_argument("--report", action="store_true", help="only tell what lies in the file")
    return parser


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    main(sys.argv[1:])
