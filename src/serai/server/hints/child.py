"""A process in which the coach thinks: ``python -m serai.server.hints.child``.

It is asked as a bot is, with what a seat sees and has seen, and answers with the best actions instead of one. It learns
nothing else of a table, and its randomness is its own.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import msgspec

from serai.bots.child import serve
from serai.bots.pipe import MAX_FAULT, Answer, Decide, Request, Rise, Sit
from serai.coach.hints import hints
from serai.core.game import Game
from serai.core.registry import game as find_game
from serai.table.bodies import Hint

EFFORT: Final = "high"
"""One position is judged, not a game: there is time for it."""


class Advisers:
    """By key: the game of whoever asks, and what that seat has seen."""

    def __init__(self) -> None:
        self._seated: dict[str, tuple[Game, list[Any]]] = {}

    def answer(self, request: Request) -> Answer:
        """Do what is asked; a failure is an answer like any other."""
        try:
            match request:
                case Sit():
                    self._seated[request.key] = find_game(request.game), []
                    return Answer(watches=True)
                case Decide():
                    return self._advise(request)
                case Rise():
                    for key in request.keys:
                        self._seated.pop(key, None)
                    return Answer()
        except Exception as error:
            return Answer(fault=f"{type(error).__name__}: {error}"[:MAX_FAULT])
        return Answer(fault="a coach is not asked for that")

    def _advise(self, request: Decide) -> Answer:
        game, seen = self._seated[request.key]
        seen += map(game.event_decoder.decode, request.events)
        view: Any = game.state_decoder.decode(request.view)
        memory = game.memory(view.actor)
        if memory is not None:
            for event in seen:
                memory.watch(event)
        best = hints(game, view, memory, effort=EFFORT, seed=secrets.randbits(60))
        told = [Hint(game.parse(one.action), one.action, one.wins, one.error, one.score, one.reasons) for one in best]
        return Answer(action=msgspec.json.encode(told))


if __name__ == "__main__":
    serve(Advisers().answer)
