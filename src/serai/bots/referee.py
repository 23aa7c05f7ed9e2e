"""The referee: plays a whole game with bots that get views only, and stops it when one of them fails."""

from __future__ import annotations

import hashlib
import random
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, Self

import msgspec

from serai.bots.contract import Bot, NoAnswer, close, over, understood
from serai.bots.specs import BotSpec, bot_title, find_working_bot
from serai.bots.traces import bot_trace
from serai.core.arguments import MAX_PLIES, check_kind, check_listed, check_max_plies, check_seed, check_text
from serai.core.chance import seat_of
from serai.core.dealer import Dealer
from serai.core.game import Event, Game, State
from serai.core.play import Play, Ply, advance, deal
from serai.core.record import CUT_SHORT, Record, Seat
from serai.core.registry import game as find_game
from serai.core.registry import game_of
from serai.errors import BadArgument, SeraiError, shown
from serai.lab.preparing import Clock

_SECONDS_AGAIN = 60.0
"""The time limit when a failed decision of a bot in a process of its own is repeated."""

Observer = Callable[[Ply], None]
"""Called with every action and the states before and after it: for statistics, never for bots."""


Skipped = Mapping[tuple[int, int, bool], str]
"""By seat, ply and whether it would watch (or decide) there: why a bot is not asked."""


class Scene(msgspec.Struct, frozen=True):
    """What a bot saw when it failed: enough to repeat that decision alone."""

    game: str
    bot: str
    seat: int
    ply: int
    view: msgspec.Raw
    """As JSON; ``null`` if it failed while it watched."""
    events: list[msgspec.Raw]
    """The events that it had been shown, as JSON; the one at which it failed comes last."""
    rng: list[Any]
    """The state of its randomness."""

    @classmethod
    def of(
        cls, game: Game, bot: str, seat: int, ply: int, view: State | None, events: Sequence[Event], rng: Any
    ) -> Self:
        """The scene of a bot that has been shown these events."""
        seen = [msgspec.Raw(msgspec.json.encode(event.seen_by(seat))) for event in events]
        shown = msgspec.Raw(msgspec.json.encode(view))
        return cls(game.name, bot, seat, ply, shown, seen, [rng[0], list(rng[1]), rng[2]])

    def seen(self) -> Any:
        """The view, if it was to decide."""
        return None if bytes(self.view) == b"null" else find_game(self.game).state_decoder.decode(self.view)

    def again(self, bot: Bot) -> Any:
        """Show a new bot what the one that failed saw, and let it decide; its answer."""
        game, view = find_game(self.game), self.seen()
        for event in self.events:
            watch = getattr(bot, "watch", None)
            if watch is not None:
                watch(game.event_decoder.decode(event))
        if view is None:
            return None
        rng = random.Random()
        rng.setstate((self.rng[0], tuple(self.rng[1]), self.rng[2]))
        within = getattr(bot, "decide_within", None)
        return understood(bot.decide(view, rng) if within is None else within(view, rng, _SECONDS_AGAIN), view)


class Fault(msgspec.Struct, frozen=True):
    """A bot's failure: what it did wrong, where, and what was played for it."""

    seat: int
    bot: str
    ply: int
    reason: str
    played: str
    trace: str = ""
    """The traceback in the bot's code."""


class BotFailed(SeraiError):
    """A bot failed where faults are not tolerated. ``scene`` repeats that one decision."""

    def __init__(self, fault: Fault, scene: Scene | None = None) -> None:
        super().__init__(fault, scene)
        self.fault = fault
        self.scene = scene
        self.number: int | None = None
        """The number of the game, where it is one of a series."""

    def __str__(self) -> str:
        fault, series = self.fault, "" if self.number is None else f"game {self.number}, "
        return f"bot {fault.bot} {fault.reason} ({series}ply {fault.ply}, seat {fault.seat})"


class Outcome(msgspec.Struct, frozen=True):
    """A game that was played: its record, its last state, and the faults of its bots."""

    record: Record
    start: Any
    """The first state in which a player acted."""
    state: Any
    faults: tuple[Fault, ...]
    truncated: bool = False
    """Whether the game was cut short, as too long. The record then has the scores as they stood."""
    thought: tuple[float, ...] = ()
    """By seat: the seconds that its bot thought or watched."""


class Watchman:
    """Is called when a bot begins to think and when it is done, so that another process can see how long it takes."""

    def asked(self, seat: int, ply: int, *, watching: bool) -> None:
        """That seat's bot begins to decide or to watch."""

    def answered(self) -> None:
        """It is done."""


class _Overrun(Exception):
    """Raised inside a bot that thinks for too long."""


