"""Reviews at so little effort that many can be made: what must hold exactly holds with few playouts, too."""

from __future__ import annotations

import pytest

from serai.camelup.coach import CamelUpCoach
from serai.core.parts import Coach
from serai.pharaoh.coach import PharaohCoach


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few playouts of each position, and no reasons."""
    for coach in (CamelUpCoach, PharaohCoach):
        monkeypatch.setattr(coach, "playouts", 4)
        monkeypatch.setattr(coach, "compared", 4)
        monkeypatch.setattr(coach, "reasons", Coach.reasons)
        monkeypatch.setattr(coach, "parts", ())
