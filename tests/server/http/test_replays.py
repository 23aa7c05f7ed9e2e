"""A record in, its frames out: the same frames that the table sent, or one clear reason why not."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serai import game as find_game
from serai import games
from serai.core.record import Record, plays, verify
from serai.errors import BadRecord
from serai.server.http import replays
from serai.table.records import replay_frames
from serai.wire.bodies import MAX_ACTIONS, MAX_RECORD
from tests.server.support import Json, Visitor, house, run
from tests.support import amount, counted_steps

GOLDEN = Path(__file__).parents[2] / "golden"


def golden() -> str:
    return min((GOLDEN / "camelup").glob("*.serai")).read_text()


def replay(folder: Path, *wanted: Json) -> list[tuple[int, Any]]:
    """What the server answers to each wish, in order."""

    answers: list[tuple[int, Any]] = []

    async def ask() -> None:
        async with house(folder) as here:
            for wish in wanted:
                answer = await Visitor(here.base).call("POST", "/api/replay", wish)
                answers.append((answer.status_code, answer.json()))

    run(ask())
    return answers


async def whole_replay(visitor: Visitor, record: str, seat: int | None) -> Json:
    """The last page, with the frames of all of them."""
    frames: list[Json] = []
    after: int | None = -1
    while after is not None:
        page = (await visitor.call("POST", "/api/replay", {"record": record, "seat": seat, "after": after})).json()
        frames += page["frames"]
        after = page["next"]
    return {**page, "frames": frames}


def folded(frames: list[Json]) -> Json:
    view: Json = {}
    for frame in frames:
        view |= frame.get("patch", {})
    return view


def game_frames(frames: list[Json]) -> list[Json]:
    """Frames of the game, without what only a table with people at it has."""
    told = [{**frame} for frame in frames if frame["type"] == "frame" and not frame.get("back")]
    for frame in told:
        for name in ("n", "on", "table", "undo", "actions"):
            frame.pop(name, None)
    return told


@pytest.mark.parametrize("game", games())
def test_a_record_replays_as_the_frames_of_its_table(game: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(game, seats=3, bots={"1": "random", "2": "random"})
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.do("start")
                await a.play_to_the_end(random.Random(4))
                live = a.view
            record = await ann.record(table)
            draws = (await ann.call("GET", f"/api/tables/{table}/draws")).json()
            for seat in (0, None):
                sent = await ann.frames(table, seat)
                answer = await whole_replay(ann, record, seat)
                assert answer["seat"] == seat
                assert game_frames(answer["frames"]) == game_frames(sent)
                assert folded(answer["frames"]) == live
                assert answer["table"]["phase"] == "over"
                assert answer["table"]["scores"] == a.table["scores"]
                assert answer["table"]["winners"] == a.table["winners"]
                assert answer["draws"] == {**draws, "values": []}

    run(play())


def test_the_seat_that_looks_is_offered_its_actions(tmp_path: Path) -> None:
    record = Record.read(golden())
    people = "\n".join(
        line for line in golden().splitlines() if not line.startswith(("seats", "commit", "mix", "secret"))
    )
    seats = ", ".join('"P"' for _ in record.seats)
    text = people.replace("rules: 1", f"rules: 1\nseats: {seats}")
    ((status, answer),) = replay(tmp_path, {"record": text, "seat": 1})
    assert status == 200
    frames = [frame for frame in answer["frames"] if frame["type"] == "frame"]
    own = [(before, frame) for before, frame in itertools.pairwise(frames) if frame.get("by") == 1]
    assert own
    assert all(frame["action"] in before["actions"] for before, frame in own)


def test_an_unfinished_record_hides_what_an_onlooker_may_not_see(tmp_path: Path) -> None:
    lines = golden().splitlines()
    cut = next(at for at, line in enumerate(lines) if line.startswith(("winner", "loser"))) + 1
    text = "\n".join(line for line in lines[:cut] if not line.startswith("secret"))
    ((status, answer),) = replay(tmp_path, {"record": text})
    assert status == 200
    assert answer["table"]["phase"] == "playing"
    assert answer["frames"][-1]["action"]["camel"] is None
    assert answer["table"].get("secret", "") == ""


def test_a_commitment_that_does_not_fit_is_shown_as_it_stands(tmp_path: Path) -> None:
    record = Record.read(golden())
    text = golden().replace(record.commit, "ab" * 32)
    ((status, answer),) = replay(tmp_path, {"record": text})
    assert status == 200
    assert answer["draws"]["commit"] == answer["table"]["commit"] == "ab" * 32
    assert answer["draws"]["secret"] == record.secret


def without_last_action(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:-2], lines[-1]])


BOTTOMLESS = "[" * 90_000
BROKEN: dict[str, tuple[str, Callable[[str], str]]] = {
    "a picture": ("record.foreign", lambda text: "\x89PNG\r\n\x1a\n\x00"),
    "nothing": ("record.foreign", lambda text: ""),
    "another game": ("record.game", lambda text: text.replace("game: camelup", "game: chess")),
    "other rules": ("record.rules", lambda text: text.replace("rules: 1", "rules: 0")),
    "wrong options": ("record.setup", lambda text: text.replace("options: {", 'options: {"speed":9,')),
    "a second header": ("record.damaged", lambda text: text.replace("rules: 1", "rules: 1\nrules: 1")),
    "an action of no game": ("record.action", lambda text: text.replace("\nroll\n", "\nfly\n", 1)),
    "an illegal action": ("record.action", lambda text: text.replace("\nroll\n", "\noasis 1\n", 1)),
    "a covered card": ("record.hidden", lambda text: text.replace("\nroll\n", "\nwinner ?\n", 1)),
    "an action missing": ("record.result", without_last_action),
    "a bottomless header": (
        "record.damaged",
        lambda text: text.replace("options: {", f"options: {BOTTOMLESS}"),
    ),
}


def test_what_is_wrong_with_a_record_is_told_with_line_and_reason(tmp_path: Path) -> None:
    text = golden()
    answers = replay(tmp_path, *({"record": spoil(text)} for _, spoil in BROKEN.values()))
    for (name, (key, spoil)), (status, problem) in zip(BROKEN.items(), answers, strict=True):
        assert spoil(text) != text, name
        assert (name, status, problem["key"]) == (name, 400, key)
        assert problem["values"]["line"] >= 1, name
        assert problem["values"]["reason"] in problem["text"], name
    by_name = dict(zip(BROKEN, answers, strict=True))
    because = by_name["an illegal action"][1]["values"]["because"]
    assert because["key"].startswith("camelup.desert.")


def test_a_long_replay_comes_in_pages_and_is_replayed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = max((GOLDEN / "pharaoh").glob("*.serai"), key=lambda file: file.stat().st_size).read_text()
    record = Record.read(text)
    whole = msgspec.json.decode(msgspec.json.encode(replay_frames(record, plays(record), 0)))
    monkeypatch.setattr(replays, "PAGE_BYTES", 20_000)
    stepped = counted_steps(find_game("pharaoh"), monkeypatch)

    async def ask() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)

            async def page(after: int) -> tuple[int, Json]:
                answer = await ann.call("POST", "/api/replay", {"record": text, "seat": 0, "after": after})
                assert answer.status_code == 200
                return len(answer.content), answer.json()

            told: list[Json] = []
            pages: list[int] = []
            after: int | None = -1
            while after is not None:
                size, answer = await page(after)
                rest = len(msgspec.json.encode({**answer, "frames": []}))
                pages.append(size - rest)
                told += answer["frames"]
                after = answer["next"]
            assert len(pages) > 3
            assert max(pages) < 20_000 + 500, "and a comma between two frames"
            assert told == whole
            assert len(stepped) == len(record.actions), "once for all pages"
            assert (await page(told[-2]["n"]))[1]["frames"] == told[-1:]

    run(ask())


def test_a_record_may_not_be_endless(tmp_path: Path) -> None:
    text = golden()
    long = text.replace("\nroll\n", "\nroll" * (MAX_ACTIONS + 1) + "\n", 1)
    answers = replay(
        tmp_path,
        {"record": long},
        {"record": text + ";" * MAX_RECORD},
        {"record": text + ";" * 4 * MAX_RECORD},
        {"record": text, "seat": 60},
        {"text": text},
    )
    assert [(status, problem["key"]) for status, problem in answers] == [
        (409, "record.long"),
        (400, "server.malformed"),
        (413, "server.too_large"),
        (409, "table.no_seat"),
        (400, "server.malformed"),
    ]


def spoiled(text: str, rng: random.Random) -> str:
    """The text with something changed that a file could suffer on its way."""
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines[at] = lines[other]
        case 1:
            del lines[at:other]
        case 2:
            lines[at] = "".join(rng.sample(lines[at], len(lines[at])))
        case 3:
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = lines[at][: rng.randrange(len(lines[at]) + 1)] + rng.choice(
                ["\0", "é", "-1", "9" * 5000, "{", ";"]
            )
    return "\n".join(lines)


@pytest.mark.parametrize("game", games())
def test_frames_and_draws_come_of_one_replay(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = min((GOLDEN / game).glob("*.serai")).read_text()
    stepped = counted_steps(find_game(game), monkeypatch)
    ((status, _),) = replay(tmp_path, {"record": text})
    assert status == 200
    assert tuple(map(str, stepped)) == Record.read(text).actions


@pytest.mark.parametrize("game", games())
def test_no_damage_is_more_than_a_problem(game: str) -> None:
    rng = random.Random(11)
    text = min((GOLDEN / game).glob("*.serai"), key=lambda file: file.stat().st_size).read_text()
    told = set()
    for _ in range(amount(60, 2000)):
        try:
            record = Record.read(spoiled(text, rng))
            replay_frames(record, plays(record), None)
        except BadRecord as error:
            told.add(error.key)
    assert {"record.action", "record.damaged"} <= told


def test_advice_on_what_has_passed_is_of_the_position_that_its_frame_leads_to(tmp_path: Path) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            for name in games():
                game = find_game(name)
                text = min((GOLDEN / name).glob("*.serai"), key=lambda file: file.stat().st_size).read_text()

                async def of_record(n: int, seat: int = 0, record: str = text) -> Any:
                    return await ann.call("POST", "/api/replay/advice", {"record": record, "seat": seat, "n": n})

                async def of_lesson(n: int, game: str = name) -> Any:
                    return await ann.call("GET", f"/api/games/{game}/lesson/advice?n={n}")

                if game.advice is None:
                    assert {(await one(1)).json()["key"] for one in (of_record, of_lesson)} == {"server.advice"}
                    continue
                lesson = (await ann.call("GET", f"/api/games/{name}/lesson")).json()
                for replayed, advice in ((await whole_replay(ann, text, 0), of_record), (lesson, of_lesson)):
                    told = [frame for frame in replayed["frames"] if frame["type"] == "frame"]
                    for upto in (1, len(told) // 2, len(told)):
                        answer = (await advice(told[upto - 1]["n"])).json()
                        assert answer["on"] == told[upto - 1]["on"]
                        view = msgspec.convert(folded(told[:upto]), game.state_type)
                        assert answer["advice"] == msgspec.json.decode(msgspec.json.encode(game.advice(view)))
                    # there is nothing beyond the end
                    assert (await advice(len(told) + 5)).json() == answer
                assert (await of_record(1, seat=60)).json()["key"] == "table.no_seat"
                assert (await of_record(1, record="nothing")).status_code == 400
                assert [(await of_record(0)).status_code, (await of_lesson(0)).status_code] == [400, 400]

    run(ask())


def test_who_was_drawn_to_begin_can_be_checked_by_anybody(tmp_path: Path) -> None:
    async def play() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2, bots={"1": "random"}, table_rules={"draw_first": True})
            await ann.join(table, "Ann")
            async with ann.at(table) as socket:
                await socket.do("start")
                await socket.do("agree", on=True)
            told = await ann.record(table)
            record = Record.read(told)
            assert verify(record).draws_checked
            assert record.drawn == "first"
            draws = (await ann.call("GET", f"/api/tables/{table}/draws")).json()
            replayed = (await ann.call("POST", "/api/replay", {"record": told})).json()
            for checked in (draws, replayed["draws"]):
                assert (checked["first"], checked["players"]) == (record.options["first"], 2)
            forged = told.replace(f'"first":{record.options["first"]}', f'"first":{1 - record.options["first"]}')
            with pytest.raises(BadRecord, match="was not drawn to begin"):
                verify(Record.read(forged))

    run(play())
