"""Games made ready for tests of the page without playing them on it."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

import httpx
from msgspec import structs
from playwright.sync_api import Page, Route

from serai.core.game import put
from serai.core.record import Record, replay
from serai.server.http.caller import COOKIE
from tests.browser.player import OFFERED, ROLL
from tests.server.support import Visitor, any_kind

GOLDEN = Path(__file__).parents[1] / "golden"
LESSON = """\
game: camelup
rules: 1
seats: "Learner", "Bot" random

die blue 1
die green 1
die orange 2
die yellow 3
die white 3
leg white
roll
die blue 2
oasis 7
mirage 12
roll
die yellow 3
leg blue
"""


def golden_record(game: str = "camelup") -> str:
    return min((GOLDEN / game).glob("*.serai")).read_text()


def with_forged_draw(text: str) -> str:
    """The record with one draw replaced by another that leaves every action legal, and the result made to fit."""
    record = Record.read(text)
    plies = list(replay(record))
    for number, ply in reversed(list(enumerate(plies))):
        if not ply.drawn:
            continue
        for other in ply.before.actions():
            if other == ply.action:
                continue
            forged = _played_on(record, number, str(other))
            if forged is not None:
                return forged
    raise AssertionError("no draw of this record can be forged")


def _played_on(record: Record, at: int, other: str) -> str | None:
    actions = put(record.actions, at, other)
    try:
        *_, last = replay(Record(record.game, record.rules, record.seats, record.options, actions=actions))
    except ValueError:
        return None
    if not last.after.over:
        return None
    return structs.replace(record, actions=actions, end="", result=last.after.scores()).write()


def played_games(url: str, token: str, count: int) -> list[str]:
    """Tables at which the visitor of this token has played Camel Up to its end against bots."""

    async def play() -> list[str]:
        visitor = Visitor(url, token)
        tables = []
        for number in range(count):
            table = await visitor.create("camelup", seats=3, bots={"1": "random", "2": "random"})
            await visitor.join(table, "Guest")
            async with visitor.at(table) as socket:
                await socket.do("start")
                await socket.play_to_the_end(random.Random(number))
            tables.append(table)
        return tables

    # Playwright keeps an event loop running in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, play()).result()


def played_for_a_while(url: str, token: str, actions: int, *, to_the_end: bool = True) -> str:
    """A table of Camel Up at which the visitor of this token played both seats and, after so many actions, agreed to
    end the game, or did not.
    """

    async def play() -> str:
        visitor, rng = Visitor(url, token), random.Random(3)
        table = await visitor.create("camelup", seats=2)
        for name in ("Guest", "Other"):
            await visitor.join(table, name)
        async with visitor.at(table, seat=0) as one, visitor.at(table, seat=1) as other:
            await one.do("start")
            for _ in range(actions):
                mover = await one.my_turn_or(other)
                await mover.act(any_kind(mover.actions, rng))
            if to_the_end:
                await one.do("agree")
        return table

    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, play()).result()


def play_watched(
    url: str, token: str, game: str, watch: Callable[[str], None], watched: threading.Event, most: int = 60
) -> str:
    """Play a game against bots, for at most so many actions, once ``watch`` has been called with the table."""
    made: Queue[str] = Queue()

    async def play() -> None:
        visitor, rng = Visitor(url, token), random.Random(3)
        table = await visitor.create(game, seats=3, bots={"1": "random", "2": "random"})
        await visitor.join(table, "Guest")
        made.put(table)
        await asyncio.to_thread(watched.wait, 15)
        async with visitor.at(table) as socket:
            await socket.do("start")
            for _ in range(most):
                while not (socket.actions or socket.over):
                    await socket.next()
                if socket.over:
                    return
                await socket.act(any_kind(socket.actions, rng))
            await socket.do("agree", on=True)

    with ThreadPoolExecutor(1) as elsewhere:
        playing = elsewhere.submit(asyncio.run, play())
        table = made.get(timeout=15)
        watch(table)
        playing.result()
    return table


def known_as(page: Page, url: str, token: str) -> None:
    """Let the page's visitor be the one of this token."""
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": url}])


def teach(page: Page, url: str, prepared: str = LESSON) -> None:
    """Open the guided game of Camel Up, with this prepared game in place of the one that the game brings."""
    answer = httpx.post(f"{url}/api/replay", json={"record": prepared, "seat": 0})
    assert answer.status_code == 200

    def serve(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=answer.text)

    page.route("**/api/games/camelup/lesson", serve)
    page.goto(f"{url}/learn/camelup")


def drop(page: Page, name: str, content: str | bytes) -> None:
    """Let a file fall onto the page."""
    page.evaluate(
        """([name, content]) => {
            const dropped = new DataTransfer();
            dropped.items.add(new File([typeof content === "string" ? content : Uint8Array.from(content)], name));
            document.querySelector("main").dispatchEvent(
                new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
        }""",
        [name, content if isinstance(content, str) else list(content)],
    )


def screens_of_looking_back(page: Page, url: str, token: str, table: str) -> Iterator[str]:
    """The screens around finished games, one after the other; that table is one of this visitor's."""
    page.context.clear_cookies()
    page.goto(f"{url}/mine")
    page.wait_for_selector(".none")
    yield "my-games-none"
    known_as(page, url, token)
    page.goto(f"{url}/mine")
    page.wait_for_selector("[data-statistics]")
    yield "my-games"
    page.goto(f"{url}/replay/{table}/12")
    page.wait_for_selector("[data-position='12']")
    yield "replay"
    page.locator("[popovertarget=replay-menu]").click()
    yield "replay-menu"
    page.locator("#replay-menu button[aria-pressed]").click()
    page.wait_for_selector("[data-dice=hold]")
    yield "dice"
    page.keyboard.press("End")
    yield "replay-end"
    page.goto(f"{url}/replay")
    page.wait_for_selector("input[type=file]")
    yield "replay-open"
    drop(page, "list.txt", "my shopping list")
    page.wait_for_selector("[role=alert]")
    yield "replay-problem"
    drop(page, "forged.serai", with_forged_draw(golden_record()))
    page.wait_for_selector("[data-position]")
    page.keyboard.press("End")
    page.locator(".result button").click()
    page.wait_for_selector("[data-dice=fail]")
    yield "dice-wrong"
    teach(page, url)
    page.wait_for_selector("[data-stage=intro]")
    yield "lesson-intro"
    page.locator(".guide .button.main").click()
    page.locator(ROLL).click()
    page.wait_for_selector(".guide .other")
    yield "lesson-other"
    page.locator(f'{OFFERED}[data-action="leg white"]').click()
    page.wait_for_selector("[data-stage=done]")
    yield "lesson-done"