def play(
    game: str | Game,
    bots: Sequence[BotSpec | tuple[str, Bot]],
    *,
    dealer: Dealer | None = None,
    seed: str | int | None = None,
    seconds: float | None = 10.0,
    game_seconds: float | None = None,
    observe: Observer | None = None,
    tolerate: bool = False,
    watchman: Watchman | None = None,
    skipped: Skipped | None = None,
    max_plies: int = MAX_PLIES,
    **options: Any,
) -> Outcome:
    """Play one game with a bot on each seat: a spec, such as ``"quick"``, or a (name, bot) pair.

    The same ``seed`` gives the same game; without one every game differs. A ``dealer`` draws by a secret of its own;
    bots draw their randomness from ``seed``, which reveals nothing of that secret. An illegal answer, an exception, or
    a decision that takes longer than ``seconds`` or than what is left of the seat's ``game_seconds`` raises
    :class:`BotFailed`; with ``tolerate`` it becomes a :class:`Fault`, and a random legal action is played instead. The
    same happens where ``skipped`` says that a bot is not to be asked. A game that has had ``max_plies`` actions is cut
    short: it counts as it stands.
    """
    seed = secrets.token_hex() if seed is None else seed
    check_seed(seed)
    seed = str(seed)
    dealer = dealer_for(seed) if dealer is None else dealer
    check_kind("a dealer", dealer, Dealer, "a Dealer() of its own, or dealer_for(seed) for games that can be repeated")
    check_limit(seconds)
    check_limit(game_seconds)
    check_max_plies(max_plies)
    game, limits, made = game_of(game), (seconds, game_seconds), list[Bot]()
    try:
        seated = [_seated(game, bot, made) for bot in check_listed("bots", bots, "['quick', 'random']")]
        match = _Match(game, seated, dealer, seed, limits, observe, tolerate, watchman or Watchman(), skipped or {})
        return match.play(options, max_plies)
    finally:
        for bot in made:
            close(bot)


def _seated(game: Game, bot: object, made: list[Bot]) -> tuple[str, Bot]:
    """A bot with its name; one that is made here is added to ``made``."""
    if not isinstance(bot, tuple | list):
        made.append(find_working_bot(game, bot)())  # type: ignore[arg-type]
        return bot_title(bot), made[-1]  # type: ignore[arg-type]
    if len(bot) != 2 or not isinstance(bot[0], str) or not callable(getattr(bot[1], "decide", None)):
        raise BadArgument(
            f"a bot that plays is a spec, or a pair of its name and an object with decide(view, rng), not {shown(bot)}"
        )
    return bot[0], bot[1]


def check_limit(seconds: object) -> None:
    """Raise ``BadArgument`` unless this is a number of seconds, or ``None``."""
    wrong = isinstance(seconds, bool) or not isinstance(seconds, int | float)
    if seconds is not None and (wrong or not 0 < float(seconds) < _LONGEST):  # type: ignore[arg-type]
        raise BadArgument(f"a limit is a number of seconds above 0, or None for none, not {shown(seconds)}")


_LONGEST = 1e9


class _Match:
    """One game in progress."""

    def __init__(
        self,
        game: Game,
        bots: Sequence[tuple[str, Bot]],
        dealer: Dealer,
        seed: str,
        limits: tuple[float | None, float | None],
        observe: Observer | None,
        tolerate: bool,
        watchman: Watchman,
        skipped: Skipped,
    ) -> None:
        self._game, self._bots, self._dealer = game, bots, dealer
        self._seconds, self._game_seconds = limits
        self._thought = [0.0] * len(bots)
        self._observe, self._tolerate, self._watchman, self._skipped = observe, tolerate, watchman, skipped
        self._rngs = [random.Random(_derived(seed, "bot", str(seat))) for seat in range(len(bots))]
        self._fallback = random.Random(_derived(seed, "fallback"))
        self._watchers = [(seat, watch) for seat, (_, bot) in enumerate(bots) if (watch := getattr(bot, "watch", None))]
        self._actions: list[str] = []
        self._faults: list[Fault] = []
        self._events: list[Any] = []

    def play(self, options: Mapping[str, Any], max_plies: int) -> Outcome:
        state: Any = self._game.new(players=len(self._bots), **options)
        seats = tuple(Seat(f"{name} {seat}", name) for seat, (name, _) in enumerate(self._bots))
        record = Record.begin(self._game, state, seats, self._dealer)
        opening = deal(state, self._dealer)
        self._tell(opening)
        start = state = opening.after
        while not state.over and len(self._actions) < max_plies:
            made = advance(state, self._decided(state), self._dealer)
            self._tell(made)
            state = made.after
        for seat, (_, bot) in enumerate(self._bots):
            over(bot, state.seen_by(seat))
        record = msgspec.structs.replace(
            record,
            end="" if state.over else CUT_SHORT,
            actions=tuple(self._actions),
            result=state.scores(),
            secret=self._dealer.reveal().hex(),
        )
        return Outcome(record, start, state, tuple(self._faults), not state.over, tuple(self._thought))

    def _decided(self, state: State) -> Any:
        seat, ply = seat_of(state.actor), len(self._actions)
        view, rng = state.seen_by(seat), self._rngs[seat]
        before = None if self._tolerate else rng.getstate()
        why = self._skipped.get((seat, ply, False))
        if why is not None:
            answer: Any = Failed(why)
        else:
            answer = self._asked(seat, ply, view, rng)
        if not isinstance(answer, Failed):
            return answer
        action = self._fallback.choice(state.actions())
        self._fail(seat, answer, str(action), view, before)
        return action

    def _asked(self, seat: int, ply: int, view: State, rng: random.Random) -> Any:
        limit = self._seconds
        if self._game_seconds is not None:
            left = self._game_seconds - self._thought[seat]
            if left <= 0:
                return Failed(f"has used up its {self._game_seconds:g} s for the game")
            limit = left if limit is None else min(limit, left)
        self._watchman.asked(seat, ply, watching=False)
        clock = Clock()
        answer = ask(self._bots[seat][1], view, rng, limit)
        self._thought[seat] += clock.seconds
        self._watchman.answered()
        return answer

    def _tell(self, made: Play) -> None:
        for ply in made.plies:
            if self._observe is not None:
                self._observe(ply)
            if self._watchers:
                self._events.extend(ply.events)
            for seat, watch in self._watchers:
                why = self._skipped.get((seat, len(self._actions), True))
                if why is not None:
                    failed: Failed | None = Failed(f"watch {why}")
                else:
                    self._watchman.asked(seat, len(self._actions), watching=True)
                    clock = Clock()
                    failed = show(watch, ply.events, seat, self._seconds)
                    self._thought[seat] += clock.seconds
                    self._watchman.answered()
                if failed is not None:
                    self._fail(seat, failed, "", None, self._rngs[seat].getstate())
            self._actions.append(str(ply.action))

    def _fail(self, seat: int, failed: Failed, played: str, view: State | None, rng: Any) -> None:
        name, ply = self._bots[seat][0], len(self._actions)
        fault = Fault(seat, name, ply, failed.reason, played, failed.trace)
        if not self._tolerate:
            shown = self._events if any(watcher == seat for watcher, _ in self._watchers) else []
            raise BotFailed(fault, Scene.of(self._game, name, seat, ply, view, shown, rng))
        self._faults.append(fault)


