"""Luck taken out of a tournament: the same strengths, narrower intervals, with any number of workers and stops."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest

from serai.arena.tournament.archive import Archive
from serai.arena.tournament.description import Description, Stop
from serai.arena.tournament.luck import LuckJudge, adjusted_of, judge
from serai.arena.tournament.report import as_csv, as_page, report_of
from serai.arena.tournament.runner import Runner
from serai.coach.review import luck, luck_evaluator
from serai.core.registry import game as find_game
from serai.errors import SeraiError

EQUALS = Description(
    "camelup", ["fennec", "other=fennec", "donkey"], seats=3, seed="7", adjust=True, stop=Stop(games=36)
)


def played(path, asked):
    tournament, stop = asked.settle()
    archive = Archive(path, create=(tournament, stop, asked.seed))
    assert Runner(archive, jobs=1, tell=lambda count: None, stopped=lambda: False).play()
    return archive


def all_luck(archive):
    return {archive.lineups[lineup]: archive.luck(lineup) for lineup in archive.lineups}


def judged(archive, jobs=1, after=None):
    counts = []
    by = LuckJudge(luck_evaluator(find_game(archive.tournament.game)), luck)
    done = judge(archive, by, jobs=jobs, tell=counts.append, stopped=lambda: after is not None and sum(counts) >= after)
    return done, sum(counts)


@pytest.fixture(scope="module")
def equals(tmp_path_factory):
    with played(tmp_path_factory.mktemp("equals") / "a.arena", EQUALS) as archive:
        assert judged(archive, jobs=2) == (True, 36)
        yield archive


def test_equals_are_found_equal_with_narrower_intervals(equals):
    found = {one.name: one for one in adjusted_of(equals).entrants}
    for one in (found["fennec"], found["other"]):
        assert one.adjusted_wins.width < 0.8 * one.wins.width
        assert one.adjusted_rating.width < one.rating.width
    for raw, without in (("rating", "adjusted_rating"), ("wins", "adjusted_wins")):
        for one in found.values():  # both estimate the same: they differ by no more than the rougher one can be wrong
            assert abs(getattr(one, raw).mean - getattr(one, without).mean) <= getattr(one, raw).width
    apart = abs(found["fennec"].adjusted_wins.mean - found["other"].adjusted_wins.mean)
    assert apart < found["fennec"].adjusted_wins.width


def test_the_report_tells_both(equals):
    report = report_of(equals)
    assert report.adjusted.games == 36
    assert "Without luck" in as_page(report)
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    for line in lines:
        assert float(line["adjusted_wins_low"]) < float(line["adjusted_wins"]) < float(line["adjusted_wins_high"])
    assert msgspec.json.decode(msgspec.json.encode(report))["adjusted"]["games"] == 36


def test_luck_is_the_same_with_any_number_of_workers_and_stops(tmp_path):
    asked = msgspec.structs.replace(EQUALS, seats=2, stop=Stop(games=12))
    with played(tmp_path / "a.arena", asked) as once, played(tmp_path / "b.arena", asked) as parts:
        assert judged(once, jobs=2) == (True, 12)
        done, first = judged(parts, after=3)
        assert not done
        assert 0 < first < 12
        assert adjusted_of(parts) is None or adjusted_of(parts).games == first
        assert judged(parts) == (True, 12 - first)
        assert all_luck(once) == all_luck(parts)
        assert adjusted_of(once) == adjusted_of(parts)


def test_what_another_evaluator_thought_is_judged_again(tmp_path):
    asked = msgspec.structs.replace(EQUALS, stop=Stop(games=3))
    with played(tmp_path / "a.arena", asked) as archive:
        assert judged(archive) == (True, 3)
        assert judged(archive) == (True, 0)
        archive.judge_by("somebody else")
        assert not any(all_luck(archive).values())


def test_a_game_without_a_coach_is_refused_before_anything_is_played(equals, monkeypatch):
    monkeypatch.setattr(find_game("camelup"), "coach", None)
    with pytest.raises(SeraiError, match="has no coach"):
        luck_evaluator(find_game(equals.tournament.game))
