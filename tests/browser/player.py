"""Somebody who plays Camel Up on the page with nothing but what the page shows, in whatever language."""

from __future__ import annotations

import random

from playwright.sync_api import Locator, Page

OFFERED = "[data-action]:not([disabled])"
"""What can be pressed: the pyramid, leg tiles, spaces, race cards."""


class Player:
    """Presses one of the things that can be pressed, and answers what it is then asked."""

    def __init__(self, page: Page, rng: random.Random, touch: bool = False) -> None:
        self.page = page
        self._rng = rng
        self._touch = touch

    def play_to_the_end(self, most_turns: int = 200) -> int:
        """How many turns it took."""
        for turn in range(most_turns):
            self.page.wait_for_selector(f"{OFFERED}, [data-over]")
            if self.over():
                return turn
            self.act()
        raise AssertionError(f"no end after {most_turns} turns")

    def over(self) -> bool:
        return self.page.locator("[data-over]").count() > 0

    def act(self, wanted: str = OFFERED) -> None:
        """Do one thing; rolling often enough for the race to end."""
        before = self.page.locator("[data-turns]").get_attribute("data-turns")
        roll = self.page.locator('[data-action="roll"]:not([disabled])')
        if wanted == OFFERED and roll.count() and self._rng.random() < 0.5:
            self._press(roll)
        else:
            things = self.page.locator(wanted)
            self._press(things.nth(self._rng.randrange(things.count())))
        asked = self.page.locator("[data-answer]")
        if asked.count():
            self._press(asked.nth(self._rng.randrange(asked.count())))
        self.page.wait_for_function(
            "before => document.querySelector('[data-over]') || "
            "document.querySelector('[data-turns]')?.dataset.turns !== before",
            arg=before,
        )

    def _press(self, thing: Locator) -> None:
        if self._touch:
            thing.tap()
        else:
            thing.click()
