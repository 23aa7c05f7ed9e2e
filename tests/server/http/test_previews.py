"""What messengers show of a link: the game, in the reader's language, with a picture that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from serai.core.registry import games
from serai.server.http.pages import WEB
from tests.server.support import QUICK, Visitor, house, run

SITE = "https://games.example.org/serai"


async def told(visitor: Visitor, path: str) -> dict[str, str]:
    page = await visitor.call("GET", path)
    assert page.status_code == 200, page.text
    return dict(re.findall(r'<meta property="og:([a-z:_]+)" content="([^"]*)"', page.text))


def test_a_link_shows_its_game_in_the_language_of_whoever_sent_it(tmp_path: Path) -> None:
    async def look() -> None:
        async with house(tmp_path, replace(QUICK, public_url=SITE), web=WEB) as here:
            ann = Visitor(here.base)
            for game in games():
                table = await ann.create(game, seats=2)
                invited = await told(ann, f"/t/{table}?l=de")
                assert invited["image"] == f"{SITE}/previews/{game}-de.jpg"
                assert invited["url"] == f"{SITE}/t/{table}"
                assert "eingeladen" in invited["description"]
                for path in (f"/g/{game}/rules", f"/new/{game}", f"/learn/{game}"):
                    assert (await told(ann, path))["image"] == f"{SITE}/previews/{game}-en.jpg"
            for seat in range(2):
                await ann.join(table, f"Ann {seat}")
            async with ann.at(table) as socket:
                await socket.do("start")
            assert "watch" in (await told(ann, f"/t/{table}"))["description"]

    run(look())


@pytest.mark.parametrize("path", ["/", "/about", "/t/nowhere", "/g/nothing/rules", "/t/", "/replay"])
def test_whatever_is_about_no_game_shows_the_house(tmp_path: Path, path: str) -> None:
    async def look() -> None:
        async with house(tmp_path, web=WEB) as here:
            shown = await told(Visitor(here.base), path)
            assert shown["title"] == "Serai"
            assert shown["image"] == f"{here.base}/previews/serai-en.jpg"

    run(look())


def test_the_page_itself_stays_the_same_and_nothing_is_put_into_it(tmp_path: Path) -> None:
    async def look() -> None:
        async with house(tmp_path, web=WEB) as here:
            ann = Visitor(here.base)
            plain = (await ann.call("GET", "/")).text
            assert "serai-preview" not in plain
            page = (await ann.call("GET", '/t/"><script>alert(1)</script>?l="><b>')).text
            assert "<script>alert" not in page
            assert "<b>" not in page

    run(look())


def test_every_picture_and_icon_is_there(tmp_path: Path) -> None:
    async def look() -> None:
        async with house(tmp_path, web=WEB) as here:
            ann = Visitor(here.base)
            manifest = await ann.call("GET", "/manifest.webmanifest")
            assert manifest.headers["content-type"].startswith("application/manifest+json")
            icons = [icon["src"] for icon in manifest.json()["icons"]]
            page = (await ann.call("GET", "/")).text
            icons += re.findall(r'rel="apple-touch-icon" href="/([^"]+)"', page)
            pictures = [
                f"previews/{name}-{language}.jpg" for name in ("serai", *games()) for language in ("en", "de", "fr")
            ]
            assert len(icons) == 4
            for path in icons + pictures:
                answer = await ann.call("GET", f"/{path}")
                assert answer.status_code == 200, path
                assert answer.headers["content-type"] in ("image/png", "image/jpeg")

    run(look())
