"""A dataset of games: every game with its record, every decision in numbers, and a card that says what it holds."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from serai.arena.datasets import Export, arrow_table, by_column, decision_type, decisions_of, flattened
from serai.arena.simulate import Simulation
from serai.core.game import Game
from serai.errors import SeraiError, need

GAMES, DECISIONS, CARD = "games.parquet", "decisions.parquet", "README.md"


def write_dataset(simulation: Simulation, folder: Path, told: Callable[[int], None] = lambda games: None) -> int:
    """Play a simulation, write its dataset into a new folder, and return the number of decisions.

    ``simulation`` keeps records; ``told`` gets the number of games just written.
    """
    need("data", "Parquet files", "pyarrow")
    import numpy as np
    import pyarrow
    from pyarrow import parquet

    decision_type(simulation.game)  # raises if the game has no encoding
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise SeraiError(f"{str(folder)!r} is there already: name a folder that is not") from None
    except OSError as error:
        raise SeraiError(f"cannot make {str(folder)!r}: {error.strerror}") from None
    rows: list[Any] = []
    texts: list[str] = []
    decisions = 0
    with Export(folder / DECISIONS, by_column, lists=True) as export:
        for played in simulation.chunks():
            kept = {result.number: result.record for result in played.results}
            for number in played.numbers:
                record = kept.get(number) or simulation.record(number)
                made = decisions_of(simulation.game, record, number)
                export.write(made)
                texts.append(record.write())
                decisions += len(made)
            rows.append(played.rows)
            told(len(played.numbers))
    table = arrow_table(flattened(simulation.game, simulation.titles, np.concatenate(rows)))
    table = table.append_column("record", pyarrow.array(texts))
    parquet.write_table(table, folder / GAMES, compression="zstd")
    (folder / CARD).write_text(_card(simulation, len(texts), decisions), encoding="utf-8")
    return decisions


def _card(simulation: Simulation, games: int, decisions: int) -> str:
    """What the dataset holds, how it was made, and how it is read."""
    game, series = simulation.game, simulation.series
    encoding: Any = game.encoding
    options = " ".join(f"-o {name}={value}" for name, value in series.options.items() if _unusual(game, name, value))
    seats = "moved on by a seat after every game" if series.rotate else "stayed on their seats"
    if series.paired:
        seats += ", with the same dice until each has had every seat"
    command = f"serai dataset DIR {game.name} {' '.join(simulation.titles)} --games {games} --seed {series.seed}"
    return f"""# {games} games of {game.name}

| | |
|---|---|
| game | {game.name}, rules {game.version} |
| bots | {", ".join(simulation.titles)}; they {seats} |
| games, decisions | {games:,}, {decisions:,} |
| seed | `{series.seed}` |
| made by | `{" ".join(filter(None, (command, options)))}`, Serai {version("serai")} |

## Files

- `{GAMES}`: a line per game. `bots_N`, `share_N` and so on are those of seat N; `share` is the share of the victory;
  `record` is the whole game as text: a file for `serai replay`.
- `{DECISIONS}`: a line per decision. `game` is the number of the game, `ply` the place in its record, `seat` who
  decided, `action` the number of what was done, `observation` ({encoding.size} numbers) and `mask`
  ({len(encoding.actions)}) what that seat saw and might do; `share` and `{game.score_name}` are what the seat had
  in the end. Numbers are those of `game.encoding`: `encoding.features_of(observations)` makes features of them.

```python
import polars
decisions = polars.read_parquet("{DECISIONS}")
```

## Before you use it

Nobody but these bots plays here: what they never do is not in it, and their mistakes are. The same seed gives the same
games with the same version of Serai. An observation holds what the seat could see, and nothing that was hidden from it;
a record holds everything.
"""


def _unusual(game: Game, name: str, value: Any) -> bool:
    return any(option.name == name and option.default != value for option in game.options)
