"""The compiled part of a batch of Camel Up: what a seat sees as numbers, and a step in every lane."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from serai.camelup.kernel.layout import (
    ACTOR,
    CAMEL_COUNT,
    CHANCE_ACTS,
    DESERT,
    HAND,
    LEG,
    LEG_TILE,
    LOSER_COUNT,
    LOSER_DECK,
    MARKER,
    MAX_SEATS,
    MONEY,
    MOST_SEEN,
    NOBODY_ACTS,
    ORDER,
    PLAYER_ACTIONS,
    PLAYERS,
    PYRAMID,
    ROW_SIZE,
    SEEN_CARDS,
    SEEN_DESERT,
    SEEN_HAND,
    SEEN_LEG,
    SEEN_LEG_TILE,
    SEEN_LOSER_DECK,
    SEEN_MARKER,
    SEEN_MONEY,
    SEEN_OWN_LOSER,
    SEEN_OWN_WINNER,
    SEEN_PLAYERS,
    SEEN_PYRAMID,
    SEEN_RANK,
    SEEN_SIZE,
    SEEN_SPACE,
    SEEN_TENT,
    SEEN_TURN,
    SEEN_WINNER_DECK,
    SPACE,
    TENT,
    TURN,
    WINNER_COUNT,
    WINNER_DECK,
)
from serai.camelup.kernel.rules import Row, act, drawn_die, legal, random_action
from serai.core.batch import Buffers, Numbers
from serai.core.jit import compiled
from serai.core.splitmix import Words, seed_of

Rows = npt.NDArray[np.int16]


@compiled
def observe(row: Row, seat: int, seen: Row) -> None:
    """Write what ``seat`` sees of a game."""
    players = row[PLAYERS]
    seen[SEEN_PLAYERS] = players
    seen[SEEN_LEG] = min(row[LEG], MOST_SEEN)
    seen[SEEN_TURN] = (row[TURN] - seat + players) % players
    seen[SEEN_MARKER] = (row[MARKER] - seat + players) % players
    for camel in range(CAMEL_COUNT):
        seen[SEEN_SPACE + camel] = row[SPACE + camel]
        seen[SEEN_TENT + camel] = row[TENT + camel]
        seen[SEEN_RANK + row[ORDER + camel]] = camel
        seen[SEEN_HAND + camel] = row[HAND + seat] >> camel & 1
        seen[SEEN_OWN_WINNER + camel] = 0
        seen[SEEN_OWN_LOSER + camel] = 0
    for tile in range(3 * CAMEL_COUNT):
        taker = row[LEG_TILE + tile]
        seen[SEEN_LEG_TILE + tile] = -1 if taker < 0 else (taker - seat + players) % players
    for place in range(players):
        owner = seat + place if seat + place < players else seat + place - players
        seen[SEEN_PYRAMID + place] = row[PYRAMID + owner]
        seen[SEEN_DESERT + place] = row[DESERT + owner]
        seen[SEEN_MONEY + place] = min(row[MONEY + owner], MOST_SEEN)
        seen[SEEN_CARDS + place] = CAMEL_COUNT
    for place in range(players, MAX_SEATS):
        seen[SEEN_PYRAMID + place] = 0
        seen[SEEN_DESERT + place] = 0
        seen[SEEN_MONEY + place] = 0
        seen[SEEN_CARDS + place] = 0
    for place in range(SEEN_WINNER_DECK, SEEN_SIZE):
        seen[place] = -1
    for place in range(row[WINNER_COUNT]):
        owner = _show_card(row[WINNER_DECK + place], place, seat, players, seen, SEEN_OWN_WINNER)
        seen[SEEN_WINNER_DECK + place] = owner
    for place in range(row[LOSER_COUNT]):
        owner = _show_card(row[LOSER_DECK + place], place, seat, players, seen, SEEN_OWN_LOSER)
        seen[SEEN_LOSER_DECK + place] = owner


@compiled
def _show_card(card: int, place: int, seat: int, players: int, seen: Row, own: int) -> int:
    owner = (card >> 3) - seat
    if owner < 0:
        owner += players
    seen[SEEN_CARDS + owner] -= 1
    if owner == 0:
        seen[own + (card & 7)] = place + 1
    return owner


@compiled
def _show(buffers: Buffers, lane: int) -> None:
    row = buffers.rows[lane]
    buffers.actors[lane] = row[ACTOR]
    bits = legal(row)
    mask = buffers.mask[lane]
    for action in range(PLAYER_ACTIONS):
        mask[action] = bits >> action & 1
    observe(row, max(row[ACTOR], 0), buffers.observations[lane])


@compiled
def _deal(buffers: Buffers, lane: int, start: Row, seed: np.uint64) -> None:
    """Set up the lane's game and place its camels."""
    row = buffers.rows[lane]
    buffers.words[lane] = seed_of(seed, np.uint64(buffers.games[lane]))
    for place in range(ROW_SIZE):
        row[place] = start[place]
    for _ in range(CAMEL_COUNT):
        act(row, drawn_die(row, buffers.words, lane))