def dealer_for(seed: str) -> Dealer:
    """A dealer for repeatable simulation: its secret follows from the seed, so anybody with the seed knows it."""
    check_text("a seed", seed)
    return Dealer(_derived(seed, "dealer").to_bytes(32, "big"))


def _derived(*words: str) -> int:
    return int.from_bytes(hashlib.sha256("\0".join(words).encode()).digest(), "big")


class Failed(msgspec.Struct, frozen=True):
    """A bot gave no answer that could be played."""

    reason: str
    trace: str = ""


def ask(bot: Bot, view: State, rng: random.Random, seconds: float | None) -> Any:
    """The bot's answer, a legal action; or :class:`Failed` with the reason. Compiling is not thinking."""
    clock = Clock()
    try:
        within = getattr(bot, "decide_within", None)
        if within is not None:
            answer = within(view, rng, seconds)
        else:
            with _Alarm(seconds):
                answer = bot.decide(view, rng)
        taken = clock.seconds
        if seconds is not None and taken > seconds:
            return Failed(f"took {taken:.2f} s, longer than {seconds:g} s")
    except _Overrun:
        return Failed(f"took longer than {seconds:g} s", _trace())
    except NoAnswer as error:
        return Failed(error.reason, error.printed)
    except (Exception, SystemExit) as error:
        return Failed(f"raised {type(error).__name__}: {error}", _trace())
    try:
        return understood(answer, view)
    except ValueError as error:
        return Failed(str(error))
    except Exception as error:  # an answer may be an object that cannot be compared or shown
        return Failed(f"answered something that raised {type(error).__name__}: {error}", _trace())


def show(watch: Callable[[Any], None], events: Sequence[Event], seat: int, seconds: float | None) -> Failed | None:
    """Show events to a bot's ``watch`` as its seat sees them; the failure, if any."""
    try:
        with _Alarm(seconds):
            for event in events:
                watch(event.seen_by(seat))
    except _Overrun:
        return Failed(f"watch took longer than {seconds:g} s", _trace())
    except (Exception, SystemExit) as error:
        return Failed(f"watch raised {type(error).__name__}: {error}", _trace())
    return None


def _trace() -> str:
    """The traceback of the current exception, from the bot's own code on."""
    error = sys.exception()
    return "" if error is None else bot_trace(error)


class _Alarm:
    """Interrupts code that runs for too long; on Unix, in the main thread only.

    Elsewhere an overrun is noticed once the bot answers. Nothing is interrupted while it compiles.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds or 0.0
        unix = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._works = unix and seconds is not None

    def __enter__(self) -> None:
        if self._works:
            self._clock = Clock()
            self._before = signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *error: object) -> None:
        if self._works:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)

    def _ring(self, signum: int, frame: FrameType | None) -> None:
        left = self._seconds - self._clock.seconds
        if self._clock.runs and left <= 0:
            raise _Overrun
        signal.setitimer(signal.ITIMER_REAL, max(left, _LOOK_AGAIN))


_LOOK_AGAIN = 0.02
"""Seconds after which a clock that stands is looked at again."""
