"""Checks of arguments: each raises ``BadArgument``, which says what is wanted instead."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from operator import index
from typing import Any, Final

from serai.errors import BadArgument, shown

MAX_PLIES: Final = 5_000
"""A game between bots is cut short when it has had this many actions, unless another limit is given."""
MOST_PLIES: Final = 1_000_000
"""The greatest such limit."""


def check_max_plies(plies: object) -> int:
    """A number of actions after which a game is cut short."""
    return check_whole("'max_plies'", plies, 1, MOST_PLIES)


def check_seed(seed: object) -> None:
    """A whole number or a text."""
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise BadArgument(f"a seed is a whole number or a text, not {shown(seed)}")


def seed_number(seed: int | str) -> int:
    """A seed where a number is wanted: a text by its SHA-256."""
    check_seed(seed)
    return seed if isinstance(seed, int) else int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")


def check_text(what: str, value: object) -> None:
    """A text."""
    if not isinstance(value, str):
        raise BadArgument(f"{what} is a text, not {shown(value)}")


def check_whole(what: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """A whole number within bounds, of any integer type but bool."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        bounds = {(True, False): f" from {least}", (True, True): f" from {least} to {most}"}
        wanted = f"a whole number{bounds.get((least is not None, most is not None), '')}"
        raise BadArgument(f"{what} must be {wanted}, not {shown(value)}")
    return number


def check_flag(what: str, value: object) -> None:
    """True or false, NumPy's included."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise BadArgument(f"{what} is true or false, not {shown(value)}")


def check_seat(seat: object, players: int, *, onlooker: bool = True) -> None:
    """A seat of the table, or ``None`` for an onlooker."""
    if seat is None and onlooker:
        return
    if type(seat) is not int or not 0 <= seat < players:
        other = ", or None for an onlooker" if onlooker else ""
        raise BadArgument(f"there is no seat {shown(seat)}: seats are 0 to {players - 1}{other}")


def check_kind(what: str, value: object, kind: type | tuple[type, ...], how: str) -> None:
    """Something of a type; ``how`` says where to get it."""
    if not isinstance(value, kind):
        raise BadArgument(f"{what} must be {how}, not {shown(value)}")


def check_randomness(rng: object) -> None:
    """An object that draws as ``random.Random`` does."""
    if not callable(getattr(rng, "randrange", None)) or isinstance(rng, type):
        raise BadArgument(f"chance must come from a random.Random, such as random.Random(7), not {shown(rng)}")


def check_names(names: object) -> None:
    """The players' names, by seat."""
    if isinstance(names, str) or not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise BadArgument(f"names are a list of texts, one for each seat, not {shown(names)}")


def check_details(details: object) -> None:
    """Texts by name, or nothing."""
    if details is None:
        return
    if not isinstance(details, Mapping) or not all(isinstance(part, str) for pair in details.items() for part in pair):
        raise BadArgument(f"details are texts by name, such as {{'cards': 'gyo'}}, not {shown(details)}")


def check_state(game: Any, view: object) -> None:
    """A state or view of that ``Game``."""
    if not isinstance(view, game.state_type):
        raise BadArgument(f"a state or view of {game.name} is wanted, as game.new() makes it, not {shown(view)}")


def check_listed(what: str, values: object, example: str) -> tuple[Any, ...]:
    """A list of things, which is returned as a tuple. A text is no list of letters."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise BadArgument(f"{what} are a list, such as {example}, not {shown(values)}")
    return tuple(values)
