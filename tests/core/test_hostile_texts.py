"""Texts that somebody made to be a burden: the work grows with them no faster than they do, and stops where a game's
own limits do; what is wrong is said in few words.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import serai
from serai.camelup.text.position import parse_position as camelup_position
from serai.core.record import Record, replay
from serai.errors import SeraiError


def at_pharaoh(text: str) -> object:
    return serai.game("pharaoh").position(text)


HEAD = 'game: camelup\nrules: 1\nseats: "Ann", "Bob"\n'
MAP = "\n".join(["? ? ? ? ? ?"] * 5 + ["? ? S ? ? ?"])


def effort(work: Callable[[], object]) -> tuple[int, str]:
    """How many functions of whatever kind it takes to refuse something, and what the refusal says."""
    count, said = 0, ""

    def note(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    except SeraiError as error:
        sys.setprofile(None)
        said = str(error)
    finally:
        sys.setprofile(None)
    return count, said


def people(n: int) -> str:
    return ",".join(['"A"'] * n)


def replayed(text: str) -> None:
    for _ in replay(Record.read(text)):
        pass


STOPPED: dict[str, tuple[Callable[[str], object], Callable[[int], str]]] = {
    "seats": (Record.read, lambda n: f"game: camelup\nrules: 1\nseats: {people(n)}\n\n"),
    "seats of an unknown game": (Record.read, lambda n: f"game: no\nrules: 1\nseats: {people(n)}\n\n"),
    "seats before the game": (Record.read, lambda n: f"seats: {people(n)}\nrules: 1\ngame: camelup\n\n"),
    "header lines": (Record.read, lambda n: HEAD + "date: x\n" * n),
    "options": (Record.read, lambda n: HEAD + "options: {" + ",".join(f'"o{k}":1' for k in range(n)) + "}\n\n"),
    "options within options": (Record.read, lambda n: HEAD + "options: " + '{"a":' * n + "1" + "}" * n + "\n\n"),
    "an option's digits": (replayed, lambda n: HEAD + 'options: {"first":' + "9" * n + "}\n\nroll"),
    "results": (Record.read, lambda n: HEAD + "\nresult" + " 1" * n),
    "a result's digits": (Record.read, lambda n: HEAD + "\nresult 1 " + "9" * n + "x"),
    "a long action": (replayed, lambda n: HEAD + "\n" + "die green " * n),
    "a game's name": (replayed, lambda n: f'game: {"camel" * n}\nrules: 1\nseats: "A"\n\nroll'),
    "camelup bars": (camelup_position, lambda n: "1gyobw " + "|" * n),
    "camelup stacks": (camelup_position, lambda n: "1g " * n),
    "camelup camels": (camelup_position, lambda n: "1" + "g" * n),
    "camelup digits": (camelup_position, lambda n: "9" * n + "g"),
    "camelup tiles": (camelup_position, lambda n: "1gyobw | " + "+5 " * n),
    "camelup dice": (camelup_position, lambda n: "1gyobw | | " + "g" * n),
    "pharaoh lines": (at_pharaoh, lambda n: MAP + "\n" + "lying a1=2\n" * n),
    "pharaoh map": (at_pharaoh, lambda n: ("? " * n + "\n") * 6),
    "pharaoh lamps": (at_pharaoh, lambda n: MAP + "\n0 lamps=" + ",".join(["a1"] * n)),
    "pharaoh digits": (at_pharaoh, lambda n: MAP + "\nturn 0 ply=" + "9" * n),
    "camelup action": (serai.game("camelup").parse, lambda n: "die " + "green " * n),
    "pharaoh action": (serai.game("pharaoh").parse, lambda n: "lay " + "N" * n),
}


@pytest.mark.parametrize("what", STOPPED)
def test_whatever_is_too_much_is_refused_where_the_limit_is_and_not_where_the_text_ends(what: str) -> None:
    read, text = STOPPED[what]
    short, long = text(5000), text(40_000)
    small, reason = effort(lambda: read(short))
    large, _ = effort(lambda: read(long))
    assert 0 < len(reason) < 500, reason
    assert large <= small + 50, f"{small} calls, with eight times the text {large}"
    assert small < 3000


def test_a_long_record_takes_as_much_longer_to_read() -> None:
    def to_read(n: int) -> int:
        text = HEAD + "\n" + "roll ; a comment\n\n" * n
        return effort(lambda: Record.read(text))[0]

    small, large = to_read(1000), to_read(4000)
    assert large < 4.2 * small + 100


def test_a_record_may_have_as_many_seats_as_its_game() -> None:
    most = serai.game("camelup").players[-1]
    text = "game: camelup\nrules: 1\nseats: " + ", ".join(['"A" random'] * most)
    assert len(Record.read(text + "\n\n").seats) == most
    with pytest.raises(serai.errors.BadRecord, match=f"line 3: more seats than the {most} that the game can have"):
        Record.read(text + ', "A"\n\n')
