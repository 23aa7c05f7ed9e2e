"""What is shown is one moment: whole games at calm pace, nothing on the page ahead of the board or behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from serai.camelup.actions import Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.pharaoh.pieces import FALLEN, NOWHERE
from tests.browser.conftest import Visit
from tests.browser.player import ROLL
from tests.browser.serving import Server
from tests.browser.watching import ANYTHING, Board, Crowd, Shown, check, watched
from tests.support import SOAK

CAMELS = ("blue", "green", "orange", "yellow", "white")
LEG_VALUES = ("5", "3", "2", "–")


class CamelUp:
    """Camels, dice and desert tiles on the board; money, leg tiles and decks beside it."""

    game, bot, odds = "camelup", "quick", True
    read = """(all) => [
        ...all("[data-camel]").map((one) => [`camel ${one.dataset.camel}`, Number(one.dataset.space)]),
        ...all("[data-die]").map((one) => [`die ${one.dataset.die}`, one.querySelectorAll("circle").length]),
        ...all("li[data-space]").map((one) =>
            [`desert ${one.dataset.space}`, one.querySelector(".tile")?.classList.contains("mirage") ?? null]),
        ...all("[data-purse]").map((one, at) =>
            [`money ${one.dataset.purse} ${at}`, Number(one.textContent.match(/\\d+/)[0])]),
        ...all('[data-action^="leg "]').map((one) => [one.dataset.action, one.querySelector("b").textContent]),
        ...all("[data-deck]").map((one) => [one.dataset.deck, one.querySelectorAll("li").length]),
        ["hand", all('[data-action^="card "]').length],
    ]"""
    choose = """(all, chance) => {
        const able = all("[data-action]:not([aria-disabled=true])");
        return chance() < 0.6 ? all("[data-action=roll]")[0] : able[Math.floor(chance() * able.length)];
    }"""

    def board(self, view: Any) -> Board:
        spaces = {f"camel {camel}": space for space, stack in enumerate(view.track) for camel in stack}
        tiles = {abs(placed): placed < 0 for placed in view.deserts}
        return {
            **spaces,
            **{f"die {camel}": pips for camel, pips in enumerate(view.tents)},
            **{f"desert {space}": tiles.get(space) for space in range(1, 17)},
            **self._money(enumerate(view.money), len(view.money)),
            **{f"leg {name}": LEG_VALUES[len(view.leg_bets[camel])] for camel, name in enumerate(CAMELS)},
            "winner": len(view.winner_deck),
            "loser": len(view.loser_deck),
            "hand": len(view.hands[0]),
        }

    def late(self, state: Any) -> bool:
        return bool(state.leg > 2)

    def heard(self, event: Any) -> set[str]:
        return TRACK_NOTES.get(type(event).__name__, set())

    def _money(self, purses: Any, players: int) -> Board:
        """Everybody's money stands in two places."""
        return {f"money {seat} {seat + more}": money for seat, money in purses for more in (0, players)}

    def shown(self, board: Board, event: Any) -> Iterator[Board]:
        players = sum(key.startswith("money") for key in board) // 2
        match type(event).__name__:
            case "DieDrawn":
                yield {**board, f"die {event.camel}": event.pips}
            case "UnitHopped":
                for space in event.spaces:
                    yield {**board, **{f"camel {camel}": space for camel in event.unit}}
            case "UnitLanded" | "UnitSlidUnder":
                yield {**board, **{f"camel {camel}": event.space for camel in event.unit}}
            case "PoundPaid" | "LegScored" | "CardScored":
                yield {**board, **self._money([(event.seat, event.money)], players)}
            case "LegTileTaken":
                name = f"leg {CAMELS[event.camel]}"
                yield {**board, name: LEG_VALUES[LEG_VALUES.index(board[name]) + 1]}
            case "DesertPlaced":
                moved = {f"desert {event.moved_from}": None} if event.moved_from else {}
                yield {**board, **moved, f"desert {event.space}": event.side < 0}
            case "CardLaid":
                hand = board["hand"] - (event.seat == 0)
                yield {**board, event.deck: board[event.deck] + 1, "hand": hand}
            case _:
                yield board

    def offered(self, actions: Sequence[Any]) -> set[str]:
        def names(action: Any) -> set[str]:
            match action:
                case Roll():
                    return {"roll"}
                case Leg(camel):
                    return {f"leg {CAMELS[camel]}"}
                case Oasis(space) | Mirage(space):
                    return {"tile", f"desert {space}"}
                case Winner(int(camel)) | Loser(int(camel)):
                    return {f"card {CAMELS[camel]}"}
            raise AssertionError(action)

        return {name for action in actions for name in names(action)}


