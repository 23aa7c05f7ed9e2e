"""Those who play Camel Up on the page with nothing but what the page shows, in whatever language."""

from __future__ import annotations

import random
from collections.abc import Callable

from playwright.sync_api import Locator, Page

OFFERED = '[data-action]:not([aria-disabled="true"])'
"""What can be pressed: the pyramid, leg tiles, race cards, the desert tile, and spaces for it while it is held."""
ROLL = f'{OFFERED}[data-action="roll"]'
SPACE = '[data-action^="desert "]'
"""Where the desert tile may be laid, while it is held."""
MOST_TURNS = 200


def tap(thing: Locator) -> None:
    """Touch it, and wait for the click that a browser makes of it only some time after the finger is up."""
    thing.evaluate(
        "() => { window.clicked = false;"
        " addEventListener('click', () => { window.clicked = true }, { capture: true, once: true }) }"
    )
    thing.tap()
    thing.page.wait_for_function("() => window.clicked")


def lay(page: Page, space: int, face: str, press: Callable[[Locator], None] = Locator.click) -> None:
    """Take up the desert tile and lay it on a space, with that face up."""
    press(page.locator(f'{OFFERED}[data-action="tile"]').last)
    press(page.locator(f'[data-action="desert {space}"]'))
    press(page.locator(f'[data-side="{face}"]'))
    press(page.locator("[data-answer=lay]"))


class Player:
    """Presses one of the things that can be pressed, and answers what it is then asked."""

    def __init__(self, page: Page, rng: random.Random, touch: bool = False, careful: bool = False) -> None:
        self.page = page
        self._rng = rng
        self._touch = touch
        self._asked = ("card ", "roll") if careful else ("card ",)
        """What the page asks about before it is done; whoever is careful has set it to ask before a roll."""

    def play_to_the_end(self) -> int:
        """How many turns it took."""
        for turn in range(MOST_TURNS):
            self.page.wait_for_selector(f"{OFFERED}, [data-over]")
            if self.over():
                return turn
            self.act()
        raise AssertionError(f"no end after {MOST_TURNS} turns")

    def over(self) -> bool:
        return self.page.locator("[data-over]").count() > 0

    def act(self, wanted: str = "") -> None:
        """Do one thing, a roll as often as not so that the race comes to its end; then wait for what follows."""
        before = self.page.locator("[data-turns]").get_attribute("data-turns")
        if not wanted and self._rng.random() < 0.5:
            wanted = ROLL
        self.begin(wanted or OFFERED)
        self.page.wait_for_function(
            "before => document.querySelector('[data-over]') || "
            "document.querySelector('[data-turns]')?.dataset.turns !== before",
            arg=before,
        )

    def begin(self, wanted: str) -> None:
        """Do one thing, without waiting until it has been shown."""
        thing = self._any(wanted)
        action = thing.get_attribute("data-action") or ""
        self._press(thing)
        if action == "tile":
            self._lay()
        elif action.startswith(self._asked):
            # A question comes a moment after the press.
            self.page.wait_for_selector("[data-answer]")
            self._press(self._any("[data-answer]"))

    def _any(self, wanted: str) -> Locator:
        things = self.page.locator(wanted)
        return things.nth(self._rng.randrange(things.count()))

    def _lay(self) -> None:
        """Choose a space and a face for the desert tile that is held."""
        self.page.wait_for_selector(SPACE)
        self._press(self._any(SPACE))
        self.page.wait_for_selector("[data-side]")
        self._press(self._any("[data-side]"))
        self._press(self.page.locator("[data-answer=lay]"))

    def _press(self, thing: Locator) -> None:
        if self._touch:
            tap(thing)
        else:
            thing.click()


class KeyboardPlayer(Player):
    """Uses nothing but Tab and Enter, and checks that focus never gets lost."""

    MOST_TABS = 120

    def press(self, selector: str) -> None:
        """Go there by Tab, from wherever focus is, and press Enter."""
        self._press(self.page.locator(selector).first)

    def act(self, wanted: str = "") -> None:
        super().act(wanted)
        assert self.page.evaluate("document.activeElement !== document.body"), "focus was lost"

    def _any(self, wanted: str) -> Locator:
        """Without decks and spaces that offer the same once more, for those who point."""
        wanted += ':not([tabindex="-1"])'
        self.page.wait_for_selector(wanted)
        return super()._any(wanted)

    def _lay(self) -> None:
        """From space to space by arrows; Enter lays the tile where it lies on trial."""
        self.page.wait_for_selector(f"{SPACE}.tried:focus")
        for _ in range(self._rng.randrange(4)):
            self.page.keyboard.press(self._rng.choice(("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Space")))
        self.page.keyboard.press("Enter")

    def _press(self, thing: Locator) -> None:
        target = thing.element_handle()
        for _ in range(self.MOST_TABS):
            if target.evaluate("thing => thing === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"not to be reached by Tab: {target.evaluate('one => one.outerHTML')}")
