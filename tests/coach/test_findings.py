"""What a review says besides single decisions, and what it does not say: nobody is praised for doing nothing."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

import serai
from serai.coach import hints, review
from serai.coach.decisions import Alternative, Decision, Verdict, judge_decision
from serai.coach.evaluator import Evaluator, Worth
from serai.coach.report import brief, page
from serai.coach.review import Review, Step, counted_once, without_luck
from serai.core.dealer import Dealer
from serai.core.play import advance, deal
from serai.core.record import AGREED, Record, Seat
from serai.core.rollouts import Playouts
from tests.camelup import positions as camels
from tests.pharaoh import positions as pyramid

PHARAOH: Any = serai.game("pharaoh")


# -- doing nothing -----------------------------------------------------------------------------------------------------


def evaluator(game: str = "pharaoh") -> Evaluator:
    return Evaluator(serai.game(game), effort="low")


def worth(monkeypatch: pytest.MonkeyPatch, figures: dict[str, tuple[float, float]], noise: float = 0.1) -> None:
    """Playouts that give these wins and scores to the seat to act, and less to all other actions."""

    def play_on(_: Evaluator, view: Any, actions: Any, n: int, *more: Any, **settings: Any) -> Playouts:
        rows = [figures.get(str(action), (0.0, 0.0)) for action in actions]
        swing = [noise * (-1) ** playout for playout in range(n)]
        seats = range(view.players)
        wins = [[[won + (place % 2) * by for _ in seats] for by in swing] for place, (won, _) in enumerate(rows)]
        scores = [[[score for _ in seats] for _ in swing] for _, score in rows]
        return Playouts(tuple(actions), wins, scores)

    monkeypatch.setattr(Evaluator, "play_on", play_on)


def test_a_hint_is_to_discover_something_rather_than_to_wait_for_a_difference_of_noise() -> None:
    start = PHARAOH.new(players=4)
    for seed in range(6):
        first, *_ = hints(PHARAOH, start.seen_by(0), effort="low", seed=seed)
        assert first.action.startswith("reveal"), seed


@pytest.mark.parametrize(("reveal", "idle"), [(0.295, True), (0.1, False)])
def test_who_waits_where_something_as_good_could_be_done_is_not_praised(
    monkeypatch: pytest.MonkeyPatch, reveal: float, idle: bool
) -> None:
    worth(monkeypatch, {"end": (0.3, 2.0), "reveal b1": (reveal, 2.0)}, noise=0.0)
    found = judge_decision(evaluator(), PHARAOH.new(players=4), PHARAOH.parse("end"), None)
    assert found is not None
    assert (found.verdict, found.idle) == ("fine", idle)
    assert found.alternatives[0].action == ("reveal b1" if idle else "end")
    assert found.alternatives[found.chosen].action == "end"


def passing(turns: int) -> Record:
    """Seat 1 passes its first turns, and then does as the others: the first thing that there is to do."""
    state, dealer = PHARAOH.new(players=2), Dealer(bytes(32), bytes(32))
    record = Record.begin(PHARAOH, state, (Seat("Ann"), Seat("Bob")), dealer)
    play, actions, ended, rng = deal(state, dealer), [], 0, random.Random(3)
    while ended <= 2 * turns + 2:
        state = play.after
        legal = list(map(str, state.actions()))
        passes = "end" in legal and state.turn == 1 and ended // 2 < turns
        some = [text for text in legal if text.split()[0] in ("reveal", "lay", "helper")] or ["end"]
        chosen = "end" if passes else rng.choice(some)
        ended += chosen == "end" or (state.moves_left == 1 and "end" in legal and not state.acts_left)
        play = advance(state, PHARAOH.parse(chosen), dealer)
        ended = 2 * (play.after.round - 1) + play.after.turn
        actions += list(play.notation)
    return replace(record, secret=bytes(32).hex(), actions=tuple(actions), end=AGREED, result=play.after.scores())


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("turns", [2, 5])
def test_turns_that_were_passed_one_after_the_other_are_told(turns: int) -> None:
    record = passing(turns)
    found = review(record)
    (one,) = found.findings or (None,)
    if turns < 3:
        assert one is None
        return
    assert one is not None
    assert (one.seat, one.reason.key) == (1, "coach.pharaoh.passed")
    assert dict(one.reason.values) == {"seat": 1, "turns": turns, "first": 1, "last": turns}
    assert {record.actions[one.first], record.actions[one.last]} == {"end"}
    said = f"Bob passed {turns} turns running (rounds 1 to {turns}) with something to do"
    assert said in brief(found)
    assert said in page(found)
    assert review(record, 0).findings == ()


# -- points, where victory is as good as decided -----------------------------------------------------------------------


FALLING = """
    ? x x x ? ?
    ? x x x ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? │ ? ? ?
    ? ? S ? ? ?
    0 A=c3+2 museum={own}
    1 museum={rival}
    lost mask
    mask c6 finder=1 clock=0 ring=1
    turn 0 moves=1
