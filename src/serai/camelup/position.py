"""A position in writing, short enough to type at a real table: ``1gyo 3bw | +5 -9 | bgoyw``.

Stacks (space, then camels bottom to top by first letter), desert tiles (``+`` oasis, ``-`` mirage), dice still in the
pyramid. Trailing parts may be left out. Reading takes any order; ``str()`` writes spaces ascending and dice as bgoyw.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import msgspec

from serai.camelup.pieces import (
    CAMEL_LETTERS,
    CAMEL_NAMES,
    CAMELS,
    FIRST_DESERT_SPACE,
    LAST_SPACE,
    PLAYERS,
    TRACK_SIZE,
    Stack,
    Track,
)
from serai.core import BadNotation
from serai.core.errors import phrase, sentence

MOST_TILES = PLAYERS[-1]
"""One per player."""
_SPACES = tuple(map(str, range(1, LAST_SPACE + 1)))
_SHOWN = 20
"""Digits of a number that a complaint repeats."""

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
    }
)


class Position(msgspec.Struct, frozen=True):
    """Camels, desert tiles and dice: what the rest of a leg depends on."""

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
    """The position that ``text`` denotes; ``BadNotation.column`` points at the first thing that cannot be right."""
    return _Reader(text).position()


def _letters(camels: Stack) -> str:
    return "".join(CAMEL_LETTERS[camel] for camel in camels)


class _Reader:
    """Reads one position; remembers where everything stood, so that a complaint can point there."""

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
            # behind the last word, where a person would go on typing
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
        if letter not in CAMEL_LETTERS:
            known = ", ".join(f"{first} {name}" for first, name in zip(CAMEL_LETTERS, CAMEL_NAMES, strict=True))
            raise self.wrong(column, "camelup.position.camel", letter=repr(letter), camels=known)
        return CAMEL_LETTERS.index(letter)

    def wrong(self, column: int, key: str, **values: str | int) -> BadNotation:
        return BadNotation(sentence(key, values), text=self.text, column=column, key=key, values=values)
