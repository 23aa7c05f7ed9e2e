"""Non-interference: whoever cannot know the others' race cards cannot learn anything about them."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

import serai
from tests.camelup.positions import GAME
from tests.support import amount, random_play

STATES = amount(2_000, 10_000)


def other_cards(state: Any, seat: int | None, rng: random.Random) -> Any:
    """The same state, with the cards of everybody but ``seat`` recoloured: made here, not by ``imagine``."""
    recoloured = [rng.sample(range(5), 5) if owner != seat else [0, 1, 2, 3, 4] for owner in range(len(state.money))]

    def deck(cards: Any) -> Any:
        return tuple((owner, recoloured[owner][camel]) for owner, camel in cards)

    hands = tuple(tuple(sorted(recoloured[owner][c] for c in hand)) for owner, hand in enumerate(state.hands))
    return msgspec.structs.replace(
        state, hands=hands, winner_deck=deck(state.winner_deck), loser_deck=deck(state.loser_deck)
    ), recoloured


def in_other_colour(action: Any, recoloured: Any, actor: Any) -> Any:
    if action.kind in ("winner", "loser"):
        return type(action)(recoloured[actor][action.camel])
    return action


def as_json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def test_views_events_and_bytes_do_not_depend_on_others_cards() -> None:
    rng = random.Random(8)
    compared = differing = 0
    while compared < STATES:
        players = rng.randrange(2, 9)
        for state, action, after, events in random_play(GAME, players, rng):
            if rng.random() > 0.25:
                continue
            for seat in (None, *range(players)):
                twin, recoloured = other_cards(state, seat, rng)
                differing += twin != state
                assert as_json(twin.seen_by(seat)) == as_json(state.seen_by(seat))
                assert twin.seen_by(seat) == state.seen_by(seat)
                assert hash(twin.seen_by(seat)) == hash(state.seen_by(seat))
                twin_action = in_other_colour(action, recoloured, state.actor)
                twin_after, twin_events = twin.step(twin_action)
                if after.over:
                    continue  # rule 8.4: the end shows all cards
                told = [as_json(event.seen_by(seat)) for event in events]
                assert told == [as_json(event.seen_by(seat)) for event in twin_events]
                assert as_json(twin_after.seen_by(seat)) == as_json(after.seen_by(seat))
                actor = state.actor if isinstance(state.actor, int) else None
                assert as_json(twin_action.seen_by(seat, actor)) == as_json(action.seen_by(seat, actor))
                if seat is not None and seat == state.actor:
                    assert twin.seen_by(seat).actions() == state.actions()
            compared += 1
    assert differing > compared  # the comparison was about something


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_imagined_states_are_uniform(seat: int | None) -> None:
    """Every way to colour the hidden cards comes up equally often: 20 ways to lay two of five cards in order."""
    rng = random.Random(3)
    state = GAME.new(players=3)
    for text in ("die green 1", "die yellow 1", "die orange 1", "die blue 3", "die white 3"):
        state = state.apply(GAME.parse(text))
    for text in ("winner green", "winner blue", "loser white", "loser yellow", "leg blue", "leg blue"):
        state = state.apply(GAME.parse(text))
    view = state.seen_by(seat)
    draws = 4_000
    counts: dict[Any, int] = {}
    for _ in range(draws):
        imagined = GAME.imagine(view, rng)
        cards = tuple(camel for owner, camel in (*imagined.winner_deck, *imagined.loser_deck) if owner == 0)
        counts[cards] = counts.get(cards, 0) + 1
    if seat == 0:
        assert counts == {(1, 3): draws}
        return
    assert len(counts) == 20
    chi_square = sum((count - draws / 20) ** 2 / (draws / 20) for count in counts.values())
    assert chi_square < 43.8  # 19 degrees of freedom, one in a thousand


def test_dice_to_come_are_nowhere_in_a_view() -> None:
    """A view is a function of the state alone, and the state holds no die before it is drawn."""
    rng = random.Random(1)
    for state, action, _, _ in random_play(GAME, 4, rng):
        if state.actor is serai.CHANCE:
            others = [state.apply(other) for other in state.actions() if other != action]
            assert others, "a single outcome would be no chance"
            assert state.seen_by(None) == GAME.state_decoder.decode(as_json(state.seen_by(None)))
