"""What actions are worth: against sums worked out by hand, by brute force and by imagining hidden cards."""

from __future__ import annotations

import itertools
import random
from statistics import fmean

import pytest

import serai
from serai.camelup.odds.bets import expected_prize, first_of_the_best
from serai.camelup.odds.report import HIDDEN_CARDS, NO_TILES_LATER, START_OF_LEG, action_values, odds
from serai.camelup.rules.pieces import BLUE, CAMELS, GREEN, LEG_VALUES, ORANGE, race_prize
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.rules.scoring import score_deck, score_leg
from serai.camelup.rules.track import crossed, move, ranking
from serai.camelup.text.position import Position
from tests.camelup.odds.brute import race_ends, tally_leg
from tests.camelup.positions import GAME, at, do
from tests.support import amount, random_play

RICH = 10_000
"""So that nobody comes near the floor."""


def values_of(state: CamelUpState) -> dict[str, float]:
    return {str(action): value for action, value in action_values(state)}


def expected_money(state: CamelUpState, seat: int) -> float:
    """A seat's pounds if nobody acted again, by playing every sequence with the rules' own movement and scoring."""
    dice = tuple(camel for camel in CAMELS if not state.tents[camel])
    total, ways = 0.0, 0
    for order in itertools.permutations(dice):
        for pips in itertools.product((1, 2, 3), repeat=len(dice)):
            track, money = state.track, (RICH,) * state.players
            for camel, number in zip(order, pips, strict=True):
                track, money, _ = move(track, camel, number, state.deserts, money)
                if crossed(track):
                    break
            money, _ = score_leg(money, state.leg_bets, state.pyramid_tiles, ranking(track))
            for (winner, loser), chance in race_ends(track, ()).items():
                winners = [(owner, camel) for owner, camel in state.winner_deck if camel is not None]
                losers = [(owner, camel) for owner, camel in state.loser_deck if camel is not None]
                after, _ = score_deck(money, "winner", winners, winner)
                after, _ = score_deck(after, "loser", losers, loser)
                total += float(chance) * (after[seat] - RICH)
            ways += 1
    return total / ways


def test_a_value_is_the_change_of_expected_pounds() -> None:
    """Every action of some late positions, by playing everything out before and after it."""
    state = at("13gy 14b 15ow", players=3, out="gow", deserts=(0, 16, 0))
    state = do(state, "winner white", "winner orange", "loser green", "leg blue", "leg white", "leg blue")
    state = do(state, "loser yellow", "winner blue", "leg green")
    for at_hand in (state, do(state, "leg yellow", "leg orange", "winner yellow"), do(state, "mirage 12", "roll")):
        if at_hand.actor is serai.CHANCE:
            at_hand = do(at_hand, "die blue 1")
        seat = at_hand.actor
        assert isinstance(seat, int)
        before = expected_money(at_hand, seat)
        for action, value in action_values(at_hand):
            if str(action) == "roll":
                assert value == 1
                continue
            assert value == pytest.approx(expected_money(at_hand.apply(action), seat) - before, abs=1e-9), str(action)


def test_moving_the_own_tile_gives_up_what_it_would_have_earned() -> None:
    state = at("13gy 14b 15ow", players=2, out="gow", deserts=(16, 0))
    before = expected_money(state, 0)
    assert values_of(state)["mirage 12"] == pytest.approx(expected_money(do(state, "mirage 12"), 0) - before, abs=1e-9)
    assert values_of(state)["mirage 12"] < 0


def test_leg_tiles_are_valued_by_what_is_left_of_the_stack() -> None:
    state = at("1gyo 3bw", players=2)
    chances = odds(state).leg["green"]
    for value in LEG_VALUES:
        expected = value * chances.first + chances.second - (1 - chances.first - chances.second)
        assert values_of(state)["leg green"] == pytest.approx(expected)
        state = do(state, "leg green")
    assert "leg green" not in values_of(state)


def test_a_roll_is_worth_its_pyramid_tile() -> None:
    assert values_of(at("1gyo 3bw", players=2))["roll"] == 1


