"""Playouts of a Camel Up view: from readable values to compiled code and back. Importing it brings in numba."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from serai.camelup.actions import AnyAction
from serai.camelup.kernel.beliefs import Beliefs, Hopes, believe, no_hopes, room_for_beliefs
from serai.camelup.kernel.bridge import NUMBERS, to_row
from serai.camelup.kernel.foresight import NO_TILES, Foresights, foresee, room_for_foresights
from serai.camelup.kernel.layout import (
    DESERT,
    MAX_SEATS,
    OASIS_ACTION,
    ORDER,
    ROLL_ACTION,
    ROW_SIZE,
    SPACE,
    TENT,
)
from serai.camelup.kernel.play_on import LIKE_OTHERS, NO_LOG, NOTHING_FIRST, Company, Judge, play_on
from serai.camelup.kernel.policies import room_for_choice
from serai.camelup.kernel.rules import act
from serai.camelup.kernel.sight import SEEN_LOSER, SEEN_WINNER, SIGHT_SIZE, look, sight_lines
from serai.camelup.kernel.stake import canonical, lay_tiles
from serai.camelup.kernel.styles import STYLES
from serai.camelup.memory import Moment, RaceMemory
from serai.camelup.odds.race_table import race_table
from serai.camelup.pieces import CAMELS
from serai.camelup.rules import CamelUpState
from serai.core import BadOptions, phrase
from serai.core.playouts import HABIT, Habit, Playouts, check_actions

TRUST: Final = 30.0
"""A card weighs e to the power of so many times the chance its camel had when it was laid."""
SEASONED: Final = 60.0
"""The same to who judges from outside, and takes everybody for seasoned: they lay what is likeliest."""
HINDSIGHT: Final = 10.0
"""The same for the chance its camel has now, where nobody remembers."""

_COMPANIES: Final[dict[str, dict[str, float]]] = {
    "mixed": {"quick": 0.15, "nomad": 0.5, "keen": 0.2, "moody": 0.15},
    **{name: {name: 1.0} for name in STYLES},
}
"""Who the others may be, by the name of a policy: how often they play in each of these styles."""
EVEN: Final = "even"
"""The policy of who judges a game from outside: every seat may be anybody, the one to act as well."""
_RIVALS: Final = {"nomad": 0.5, "duel": 0.5}
"""Who the other may be at a table of two, where "mixed" would be less like those one meets."""


def rollouts(
    view: CamelUpState,
    actions: Sequence[AnyAction | Habit | None] | None = None,
    n: int = 256,
    *,
    policy: str = "",
    seed: int = 0,
    first: int = 0,
    memory: RaceMemory | None = None,
    threads: int = 1,
    whole: bool = False,
) -> Playouts:
    """As :meth:`serai.core.Game.rollouts`; to the end of the leg, or with ``whole`` of the race."""
    chosen = view.actions() if actions is None else check_actions(actions, NUMBERS)
    row = to_row(view)
    beliefs = beliefs_of(view, row, memory, SEASONED if policy == EVEN else TRUST)
    company = company_of(policy or "mixed", view.players)
    numbers = np.array([NOTHING_FIRST if action in (None, HABIT) else NUMBERS[action] for action in chosen], np.int64)
    ahead, tiles = own_tracks().ahead(row, numbers)
    judge = Judge(sight_lines(), ahead, tiles, race_table().race, value_weights(view.players))
    wins = np.empty((n, len(chosen), view.players), np.float32)
    scores = np.empty_like(wins)

    def play(start: int, end: int) -> None:
        part = slice(start, end)
        word = np.uint64(seed % 2**64)
        rows = np.empty((2, ROW_SIZE), np.int16)
        won, got = wins[part], scores[part]
        play_on(row, numbers, word, first + start, whole, beliefs, company, judge, won, got, rows, NO_LOG)

    if threads == 1:
        play(0, n)
    else:
        cuts = [n * thread // threads for thread in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, cuts[:-1], cuts[1:]))
    return Playouts(chosen, wins.transpose(1, 0, 2), scores.transpose(1, 0, 2))


def company_of(policy: str, players: int) -> Company:
    """Who plays on under the name of a policy."""
    if policy not in (*_COMPANIES, EVEN):
        raise BadOptions("camelup.rollouts.policy", policy=policy, known=(*_COMPANIES, EVEN))
    met = _RIVALS if policy in ("mixed", EVEN) and players == 2 else _COMPANIES["mixed" if policy == EVEN else policy]
    often = [met.get(style, 0.0) for style in STYLES]
    own = LIKE_OTHERS if policy == EVEN else list(STYLES).index("duel" if players == 2 else "keen")
    return Company(np.array(list(STYLES.values())), own, np.cumsum(often))


def beliefs_of(
    view: CamelUpState, row: npt.NDArray[np.int16], memory: RaceMemory | None, trust: float = TRUST
) -> Beliefs:
    """What lies under the hidden cards of a view, as likely as the moments say in which they were laid."""
    beliefs = room_for_beliefs()
    believe(row, hopes_of(view, memory, trust), beliefs)
    return beliefs


def hopes_of(view: CamelUpState, memory: RaceMemory | None, trust: float = TRUST) -> Hopes:
    """By deck, place and camel: what its colour weighs."""
    hopes = no_hopes()
    now = Moment(view.track, frozenset(camel for camel in CAMELS if view.tents[camel]))
    for number, (deck, cards, kind) in enumerate(
        (("winner", view.winner_deck, SEEN_WINNER), ("loser", view.loser_deck, SEEN_LOSER))
    ):
        for place, (_, camel) in enumerate(cards):
            if camel is None:
                then = memory.moment(deck, place) if memory is not None else None  # type: ignore[arg-type]
                trusted = HINDSIGHT if then is None else trust
                hopes[number, place] = trusted * _seen(then or now)[kind : kind + len(CAMELS)]
    return hopes


@cache
def value_weights(players: int) -> npt.NDArray[np.float64]:
    """The fitted weights of :mod:`serai.camelup.kernel.value`."""
    fitted = json.loads(files("serai.camelup").joinpath("value.json").read_text())
    return np.array(fitted["weights"][str(players)])


def _seen(moment: Moment) -> npt.NDArray[np.float64]:
    row = np.zeros(ROW_SIZE, np.int16)
    place = 0
    for space, stack in enumerate(moment.track):
        for camel in stack:
            row[ORDER + place] = camel
            row[SPACE + camel] = space
            row[TENT + camel] = camel in moment.dice_out
            place += 1
    sight = np.empty(SIGHT_SIZE)
    look(row, sight_lines(), sight)
    return sight


# -- desert tiles ------------------------------------------------------------------------------------------------------


class _Tracks:
    """What lies ahead on the tracks met last, each with its tiles: a search asks for the same ones again and again."""

    def __init__(self) -> None:
        self._foresights = room_for_foresights(_KEPT)
        self._known: OrderedDict[tuple[int, ...], int] = OrderedDict()
        self._room = room_for_choice()
        self._row = np.empty(ROW_SIZE, np.int16)

    def ahead(
        self, row: npt.NDArray[np.int16], actions: npt.NDArray[np.int64]
    ) -> tuple[Foresights, npt.NDArray[np.int64]]:
        """All of them, and for each action the number of the one to look into."""
        numbers = np.full(len(actions), NO_TILES, np.int64)
        for place, action in enumerate(actions.tolist()):
            self._row[:] = row
            if OASIS_ACTION <= action < ROLL_ACTION:
                act(self._row, action)
            numbers[place] = self._number(self._row)
        return self._foresights, numbers

    def _number(self, row: npt.NDArray[np.int16]) -> int:
        tiles = tuple(sorted(tile for tile in row[DESERT : DESERT + MAX_SEATS].tolist() if tile))
        if not tiles:
            return NO_TILES
        position, dice = canonical(row)
        key = (position, dice, *tiles)
        number = self._known.pop(key, None)
        if number is None:
            number = len(self._known) if len(self._known) < _KEPT else self._known.popitem(last=False)[1]
            lay_tiles(row, self._room.tiles)
            foresee(race_table(), self._room, position, dice, self._foresights, number)
        self._known[key] = number
        return number


_KEPT: Final = 48
"""More than one search can ask for: no number changes its meaning while it is at work."""
_rooms = threading.local()


def own_tracks() -> _Tracks:
    """Those of this thread."""
    try:
        tracks: _Tracks = _rooms.tracks
    except AttributeError:
        tracks = _rooms.tracks = _Tracks()
    return tracks


phrase(
    {
        "camelup.rollouts.policy": "nobody plays on as {policy!r}; policies: {known}",
    }
)
