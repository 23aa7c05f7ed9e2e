"""Whether a program holds to the protocol of lines where a game would hardly show it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from serai.bots.lines import Hello, Misspoken, Quit, read_choice, read_greeting, written
from serai.bots.program import START_SECONDS, Broken, Command, Program

_PIECE, _PIECES = 7, 12
"""So many bytes come first, in so many pieces, when a line comes slowly."""
_BETWEEN = 0.01
_UNKNOWN = b'{"type":"something of a later version","with":["anything"]}\n'


def check(command: Command, lines: tuple[bytes, bytes], seconds: float | None) -> Iterator[tuple[str, str]]:
    """Each situation, and what went wrong in it; ``lines`` begin a game and ask for a decision."""
    situations: dict[str, Callable[[Program, bytes, bytes, float | None], None]] = {
        "a line that comes in pieces": _slowly,
        "a message that it does not know": _unknown,
        "the same decision asked twice": _twice,
        "its input ends while it thinks": _ends_thinking,
        "its input ends while it waits": _ends_waiting,
    }
    for situation, meet in situations.items():
        program = Program(command)
        try:
            read_greeting(program.ask(written(Hello()), START_SECONDS))
            meet(program, *lines, seconds)
            yield situation, ""
        except (Broken, Misspoken) as error:
            yield situation, str(error)
        finally:
            program.end()


def _slowly(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    whole = begin + decide
    for piece in range(_PIECES):
        program.tell(whole[piece * _PIECE : (piece + 1) * _PIECE])
        time.sleep(_BETWEEN)
    read_choice(program.ask(whole[_PIECES * _PIECE :], seconds))


def _unknown(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    program.tell(_UNKNOWN + begin + _UNKNOWN)
    read_choice(program.ask(decide, seconds))


def _twice(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    """With the same random number: who wants games to be repeatable answers alike."""
    program.tell(begin)
    first, second = (read_choice(program.ask(decide, seconds)) for _ in range(2))
    if first != second:
        raise Misspoken(
            f"answered {first.action or first.number} at first and {second.action or second.number} then: draw "
            "randomness from the field random alone, or its games cannot be repeated"
        )


def _ends_thinking(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    program.tell(begin)
    _must_end(program, decide)


def _ends_waiting(program: Program, begin: bytes, decide: bytes, seconds: float | None) -> None:
    program.tell(begin)
    read_choice(program.ask(decide, seconds))
    _must_end(program, written(Quit()))


def _must_end(program: Program, last: bytes) -> None:
    if program.end(last) is None:
        raise Misspoken("goes on when its input has ended, and had to be killed: end when there is no more to read")
