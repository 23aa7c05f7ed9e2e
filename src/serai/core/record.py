"""Records: games as text, read, written, replayed, verified, and continued in another game.

Header lines ``key: value``, an empty line, one action per line, and ``result 23 17 …`` at the end of a finished
game. ``;`` starts a comment. See :func:`verify` for what is checked.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec

from serai.core.arguments import check_kind, check_text
from serai.core.dealer import SECRET_BYTES, Dealer, commitment
from serai.core.game import Action, Game, State
from serai.core.option import FIRST
from serai.core.play import Play, Ply, grouped
from serai.core.registry import game as find_game
from serai.errors import BadNotation, BadOptions, BadRecord, Hidden, IllegalAction, KeyedError, UnknownName, phrase

AGREED = "agreed"
"""The value of ``end`` when the players agreed to stop: the game is not over and is scored as it stands."""
CUT_SHORT = "limit"
"""The value of ``end`` when a game between bots had as many actions as allowed: it is scored as it stands."""
_ENDS = {AGREED: "the players agreed to end the game", CUT_SHORT: "the game was cut short"}
MOST_SEATS = 64
"""Seats of a game that is not known here; one that is says itself how many it has."""
MOST_OPTIONS = 64
_MOST_DIGITS = 9
"""Digits of a count in a record."""
_QUOTED = 60
"""Characters of a faulty line that an error repeats."""
_HEAD_LINE = 1
_NEEDED = ("game", "rules", "seats")
_KEYS = (*_NEEDED, "options", "date", "commit", "mix", "secret", "chain", "drawn", "from", "hints", "end")


class Seat(msgspec.Struct, frozen=True):
    """Who sat there: a name, and the bot's name if it was one."""

    name: str
    bot: str | None = None


class Origin(msgspec.Struct, frozen=True):
    """The position of another game in which a game began."""

    record: str
    """The SHA-256 of the other record's text, in hex."""
    step: int
    """How many actions are taken over."""
    seat: int
    """The seat that saw them: what it could not see is drawn anew."""


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
    """``FIRST`` when the dealer drew who begins: then the option of that name holds what was drawn."""
    origin: Origin | None = None
    """The line ``from``: where it began, if that was in a position of another game."""
    hints: tuple[int, ...] = ()
    """By seat: in how many positions a coach gave it a hint; empty if there were none."""
    end: str = ""
    """``AGREED`` when the players ended the game before the rules did, ``CUT_SHORT`` when it was too long."""
    actions: tuple[str, ...] = ()
    result: tuple[int, ...] | None = None
    lines: tuple[int, ...] = ()
    """Where each action and the result stood in the text that was read, for error messages."""

    @classmethod
    def begin(cls, game: Game, state: State[Any, Any], seats: tuple[Seat, ...], dealer: Dealer, date: str = "") -> Self:
        """The record of a game that starts now; it commits to the dealer's secret without revealing it."""
        options = msgspec.to_builtins(state.options)
        return cls(game.name, game.version, seats, options, date, dealer.commit, dealer.mix.hex())

    @classmethod
    def read(cls, text: str) -> Self:
        """The record written in ``text``; ``BadRecord`` names the line and the reason."""
        check_text("a record, when it is read,", text)
        return cls(**_read(text))

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
        """The line of an action (or, after the last, of the result); 0 if the record was never a text."""
        return self.lines[ply] if ply < len(self.lines) else 0


# -- replaying and verifying -------------------------------------------------------------------------------------------


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
    """A record, not its text."""
    check_kind("a game to go through", record, Record, "a Record, as Record.read(text) makes it")


def first_state(record: Record) -> tuple[Game, State]:
    """The game of a record and its first state; ``BadRecord`` if it cannot be played here."""
    check_record(record)
    try:
        game = find_game(record.game)
    except UnknownName as error:
        raise BadRecord(str(error), line=_HEAD_LINE, key="record.game") from None
    if not game.plays(record.rules):
        raise BadRecord(
            f"made under rules version {record.rules!r} of {game.name}; this Serai plays version {game.version!r}",
            line=_HEAD_LINE,
            key="record.rules",
        )
    try:
        return game, game.new(players=len(record.seats), **game.options_under(record.rules, record.options))
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
    """Play the record: the set-up, then each player's action with the draws after it."""
    return grouped(first_state(record)[1], replay(record))


def verified_plays(record: Record) -> Iterator[Play]:
    """The same, checking every draw (if the secret is known) and the result."""
    check_record(record)
    dealer = _dealer(record)
    _, first = first_state(record)
    return grouped(first, _checked(record, first, dealer))


def verify(record: Record) -> Verdict:
    """Check every action, every draw (if the secret is known) and the result; ``BadRecord`` says what does not hold."""
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
    """``BadRecord`` unless the record's result fits the last state."""
    reason = _wrong_result(record, state)
    if reason:
        raise BadRecord(reason, line=record.line_of(len(record.actions)), key="record.result")


