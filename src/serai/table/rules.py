"""What people agree on when a table is made, beside the game's own options: one value, the same wherever it is told."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from serai.core.game import Game
from serai.core.option import FIRST
from serai.table.errors import Refusal

Clock = Literal[0, 30, 60, 180, 600, 86_400]
"""Seconds a turn; 0 for as long as it takes."""
PUBLIC_CLOCK: Clock = 180
"""Where strangers meet, nobody shall have to wait for one who has gone without a word."""


class TableRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's rules. They stand from its making on, and a rematch keeps them."""

    odds: bool = True
    """Whether those around the table may look at the odds, where the game has them."""
    hints: bool = False
    """Whether players may ask what the coach would do, where the game has one. Not among strangers, who could not tell
    who asks for what; nor on one screen, where what a seat knows would be told to all.
    """
    advice: bool = True
    """Whether the game tells why not, how far and what comes, where it can; otherwise people play by the book."""
    clock: Clock | None = None
    """Seconds a turn, 0 for no clock. Left out when a table is made: what is usual, 180 if public, else 0."""
    one_device: bool = False
    """Whether all sit at one screen: nothing is told there that not everybody may see, but what may be done."""
    draw_first: bool = False
    """Whether the dealer draws who begins, whatever the options say."""
    public: bool = False
    """Whether strangers find the table; if so, only ready-made phrases are said there."""


def settled(wanted: TableRules, game: Game) -> TableRules:
    """The rules of a new table of this game: nothing left open, nothing asked for that cannot be done."""
    if wanted.hints and not game.has_coach:
        raise Refusal("table.cannot", rule="hints", game=game.name)
    if wanted.hints and (wanted.public or wanted.one_device):
        raise Refusal("table.hints_private")
    if wanted.draw_first and FIRST not in {option.name for option in game.options}:
        raise Refusal("table.cannot", rule="draw_first", game=game.name)
    if wanted.clock is not None:
        return wanted
    return replace(wanted, clock=PUBLIC_CLOCK if wanted.public else 0)
