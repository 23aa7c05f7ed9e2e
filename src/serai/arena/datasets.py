"""Tables as files: Parquet, CSV or JSON lines, written as the games are played."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

import msgspec

from serai.arena.run import arrow_table
from serai.core.errors import MissingExtra, SeraiError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Columns = Callable[[Any], Iterator[tuple[str, Any]]]
"""Tells lines column by column, each with its name; a column of two dimensions holds a list for each line."""

_GROUP = 1 << 16
"""Lines that Parquet keeps together."""


class _Form(Protocol):
    """One kind of file."""

    def write(self, rows: npt.NDArray[np.void]) -> None: ...
    def close(self) -> None: ...


class Export:
    """A file that takes lines. What was written when it is closed stays, however much was still to come."""

    def __init__(self, path: Path, columns: Columns, *, lists: bool = False) -> None:
        """Begin it; ``SeraiError`` says what is wrong with the path. ``lists``: some columns hold such."""
        forms: dict[str, Callable[[Path, Columns], _Form]] = {".parquet": _Parquet, ".jsonl": _JsonLines}
        if not lists:
            forms[".csv"] = _Csv
        form = forms.get(path.suffix.lower())
        if form is None:
            raise SeraiError(f"{str(path)!r} ends in no format that is known: use one of {', '.join(forms)}")
        self.path = path
        self._draft = path.with_name(f".{path.name}.part")
        try:
            self._form: _Form = form(self._draft, columns)
        except OSError as error:
            raise SeraiError(f"cannot write {str(path)!r}: {error.strerror}") from None

    def write(self, rows: npt.NDArray[np.void]) -> None:
        """Add these games."""
        self._form.write(rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._form.close()
        self._draft.replace(self.path)


class _Parquet:
    def __init__(self, path: Path, columns: Columns) -> None:
        try:
            import pyarrow.parquet  # noqa: F401 (asked for early: better before many games than behind them)
        except ModuleNotFoundError:
            raise MissingExtra("Parquet files", "pyarrow", "data") from None
        self._path, self._columns = path, columns
        self._path.open("wb").close()
        self._writer: Any = None
        self._waiting: list[npt.NDArray[np.void]] = []
        self._count = 0

    def write(self, rows: npt.NDArray[np.void]) -> None:
        self._waiting.append(rows)
        self._count += len(rows)
        if self._count >= _GROUP:
            self._flush()

    def close(self) -> None:
        self._flush()
        if self._writer is not None:
            self._writer.close()

    def _flush(self) -> None:
        import numpy as np
        from pyarrow import parquet

        if not self._waiting:
            return
        table = arrow_table(self._columns(np.concatenate(self._waiting)))
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._path, table.schema, compression="zstd")
        self._writer.write_table(table)
        self._waiting.clear()
        self._count = 0


class _Csv:
    def __init__(self, path: Path, columns: Columns) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._columns = columns
        self._writer = csv.writer(self._file)
        self._begun = False

    def write(self, rows: npt.NDArray[np.void]) -> None:
        names, values = zip(*self._columns(rows), strict=True)
        if not self._begun:
            self._writer.writerow(names)
            self._begun = True
        self._writer.writerows(zip(*(column.tolist() for column in values), strict=True))

    def close(self) -> None:
        self._file.close()


class _JsonLines:
    def __init__(self, path: Path, columns: Columns) -> None:
        self._file = path.open("wb")
        self._columns = columns

    def write(self, rows: npt.NDArray[np.void]) -> None:
        names, values = zip(*self._columns(rows), strict=True)
        lines = zip(*(column.tolist() for column in values), strict=True)
        self._file.write(msgspec.json.Encoder().encode_lines(dict(zip(names, line, strict=True)) for line in lines))

    def close(self) -> None:
        self._file.close()
