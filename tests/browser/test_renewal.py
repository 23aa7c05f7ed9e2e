"""A server is replaced by one with another build of the page: open pages follow, without anybody losing anything."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from serai.server.http.pages import WEB
from tests.browser.conftest import Visit
from tests.browser.player import OFFERED, Player
from tests.browser.serving import Server, serving
from tests.browser.test_scenarios import two_by_link

LOST = ".notice[role=status]"
"""Where a page says that the server cannot be reached."""


class Place:
    """A server and the folder of its page, which can be replaced."""

    def __init__(self, server: Server, web: Path) -> None:
        self.server = server
        self._web = web

    def upgrade(self, build: str, *pages: Page) -> None:
        """Stop the server, and start one whose page tells that it is of that build; until these pages are back."""
        self.server.stop()
        for other in pages:
            other.locator(LOST).wait_for()
        page = (WEB / "index.html").read_text()
        told = page.replace("<title>", f'<meta name="tested" content="{build}" /><title>')
        (self._web / "index.html").write_text(told)
        self.server.start()
        for other in pages:
            other.locator(LOST).wait_for(state="hidden")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    web = tmp_path / "web"
    shutil.copytree(WEB, web)
    with serving(tmp_path, (sys.executable, "-m", "tests.browser.serve_page", "--web", str(web))) as running:
        yield Place(running, web)


def loads_of(page: Page) -> list[Page]:
    """Grows whenever the page is loaded anew."""
    loads: list[Page] = []
    page.on("load", lambda loaded: loads.append(loaded))
    return loads


def of_build(page: Page, build: str) -> None:
    """Wait until the page is of that build."""
    page.wait_for_selector(f'meta[name="tested"][content="{build}"]', state="attached")
    page.wait_for_load_state("load")


def test_pages_are_loaded_anew_when_that_disturbs_nobody(place: Place, visit: Visit) -> None:
    ann, ben = two_by_link(place.server, visit)
    loads = loads_of(ann), loads_of(ben)
    ben.get_by_placeholder("Write").fill("half a")
    place.upgrade("second", ann, ben)
    # Ann is to act, Ben is writing: both go on as they were.
    Player(ann, random.Random(1)).act('[data-action="leg green"]')
    of_build(ann, "second")
    ann.get_by_text("Ben is thinking").wait_for()
    ben.wait_for_selector(OFFERED)
    expect(ben.get_by_placeholder("Write")).to_have_value("half a")
    ben.get_by_placeholder("Write").press("Enter")
    expect(ann.get_by_role("list", name="Story")).to_contain_text("half a")
    assert [len(one) for one in loads] == [1, 0]
    Player(ben, random.Random(2)).act('[data-action="leg blue"]')
    of_build(ben, "second")
    ann.wait_for_selector(OFFERED)
    expect(ann.get_by_role("button", name="Blue: take the 3")).to_be_visible()
    assert [len(one) for one in loads] == [1, 1]
