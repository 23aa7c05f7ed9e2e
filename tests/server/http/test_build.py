"""A server names the build of its page: in the page itself, and to whoever comes to a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from serai.server.http.pages import WEB, build_of
from tests.server.support import Visitor, house, run


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<!doctype html><meta name="serai-build" content="" />')
    (folder / "assets" / "index-4f5a.js").write_text("")
    return folder


def test_the_build_has_another_name_when_anything_of_the_page_changes(web: Path) -> None:
    names = [build_of(web)]
    assert build_of(web) == names[0]
    (web / "assets" / "index-4f5a.js").rename(web / "assets" / "index-77c1.js")
    names.append(build_of(web))
    (web / "index.html").write_text("<!doctype html>")
    names.append(build_of(web))
    assert len(set(names)) == 3


def test_page_and_welcome_name_the_same_build(tmp_path: Path) -> None:
    async def look() -> None:
        async with house(tmp_path, web=WEB) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2)
            page = await ann.call("GET", f"/t/{table}")
            assert page.headers["cache-control"] == "no-cache", "whoever loads it anew gets the new one"
            named = re.search(r'<meta name="serai-build" content="(\w+)"', page.text)
            assert named is not None
            assert named[1] == build_of(WEB)
            async with ann.at(table) as a:
                assert (await a.heard("welcome"))["build"] == named[1]
                await a.tell("look", seat=None)
                assert (await a.heard("welcome"))["build"] == named[1]

    run(look())


def test_without_a_page_there_is_no_build(tmp_path: Path) -> None:
    async def look() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2)
            async with ann.at(table) as a:
                welcome = await a.heard("welcome")
                assert "build" not in welcome
            async with ann.at(table, seen=welcome["n"], build="another") as a:
                assert (await a.next())["type"] == "presence", "nothing from scratch"

    run(look())


def test_a_page_of_another_build_begins_from_scratch_when_it_comes_back(tmp_path: Path, web: Path) -> None:
    async def look() -> None:
        async with house(tmp_path, web=web) as here:
            ann = Visitor(here.base)
            table = await ann.create("camelup", seats=2)
            for build, first in ((build_of(web), "presence"), ("another", "welcome"), (None, "presence")):
                async with ann.at(table, seen=0, build=build) as a:
                    assert (await a.next())["type"] == first

    run(look())
