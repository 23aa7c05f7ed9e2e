"""The page travels in the wheel: whoever installs it needs no Node."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

import serai
from serai.cli._support.group import run
from tests.browser.serving import Server
from tests.page.fresh import install

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_page_and_nothing_of_its_making(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert "serai/web/index.html" in names
    assert any(re.fullmatch(r"serai/web/assets/index-.*\.js", name) for name in names)
    assert not [name for name in names if "node_modules" in name or name.endswith((".svelte", ".sources"))]


def test_the_wheel_tells_whose_work_is_in_the_page(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        licences = packed.read("serai/web/licences.txt").decode()
        (bill,) = [name for name in packed.namelist() if ".dist-info/sboms/" in name]
        told = json.loads(packed.read(bill))
        code = b"".join(packed.read(name) for name in packed.namelist() if re.match(r"serai/web/assets/.*\.js", name))
        fonts = [name for name in packed.namelist() if name.endswith(".woff2")]
    assert told["bomFormat"] == "CycloneDX"
    assert told["metadata"]["component"]["name"] == "serai"
    assert told["metadata"]["component"]["version"] == serai.__version__
    parts = {part["name"]: part for part in told["components"]}
    assert b"svelte.dev" in code, "Svelte's runtime is in the page, and so are the addresses of its errors"
    assert parts["svelte"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert all("alegreya" in font for font in fonts)
    assert parts["@fontsource/alegreya"]["purl"].startswith("pkg:npm/%40fontsource/alegreya@")
    assert "SIL OPEN FONT LICENSE" in licences
    for name, part in parts.items():
        assert f"{name} {part['version']} (" in licences
    assert licences.count("Permission is hereby granted, free of charge") >= len(parts)


def test_the_package_index_is_told_all_that_it_asks_for(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (path,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        head, _, readme = packed.read(path).decode().partition("\n\n")
    fields = [line.split(": ", 1) for line in head.splitlines() if re.match(r"[A-Z][\w-]+: ", line)]
    told = {name: [value for other, value in fields if other == name] for name, _ in fields}
    assert told["License-Expression"] == ["Apache-2.0 AND MIT AND OFL-1.1"]
    assert told["License-File"] == ["LICENSE", "src/serai/web/licences.txt"]
    for file in told["License-File"]:
        assert f"{path.removesuffix('METADATA')}licenses/{file}" in names
    assert {address.partition(",")[0] for address in told["Project-URL"]} >= {"Homepage", "Source", "Issues"}
    assert "Programming Language :: Python :: 3.11" in told["Classifier"]
    links = re.findall(r"\]\(([^)]+)\)|<img src=\"([^\"]+)\"", readme)
    assert len(links) > 30
    assert all(re.match(r"https?:|#", link or picture) for link, picture in links)
    assert "raw/main/docs/pictures/camelup-light.jpg" in readme


def test_examples_come_with_the_wheel(wheel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(wheel) as packed:
        packaged = {name.removeprefix("serai/examples/") for name in packed.namelist() if "serai/examples/" in name}
    mine = tmp_path / "mine"
    assert run(["examples", str(mine)]) == 0
    copied = {path.relative_to(mine).as_posix() for path in mine.rglob("*") if path.is_file()}
    assert copied == packaged >= {"bots/caravan.py", "learn/maskable_ppo.py", "learn/weights.npz"}
    assert run(["examples", str(mine)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_an_empty_environment_without_node_serves_the_page(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = install(wheel, tmp_path / "empty", "[play]")
    monkeypatch.setenv("PATH", str(scripts))
    server = Server(tmp_path, (str(scripts / "serai"), "serve", "--no-open"))
    server.start()
    try:
        with urllib.request.urlopen(f"{server.url}/t/anything") as response:
            page = response.read().decode()
        assert '<div id="page">' in page
        for asset in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page):
            with urllib.request.urlopen(server.url + asset) as response:
                assert response.status == 200
    finally:
        server.stop()
