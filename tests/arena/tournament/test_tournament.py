"""A tournament's games follow from its description, with any number of workers and stops."""

from __future__ import annotations

import os
import pickle
import re
import stat
from pathlib import Path

import msgspec
import pytest

from serai.arena.tournament.archive import Archive, gaps
from serai.arena.tournament.description import BadTournament, Description, Limits, Stop
from serai.arena.tournament.report import as_csv, as_page, report_of
from serai.arena.tournament.runner import Runner, player_of, series_of, simulator_of
from serai.arena.tournament.schedule import all_lineups, next_round, orders, settled, window
from serai.arena.tournament.standings import ratings_of, standings_of
from serai.core.record import Record, verify

PLAIN = "import random\ndef decide(view, rng):\n    return rng.choice(view.actions())\n"


@pytest.fixture
def plain(tmp_path):
    file = tmp_path / "plain.py"
    file.write_text(PLAIN)
    return f"plain=trusted:{file}:decide"


def held(path, asked, jobs=1, after=None):
    """The archive of this tournament, played to its end or until ``after`` games are stored."""
    tournament, stop = asked.settle()
    archive = Archive(path, create=(tournament, stop, asked.seed))
    counts = []
    Runner(archive, jobs=jobs, tell=counts.append, stopped=lambda: after is not None and sum(counts) >= after).play()
    return archive


def contents(archive):
    games = {
        (archive.lineups[lineup], number): stored.results[place].tobytes()
        for lineup, runs in archive.stored.items()
        for stored in runs
        for place, number in enumerate(stored.numbers)
    }
    assert len(games) == archive.games
    return games


def compiled(**changes):
    asked = Description("camelup", ["jerboa", "donkey", "random"], seats=2, seed="7", stop=Stop(games=600))
    return msgspec.structs.replace(asked, **changes)


def test_one_worker_and_four_give_the_same_standings_to_the_digit(tmp_path, plain):
    searching = ["cheetah(rollouts=40, seconds=None)"] if os.environ.get("SERAI_SOAK") else []
    asked = Description(
        "camelup",
        [plain, plain.replace("plain=", "other="), "random", *searching],
        seats=3,
        seed="7",
        stop=Stop(games=12),
    )
    one, four = (held(tmp_path / f"{jobs}.arena", asked, jobs) for jobs in (1, 4))
    with one, four:
        reports = []
        for archive in (one, four):
            report = msgspec.to_builtins(standings_of(archive))
            for line in report["entrants"]:
                line.pop("microseconds")
            reports.append(report)
            assert archive.finished
        assert reports[0] == reports[1]


@pytest.mark.parametrize("jobs", [1, 4])
def test_compiled_games_are_the_same_however_many_play(tmp_path, jobs):
    with held(tmp_path / "a.arena", compiled()) as once, held(tmp_path / "b.arena", compiled(), jobs) as again:
        assert contents(once) == contents(again)


def test_a_tournament_that_was_stopped_goes_on_without_losing_or_repeating_a_game(tmp_path, plain):
    asked = Description("camelup", [plain, "random"], seats=2, seed="7", stop=Stop(games=12))
    with held(tmp_path / "whole.arena", asked) as whole:
        expected = contents(whole).keys()
        scores = {game: result[:8] for game, result in contents(whole).items()}
    with held(tmp_path / "parts.arena", asked, after=5) as part:
        assert not part.finished
        before = contents(part)
        assert 5 <= len(before) < 12
    with held(tmp_path / "parts.arena", asked) as part:
        assert part.finished
        after = contents(part)
    assert after.keys() == expected
    assert before.items() <= after.items()
    assert {game: result[:8] for game, result in after.items()} == scores


def test_records_of_games_that_cannot_be_repeated_are_kept_and_hold(tmp_path, plain):
    asked = Description("camelup", [plain, "random"], seats=2, seed="7", stop=Stop(games=2))
    with held(tmp_path / "a.arena", asked) as archive:
        (lineup,) = archive.lineups
        records = [Record.read(archive.record(lineup, number)) for number in range(2)]
    for record in records:
        assert verify(record).draws_checked
        assert verify(record).finished
    assert records[0].secret == records[1].secret  # the same dice for every rotation
    assert [seat.bot for seat in records[0].seats] == [seat.bot for seat in reversed(records[1].seats)]