def _wrong_result(record: Record, state: State[Any, Any]) -> str:
    if record.result is None:
        if record.end:
            return f"{_ENDS[record.end]}, but the result line is missing"
        return "the game is over after the last action, but the result line is missing" if state.over else ""
    if record.end:
        if state.over:
            return f"{_ENDS[record.end]}, but it was over already"
    elif not state.over:
        return "a result, but the game is not over after the last action"
    if record.result != state.scores():
        written, played = (" ".join(map(str, scores)) for scores in (record.result, state.scores()))
        return f"the result says {written}, but the game was played to {played}"
    return ""


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
    """How many actions were taken over from another game."""
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


# -- playing on from a record ------------------------------------------------------------------------------------------


class CannotContinue(KeyedError):
    """Nobody can play on from there."""


def identity(record: Record) -> str:
    """The SHA-256 of a record's text, which names it."""
    return hashlib.sha256(record.write().encode(errors="surrogatepass")).hexdigest()


def inherited(record: Record, turn: int, seat: int, rng: random.Random) -> tuple[Origin, tuple[str, ...]]:
    """The first actions of a game that goes on from a record, after ``turn`` actions of its players.

    What ``seat`` saw stays; the rest is drawn anew. ``CannotContinue`` says why that cannot be.
    """
    if record.result is None:
        raise CannotContinue("record.unfinished")
    if seat not in range(len(record.seats)):
        raise CannotContinue("record.seat", seat=seat)
    plies = tuple(replay(record))
    acted = [number for number, ply in enumerate(plies) if not ply.drawn]
    if turn not in range(len(acted) + 1):
        raise CannotContinue("record.turn", turn=turn, most=len(acted))
    if turn == len(acted) and (not plies or plies[-1].after.over):
        raise CannotContinue("record.over")
    step = acted[turn] if turn < len(acted) else len(plies)
    return Origin(identity(record), step, seat), tuple(map(str, redrawn(plies[:step], seat, rng)))


def redrawn(plies: Sequence[Ply], seat: int, rng: random.Random) -> list[Action]:
    """The same actions as far as ``seat`` saw them.

    An action that it did not see is drawn anew among the legal ones that would have looked alike to it, one after the
    other: so what led to the position is still a game by the rules.
    """
    actions: list[Any] = []
    state: Any = plies[0].before if plies else None
    for ply in plies:
        actor = None if ply.drawn else ply.before.actor
        seen = ply.action.seen_by(seat, actor)
        alike = [ply.action]
        if seen != ply.action:
            alike = [action for action in state.actions() if action.seen_by(seat, actor) == seen]
        actions.append(rng.choice(alike))
        state = state.apply(actions[-1])
    return actions


def check_origin(record: Record, source: Record) -> None:
    """``BadRecord`` unless a record begins as the one it continues, as far as its seat saw that."""
    origin = record.origin
    if origin is None:
        raise BadRecord("the game did not begin in a position of another: it has no 'from' line")
    if identity(source) != origin.record:
        raise BadRecord("it says that it goes on from another record than this one")
    game, _ = first_state(record)
    for number, ply in enumerate(replay(source)):
        if number == origin.step:
            return
        actor = None if ply.drawn else ply.before.actor
        seen = game.parse(record.actions[number]).seen_by(origin.seat, actor)
        if seen != ply.action.seen_by(origin.seat, actor):
            reason = f"'{record.actions[number]}' is not what seat {origin.seat} saw there: '{ply.action}'"
            raise BadRecord(reason, line=record.line_of(number))
    if origin.step > len(source.actions):
        raise BadRecord(f"it says that it goes on from action {origin.step}, but there are {len(source.actions)}")


phrase(
    {
        "record.unfinished": "the game is not over: nobody can play on from it yet",
        "record.over": "the game is over there: play on from an earlier moment",
        "record.turn": "the game has no moment {turn}: there are 0 to {most}",
        "record.seat": "the game has no seat {seat}",
    }
)


# -- reading and writing -----------------------------------------------------------------------------------------------


def _read(text: str) -> dict[str, Any]:
    """The fields of the record in this text."""
    # split at line feeds only: a name may hold other characters that count as line ends elsewhere
    rows = text.removeprefix("\ufeff").split("\n")
    head, body_at = _read_head(rows)
    actions: list[str] = []
    lines: list[int] = []
    result: tuple[int, ...] | None = None
    for number, row in enumerate(rows[body_at:], start=body_at + 1):
        line = row.partition(";")[0].strip()
        if not line:
            continue
        if result is not None:
            raise BadRecord(f"nothing may follow the result, but here stands {line[:_QUOTED]!r}", line=number)
        lines.append(number)
        if line.startswith("result"):
            result = _read_result(line, number, players=len(head["seats"]))
        else:
            actions.append(line)
    origin = head.pop("from", None)
    if origin is not None and (origin.step > len(actions) or origin.seat >= len(head["seats"])):
        raise BadRecord(f"'from' says {origin.step} actions and seat {origin.seat}: there are not so many")
    return {**head, "origin": origin, "actions": tuple(actions), "result": result, "lines": tuple(lines)}


