"""``jerboa``: backs the leader, else rolls. It needs no odds and no extra."""

from __future__ import annotations

import random
from typing import Final

from serai.camelup.bots import JERBOA_FAR, JERBOA_FINISH, JERBOA_TILES
from serai.camelup.rules.actions import AnyAction, Leg, Roll, Winner
from serai.camelup.rules.rules import CamelUpState
from serai.camelup.rules.track import ranking


class JerboaBot:
    """Takes the leader's better leg tiles, and its card once that has come far; a second one at the finish."""

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """A leg tile of the leader, or the card of the leader, or a roll."""
        leader = ranking(view.track)[0]
        if len(view.leg_bets[leader]) < JERBOA_TILES:
            return Leg(leader)
        laid = any(seat == view.turn for seat, _ in view.winner_deck)
        far = any(leader in stack for stack in view.track[JERBOA_FINISH if laid else JERBOA_FAR :])
        return Winner(leader) if far and leader in view.hands[view.turn] else _ROLL


_ROLL: Final = Roll()
