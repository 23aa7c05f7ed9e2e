"""How bots of Das Gold des Pharao play among their own: how long, who dawdles, and what becomes of the mask.

``python -m bench.pharaoh_habits --bots lynx,sphinx --seats 2,4 --games 40 --jobs 16`` plays 40 games of two ``lynx``,
of four, and so on; ``-o max_rounds=60`` with another option than the usual. One line of a Markdown table for each:

- *rounds*: the median and the range; *over 60*: the share of games with more; *limit*: games that the limit ended
- *to and fro*: how often, in all games, a treasure was dropped where it was taken up, or taken up where it was dropped,
  by an archaeologist that had not moved, unless for another treasure
- *idle*: the share of turns that ended with moves left, before the mask was found or the pyramid fell by itself, though
  the archaeologist could have turned a tile over with them
- *passed*: the same of turns in which nothing was done at all
- *carried out*, *home*: the share of games in which somebody left the chamber with the mask, and brought it home
- *there and back*: the share of turns in which a figure walked back to where it had been, with nothing done in between
- *turned*, *thefts*, *lamps*: tiles turned, treasures stolen and lamps put up in a game
- *first*: the share of games that the first seat won; *seconds*: for one game, on one core
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

from serai.bots import find_bot, referee
from serai.bots.contract import warm_up
from serai.bots.specs import split_specs
from serai.core.play import Ply
from serai.pharaoh.game import GAME
from serai.pharaoh.rules.actions import Archaeologist, Drop, End, Helper, Steal, Take
from serai.pharaoh.rules.board import EXITS
from serai.pharaoh.rules.pieces import CELLS, FACE_DOWN, FALLEN, MASK, NOWHERE
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.ways import moves_from

LONG = 60
"""Rounds: more of them are a long game."""
HEAD = (
    *("bot", "seats", "games", "rounds", f"over {LONG}", "limit", "to and fro", "idle", "passed"),
    *("carried out", "home", "there and back", "turned", "thefts", "lamps", "first", "seconds"),
)


class Played(NamedTuple):
    """A game: its rounds, the seconds it took, and what was counted."""

    rounds: int
    seconds: float
    counts: Counter[str]


class Handled(NamedTuple):
    """A treasure that an archaeologist took up, or dropped."""

    value: int
    dropped: bool


class Habits:
    """Counts what happens in a game, action by action."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._done = 0
        """Actions in this turn."""
        self._stood: set[tuple[str, int]] = set()
        """Where figures were in this turn, with nothing done since but walking."""
        self._handled: defaultdict[int, list[Handled]] = defaultdict(list)
        """By seat: what its archaeologist took up and dropped where it stands."""

    def watch(self, ply: Ply) -> None:
        """Count one action."""
        before, action, after, seat = ply.before, ply.action, ply.after, ply.before.turn
        if ply.drawn:
            self._stood.clear()
        else:
            self.counts[action.kind] += 1
            self._walk(before, action)
            self._handle(before, action)
            self.counts["carried out"] += before.countdown > 0 == after.countdown and isinstance(action, Archaeologist)
            self._done += 1
        for other in range(after.players):
            moved = before.archaeologists[other] != after.archaeologists[other]
            if moved or (other != seat and before.carried[other] != after.carried[other]) or after.over:
                self.counts["to and fro"] += to_and_fro(self._handled.pop(other, []))
        if after.over or after.turn != seat or after.round != before.round:
            self.counts["turns"] += 1
            self._ended(before, action)
            self._done = 0
            self._stood.clear()

    def _walk(self, before: PharaohState, action: Any) -> None:
        if isinstance(action, Archaeologist | Helper):
            places = before.archaeologists if isinstance(action, Archaeologist) else before.helpers
            self.counts["back"] += (action.kind, action.cell) in self._stood
            self._stood.add((action.kind, places[before.turn]))
        elif not isinstance(action, End):
            self._stood.clear()

    def _handle(self, before: PharaohState, action: Any) -> None:
        handled = self._handled[before.turn]
        if isinstance(action, Take):
            handled.append(Handled(action.value, dropped=False))
        elif isinstance(action, Steal):
            handled.append(Handled(before.carried[action.seat], dropped=False))
        elif isinstance(action, Drop):
            handled.append(Handled(before.carried[before.turn], dropped=True))

    def _ended(self, before: PharaohState, action: Any) -> None:
        calm = before.mask_chamber == NOWHERE and not before.falling
        idle = isinstance(action, End) and calm and can_reveal(before)
        self.counts["idle"] += idle
        self.counts["passed"] += idle and self._done == 1


