"""What errors and reasons say in English: the values of a key put into its sentence."""

from __future__ import annotations

import pytest

from serai.core.parts import Reason
from serai.errors import BadOptions


@pytest.mark.parametrize(("moves", "said"), [(0, "0 moves"), (1, "1 move"), (2, "2 moves")])
def test_what_is_counted_is_said_in_its_number(moves: int, said: str) -> None:
    values = {"seats": (0,), "value": 3, "share": 50, "before": 70, "moves": moves, "instead": 4}
    assert f"it is {said} from home" in str(Reason("coach.pharaoh.gets.home_far", values))


def test_numbers_that_count_nothing_are_said_as_they_are() -> None:
    assert (
        str(BadOptions("core.players", game="camelup", players=1, least=2, most=8))
        == "camelup takes 2 to 8 players, not 1"
    )
    rolls = Reason("coach.camelup.gets.pyramid", {"seats": (1,), "pounds": 1})
    assert str(rolls) == "rolling brings seat 1 +1.0 pounds on average"


def test_a_key_without_a_sentence_says_itself() -> None:
    assert str(Reason("nobody.knows", {"moves": 1})) == "nobody.knows (moves=1)"


def test_of_a_long_value_only_the_beginning_is_repeated() -> None:
    error = BadOptions("core.option.unknown", game="camelup", name="x" * 100_000, known=())
    assert len(str(error)) < 400
    assert len(error.values["name"]) < 400
