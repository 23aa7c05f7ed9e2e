"""A bare position made into a view, so that its actions can be valued: what a player at a real table would add.

Seat 0 is the one who asks. What they do not say is as at the start of a leg; what others hold is hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from serai.camelup.pieces import CAMEL_LETTERS, CAMEL_NAMES, CAMELS, LAST_SPACE, LEG_VALUES
from serai.camelup.position import MOST_TILES, Position
from serai.camelup.rules import CamelUpState, Options
from serai.core import BadNotation, Detail, PositionNotation
from serai.core.errors import phrase, sentence

ASKER = 0
_OTHERS = range(1, MOST_TILES)
WHOSE_TILE = "camelup.position.whose_tile"
MOST_CARDS = len(_OTHERS) * len(CAMELS)
"""That others can have laid."""
DIFFERENT_OWNERS = "the cards on the decks are of as many different players as there can be"
"""What :func:`situation` assumes of decks."""

POSITION_NOTATION = PositionNotation(
    example="1gyo 3bw | +5 -9 | bgoyw",
    help="A position is stacks (space, then camels bottom to top: b g o y w), desert tiles (+5 oasis, -9 mirage) and "
    "the dice left.",
    details=(
        Detail("cards", "bgo", "The race cards in your hand (default: all)."),
        Detail("taken", "g2,b1", "How many leg tiles others have taken (default: none)."),
        Detail("decks", "winner:3,loser:1", "How many race cards others have laid (default: none)."),
        Detail("own_tile", "SPACE", "Where your desert tile lies."),
    ),
)

phrase(
    {
        "camelup.position.whose_tile": "eight desert tiles lie on the track, so one of them is yours: say which",
    }
)


def situation(
    position: Position,
    *,
    cards: Sequence[int] = tuple(CAMELS),
    taken: Mapping[int, int] | None = None,
    decks: Mapping[str, int] | None = None,
    own_tile: int | None = None,
) -> CamelUpState:
    """The position as seen by a player with these race cards in hand and their desert tile on ``own_tile``.

    ``taken``: how many leg tiles of a camel are gone, to others. ``decks``: how many cards lie on each deck, of others,
    and of as many different ones as there can be. Cards neither in hand nor on a deck are out of the game.
    """
    others_tiles = [tile for tile in position.tiles if abs(tile) != own_tile]
    own_tiles = [tile for tile in position.tiles if abs(tile) == own_tile]
    if own_tile is not None and not own_tiles:
        raise BadNotation(f"no desert tile lies on {own_tile}; tiles: {_listed(position.tiles)}", detail="own_tile")
    if len(others_tiles) > len(_OTHERS):
        raise BadNotation(sentence(WHOSE_TILE, {}), key=WHOSE_TILE, detail="own_tile")
    laid = {deck: (decks or {}).get(deck, 0) for deck in ("winner", "loser")}
    turns = iter(_OTHERS[place % len(_OTHERS)] for place in range(sum(laid.values())))
    winner_deck = tuple((next(turns), None) for _ in range(laid["winner"]))
    loser_deck = tuple((next(turns), None) for _ in range(laid["loser"]))
    owners = [owner for owner, _ in winner_deck + loser_deck]
    seats = len(_OTHERS) + 1
    return CamelUpState(
        actor=ASKER,
        options=Options(),
        leg=1,
        turn=ASKER,
        marker=ASKER,
        track=position.track,
        tents=tuple(0 if camel in position.dice else 1 for camel in CAMELS),
        pyramid_tiles=(0,) * seats,
        leg_bets=tuple((_OTHERS[0],) * (taken or {}).get(camel, 0) for camel in CAMELS),
        deserts=(own_tiles[0] if own_tiles else 0, *others_tiles, *(0,) * (len(_OTHERS) - len(others_tiles))),
        money=(0,) * seats,
        hands=(tuple(sorted(cards)), *((None,) * (len(CAMELS) - owners.count(seat)) for seat in _OTHERS)),
        winner_deck=winner_deck,
        loser_deck=loser_deck,
    )


def parse_cards(text: str) -> tuple[int, ...]:
    """Race cards in hand by first letters: ``bgo``."""
    cards: list[int] = []
    for column, letter in enumerate(text):
        camel = _camel(text, column, letter)
        if camel in cards:
            raise BadNotation(f"the {CAMEL_NAMES[camel]} card comes twice", text=text, column=column)
        cards.append(camel)
    return tuple(sorted(cards))


def parse_taken(text: str) -> dict[int, int]:
    """How many leg tiles of which camels are gone: ``g2,b1``."""
    taken: dict[int, int] = {}
    for column, word in _words(text):
        camel = _camel(text, column, word[:1])
        count = word[1:]
        if count not in map(str, range(len(LEG_VALUES) + 1)):
            reason = f"say how many {CAMEL_NAMES[camel]} leg tiles are taken, 0 to {len(LEG_VALUES)}, as in 'g2'"
            raise BadNotation(reason, text=text, column=column + 1)
        if camel in taken:
            raise BadNotation(f"{CAMEL_NAMES[camel]} comes twice", text=text, column=column)
        taken[camel] = int(count)
    return taken


def parse_decks(text: str) -> dict[str, int]:
    """How many race cards lie on the decks: ``winner:3,loser:1``."""
    decks: dict[str, int] = {}
    for column, word in _words(text):
        deck, colon, count = word.partition(":")
        if deck not in ("winner", "loser"):
            raise BadNotation("a deck is winner or loser, as in 'winner:3'", text=text, column=column)
        if deck in decks:
            raise BadNotation(f"the {deck} deck comes twice", text=text, column=column)
        if not colon or count not in map(str, range(MOST_CARDS + 1)):
            reason = f"say how many cards lie on the {deck} deck, 0 to {MOST_CARDS}, as in 'winner:3'"
            raise BadNotation(reason, text=text, column=column + len(deck) + len(colon))
        decks[deck] = int(count)
        if sum(decks.values()) > MOST_CARDS:
            reason = f"seven others can have laid {MOST_CARDS} cards at most"
            raise BadNotation(reason, text=text, column=column)
    return decks


def parse_details(details: Mapping[str, str]) -> dict[str, Any]:
    """What a player at a real table adds to a position, by the names of :func:`situation`'s arguments."""
    readers: dict[str, Callable[[str], Any]] = {
        "cards": parse_cards,
        "taken": parse_taken,
        "decks": parse_decks,
        "own_tile": _tile,
    }
    for name in details:
        if name not in readers:
            raise BadNotation(f"{name!r} is unknown; a position can be given with {', '.join(readers)}")
    return {name: readers[name](text) for name, text in details.items()}


def _tile(text: str) -> int:
    if text not in map(str, range(1, LAST_SPACE + 1)):
        reason = f"say on which space, 1 to {LAST_SPACE}, your desert tile lies, as in '5'"
        raise BadNotation(reason, text=text, column=0)
    return int(text)


def _words(text: str) -> list[tuple[int, str]]:
    return [(word.start(), word.group()) for word in re.finditer(r"[^,\s]+", text)]


def _camel(text: str, column: int, letter: str) -> int:
    if not letter or letter not in CAMEL_LETTERS:
        known = ", ".join(f"{first} {name}" for first, name in zip(CAMEL_LETTERS, CAMEL_NAMES, strict=True))
        raise BadNotation(f"{letter!r} is no camel; camels: {known}", text=text, column=column)
    return CAMEL_LETTERS.index(letter)


def _listed(tiles: Sequence[int]) -> str:
    return " ".join(f"{tile:+d}" for tile in tiles) or "none"
