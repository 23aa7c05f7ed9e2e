"""``falcon``: the search of ``cobra``, shorter and without a memory."""

from __future__ import annotations

from typing import ClassVar

from serai.camelup.bots.cobra import CobraBot


class FalconBot(CobraBot):
    """Sees the whole board but forgets when cards were laid, so it knows less of what lies face down."""

    rollouts: int = 1200
    most: ClassVar[int] = 8

    def watch(self, event: object) -> None:
        """Remember nothing."""
