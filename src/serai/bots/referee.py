"""The referee: lets bots play a whole game from views only, and keeps the game going whatever they do."""

from __future__ import annotations

import hashlib
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import msgspec

from serai.bots.contract import Bot
from serai.core.dealer import Dealer
from serai.core.game import Game
from serai.core.play import Play, advance, deal
from serai.core.record import Record, Seat

Clock = Callable[[], float]
Observer = Callable[[Any, Any, tuple[Any, ...]], None]
"""Called after every action with the action, the state after it and the events: for statistics, never for bots."""


class Fault(msgspec.Struct, frozen=True):
    """A bot's failure: what it did wrong, where, and what was played for it."""

    seat: int
    bot: str
    ply: int
    reason: str
    played: str


class Outcome(msgspec.Struct, frozen=True):
    """A finished game: its record, its last state, and what went wrong on the way."""

    record: Record
    start: Any
    """The first state in which a player acted."""
    state: Any
    faults: tuple[Fault, ...]


class _Overrun(Exception):
    """Raised inside a bot that thinks for too long."""


def play(
    game: Game,
    bots: Sequence[tuple[str, Bot]],
    *,
    dealer: Dealer,
    seed: str,
    seconds: float = 10.0,
    observe: Observer | None = None,
    **options: Any,
) -> Outcome:
    """Play one game with a (name, bot) per seat.

    Bots draw their own randomness from ``seed``, which tells nothing of the dealer's secret. An illegal answer, an
    exception or a decision that takes longer than ``seconds`` becomes a :class:`Fault`, and a random legal action is
    played instead.
    """
    state: Any = game.new(players=len(bots), **options)
    seats = tuple(Seat(f"{name} {seat}", name) for seat, (name, _) in enumerate(bots))
    rngs = [random.Random(_derived(seed, "bot", str(seat))) for seat in range(len(bots))]
    fallback = random.Random(_derived(seed, "fallback"))
    record = Record.begin(game, state, seats, dealer)
    watchers = [(seat, watch) for seat, (_, bot) in enumerate(bots) if (watch := getattr(bot, "watch", None))]
    actions: list[str] = []
    faults: list[Fault] = []

    def tell(made: Play) -> None:
        for ply in made.plies:
            if observe is not None:
                observe(ply.action, ply.after, ply.events)
            for watcher, watch in watchers:
                reason = show(watch, ply.events, watcher, seconds)
                if reason is not None:
                    faults.append(Fault(watcher, bots[watcher][0], len(actions), reason, ""))
            actions.append(str(ply.action))

    opening = deal(state, dealer)
    tell(opening)
    start = state = opening.after
    while not state.over:
        seat = state.actor
        name, bot = bots[seat]
        action, reason = ask(bot, state.seen_by(seat), rngs[seat], seconds)
        if reason is not None:
            action = fallback.choice(state.actions())
            faults.append(Fault(seat, name, len(actions), reason, str(action)))
        made = advance(state, action, dealer)
        tell(made)
        state = made.after
    record = msgspec.structs.replace(
        record, actions=tuple(actions), result=state.scores(), secret=dealer.reveal().hex()
    )
    return Outcome(record, start, state, tuple(faults))


def dealer_for(seed: str) -> Dealer:
    """A dealer for repeatable simulation: its secret follows from the seed, so it is no secret to whoever knows it."""
    return Dealer(_derived(seed, "dealer").to_bytes(32, "big"))


def _derived(*words: str) -> int:
    return int.from_bytes(hashlib.sha256("\0".join(words).encode()).digest(), "big")


def ask(bot: Bot, view: Any, rng: random.Random, seconds: float) -> tuple[Any, str | None]:
    """The bot's answer, or why there is none that could be played."""
    began = time.perf_counter()
    try:
        with _Alarm(seconds):
            answer = bot.decide(view, rng)
        taken = time.perf_counter() - began
        if taken > seconds:
            return None, f"took {taken:.2f} s, longer than {seconds:g} s"
        # an answer may be anything, also something that cannot be compared or shown
        if answer not in view.actions():
            return None, f"answered {answer!r:.200}, which is not legal"
    except _Overrun:
        return None, f"took longer than {seconds:g} s"
    except (Exception, SystemExit) as error:
        return None, f"raised {type(error).__name__}: {error}"
    return answer, None


def show(watch: Callable[[Any], None], events: Sequence[Any], seat: int, seconds: float) -> str | None:
    """Let a bot's ``watch`` see events as its seat may; what went wrong, if anything."""
    try:
        with _Alarm(seconds):
            for event in events:
                watch(event.seen_by(seat))
    except _Overrun:
        return f"watch took longer than {seconds:g} s"
    except (Exception, SystemExit) as error:
        return f"watch raised {type(error).__name__}: {error}"
    return None


class _Alarm:
    """Breaks into code that runs for too long, where the system lets us: on Unix, in the main thread.

    Elsewhere an overrun is noticed once the bot answers.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._works = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self._works:
            self._before = signal.signal(signal.SIGALRM, _ring)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *error: object) -> None:
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)


def _ring(signum: int, frame: FrameType | None) -> None:
    raise _Overrun
