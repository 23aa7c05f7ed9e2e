"""The actions of Camel Up: small values whose ``str()`` is their notation, and the list of them all."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from serai.camelup.rules.pieces import CAMEL_NAMES, CAMELS, FACES, FIRST_DESERT_SPACE, LAST_SPACE, MIRAGE, OASIS, Deck
from serai.core import Action


class Leg(Action, frozen=True, tag="leg"):
    """Take the top leg tile of a colour (rule 3.2)."""

    kind: ClassVar[Literal["leg"]] = "leg"
    camel: int

    def __str__(self) -> str:
        return f"leg {CAMEL_NAMES[self.camel]}"


class Oasis(Action, frozen=True, tag="oasis"):
    """Put or move the own desert tile, oasis up (rule 3.3)."""

    kind: ClassVar[Literal["oasis"]] = "oasis"
    space: int
    side: ClassVar[int] = OASIS

    def __str__(self) -> str:
        return f"oasis {self.space}"


class Mirage(Action, frozen=True, tag="mirage"):
    """Put or move the own desert tile, mirage up (rule 3.3)."""

    kind: ClassVar[Literal["mirage"]] = "mirage"
    space: int
    side: ClassVar[int] = MIRAGE

    def __str__(self) -> str:
        return f"mirage {self.space}"


class Roll(Action, frozen=True, tag="roll"):
    """Take a pyramid tile and let a die move its camel (rule 3.4).

    The die is a chance action of its own.
    """

    kind: ClassVar[Literal["roll"]] = "roll"

    def __str__(self) -> str:
        return "roll"


class _Bet(Action, frozen=True):
    """Lay a race card face down (rule 3.5); seen by others its colour is ``None``."""

    camel: int | None
    deck: ClassVar[Deck]

    def seen_by(self, seat: int | None, actor: int | None = None) -> Self:
        if seat is not None and seat == actor:
            return self
        return type(self)(None)

    def __str__(self) -> str:
        return f"{self.deck} {'?' if self.camel is None else CAMEL_NAMES[self.camel]}"


class Winner(_Bet, frozen=True, tag="winner"):
    """Lay a race card on the deck for the overall winner."""

    kind: ClassVar[Literal["winner"]] = "winner"
    deck: ClassVar[Deck] = "winner"


class Loser(_Bet, frozen=True, tag="loser"):
    """Lay a race card on the deck for the overall loser."""

    kind: ClassVar[Literal["loser"]] = "loser"
    deck: ClassVar[Deck] = "loser"


class Die(Action, frozen=True, tag="die"):
    """A die comes out of the pyramid (chance)."""

    kind: ClassVar[Literal["die"]] = "die"
    camel: int
    pips: int

    def __str__(self) -> str:
        return f"die {CAMEL_NAMES[self.camel]} {self.pips}"


AnyAction = Leg | Oasis | Mirage | Roll | Winner | Loser | Die

_DESERT_SPACES = range(FIRST_DESERT_SPACE, LAST_SPACE + 1)
ALL_ACTIONS: tuple[AnyAction, ...] = (
    *map(Leg, CAMELS),
    *map(Oasis, _DESERT_SPACES),
    *map(Mirage, _DESERT_SPACES),
    Roll(),
    *map(Winner, CAMELS),
    *map(Loser, CAMELS),
    *(Die(camel, pips) for camel in CAMELS for pips in FACES),
)
"""Every possible action, in the order of ``actions()``; its index is its number in compiled code."""
