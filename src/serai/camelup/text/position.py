"""A position in writing, short enough to type at a real table: ``1gyo 3bw | +5 -9 | bgoyw``.

Stacks (space, then camels bottom to top by first letter), desert tiles (``+`` oasis, ``-`` mirage), dice still in the
pyramid. Trailing parts may be left out. Reading takes any order; ``str()`` writes spaces ascending and dice as bgoyw.

:func:`situation` makes a view of it, so that its actions can be valued, with the details a player at a real table adds.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from serai.camelup.rules.pieces import (
    CAMEL_LETTERS,
    CAMEL_NAMES,
    CAMELS,
    FIRST_DESERT_SPACE,
    LAST_SPACE,
    LEG_VALUES,
    PLAYERS,
    TRACK_SIZE,
    Stack,
    Track,
)
from serai.camelup.rules.rules import CamelUpState, Options
from serai.core import Detail, PositionNotation
from serai.errors import BadNotation, phrase, sentence

MOST_TILES = PLAYERS[-1]
"""One per player."""
_SPACES = tuple(map(str, range(1, LAST_SPACE + 1)))
_SHOWN = 20
"""Digits of a number that an error repeats."""

phrase(
    {
        "camelup.position.parts": "a position has at most three parts, as in '1gyo 3bw | +5 -9 | bgoyw'",
        "camelup.position.stack_start": "a stack starts with its space, as in '1gyo'",
        "camelup.position.stack_camels": "name the camels on space {space}, bottom to top, as in '1gyo'",
        "camelup.position.stack_twice": "space {space} comes twice: write all its camels as one stack",
        "camelup.position.camel_twice": "{camel} stands on the track already",
        "camelup.position.camels_missing": "{camels} must stand on the track too",
        "camelup.position.tile_sign": "a desert tile is + (oasis) or - (mirage) and its space, as in '+5'",
        "camelup.position.tile_space": "a desert tile needs its space, as in '+5'",
        "camelup.position.tile_rest": "a desert tile is a sign and a space, as in '+5'",
        "camelup.position.tile_camel": "a camel stands on space {space}: no desert tile can lie there",
        "camelup.position.tile_twice": "a desert tile lies on space {space} already",
        "camelup.position.tile_next": "space {space} is next to the desert tile on {tile}",
        "camelup.position.die_twice": "the {camel} die comes twice",
        "camelup.position.space": "{digits} is no space from {least} to {most}",
        "camelup.position.camel": "{letter} is no camel; camels: {camels}",
        "camelup.position.whose_tile": "eight desert tiles lie on the track, so one of them is yours: say which",
    }
)


class Position(msgspec.Struct, frozen=True):
    """Camels, desert tiles and dice: all that the rest of a leg depends on."""

    track: Track
    tiles: tuple[int, ...] = ()
    """+space (oasis) or -space (mirage), by space."""
    dice: tuple[int, ...] = tuple(CAMELS)
    """The camels whose dice are in the pyramid."""

    def __str__(self) -> str:
        stacks = " ".join(f"{space}{_letters(stack)}" for space, stack in enumerate(self.track) if stack)
        tiles = " ".join(f"{tile:+d}" for tile in sorted(self.tiles, key=abs))
        return f"{stacks} | {tiles} | {_letters(self.dice)}".replace("|  |", "| |")


def parse_position(text: str) -> Position:
    """The position that ``text`` denotes; ``BadNotation.column`` points at the first mistake."""
    return _Reader(text).position()


def _letters(camels: Stack) -> str:
    return "".join(CAMEL_LETTERS[camel] for camel in camels)


class _Reader:
    """Reads one position; remembers columns, so that an error can point at its cause."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stacks: dict[int, Stack] = {}
        self.camel_seen: dict[int, int] = {}
        self.tiles: dict[int, int] = {}

    def position(self) -> Position:
        bars = [bar.start() for bar in itertools.islice(re.finditer(r"\|", self.text), 3)]
        if len(bars) > 2:
            raise self.wrong(bars[2], "camelup.position.parts")
        edges = [-1, *bars, len(self.text)]
        parts = list(zip([edge + 1 for edge in edges], edges[1:], strict=False))
        for column, word in self.words(*parts[0]):
            self.read_stack(column, word)
        self.check_all_camels_stand(parts[0][1])
        for column, word in self.words(*parts[1]) if len(parts) > 1 else ():
            self.read_tile(column, word)
        dice = self.read_dice(*parts[2]) if len(parts) > 2 else ()
        track = tuple(self.stacks.get(space, ()) for space in range(TRACK_SIZE))
        tiles = tuple(side * space for space, side in sorted(self.tiles.items()))
        return Position(track, tiles, dice or tuple(CAMELS))

    def words(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        for word in re.finditer(r"\S+", self.text[start:end]):
            yield start + word.start(), word.group()

    def read_stack(self, column: int, word: str) -> None:
        digits, letters = self.number_first(column, word, "camelup.position.stack_start")
        space = self.space(column, digits, 1)
        if not letters:
            raise self.wrong(column + len(digits), "camelup.position.stack_camels", space=space)
        if space in self.stacks:
            raise self.wrong(column, "camelup.position.stack_twice", space=space)
        for offset, letter in enumerate(letters, start=column + len(digits)):
            camel = self.camel(offset, letter)
            if camel in self.camel_seen:
                raise self.wrong(offset, "camelup.position.camel_twice", camel=CAMEL_NAMES[camel])
            self.camel_seen[camel] = offset
        self.stacks[space] = tuple(CAMEL_LETTERS.index(letter) for letter in letters)

    def check_all_camels_stand(self, end: int) -> None:
        missing = [CAMEL_NAMES[camel] for camel in CAMELS if camel not in self.camel_seen]
        if missing:
            # behind the last word, where a person would continue typing
            place = len(self.text[:end].rstrip())
            raise self.wrong(place, "camelup.position.camels_missing", camels=" and ".join(missing))

    def read_tile(self, column: int, word: str) -> None:
        if word[0] not in "+-":
            raise self.wrong(column, "camelup.position.tile_sign")
        digits, rest = self.number_first(column + 1, word[1:], "camelup.position.tile_space")
        if rest:
            raise self.wrong(column + 1 + len(digits), "camelup.position.tile_rest")
        space = self.space(column + 1, digits, FIRST_DESERT_SPACE)
        if space in self.stacks:
            raise self.wrong(column, "camelup.position.tile_camel", space=space)
        if space in self.tiles:
            raise self.wrong(column, "camelup.position.tile_twice", space=space)
        for neighbour in (space - 1, space + 1):
            if neighbour in self.tiles:
                raise self.wrong(column, "camelup.position.tile_next", space=space, tile=neighbour)
        self.tiles[space] = 1 if word[0] == "+" else -1

    def read_dice(self, start: int, end: int) -> tuple[int, ...]:
        dice: set[int] = set()
        for column, word in self.words(start, end):
            for offset, letter in enumerate(word, start=column):
                camel = self.camel(offset, letter)
                if camel in dice:
                    raise self.wrong(offset, "camelup.position.die_twice", camel=CAMEL_NAMES[camel])
                dice.add(camel)
        return tuple(sorted(dice))

    def number_first(self, column: int, word: str, want: str) -> tuple[str, str]:
        digits = re.match(r"[0-9]*", word)
        assert digits is not None
        if not digits.group():
            raise self.wrong(column, want)
        return digits.group(), word[digits.end() :]

    def space(self, column: int, digits: str, least: int) -> int:
        if digits not in _SPACES or int(digits) < least:
            shown = digits[:_SHOWN]
            raise self.wrong(column, "camelup.position.space", digits=shown, least=least, most=LAST_SPACE)
        return int(digits)

    def camel(self, column: int, letter: str) -> int:
        return _camel(self.text, column, letter)

    def wrong(self, column: int, key: str, **values: str | int) -> BadNotation:
        return _wrong(self.text, column, key, **values)


def _camel(text: str, column: int, letter: str) -> int:
    if not letter or letter not in CAMEL_LETTERS:
        known = ", ".join(f"{first} {name}" for first, name in zip(CAMEL_LETTERS, CAMEL_NAMES, strict=True))
        raise _wrong(text, column, "camelup.position.camel", letter=repr(letter), camels=known)
    return CAMEL_LETTERS.index(letter)


def _wrong(text: str, column: int, key: str, **values: str | int) -> BadNotation:
    return BadNotation(sentence(key, values), text=text, column=column, key=key, values=values)


# -- as a view ---------------------------------------------------------------------------------------------------------

ASKER = 0
_OTHERS = range(1, MOST_TILES)
WHOSE_TILE = "camelup.position.whose_tile"
MOST_CARDS = len(_OTHERS) * len(CAMELS)
"""Cards that others can have laid."""
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


def situation(
    position: Position,
    *,
    cards: Sequence[int] = tuple(CAMELS),
    taken: Mapping[int, int] | None = None,
    decks: Mapping[str, int] | None = None,
    own_tile: int | None = None,
    players: int = MOST_TILES,
) -> CamelUpState:
    """The position as seen by a player with these race cards in hand and their desert tile on ``own_tile``.

    ``taken``: how many leg tiles of a camel are gone, to others. ``decks``: how many cards lie on each deck, of others,
    and of as many different ones as there can be. Cards neither in hand nor on a deck are out of the game.
    """
    others_tiles = [tile for tile in position.tiles if abs(tile) != own_tile]
    own_tiles = [tile for tile in position.tiles if abs(tile) == own_tile]
    if own_tile is not None and not own_tiles:
        raise BadNotation(f"no desert tile lies on {own_tile}; tiles: {_listed(position.tiles)}", detail="own_tile")
    others = range(1, players)
    if len(others_tiles) > len(_OTHERS):
        raise BadNotation(sentence(WHOSE_TILE, {}), key=WHOSE_TILE, detail="own_tile")
    if len(others_tiles) > len(others):
        raise BadNotation(f"{players - 1} others cannot have {len(others_tiles)} desert tiles", detail="own_tile")
    laid = {deck: (decks or {}).get(deck, 0) for deck in ("winner", "loser")}
    if sum(laid.values()) > len(others) * len(CAMELS):
        raise BadNotation(f"{players - 1} others cannot have laid {sum(laid.values())} cards", detail="decks")
    turns = iter(others[place % len(others)] for place in range(sum(laid.values())))
    winner_deck = tuple((next(turns), None) for _ in range(laid["winner"]))
    loser_deck = tuple((next(turns), None) for _ in range(laid["loser"]))
    owners = [owner for owner, _ in winner_deck + loser_deck]
    return CamelUpState(
        actor=ASKER,
        options=Options(),
        leg=1,
        turn=ASKER,
        marker=ASKER,
        track=position.track,
        tents=tuple(0 if camel in position.dice else 1 for camel in CAMELS),
        pyramid_tiles=(0,) * players,
        leg_bets=tuple((others[0],) * (taken or {}).get(camel, 0) for camel in CAMELS),
        deserts=(own_tiles[0] if own_tiles else 0, *others_tiles, *(0,) * (len(others) - len(others_tiles))),
        money=(0,) * players,
        hands=(tuple(sorted(cards)), *((None,) * (len(CAMELS) - owners.count(seat)) for seat in others)),
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
    """The details of a position, by the names of :func:`situation`'s arguments."""
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


def _listed(tiles: Sequence[int]) -> str:
    return " ".join(f"{tile:+d}" for tile in tiles) or "none"
