"""Levels that play by temper alone, without looking ahead: ``scarab``, ``gecko`` and ``jackal``, weakest first."""

from __future__ import annotations

import random
from typing import ClassVar

from serai.pharaoh.actions import ALL_ACTIONS, AnyAction
from serai.pharaoh.rules import PharaohState


class TemperBot:
    """Does what the compiled policy does with the temper of its name."""

    name: ClassVar[str]

    def decide(self, view: PharaohState, rng: random.Random) -> AnyAction:
        """The first thing that this temper thinks of."""
        from serai.pharaoh.thinking import first_thought

        return ALL_ACTIONS[first_thought(view, self.name, rng.getrandbits(64))]

    def warm_up(self) -> None:
        """Have the policy compiled."""
        from serai.pharaoh.game import GAME

        self.decide(GAME.new(), random.Random(0))


class Scarab(TemperBot):
    """A tourist with a torch: turns over whatever is next, picks up what lies there, harms nobody, lights nothing."""

    name = "scarab"


class Gecko(TemperBot):
    """A careful collector: lights the way, fetches one thing after the other and is out long before the ceiling."""

    name = "gecko"


class Jackal(TemperBot):
    """A thief: robs whoever is in reach, bars the way of carriers and wants the mask."""

    name = "jackal"
