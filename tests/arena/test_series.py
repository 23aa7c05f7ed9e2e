"""Series of games: bots that can be made faster are, before they play."""

from __future__ import annotations

from pathlib import Path

from serai.arena.series import Series, play_series

BOT = """
class Bot:
    warm = False

    def warm_up(self):
        self.warm = True

    def decide(self, view, rng):
        assert self.warm
        return rng.choice(view.actions())
"""


def test_every_bot_of_a_series_is_warmed_up(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    series = Series("camelup", (f"{tmp_path / 'bot.py'}:Bot", "random"), {}, games=2, seed="1")
    for jobs in (1, 2):
        assert [played.faults for played in play_series(series, jobs)] == [(), ()]
