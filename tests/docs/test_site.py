"""The documentation site: it builds without a warning, holds every page, and asks nobody else for anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest

import serai
import serai.bots
import serai.coach
import serai.core
from tests.docs import field_tables

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
}
"""Elements that load what they name."""


class _Page(HTMLParser):
    """What a built page loads, links to, can be linked at, and says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.classes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.classes |= set(given.get("class", "").split())
        if tag in LOADS and LOADS[tag] in given:
            self.loads.append(given[LOADS[tag]])
        if tag == "link" and not {"canonical", "next", "prev"} & set(given.get("rel", "").split()):
            self.loads.append(given["href"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quietly = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=quietly, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    assert not built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Page]:
    found = {file: _Page(file.read_text()) for file in site.rglob("*.html")}
    assert len(found) > 25
    return found


def test_no_page_loads_anything_from_elsewhere(site: Path, pages: dict[Path, _Page]) -> None:
    for file, page in pages.items():
        assert page.loads, file
        foreign = [address for address in page.loads if re.match(r"(\w+:)?//", address)]
        assert not foreign, f"{file} loads {foreign}"
        assert "mermaid" not in page.classes, f"{file}: the theme would load mermaid from elsewhere"
    for sheet in site.rglob("*.css"):
        loaded = re.findall(r"""(?:url\(|@import)\s*["']?((?:\w+:)?//[^"')]+)""", sheet.read_text())
        assert not loaded, f"{sheet} loads {loaded}"


def test_every_link_within_the_site_leads_somewhere(site: Path, pages: dict[Path, _Page]) -> None:
    broken = []
    for file, page in pages.items():
        if file.name == "404.html":  # served from anywhere, so it links from the root
            continue
        for link in page.links:
            address, anchor = urldefrag(link)
            if re.match(r"\w+:", address):
                continue
            target = (file.parent / unquote(address)).resolve() if address else file
            if not target.exists():
                broken.append(f"{file.name}: {link}")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors | {"__skip"}:
                broken.append(f"{file.name}: {link} (no such place on the page)")
    assert not broken


def test_public_names_are_in_the_reference(pages: dict[Path, _Page]) -> None:
    anchors = set().union(*(page.anchors for page in pages.values()))
    missing = [
        f"{module.__name__}.{name}"
        for module in (serai, serai.core, serai.bots, serai.coach)
        for name in module.__all__
        if not name.startswith("__") and not any(anchor.endswith(f".{name}") for anchor in anchors)
    ]
    assert not missing


def test_every_page_is_in_the_navigation() -> None:
    nav = re.search(r"^nav:\n((?: .*\n)+)", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert nav is not None
    listed = set(re.findall(r": ([\w/.-]+\.md)$", nav[1], re.MULTILINE))
    written = {
        page.relative_to(DOCS).with_suffix(".md").as_posix()
        for page in DOCS.rglob("*")
        if page.suffix in (".md", ".ipynb") and ".ipynb_checkpoints" not in page.parts
    }
    assert not written - listed, f"add to nav in mkdocs.yml, a line each: {sorted(written - listed)}"


def test_every_extra_is_in_the_readme() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == set(extras)


def test_the_tables_of_fields_are_those_of_the_code() -> None:
    text = field_tables.PAGE.read_text()
    assert field_tables.undescribed(text) == []
    assert field_tables.page(text) == text, "python -m tests.docs.field_tables writes them anew"


def test_a_notebook_becomes_a_page_with_what_it_showed() -> None:
    drawn = {
        "output_type": "execute_result",
        "data": {"text/html": ["<b>7</b>\n", "\n", "<i>8</i>"], "text/plain": "?"},
    }
    said = {"output_type": "stream", "text": ["one\n", "two\n"]}
    cells = [
        {"cell_type": "markdown", "source": ["# Studying\n", "the game"]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [drawn, said]},
        {"cell_type": "code", "source": [], "outputs": []},
    ]
    assert _pages().notebook_page({"cells": cells}) == (
        "# Studying\nthe game\n\n```python\n1 + 1\n```\n\n"
        '<div class="shown">\n<b>7</b>\n<i>8</i>\n</div>\n\n```text\none\ntwo\n```\n'
    )


def _pages() -> Any:
    """The site's own module, which lies beside its pages and in no package."""
    spec = spec_from_file_location("pages", DOCS / "theme" / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
