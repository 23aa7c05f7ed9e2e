"""Reviews: results are sums, luck is fair, figures repeat, and nobody is judged by what they could not know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.arena.simulate import Simulation
from serai.camelup.coach import CamelUpCoach
from serai.coach import Review, review
from serai.coach.decisions import Decision
from serai.coach.evaluator import Evaluator
from serai.coach.report import page
from serai.core import CHANCE
from serai.core.record import Record, replay
from serai.core.rollouts import Playouts
from serai.errors import BadRecord, SeraiError
from serai.pharaoh.coach import PharaohCoach
from tests.support import amount

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = (
    ("camelup", "plain-42", 2),
    ("camelup", "all-cards-laid", 3),
    ("camelup", "race-ends-with-the-first-die", 5),
    ("pharaoh", "plain-09", 2),
    ("pharaoh", "mask-brought-to-safety", 3),
)
COUNTED = CamelUpCoach.parts
USUAL = (PharaohCoach.playouts, PharaohCoach.compared)
FEW = amount(3, len(GAMES))
pytestmark = pytest.mark.usefixtures("hasty")


def record_of(game: str, name: str) -> Record:
    return Record.read((GOLDEN / game / f"{name}.serai").read_text())


@pytest.mark.parametrize(("game", "name", "players"), [GAMES[place] for place in (0, 1, 3, 2, 4)[:FEW]])
def test_a_result_is_the_sum_of_decisions_luck_and_what_was_revealed(game: str, name: str, players: int) -> None:
    record = record_of(game, name)
    found = review(record)
    assert found.seats == tuple(range(players))
    for place, account in enumerate(found.accounts):
        for balance in (account.wins, account.scores):
            parts = balance.own + balance.others + balance.chance + balance.revealed
            assert balance.final - balance.first == pytest.approx(parts, abs=1e-9)
        assert account.scores.final == record.result[place]  # type: ignore[index]
        assert account.wins.first == found.start[place].wins
        assert account.wins.adjusted == pytest.approx(account.wins.final - account.wins.chance - account.wins.revealed)
    assert sum(account.wins.final for account in found.accounts) == pytest.approx(1)
    _every_action_is_judged(record, found)


def _every_action_is_judged(record: Record, found: Review) -> None:
    setup = len(record.actions) - len(found.steps)
    assert [step.action for step in found.steps] == list(record.actions[setup:])
    for step in found.steps:
        assert (step.actor is None) == (step.chance is not None)
        assert step.actor is not None or step.decision is None
        if step.decision is not None:
            assert step.decision.alternatives[step.decision.chosen].action == step.action
            assert step.decision.loss >= 0


@pytest.mark.parametrize(("game", "name"), [("camelup", "all-cards-laid"), ("pharaoh", "plain-09")])
def test_the_mean_of_luck_over_all_outcomes_is_zero_for_every_seat(game: str, name: str) -> None:
    evaluator = Evaluator(serai.game(game), effort="low")
    looked_at = 0
    for ply in list(replay(record_of(game, name)))[5 :: amount(7, 1)]:
        state = ply.before
        if state.actor is not CHANCE or getattr(state, "leg", 1) == 0:
            continue
        seats = range(len(state.scores()))
        draw = evaluator.draw(state, seats, [None for _ in seats])
        assert {action: Fraction(chance).limit_denominator(99) for action, chance in draw.chances.items()} == dict(
            state.chances()
        )
        for place in seats:
            luck = [
                draw.chances[action] * (outcome.worths[place].wins - draw.worths[place].wins)
                for action, outcome in draw.outcomes.items()
            ]
            assert math.fsum(luck) == pytest.approx(0, abs=1e-12)
        looked_at += 1
    assert looked_at > 2


@pytest.mark.parametrize("name", serai.games())
def test_luck_has_a_mean_of_zero_over_many_games_for_every_seat(name: str) -> None:
    game = serai.game(name)
    coach = game.coach
    assert coach is not None
    games = Simulation(game, (coach.reference,) * 2, seed="luck")
    steps = [
        step
        for number in range(amount(1, 60))
        for step in review(games.record(number), seed=number).steps
        if step.chance is not None
    ]
    for seat in range(2):
        luck = [step.wins[seat] for step in steps]
        # by the squares of draws, not by whole games, whose luck is too crooked for a few to tell its spread
        assert abs(math.fsum(luck)) < 4 * math.sqrt(math.fsum(change * change for change in luck))


def test_the_same_seed_tells_the_same_to_the_digit() -> None:
    record = record_of("camelup", "plain-42")
    once, again, other = (msgspec.json.encode(review(record, 0, seed=seed)) for seed in (1, 1, 2))
    assert once == again
    assert once != other


def test_one_seat_is_judged_as_among_all() -> None:
    record = record_of("camelup", "plain-42")
    both, alone = review(record), review(record, 1)
    assert alone.accounts == both.accounts[1:]
    assert [step.wins for step in alone.steps] == [step.wins[1:] for step in both.steps]


@pytest.mark.parametrize("actions", [701, 1200, 2695, 3400, 9000])
def test_a_longer_game_is_judged_with_no_more_playouts_in_all(actions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, count in zip(("playouts", "compared"), USUAL, strict=True):
        monkeypatch.setattr(PharaohCoach, name, count)
    game = serai.game("pharaoh")
    usual = Evaluator(game)
    thorough = PharaohCoach.thorough
    assert thorough == 700
    at_most = Evaluator(game, actions=thorough)
    assert (at_most.playouts, at_most.compared) == (usual.playouts, usual.compared) == USUAL
    longer = Evaluator(game, actions=actions)
    # those of stalled games take eight times as long
    share = thorough / (thorough + 8 * (actions - thorough))
    assert longer.playouts == max(4, round(usual.playouts * share))
    judged = sum(longer.judges(number) for number in range(actions)) / actions
    # few decisions judged well, rather than all of them by next to nothing
    assert longer.compared >= usual.compared / 4
    assert judged * longer.compared == pytest.approx(usual.compared * share, rel=0.25)
    assert all(at_most.judges(number) for number in range(thorough))
    camelup = serai.game("camelup")
    assert Evaluator(camelup, actions=actions).playouts == Evaluator(camelup).playouts


def test_a_review_of_a_long_game_asks_for_less_of_every_action(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_game = record_of("pharaoh", "plain-09")
    record = _stopped(whole_game, whole_game.actions[:90])
    actions = len(record.actions)
    asked: list[int] = []
    play_on = Evaluator.play_on

    def counted(self: Evaluator, view: Any, some: Sequence[Any], n: int, *rest: Any, **more: Any) -> Playouts:
        asked.append(len(some) * n)
        return play_on(self, view, some, n, *rest, **more)

    def reviewed(thorough: int | None) -> tuple[Review, int]:
        monkeypatch.setattr(PharaohCoach, "thorough", thorough)
        asked.clear()
        return review(record, 0), sum(asked)

    monkeypatch.setattr(Evaluator, "play_on", counted)
    monkeypatch.setattr(PharaohCoach, "playouts", 32)
    monkeypatch.setattr(PharaohCoach, "compared", 32)
    whole, enough, short, again = (reviewed(thorough) for thorough in (None, actions, actions - 11, actions - 11))
    assert (enough[0].steps, enough[0].accounts, enough[1]) == (whole[0].steps, whole[0].accounts, whole[1])
    assert short == again
    assert 0.4 * whole[1] < short[1] < 0.6 * whole[1]
    decided, some = (sum(step.decision is not None for step in found.steps) for found in (whole[0], short[0]))
    assert decided == some
    shorter, _ = reviewed(actions // 4)
    assert 0 < sum(step.decision is not None for step in shorter.steps) < decided / 2
    assert whole[0].judged == short[0].judged == 1 > shorter.judged > 0
    sentence = f"{shorter.judged:.0%} of the decisions, drawn by lot"
    assert all(sentence in text for text in (str(shorter), page(shorter)))
    assert "by lot" not in str(whole[0])
    # another name: other reviews are to be expected
    assert len({found.evaluator for found, _ in (whole, enough, short)}) == 3


def test_what_a_seat_cannot_know_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CamelUpCoach, "parts", COUNTED)
    record = record_of("camelup", "all-cards-laid")
    laid = [
        (number, ply.before.actor, ply.action)
        for number, ply in enumerate(replay(record))
        if ply.action.kind in ("winner", "loser") and ply.before.actor != 0
    ]
    # somebody lays two of their cards the other way round, and the game is stopped soon after
    number, seat, first = laid[0]
    later, second = next((at, action) for at, owner, action in laid[1:] if owner == seat)
    actions = list(record.actions[: later + 8])
    stopped = _stopped(record, actions)
    actions[number] = str(msgspec.structs.replace(first, camel=second.camel))
    actions[later] = str(msgspec.structs.replace(second, camel=first.camel))
    twin = _stopped(record, actions)
    assert stopped != twin
    assert review(stopped, 0) == review(twin, 0)
    assert review(stopped, seat) != review(twin, seat)


def _stopped(record: Record, actions: Sequence[str]) -> Record:
    """The game as its players agreed to end it behind these actions."""
    begun = msgspec.structs.replace(record, actions=tuple(actions), secret="", commit="", mix="")
    *_, last = replay(begun)
    return msgspec.structs.replace(begun, end="agreed", result=last.after.scores())


def test_with_all_cards_open_nothing_is_revealed_in_the_end() -> None:
    record = record_of("camelup", "all-cards-laid")
    hidden, known = review(record), review(record, openly=True)
    assert any(account.wins.revealed for account in hidden.accounts)
    for account in known.accounts:
        assert account.wins.revealed == 0
        assert account.scores.revealed == 0
    for worths in (known.start, *(step.worths for step in known.steps)):
        assert sum(worth.wins for worth in worths) == pytest.approx(1, abs=1e-5)


def test_forced_choices_do_not_count() -> None:
    found = review(record_of("pharaoh", "plain-09"), 0)
    own = [step for step in found.steps if step.actor == 0]
    decisions: list[Decision] = [step.decision for step in own if step.decision is not None]
    assert 0 < len(decisions) < len(own)
    counted = [decision for decision in decisions if decision.counts]
    assert found.accounts[0].total.decisions == len(counted)
    marked = [decision for decision in decisions if decision.counts or decision.by_points]
    assert sum(found.accounts[0].verdicts.values()) == sum(not decision.repeated for decision in marked)
    assert all(decision.verdict == "fine" for decision in decisions if decision not in marked)
    assert found.accounts[0].total.loss == pytest.approx(sum(decision.regret for decision in counted))


def test_a_running_game_is_not_reviewed() -> None:
    record = record_of("camelup", "plain-42")
    running = msgspec.structs.replace(record, actions=record.actions[:-4], result=None)
    with pytest.raises(SeraiError, match="not over"):
        review(running)
    with pytest.raises(BadRecord, match="nothing to judge"):
        review(msgspec.structs.replace(record, actions=record.actions[:5], result=(3, 3), end="agreed"))
    with pytest.raises(SeraiError, match="seats are 0 to 1"):
        review(record, 2)
    with pytest.raises(SeraiError, match="low, usual, high"):
        review(record, effort="heroic")


def test_a_game_ended_by_agreement_is_worth_what_it_was_then() -> None:
    record = record_of("camelup", "plain-42")
    account = review(_stopped(record, record.actions[:20]), 0).accounts[0]
    assert 0 < account.wins.final < 1
    assert account.wins.revealed == 0


def test_the_evaluator_has_another_name_if_its_parameters_change(monkeypatch: pytest.MonkeyPatch) -> None:
    game = serai.game("camelup")
    name = Evaluator(game).name
    assert Evaluator(game, effort="high", seed=3).name == name
    monkeypatch.setattr(game.coach, "parameters", "others")
    assert Evaluator(game).name != name
