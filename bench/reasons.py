"""Whether the coach's reasons hold: decisions of bots' games reviewed, and every reason looked at.

``python -m bench.reasons pharaoh --decisions 2000 --jobs 5`` reviews games of mixed bots until so many decisions are
judged, and prints one line of a Markdown table:

- *apart*: by how much, at most, the parts of a difference miss the difference of the mean scores
- *against*: reasons that together speak against the verdict, or the first of which does
- *bad*: decisions that were *bad* or *very bad*; *causes*: the share of them for which a cause is named, instead of
  many small things or that it pays off when it decides the game
- *seconds*: for the longest review of all seats, on one core, and for the median one

``--write FILE`` keeps what was bad, a line of JSON for each, to be read by people.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

import serai
from serai.arena.simulate import Simulation
from serai.coach import contrasts, review
from serai.coach.contrasts import BIGGEST, DECISIVE, EVEN, MANY
from serai.coach.decisions import Decision
from serai.coach.review import Review
from serai.core.game import Game
from serai.core.parts import Coach, Contrast
from serai.core.rollouts import Playouts

VAGUE: Final = (EVEN, MANY, BIGGEST, f"{DECISIVE}_more", f"{DECISIVE}_less")
"""Reasons that name no cause."""


class Mistake(msgspec.Struct, frozen=True):
    """A bad decision, as it is shown to people."""

    game: str
    number: int
    ply: int
    names: tuple[str, ...]
    decision: Decision


class Reasons(msgspec.Struct):
    """What became of the reasons of some reviews."""

    decisions: int = 0
    compared: int = 0
    """Pairs of actions that reasons were given for."""
    apart: float = 0.0
    against: list[str] = []
    bad: int = 0
    caused: int = 0
    seconds: list[float] = []
    mistakes: list[Mistake] = []

    def add(self, other: Reasons) -> None:
        """Take in what was found in other games."""
        for name in ("decisions", "compared", "bad", "caused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.apart = max(self.apart, other.apart)
        for name in ("against", "seconds", "mistakes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def looked_at(game: Game, bots: Sequence[str], number: int, *, effort: str, seed: str) -> Reasons:
    """Review one game of these bots for all seats, and look at every reason."""
    found = Reasons()
    record = Simulation(game, bots, seed=seed).record(number)
    began = time.process_time()
    with _AddingUp(found):
        judged = review(record, effort=effort, progress=False)
    found.seconds.append(time.process_time() - began)
    _look(judged, number, found)
    return found


class _AddingUp:
    """While it lasts, every comparison of two actions is checked: the parts add up to the difference in score."""

    def __init__(self, found: Reasons) -> None:
        self._found = found
        self._plain = contrasts.contrasts

    def __enter__(self) -> None:
        def checked(coach: Coach, playouts: Playouts, seat: int, place: int, rival: int) -> list[Contrast]:
            parts = self._plain(coach, playouts, seat, place, rival)
            scored = {group.name for group in coach.parts if group.score}
            differs = np.asarray(playouts.scores[place] - playouts.scores[rival]).mean(axis=0, dtype=float)
            for other, difference in enumerate(differs):
                total = sum(one.amount for one in parts if one.seats == (other,) and one.part in scored)
                self._found.apart = max(self._found.apart, abs(total - difference))
            self._found.compared += 1
            return parts

        contrasts.contrasts = checked

    def __exit__(self, *_: object) -> None:
        contrasts.contrasts = self._plain


def _look(judged: Review, number: int, found: Reasons) -> None:
    for step in judged.steps:
        decision = step.decision
        if decision is None:
            continue
        found.decisions += 1
        found.against += [f"{judged.game} {number}, action {step.ply}: {wrong}" for wrong in contradictions(decision)]
        if decision.verdict in ("bad", "very bad"):
            found.bad += 1
            found.caused += names_a_cause(decision)
            found.mistakes.append(Mistake(judged.game, number, step.ply, judged.names, decision))


def contradictions(decision: Decision) -> Iterator[str]:
    """Reasons of a decision that do not say what its verdict says."""
    best, chosen = decision.alternatives[0], decision.alternatives[decision.chosen]
    if decision.verdict != "fine":
        if (best.against, chosen.against) != (chosen.action, best.action):
            yield f"{decision.verdict}, but {best.action} is compared with {best.against}"
        if best.reasons[0].key == EVEN:
            yield f"{decision.verdict}, but a matter of taste"
    for place, one in enumerate(decision.alternatives):
        weights = [reason.weight for reason in one.reasons if reason.weight]
        sign = 1 if place == 0 else -1
        if weights and (sign * weights[0] < 0 or sign * sum(weights) < 0):
            yield f"{one.action}: {', '.join(map(str, one.reasons))}"


def names_a_cause(decision: Decision) -> bool:
    """Whether the first reason for the best action is something that people can point at."""
    return decision.alternatives[0].reasons[0].key not in VAGUE


def tables(game: Game, count: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """The bots of so many games: tables of all sizes, every level that needs no search."""
    assert game.coach is not None
    levels = game.levels[: game.levels.index(game.coach.reference) + 1]
    sizes = [size for size in game.players if size <= 5]
    for number in range(count):
        size = sizes[number % len(sizes)]
        yield tuple(levels[(number // len(sizes) + seat) % len(levels)] for seat in range(size)), number


def _task(name: str, bots: tuple[str, ...], number: int, effort: str, seed: str) -> Reasons:
    return looked_at(serai.game(name), bots, number, effort=effort, seed=seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Review games until there are enough decisions, and say what holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=serai.games())
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--effort", default="low", choices=("low", "usual", "high"))
    parser.add_argument("--seed", default="reasons")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args(arguments)
    found = Reasons()
    games = tables(serai.game(given.game), 10_000)
    with ProcessPoolExecutor(given.jobs) as pool:
        running: set[Any] = set()
        while found.decisions < given.decisions:
            while len(running) < given.jobs:
                bots, number = next(games)
                running.add(pool.submit(_task, given.game, bots, number, given.effort, given.seed))
            done = next(as_completed(running))
            running.remove(done)
            found.add(done.result())
        for task in running:
            task.cancel()
    print("| game | decisions | comparisons | apart | against | bad | causes | seconds, most | median |")
    print(f"|{' --- |' * 9}")
    causes = f"{found.caused / found.bad:.1%}" if found.bad else "–"
    print(
        f"| {given.game} | {found.decisions} | {found.compared} | {found.apart:.5f} | {len(found.against)} |"
        f" {found.bad} | {causes} | {max(found.seconds):.1f} | {statistics.median(found.seconds):.1f} |"
    )
    for line in found.against:
        print(line)
    if given.write:
        given.write.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in found.mistakes))
    return 1 if found.against else 0


if __name__ == "__main__":
    sys.exit(main())
