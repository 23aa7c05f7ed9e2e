"""The referee: bots see views only; a bot that fails stops the game, loudly, or is played for and reported."""

from __future__ import annotations

import pickle
import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.bots import FunctionBot, find_bot
from serai.bots.random import RandomBot
from serai.bots.referee import BotFailed, Scene, dealer_for, play
from serai.core.record import replay, verify
from serai.errors import UnknownName

GAME: Any = serai.game("camelup")


def referee(*bots: Any, **settings: Any) -> Any:
    """Whatever bots do wrong is to be seen in the outcome."""
    settings = {"tolerate": True, **settings}
    named = [(type(bot).__name__, bot) for bot in bots]
    return play(GAME, named, dealer=dealer_for("7"), seed="7", **settings)


def test_a_whole_game_verifies() -> None:
    outcome = referee(*[RandomBot() for _ in range(4)])
    assert outcome.faults == ()
    assert outcome.state.over
    assert verify(outcome.record).draws_checked


def test_bots_get_their_own_view_and_redacted_events() -> None:
    class Nosy(RandomBot):
        def __init__(self, seat: int) -> None:
            self.seat, self.events = seat, 0

        def decide(self, view: Any, rng: random.Random) -> Any:
            assert view.actor == self.seat
            assert view == view.seen_by(self.seat)
            assert all(
                None not in hand if seat == self.seat else set(hand) <= {None} for seat, hand in enumerate(view.hands)
            )
            return super().decide(view, rng)

        def watch(self, event: Any) -> None:
            self.events += 1
            if type(event).__name__ == "CardLaid":
                assert (event.camel is None) == (event.seat != self.seat)

    bots = [Nosy(seat) for seat in range(3)]
    assert referee(*bots).faults == ()
    assert all(bot.events > 50 for bot in bots)


def test_an_observer_and_every_watcher_hear_of_each_action_in_order() -> None:
    class Watching(RandomBot):
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def watch(self, event: Any) -> None:
            self.seen.append(event)

    bots = [Watching() for _ in range(3)]
    observed: list[Any] = []
    outcome = referee(*bots, observe=observed.append)
    plies = list(replay(outcome.record))
    assert observed == plies
    for seat, bot in enumerate(bots):
        assert bot.seen == [event.seen_by(seat) for ply in plies for event in ply.events]
    assert outcome.start == next(ply.before for ply in plies if not ply.drawn)
    assert outcome.state == plies[-1].after


def test_a_fault_names_the_ply_at_which_it_happened() -> None:
    class Startled(RandomBot):
        def watch(self, event: Any) -> None:
            if type(event).__name__ in ("DieDrawn", "LegTileTaken", "PyramidTileTaken"):
                raise RuntimeError(type(event).__name__)

        def decide(self, view: Any, rng: random.Random) -> Any:
            action = super().decide(view, rng)
            return None if action.kind == "leg" else action

    outcome = referee(Startled(), RandomBot())
    expected: list[tuple[int, str]] = []
    for ply, text in enumerate(outcome.record.actions):
        fault = {"roll": "PyramidTileTaken", "leg": "LegTileTaken"}.get(text.split()[0])
        if text.startswith("die") and ply >= 5:
            fault = "DieDrawn"
        if fault:
            expected.append((ply, fault))
    told = [(fault.ply, fault.reason.split()[-1]) for fault in outcome.faults if not fault.played]
    assert told == expected
    answers = [fault for fault in outcome.faults if fault.played]
    assert answers
    assert all(outcome.record.actions[fault.ply] == fault.played for fault in answers)


def test_a_bot_cannot_guess_the_dice() -> None:
    """A bot that does everything to foresee the next die is right about as often as a fair guess."""
    right = total = 0

    class Seer(RandomBot):
        guess: Any = None

        def decide(self, view: Any, rng: random.Random) -> Any:
            rolls = [action for action in view.actions() if action.kind == "roll"]
            self.guess = view.apply(rolls[0]).sample(rng)
            return rolls[0]

        def watch(self, event: Any) -> None:
            nonlocal right, total
            if type(event).__name__ == "DieDrawn" and self.guess is not None:
                total += 1
                right += (event.camel, event.pips) == (self.guess.camel, self.guess.pips)
                self.guess = None

    for seed in range(60):
        named = [("seer", Seer()), ("random", RandomBot())]
        assert not play(GAME, named, dealer=dealer_for(str(seed)), seed=str(seed)).faults
    chance = (1 / 15 + 1 / 12 + 1 / 9 + 1 / 6 + 1 / 3) / 5
    assert abs(right / total - chance) < 4 * (chance * (1 - chance) / total) ** 0.5


def crash(view: Any, rng: random.Random) -> Any:
    raise RuntimeError("no idea")


def hang(view: Any, rng: random.Random) -> Any:
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("decide", "reason"),
    [
        (crash, "raised RuntimeError: no idea"),
        (lambda view, rng: "rol", "answered 'rol', which is not legal"),
        (lambda view, rng: GAME.parse("oasis 1"), "answered Oasis(space=1), which is not legal"),
        (lambda view, rng: None, "answered None, which is not legal"),
        (lambda view, rng: [], "answered [], which is not legal"),
    ],
)
def test_a_failing_bot_is_reported_and_replaced(decide: Any, reason: str) -> None:
    bots: list[tuple[str, Any]] = [("bad", FunctionBot(decide)), ("random", RandomBot())]
    outcome = play(GAME, bots, dealer=dealer_for("1"), seed="1", tolerate=True)
    assert outcome.state.over
    told = {(fault.seat, fault.bot, fault.reason.partition(";")[0]) for fault in outcome.faults}
    assert told == {(0, "bad", reason)}
    for fault in outcome.faults:
        assert outcome.record.actions[fault.ply] == fault.played
    assert verify(outcome.record).finished


