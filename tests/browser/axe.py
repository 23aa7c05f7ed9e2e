"""What axe finds on a screen: both themes in English, light in every language."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.support import SOAK

Theme = Literal["light", "dark"]
THEMES: dict[str, tuple[Theme, ...]] = {"en-GB": ("light", "dark"), "de-DE": ("light",), "fr-FR": ("light",)}
EVERY_LOCALE = pytest.mark.parametrize("locale", THEMES if SOAK else ["en-GB"])
"""In the short form English stands for all: what axe looks at hardly depends on the words."""
PHONE: dict[str, Any] = {"color_scheme": "light", "viewport": {"width": 412, "height": 915}}

# Only what is wrong comes back: what is right would be a hundred times as much.
_LOOK = """([within, rules]) =>
    axe.run(within && document.querySelector(within) || document,
        { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) })
        .then(({ violations }) => violations)"""
_DRESS = "theme => { document.documentElement.dataset.theme = theme; }"
"""As somebody sees the page who has chosen a theme: a game may have one of its own for everybody else."""
_OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""What can be wrong in one theme and right in the other; nothing else of a page depends on its colours."""


def violations(page: Page, screen: str, locale: str, within: str = "") -> list[str]:
    """What axe finds on the screen as it stands, in each of its themes; the page stays light.

    In the short form only within that part of it, where one is given: the rest has been looked at elsewhere. And of the
    dark theme only its colours.
    """
    found: list[str] = []
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE_SCRIPT)
    for theme in THEMES[locale]:
        page.evaluate(_DRESS, theme)
        rules = None if SOAK or theme == "light" else _OF_COLOURS
        for violation in page.evaluate(_LOOK, ["" if SOAK else within, rules]):
            found += [f"{screen}, {theme}: {violation['id']}: {node['html'][:160]}" for node in violation["nodes"]]
    page.evaluate(_DRESS, "light")
    return found