def test_the_record_of_a_compiled_game_is_made_from_its_number(tmp_path):
    with held(tmp_path / "a.arena", compiled(stop=Stop(games=20))) as archive:
        lineup, runs = next(iter(archive.stored.items()))
        simulator = simulator_of(archive.tournament, archive.secret, archive.lineups[lineup])
        number = runs[0].numbers.start + 1
        record = simulator.record(number)
        assert verify(record).finished
        assert record.result == tuple(runs[0].results["scores"][1].tolist())


def test_games_are_the_same_wherever_their_player_is_sent(plain):
    tournament, _ = Description("camelup", ["random", plain, "donkey"], seats=2, seed="7").settle()
    player = player_of(tournament)
    for lineup in ((0, 2), (0, 1)):
        chunk = series_of(tournament, "secret", lineup), lineup, range(4)
        (here, there) = (one(*chunk) for one in (player, pickle.loads(pickle.dumps(player))))
        assert [games.record for games in here] == [games.record for games in there]
        assert [games.results["scores"].tolist() for games in here] == [
            games.results["scores"].tolist() for games in there
        ]
        assert len(here) == (1 if lineup == (0, 2) else 4)


def test_dice_come_from_a_secret_that_only_the_owner_can_read(tmp_path):
    asked = compiled(seed=None, stop=Stop(games=12))
    with held(tmp_path / "a.arena", asked) as one, held(tmp_path / "b.arena", asked) as other:
        assert contents(one) != contents(other)
        assert one.commitment != other.commitment
        assert stat.S_IMODE(one.path.stat().st_mode) == 0o600


def test_the_secret_is_shown_only_at_the_end(tmp_path, plain):
    asked = Description("camelup", [plain, "random"], seats=2, stop=Stop(games=8))
    with held(tmp_path / "a.arena", asked, after=3) as archive:
        assert report_of(archive).secret is None
        assert archive.secret not in as_page(report_of(archive))
    with held(tmp_path / "a.arena", asked) as archive:
        assert report_of(archive).secret == archive.secret


def test_a_process_plays_no_two_games_with_the_same_dice(tmp_path):
    file = tmp_path / "noting.py"
    file.write_text(
        "import os\n"
        "class Bot:\n"
        "    def __init__(self): self.said = False\n"
        "    def decide(self, view, rng):\n"
        "        if not self.said:\n"
        f"            open({str(tmp_path / 'log')!r}, 'a').write(f'{{os.getpid()}} {{view.track}}\\n')\n"
        "        self.said = True\n"
        "        return rng.choice(view.actions())\n"
    )
    asked = Description("camelup", [f"trusted:{file}:Bot", "random"], seats=2, seed="7", stop=Stop(games=6))
    held(tmp_path / "a.arena", asked).__exit__(None, None, None)
    starts = [line.partition(" ")[0] for line in (tmp_path / "log").read_text().splitlines()]
    assert len(starts) == 6
    assert sorted(starts.count(process) for process in set(starts)) == [3, 3]  # of three groups one game each


def test_a_bot_that_fails_goes_on_by_chance_and_is_reported(tmp_path):
    file = tmp_path / "broken.py"
    file.write_text("def decide(view, rng):\n    raise KeyError('lost')\n")
    asked = Description("camelup", [f"{file}:decide", "random"], seats=2, seed="7", stop=Stop(games=2))
    with held(tmp_path / "a.arena", asked) as archive:
        report = report_of(archive)
    assert report.faults[0].reason == "raised KeyError: 'lost'"
    assert {one.name: one.faults > 0 for one in report.standings.entrants} == {"broken": True, "random": False}


def test_time_for_a_whole_game_runs_out(tmp_path):
    file = tmp_path / "slow.py"
    file.write_text(
        "import time\ndef decide(view, rng):\n    time.sleep(0.02)\n    return rng.choice(view.actions())\n"
    )
    asked = Description(
        "camelup", [f"trusted:{file}:decide", "random"], seats=2, seed="7", stop=Stop(games=2), limits=Limits(game=0.05)
    )
    with held(tmp_path / "a.arena", asked) as archive:
        reasons = {fault.reason for fault in report_of(archive).faults}
    assert "has used up its 0.05 s for the game" in reasons