def test_the_first_fault_stops_the_game_and_can_be_tried_again() -> None:
    class Careless(RandomBot):
        def __init__(self) -> None:
            self.seen = 0

        def watch(self, event: Any) -> None:
            self.seen += 1

        def decide(self, view: Any, rng: random.Random) -> Any:
            drawn = rng.random()
            if self.seen > 30:
                raise ArithmeticError(f"saw {self.seen}, drew {drawn}")
            return super().decide(view, rng)

    with pytest.raises(BotFailed, match=r"bot Careless raised ArithmeticError: saw .* \(ply \d+, seat 1\)") as failure:
        referee(RandomBot(), Careless(), tolerate=False)
    assert "raise ArithmeticError" in failure.value.fault.trace
    assert "bots/referee.py" not in failure.value.fault.trace
    copy = pickle.loads(pickle.dumps(failure.value))
    scene = msgspec.json.decode(msgspec.json.encode(copy.scene), type=Scene)
    with pytest.raises(ArithmeticError) as again:
        scene.again(Careless())
    assert str(again.value) in failure.value.fault.reason
    view = scene.seen()
    assert view == view.seen_by(1)
    assert scene.again(Quiet()) in view.actions()


class Quiet(RandomBot):
    def watch(self, event: Any) -> None:
        pass


def test_an_answer_may_be_written() -> None:
    assert referee(FunctionBot(lambda view, rng: " roll "), RandomBot(), tolerate=False).faults == ()


def test_an_async_bot_is_told_what_it_is() -> None:
    async def later(view: Any, rng: random.Random) -> Any:
        return view.actions()[0]

    with pytest.raises(BotFailed, match="write def, not async def"):
        referee(FunctionBot(later), RandomBot(), tolerate=False)
    with pytest.raises(UnknownName, match="write def, not async def"):
        find_bot(GAME, later)


def test_a_hanging_bot_is_broken_into() -> None:
    class Sleepy(RandomBot):
        calls = 0

        def decide(self, view: Any, rng: random.Random) -> Any:
            self.calls += 1
            return hang(view, rng) if self.calls == 1 else super().decide(view, rng)

    outcome = referee(Sleepy(), RandomBot(), seconds=1)
    assert [fault.reason for fault in outcome.faults] == ["took longer than 1 s"]
    assert outcome.state.over


def test_an_overrun_is_noticed_in_a_thread_too() -> None:
    outcomes = []

    def late(view: Any, rng: random.Random) -> Any:
        time.sleep(0.02)
        return view.actions()[-1] if view.actions()[-1].kind == "loser" else GAME.parse("roll")

    def run() -> None:
        outcomes.append(referee(FunctionBot(late), RandomBot(), seconds=0.01))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert all("longer than 0.01 s" in fault.reason for fault in outcomes[0].faults)
    assert outcomes[0].faults


def test_a_bot_that_fails_while_watching_is_reported() -> None:
    class Blind(RandomBot):
        def watch(self, event: Any) -> None:
            raise KeyError("eyes")

    outcome = referee(Blind(), RandomBot())
    assert outcome.faults[0].reason == "watch raised KeyError: 'eyes'"
    assert outcome.state.over


def test_same_seed_same_game() -> None:
    once, again = (referee(RandomBot(), RandomBot()) for _ in range(2))
    assert (once.record, once.state, once.faults) == (again.record, again.state, again.faults)


def test_random_picks_kinds_uniformly() -> None:
    rng = random.Random(2)
    counts: Counter[str] = Counter()
    state = GAME.new(players=2)
    while state.actor is serai.CHANCE:
        state = state.apply(state.sample(rng))
    for _ in range(6_000):
        counts[RandomBot().decide(state, rng).kind] += 1
    assert set(counts) == {"leg", "oasis", "mirage", "roll", "winner", "loser"}
    assert all(abs(count - 1_000) < 150 for count in counts.values())


def test_a_users_file_as_a_bot(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def decide(view, rng):\n    return view.actions()[0]\n\nclass Mine:\n    decide = staticmethod(decide)\n"
    )
    for spec in (f"{file}:decide", f"{file}:Mine", str(file)):
        bot = find_bot(GAME, spec)()
        assert referee(bot, RandomBot()).faults == ()


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (None, "decide", "no bot file"),
        ("x = 1", "decide", "has no 'decide'"),
        ("decide = 5", "decide", "is no bot"),
        ("import no_such_module", "decide", "cannot be run: ModuleNotFoundError"),
        ("def decide(:", "decide", "cannot be run: SyntaxError"),
        ("raise SystemExit(3)", "decide", "cannot be run: SystemExit"),
    ],
)
def test_unusable_bot_files_are_refused_with_the_reason(
    tmp_path: Path, text: str | None, name: str, reason: str
) -> None:
    file = tmp_path / "mine.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UnknownName, match=reason):
        find_bot(GAME, f"{file}:{name}")
