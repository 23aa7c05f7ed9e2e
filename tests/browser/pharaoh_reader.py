"""Whoever plays Das Gold des Pharao by what a screen reader says: roles, names and what is read out, nothing else."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Page

from tests.browser.newcomers import Speaker, press_by_name

ME = "Ann"
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}
MOST_ACTIONS = 400
PATIENCE = 30.0


def beside(cell: str, side: str) -> str:
    """The name of the cell on that side, which need not exist."""
    across, up = STEPS[side]
    return f"{chr(ord(cell[0]) + across)}{int(cell[1]) + up}"


class PyramidReader(Speaker):
    """Sets up a table, sends the helper round once, then brings out what is found and is home before all falls."""

    def __init__(self, page: Page, language: str) -> None:
        super().__init__(page, language)
        self.done: list[str] = []
        """By key, what was done."""
        self.told = ""
        """What was told last."""
        self._read = ""
        """The whole page, read out."""
        self._cells: dict[str, str] = {}
        """What is said of each of them."""
        self._names: list[str] = []
        """What can be pressed."""

    # -- reading -------------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Have the page read out."""
        self._read = self.page.locator("body").aria_snapshot()
        self._cells = dict(re.findall(r'text: "?([a-f][1-6]): ([^"\n]*)', self._read))
        self._names = re.findall(r'button "([^"]*)"', self._read)

    def says(self, key: str, **values: str) -> bool:
        return self.sentence(key, **values).search(self._read) is not None

    def called(self, key: str, **values: str) -> list[str]:
        """Names of buttons that are called just so, with anything where a value is left open."""
        return [name for name in self._names if self.sentence(key, **values).fullmatch(name)]

    def told_of(self, key: str, **values: str) -> set[str]:
        """The cells of which it is said."""
        said = re.compile(rf"(?:{self.sentence(key, **values).pattern})(?:,|$)")
        return {cell for cell, text in self._cells.items() if said.search(text)}

    def stands(self, figure: str) -> str | None:
        """On which cell this figure of one's own is said to be."""
        return next(iter(self.told_of(f"pharaoh.{figure}_of", name=ME)), None)

    def sides(self, said: str) -> list[str]:
        """To which sides a tile is said to be open; nothing is said of those that are open to all."""
        words = set(re.findall(r"\w+", said.lower()))
        return [side for side in STEPS if {*re.findall(r"\w+", self._words[f"pharaoh.side.{side}"].lower())} <= words]

    def open_to(self, cell: str) -> list[str]:
        closed = self.told_of("pharaoh.face_down") | self.told_of("pharaoh.fallen")
        return [] if cell in closed or cell not in self._cells else self.sides(self._cells[cell]) or list(STEPS)

    def linked(self, cell: str) -> list[str]:
        """Where one step leads, by what is said of the tiles."""
        near = {side: beside(cell, side) for side in self.open_to(cell)}
        return [there for side, there in near.items() if BACK[side] in self.open_to(there)]

    def way(self, begin: str, goals: set[str]) -> list[str]:
        """The shortest way to one of these cells; empty if none is known."""
        ways = [[begin]]
        seen = {begin}
        for way in ways:
            if way[-1] in goals:
                return way
            near = [cell for cell in self.linked(way[-1]) if cell not in seen]
            seen.update(near)
            ways += [[*way, cell] for cell in near]
        return []

    # -- doing ---------------------------------------------------------------------------------------------------------

    def press(self, name: str) -> None:
        press_by_name(self.page.get_by_role("button", name=name, exact=True).first)

    def act(self, key: str, **values: str) -> bool:
        """Press what is called so, if anything is, and listen until it has been told what came of it."""
        names = self.called(key, **values)
        if not names:
            return False
        self.press(names[0])
        self.done.append(key)
        self.hear()
        return True

    def hear(self) -> None:
        """Until something new was told, and one can go on or it is over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            self.listen()
            told = self._read.partition(f'log "{self._words["play.happening"]}"')[2]
            if re.search(r"^\s*- dialog", self._read, re.MULTILINE):
                end = self.page.get_by_role("dialog").get_by_role("button", name=self._words["pharaoh.do.end"])
                press_by_name(end)
            elif told != self.told and (self.over() or self.called("pharaoh.do.end") or self.called("pharaoh.do.lay")):
                self.told = told
                return
            time.sleep(0.03)
        raise AssertionError(f"nothing was told:\n{self._read}")

    def pick(self, figure: str) -> None:
        """Take a figure in hand, if it is not there already."""
        begin = f"{self._words[f'pharaoh.figure.{figure}']} {self.stands(figure)}"
        name = next(name for name in self._names if name.startswith(begin))
        if f'button "{name}" [pressed]' not in self._read:
            # How far it is home is said once that is worked out, at the end of the name.
            press_by_name(self.page.get_by_role("button", name=re.compile(f"^{re.escape(begin)}")).first)
            self.listen()

    def over(self) -> bool:
        return self.called("ending.rematch") != []

    # -- playing -------------------------------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """A whole game of so many rounds, if the pyramid does not fall before."""
        self.sit_down(rounds)
        for _ in range(MOST_ACTIONS):
            if self.over():
                return
            if self.called("pharaoh.do.lay"):
                self.lay()
            elif "pharaoh.do.turned" not in self.done and self.says("pharaoh.moves_left", count="3"):
                self.send_helper()
            else:
                self.explore()
        raise AssertionError("no end")

    def sit_down(self, rounds: int) -> None:
        """At a table for two, the other one a bot."""
        press_by_name(self.page.get_by_role("link", name=self._words["home.new_table"]).first)
        self.page.get_by_role("combobox", name=self._words["page.game"]).select_option(
            label=self._words["game.pharaoh"]
        )
        self.page.get_by_role("textbox", name=self._words["lobby.name"]).fill(ME)
        second = self.page.get_by_role("combobox", name=self.sentence("new.who", seat="2"))
        second.select_option(label=self._words["new.bot"])
        self.page.get_by_role("spinbutton", name=self._words["pharaoh.option.max_rounds"]).fill(str(rounds))
        press_by_name(self.button("new.create"))
        press_by_name(self.button("lobby.start"))
        self.hear()

    def lay(self) -> None:
        """Turn the tile until it is open towards the archaeologist, and towards as much that is face down as can be."""
        worth: dict[str, int] = {}
        while (name := self.called("pharaoh.do.rotate")[0]) not in worth:
            cell = re.findall(r"\b[a-f][1-6]\b", name)[0]
            near = {beside(cell, side) for side in self.sides(name)}
            worth[name] = 9 * (self.stands("archaeologist") in near) + len(near & self.told_of("pharaoh.face_down"))
            self.press(name)
            self.listen()
        best = max(worth, key=lambda name: worth[name])
        while self.called("pharaoh.do.rotate")[0] != best:
            self.press(self.called("pharaoh.do.rotate")[0])
            self.listen()
        self.act("pharaoh.do.lay")

    def send_helper(self) -> None:
        """Into a passage, and a lamp there; in another turn the tile is turned, and turned back."""
        stands = self.stands("helper") or ""
        sides = self.sides(self._cells[stands])
        near = [cell for cell in self.linked(stands) if self.sides(self._cells[cell])]
        if sides and "pharaoh.do.lamp" in self.done:
            self.pick("helper")
            self.turn(stands, [])
            self.turn(stands, sides)
        elif sides or near:
            self.pick("helper")
            assert sides or self.act("pharaoh.do.walk_helper", cell=near[0])
            self.act("pharaoh.do.lamp")
            self.explore()
        else:
            self.explore()

    def turn(self, cell: str, wanted: list[str]) -> None:
        """Until the tile is open to the sides that are wanted, or as it first comes."""
        self.press(self._words["pharaoh.do.turn_tiles"])
        self.listen()
        self.press(self.called("pharaoh.do.turn", cell=cell)[0])
        self.listen()
        while wanted and self.sides(name := self.called("pharaoh.do.rotate")[0]) != wanted:
            self.press(name)
            self.listen()
        assert self.act("pharaoh.do.turned")

    def explore(self) -> None:
        """Take what can be taken, and go on; where nothing is left to do the turn is over."""
        if not any(self.act(f"pharaoh.do.{what}") for what in ("take_mask", "take", "steal")) and not self.goes_on():
            assert self.act("pharaoh.do.end")

    def goes_on(self) -> bool:
        """Home with what is carried, or since the mask is found; otherwise to a treasure, or to what is face down."""
        stands = self.stands("archaeologist")
        if stands is None:
            return False
        self.pick("archaeologist")
        if stands in self.told_of("pharaoh.carries") or not self.says("pharaoh.mask_hidden"):
            if self.way(stands, self.told_of("pharaoh.start")):
                return self.walk(stands, self.told_of("pharaoh.start"))
        elif self.walk(stands, self.told_of("pharaoh.label.treasure")):
            return True
        if self.act("pharaoh.do.reveal"):
            return True
        hidden = self.told_of("pharaoh.face_down")
        edge = {cell for cell in self._cells if hidden & {beside(cell, side) for side in self.open_to(cell)}}
        return self.walk(stands, edge)

    def walk(self, stands: str, goals: set[str]) -> bool:
        way = self.way(stands, goals)
        return len(way) > 1 and self.act("pharaoh.do.walk_archaeologist", cell=way[1])
