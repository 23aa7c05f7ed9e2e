"""What a review tells, as plain values: it is kept, sent and shown as it is.

Figures "by seat" stand in the order of ``Review.seats``, the seats it was made for. Worths are shares of victory and,
beside them, pounds or points.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from serai.core.coaching import Reason

Verdict = Literal["fine", "doubtful", "bad", "very bad"]


class Worth(msgspec.Struct, frozen=True):
    """What a position is worth to a seat, by what that seat knows."""

    wins: float
    score: float
    error: float
    """The standard error of ``wins``."""
    exact: bool = False


class Alternative(msgspec.Struct, frozen=True):
    """Something that could be done, and what it is worth to who does it."""

    action: str
    wins: float
    score: float
    error: float
    playouts: int
    reasons: tuple[Reason, ...] = ()


class Decision(msgspec.Struct, frozen=True):
    """What somebody chose, and what it lost against the best there was."""

    seat: int
    kind: str
    alternatives: tuple[Alternative, ...]
    """Best first; what was chosen is among them."""
    chosen: int
    """Its place."""
    loss: float
    error: float
    """The standard error of the loss, which is told playout by playout."""
    score_loss: float
    verdict: Verdict
    counts: bool
    """Whether anything hung on it."""
    regret: float = 0.0
    """By how much the favourite of other playouts was better, which can be below zero.

    A loss is never below zero, so noise adds up in many of them; in regrets it cancels.
    """
    difficulty: float = 0.0
    """What those who play on would have lost here themselves, told likewise; 0 where nothing hung on it."""


class Step(msgspec.Struct, frozen=True):
    """One action of the record: of a seat, or of chance."""

    ply: int
    """Its place in the record."""
    actor: int | None
    """``None`` for a draw."""
    action: str
    worths: tuple[Worth, ...]
    """By seat: what the game is worth behind it."""
    wins: tuple[float, ...]
    """By seat: by how much the share of victory changed; the luck of a draw."""
    scores: tuple[float, ...]
    decision: Decision | None = None
    """Told for the seats that the review is made for, where there was a choice."""
    chance: float | None = None
    """How likely a draw was."""


class Balance(msgspec.Struct, frozen=True):
    """Where a result came from: ``final - first == own + others + chance + revealed``."""

    first: float
    own: float
    others: float
    chance: float
    revealed: float
    final: float

    @property
    def adjusted(self) -> float:
        """The result without luck."""
        return self.first + self.own + self.others


class Rate(msgspec.Struct, frozen=True):
    """What decisions of one kind came to."""

    decisions: int
    loss: float
    """Their regrets together."""
    as_hard: float
    """How many decisions of an even game are as hard as these together, to those who play on."""
    at_stake: float
    """On how many decisions of an even game as much hangs: 4 p (1 - p) each, p being the chance behind the best."""

    @property
    def each(self) -> float:
        """The loss in one of them."""
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def error_rate(self) -> float | None:
        """The loss in a decision of an even game that is as hard; ``None`` where they were so easy that it is noise.

        Who has all but lost has little left to lose, and so have those who play on.
        """
        return self.loss / self.as_hard if self.as_hard > 0 else None

    @property
    def told(self) -> str:
        """The error rate in a hundred, for tables."""
        return "–" if self.error_rate is None else f"{100 * self.error_rate:.2f}"


class Account(msgspec.Struct, frozen=True):
    """A seat's game in figures."""

    seat: int
    wins: Balance
    scores: Balance
    kinds: dict[str, Rate]
    total: Rate
    verdicts: dict[str, int]
    adjusted: float
    """The share of victory without luck."""
    plays_like: str | None
    """The level that errs about as much; ``None`` where too little was decided to say."""


class Review(msgspec.Struct, frozen=True):
    """A finished game, judged."""

    game: str
    evaluator: str
    """Whoever has the same name judges alike."""
    effort: str
    seed: int
    open: bool
    """Whether it was judged with all cards open, instead of by what each seat knew."""
    seats: tuple[int, ...]
    names: tuple[str, ...]
    """Of all seats."""
    start: tuple[Worth, ...]
    """By seat: what the game was worth when the first player could act."""
    steps: tuple[Step, ...]
    accounts: tuple[Account, ...]
    """By seat."""
    judged: float = 1.0
    """The part of all decisions that were judged, drawn by lot: less than 1 where a game is too long."""

    def __str__(self) -> str:
        from serai.coach.picture import brief_review

        return brief_review(self)

    def _repr_svg_(self) -> str:
        from serai.coach.picture import draw_review

        return draw_review(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))
