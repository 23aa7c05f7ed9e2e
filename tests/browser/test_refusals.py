"""A refusal costs nothing: it is explained, what could be done can still be done, and nothing is fetched again."""

from __future__ import annotations

import json
import random
from typing import Any

from playwright.sync_api import Page, Request, WebSocketRoute, expect

from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, Player
from tests.browser.serving import Server
from tests.browser.test_scenarios import two_by_link


class Line:
    """Between a page and the server: spoils the next message of a kind, and counts what is said."""

    def __init__(self) -> None:
        self.spoilt: dict[str, dict[str, Any]] = {}
        """By kind of message, what the server is told instead."""
        self.said: list[str] = []
        self.heard: list[str] = []
        self.lost = ""
        """A kind of reply that does not come through."""
        self.dropped = 0
        self.lines = 0

    def __call__(self, route: WebSocketRoute) -> None:
        self.lines += 1
        server = route.connect_to_server()

        def say(text: str | bytes) -> None:
            message = json.loads(text)
            self.said.append(message["type"])
            server.send(json.dumps({**message, **self.spoilt.pop(message["type"], {})}))

        def hear(text: str | bytes) -> None:
            kind = json.loads(text)["type"]
            if kind == self.lost:
                self.dropped += 1
                return
            self.heard.append(kind)
            route.send(text)

        route.on_message(say)
        server.on_message(hear)


def behind_a_line(ann: Page) -> tuple[Line, list[str]]:
    """Ann's page once it has all it needs; from here on its line, and what it asks the server for."""
    line, fetched = Line(), list[str]()
    ann.route_web_socket("**/socket**", line)
    with ann.expect_response("**/frames**"):
        ann.reload()
    ann.wait_for_selector(OFFERED)

    def note(request: Request) -> None:
        if "/assets/" not in request.url:  # the words that explain it are brought once
            fetched.append(request.url)

    ann.on("request", note)
    line.said.clear()
    line.heard.clear()
    return line, fetched


def test_a_page_that_is_behind_hears_what_it_missed_and_no_more(server: Server, visit: Visit) -> None:
    """The same person at two devices, one of which misses a frame."""
    ann, _ben = two_by_link(server, visit)
    other = ann.context.new_page()
    other.goto(ann.url)
    other.wait_for_selector(OFFERED)
    line, fetched = behind_a_line(other)
    line.lost = "frame"
    Player(ann, random.Random(2)).act('[data-action="leg white"]')
    while line.dropped == 0:
        other.wait_for_timeout(10)
    line.lost = ""
    other.locator('[data-action="leg white"]').click()
    expect(other.get_by_role("alert")).to_contain_text("Too late")
    expect(other.get_by_role("button", name="White: take the 3")).to_be_visible()
    assert line.lines == 2
    assert line.said == ["act"]
    assert "welcome" not in line.heard
    assert fetched == []
