"""``sphinx``: searches over every step, tile and lamp by rollouts, against players as one meets them."""

from __future__ import annotations

from typing import ClassVar

from serai.pharaoh.bots.lynx import Searcher


class Sphinx(Searcher):
    """Takes the others for players as one meets them (:data:`serai.pharaoh.policy.styles.EXPECTED_PLAYERS`)."""

    policy: ClassVar[str] = "even"
    rollouts = 800