def test_7_3_a_race_card_is_valued_by_the_cards_before_it() -> None:
    state = do(at("1gyo 3bw", players=3), "winner green", "winner green")
    win = odds(state).race["green"].winner
    # the whole state shows both cards; a view knows only one chance in five for each
    assert values_of(state)["winner green"] == pytest.approx(3 * win - (1 - win))
    hidden = 8 * 0.64 + 5 * 0.32 + 3 * 0.04
    assert values_of(state.seen_by(2))["winner green"] == pytest.approx(hidden * win - (1 - win))
    assert values_of(state)["winner blue"] == pytest.approx(9 * odds(state).race["blue"].winner - 1)


def test_an_owner_has_one_card_of_each_colour() -> None:
    """Two cards of one owner hold a colour with chance 2/5, never twice; two owners may both hold it."""
    start = at("1gyo 3bw", players=3)
    one_owner = do(start, "roll", "die green 1", "winner green", "roll", "die blue 1", "roll", "die white 1")
    one_owner = do(one_owner, "winner yellow", "leg green").seen_by(0)
    assert one_owner.winner_deck == ((1, None), (1, None))
    assert expected_prize(one_owner, one_owner.winner_deck, BLUE) == pytest.approx(8 * 0.6 + 5 * 0.4)


def test_the_belief_is_that_of_imagine() -> None:
    """The expected prize is the mean over all full states that give the view."""
    rng = random.Random(11)
    played = 0
    for state, _, _, _ in random_play(GAME, 4, rng):
        if not isinstance(state.actor, int) or len(state.winner_deck) < 3 or played == 3:
            continue
        played += 1
        view = state.seen_by(state.actor)
        for camel in CAMELS:
            if camel not in view.hands[state.actor]:
                continue
            imagined = [
                race_prize(sum(card[1] == camel for card in GAME.imagine(view, rng).winner_deck))
                for _ in range(amount(1500, 20000))
            ]
            assert expected_prize(view, view.winner_deck, camel) == pytest.approx(fmean(imagined), abs=0.3)
    assert played == 3


def test_equal_values_go_to_the_first_action() -> None:
    assert first_of_the_best([1.0, 2.0, 2.0 + 5e-10, 1.5]) == 1
    assert first_of_the_best([1.0, 2.0, 2.0 + 2e-9]) == 2


def test_a_report_says_what_it_assumes() -> None:
    assert odds("1gyo 3bw", actions=False).assumes == (NO_TILES_LATER,)
    assert START_OF_LEG in odds("1gyo 3bw").assumes
    state = do(at("1gyo 3bw", players=2), "winner green")
    assert HIDDEN_CARDS in odds(state.seen_by(1)).assumes
    assert HIDDEN_CARDS not in odds(state).assumes


def test_a_view_that_hides_the_hand_has_chances_but_no_values() -> None:
    state = at("1gyo 3bw", players=2)
    assert odds(state.seen_by(1)).actions == {}
    assert odds(state.seen_by(1)).leg == odds(state).leg


def test_placements_tell_what_a_tile_earns_and_shifts() -> None:
    found = odds("1gyo 3bw | +5 -9 | bgoyw")
    assert list(found.deserts) == [name for name in found.actions if name.startswith(("oasis", "mirage"))]
    track = at("1gyo 3bw").track
    tally = tally_leg(Position(track, (5, -7, -9)))
    placement = found.deserts["mirage 7"]
    assert placement.earns == tally.stops[7] / found.sequences
    assert placement.leg["green"].first == tally.first[GREEN] / found.sequences
    assert placement.leg["orange"].last == tally.last[ORANGE] / found.sequences


def test_a_game_offers_odds_while_a_leg_runs() -> None:
    assert GAME.odds.available
    assert GAME.odds(GAME.new(players=2)) is None
    state = at("1gyo 3bw", players=2)
    assert GAME.odds(state.seen_by(0)).best == odds(state.seen_by(0)).best
    assert GAME.odds("1gyo 3bw") == odds("1gyo 3bw")
