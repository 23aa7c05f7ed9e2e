"""How much of a page moves by itself while a game is played, as the browser measures it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from tests.browser.watching import Crowd

SCALE = 30
"""How many times faster than calm the page's timers run; what is measured is told in calm time."""
GAP, LONGEST = 1000, 5000
"""Milliseconds: a window ends after so long without a shift, and lasts no longer than that."""

PLAY = """(({ scale, seed, choose }) => {
    const later = window.setTimeout;
    // How long the connection waits for an answer is no matter of pace.
    window.setTimeout = (then, ms = 0, ...given) => later(then, ms > 5000 ? ms : ms / scale, ...given);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const chance = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    window.shifts = [];
    const place = ({ x, y, width, height }) => `${x},${y} ${width}×${height}`;
    const name = (node) => node?.nodeName === "#text" ? `“${node.data}” in ${name(node.parentNode)}`
        : node ? `${node.localName}.${node.getAttribute?.("class") ?? ""}` : "gone";
    new PerformanceObserver((list) => {
        for (const { startTime, value, sources } of list.getEntries()) {
            const moved = sources.map((one) =>
                `${name(one.node)}: ${place(one.previousRect)} → ${place(one.currentRect)}`);
            shifts.push({ at: startTime * scale, value, moved });
        }
    }).observe({ type: "layout-shift", buffered: true });
    const press = () => {
        const resting = all("main [data-resting]").every((one) => one.dataset.resting === "true");
        if (resting && all("[data-over]").length === 0) {
            const asked = all("[data-answer]");
            (asked.length > 0 ? asked[Math.floor(chance() * asked.length)] : choose(all, chance))?.click();
        }
        later(press, 8);
    };
    addEventListener("load", press);
})"""


@dataclass
class Window:
    """Shifts that follow each other closely."""

    start: float
    last: float
    value: float = 0
    moved: list[str] = field(default_factory=list)


def played(page: Page, url: str, crowd: Crowd, seed: int, *, scrolled: bool = False) -> list[Any]:
    """Every shift of a game, those after input included, from the first sight of the table to its end.

    Only what is on the screen counts: whoever has ``scrolled`` looks at the lower end of the page.
    """
    page.add_init_script('localStorage.setItem("serai.settings", JSON.stringify({ odds: true, pace: "calm" }))')
    given = json.dumps({"scale": SCALE, "seed": seed})
    page.add_init_script(f"{PLAY}({{ ...{given}, choose: {crowd.shown.choose} }})")
    page.route("**/tables/case/odds**", crowd.odds)
    page.set_default_timeout(300_000)
    crowd.open(page, url)
    if scrolled:
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_selector("[data-over]")
    page.wait_for_timeout(500)  # whatever the ending brings along comes a little later
    shifts: list[Any] = page.evaluate("shifts")
    return shifts


def worst(shifts: Sequence[Any]) -> Window:
    """The window in which most moved."""
    found = [Window(0, 0)]
    for shift in shifts:
        at = shift["at"]
        if at - found[-1].last > GAP or at - found[-1].start > LONGEST:
            found.append(Window(at, at))
        window = found[-1]
        window.last = at
        window.value += shift["value"]
        window.moved += [f"{shift['value']:.4f} {moved}" for moved in shift["moved"]]
    return max(found, key=lambda window: window.value)
