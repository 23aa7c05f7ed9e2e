"""What a simulation came to: a line per game, and what they say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from serai.arena.decisions import decisions_of
from serai.arena.series import Series
from serai.arena.statistics import Summary, summarise
from serai.bots.referee import Fault
from serai.core.errors import MissingExtra
from serai.core.game import Game
from serai.core.record import Record
from serai.core.rows import ACTIONS, BOTS, columns, kinds
from serai.core.simulation import Tally

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow


class Run:
    """Games that were played. ``rows`` is a NumPy table: ``run.rows["plies"]``, ``run.rows["share"][:, seat]``."""

    def __init__(
        self,
        game: Game,
        series: Series,
        rows: npt.NDArray[np.void],
        tally: Tally,
        faults: tuple[tuple[int, Fault], ...],
        seconds: float,
        record: Callable[[int], Record],
    ) -> None:
        self.game = game
        self.bots = series.bots
        """The names that the column ``bots`` counts."""
        self.seed = series.seed
        self.rows = rows
        self.faults = faults
        """What bots did wrong, each with the number of its game; empty unless faults were tolerated."""
        self.seconds = seconds
        self.record = record
        """``run.record(n)``: game ``n`` once more, written down."""
        self._tally = tally

    def __repr__(self) -> str:
        return f"<{len(self.rows)} games of {self.game.name}: {', '.join(self.bots)}, seed {self.seed}>"

    def __str__(self) -> str:
        return f"{self!r}\n{self.summary()}"

    def _repr_svg_(self) -> str:
        from serai.arena.picture import draw_summary

        return draw_summary(self.summary(), f"{self.game.name}: {', '.join(dict.fromkeys(self.bots))}")

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of actions that the column ``actions`` counts."""
        return kinds(self.game)

    def summary(self) -> Summary:
        """Victories, scores and lengths with their 95 % intervals."""
        return summarise(self._tally, self.bots)

    def flat(self) -> dict[str, Any]:
        """Every column by itself, one for each seat where it is by seat, with names where numbers stand for such."""
        return dict(flattened(self.game, self.bots, self.rows))

    def decisions(self) -> npt.NDArray[np.void]:
        """Every decision of these games (:mod:`serai.arena.decisions`), which are played once more for it."""
        import numpy as np

        return np.concatenate(
            [decisions_of(self.game, self.record(number), number) for number in self.rows["game"].tolist()]
        )

    def to_arrow(self) -> pyarrow.Table:
        """As an Arrow table."""
        return arrow_table(flattened(self.game, self.bots, self.rows))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        try:
            import pandas
        except ModuleNotFoundError:
            raise MissingExtra("data frames", "pandas", "data") from None
        return pandas.DataFrame(self.flat(), copy=False)

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars."""
        try:
            import polars
        except ModuleNotFoundError:
            raise MissingExtra("data frames", "polars", "data") from None
        return polars.DataFrame(self.flat())


def flattened(game: Game, bots: tuple[str, ...], rows: npt.NDArray[np.void]) -> Iterator[tuple[str, Any]]:
    """Each column as an array of one dimension, with its name."""
    import numpy as np

    for column in columns(game):
        labels = bots if column.name == BOTS else column.labels
        values = np.array(labels, object)[rows[column.name]] if labels else rows[column.name]
        if not column.by_seat:
            yield column.name, values
            continue
        for seat in range(values.shape[1]):
            yield f"{column.name}_{seat}", values[:, seat]
    for place, kind in enumerate(kinds(game)):
        for seat in range(rows[ACTIONS].shape[1]):
            yield f"{kind}_{seat}", rows[ACTIONS][:, seat, place]


def arrow_table(columns: Iterator[tuple[str, Any]]) -> pyarrow.Table:
    """Columns with their names as an Arrow table; words are stored once each, lists of a length side by side."""
    import numpy as np

    try:
        import pyarrow
    except ModuleNotFoundError:
        raise MissingExtra("Arrow tables", "pyarrow", "data") from None

    def column(values: Any) -> Any:
        if values.dtype == object:
            return pyarrow.array(values, pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
        if values.ndim == 2:
            return pyarrow.FixedSizeListArray.from_arrays(np.ascontiguousarray(values).ravel(), values.shape[1])
        return pyarrow.array(np.ascontiguousarray(values))

    return pyarrow.table({name: column(values) for name, values in columns})
