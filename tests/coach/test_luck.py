"""The luck of a game alone is the luck in a review of it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from serai.coach import luck, review
from serai.core.record import Record
from serai.errors import SeraiError

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("game", ["camelup", "pharaoh"])
def test_luck_is_that_of_a_review_with_open_cards(game: str) -> None:
    file = min(GOLDEN.glob(f"{game}/*.serai"), key=lambda file: file.stat().st_size)
    record = Record.read(file.read_text())
    found = luck(record, effort="low", seed=3)
    judged = review(record, seat=1, effort="low", seed=3, openly=True)
    assert found[1] == pytest.approx(judged.accounts[0].wins.chance, abs=1e-9)
    assert any(found)


def test_nothing_is_told_of_a_game_that_goes_on() -> None:
    record = Record.read((GOLDEN / "camelup" / "plain-42.serai").read_text())
    with pytest.raises(SeraiError, match="not over"):
        luck(msgspec.structs.replace(record, result=None))