def cell_name(cell: int) -> str:
    return f"{'abcdef'[cell % 6]}{cell // 6 + 1}"


class Pharaoh:
    """Figures and tiles on the board, points beside it, and what nobody has seen yet."""

    game, bot, odds = "pharaoh", "explorer", False
    read = """(all) => [
        ...all("[data-figure]").map((one) => [one.dataset.figure, Number(one.dataset.at)]),
        ...all("[data-tile]:not(.turned)").map((one) => [`tile ${one.dataset.cell}`, Number(one.dataset.tile)]),
        ...all("[data-purse]").map((one) =>
            [`points ${one.dataset.purse}`, Number(one.textContent.match(/[-−]?\\d+/)[0].replace("−", "-"))]),
        ...all("details li b").slice(0, 3).map((one, at) => [`unseen ${at}`, Number(one.textContent)]),
    ]"""
    choose = """(all, chance) => {
        const one = (things) => things[Math.floor(chance() * things.length)];
        const placing = all("[data-place=confirm]");
        if (placing.length > 0) return placing[0];
        const free = all("[data-action=take], [data-action=steal]");
        if (free.length > 0) return free[0];
        if (chance() < 0.2) return one(all("[data-pick]:not([disabled])"));
        const able = all("[data-cell] [data-action]");
        return able.length === 0 || chance() < 0.25 ? all("[data-action=end]")[0] ?? one(able) : one(able);
    }"""

    def board(self, view: Any) -> Board:
        figures = {"archaeologist": view.archaeologists, "helper": view.helpers}
        tiles = {f"tile {cell}": code for cell, code in enumerate(view.tiles)}
        if view.site != NOWHERE:
            tiles[f"tile {view.site}"] = ANYTHING
        return {
            **{f"{seat} {name}": cell for name, cells in figures.items() for seat, cell in enumerate(cells)},
            **tiles,
            **{f"points {seat}": points for seat, points in enumerate(view.points)},
            **{f"unseen {kind}": view.unseen[kind] for kind in range(3)},
        }

    def shown(self, board: Board, event: Any) -> Iterator[Board]:
        match type(event).__name__:
            case "Walked":
                for cell in event.way[1:]:
                    yield {**board, f"{event.seat} {event.figure}": cell}
            case "FigureFled":
                yield {**board, f"{event.seat} {event.figure}": board.get("omen", event.cell)}
            case "MummyWoke":
                yield {**board, "omen": event.way[-1]}
            case "TileDrawn":
                chamber = event.tile - 3
                yield {**board, f"tile {event.cell}": ANYTHING if chamber < 0 else 16 + chamber}
            case "TileLaid" | "TileTurned":
                yield {**board, f"tile {event.cell}": event.openings}
            case "TreasureBanked" | "PhotoTaken":
                yield {**board, f"points {event.seat}": event.score}
            case "FigureLost":
                yield {**board, f"{event.seat} {event.figure}": NOWHERE, f"points {event.seat}": event.score}
            case "ChamberFell":
                yield {**board, f"tile {event.cell}": FALLEN}
            case "RingFell":
                yield {**board, **{f"tile {cell}": FALLEN for cell in event.cells}}
            case _:
                yield board

    def late(self, state: Any) -> bool:
        return bool(state.mask_chamber != NOWHERE)

    def heard(self, event: Any) -> set[str]:
        return PYRAMID_NOTES.get(type(event).__name__, set())

    def offered(self, actions: Sequence[Any]) -> set[str]:
        found = {"rotate"}
        for action in actions:
            kind, *rest = str(action).split()
            figure = kind in ("archaeologist", "helper")
            found |= {"walk " + rest[0]} if figure else {f"{kind} {rest[0]}"} if kind in ("reveal", "turn") else {kind}
        return found | {f"pick {cell_name(cell)}" for cell in range(36)}


