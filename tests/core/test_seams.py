"""Games and the rest of Serai: no room names a game, and a game knows only the contract."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
PAGE = ROOT / "web" / "src"
GAMES = {
    point.name: point.module.rpartition(".")[0]
    for point in entry_points(group="serai.games")
    if point.module.startswith("serai.")
}
"""Our games, each with its package."""
MAY_KNOW = ("serai.core", "serai.lab", "serai.drawing", "serai.errors", "serai.bots.contract")
BOTS_MAY_KNOW = (*MAY_KNOW, "serai.bots.search")
FRONT_DOOR = "serai"
"""Names the games' types for editors, and loads none of them."""


@cache
def modules() -> dict[str, set[str]]:
    """Every module of the package, with all of Serai that it imports, wherever in its text."""
    found = {}
    for file in (SOURCES / "serai").rglob("*.py"):
        parts = file.relative_to(SOURCES).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = imported(ast.parse(file.read_text()))
    return found


def imported(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                found |= {name.name for name in names}
            case ast.ImportFrom(module=str(module), level=0, names=names):
                found |= {f"{module}.{name.name}" for name in names}
            case ast.Constant(str(text)) if re.fullmatch(r"serai(\.\w+)+", text):
                found.add(text)  # loaded by its name
    return {name for name in found if within(name, "serai")}


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def test_what_is_imported_is_found_wherever_it_stands() -> None:
    text = """
    def later():
        from serai.camelup import GAME
        importlib.import_module("serai.camelup.fast")
    if TYPE_CHECKING:
        import serai.camelup.rules.rules
    """
    assert imported(ast.parse(re.sub("^ {4}", "", text, flags=re.MULTILINE))) == {
        "serai.camelup.GAME",
        "serai.camelup.fast",
        "serai.camelup.rules.rules",
    }


@pytest.mark.parametrize("package", GAMES.values())
def test_nobody_imports_a_game(package: str) -> None:
    known = {
        module: sorted(name for name in names if within(name, package))
        for module, names in modules().items()
        if not within(module, package) and module != FRONT_DOOR
    }
    assert len(known) > 50
    assert {module: names for module, names in known.items() if names} == {}


@pytest.mark.parametrize("package", GAMES.values())
def test_a_game_knows_only_the_contract_and_its_bots_the_search_kit(package: str) -> None:
    own = {module: names for module, names in modules().items() if within(module, package)}
    assert len(own) > 5
    strange = {}
    for module, names in own.items():
        known = (*(BOTS_MAY_KNOW if within(module, f"{package}.bots") else MAY_KNOW), package)
        strange[module] = sorted(name for name in names if not any(within(name, one) for one in known))
    assert {module: names for module, names in strange.items() if names} == {}


def test_import_contracts_name_no_game() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    assert [name for name in GAMES if name in str(contracts)] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_page_names_no_game_outside_its_folder(game: str) -> None:
    comment = re.compile(r"/\*.*?\*/|<!--.*?-->|^\s*//.*?$", re.DOTALL | re.MULTILINE)
    files = [
        file
        for file in PAGE.rglob("*")
        if file.suffix in (".ts", ".svelte", ".css", ".html") and PAGE / "games" / game not in file.parents
    ]
    assert len(files) > 50
    assert [str(file) for file in files if game in comment.sub("", file.read_text())] == []
