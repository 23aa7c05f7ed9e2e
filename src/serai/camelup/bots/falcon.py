"""``falcon``: the search of ``cobra``, shorter, without a memory, and taking everybody for the same kind of player."""

from __future__ import annotations

from typing import ClassVar

from serai.camelup.bots.cobra import CobraBot


class FalconBot(CobraBot):
    """Sees the whole board but forgets when cards were laid, and expects all others to bet by the odds alone."""

    rollouts: int = 200
    policy: ClassVar[str] = "quick"
    most: ClassVar[int] = 8

    def watch(self, event: object) -> None:
        """Remember nothing."""
