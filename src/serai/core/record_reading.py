"""How the text of a record is read: its header lines, its actions, its result."""

from __future__ import annotations

import json
from typing import Any

from serai.core.errors import BadRecord, UnknownName
from serai.core.option import FIRST
from serai.core.record import AGREED, Origin, Seat
from serai.core.registry import game as find_game

MOST_SEATS = 64
"""Seats of a game that is not known here; one that is says itself how many it has."""
MOST_OPTIONS = 64
_LONG = 10
"""Digits that no count in a record has."""
_QUOTED = 60
"""Characters of a faulty line that an error repeats."""
_KEYS = (
    "game",
    "rules",
    "seats",
    "options",
    "date",
    "commit",
    "mix",
    "secret",
    "chain",
    "drawn",
    "from",
    "hints",
    "end",
)
_NEEDED = ("game", "rules", "seats")


def read(text: str) -> dict[str, Any]:
    """The fields of the record that is written in this text; ``BadRecord`` names the line and the reason."""
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
    told: dict[str, tuple[str, int]] = {}
    for number, row in enumerate(rows, start=1):
        if row.startswith(";"):
            continue
        if not row.strip():
            break
        key, colon, value = row.partition(":")
        if not colon or key not in _KEYS:
            if not told:
                raise BadRecord(
                    "not a Serai record: it must begin with header lines such as 'game: camelup'",
                    line=number,
                    key="record.foreign",
                )
            raise BadRecord(f"{row[:40]!r} is no header line; known keys: {', '.join(_KEYS)}", line=number)
        if key in told:
            raise BadRecord(f"a second {key!r} line", line=number)
        told[key] = value.strip(), number
    for key in _NEEDED:
        if key not in told:
            what = f"the header has no {key!r} line" if told else "the file is empty"
            raise BadRecord(f"not a whole Serai record: {what}", line=number, key="record.foreign")
    most = _most_seats(told["game"][0])
    head = {key: _read_value(key, value, line, most) for key, (value, line) in told.items()}
    head.setdefault("options", {})
    if len(head.get("hints", head["seats"])) != len(head["seats"]):
        raise BadRecord("'hints' has one number for every seat", line=told["hints"][1])
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
    if key == "end" and value != AGREED:
        raise BadRecord(f"'end' can only be {AGREED!r}", line=line)
    if key == "drawn" and value != FIRST:
        raise BadRecord(f"'drawn' can only be {FIRST!r}", line=line)
    if key in ("commit", "mix", "secret", "chain") and not _is_digest(value):
        raise BadRecord(f"{key!r} must be 64 lower-case hexadecimal digits", line=line)
    return value


def _read_origin(text: str, line: int) -> Origin:
    told = text.split()
    if len(told) != 3 or not _is_digest(told[0]) or not all(map(_is_count, told[1:])):
        raise BadRecord("'from' names a record (64 hexadecimal digits), an action of it and a seat", line=line)
    return Origin(told[0], int(told[1]), int(told[2]))


def _is_digest(text: str) -> bool:
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _LONG


def _read_hints(text: str, line: int) -> tuple[int, ...]:
    told = text.split()
    if not all(map(_is_count, told)):
        raise BadRecord("'hints' are whole numbers, one for every seat: 0 3", line=line)
    return tuple(map(int, told))


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
    word, *told = line.split(maxsplit=players + 1)
    try:
        scores = tuple(int(word) for word in told) if len(told) == players else ()
    except ValueError:
        scores = ()
    if len(scores) != players or word != "result":
        quoted = line[:_QUOTED]
        raise BadRecord(f"a result gives {players} whole numbers, one per seat: {quoted!r}", line=number)
    return scores
