"""``jerboa``: backs whoever leads just now, and loves to roll. It needs no odds, and nothing installed."""

from __future__ import annotations

import random
from typing import Final

from serai.camelup.actions import AnyAction, Leg, Roll, Winner
from serai.camelup.kernel.layout import JERBOA_FAR, JERBOA_TILES
from serai.camelup.rules import CamelUpState
from serai.camelup.track import ranking


class JerboaBot:
    """Takes the leader's leg tiles while they are worth something; believes in it for good once it has come far."""

    def decide(self, view: CamelUpState, rng: random.Random) -> AnyAction:
        """A leg tile of the leader, or its card, or a roll."""
        leader = ranking(view.track)[0]
        if len(view.leg_bets[leader]) < JERBOA_TILES:
            return Leg(leader)
        far = any(leader in stack for stack in view.track[JERBOA_FAR:])
        return Winner(leader) if far and leader in view.hands[view.turn] else _ROLL


_ROLL: Final = Roll()
