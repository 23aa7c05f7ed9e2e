"""The published results of a ladder: the page, its charts, and the file in the game's folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from serai.arena.tournament.report import Report, against_time, duration, rating_bars, who_beats_whom
from serai.bots.ladder import Ladder, Rung
from serai.core.registry import game as find_game

WORDS = Path(__file__).parents[1] / "locales" / "en.json"
_INTRODUCTION = """# The ladder

Ratings of all bots of each game, from games against each other. One command plays the games and writes this page, its
charts and the standings that the page of a new table shows:

```sh
make ladder                      # or: python -m ladder GAME --jobs 8
```

It can be stopped and continued. Every game is stored in `ladder/GAME.arena`, a file of [the arena](arena.md);
`serai arena ladder/GAME.arena --show --html report.html` shows more. `ladder/GAME.toml` names the bots, the number of
games and the seed. Search bots use their number of rollouts alone, without the clock they have at a live table, so the
same seed gives the same games on any machine. Only times differ: they were measured without clocks, on a machine with
other work; [strength.md](strength.md#time) has the time per decision at a table.

Ratings are [Plackett and Luce's](arena.md#what-ratings-mean) by victories, which is what bots play for, on the scale of
Elo: 400 points are odds of ten to one between two. Intervals are 95 %, from groups of games with equal dice. *Without
luck* has the same figures with [the luck of the draws subtracted](arena.md#luck-taken-out). All bots meet equally
often, so shares of victory and mean places can be compared. [strength.md](strength.md) describes how each bot plays.
"""


def published(report: Report) -> Ladder:
    """The file in a game's folder."""
    tournament, standings = report.tournament, report.standings
    return Ladder(
        game=tournament.game,
        rules=tournament.rules,
        serai=version("serai"),
        seats=tournament.seats,
        games=standings.games,
        seed=report.secret or "",
        anchor=tournament.anchor,
        rungs=tuple(
            Rung(
                bot=one.name,
                rating=round(one.rating, 3),
                low=round(one.low, 3),
                high=round(one.high, 3),
                wins=round(one.wins, 4),
                mean_place=round(one.mean_place, 3),
                score=round(one.score, 2),
                games=one.games,
            )
            for one in standings.entrants
        ),
    )


def chart_files(report: Report) -> dict[str, str]:
    """The charts by the names of their files."""
    game, entrants = report.tournament.game, report.standings.entrants
    return {
        f"ladder-{game}-ratings.svg": rating_bars(entrants),
        f"ladder-{game}-time.svg": against_time(entrants),
        f"ladder-{game}-pairs.svg": who_beats_whom([one.name for one in entrants], report.standings.beats),
    }


def page(reports: Sequence[Report]) -> str:
    """``docs/ladder.md``."""
    return "\n".join([_INTRODUCTION, *(_chapter(report) for report in reports)])


def _chapter(report: Report) -> str:
    tournament, standings = report.tournament, report.standings
    name = json.loads(WORDS.read_text(encoding="utf-8")).get(f"game.{tournament.game}", tournament.game)
    state = "" if report.finished else " It is not finished yet."
    about = (
        f"{standings.games:,} games of {tournament.seats} in {standings.groups:,} groups with equal dice, seed "
        f"`{report.secret}`, Serai {version('serai')}, rules {tournament.rules}; `{tournament.anchor}` is 1500.{state}"
    )
    return "\n".join(
        [
            f"## {name}",
            "",
            about,
            "",
            *_table(report),
            "",
            f"Seats: {_seats(report)}.{_settings(report)}{_missing(report)}{_faults(report)}",
            "",
            f"![{name}: ratings with their intervals](pictures/ladder-{tournament.game}-ratings.svg)",
            "",
            "### Strength and thinking time",
            "",
            f"![{name}: rating over the time for a decision](pictures/ladder-{tournament.game}-time.svg)",
            "",
            "### Who comes in before whom",
            "",
            f"![{name}: in per cent of their games](pictures/ladder-{tournament.game}-pairs.svg)",
            "",
        ]
    )


def _table(report: Report) -> list[str]:
    standings, adjusted = report.standings, report.adjusted
    without = {} if adjusted is None else {one.name: one for one in adjusted.entrants}
    money = find_game(report.tournament.game).score_name
    heads = ["level", "rating", "95 %", *(["without luck", "95 %"] if without else [])]
    heads += ["better than the next", "wins", *(["without luck"] if without else []), "mean place", money]
    heads += ["a decision", "games"]
    lines = [heads, ["---"] * len(heads)]
    for one in standings.entrants:
        line = [f"`{one.name}`", f"**{one.rating:.0f}**", f"{one.low:.0f}–{one.high:.0f}"]
        if without:
            rating = without[one.name].adjusted_rating
            line += [f"{rating.mean:.0f}", f"{rating.low:.0f}–{rating.high:.0f}"]
        line += ["" if one.better is None else f"{100 * one.better:.1f} %", f"{100 * one.wins:.1f} %"]
        if without:
            line.append(f"{100 * without[one.name].adjusted_wins.mean:.1f} %")
        line += [f"{one.mean_place:.2f}", f"{one.score:.1f}", duration(one.microseconds), f"{one.games:,}"]
        lines.append(line)
    return [f"| {' | '.join(line)} |" for line in lines]


def _seats(report: Report) -> str:
    return ", ".join(
        f"the {_ORDINALS[seat]} wins {100 * share.share:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"
        for seat, share in enumerate(report.standings.seats)
    )


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def _settings(report: Report) -> str:
    """Bots that play here with other settings than at a table."""
    changed = [f"`{one.name}` is `{one.spec}`" for one in report.standings.entrants if one.name != one.spec]
    return f" {', '.join(changed)}." if changed else ""


def _missing(report: Report) -> str:
    """Bots of the game that did not play."""
    game, played = find_game(report.tournament.game), report.tournament.names
    missing = [f"`{bot}`" for bot in game.bots if bot not in played]
    return f" Not among them, and so not rated: {', '.join(missing)}." if missing else ""


def _faults(report: Report) -> str:
    faults = sum(one.faults for one in report.standings.entrants)
    return f" Faults: {faults}." if faults else " Nobody made a fault."
