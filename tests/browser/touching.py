"""What a finger would miss: whatever can be touched is 44 pixels wide and high."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

_SMALL = """(within) => {
  const small = [];
  const things = "button, a[href], select, input:not([type=checkbox])";
  for (const found of (within && document.querySelector(within) || document).querySelectorAll(things)) {
    // A label takes the touch for what stands in it.
    const thing = found.type === "radio" ? found.closest("label") : found;
    if (!thing.checkVisibility({ visibilityProperty: true })) continue;
    thing.scrollIntoView({ block: "center" });
    const box = thing.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // What lies under the result, or under preferences, cannot be touched until they are put away.
    const over = document.elementFromPoint(x, y)?.closest("[data-over], #preferences");
    if (over && !over.contains(thing)) continue;
    const hits = (dx, dy) => {
      let count = 0;
      for (let step = -40; step <= 40; step += 1) {
        const found = document.elementFromPoint(x + dx * step, y + dy * step);
        if (found !== null && thing.contains(found)) count += 1;
      }
      return count;
    };
    const wide = box.width >= 43.5 || hits(1, 0) >= 43;
    const high = box.height >= 43 || hits(0, 1) >= 43;
    if (!wide || !high) small.push(thing.outerHTML.slice(0, 120));
  }
  return small;
}"""


def too_small(page: Page, within: str = "") -> list[str]:
    """What is smaller than that on the page, or in a part of it."""
    found: list[str] = page.evaluate(_SMALL, within)
    return found
