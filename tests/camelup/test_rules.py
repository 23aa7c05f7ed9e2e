"""Camel Up's law, rule by rule: the number in a test's name is the rule it holds."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import msgspec
import pytest

import serai
from serai.camelup import CAMEL_NAMES
from serai.camelup.rules.events import CardScored, GameEnded, LegBegan, LegEnded, LegScored, PoundPaid, TileScore
from serai.errors import BadOptions, Hidden, IllegalAction
from tests.camelup.positions import GAME, at, bets, deck, do, happen, stacks, texts

SET_UP = ("die green 1", "die yellow 1", "die orange 1", "die blue 3", "die white 3")
FAR = "1b 2g 3o 4y 5w"
"""A position far from the finish, where the order of camels does not matter to the test."""


def refused(state, action: str, key: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        do(state, action)
    assert caught.value.key == key
    assert action not in texts(state)
    return caught.value


# -- 1 Pieces ----------------------------------------------------------------------------------------------------------


def test_1_1_five_camels_with_a_die_each_that_shows_1_2_or_3_equally():
    assert CAMEL_NAMES == ("blue", "green", "orange", "yellow", "white")
    chances = GAME.new(players=2).chances()
    assert [str(action) for action, _ in chances] == [f"die {name} {n}" for name in CAMEL_NAMES for n in (1, 2, 3)]
    assert {chance for _, chance in chances} == {Fraction(1, 15)}


def test_1_2_sixteen_spaces_and_the_line_behind_the_last():
    assert not do(at("13b 1goyw"), "roll", "die blue 3").over
    assert do(at("14b 1goyw"), "roll", "die blue 3").over


def test_1_3_three_leg_tiles_per_colour_worth_5_3_2_and_five_pyramid_tiles():
    state = at(FAR, players=3)
    values = [happen(do(state, *["leg blue"] * taken), "leg blue")[0].value for taken in range(3)]
    assert values == [5, 3, 2]
    error = refused(do(state, *["leg blue"] * 3), "leg blue", "camelup.leg.empty")
    assert str(error) == "no blue leg tile is left; colours left: green, orange, yellow, white"
    assert sum(do(state, "roll", "die blue 1", "roll", "die green 1").pyramid_tiles) == 2


def test_1_4_two_to_eight_players_with_five_cards_and_a_desert_tile_each():
    for players in range(2, 9):
        state = GAME.new(players=players)
        assert state.hands == ((0, 1, 2, 3, 4),) * players
        assert state.deserts == (0,) * players
    for players in (1, 9, 0, -2):
        with pytest.raises(BadOptions, match=f"camelup takes 2 to 8 players, not {players}"):
            GAME.new(players=players)


def test_1_5_the_bank_never_runs_dry():
    rich = at("16b 1goyw", money=(10**9, 0), leg_bets=bets(blue=[0, 1]))
    assert do(rich, "roll", "die blue 1").money == (10**9 + 5 + 1, 3)


# -- 2 Set-up ----------------------------------------------------------------------------------------------------------


def test_2_1_everybody_starts_with_three_pounds_and_all_pieces():
    state = GAME.new(players=5)
    assert state.money == (3,) * 5 == state.scores()
    assert all(len(hand) == 5 for hand in state.seen_by(None).hands)
    assert set(state.seen_by(None).hands) == {(None,) * 5}


def test_2_2_option_first_says_who_begins():
    assert do(GAME.new(players=3), *SET_UP).actor == 0
    state = do(GAME.new(players=3, first=2), *SET_UP)
    assert (state.actor, state.marker, state.turn) == (2, 2, 2)
    with pytest.raises(BadOptions, match="first wants a seat from 0 to 2, not 3"):
        GAME.new(players=3, first=3)


def test_2_3_dice_come_out_one_by_one_and_camels_go_on_top():
    state = GAME.new(players=2)
    assert state.actor is serai.CHANCE
    state = do(state, "die white 2", "die blue 2")
    assert stacks(state) == "2wb"
    assert "die white 1" not in texts(state)
    refused(state, "die white 1", "camelup.die.out")


def test_2_3_all_stackings_of_a_group_are_equally_likely():
    orders = Counter()
    for first in GAME.new(players=2).actions():
        state = GAME.new(players=2).apply(first)
        for second in state.actions():
            both = state.apply(second)
            if (0 in both.track[1]) and (1 in both.track[1]):
                orders[both.track[1]] += 1
    assert orders == {(0, 1): 1, (1, 0): 1}


def test_2_4_then_all_dice_go_back_and_the_first_player_begins():
    state = do(GAME.new(players=4, first=1), *SET_UP)
    assert (state.actor, state.leg, state.tents) == (1, 1, (0,) * 5)
    assert state.pyramid_tiles == (0,) * 4
    assert happen(GAME.new(players=4, first=1), *SET_UP)[-1] == LegBegan(1, 1)


# -- 3 A turn ----------------------------------------------------------------------------------------------------------


def test_3_1_play_goes_round_and_every_turn_is_exactly_one_action():
    state = at(FAR, players=3, turn=1)
    actors = []
    for action in ("leg blue", "oasis 9", "winner green", "loser blue"):
        actors.append(state.actor)
        state = do(state, action)
    assert actors == [1, 2, 0, 1]
    assert do(state, "roll", "die blue 1").actor == 0
    assert {text.split()[0] for text in texts(state)} == {"leg", "oasis", "mirage", "roll", "winner", "loser"}


def test_3_2_leg_tiles_of_any_colour_any_number():
    state = at(FAR)
    state = do(state, "leg green", "leg white", "leg green", "leg blue", "leg green")
    assert state.leg_bets == bets(green=[0, 0, 0], white=[1], blue=[1])
    assert "leg green" not in texts(state)
    assert {"leg blue", "leg orange", "leg yellow", "leg white"} <= set(texts(state))


def test_3_3_a_desert_tile_goes_on_a_space_from_2_to_16_either_side_up():
    state = at("3bgoyw")
    free = [f"{side} {space}" for side in ("oasis", "mirage") for space in range(2, 17) if space != 3]
    assert [text for text in texts(state) if text.startswith(("oasis", "mirage"))] == free
    assert do(state, "mirage 16").deserts == (-16, 0)
    assert do(state, "oasis 2").deserts == (2, 0)  # behind the last camel


def test_3_3_never_on_space_1():
    error = refused(at("3bgoyw"), "oasis 1", "camelup.desert.start")
    assert str(error) == "no desert tile may lie on space 1; free spaces: 2, 4 to 16"


def test_3_3_not_under_camels():
    error = refused(at("3bg 8oyw"), "mirage 8", "camelup.desert.camel")
    assert error.values["space"] == 8


def test_3_3_not_on_another_tile():
    assert refused(at("1bgoyw", deserts=[0, 7]), "oasis 7", "camelup.desert.tile").values["seat"] == 1


def test_3_3_not_next_to_another_players_tile():
    state = at("1bgoyw", players=3, deserts=[0, 0, 5])
    for space in (4, 6):
        error = refused(state, f"oasis {space}", "camelup.desert.adjacent")
        assert error.values == {"space": space, "tile": 5, "seat": 2, "free": (2, 3, *range(7, 17))}
    assert (
        str(refused(state, "mirage 6", "camelup.desert.adjacent"))
        == "space 6 is next to seat 2's desert tile on 5; free spaces: 2, 3, 7 to 16"
    )
    do(state, "oasis 3")
    do(state, "oasis 7")


def test_3_3_the_own_tile_moves_to_a_different_space_also_next_to_its_old_one():
    state = at("1bgoyw", deserts=[6, 0])
    for space in (5, 7, 16):
        assert do(state, f"mirage {space}").deserts == (-space, 0)
    assert happen(state, "mirage 7")[0].moved_from == 6


def test_3_3_turning_the_own_tile_over_where_it_lies_is_no_move():
    state = at("1bgoyw", deserts=[6, 0])
    for side in ("oasis", "mirage"):
        error = refused(state, f"{side} 6", "camelup.desert.same")
        assert "move it to a different space" in str(error)


def test_3_4_a_roll_takes_a_pyramid_tile_and_draws_a_die_left():
    state = do(at(FAR, out="bg"), "roll")
    assert state.actor is serai.CHANCE
    assert state.pyramid_tiles == (1, 0)
    assert texts(state) == [f"die {name} {n}" for name in ("orange", "yellow", "white") for n in (1, 2, 3)]
    assert sum(chance for _, chance in state.chances()) == 1
    refused(state, "die blue 1", "camelup.die.out")
    refused(state, "roll", "core.chance_first")
    refused(at(FAR), "die blue 1", "core.player_first")


def test_3_5_race_cards_on_either_deck_each_colour_once():
    state = do(at(FAR), "winner green", "loser green", "loser blue", "loser white")
    assert state.winner_deck == deck("0 green")
    assert state.loser_deck == deck("1 green", "0 blue", "1 white")
    assert state.hands == ((2, 3, 4), (0, 2, 3))
    error = refused(state, "loser green", "camelup.race.spent")
    assert str(error) == "the green race card is no longer in your hand; cards left: orange, yellow, white"
    all_laid = do(at(FAR, players=2), *[f"{d} {c}" for c in CAMEL_NAMES for d in ("winner", "loser")])
    assert all_laid.hands == ((), ())
    assert not any(text.startswith(("winner", "loser")) for text in texts(all_laid))


def test_3_5_only_the_owner_knows_the_colour():
    state = at(FAR, players=3)
    after, (event,) = state.step(GAME.parse("winner green"))
    assert event.seen_by(0) == event
    assert event.seen_by(1).camel is None
    assert event.seen_by(None).camel is None
    assert (event.seen_by(1).seat, event.seen_by(1).deck, event.seen_by(1).place) == (0, "winner", 1)
    assert str(GAME.parse("winner green").seen_by(1, 0)) == "winner ?"
    assert str(GAME.parse("winner green").seen_by(0, 0)) == "winner green"
    assert str(GAME.parse("loser green").seen_by(None)) == "loser ?"
    assert after.seen_by(1).winner_deck == ((0, None),)
    with pytest.raises(Hidden):
        state.apply(GAME.parse("winner ?"))


def test_3_6_a_roll_is_always_possible():
    no_other_choice = at(FAR, leg_bets=bets(**{name: [0, 1, 0] for name in CAMEL_NAMES}), hands=((), ()), out="bgoy")
    assert "roll" in texts(no_other_choice)


# -- 4 Movement --------------------------------------------------------------------------------------------------------


def test_4_1_a_camel_carries_those_on_top_and_leaves_those_beneath():
    assert stacks(do(at("3gyob 9w"), "roll", "die yellow 2")) == "3g 5yob 9w"


def test_4_2_a_unit_lands_on_top():
    assert stacks(do(at("3gy 5ob 9w"), "roll", "die green 2")) == "5obgy 9w"


def test_4_3_the_owner_gets_a_pound_at_once_then_the_unit_moves_on():
    state = at("3gyo 9bw", players=3, deserts=[0, 0, 5])
    after = do(state, "roll", "die green 2")
    assert stacks(after) == "6gyo 9bw"
    assert after.money == (3, 3, 4)  # one pound for the unit, not three
    assert PoundPaid(2, 1, 4) in happen(state, "roll", "die green 2")
    assert stacks(do(at("3gyo 9bw", deserts=[0, -5]), "roll", "die green 2")) == "4gyo 9bw"


def test_4_3_also_for_the_roller_and_also_over_the_line_before_any_scoring():
    state = at("14g 1byow", deserts=[16, 0], money=(0, 0), leg_bets=bets(blue=[0], yellow=[0], orange=[0]))
    events = happen(state, "roll", "die green 2")
    order = [type(event) for event in events]
    assert order.index(PoundPaid) < order.index(LegScored)
    assert do(state, "roll", "die green 2").money == (0, 0)  # 1 for the tile, then 1 - 3 netted against it
    assert next(e for e in events if isinstance(e, LegScored)) == LegScored(
        0, (TileScore(0, 5, -1), TileScore(2, 5, -1), TileScore(3, 5, -1)), 1, -2, -1, 0
    )


def test_4_4_after_an_oasis_the_unit_lands_on_top():
    assert stacks(do(at("3gy 6ob 9w", deserts=[5, 0]), "roll", "die green 2")) == "6obgy 9w"


def test_4_4_after_a_mirage_the_unit_slides_underneath():
    assert stacks(do(at("3gy 4ob 9w", deserts=[-5, 0]), "roll", "die green 2")) == "4gyob 9w"


def test_4_4_a_mirage_one_ahead_returns_the_unit_below_the_camels_it_left():
    assert stacks(do(at("4obgy 9w", deserts=[-5, 0]), "roll", "die green 1")) == "4gyob 9w"


def test_4_5_the_tile_stays_and_one_move_meets_at_most_one():
    state = at("3gyobw", players=3, deserts=[5, 7, -9])
    after = do(state, "roll", "die green 2")
    assert after.deserts == (5, 7, -9)
    assert stacks(after) == "6gyobw"
    assert after.money == (4, 3, 3)


def test_4_5_in_every_random_game_no_push_ends_on_another_tile():
    rng = random.Random(45)
    for _ in range(20):
        state = GAME.new(players=8)
        while not state.over:
            state = state.apply(state.sample(rng) if state.actor is serai.CHANCE else rng.choice(state.actions()))
            spaces = [abs(tile) for tile in state.deserts if tile]
            assert all(abs(a - b) > 1 for i, a in enumerate(spaces) for b in spaces[:i])


def test_4_6_an_oasis_on_16_carries_over_the_line():
    state = do(at("15g 1byow", deserts=[0, 16]), "roll", "die green 1")
    assert state.over
    assert stacks(state) == "1byow 17g"
    assert not do(at("15g 1byow", deserts=[0, -16]), "roll", "die green 1").over


def test_4_7_dice_stay_out_until_the_leg_ends():
    state = do(at(FAR), "roll", "die green 3")
    assert state.tents == (0, 3, 0, 0, 0)
    state = do(state, "roll", "die blue 2")
    assert state.tents == (2, 3, 0, 0, 0)
    assert "die green 1" not in texts(do(state, "roll"))
    assert do(at(FAR, out="bgoy"), "roll", "die white 1").tents == (0,) * 5


# -- 5 Ranking ---------------------------------------------------------------------------------------------------------


def ranked(state, *actions: str) -> str:
    (ended,) = [event for event in happen(state, *actions) if isinstance(event, LegEnded)]
    return "".join("bgoyw"[camel] for camel in ended.ranking)


def test_5_1_higher_space_first_and_the_top_of_a_stack_before_those_below():
    assert ranked(at("3gy 6ob 8w", out="bgoy"), "roll", "die white 1") == "wboyg"
    assert ranked(at("16gy 15ob 1w"), "roll", "die green 1") == "ygbow"


def test_5_2_first_second_and_last():
    state = at("3gy 6ob 16w", out="bgoy", leg_bets=bets(white=[0], blue=[0], green=[0]))
    (mine, _) = [event for event in happen(state, "roll", "die white 1") if isinstance(event, LegScored)]
    assert [tile.amount for tile in mine.tiles] == [1, -1, 5]  # blue second, green last, white first
    over = do(at("3gy 6ob 16w", loser_deck=deck("0 green"), winner_deck=deck("1 white")), "roll", "die white 1")
    assert over.money == (3 + 1 + 8, 3 + 8)


# -- 6 End of a leg ----------------------------------------------------------------------------------------------------


def test_6_1_the_leg_is_scored_after_the_fifth_die_before_the_next_turn():
    state = at(FAR, out="bgo")
    assert not any(isinstance(event, LegScored) for event in happen(state, "roll", "die white 1"))
    events = happen(state, "roll", "die white 1", "roll", "die yellow 1")
    assert [event.seat for event in events if isinstance(event, LegScored)] == [0, 1]


def test_6_2_first_second_others_and_pyramid_tiles_are_added_up():
    held = bets(white=[0, 1, 0], yellow=[1, 0], blue=[0])
    state = at(FAR, out="bgoy", leg_bets=held, pyramid_tiles=(3, 1))
    after = do(state, "roll", "die white 1")
    assert after.money == (3 + 5 + 2 + 1 - 1 + 4, 3 + 3 + 1 + 1)


def test_6_3_nobody_falls_below_0_and_the_rest_is_let_off():
    state = at(FAR, out="bgoy", turn=1, money=(1, 5), leg_bets=bets(blue=[0, 0, 0]))
    assert do(state, "roll", "die white 1").money == (0, 6)
    (scored, _) = [event for event in happen(state, "roll", "die white 1") if isinstance(event, LegScored)]
    assert (scored.total, scored.paid, scored.money) == (-3, -1, 0)


def test_6_4_everything_goes_back_but_race_cards_and_camels():
    state = at(
        FAR, players=3, out="bgoy", deserts=[9, -12, 0], leg_bets=bets(blue=[0]), pyramid_tiles=(2, 1, 1),
        winner_deck=deck("0 blue"), hands=((1, 2, 3, 4), (0, 1, 2, 3, 4), (0, 1, 2, 3, 4)),
    )  # fmt: skip
    after = do(state, "roll", "die white 2")
    assert after.leg_bets == bets()
    assert after.pyramid_tiles == after.deserts == (0, 0, 0)
    assert after.tents == (0,) * 5
    assert after.winner_deck == state.winner_deck
    assert after.hands == state.hands
    assert stacks(after) == "1b 2g 3o 4y 7w"
    assert after.leg == 2


def test_6_5_the_left_neighbour_of_the_last_roller_begins():
    state = at(FAR, players=4, turn=2, out="bgoy")
    after = do(state, "roll", "die white 2")
    assert (after.actor, after.marker) == (3, 3)
    assert happen(state, "roll", "die white 2")[-1] == LegBegan(2, 3)
    assert do(at(FAR, players=4, turn=3, out="bgoy"), "roll", "die white 2").marker == 0


# -- 7 End of the race -------------------------------------------------------------------------------------------------


def test_7_1_the_race_ends_at_once_when_a_unit_crosses():
    state = do(at("15gy 1bow"), "roll", "die yellow 2")
    assert state.over
    assert state.actor is None
    assert state.actions() == ()
    with pytest.raises(IllegalAction, match="the game is over"):
        do(state, "roll")
    assert not do(at("15gy 1bow"), "roll", "die yellow 1").over


def test_7_2_a_last_leg_scoring_mid_leg_and_everything_stays_visible():
    state = at("15gy 1bow", deserts=[9, 0], leg_bets=bets(yellow=[1], green=[0, 0, 1]), money=(3, 3))
    after = do(state, "roll", "die green 3")
    assert stacks(after) == "1bow 18gy"
    assert after.money == (3 + 1 + 1 + 1, 3 + 5 + 1)
    assert (after.leg_bets, after.deserts, after.pyramid_tiles) == (state.leg_bets, (9, 0), (1, 0))
    assert after.tents == (0, 3, 0, 0, 0)
    for pips in (1, 2, 3):
        assert do(at("16g 1byow"), "roll", f"die green {pips}").track[16 + pips] == (1,)


def test_7_3_winner_cards_earn_8_5_3_2_then_1_and_wrong_ones_cost_1():
    cards = deck(*[f"{seat} green" for seat in range(7)], "7 blue")
    after = do(at("16g 1byow", players=8, turn=7, winner_deck=cards), "roll", "die green 1")
    assert after.money == (3 + 8, 3 + 5, 3 + 3, 3 + 2, 3 + 1, 3 + 1, 3 + 1, 3 + 1 - 1)


def test_7_3_each_card_is_settled_on_its_own_in_order():
    cards = deck("0 blue", "0 white", "0 green", "0 yellow")
    events = happen(at("16g 1byow", turn=1, money=(1, 3), winner_deck=cards), "roll", "die green 1")
    paid = [(event.amount, event.paid, event.money) for event in events if isinstance(event, CardScored)]
    assert paid == [(-1, -1, 0), (-1, 0, 0), (8, 8, 8), (-1, -1, 7)]


def test_7_4_the_loser_deck_pays_in_the_same_way_for_the_last_camel():
    cards = deck(*[f"{seat} blue" for seat in range(6)], "6 green")
    after = do(at("16g 1byow", players=8, turn=7, loser_deck=cards), "roll", "die green 1")
    assert after.money == (3 + 8, 3 + 5, 3 + 3, 3 + 2, 3 + 1, 3 + 1, 3 - 1, 3 + 1)


def test_7_4_the_winner_deck_comes_first():
    state = at("16g 1byow", turn=1, money=(0, 3), winner_deck=deck("0 green"), loser_deck=deck("0 white"))
    assert do(state, "roll", "die green 1").money[0] == 7
    state = at("16g 1byow", turn=1, money=(0, 3), winner_deck=deck("0 white"), loser_deck=deck("0 blue"))
    assert do(state, "roll", "die green 1").money[0] == 8


def test_7_5_most_money_wins_and_a_tie_is_shared():
    over = do(at("16g 1byow", players=3, money=(4, 9, 2)), "roll", "die green 1")
    assert over.winners() == (1,)
    tied = do(at("16g 1byow", players=3, money=(4, 5, 2)), "roll", "die green 1")
    assert tied.winners() == (0, 1)
    assert happen(at("16g 1byow", players=3, money=(4, 5, 2)), "roll", "die green 1")[-1] == GameEnded(
        (5, 5, 2), (0, 1)
    )


# -- 8 What is secret --------------------------------------------------------------------------------------------------


def test_8_1_race_cards_are_known_to_their_owner_alone():
    state = do(at(FAR, players=3), "winner green", "loser blue", "leg blue", "loser white")
    mine = state.seen_by(0)
    assert mine.hands == ((0, 2, 3), (None,) * 4, (None,) * 5)
    assert mine.winner_deck == deck("0 green")
    assert mine.loser_deck == ((1, None), (0, 4))
    onlooker = state.seen_by(None)
    assert onlooker.hands == ((None,) * 3, (None,) * 4, (None,) * 5)
    assert onlooker.winner_deck == ((0, None),)
    with pytest.raises(Hidden):
        onlooker.actions()
    with pytest.raises(Hidden):
        mine.apply(GAME.parse("winner blue"))  # seat 1 is to act


def test_8_1_a_view_cannot_be_scored_through():
    state = at("16g 1byow", turn=1, winner_deck=deck("0 green"))
    with pytest.raises(Hidden, match="race cards"):
        do(state.seen_by(1), "roll", "die green 1")


def test_8_2_everything_else_is_public():
    state = do(at(FAR, players=3), "winner green", "leg blue", "oasis 9", "roll", "die white 2")
    for seat in (None, 0, 1, 2):
        view = state.seen_by(seat)
        hidden = {"hands", "winner_deck", "loser_deck"}
        shown = set(view.__struct_fields__) - hidden
        assert all(getattr(view, field) == getattr(state, field) for field in shown)
        assert [len(hand) for hand in view.hands] == [4, 5, 5]
        assert [seat for seat, _ in view.winner_deck] == [0]


def test_8_3_hide_money_changes_what_is_shown_and_nothing_else():
    open_, covered = GAME.new(players=2), GAME.new(players=2, hide_money=True)
    assert covered.options.hide_money
    assert covered.seen_by(0).money == (3, 3)
    assert msgspec.structs.replace(covered, options=open_.options) == open_
    started = do(covered, *SET_UP)
    started = msgspec.structs.replace(started, money=(3, 77))
    assert "77" not in GAME.text.draw(started.seen_by(0), seat=0)
    assert "77" in GAME.text.draw(started.seen_by(1), seat=1)
    assert "77" in GAME.text.draw(msgspec.structs.replace(started, actor=None), seat=0)


def test_8_4_at_the_end_all_cards_are_shown():
    over = do(at("16g 1byow", winner_deck=deck("0 green", "1 blue")), "roll", "die green 1")
    assert over.seen_by(None) == over.seen_by(0) == over


# -- 9 Worked cases ----------------------------------------------------------------------------------------------------


def test_9_1_the_books_set_up():
    assert stacks(do(GAME.new(players=2), *SET_UP)) == "1gyo 3bw"


def test_9_2_orange_carries_yellow_three_spaces():
    assert stacks(do(at("1g 2oy 3bw"), "roll", "die orange 3")) == "1g 3bw 5oy"


def test_9_3_white_and_green_land_on_yellow():
    assert stacks(do(at("3wg 5y 7bo"), "roll", "die white 2")) == "5ywg 7bo"


def test_9_4_the_books_leg_scoring():
    held = bets(green=[0, 1, 0], yellow=[0], blue=[0])
    state = at("1b 2o 3w 5y 8g", players=2, turn=1, out="bgow", leg_bets=held, pyramid_tiles=(2, 2))
    assert do(state, "roll", "die yellow 1").money[0] == 3 + 9


def test_9_5_the_books_decks():
    winner = deck("0 green", "1 blue", "2 white", "3 green", "4 green")
    loser = deck("0 white", "1 yellow", "2 blue", "3 blue")
    state = at("16g 1byow", players=6, turn=5, winner_deck=winner, loser_deck=loser)
    scored = [event.amount for event in happen(state, "roll", "die green 1") if isinstance(event, CardScored)]
    assert scored == [8, -1, -1, 5, 3, -1, -1, 8, 5]


def test_9_6_a_netted_debt_larger_than_the_purse_leaves_0():
    held = bets(blue=[0, 0, 0], green=[0])
    state = at(FAR, turn=1, out="bgoy", money=(1, 0), leg_bets=held, pyramid_tiles=(3, 1))
    assert do(state, "roll", "die white 1").money[0] == 0


def test_9_7_a_mirage_into_the_own_stack():
    assert stacks(do(at("5gyob 9w", deserts=[0, -6]), "roll", "die orange 1")) == "5obgy 9w"


def test_9_8_nothing_to_pay_then_the_first_right_card():
    state = at("16g 1byow", turn=1, money=(0, 3), winner_deck=deck("0 blue", "0 green"))
    assert do(state, "roll", "die green 1").money[0] == 8
