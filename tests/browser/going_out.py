"""The pictures that leave the page: icons of an installed Serai, and what messengers show of a link.

``make pictures`` draws them with a browser and puts them into ``web/public``, where they are kept: whoever builds the
page needs no browser.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from serai.core.registry import games
from tests.browser.serving import chromium, serving

WEB = Path(__file__).parents[2] / "web"
LOCALES = Path(__file__).parents[2] / "locales"
LANGUAGES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR"}
WIDTH, HEIGHT = 1200, 630
"""What messengers ask for."""
ICONS = {"icon-192": (192, False), "icon-512": (512, False), "maskable-512": (512, True), "touch-180": (180, True)}
"""Pixels, and whether it is cut to a shape by whoever shows it: then the drawing stays in the middle of its ground."""
GROUND = "#1b8a8f"
FALLBACK = "serai"
"""The picture of whatever is about no game that has one."""

PUT_UP = """([game, title, text]) => {
  const poster = document.querySelector(`[data-game="${game}"] .poster`).cloneNode(true);
  const card = document.createElement("div");
  card.style.cssText = "position:fixed;inset:0;z-index:99;background:#2a1c12;overflow:hidden";
  poster.style.cssText = "position:absolute;inset:0;aspect-ratio:auto;width:100%;height:100%";
  const words = document.createElement("div");
  words.style.cssText =
    "position:absolute;inset:0 0 auto;padding:34px 48px 60px;color:#fff;text-shadow:0 2px 10px #000a;" +
    "background:linear-gradient(rgb(30 18 8 / 0.78), rgb(30 18 8 / 0.62) 70%, transparent)";
  const head = document.createElement("div");
  head.textContent = title;
  head.style.cssText = "font:700 78px/1.05 var(--serif)";
  const line = document.createElement("div");
  line.textContent = text;
  line.style.cssText = "font:500 31px/1.25 var(--sans);margin-top:10px;max-width:30em";
  words.append(head, line);
  card.append(poster, words);
  document.body.append(card);
}"""


def main() -> None:
    (WEB / "public" / "icons").mkdir(parents=True, exist_ok=True)
    (WEB / "public" / "previews").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as store, serving(Path(store)) as server, chromium() as browser:
        draw_icons(browser)
        for language, locale in LANGUAGES.items():
            page = browser.new_context(locale=locale, color_scheme="light", reduced_motion="reduce").new_page()
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            draw_previews(page, server.url, language)
            page.context.close()


def draw_icons(browser: Browser) -> None:
    drawing = (WEB / "src" / "icon.svg").read_text()
    for name, (size, cut) in ICONS.items():
        page = browser.new_context(viewport={"width": size, "height": size}).new_page()
        inner = "position:absolute;inset:12%;width:76%;height:76%" if cut else "display:block;width:100%;height:100%"
        ground = GROUND if cut else "transparent"
        page.set_content(
            f'<body style="margin:0;background:{ground}">{drawing.replace("<svg", f"<svg style={inner!r}")}'
        )
        path = WEB / "public" / "icons" / f"{name}.png"
        page.screenshot(path=path, omit_background=True)
        page.context.close()


def draw_previews(page: Page, url: str, language: str) -> None:
    words = json.loads((LOCALES / f"{language}.json").read_text())
    shown = {game: (game, words[f"game.{game}"], words[f"preview.{game}"]) for game in games()}
    shown[FALLBACK] = (games()[0], "Serai", words["home.lead"])
    for name, texts in shown.items():
        page.goto(url)
        page.wait_for_selector(".game .poster")
        page.evaluate(PUT_UP, list(texts))
        page.wait_for_timeout(300)
        page.screenshot(path=WEB / "public" / "previews" / f"{name}-{language}.jpg", type="jpeg", quality=72)


if __name__ == "__main__":
    main()