def to_and_fro(handled: Sequence[Handled]) -> int:
    """How often the same treasure was taken up and dropped, or dropped and taken up, unless to take another."""
    swapped = [one.dropped and other.value != one.value for one, other in pairwise(handled)]
    pairs = zip(pairwise(handled), [*swapped[1:], False], strict=False)
    return sum(one.value == other.value and one.dropped != other.dropped and not swap for (one, other), swap in pairs)


def can_reveal(state: PharaohState) -> bool:
    """Whether the archaeologist of the seat to act can turn a tile over with the moves that it has left."""
    stands = state.archaeologists[state.turn]
    if stands == NOWHERE:
        return False
    far = moves_from(state.tiles, state.lamps[state.turn], stands)
    return any(
        0 <= far[cell] < state.moves_left and any(state.tiles[other] == FACE_DOWN for other, _ in EXITS[cell][tile])
        for cell, tile in zip(CELLS, state.tiles, strict=True)
    )


def play(bot: str, seats: int, seed: str, options: dict[str, Any]) -> Played:
    """One game."""
    habits, began = Habits(), time.perf_counter()
    state = referee.play(GAME, [bot] * seats, seed=seed, seconds=None, observe=habits.watch, **options).state
    counts = habits.counts
    counts["home"] = any(MASK in museum for museum in state.museums)
    counts["limit"] = state.tiles.count(FALLEN) < len(CELLS) - 1  # nothing else ends a game that stands
    counts["first"] = state.options.first in state.winners()
    return Played(state.round, time.perf_counter() - began, counts)


def line(bot: str, seats: int, games: Sequence[Played]) -> Iterator[str]:
    """One line of the table."""
    count = len(games)
    rounds = [game.rounds for game in games]
    total = sum((game.counts for game in games), Counter[str]())

    def per_turn(what: str) -> str:
        return f"{total[what] / total['turns']:.2%}"

    yield bot
    yield str(seats)
    yield str(count)
    yield f"{statistics.median(rounds):g} ({min(rounds)}–{max(rounds)})"
    yield f"{sum(number > LONG for number in rounds) / count:.0%}"
    yield str(total["limit"])
    yield str(total["to and fro"])
    yield per_turn("idle")
    yield per_turn("passed")
    yield f"{total['carried out'] / count:.0%}"
    yield f"{total['home'] / count:.0%}"
    yield per_turn("back")
    for kind in ("turn", "steal", "lamp"):
        yield f"{total[kind] / count:.1f}"
    yield f"{total['first'] / count:.0%}"
    yield f"{sum(game.seconds for game in games) / count:.1f}"


def main(arguments: Sequence[str] = ()) -> None:
    asked = _parser().parse_args(arguments)
    options = {}
    for text in asked.option:
        name, _, value = text.partition("=")
        options[name] = next(one for one in GAME.options if one.name == name).read(value)
    for bot in asked.bots:  # compiles once, before processes would all do so
        warm_up(find_bot(GAME, bot)())
    print(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}", flush=True)
    with ProcessPoolExecutor(asked.jobs) as pool:
        kinds = [(bot, seats) for bot in asked.bots for seats in asked.seats]
        games = [
            [pool.submit(play, bot, seats, f"{asked.seed} {number}", options) for number in range(asked.games)]
            for bot, seats in kinds
        ]
        for (bot, seats), some in zip(kinds, games, strict=True):
            print(f"| {' | '.join(line(bot, seats, [game.result() for game in some]))} |", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.pharaoh_habits", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--bots", type=split_specs, default=["scarab", "gecko", "jackal"], help="separated by commas")
    parser.add_argument("--seats", type=lambda text: [int(number) for number in text.split(",")], default=[2, 4])
    parser.add_argument("--games", type=int, default=20, help="of each kind (default 20)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes (default 1)")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="of the game")
    return parser


if __name__ == "__main__":
    main(sys.argv[1:])
