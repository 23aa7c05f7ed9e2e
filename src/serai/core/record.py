"""A game in writing: a text that is read, written, replayed and verified.

Header lines ``key: value``, an empty line, one action per line, and ``result 23 17 …`` at the end of a finished
game. ``;`` starts a comment. See :func:`verify` for what is checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Self

import msgspec

from serai.core.checks import check_kind, check_text
from serai.core.dealer import SECRET_BYTES, Dealer, commitment
from serai.core.errors import BadNotation, BadOptions, BadRecord, Hidden, IllegalAction, UnknownName
from serai.core.game import Game, State
from serai.core.option import FIRST
from serai.core.play import Play, Ply, grouped
from serai.core.registry import game as find_game

AGREED = "agreed"
"""The value of ``end`` when the players agreed to stop: the game is not over and is scored as it stands."""


class Seat(msgspec.Struct, frozen=True):
    """Who sat there: a name, and the bot's name if it was one."""

    name: str
    bot: str | None = None


class Origin(msgspec.Struct, frozen=True):
    """Where a game began that goes on from a position of another."""

    record: str
    """What names the other's record: the SHA-256 of its text, in hex."""
    step: int
    """So many actions are taken over from there."""
    seat: int
    """Whose eyes they were seen with: what that seat could not see is drawn anew."""


class Record(msgspec.Struct, frozen=True):
    """A game as it was played, finished or not."""

    game: str
    rules: str
    seats: tuple[Seat, ...]
    options: Mapping[str, Any]
    date: str = ""
    commit: str = ""
    mix: str = ""
    secret: str = ""
    chain: str = ""
    """The head of the table's history at the end of the game, which only the host's database can confirm."""
    drawn: str = ""
    """``FIRST`` when the dealer drew who begins: then the option of that name tells what was drawn."""
    origin: Origin | None = None
    """The line ``from``: where it began, if that was in a position of another game."""
    hints: tuple[int, ...] = ()
    """By seat: in how many positions it was told what a coach would do; empty where nobody was."""
    end: str = ""
    """``AGREED`` when the players ended the game before the rules did."""
    actions: tuple[str, ...] = ()
    result: tuple[int, ...] | None = None
    lines: tuple[int, ...] = ()
    """Where each action and the result stood in the text that was read, for error messages."""

    @classmethod
    def begin(cls, game: Game, state: State[Any, Any], seats: tuple[Seat, ...], dealer: Dealer, date: str = "") -> Self:
        """The record of a game that starts now; it commits to the dealer's secret without telling it."""
        options = msgspec.to_builtins(state.options)
        return cls(game.name, game.version, seats, options, date, dealer.commit, dealer.mix.hex())

    @classmethod
    def read(cls, text: str) -> Self:
        """The record written in ``text``; ``BadRecord`` names the line and the reason."""
        from serai.core.record_reading import read

        check_text("a record, when it is read,", text)

        fields: dict[str, Any] = read(text)
        return cls(**fields)

    def write(self) -> str:
        """The record as text."""
        seats = ", ".join(_quoted(seat.name) + (f" {_bot_name(seat.bot)}" if seat.bot else "") for seat in self.seats)
        head = {
            "game": self.game,
            "rules": self.rules,
            "seats": seats,
            "options": json.dumps(self.options, separators=(",", ":")),
            "date": self.date,
            "commit": self.commit,
            "mix": self.mix,
            "secret": self.secret,
            "chain": self.chain,
            "drawn": self.drawn,
            "from": f"{self.origin.record} {self.origin.step} {self.origin.seat}" if self.origin else "",
            "hints": " ".join(map(str, self.hints)),
            "end": self.end,
        }
        lines = [f"{key}: {value}" for key, value in head.items() if value]
        lines += ["", *self.actions]
        if self.result is not None:
            lines.append(" ".join(["result", *map(str, self.result)]))
        return "\n".join(lines) + "\n"

    def line_of(self, ply: int) -> int:
        """The line of an action (or, behind the last, of the result); 0 if the record was never a text."""
        return self.lines[ply] if ply < len(self.lines) else 0


