"""Reviews at so little effort that many can be made: what must hold exactly holds with few playouts, too."""

from __future__ import annotations

import pytest

from serai.camelup.coaching import CamelUpCoaching
from serai.core.coaching import Coaching
from serai.pharaoh.coaching import PharaohCoaching


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few playouts of each position, and no reasons."""
    for coaching in (CamelUpCoaching, PharaohCoaching):
        monkeypatch.setattr(coaching, "playouts", 4)
        monkeypatch.setattr(coaching, "compared", 4)
        monkeypatch.setattr(coaching, "reasons", Coaching.reasons)
