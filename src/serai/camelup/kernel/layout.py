"""How a game lies in memory for compiled code: one row of 16-bit numbers per game, one number per action.

No numba and no rules here: the kernel, the compiled odds and the bridge all read these offsets. Bases are offsets into
a row; a field "by seat" is at ``BASE + seat``, "by camel" at ``BASE + camel``. Seats beyond ``PLAYERS`` hold 0.
"""

from __future__ import annotations

from typing import Final

from serai.camelup.bots import STYLED

MAX_SEATS: Final = 8
CAMEL_COUNT: Final = 5
DECK_SIZE: Final = MAX_SEATS * CAMEL_COUNT
"""No deck can grow beyond every card of every player."""

# -- a game's row ------------------------------------------------------------------------------------------------------

PLAYERS: Final = 0
FIRST: Final = 1
"""Option: the seat that began the game."""
HIDE_MONEY: Final = 2
"""Option, 0 or 1; it changes nothing in the game."""
ACTOR: Final = 3
"""The seat to act, or one of the two below."""
CHANCE_ACTS: Final = -1
NOBODY_ACTS: Final = -2
LEG: Final = 4
"""0 while the camels are placed, then 1, 2, …"""
TURN: Final = 5
MARKER: Final = 6
WINNER_COUNT: Final = 7
"""Cards on the winner deck."""
LOSER_COUNT: Final = 8
ORDER: Final = 9
"""Five camels from last to first: ascending by space, bottom to top within a space. ``row[ORDER + 4]`` leads.

While the camels are placed, those still to come count as standing on space 0, by colour.
"""
SPACE: Final = ORDER + CAMEL_COUNT
"""By camel: where it stands, 0 before it is placed."""
TENT: Final = SPACE + CAMEL_COUNT
"""By camel: the number on its die, 0 while the die is in the pyramid."""
LEG_TAKEN: Final = TENT + CAMEL_COUNT
"""By camel: how many of its leg tiles are taken."""
LEG_TILE: Final = LEG_TAKEN + CAMEL_COUNT
"""``LEG_TILE + 3 * camel + k``: the seat that holds the k-th tile (worth 5, 3, 2), ``-1`` while it is there to take."""
PYRAMID: Final = LEG_TILE + 3 * CAMEL_COUNT
"""By seat: pyramid tiles taken in this leg."""
DESERT: Final = PYRAMID + MAX_SEATS
"""By seat: +space (oasis), -space (mirage), 0 while the tile lies in front of its owner."""
MONEY: Final = DESERT + MAX_SEATS
"""By seat: pounds."""
HAND: Final = MONEY + MAX_SEATS
"""By seat: the race cards in hand, bit ``1 << camel``; :data:`HIDDEN_HAND` in a view that does not show them."""
HIDDEN_HAND: Final = -1
WINNER_DECK: Final = HAND + MAX_SEATS
"""The cards of the winner deck, the first laid first, each as ``seat << 3 | camel``; ``-1`` behind the last."""
LOSER_DECK: Final = WINNER_DECK + DECK_SIZE
HIDDEN_CAMEL: Final = 7
"""Stands for the colour of a card that a view does not show."""
ROW_SIZE: Final = LOSER_DECK + DECK_SIZE

# -- actions, in the order in which actions() lists them ---------------------------------------------------------------

FIRST_DESERT_SPACE: Final = 2
DESERT_SPACES: Final = 15
"""Spaces 2 to 16."""
LEG_ACTION: Final = 0
"""``+ camel``"""
OASIS_ACTION: Final = LEG_ACTION + CAMEL_COUNT
"""``+ space - FIRST_DESERT_SPACE``"""
MIRAGE_ACTION: Final = OASIS_ACTION + DESERT_SPACES
ROLL_ACTION: Final = MIRAGE_ACTION + DESERT_SPACES
WINNER_ACTION: Final = ROLL_ACTION + 1
"""``+ camel``"""
LOSER_ACTION: Final = WINNER_ACTION + CAMEL_COUNT
PLAYER_ACTIONS: Final = LOSER_ACTION + CAMEL_COUNT
"""How many different actions a player can ever have: 46."""
DIE_ACTION: Final = PLAYER_ACTIONS
"""Chance: ``+ 3 * camel + pips - 1``"""
ALL_ACTIONS: Final = DIE_ACTION + 3 * CAMEL_COUNT
"""61: a set of actions fits into the bits of one 64-bit number."""

# -- what a player sees, as numbers: seats are counted from the observer, who is 0 -------------------------------------

MOST_SEEN: Final = 127
"""Larger numbers are cut to this: every number fits into eight bits with a sign."""
SEEN_PLAYERS: Final = 0
SEEN_LEG: Final = 1
SEEN_TURN: Final = 2
"""Whose turn it is."""
SEEN_MARKER: Final = 3
SEEN_SPACE: Final = 4
"""By camel: where it stands."""
SEEN_RANK: Final = SEEN_SPACE + CAMEL_COUNT
"""By camel: how many camels are behind it; 4 leads."""
SEEN_TENT: Final = SEEN_RANK + CAMEL_COUNT
SEEN_LEG_TILE: Final = SEEN_TENT + CAMEL_COUNT
"""As ``LEG_TILE``."""
SEEN_PYRAMID: Final = SEEN_LEG_TILE + 3 * CAMEL_COUNT
"""By seat, as are the next three."""
SEEN_DESERT: Final = SEEN_PYRAMID + MAX_SEATS
SEEN_MONEY: Final = SEEN_DESERT + MAX_SEATS
SEEN_CARDS: Final = SEEN_MONEY + MAX_SEATS
"""How many race cards are left in that hand."""
SEEN_HAND: Final = SEEN_CARDS + MAX_SEATS
"""By camel: 1 if the observer still holds that card."""
SEEN_OWN_WINNER: Final = SEEN_HAND + CAMEL_COUNT
"""By camel: at which place of the winner deck (from 1) the observer's card lies, 0 if it does not."""
SEEN_OWN_LOSER: Final = SEEN_OWN_WINNER + CAMEL_COUNT
SEEN_WINNER_DECK: Final = SEEN_OWN_LOSER + CAMEL_COUNT
"""Who laid the cards of the winner deck, in order; ``-1`` behind the last. Colours of others are never here."""
SEEN_LOSER_DECK: Final = SEEN_WINNER_DECK + DECK_SIZE
SEEN_SIZE: Final = SEEN_LOSER_DECK + DECK_SIZE

# -- compiled bots -----------------------------------------------------------------------------------------------------

POLICIES: Final = {
    name: number for number, name in enumerate(("random", "quick", "greedy", "jerboa", "donkey", *STYLED))
}
"""The number of each compiled bot, by its name."""
QUICK_POLICY, GREEDY_POLICY, JERBOA_POLICY, DONKEY_POLICY, FENNEC_POLICY = list(POLICIES.values())[1:6]
"""Those from :data:`FENNEC_POLICY` on are of :data:`serai.camelup.bots.STYLED`."""
LIGHT_POLICIES: Final = ("random", "quick", "jerboa", "donkey")
"""Those that need few scratch arrays, for which a GPU has room."""
