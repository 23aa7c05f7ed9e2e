"""Every decision of games, for learning from play: what was seen, could be done, was done, and came of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from serai.core.errors import SeraiError
from serai.core.game import Game
from serai.core.record import Record, replay

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def decision_type(game: Game) -> np.dtype[np.void]:
    """How a decision lies in memory; observation, mask and action are numbers of ``game.encoding``."""
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
    """The decisions of a finished game in order; ``share`` and score are what the seat had in the end."""
    import numpy as np

    encoding = _encoding(game)
    plies = list(replay(record))
    end = plies[-1].after
    scores, winners = end.scores(), end.winners()
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
    """Each column with its name, as :class:`serai.arena.datasets.Export` wants them."""
    assert rows.dtype.names is not None
    for name in rows.dtype.names:
        yield name, rows[name]


def _encoding(game: Game) -> Any:
    encoding = game.encoding
    if encoding is None:
        raise SeraiError(f"{game.name} has no encoding, so its decisions cannot be told in numbers")
    return encoding
