"""The games of a tournament on a cluster: handed out in portions, and kept as they come back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from multiprocessing.connection import wait

from serai.arena.cluster.pace import Pace
from serai.arena.cluster.reach import Cluster
from serai.arena.tournament.archive import Archive, Planned
from serai.arena.tournament.description import Tournament
from serai.arena.tournament.games import Bulk, Finished, Portion, finished, play, simulator_of
from serai.arena.tournament.processes import FairWorker
from serai.bots.specs import is_ours
from serai.core.registry import game as find_game

_LOOK = 0.2
"""Seconds between two looks at the clock."""


class _Pile:
    """Games of one kind that are still to be handed out, cut from the front."""

    def __init__(self, due: Iterable[Planned], unit: int) -> None:
        self._due = deque(due)
        self.unit = unit
        """So many go together."""
        self._left = sum(len(numbers) for _, numbers in self._due)
        self.pace = Pace()

    def __bool__(self) -> bool:
        return bool(self._due)

    def cut(self, at_once: int) -> Planned:
        lineup, numbers = self._due.popleft()
        count = self.pace.size(self._left // self.unit, at_once) * self.unit
        now, rest = numbers[:count], numbers[count:]
        if rest:
            self._due.appendleft(Planned(lineup, rest))
        self._left -= len(now)
        return Planned(lineup, now)


def play_abroad(
    archive: Archive, due: list[Planned], cluster: Cluster, tell: Callable[[int], None], check: Callable[[], None]
) -> None:
    """Play what is due, and keep it; ``check`` is asked between whiles, and raises to leave off."""
    seats = archive.tournament.seats
    compiled: list[Planned] = []
    others: list[Planned] = []
    for planned in due:
        simulator = simulator_of(archive.tournament, archive.secret, archive.lineups[planned.lineup])
        (others if simulator is None else compiled).append(planned)
    piles = [_Pile(compiled, seats), _Pile(by_rotation(others, seats), 1)]
    try:
        while any(piles) or cluster.busy:
            while cluster.room > 0 and any(piles):
                pile = next(pile for pile in piles if pile)
                lineup, numbers = pile.cut(cluster.at_once)
                portion = Portion(archive.tournament, archive.secret, archive.lineups[lineup], numbers)
                cluster.ask((pile, lineup, len(numbers)), played_abroad, portion)
            for (pile, lineup, count), played, seconds in cluster.done(_LOOK):
                pile.pace.note(count / pile.unit, seconds)
                for part in [played] if isinstance(played, Bulk) else played:
                    archive.keep(lineup, part)
                tell(count)
            check()
    finally:
        cluster.drop()


def by_rotation(due: Iterable[Planned], seats: int) -> list[Planned]:
    """The same games, each rotation of the seats by itself, so that those with the same dice are far apart."""
    return [
        Planned(lineup, numbers)
        for rotation in range(seats)
        for lineup, asked in due
        if (numbers := range(asked.start + (rotation - asked.start) % seats, asked.stop, seats))
    ]


def played_abroad(portion: Portion) -> Bulk | list[Finished]:
    """Asked of a worker: the games of a portion, those of somebody's bots in a process apart."""
    tournament = portion.tournament
    game = find_game(tournament.game)
    if all(is_ours(game, tournament.entrants[entrant].spec) for entrant in portion.lineup):
        return play(portion)
    worker = _worker(tournament)
    found: list[Finished] = []
    for number in portion.numbers:
        worker.give_game(portion.secret, portion.lineup, number)
        while not worker.idle:
            wait(worker.watched, _LOOK)
            found.extend(finished(played) for played in worker.take())
    return found


def _worker(tournament: Tournament) -> FairWorker:
    """The one of this process, which plays in one tournament only."""
    if not _WORKERS:
        _WORKERS.append(FairWorker(tournament))
    return _WORKERS[0]


_WORKERS: list[FairWorker] = []
