"""Those who play Das Gold des Pharao on the page with nothing but what the page shows, in whatever language."""

from __future__ import annotations

import random

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.browser.player import KeyboardPlayer, Player

DONE = "[data-over]"
CELLS = "[data-cell] [data-action]"
"""Cells that can be walked to, revealed or turned."""
CONFIRM = '[data-place="confirm"]'
END = '[data-action="end"]'
SOMETHING = f"{CELLS}, {CONFIRM}, {END}"
MOST_ACTIONS = 900


class Explorer(Player):
    """Picks a figure, touches a cell, turns a tile and lets it lie; takes what lies there; sometimes ends early."""

    def __init__(self, page: Page, rng: random.Random, touch: bool = False, patience: float = 0.8) -> None:
        super().__init__(page, rng, touch)
        self._patience = patience

    def play_to_the_end(self) -> int:
        """How many times it acted."""
        for count in range(MOST_ACTIONS):
            self.page.wait_for_selector(f"{SOMETHING}, {DONE}")
            if self.over():
                return count
            self.act()
        raise AssertionError(f"no end after {MOST_ACTIONS} actions")

    def act(self, wanted: str = "") -> None:
        before = self.page.locator("[data-turns]").get_attribute("data-turns")
        if self.page.locator(CONFIRM).count():
            self._lay()
        elif wanted:
            self._press_one(self.page.locator(wanted))
        else:
            self._move()
        self._wait(before, "[data-over], [data-place], [data-answer]")
        asked = self.page.locator("[data-answer]")
        if asked.count():
            self._press(asked.first)
            self._wait(before, "[data-over], [data-place]")

    def _wait(self, before: str | None, sign: str) -> None:
        """Until something was done, or the page shows what comes of it: a question appears only after a while."""
        self.page.wait_for_function(
            "([before, sign]) => document.querySelector(sign) || "
            "document.querySelector('[data-turns]')?.dataset.turns !== before",
            arg=[before, sign],
        )

    def _lay(self) -> None:
        for _ in range(self._rng.randrange(3)):
            self._press(self.page.locator('[data-place="rotate"]'))
        self._press(self.page.locator(CONFIRM))

    def _move(self) -> None:
        if self.page.locator(f"{END}.ending").count():
            return  # nothing else is left to do: the turn ends by itself
        free = self.page.locator('[data-action^="take "], [data-action^="steal "]')
        helper = self.page.locator('[data-pick="helper"]:not([aria-disabled="true"])')
        if free.count():
            self._press_one(free)
            return
        if self._rng.random() < 0.25 and helper.count():
            self._press(helper)
            lamps = self.page.locator('[data-action="lamp"], [data-pick="turn"]')
            if lamps.count() and self._rng.random() < 0.4:
                self._press_one(lamps)
                if self.page.locator('[data-pick="turn"][aria-pressed="true"]').count() == 0:
                    return
        reveals = self.page.locator('[data-action^="reveal"]')
        cells = self.page.locator('[data-action^="walk"], [data-action^="turn"]')
        if self._rng.random() > self._patience or not (reveals.count() or cells.count()):
            self._end()
        elif reveals.count() and (not cells.count() or self._rng.random() < 0.6):
            self._press_one(reveals)
        else:
            self._press_one(cells)

    def _end(self) -> None:
        end = self.page.locator(END)
        try:
            if self._touch:
                end.tap(timeout=2_000)
            else:
                end.click(timeout=2_000)
        except TooLate:
            # Where nothing else was left to do, the turn may have ended by itself.
            if end.count():
                raise

    def _press_one(self, things: Locator) -> None:
        self._press(things.nth(self._rng.randrange(things.count())))


class KeyboardExplorer(Explorer, KeyboardPlayer):
    """The same by Tab and Enter alone; focus never gets lost."""

    def _end(self) -> None:
        if self.page.locator(END).count():
            self.press(END)

    def act(self, wanted: str = "") -> None:
        super().act(wanted)
        assert self.page.evaluate("document.activeElement !== document.body"), "focus was lost"
