"""A guided game to its end, by touching what the guide asks for: that is pointed at and in sight."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from serai.core.record import plays
from serai.core.registry import game as find_game
from serai.server.http.api import learner, lesson
from serai.table.records import replay_frames
from serai.wire.frames import Frame
from tests.browser.conftest import Visit
from tests.browser.player import lay, tap
from tests.browser.serving import Server

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
IN_SIGHT = """() => {
    const spot = document.querySelector("[data-spot]")?.getBoundingClientRect();
    const guide = document.querySelector(".guide").getBoundingClientRect();
    return spot !== undefined && spot.top >= -8 && spot.bottom <= innerHeight + 8
        && (spot.bottom - 6 <= guide.top || spot.top + 6 >= guide.bottom);
}"""
"""Something points at what is to be done, and neither the guide nor the edge of the screen covers it."""


def taught(name: str) -> list[str]:
    """The learner's actions in notation; what has no alternative the page does by itself."""
    prepared = lesson(find_game(name))
    assert prepared is not None
    seat = learner(prepared)
    frames = [frame for frame in replay_frames(prepared, plays(prepared), seat) if isinstance(frame, Frame)]
    return [
        str(frame.action)
        for before, frame in itertools.pairwise(frames)
        if frame.by == seat and len(before.actions) > 1
    ]


def steps(page: Page) -> Iterator[int]:
    """Each step when it is to be done; whatever is to be read is read on the way."""
    while True:
        page.wait_for_selector('[data-stage="intro"], [data-stage="do"], [data-stage="done"], [data-stage="end"]')
        stage = page.locator("[data-stage]").get_attribute("data-stage")
        if stage == "end":
            return
        assert "lesson." not in page.locator(".guide").inner_text()
        step = page.locator("[data-step]").get_attribute("data-step") or ""
        if stage == "do":
            page.wait_for_function(IN_SIGHT)
            yield int(step)
        else:
            page.locator(".guide .button").first.tap()
        page.wait_for_function(
            "([stage, step]) => !document.querySelector(`[data-stage=${stage}][data-step='${step}']`)",
            arg=[stage, step],
        )


def race(page: Page, action: str) -> None:
    """Camel Up's actions where a player finds them."""
    kind, _, what = action.partition(" ")
    if kind in ("oasis", "mirage"):
        lay(page, int(what), kind, tap)
        return
    place = {"winner": "card", "loser": "card"}.get(kind, kind)
    tap(page.locator(f'[data-action="{f"{place} {what}".strip()}"]'))
    if kind in ("winner", "loser"):
        tap(page.locator(f'[role=dialog] [data-answer="{kind}"]'))


def test_camel_up_is_learnt_by_doing(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/learn/camelup", locale="de-DE", faster=20, **PHONE)
    actions = taught("camelup")
    for step in steps(page):
        if step == 1:
            race(page, "leg white")  # not what was asked for: nothing happens
            assert page.locator("[data-stage]").get_attribute("data-stage") == "do"
        race(page, actions[step - 1])
    assert "22 zu 21" in page.locator(".ending").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
