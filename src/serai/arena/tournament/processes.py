"""Processes for bots that are not compiled. One that runs somebody's code plays at most one game with the same dice."""

from __future__ import annotations

from serai.arena.crew import Order, Worker
from serai.arena.tournament.description import Tournament
from serai.arena.tournament.games import series_of
from serai.arena.tournament.lineups import Seated
from serai.core.simulation import group


class FairWorker(Worker):
    """A process that is replaced before it would meet dice again."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament.game, [entrant.spec for entrant in tournament.entrants])
        self._tournament = tournament
        self._met: set[tuple[Seated, int]] = set()
        """The line-ups and groups of which it has played a game."""

    def give_game(self, secret: str, seated: Seated, number: int) -> None:
        """Let it play that game next."""
        dice = (seated, group(len(seated), number))
        if dice in self._met and any(map(self._tournament.runs_inside, seated)):
            self.renew()
            self._met.clear()
        self._met.add(dice)
        self.give(Order(series_of(self._tournament, secret, seated), seated, range(number, number + 1)))
