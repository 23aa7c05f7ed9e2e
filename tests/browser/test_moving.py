"""Taking a seat from one browser to another, and names that are written from right to left."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

from tests.browser.axe import PHONE, violations
from tests.browser.conftest import Visit
from tests.browser.games import known_as
from tests.browser.player import OFFERED
from tests.browser.serving import Server
from tests.server.support import Visitor

_GAP = """
([first, second]) => {
  const box = (node) => { const range = document.createRange(); range.selectNodeContents(node);
                          return range.getBoundingClientRect() };
  return box(second).left - box(first).right
}
"""


def _begun(url: str, token: str, name: str, said: str) -> str:
    """A game against a bot in which something has been said."""

    async def begin() -> str:
        visitor = Visitor(url, token)
        table = await visitor.create("camelup", seats=2, bots={"1": "random"}, options={"first": 0})
        await visitor.join(table, name)
        async with visitor.at(table) as socket:
            await socket.do("start")
            await socket.do("say", text=said)
        return table

    # Playwright keeps an event loop running in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(asyncio.run, begin()).result()


def test_a_seat_goes_from_one_browser_to_another(server: Server, visit: Visit) -> None:
    token = secrets.token_urlsafe(24)
    table = _begun(server.url, token, "Ann", "hello")
    old = visit(server.url, **PHONE)
    known_as(old, server.url, token)
    old.goto(f"{server.url}/t/{table}")
    old.locator("[popovertarget=table-menu]").click()
    old.get_by_role("button", name="Move my seats to another device").click()
    old.get_by_role("img", name="The link as a QR code").wait_for()
    code = old.locator("[data-offer] .code").inner_text()
    old.get_by_role("button", name="Cancel the code").click()
    old.get_by_role("button", name="Move my seats to another device").click()
    old.get_by_text("Works once").wait_for()
    assert violations(old, "take along", "de-DE") == []
    fresh = old.locator("[data-offer] .code").inner_text()
    assert fresh != code

    new = visit(f"{server.url}/move#{fresh}", **PHONE)
    new.get_by_role("button", name="Move them here").wait_for()
    assert fresh not in new.url, "nobody reads it over a shoulder"
    assert violations(new, "move", "de-DE") == []
    new.get_by_role("button", name="Move them here").click()
    new.wait_for_url(f"{server.url}/t/{table}")
    new.locator(OFFERED).first.wait_for()

    old.get_by_text("Your seats have moved to another device").wait_for()
    assert old.locator(OFFERED).count() == 0
    new.goto(server.url)
    new.get_by_role("link", name="Continue").wait_for()
    old.goto(server.url)
    old.get_by_role("button", name="Play now against bots").first.wait_for()
    assert old.get_by_role("link", name="Continue").count() == 0


def test_the_direction_of_a_name_ends_with_the_name(server: Server, visit: Visit) -> None:
    token = secrets.token_urlsafe(24)
    table = _begun(server.url, token, "מרים", "123")
    page = visit(server.url)
    known_as(page, server.url, token)
    page.goto(f"{server.url}/t/{table}")
    said = page.locator(".said").first
    said.wait_for()
    name, text = said.locator("b").element_handle(), said.locator("bdi").element_handle()
    assert page.evaluate(_GAP, [name, text]) >= 0, "what she said comes behind her name"
    assert page.locator("li .tag").count() >= 1, "the bot is marked"
