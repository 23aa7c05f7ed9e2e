"""What a seat remembers: for how many rounds everybody has been waiting. Views show everything else."""

from __future__ import annotations

from typing import Final

from serai.core import Event
from serai.pharaoh.rules.events import CollapseBegan, MaskFound, TileOpened, TreasureBanked, TurnBegan

STANDOFF: Final = 3
"""After this many rounds without progress all players are waiting for one another."""


class WaitingMemory:
    """Counts the rounds in which nobody opened a tile or brought anything home, while the pyramid stands.

    Nobody likes to go first where thieves lie in wait, and others do not go first because one waits.
    """

    def __init__(self) -> None:
        self._round = self._last = 1
        self._hurried = False
        """Whether the pyramid falls, so that waiting does not pay."""

    @property
    def standoff(self) -> bool:
        """Whether everybody waits for somebody else to go first."""
        return not self._hurried and self._round - self._last >= STANDOFF

    def watch(self, event: Event) -> None:
        """Something happened."""
        match event:
            case TurnBegan(_, number):
                self._round = number
            case TileOpened() | TreasureBanked():
                self._last = self._round
            case MaskFound() | CollapseBegan():
                self._hurried = True