def _read_head(rows: list[str]) -> tuple[dict[str, Any], int]:
    given: dict[str, tuple[str, int]] = {}
    for number, row in enumerate(rows, start=1):
        if row.startswith(";"):
            continue
        if not row.strip():
            break
        key, colon, value = row.partition(":")
        if not colon or key not in _KEYS:
            if not given:
                raise BadRecord(
                    "not a Serai record: it must begin with header lines such as 'game: camelup'",
                    line=number,
                    key="record.foreign",
                )
            raise BadRecord(f"{row[:40]!r} is no header line; known keys: {', '.join(_KEYS)}", line=number)
        if key in given:
            raise BadRecord(f"a second {key!r} line", line=number)
        given[key] = value.strip(), number
    for key in _NEEDED:
        if key not in given:
            what = f"the header has no {key!r} line" if given else "the file is empty"
            raise BadRecord(f"not a whole Serai record: {what}", line=number, key="record.foreign")
    most = _most_seats(given["game"][0])
    head = {key: _read_value(key, value, line, most) for key, (value, line) in given.items()}
    head.setdefault("options", {})
    if len(head.get("hints", head["seats"])) != len(head["seats"]):
        raise BadRecord("'hints' has one number for every seat", line=given["hints"][1])
    return head, number


def _most_seats(game: str) -> int:
    """How many seats a record of this game can have."""
    try:
        return find_game(game).players[-1]
    except UnknownName:
        return MOST_SEATS


def _read_value(key: str, value: str, line: int, most_seats: int) -> Any:
    if key == "seats":
        return _read_seats(value, line, most_seats)
    if key == "options":
        try:
            options = json.loads(value)
        except (ValueError, RecursionError):
            options = None
        if not isinstance(options, dict) or len(options) > MOST_OPTIONS:
            raise BadRecord('options are a JSON object, for example {"first":0}', line=line)
        return options
    if key == "from":
        return _read_origin(value, line)
    if key == "hints":
        return _read_hints(value, line)
    if key == "end" and value not in _ENDS:
        raise BadRecord(f"'end' can only be {' or '.join(map(repr, _ENDS))}", line=line)
    if key == "drawn" and value != FIRST:
        raise BadRecord(f"'drawn' can only be {FIRST!r}", line=line)
    if key in ("commit", "mix", "secret", "chain") and not _is_digest(value):
        raise BadRecord(f"{key!r} must be 64 lower-case hexadecimal digits", line=line)
    return value


def _read_origin(text: str, line: int) -> Origin:
    words = text.split()
    if len(words) != 3 or not _is_digest(words[0]) or not all(map(_is_count, words[1:])):
        raise BadRecord("'from' names a record (64 hexadecimal digits), an action of it and a seat", line=line)
    return Origin(words[0], int(words[1]), int(words[2]))


def _is_digest(text: str) -> bool:
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _read_hints(text: str, line: int) -> tuple[int, ...]:
    words = text.split()
    if not all(map(_is_count, words)):
        raise BadRecord("'hints' are whole numbers, one for every seat: 0 3", line=line)
    return tuple(map(int, words))


def _read_seats(text: str, line: int, most: int) -> tuple[Seat, ...]:
    seats: list[Seat] = []
    at, decode = 0, json.JSONDecoder().raw_decode
    while True:
        try:
            name, end = decode(text, at)
        except (ValueError, RecursionError):
            name = None
        if not isinstance(name, str):
            raise BadRecord(
                'seats are JSON strings, a bot\'s name behind its seat: "Ann", "Computer" random', line=line
            )
        if len(seats) == most:
            raise BadRecord(f"more seats than the {most} that the game can have", line=line)
        bot, end = _read_bot(text, end)
        comma = text.find(",", end)
        seats.append(Seat(name, bot + text[end : len(text) if comma < 0 else comma].strip() or None))
        if comma < 0:
            return tuple(seats)
        at = comma + 1
        while text[at : at + 1].isspace():
            at += 1


def _read_bot(text: str, at: int) -> tuple[str, int]:
    """A bot's name that is quoted, as one with a comma is, and where it ends."""
    while text[at : at + 1].isspace():
        at += 1
    if text[at : at + 1] != '"':
        return "", at
    try:
        bot, end = json.JSONDecoder().raw_decode(text, at)
    except ValueError:
        return "", at
    return bot, end


def _read_result(line: str, number: int, players: int) -> tuple[int, ...]:
    word, *words = line.split(maxsplit=players + 1)
    try:
        scores = tuple(map(int, words)) if len(words) == players else ()
    except ValueError:
        scores = ()
    if len(scores) != players or word != "result":
        quoted = line[:_QUOTED]
        raise BadRecord(f"a result gives {players} whole numbers, one per seat: {quoted!r}", line=number)
    return scores


def _bot_name(bot: str) -> str:
    """Without quotes, where that can be read back."""
    return bot if bot.isprintable() and not {",", '"'} & set(bot) else _quoted(bot)


def _quoted(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:  # half a character, which no file could hold as it is
        return json.dumps(name)
    return json.dumps(name, ensure_ascii=False)