class Verdict(msgspec.Struct, frozen=True):
    """What a verified record holds."""

    finished: bool
    plies: int
    draws: int
    draws_checked: bool
    """Whether the secret was there, so that every draw was drawn again."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    inherited: int = 0
    """How many of the draws were taken over from another game, and not checked."""


def check_record(record: object) -> None:
    """Something that was read, not its text."""
    check_kind("a game to go through", record, Record, "a Record, as Record.read(text) makes it")


def first_state(record: Record) -> tuple[Game, Any]:
    """The game of a record and its first state; ``BadRecord`` if this house cannot play it."""
    check_record(record)
    try:
        game = find_game(record.game)
    except UnknownName as error:
        raise BadRecord(str(error), line=_HEAD_LINE, key="record.game") from None
    if record.rules != game.version:
        raise BadRecord(
            f"made under rules version {record.rules!r} of {game.name}; this Serai plays version {game.version!r}",
            line=_HEAD_LINE,
            key="record.rules",
        )
    try:
        return game, game.new(players=len(record.seats), **record.options)
    except (BadOptions, TypeError) as error:
        raise BadRecord(f"cannot be set up: {error}", line=_HEAD_LINE, key="record.setup") from error


def replay(record: Record) -> Iterator[Ply]:
    """Play the record action by action; ``BadRecord`` at the first that is not legal."""
    game, state = first_state(record)
    for number, text in enumerate(record.actions):
        try:
            ply = Ply.of(state, game.parse(text))
        except (BadNotation, IllegalAction, Hidden) as error:
            key = "record.hidden" if isinstance(error, Hidden) else "record.action"
            raise BadRecord(f"{text[:_QUOTED]!r}: {error}", line=record.line_of(number), key=key) from error
        yield ply
        state = ply.after


def plays(record: Record) -> Iterator[Play]:
    """Play the record: the set-up, then each player's action with the draws behind it."""
    return grouped(first_state(record)[1], replay(record))


def verified_plays(record: Record) -> Iterator[Play]:
    """The same with every draw (if the secret is told) and the result checked, too."""
    check_record(record)
    dealer = _dealer(record)
    _, first = first_state(record)
    return grouped(first, _checked(record, first, dealer))


def verify(record: Record) -> Verdict:
    """Check every action, every draw (if the secret is told) and the result; ``BadRecord`` says what does not hold."""
    draws = inherited = plies = 0
    for play in verified_plays(record):
        for ply in play.plies:
            draws += ply.drawn
            inherited += ply.drawn and plies < _taken_over(record)
            plies += 1
        state = play.after
    finished = record.result is not None
    winners = state.leaders() if finished else ()
    return Verdict(finished, len(record.actions), draws, bool(record.secret), state.scores(), winners, inherited)


def check_result(record: Record, state: State[Any, Any]) -> None:
    """Whether the result that is told fits the last state; ``BadRecord`` if not."""
    reason = _wrong_result(record, state)
    if reason:
        raise BadRecord(reason, line=record.line_of(len(record.actions)), key="record.result")


def _wrong_result(record: Record, state: State[Any, Any]) -> str:
    if record.result is None:
        if record.end:
            return "the players agreed to end the game, but the result line is missing"
        return "the game is over after the last action, but the result line is missing" if state.over else ""
    if record.end == AGREED:
        if state.over:
            return "the players agreed to end the game, but it was over already"
    elif not state.over:
        return "a result, but the game is not over after the last action"
    if record.result != state.scores():
        told, played = (" ".join(map(str, scores)) for scores in (record.result, state.scores()))
        return f"the result says {told}, but the game was played to {played}"
    return ""


_HEAD_LINE = 1
_QUOTED = 60
"""Characters of a faulty line that an error repeats."""


def _checked(record: Record, first: State[Any, Any], dealer: Dealer | None) -> Iterator[Ply]:
    state = first
    for number, ply in enumerate(replay(record)):
        if dealer is not None and ply.drawn and number < _taken_over(record):
            dealer.drawn += 1
        elif dealer is not None and ply.drawn:
            due = dealer.draw(ply.before)
            if due != ply.action:
                reason = f"'{ply.action}' was not drawn by this secret and mix: draw {dealer.drawn - 1} gives '{due}'"
                raise BadRecord(reason, line=record.line_of(number))
        yield ply
        state = ply.after
    check_result(record, state)


def _taken_over(record: Record) -> int:
    """How many actions are another game's."""
    return record.origin.step if record.origin is not None else 0


def _dealer(record: Record) -> Dealer | None:
    if not record.secret:
        return None
    secret, mix = _hex("secret", record.secret), _hex("mix", record.mix)
    if record.commit != commitment(secret):
        raise BadRecord("the secret does not fit the commitment: its SHA-256 is not the 'commit' of the header")
    dealer = Dealer(secret, mix)
    if record.drawn:
        due, begins = dealer.draw_first(len(record.seats)), record.options.get(FIRST)
        if begins != due:
            raise BadRecord(f"seat {begins} was not drawn to begin by this secret and mix: they give seat {due}")
    return dealer


def _hex(name: str, text: str) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        value = b""
    if len(value) != SECRET_BYTES:
        raise BadRecord(f"'{name}' must be {2 * SECRET_BYTES} hexadecimal digits")
    return value


def _bot_name(bot: str) -> str:
    """As it is, where that can be read back."""
    return bot if bot.isprintable() and not {",", '"'} & set(bot) else _quoted(bot)


def _quoted(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:  # half a character, which no file could hold as it is
        return json.dumps(name)
    return json.dumps(name, ensure_ascii=False)
