"""Below a path of another site: the page plays, and neither asks for anything outside nor leads there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.around import reachable
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, Player
from tests.browser.serving import QUICK_BOTS, Server, serving
from tests.support import SOAK

BASE = "/games/serai"
WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
AN_EXERCISE = re.compile(r"(?<=/train/)(\w+)/\w+$")
"""One of each game stands for all of them in the short form."""


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("serai"), (*QUICK_BOTS, "--base-path", BASE)) as running:
        yield running


def listen_for_requests(page: Page) -> list[str]:
    """Every address asked for from now on, sockets included."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    return asked


def settle(page: Page, loading: set[Request]) -> None:
    """Wait until nothing is being loaded any more and the page has nothing left to do."""
    idle = 0
    while idle < 2:
        page.evaluate("() => new Promise((done) => requestIdleCallback(done))")
        idle = 0 if loading else idle + 1


def requests_under_way(page: Page) -> set[Request]:
    """The requests that have not been answered yet."""
    loading: set[Request] = set()
    page.on("request", lambda request: loading.add(request))
    page.on("requestfinished", lambda request: loading.discard(request))
    page.on("requestfailed", lambda request: loading.discard(request))
    return loading


def outside(addresses: list[str]) -> list[str]:
    return [address for address in addresses if not urlsplit(address).path.startswith(f"{BASE}/")]


def links(page: Page) -> list[str]:
    found = page.locator("a[href]").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return [urljoin(page.url, href) for href in found]


def test_two_play_by_the_invitation_link(below: Server, visit: Visit) -> None:
    ann = visit(below.url + BASE, **WIDE)
    assert ann.url == f"{below.url}{BASE}/"
    reachable(ann)
    asked = listen_for_requests(ann)
    ann.get_by_role("link", name="New table").first.click()
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Set up the table").click()
    ann.get_by_role("button", name="Start the game").wait_for()
    drawn = ann.locator('img[src$="invite.svg"]')
    assert drawn.evaluate("code => code.decode().then(() => code.naturalWidth)") > 0
    table = ann.url.rpartition("/")[2]
    link = ann.request.get(f"{below.url}{BASE}/api/tables/{table}").json()["link"]
    assert link == f"{below.url}{BASE}/t/{table}"
    expect(ann.locator(".invite input")).to_have_value(link)

    ben = visit(link, **WIDE)
    asked_by_ben = listen_for_requests(ben)
    ben.reload()
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    ann.get_by_role("button", name="Start the game").click()
    rng = random.Random(2)
    for _ in range(3):
        for page in (ann, ben):
            page.wait_for_selector(OFFERED)
            Player(page, rng).act()
    ben.reload()
    ann.wait_for_selector(OFFERED)
    for addresses in (asked, asked_by_ben):
        assert any(address.startswith("ws://") for address in addresses)
        assert outside(addresses) == []
    cookies = {cookie["name"]: cookie["path"] for cookie in ann.context.cookies(link)}
    assert cookies == {"serai_visitor": f"{BASE}/"}
    assert ann.context.cookies(below.url) == []


def test_every_screen_loads_and_leads_nowhere_else(below: Server, visit: Visit) -> None:
    page = visit(below.url + BASE, **WIDE)
    asked, loading = listen_for_requests(page), requests_under_way(page)
    seen: set[str] = set()
    waiting = [f"{below.url}{BASE}/"]
    while waiting:
        address = waiting.pop().partition("#")[0]
        screen = address if SOAK else AN_EXERCISE.sub(r"\1/…", address)
        if screen in seen or "/api/" in address:
            continue
        seen.add(screen)
        answer = page.goto(address)
        if address.endswith(".txt"):
            assert answer is not None
            assert answer.ok
            continue
        page.wait_for_selector("main a, .page a")
        settle(page, loading)
        assert page.url.partition("?")[0] == address.partition("?")[0]
        found = links(page)
        assert outside(found) == [], address
        waiting += found
    assert {f"{below.url}{BASE}{path}" for path in ("/mine", "/about", "/replay", "/g/camelup/odds")} <= seen
    assert outside(asked) == []