@compiled
def begin(buffers: Buffers, start: Row, seed: np.uint64) -> None:
    """Put the game that its number means into every lane."""
    for lane in range(len(buffers.games)):
        _deal(buffers, lane, start, seed)
        _show(buffers, lane)


@compiled
def step(buffers: Buffers, actions: Numbers, start: Row, seed: np.uint64, stride: int) -> int:
    """Step every lane; the first lane with an illegal action instead, or -1. Without a stride nothing restarts."""
    lanes = len(buffers.games)
    for lane in range(lanes):
        row = buffers.rows[lane]
        action = actions[lane]
        if row[ACTOR] != NOBODY_ACTS and not (0 <= action < PLAYER_ACTIONS and legal(row) >> action & 1):
            return lane
    for lane in range(lanes):
        row = buffers.rows[lane]
        rewards = buffers.rewards[lane]
        for seat in range(MAX_SEATS):
            rewards[seat] = 0
        buffers.finished[lane] = 0
        if row[ACTOR] == NOBODY_ACTS:
            continue
        act(row, actions[lane])
        if row[ACTOR] == CHANCE_ACTS:
            for seat in range(row[PLAYERS]):
                rewards[seat] = -row[MONEY + seat]
            act(row, drawn_die(row, buffers.words, lane))
            for seat in range(row[PLAYERS]):
                rewards[seat] += row[MONEY + seat]
            if row[ACTOR] == NOBODY_ACTS:
                _finish(buffers, lane)
                if stride > 0:
                    buffers.games[lane] += stride
                    _deal(buffers, lane, start, seed)
        _show(buffers, lane)
    return -1


@compiled
def _finish(buffers: Buffers, lane: int) -> None:
    """Write down what the game in this lane came to."""
    row = buffers.rows[lane]
    buffers.finished[lane] = 1
    best = row[MONEY]
    winners = 0
    for seat in range(row[PLAYERS]):
        if row[MONEY + seat] > best:
            best = row[MONEY + seat]
            winners = 0
        winners += row[MONEY + seat] == best
    for seat in range(MAX_SEATS):
        won = seat < row[PLAYERS] and row[MONEY + seat] == best
        buffers.results[lane, seat] = row[MONEY + seat]
        buffers.shares[lane, seat] = 1.0 / winners if won else 0.0


@compiled
def observe_all(rows: Rows, seats: Numbers, out: Rows) -> None:
    """What a seat of each lane sees."""
    for lane in range(len(rows)):
        observe(rows[lane], seats[lane], out[lane])


@compiled
def random_actions(rows: Rows, words: Words, out: Numbers) -> None:
    """What the bot ``random`` would do in each lane."""
    for lane in range(len(rows)):
        if rows[lane, ACTOR] >= 0:
            out[lane] = random_action(rows[lane], words, lane)