def test_ladder_plays_on_until_neighbours_are_settled(tmp_path):
    asked = Description(
        "camelup",
        ["random", "jerboa", "donkey", "quick", "fennec"],
        seats=2,
        seed="7",
        schedule="ladder",
        stop=Stop(settled="sprt", points=25, games=40_000),
    )
    with held(tmp_path / "a.arena", asked) as archive:
        assert archive.finished
        assert archive.games < 40_000
        assert all(settled(ratings_of(archive), archive.stop))
        standings = standings_of(archive)
        assert standings.entrants[0].name in ("quick", "fennec")
        assert standings.entrants[-1].name == "random"
        assert not next_round(archive)
        played = {one.name: one.games for one in standings.entrants}
    assert played["random"] < max(played.values()) / 2  # that it is the worst was soon clear


def test_it_stops_when_the_time_is_over(tmp_path):
    with held(tmp_path / "a.arena", compiled(stop=Stop(minutes=0.002))) as archive:
        assert archive.finished
        assert archive.games > 0
        assert archive.seconds >= 0.12


def test_neighbours_may_be_settled_by_their_interval(tmp_path):
    asked = compiled(entrants=["jerboa", "random"], stop=Stop(settled="interval", points=1, games=4000))
    with held(tmp_path / "a.arena", asked) as archive:
        assert archive.games < 4000
        (first, last) = standings_of(archive).entrants
        assert (first.name, last.name) == ("jerboa", "random")
        assert first.low > last.high


def test_the_page_and_the_table_tell_every_entrant(tmp_path):
    with held(
        tmp_path / "a.arena", compiled(entrants=[{"name": "<b>", "spec": "jerboa"}, "donkey", "random"])
    ) as archive:
        report = report_of(archive)
    page, lines = as_page(report), as_csv(report).splitlines()
    assert page.count("<svg") == 3
    assert "<b>" not in page
    assert len(lines) == 4
    assert lines[0].startswith("place,name,spec,rating,low,high")


def test_all_against_all_lets_everybody_sit_as_often_and_next_to_everybody():
    lineups = all_lineups(5, 4)
    assert len(lineups) == 5 * 6
    assert {sum(entrant in lineup for lineup in lineups) for entrant in range(5)} == {24}
    assert len(orders((0, 1, 2, 3))) == 6
    assert len(orders(tuple(range(8)))) == 6
    assert sorted(tuple(sorted(lineup)) for lineup in all_lineups(2, 4)) == [
        (0, 0, 0, 1),
        (0, 0, 1, 1),
        (0, 0, 1, 1),
        (0, 1, 1, 1),
    ]
    dealt = all_lineups(30, 8)
    seated = [sum(entrant in lineup for lineup in dealt) for entrant in range(30)]
    assert max(seated) - min(seated) <= 1
    assert all(len(set(lineup)) == 8 for lineup in dealt)
    assert window([4, 2, 0, 1, 3], 2, 2) == (0, 1)
    assert window([4, 2, 0, 1, 3], 3, 4) == (0, 1, 2, 3)


def test_what_is_missing_is_found():
    assert gaps(range(10, 30), [range(12, 14), range(28, 40), range(2)]) == [range(10, 12), range(14, 28)]


def test_a_file_cannot_be_played_twice_at_once(tmp_path):
    path = tmp_path / "a.arena"
    with held(path, compiled(stop=Stop(games=6))), pytest.raises(BadTournament, match="being played just now"):
        Archive(path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "a.arena").write_text("no database at all, and long enough to be told from an empty one" * 20)
    with pytest.raises(BadTournament, match="is no tournament"):
        Archive(tmp_path / "a.arena")


def test_games_of_another_version_are_not_gone_on_with(tmp_path):
    with held(tmp_path / "a.arena", compiled(stop=Stop(games=6))) as archive:
        archive.note(serai="0.0.1")
        with pytest.raises(BadTournament, match=r"was played with serai 0\.0\.1"):
            archive.check_versions()


def test_the_description_in_the_docs_can_be_played(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "arena.md").read_text()
    file = tmp_path / "cup.toml"
    file.write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0])
    tournament, stop = Description.read(file).settle()
    assert tournament.names == ("quick", "fennec", "donkey", "jerboa")
    assert (tournament.anchor, stop.settled, tournament.limits.game) == ("quick", "sprt", 60.0)
