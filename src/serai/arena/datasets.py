"""Tables of games and of decisions, and files of them: Parquet, CSV or JSON lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from serai.core.game import Game
from serai.core.record import Record, replay
from serai.errors import SeraiError, need
from serai.lab.rows import ACTIONS, BOTS, columns, kinds

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow

Columns = Callable[[Any], Iterator[tuple[str, Any]]]
"""Yields each column of rows with its name; a column of two dimensions holds a list for each line."""

_GROUP = 1 << 16
"""Lines of a Parquet row group."""


class Export:
    """A file that rows are written to. What was written stays if it is closed early."""

    def __init__(self, path: Path, columns: Columns, *, lists: bool = False) -> None:
        """Create it; ``SeraiError`` says what is wrong with the path. ``lists``: some columns hold lists."""
        writers: dict[str, type[_Writer]] = {".parquet": _Parquet, ".jsonl": _JsonLines}
        if not lists:
            writers[".csv"] = _Csv
        writer = writers.get(path.suffix.lower())
        if writer is None:
            raise SeraiError(f"{str(path)!r} has no known ending: use one of {', '.join(writers)}")
        self.path = path
        self._draft = path.with_name(f".{path.name}.part")
        try:
            self._writer = writer(self._draft, columns)
        except OSError as error:
            raise SeraiError(f"cannot write {str(path)!r}: {error.strerror}") from None
        self.write = self._writer.write

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._writer.close()
        self._draft.replace(self.path)


class _Writer:
    """Writes rows to a file of one kind."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self._file = path.open("wb")
        self._columns = columns

    def write(self, rows: npt.NDArray[np.void]) -> None:
        """Add these rows."""
        raise NotImplementedError

    def close(self) -> None:
        self._file.close()


class _JsonLines(_Writer):
    def write(self, rows: npt.NDArray[np.void]) -> None:
        names, values = zip(*self._columns(rows), strict=True)
        lines = zip(*(column.tolist() for column in values), strict=True)
        self._file.write(msgspec.json.Encoder().encode_lines(dict(zip(names, line, strict=True)) for line in lines))


class _Csv(_Writer):
    def write(self, rows: npt.NDArray[np.void]) -> None:
        names, values = zip(*self._columns(rows), strict=True)
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        if not self._file.tell():
            writer.writerow(names)
        writer.writerows(zip(*(column.tolist() for column in values), strict=True))
        self._file.write(text.getvalue().encode())


class _Parquet(_Writer):
    def __init__(self, path: Path, columns: Columns) -> None:
        need("data", "Parquet files", "pyarrow")
        super().__init__(path, columns)
        self._writer: Any = None
        self._waiting: list[npt.NDArray[np.void]] = []

    def write(self, rows: npt.NDArray[np.void]) -> None:
        self._waiting.append(rows)
        if sum(map(len, self._waiting)) >= _GROUP:
            self._flush()

    def close(self) -> None:
        self._flush()
        if self._writer is not None:
            self._writer.close()
        super().close()

    def _flush(self) -> None:
        import numpy as np
        from pyarrow import parquet

        if not self._waiting:
            return
        table = arrow_table(self._columns(np.concatenate(self._waiting)))
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._file, table.schema, compression="zstd")
        self._writer.write_table(table)
        self._waiting.clear()


def arrow_table(columns: Iterator[tuple[str, Any]]) -> pyarrow.Table:
    """Columns with their names as an Arrow table; texts become a dictionary, lists of one length fixed-size lists."""
    need("data", "Arrow tables", "pyarrow")
    import numpy as np
    import pyarrow

    def column(values: Any) -> Any:
        if values.dtype == object:
            return pyarrow.array(values, pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
        if values.ndim == 2:
            return pyarrow.FixedSizeListArray.from_arrays(np.ascontiguousarray(values).ravel(), values.shape[1])
        return pyarrow.array(np.ascontiguousarray(values))

    return pyarrow.table({name: column(values) for name, values in columns})


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


# -- decisions ---------------------------------------------------------------------------------------------------------


def decision_type(game: Game) -> np.dtype[np.void]:
    """The type of a row; observation, mask and action are numbers of ``game.encoding``."""
    import numpy as np

    encoding = _encoding(game)
    return np.dtype(
        [
            ("game", "i8"),
            ("ply", "i4"),
            ("seat", "u1"),
            ("action", "i2"),
            ("share", "f4"),
            (game.score_name, "i4"),
            ("observation", "i2", (encoding.size,)),
            ("mask", "u1", (len(encoding.actions),)),
        ]
    )


def decisions_of(game: Game, record: Record, number: int = 0) -> npt.NDArray[np.void]:
    """The decisions of a game in order; ``share`` and score are those of the seat at its end."""
    import numpy as np

    encoding = _encoding(game)
    plies = list(replay(record))
    end = plies[-1].after
    scores, winners = end.scores(), end.leaders()
    made = [(place, ply) for place, ply in enumerate(plies) if not ply.drawn]
    rows = np.empty(len(made), decision_type(game))
    for row, (place, ply) in zip(rows, made, strict=True):
        seat = ply.before.actor
        view = ply.before.seen_by(seat)
        row["game"], row["ply"], row["seat"] = number, place, seat
        row["action"] = encoding.number(ply.action)
        row["share"] = (seat in winners) / len(winners)
        row[game.score_name] = scores[seat]
        row["observation"] = encoding.observation(view)
        row["mask"] = encoding.mask(view)
    return rows


def by_column(rows: npt.NDArray[np.void]) -> Iterator[tuple[str, Any]]:
    """Each column with its name, as :class:`Export` takes them."""
    assert rows.dtype.names is not None
    for name in rows.dtype.names:
        yield name, rows[name]


def _encoding(game: Game) -> Any:
    encoding = game.encoding
    if encoding is None:
        raise SeraiError(f"{game.name} has no encoding, so its decisions cannot be written as numbers")
    return encoding
