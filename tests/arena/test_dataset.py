"""A dataset holds every game with its record and every decision, and says what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars
import pytest

import serai
from serai.arena.dataset import CARD, DECISIONS, GAMES, write_dataset
from serai.arena.simulate import Simulation
from serai.core.record import Record, verify
from serai.errors import SeraiError

EXAMPLE = Path(__file__).parents[2] / "examples/dataset"


@pytest.mark.parametrize(
    ("name", "bots", "options"),
    [("camelup", ["quick", "jerboa", "random"], {}), ("pharaoh", ["explorer", "random"], {"max_rounds": 4})],
)
def test_games_can_be_replayed_from_it_and_decisions_read(
    name: str, bots: list[str], options: dict[str, Any], tmp_path: Path
) -> None:
    game: Any = serai.game(name)
    simulation = Simulation(game, bots, games=4, seed="x", rotate=True, keep_records=True, **options)
    decisions = write_dataset(simulation, tmp_path / "made")
    games, lines = (polars.read_parquet(tmp_path / "made" / file) for file in (GAMES, DECISIONS))
    assert len(games) == 4
    assert len(lines) == decisions > 0
    assert {f"bots_{seat}" for seat in range(len(bots))} <= set(games.columns)
    for number, text in enumerate(games["record"]):
        record = Record.read(text)
        assert verify(record).finished
        mine = lines.filter(polars.col("game") == number)
        assert [str(game.encoding.action(action)) for action in mine["action"]] == [
            record.actions[ply] for ply in mine["ply"]
        ]
        assert all(mask[action] for mask, action in zip(mine["mask"], mine["action"], strict=True))
    card = (tmp_path / "made" / CARD).read_text()
    assert f"| games, decisions | 4, {decisions:,} |" in card
    assert ("-o max_rounds=4" in card) is (name == "pharaoh")
    with pytest.raises(SeraiError, match="is there already"):
        write_dataset(simulation, tmp_path / "made")


def test_the_example_is_what_its_card_says() -> None:
    games, decisions = (polars.read_parquet(EXAMPLE / file) for file in (GAMES, DECISIONS))
    card = (EXAMPLE / CARD).read_text()
    assert f"| games, decisions | {len(games):,}, {len(decisions):,} |" in card
    assert {Record.read(text).game for text in games["record"]} == {"camelup"}