"""


@pytest.mark.parametrize(("own", "rival"), [("2", "3,3,3,3"), ("3,3,3,3", "2")])
def test_who_has_lost_or_won_still_should_not_let_the_archaeologist_fall(own: str, rival: str) -> None:
    state = pyramid.at(FALLING.format(own=own, rival=rival))
    chosen = judge_decision(evaluator(), state, PHARAOH.parse("archaeologist c4"), None)
    assert chosen is not None
    assert chosen.loss < 0.02
    assert (chosen.verdict, chosen.by_points) == ("very bad", True)
    assert chosen.score_loss == pytest.approx(chosen.alternatives[0].score - chosen.alternatives[chosen.chosen].score)
    best = judge_decision(evaluator(), state, PHARAOH.parse(chosen.alternatives[0].action), None)
    assert best is None or best.verdict == "fine"


def test_points_count_for_nothing_while_victory_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    state = PHARAOH.new(players=2)
    for wins, verdict in ((0.4, "fine"), (0.03, "very bad"), (0.98, "very bad")):
        worth(monkeypatch, {"end": (wins, 1.0), "reveal b1": (wins, 4.0), "reveal c2": (wins, 1.0)}, noise=0.0)
        found = judge_decision(evaluator(), state, PHARAOH.parse("reveal c2"), None)
        assert found is not None
        assert (found.verdict, found.by_points) == (verdict, verdict != "fine")


def test_a_last_chance_of_victory_may_cost_points(monkeypatch: pytest.MonkeyPatch) -> None:
    worth(monkeypatch, {"reveal b1": (0.03, 0.0), "reveal c2": (0.0, 4.0)}, noise=0.0)
    found = judge_decision(evaluator(), PHARAOH.new(players=2), PHARAOH.parse("reveal b1"), None)
    assert found is not None
    assert (found.verdict, found.alternatives[0].action) == ("fine", "reveal b1")


def test_pounds_count_in_camel_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    worth(monkeypatch, {"roll": (0.01, 12.0), "leg white": (0.0, 7.0)}, noise=0.0)
    state = camels.at("3bg 5o 6w 9y", out="bgoy", money=(3, 90))
    found = judge_decision(evaluator("camelup"), state, serai.game("camelup").parse("leg white"), None)
    assert found is not None
    assert (found.verdict, found.by_points) == ("very bad", True)


# -- one piece of advice -----------------------------------------------------------------------------------------------


def step(ply: int, actor: int, action: str, better: str = "", verdict: Verdict = "bad") -> Step:
    decision = None
    if better:
        best, chosen = (Alternative(text, wins, 0.0, 0.0, 64) for text, wins in ((better, 0.5), (action, 0.4)))
        loss = {"fine": 0.0, "doubtful": 0.03, "bad": 0.05, "very bad": 0.1}[verdict]
        decision = Decision(actor, "tile", (best, chosen), 1, loss, 0.0, 0.0, 0.0, verdict, counts=True)
    even = (Worth(0.5, 0.0, 0.0), Worth(0.5, 0.0, 0.0))
    return Step(ply, actor, action, even, (0.0, 0.0), (0.0, 0.0), decision)


def repeated(*steps: Step) -> list[int]:
    marked = counted_once(steps, evaluator())
    return [one.ply for one in marked if one.decision is not None and one.decision.repeated]


def test_one_piece_of_advice_that_was_missed_again_and_again_counts_once_as_its_worst() -> None:
    missed = [
        step(0, 0, "helper c2", "turn d1 NW"),
        step(1, 1, "end", "turn d1 NW"),
        step(2, 0, "reveal c2", "turn d1 NE", "very bad"),
        step(3, 0, "lay NS", "lay EW", "fine"),
        step(4, 0, "end", "turn d1 NW", "doubtful"),
    ]
    assert repeated(*missed) == [0, 4]


def test_advice_that_was_followed_in_between_or_is_new_each_time_counts_again() -> None:
    assert repeated(step(0, 0, "end", "turn d1 NW"), step(1, 0, "turn d1 NW"), step(2, 0, "end", "turn d1 NW")) == []
    assert repeated(step(0, 0, "helper c2", "end"), step(1, 0, "helper c3", "end")) == []
    assert repeated(step(0, 0, "end", "reveal c2"), step(1, 0, "end", "reveal b1")) == []


# -- without luck ------------------------------------------------------------------------------------------------------


def test_a_share_without_luck_is_one() -> None:
    rng = random.Random(2)
    for _ in range(200):
        line = [rng.choice((0.0, 1.0, rng.random(), rng.random())) for _ in range(rng.randrange(2, 40))]
        changes = [pair for pair in pairwise(line) if rng.random() < 0.5]
        assert 0 <= without_luck(line[0], changes) <= 1


def test_without_luck_decisions_alone_make_the_result_and_nothing_else_does() -> None:
    line = [0.25, 0.4, 0.1, 0.7, 1.0]
    assert without_luck(0.25, list(pairwise(line))) == pytest.approx(1)
    assert without_luck(0.25, []) == pytest.approx(0.25)
    assert without_luck(0.25, [(0.9, 0.4), (0.4, 0.9)]) == pytest.approx(0.25)
    assert without_luck(0.25, [(0.8, 0.5)]) < 0.25 < without_luck(0.25, [(0.3, 0.5)]) < 0.5


@pytest.mark.usefixtures("hasty")
def test_what_a_review_calls_without_luck_is_one_for_every_seat() -> None:
    found: Review = review(passing(5))
    for account in found.accounts:
        assert 0 <= account.adjusted <= 1
