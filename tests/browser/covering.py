"""What can be pressed, and whether it lies on top where it would be pressed."""

from __future__ import annotations

from playwright.sync_api import Page

SCREENS = ((320, 640), (390, 844), (844, 390), (1440, 900))

_COVERED = """([scrolling, within]) => {
    // What stands in front of everything is answered first.
    const front = [...document.querySelectorAll(within || "dialog[open], [role=dialog], .stage")].at(-1) ?? document;
    const things = [...front.querySelectorAll("a[href], button, select, summary, input")].filter((thing) =>
        thing.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !thing.disabled
        && thing.ariaDisabled !== "true" && thing.closest("[aria-hidden=true], .unseen") === null);
    // Words that let a finger through cover what is under them all the same.
    const words = [...document.querySelectorAll("[data-told-of]")];
    for (const one of words) one.style.pointerEvents = "auto";
    const found = [];
    for (const thing of things) {
        if (scrolling) thing.scrollIntoView({ block: "nearest", inline: "nearest" });
        const { x, y, width, height } = thing.getBoundingClientRect();
        const [across, down] = [x + width / 2, y + height / 2];
        const hit = document.elementFromPoint(across, down);
        const meant = hit !== null && (thing.contains(hit) || hit.closest("label")?.contains(thing) === true);
        // What a sheet offers is not to be looked for.
        if (!meant && (scrolling || thing.matches(".button"))) {
            found.push(`${thing.outerHTML.slice(0, 90)} under ${hit?.outerHTML.slice(0, 60) ?? "the edge"}`);
        }
    }
    for (const one of words) one.style.pointerEvents = "";
    return [found, things.length];
}"""


def covered(page: Page, *, scrolling: bool = True, within: str = "") -> list[str]:
    """What can be pressed, but for something over its middle; by a selector, only what is in there.

    By default every thing is scrolled to. Without that, it is what a sheet does not show at once of its buttons.
    """
    found, count = page.evaluate(_COVERED, [scrolling, within])
    assert count > 0, "nothing can be pressed"
    return list(found)


_OVERLAP = """([one, other]) => {
    const [a, b] = [one, other].map((selector) => document.querySelector(selector).getBoundingClientRect());
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
}"""


def overlap(page: Page, one: str, other: str) -> bool:
    """Whether two things lie over each other."""
    return bool(page.evaluate(_OVERLAP, [one, other]))
