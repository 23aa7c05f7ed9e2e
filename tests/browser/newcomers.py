"""People who see the page for the first time and play by one means only: a finger, keys, or what a screen reader says.

They know nothing of the page but the words that are on it, in their language: buttons are found by role and name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.player import tap

LOCALES = Path(__file__).parents[2] / "locales"
SCALE = 30
"""How many times faster than calm the page's timers run; what can be read stays until it has been."""
HURRY = """(({ scale, words }) => {
    const later = window.setTimeout;
    const cancel = window.clearTimeout;
    const cancelled = new Set();
    const reading = () =>
        [...document.querySelectorAll("button")].some((one) => words.includes(one.textContent.trim()));
    window.setTimeout = (then, ms = 0, ...given) => {
        if (ms > 5000) return later(then, ms, ...given);
        const fire = () => {
            if (cancelled.delete(id)) return;
            if (reading()) later(fire, 20);
            else then(...given);
        };
        const id = later(fire, ms / scale);
        return id;
    };
    window.clearTimeout = (id) => {
        cancelled.add(id);
        cancel(id);
    };
})(%s)"""
MOST_TURNS = 60
MOST_KEYS = 4


def _part(part: str, values: dict[str, str]) -> str:
    if part.isspace():
        return r"\s+"
    return re.escape(values[part[1:-1]]) if part[1:-1] in values else ".+" if part.startswith("{") else re.escape(part)


class Speaker:
    """Knows the words that are on the page, in one language, and nothing else of it."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self._words: dict[str, Any] = json.loads((LOCALES / f"{language}.json").read_text())

    def sentence(self, key: str, **values: str) -> re.Pattern[str]:
        """What the page says under this key, with anything for values that are not given."""
        said = self._words[key]
        forms = [said] if isinstance(said, str) else said.values()
        parts = ["".join(_part(part, values) for part in re.split(r"(\{\w+\}|\s)", form)) for form in forms]
        return re.compile("|".join(parts))

    def button(self, key: str, disabled: bool | None = None, **values: str) -> Locator:
        """The button whose name begins so."""
        name = re.compile(rf"^\s*(?:{self.sentence(key, **values).pattern})")
        return self.page.get_by_role("button", name=name, disabled=disabled)


def press_by_name(thing: Locator) -> None:
    """Have the screen reader press what it names, wherever it is on the screen."""
    thing.wait_for(state="attached")
    thing.evaluate("one => { one.focus(); one.click() }")


class Newcomer(Speaker):
    """Comes to the home page, chooses opponents, does everything there is to do, plays to the end and once more."""

    def __init__(self, page: Page, language: str) -> None:
        super().__init__(page, language)
        self.legs = 0
        """How often a leg, or the race, was scored before their eyes."""
        self._reading = [self._words[key] for key in ("page.continue", "ending.show_all") if key in self._words]
        page.add_init_script(HURRY % json.dumps({"scale": SCALE, "words": self._reading}))
        page.reload()

    def play(self) -> None:
        self.choose_opponents("jerboa")
        self.press(self.button("home.play_now").first)
        for act, told in (
            (self.bet_on_leg, "camelup.you.leg_tile"),
            (lambda: self.lay_card("orange", "winner"), "camelup.you.winner_known"),
            (lambda: self.lay_card("white", "loser"), "camelup.you.loser_known"),
            (lambda: self.lay_tile("oasis"), "camelup.you.oasis"),
            (lambda: self.lay_tile("mirage"), "camelup.you.mirage"),
            (self.roll, "camelup.you.shakes"),
        ):
            assert self.turn_comes(), "over before everything was done"
            self.act(act)
            self.hears(told)
        for _ in range(MOST_TURNS):
            if not self.turn_comes():
                break
            self.act(self.roll)
        assert self.legs > 0
        self.press(self.button("ending.rematch"))
        self.reads_until(self.button("camelup.roll", disabled=False))

    def turn_comes(self) -> bool:
        """Whether it is then one's turn, and not the end."""
        mine, over = self.button("camelup.roll", disabled=False), self.button("ending.rematch")
        self.reads_until(mine.or_(over))
        return mine.count() > 0

    def hears(self, key: str, **values: str) -> None:
        """What one did is told, once all that it led to has been seen: a roll may end the leg."""
        told = self.page.get_by_role("log", name=self._words["play.happening"])
        self.reads_until(told.filter(has_text=self.sentence(key, **values)))

    def reads_until(self, there: Locator) -> None:
        """Read whatever is to be read, until this is there."""
        reading = self.page.get_by_role("button", name=re.compile("|".join(map(re.escape, self._reading))))
        for _ in range(MOST_TURNS):
            there.or_(reading).first.wait_for()
            if reading.count():
                self.legs += 1
                word = reading.first.inner_text()
                self.read_on(reading.first)
                # One thing to read may lead to the next.
                expect(self.page.get_by_role("button", name=word, exact=True)).to_have_count(0)
            elif there.count():
                return
        raise AssertionError("no end of reading")

    def camel(self, colour: str, form: str = "the") -> str:
        return str(self._words[f"camelup.{form}.{colour}"])

    def leg_tile(self, colour: str) -> Locator:
        return self.button("camelup.leg_tile", colour=self.camel(colour, "colour"))

    def card(self, colour: str) -> Locator:
        return self.button("camelup.lay_card", camel=self.camel(colour))

    def tile(self) -> Locator:
        """The desert tile in the hand, not where it lies on the track."""
        return self.button("camelup.tile.take").or_(self.button("camelup.tile.lies")).last

    def spaces(self) -> list[str]:
        """The numbers of the spaces that are lit, but for the one on which the tile lies on trial."""
        lit = self.button("camelup.place_here")
        lit.first.wait_for()
        names = [one.get_attribute("aria-label") or "" for one in lit.all()]
        return [found[0] for name in names if (found := re.search(r"\d+", name))]

    def act(self, action: Callable[[], None]) -> None:
        action()

    def choose_opponents(self, bot: str) -> None:
        self.press(self.button("home.opponents").first)
        name = self._words[f"bot.{bot}"]
        self.pick(self.page.get_by_role("radio", name=name))
        expect(self.button("home.opponents", bot=name).first).to_be_visible()

    def read_on(self, button: Locator) -> None:
        self.press(button)

    def press(self, thing: Locator) -> None:
        raise NotImplementedError

    def pick(self, radio: Locator) -> None:
        raise NotImplementedError

    def roll(self) -> None:
        self.press(self.button("camelup.roll"))

    def bet_on_leg(self) -> None:
        self.press(self.leg_tile("green"))

    def lay_card(self, colour: str, deck: str) -> None:
        self.press(self.card(colour))
        self.press(self.button(f"camelup.deck.{deck}"))

    def lay_tile(self, face: str) -> None:
        """Lay it on the last space that is lit."""
        self.press(self.tile())
        space = self.spaces()[-1]
        self.press(self.button("camelup.place_here", space=space).last)
        self.press(
            self.page.get_by_role("button", name=re.compile(f"[+−]1.*{self._words[f'camelup.{face}']}", re.DOTALL))
        )
        self.press(self.button("camelup.tile.lay", space=space))


