"""Moving on: a player's action and the draws behind it are one play, live, stored or recorded."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import serai
from serai.core import CHANCE, Dealer, Record, Seat
from serai.core.chance import any_kind
from serai.core.play import Play, Ply, advance, deal, grouped, retrace
from serai.core.record import plays, replay, verified_plays
from serai.errors import Hidden, IllegalAction
from tests.support import amount

GAMES = serai.games()
GOLDEN = Path(__file__).parents[1] / "golden"
SECRET = bytes(range(32))


def camelup() -> tuple[Any, Any, Dealer]:
    """A race that is about to begin, and its dealer."""
    game = serai.game("camelup")
    dealer = Dealer(SECRET)
    return game, deal(game.new(players=3), dealer).after, dealer


def test_the_set_up_is_a_play_of_nobody() -> None:
    opening = deal(serai.game("camelup").new(players=3), Dealer(SECRET))
    assert opening.actor is None
    assert len(opening.draws) == len(opening.plies) == 5
    assert opening.after.actor == 0


def test_a_set_up_without_draws_is_a_play_without_plies() -> None:
    first = serai.game("pharaoh").new(players=3)
    dealer = Dealer(SECRET)
    assert deal(first, dealer) == Play(None, first, (), first)
    assert (deal(first, dealer).actor, deal(first, dealer).after, dealer.drawn) == (None, first, 0)


def test_an_action_without_a_draw_is_one_ply() -> None:
    game, state, dealer = camelup()
    play = advance(state, game.parse("leg green"), dealer)
    after, events = state.step(game.parse("leg green"))
    assert play == Play(0, state, (Ply(state, game.parse("leg green"), after, events),), after)
    assert (play.actor, play.after, play.events, play.draws) == (0, after, events, ())
    assert dealer.drawn == 5


def test_a_roll_brings_its_die() -> None:
    game, state, dealer = camelup()
    play = advance(state, game.parse("roll"), dealer)
    assert [action.kind for action in play.actions] == ["roll", "die"]
    assert [ply.drawn for ply in play.plies] == [False, True]
    assert play.draws == play.plies[1:]
    assert (play.actor, play.after.actor, dealer.drawn) == (0, 1, 6)


def test_nothing_is_drawn_for_what_cannot_be_played() -> None:
    game, state, dealer = camelup()
    for text, error in (("oasis 1", IllegalAction), ("die green 1", IllegalAction), ("winner ?", Hidden)):
        with pytest.raises(error):
            advance(state, game.parse(text), dealer)
    assert dealer.drawn == 5


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=amount(15, 500), deadline=None)
@given(seed=st.integers(0, 2**32), length=st.integers(0, 150))
def test_playing_on_is_stepping_by_hand(name: str, seed: int, length: int) -> None:
    """And what was played is played again alike, from what is stored and from a record."""
    game = serai.game(name)
    rng = random.Random(seed)
    players, secret = rng.choice(game.players), rng.randbytes(32)
    dealer, by_hand = Dealer(secret), Dealer(secret)

    first: Any = game.new(players=players)
    state, stepped = _by_hand(first, None, by_hand)
    made = [deal(first, dealer)]
    for _ in range(length):
        assert made[-1].after == state
        assert made[-1].plies == stepped
        assert state.actor is not CHANCE
        if state.over:
            break
        action = any_kind(state.actions(), rng)
        seat = state.actor
        state, stepped = _by_hand(state, action, by_hand)
        made.append(advance(made[-1].after, action, dealer))
        assert made[-1].actor == seat
        assert len(made[-1].draws) == len(made[-1].actions) - 1
    assert dealer.drawn == by_hand.drawn == sum(len(play.draws) for play in made)

    for play in made:
        assert retrace(play.before, map(game.parse, map(str, play.actions))) == play
    seats = tuple(Seat(f"{seat}") for seat in range(players))
    texts = tuple(str(action) for play in made for action in play.actions)
    assert list(plays(Record(name, game.version, seats, {}, actions=texts))) == made


def _by_hand(state: Any, action: Any, dealer: Dealer) -> tuple[Any, tuple[Ply, ...]]:
    stepped: list[Ply] = []
    while action is not None or state.actor is CHANCE:
        if action is None:
            action = dealer.draw(state)
        after, events = state.step(action)
        stepped.append(Ply(state, action, after, events))
        state, action = after, None
    return state, tuple(stepped)


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*/*.serai"))[:: amount(5, 1)], ids=lambda file: file.stem)
def test_plays_of_a_record_are_its_actions_in_groups(file: Path) -> None:
    record = Record.read(file.read_text())
    plies = list(replay(record))
    opening, *turns = plays(record)
    assert opening.actor is None
    assert all(play.actor == play.before.actor is not CHANCE for play in turns)
    assert all(play.draws == play.plies[1:] for play in turns)
    assert tuple(text for play in (opening, *turns) for text in play.notation) == record.actions
    assert all(play.notation == tuple(map(str, play.actions)) for play in turns)
    assert [ply for play in (opening, *turns) for ply in play.plies] == plies
    assert [event for play in (opening, *turns) for event in play.events] == [e for ply in plies for e in ply.events]
    assert list(verified_plays(record)) == [opening, *turns]


def test_a_record_that_breaks_off_before_its_die_ends_in_half_a_play() -> None:
    game, state, dealer = camelup()
    first = game.new(players=3)
    made = [deal(first, Dealer(SECRET)), advance(state, game.parse("roll"), dealer)]
    plies = [ply for play in made for ply in play.plies]
    assert list(grouped(first, plies[:-1])) == [made[0], Play(state.actor, state, made[1].plies[:1], plies[-2].after)]
    assert list(grouped(first, plies[:3])) == [Play(None, first, tuple(plies[:3]), plies[2].after)]
    assert list(grouped(first, ())) == [Play(None, first, (), first)]