KNOCK, CLINK, LOSS, PODIUM = {"noise 0.07"}, {"tone 0.25", "tone 0.4"}, {"tone 0.14", "noise 0.12"}, {"tone 0.5"}
TRACK_NOTES: dict[str, set[str]] = {
    "PyramidTileTaken": {"noise 0.05"}, "DieDrawn": {"noise 0.16", "noise 0.06"},
    "UnitHopped": KNOCK, "UnitLanded": KNOCK, "UnitSlidUnder": {"noise 0.35"}, "PoundPaid": CLINK,
    "FinishCrossed": {"noise 1.3", "noise 1", "tone 0.5", "tone 0.6"}, "LegEnded": PODIUM, "RaceEnded": PODIUM,
    "LegScored": CLINK | LOSS, "CardScored": CLINK | LOSS | {"noise 0.05", "noise 0.04"},
    "GameEnded": {"tone 0.25", "tone 0.8"},
}  # fmt: skip
"""By event, the notes that may be heard with it."""
GOLD, OUT, CLOCK, LOST = CLINK, {"noise 0.24"}, {"noise 0.04"}, {"tone 0.35", "tone 0.6"}
STONE, FALL = {"noise 0.22", "noise 0.1"}, {"noise 0.06", "noise 0.95", "noise 0.4"}
PYRAMID_NOTES: dict[str, set[str]] = {
    "Walked": {"noise 0.09"}, "FigureFled": KNOCK, "TileOpened": STONE, "TileLaid": STONE, "TileTurned": STONE,
    "TileDrawn": {"tone 1", "tone 0.9", "tone 0.8"}, "PhotoTaken": {"noise 0.03", "noise 0.05"},
    "LampPutUp": {"noise 0.04", "noise 0.3"}, "LampTakenDown": OUT, "LampBlownOut": OUT,
    "TreasureLaidOut": GOLD, "TreasureTaken": GOLD, "TreasureDropped": GOLD,
    "TreasureStolen": {"tone 0.2", "tone 0.35"}, "TreasureBanked": GOLD | {"tone 0.5"},
    "MaskFound": {"tone 1.2", "tone 0.9"}, "MaskCarriedOut": GOLD | {"tone 0.5"},
    "MummyWoke": {"tone 0.9", "noise 0.9"}, "CurseSpread": {"noise 1", "noise 0.8"},
    "CountdownWent": CLOCK, "ClockMoved": CLOCK, "FigureLost": LOST, "TreasureLost": LOST,
    "ChamberFell": FALL, "RingFell": FALL, "ScoreCounted": {"tone 0.35", "tone 0.9"},
}  # fmt: skip

GAMES: dict[str, Shown] = {"camelup": CamelUp(), "pharaoh": Pharaoh()}
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
CASES = [("camelup", 2, WIDE), ("pharaoh", 2, PHONE)]
"""In the short form the pyramid is watched from where the mask has been found: a whole game of it takes long."""
if SOAK:
    CASES += [("camelup", players, size) for players in (2, 4, 8) for size in (WIDE, PHONE)]
    CASES += [("pharaoh", players, size) for players in (2, 4) for size in (WIDE, PHONE)]


@pytest.mark.parametrize(("game", "players", "size"), CASES)
def test_everything_on_the_page_is_of_one_moment(
    server: Server, visit: Visit, game: str, players: int, size: dict[str, int]
) -> None:
    page = visit(f"{server.url}/about", reduced_motion="no-preference", viewport=size)
    crowd = Crowd(GAMES[game], players, 7, whole=SOAK or game == "camelup")
    counts = check(watched(page, server.url, crowd, 11), crowd.positions, GAMES[game].odds)
    assert min(count for kind, count in counts.items() if kind != "odds" or GAMES[game].odds) > 10


def test_whoever_will_not_wait_catches_up_and_a_tap_begun_before_never_acts(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/about", reduced_motion="no-preference", viewport=WIDE)
    crowd = Crowd(GAMES["camelup"], 3, 7)
    crowd.open(page, server.url)
    pyramid, busy = page.locator("[data-action=roll]"), page.locator("[data-resting=false]")
    for catch_up in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.locator("[data-board]").click(position={"x": 5, "y": 5}),
        lambda: page.get_by_role("button", name="Catch up").click(),
        lambda: pyramid.click(force=True),
    ):
        page.locator(ROLL).click()
        busy.wait_for(state="attached")
        said = len(crowd.positions)
        catch_up()
        page.locator(ROLL).wait_for()
        assert len(crowd.positions) == said, "what caught up did nothing else"
    # The finger goes down while something is being shown, and up when that is over.
    page.locator(ROLL).click()
    busy.wait_for(state="attached")
    said = len(crowd.positions)
    pyramid.hover()
    page.mouse.down()
    page.keyboard.press("Escape")
    page.locator(ROLL).wait_for()
    page.mouse.up()
    page.wait_for_timeout(100)
    assert len(crowd.positions) == said