class Finger(Newcomer):
    """Touches what is there, once: nothing that is done often asks back."""

    def press(self, thing: Locator) -> None:
        tap(thing)

    def pick(self, radio: Locator) -> None:
        tap(radio.locator(".."))

    def lay_tile(self, face: str) -> None:
        """The oasis is dragged to its space; the mirage is put there by touch, and turned over where it lies."""
        if face == "mirage":
            self.press(self.tile())
            space = self.spaces()[-1]
            self.press(self.button("camelup.place_here", space=space))
            self.press(self.button("camelup.tile.turn", space=space, face=self._words["camelup.oasis"]))
            self.button("camelup.tile.turn", space=space, face=self._words["camelup.mirage"]).wait_for()
        else:
            touch = self.page.context.new_cdp_session(self.page)
            x, y = _middle(self.tile())
            self._move(touch, "touchStart", x, y)
            while self.button("camelup.place_here").count() == 0:
                y -= 4
                self._move(touch, "touchMove", x, y)
            space = self.spaces()[0]
            self._move(touch, "touchMove", *_middle(self.button("camelup.place_here", space=space)))
            self.button("camelup.tile.turn", space=space).wait_for()
            touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.press(self.button("camelup.tile.lay", space=space))

    def _move(self, touch: Any, kind: str, x: float, y: float) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


def _middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Keys(Newcomer):
    """Never touches anything but the keyboard, and counts what an action takes."""

    MOST_TABS = 60

    def __init__(self, page: Page, language: str) -> None:
        super().__init__(page, language)
        self.pressed = 0
        self.most = 0
        """The most keys that one action took."""

    def key(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.pressed += len(keys)

    def act(self, action: Callable[[], None]) -> None:
        self.pressed = 0
        action()
        self.most = max(self.most, self.pressed)

    def press(self, thing: Locator) -> None:
        """Go there by Tab, and press Enter."""
        self._reach(thing)
        self.key("Enter")

    def pick(self, radio: Locator) -> None:
        """Arrows lead from one to the next, and round."""
        radios = self.page.get_by_role("radio")
        self._reach(radios.and_(self.page.get_by_role("radio", checked=True)).first)
        for _ in range(radios.count()):
            if radio.is_checked():
                return
            self.key("ArrowRight")
        raise AssertionError("not among those")

    def _reach(self, thing: Locator) -> None:
        thing.wait_for(state="attached")
        for _ in range(self.MOST_TABS):
            if thing.evaluate("one => one === document.activeElement"):
                return
            self.key("Tab")
        raise AssertionError(f"not to be reached by Tab: {thing}")

    def read_on(self, button: Locator) -> None:
        button.wait_for()
        self.key("Escape")

    def look_up(self) -> None:
        """Which keys there are is listed under a question mark."""
        self.key("?")
        sheet = self.page.get_by_role("dialog", name=self._words["keys.title"])
        for key in ("roll", "leg", "winner", "loser", "tile"):
            expect(sheet).to_contain_text(self._words[f"keys.camelup.{key}"])
        self.key("Escape")
        expect(sheet).to_have_count(0)

    def roll(self) -> None:
        self.key("r")

    def bet_on_leg(self) -> None:
        self.key("2")

    def lay_card(self, colour: str, deck: str) -> None:
        self.key("c")
        expect(self.card("blue")).to_be_focused()
        self.key({"orange": "3", "white": "5"}[colour])
        self.button(f"camelup.deck.{deck}").wait_for()
        self.key(deck[0])

    def lay_tile(self, face: str) -> None:
        self.key(face[0])
        space = self.spaces()[-1]
        self.key(*space)
        here = self.button("camelup.tile.turn", space=space, face=self._words[f"camelup.{face}"])
        expect(here).to_be_focused()
        self.key("Enter")


class Reader(Newcomer):
    """Hears roles and names, and has the screen reader press what it names."""

    def press(self, thing: Locator) -> None:
        press_by_name(thing)

    def pick(self, radio: Locator) -> None:
        self.press(radio)
