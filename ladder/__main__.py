"""``python -m ladder [GAME …]`` plays the games that are missing and writes the page and the games' files.

``GAME.toml`` says who plays. Games are stored in ``GAME.arena`` beside it, so it can be stopped and continued.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from ladder.page import chart_files, page, published
from serai.arena.executors import processors
from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import BadTournament, Description
from serai.arena.tournament.luck import LuckJudge, judge
from serai.arena.tournament.report import Report, report_of
from serai.arena.tournament.runner import Runner
from serai.coach.review import luck, luck_evaluator
from serai.core.registry import game as find_game
from serai.errors import SeraiError

HERE = Path(__file__).parent
ROOT = HERE.parent
REPORT_SECONDS = 15.0
"""Seconds between two lines of progress."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ladder", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=[], help="which to play; the page shows all (default: all)")
    parser.add_argument("--jobs", type=int, default=processors(), help="how many play at once (default: all cores)")
    parser.add_argument("--show", action="store_true", help="play nothing, write what there is")
    parser.add_argument("--play", action="store_true", help="write nothing")
    parser.add_argument("--judge", action="store_true", help="play nothing, judge the luck of what there is")
    parser.add_argument("--minutes", type=float, help="stop after this long; the same command continues")
    parser.add_argument("--folder", type=Path, default=HERE, help="where the tournaments are")
    given = parser.parse_args()
    known = sorted(file.stem for file in given.folder.glob("*.toml"))
    unknown = [name for name in given.games if name not in known]
    if unknown:
        parser.error(f"no {', '.join(unknown)}; there are: {', '.join(known)}")
    until = None if given.minutes is None else time.monotonic() + 60 * given.minutes
    try:
        if not given.show:
            for name in given.games or known:
                play(given.folder / f"{name}.toml", jobs=given.jobs, until=until, on=not given.judge)
        if not given.play:
            write([report(given.folder / f"{name}.toml") for name in known])
    except SeraiError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def play(file: Path, *, jobs: int, until: float | None, on: bool = True) -> None:
    """Continue the tournament, then judge the luck of its games while there is time."""
    asked = Description.read(file)
    tournament, stop = asked.settle()
    progress = _Progress(file.stem, until)
    with Archive(file.with_suffix(".arena"), create=(tournament, stop, asked.seed)) as archive:
        other = archive.tournament.differs(tournament)
        if other:
            raise BadTournament(f"{str(archive.path)!r} holds another ladder ({other}): put it elsewhere")
        archive.check_versions()
        progress.archive = archive
        if on and not archive.finished:
            Runner(archive, jobs=jobs, tell=progress.played, stopped=progress.over).play()
        if asked.adjust and not progress.over():
            by = LuckJudge(luck_evaluator(find_game(tournament.game)), luck)
            judge(archive, by, jobs=jobs, tell=progress.judged, stopped=progress.over)
        progress.say()


def report(file: Path) -> Report:
    """The report of the games so far."""
    with Archive(file.with_suffix(".arena")) as archive:
        return report_of(archive)


def write(reports: list[Report]) -> None:
    """Write the page with its charts, and the ladder in each game's folder."""
    for report in reports:
        for name, drawing in chart_files(report).items():
            (ROOT / "docs" / "pictures" / name).write_text(drawing, encoding="utf-8")
        file = ROOT / "src" / "serai" / report.tournament.game / "data" / "ladder.json"
        file.write_text(published(report).write(), encoding="utf-8")
    (ROOT / "docs" / "ladder.md").write_text(page(reports), encoding="utf-8")


class _Progress:
    """Lines on stdout, and whether the time is over."""

    def __init__(self, name: str, until: float | None) -> None:
        self.archive: Archive | None = None
        self._name, self._until = name, until
        self._began = self._last = time.monotonic()
        self._judged = 0

    def played(self, count: int) -> None:
        self._now_and_then()

    def judged(self, count: int) -> None:
        self._judged += count
        self._now_and_then()

    def over(self) -> bool:
        return self._until is not None and time.monotonic() >= self._until

    def say(self) -> None:
        assert self.archive is not None
        seconds = time.monotonic() - self._began
        judged = f", {self._judged} judged" if self._judged else ""
        sys.stdout.write(f"{self._name}: {self.archive.games} games{judged}, {seconds:.0f} s\n")
        sys.stdout.flush()

    def _now_and_then(self) -> None:
        if time.monotonic() > self._last + REPORT_SECONDS:
            self._last = time.monotonic()
            self.say()


if __name__ == "__main__":
    sys.exit(main())
