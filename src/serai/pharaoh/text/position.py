"""The notation of positions: the map as six rows of signs, then a line per player and a few more if needed.

``docs/pharaoh-positions.md`` explains the notation. ``parse_position(write_position(state), game.new)`` gives
the state back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NoReturn

from msgspec.structs import replace

from serai.core import CHANCE
from serai.core.game import put
from serai.errors import BadNotation
from serai.pharaoh.rules import legal
from serai.pharaoh.rules.board import ENTRANCES, SHAPE_OF, fall_order, openings_of
from serai.pharaoh.rules.collapse import announce
from serai.pharaoh.rules.pieces import (
    CELL_NAMES,
    CELL_NUMBERS,
    CELLS,
    CHAMBER_CODE,
    CHAMBER_NAMES,
    COUNTDOWN,
    FACE_DOWN,
    FALLEN,
    FIRST_CHAMBER,
    FREE_ACTS,
    LAMPS,
    MASK,
    MOVES,
    NOWHERE,
    PHOTOS,
    PLAYERS,
    SIZE,
    START,
    TILE_COUNTS,
    TILE_NAMES,
    TREASURE_COUNTS,
    TREASURE_VALUES,
    is_chamber,
    is_passage,
    treasure_name,
)
from serai.pharaoh.rules.rules import PharaohState
from serai.pharaoh.rules.scoring import count_points

_PASSAGE_SIGNS = {
    "│": "NS",
    "─": "EW",
    "└": "NE",
    "┌": "ES",
    "┐": "SW",
    "┘": "NW",
    "├": "NES",
    "┬": "ESW",
    "┤": "NSW",
    "┴": "NEW",
}
CODES = {
    "?": FACE_DOWN,
    "S": START,
    "x": FALLEN,
    **{sign: openings_of(sides) for sign, sides in _PASSAGE_SIGNS.items()},
    **{name[0].upper(): CHAMBER_CODE + place for place, name in enumerate(CHAMBER_NAMES)},
}
"""What lies on a cell, by its sign on the map."""
_SIGNS = {code: sign for sign, code in CODES.items()}
MOST_TEXT, MOST_DIGITS = 8000, 9
"""Characters of a position, of which the fullest takes some hundred, and of a number in it."""


def write_position(state: PharaohState) -> str:
    """The position as text; default values are left out. Options are not part of it."""
    lines = [" ".join(row) for row in map_signs(state)]
    lines += [_write_seat(state, seat) for seat in range(state.players)]
    if state.lying:
        by_cell: dict[int, list[int]] = {}
        for cell, value in state.lying:
            by_cell.setdefault(cell, []).append(value)
        lines.append(
            "lying " + " ".join(f"{CELL_NAMES[cell]}={_treasures(values)}" for cell, values in by_cell.items())
        )
    if state.lost:
        lines.append(f"lost {_treasures(state.lost)}")
    if state.unseen != _unseen(state.tiles, state.drawn):
        kinds = [f"{TILE_NAMES[kind]}={count}" for kind, count in enumerate(state.unseen) if count]
        lines.append(" ".join(["unseen", *kinds]))
    if state.falls_by_itself:
        lines.append(f"restless {CELL_NAMES[state.centre]} ring={state.ring}")
    if state.mask_chamber != NOWHERE:
        when = f" countdown={state.countdown}" if state.countdown else f" clock={state.clock} ring={state.ring}"
        when = "" if state.falls_by_itself else when
        lines.append(f"mask {CELL_NAMES[state.mask_chamber]} finder={state.finder}{when}")
    when = f"round={state.round} ply={state.plies}" + (f" stirred={state.stirred}" if state.stirred else "")
    lines.append(f"turn {state.turn} moves={state.moves_left} acts={state.acts_left} {when}")
    if state.site != NOWHERE:
        lines.append(f"reveal {CELL_NAMES[state.site]}{_write_draw(state)}")
    if state.over:
        lines.append("over")
    return "\n".join(lines) + "\n"


def map_signs(state: PharaohState) -> list[list[str]]:
    """The rows of the map, row 6 first."""
    return [[_SIGNS[code] for code in state.tiles[row * SIZE : (row + 1) * SIZE]] for row in reversed(range(SIZE))]


def _write_seat(state: PharaohState, seat: int) -> str:
    words = [str(seat)]
    for sign, cell in (("A", state.archaeologists[seat]), ("H", state.helpers[seat])):
        carried = f"+{treasure_name(state.carried[seat])}" if sign == "A" and state.carried[seat] else ""
        if cell != state.start:
            words.append(f"{sign}={'lost' if cell == NOWHERE else CELL_NAMES[cell]}{carried}")
    lamps, supply = state.lamps[seat], state.supplies[seat]
    if lamps:
        words.append(f"lamps={','.join(CELL_NAMES[cell] for cell in lamps)}")
    if supply != LAMPS - len(lamps):
        words.append(f"supply={supply}")
    photos = [str(number) for number, owner in enumerate(state.photos, start=1) if owner == seat]
    if photos:
        words.append(f"photos={','.join(photos)}")
    if state.museums[seat]:
        words.append(f"museum={_treasures(state.museums[seat])}")
    if state.changed[seat]:
        words.append(f"changed={state.changed[seat]}")
    return " ".join(words)


def _write_draw(state: PharaohState) -> str:
    if state.photo:
        return f" photo={state.photo} due={state.due}"
    if NOWHERE < state.drawn < FIRST_CHAMBER:
        return f" tile={TILE_NAMES[state.drawn]}"
    return ""


def _treasures(values: Iterable[int]) -> str:
    return ",".join(map(treasure_name, values))


def _unseen(tiles: Iterable[int], drawn: int) -> tuple[int, ...]:
    """The unseen tiles by kind, if none has fallen face up."""
    left = list(TILE_COUNTS)
    for code in tiles:
        if is_passage(code):
            left[SHAPE_OF[code]] -= 1
        elif is_chamber(code):
            left[FIRST_CHAMBER + code - CHAMBER_CODE] -= 1
    if NOWHERE < drawn < FIRST_CHAMBER:
        left[drawn] -= 1
    return tuple(left)


# -- reading -----------------------------------------------------------------------------------------------------------


def parse_position(text: str, new: Callable[..., PharaohState], **options: Any) -> PharaohState:
    """The state written in ``text``; ``BadNotation`` names the line and what is wrong with it.

    ``new`` is :meth:`serai.core.Game.new` of the game, which checks the options.
    """
    if len(text) > MOST_TEXT:
        raise BadNotation(f"a position takes at most {MOST_TEXT} characters, comments included, not {len(text)}")
    rows = [(number, row.partition(";")[0].split()) for number, row in enumerate(text.splitlines(), start=1)]
    return _Reader([(number, words) for number, words in rows if words], partial(new, **options)).read()


class _Reader:
    """Reads one position; remembers the line for error messages."""

    def __init__(self, rows: list[tuple[int, list[str]]], new: partial[PharaohState]) -> None:
        self.rows = rows
        self.new = new
        self.line = rows[-1][0] if rows else 1

    def read(self) -> PharaohState:
        if len(self.rows) < SIZE:
            self.fail(f"a position begins with the {SIZE} rows of the map, row {SIZE} first")
        tiles = self.read_map(self.rows[:SIZE])
        lines = self.by_word(self.rows[SIZE:])
        seats = [word for word in lines if word.isdecimal()]
        players = max(PLAYERS[0], *(int(word) + 1 for word in seats)) if seats else PLAYERS[0]
        if players not in PLAYERS:
            self.fail(f"seats are 0 to {PLAYERS[-1] - 1}")
        state = self.new(players, **{"entrance": CELL_NAMES[tiles.index(START)], **self.new.keywords})
        if state.start != tiles.index(START):
            self.fail(
                f"the start tile lies on {CELL_NAMES[tiles.index(START)]}, the option says {state.options.entrance}"
            )
        state = replace(state, tiles=tiles, unseen=_unseen(tiles, NOWHERE))
        for seat in range(players):
            if str(seat) in lines:
                self.line, words = lines[str(seat)]
                state = self.read_seat(state, seat, words)
        for word, read in (
            ("lying", self.read_lying),
            ("lost", self.read_lost),
            ("restless", self.read_restless),
            ("mask", self.read_mask),
            ("turn", self.read_turn),
            ("reveal", self.read_reveal),
            ("unseen", self.read_unseen),
            ("over", self.read_over),
        ):
            if word in lines:
                self.line, words = lines[word]
                state = read(state, words)
        points = tuple(count_points(state, seat) for seat in range(players))
        state = replace(state, stack=self.stack(state), points=points)
        if _quiet_rounds_missing(state) <= 0:
            state = announce(state)
        for fault in faults(state):
            self.fail(fault)
        return state

    def fail(self, reason: str) -> NoReturn:
        raise BadNotation(f"line {self.line}: {reason}")

    def read_map(self, rows: list[tuple[int, list[str]]]) -> tuple[int, ...]:
        tiles: list[int] = []
        for number, signs in reversed(rows):
            self.line = number
            if len(signs) != SIZE:
                self.fail(f"a row of the map has {SIZE} signs with spaces between them, not {len(signs)}")
            for sign in signs:
                if sign not in CODES:
                    self.fail(f"{sign!r} is no sign of the map; signs: {' '.join(CODES)}")
                tiles.append(CODES[sign])
        if tiles.count(START) != 1:
            self.fail("the map needs one start tile, written S")
        if CELL_NAMES[tiles.index(START)] not in ENTRANCES:
            self.fail("the start tile lies on the border, but not in a corner")
        for kind, count in enumerate(_unseen(tiles, NOWHERE)):
            if count < 0:
                self.fail(
                    f"the map has {TILE_COUNTS[kind] - count} {TILE_NAMES[kind]} tiles, the box {TILE_COUNTS[kind]}"
                )
        return tuple(tiles)

    def by_word(self, rows: list[tuple[int, list[str]]]) -> dict[str, tuple[int, list[str]]]:
        found: dict[str, tuple[int, list[str]]] = {}
        known = [*map(str, range(PLAYERS[-1])), "lying", "lost", "unseen", "restless", "mask", "turn", "reveal", "over"]
        for number, (word, *words) in rows:
            self.line = number
            if word not in known:
                self.fail(f"{word!r} begins no line of a position; lines begin with {', '.join(known)}")
            if word in found:
                self.fail(f"a second line {word!r}")
            found[word] = number, words
        return found

    # -- one line each

    def read_seat(self, state: PharaohState, seat: int, words: list[str]) -> PharaohState:
        values = self.pairs(words, ("A", "H", "lamps", "supply", "photos", "museum", "changed"))
        place, plus, carried = values.get("A", CELL_NAMES[state.start]).partition("+")
        lamps = sorted(map(self.cell, self.parts(values.get("lamps", ""))))
        photos = list(state.photos)
        for word in self.parts(values.get("photos", "")):
            number = self.number(word, "photo", 1, len(PHOTOS))
            if photos[number - 1] != NOWHERE:
                self.fail(f"photo {number} is given away twice")
            photos[number - 1] = seat
        changes: dict[str, Any] = {
            "archaeologists": self.figure(place),
            "helpers": self.figure(values.get("H", CELL_NAMES[state.start])),
            "carried": self.treasure(carried) if plus else 0,
            "lamps": tuple(lamps),
            "supplies": self.number(values.get("supply", str(LAMPS - len(lamps))), "supply", 0, LAMPS),
            "museums": tuple(sorted(map(self.treasure, self.parts(values.get("museum", ""))))),
            "changed": self.number(values.get("changed", "0"), "changed", 0),
        }
        changes = {name: put(getattr(state, name), seat, value) for name, value in changes.items()}
        return replace(state, photos=tuple(photos), **changes)

    def read_lying(self, state: PharaohState, words: list[str]) -> PharaohState:
        lying = [
            (self.cell(cell), self.treasure(value))
            for cell, values in self.pairs(words, None).items()
            for value in self.parts(values)
        ]
        return replace(state, lying=tuple(sorted(lying)))

    def read_lost(self, state: PharaohState, words: list[str]) -> PharaohState:
        values = [self.treasure(word) for word in self.parts(self.only(words, "lost 3,mask"))]
        return replace(state, lost=tuple(sorted(values)))

    def read_unseen(self, state: PharaohState, words: list[str]) -> PharaohState:
        counts = self.pairs(words, TILE_NAMES)
        unseen = tuple(
            self.number(counts.get(name, "0"), name, 0, most)
            for name, most in zip(TILE_NAMES, _unseen(state.tiles, state.drawn), strict=True)
        )
        return replace(state, unseen=unseen)

    def read_restless(self, state: PharaohState, words: list[str]) -> PharaohState:
        if not words or state.options.restless is None:
            self.fail("with the option restless, write it as 'restless f6 ring=0'")
        values = self.pairs(words[1:], ("ring",))
        centre = self.cell(words[0])
        return replace(
            state,
            falls=fall_order(centre, state.start, state.options.ring),
            clock=(state.options.first - 1) % state.players,
            ring=self.number(values.get("ring", "0"), "ring", 0, 2 * SIZE),
        )

    def read_mask(self, state: PharaohState, words: list[str]) -> PharaohState:
        if not words:
            self.fail("write it as 'mask d4 finder=0 countdown=3' or 'mask d4 finder=0 clock=0 ring=0'")
        known = ("finder",) if state.falling else ("finder", "countdown", "clock", "ring")
        values = self.pairs(words[1:], known)
        if "finder" not in values or (not state.falling and ("countdown" in values) == ("clock" in values)):
            self.fail("the mask has a finder, and either a countdown or a clock")
        last = state.players - 1
        chamber = self.cell(words[0])
        found = replace(state, mask_chamber=chamber, finder=self.number(values["finder"], "finder", 0, last))
        if state.falling:
            return found
        return replace(
            found,
            falls=fall_order(chamber, state.start, state.options.ring),
            countdown=self.number(values["countdown"], "countdown", 1, COUNTDOWN + 1) if "countdown" in values else 0,
            clock=self.number(values["clock"], "clock", 0, last) if "clock" in values else NOWHERE,
            ring=self.number(values.get("ring", "0"), "ring", 0, 2 * SIZE),
        )

    def read_turn(self, state: PharaohState, words: list[str]) -> PharaohState:
        if not words:
            self.fail("write it as 'turn 0 moves=3'")
        values = self.pairs(words[1:], ("moves", "acts", "round", "ply", "stirred"))
        seat = self.number(words[0], "seat", 0, state.players - 1)
        number = self.number(values.get("round", "1"), "round", 1, state.options.max_rounds)
        return replace(
            state,
            actor=seat,
            turn=seat,
            moves_left=self.number(values.get("moves", str(MOVES)), "moves", 0, MOVES),
            acts_left=self.number(values.get("acts", str(FREE_ACTS)), "acts", 0, FREE_ACTS),
            round=number,
            plies=self.number(values.get("ply", "0"), "ply", 0),
            stirred=self.number(values.get("stirred", "0"), "stirred", 0, number if state.options.restless else 0),
        )

    def read_reveal(self, state: PharaohState, words: list[str]) -> PharaohState:
        if not words:
            self.fail("write it as 'reveal c4', with tile=tee when the tile has been drawn")
        site = self.cell(words[0])
        values = self.pairs(words[1:], ("tile", "photo", "due"))
        code = state.tiles[site]
        if is_chamber(code):
            photo = self.number(values.get("photo", "0"), "photo", 0, len(PHOTOS))
            most = PHOTOS[photo - 1].treasures if photo else 0
            due = self.number(values.get("due", str(most)), "due", min(most, 1), most)
            kind = FIRST_CHAMBER + code - CHAMBER_CODE
            return replace(state, actor=CHANCE, site=site, drawn=kind, photo=photo, due=due)
        if code != FACE_DOWN or "photo" in values or "due" in values:
            self.fail(f"{words[0]} must be face down on the map, or a chamber with a photo to come")
        if "tile" not in values:
            return replace(state, actor=CHANCE, site=site)
        passages = TILE_NAMES[:FIRST_CHAMBER]
        if values["tile"] not in passages:
            self.fail(f"{values['tile']!r} is no passage tile; they are {', '.join(passages)}")
        drawn = passages.index(values["tile"])
        return replace(state, site=site, drawn=drawn, unseen=_unseen(state.tiles, drawn))

    def read_over(self, state: PharaohState, words: list[str]) -> PharaohState:
        return replace(state, actor=None)

    # -- words

    def pairs(self, words: list[str], known: Iterable[str] | None) -> dict[str, str]:
        found: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not equals or not value or (known is not None and name not in known) or name in found:
                what = f" {', '.join(known)}" if known is not None else " cells"
                self.fail(f"{word!r} does not fit here; write NAME=VALUE, each name once, from{what}")
            found[name] = value
        return found

    def parts(self, word: str) -> list[str]:
        return word.split(",") if word else []

    def only(self, words: list[str], form: str) -> str:
        if len(words) != 1:
            self.fail(f"write it as '{form}'")
        return words[0]

    def cell(self, word: str) -> int:
        if word not in CELL_NUMBERS:
            self.fail(f"{word!r} is no cell; cells are a1 to f6")
        return CELL_NUMBERS[word]

    def figure(self, word: str) -> int:
        return NOWHERE if word == "lost" else self.cell(word)

    def treasure(self, word: str) -> int:
        names = {treasure_name(value): value for value in (*TREASURE_VALUES, MASK)}
        if word not in names:
            self.fail(f"{word!r} is no treasure; treasures are {', '.join(names)}")
        return names[word]

    def number(self, word: str, what: str, least: int, most: int | None = None) -> int:
        if (
            not word.isdecimal()
            or len(word) > MOST_DIGITS
            or int(word) < least
            or (most is not None and int(word) > most)
        ):
            limit = f"from {least}" if most is None else f"from {least} to {most}"
            self.fail(f"{what} is a whole number {limit}, not {word[:20]!r}")
        return int(word)

    def stack(self, state: PharaohState) -> tuple[int, ...]:
        out = _treasures_in_play(state)
        left = tuple(count - out.count(value) for value, count in zip(TREASURE_VALUES, TREASURE_COUNTS, strict=True))
        for value, count in zip(TREASURE_VALUES, left, strict=True):
            if count < 0:
                self.fail(f"the box has no more than {max(TREASURE_COUNTS)} treasures of {value}")
        return left


# -- whether it is possible and can be continued -----------------------------------------------------------------------


def faults(state: PharaohState) -> Iterator[str]:
    """The faults of a position, one sentence each."""
    yield from _wrong_figures(state)
    yield from _wrong_lamps(state)
    yield from _wrong_treasures(state)
    yield from _wrong_chambers(state)
    yield from _wrong_rings(state)
    yield from _wrong_rounds(state)
    yield from _wrong_draw(state)


def _treasures_in_play(state: PharaohState) -> list[int]:
    """The values of all treasures that have left the stack, the mask included."""
    lying = (value for _, value in state.lying)
    return [*lying, *filter(None, state.carried), *state.lost, *chain.from_iterable(state.museums)]


def _is_open(state: PharaohState, cell: int) -> bool:
    return state.tiles[cell] not in (FACE_DOWN, FALLEN)


def _wrong_figures(state: PharaohState) -> Iterator[str]:
    for seat in range(state.players):
        for cell in (state.archaeologists[seat], state.helpers[seat]):
            if cell != NOWHERE and not _is_open(state, cell):
                yield f"a figure of seat {seat} stands on {CELL_NAMES[cell]}, which does not lie open"
        if state.carried[seat] and state.archaeologists[seat] in (NOWHERE, state.start):
            yield f"seat {seat} can carry a treasure only inside the pyramid"
        if state.changed[seat] > state.plies:
            yield f"seat {seat}'s score cannot have changed after the last ply: write 'turn … ply=N'"


def _wrong_lamps(state: PharaohState) -> Iterator[str]:
    for seat, lamps in enumerate(state.lamps):
        if len(set(lamps)) < len(lamps) or len(lamps) + state.supplies[seat] > LAMPS:
            yield f"seat {seat} has {LAMPS} lamps, at most one on a cell"
        for cell in lamps:
            if not _is_open(state, cell) or cell == state.start:
                yield f"no lamp can stand on {CELL_NAMES[cell]}"


def _wrong_treasures(state: PharaohState) -> Iterator[str]:
    for cell, _ in state.lying:
        if not _is_open(state, cell) or cell == state.start:
            yield f"no treasure can lie on {CELL_NAMES[cell]}"
    if _treasures_in_play(state).count(MASK) != (state.mask_chamber != NOWHERE):
        yield "the mask is in one place if a line 'mask …' says where it was found, and nowhere if none does"


def _wrong_chambers(state: PharaohState) -> Iterator[str]:
    found = len(CHAMBER_NAMES) - sum(state.unseen[FIRST_CHAMBER:])
    taken = len(PHOTOS) - state.photos.count(NOWHERE)
    if taken > found:
        yield f"{taken} photos are taken, but only {found} chambers have been seen"
    if state.photo and state.photos[state.photo - 1] != state.turn:
        yield f"photo {state.photo} is being looked at, so it belongs to seat {state.turn}"


def _wrong_rings(state: PharaohState) -> Iterator[str]:
    gone: set[int] = set()
    if state.clock != NOWHERE:
        gone.update(cell for cell, number in enumerate(state.falls) if 0 <= number <= state.ring)
    for cell in CELLS:
        if (state.tiles[cell] == FALLEN) != (cell in gone):
            yield f"{CELL_NAMES[cell]} {'has' if cell in gone else 'has not'} fallen (x) after {state.ring} rings"
    if state.countdown and not is_chamber(state.tiles[state.mask_chamber]):
        yield f"the mask was found in a chamber, but {CELL_NAMES[state.mask_chamber]} holds none"


def _quiet_rounds_missing(state: PharaohState) -> int:
    """How many more quiet rounds there are before the pyramid's fall is announced; 1 if it never is (11.5)."""
    restless = state.options.restless
    return 1 if restless is None or state.falling else restless - (state.round - state.stirred)


def _wrong_rounds(state: PharaohState) -> Iterator[str]:
    if _quiet_rounds_missing(state) < 0:
        yield (
            f"after {state.options.restless} quiet rounds the pyramid falls by itself: write 'restless CELL ring=N', "
            "or 'turn … stirred=ROUND' for the last round in which a tile was revealed or points rose"
        )


def _wrong_draw(state: PharaohState) -> Iterator[str]:
    if any(count < 0 for count in state.unseen):
        yield "that tile is not in the box any more"
    if state.actor is CHANCE and not legal.draws(state):
        yield "nothing is left that could be drawn here"
    if state.site != NOWHERE and state.archaeologists[state.turn] == NOWHERE:
        yield f"seat {state.turn} has no archaeologist that could reveal anything"
