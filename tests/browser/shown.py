"""How each game is shown: what can be read off its page, and what that is while an event is being shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from serai.camelup.rules.actions import Leg, Loser, Mirage, Oasis, Roll, Winner
from serai.pharaoh.rules.pieces import FALLEN, NOWHERE
from tests.browser.watching import ANYTHING, Board, Shown

CAMELS = ("blue", "green", "orange", "yellow", "white")
LEG_VALUES = ("5", "3", "2", "–")


def _more(board: Board, name: str, by: int = 1) -> Board:
    """The board with more, or less, of something."""
    return {**board, name: board[name] + by}


class CamelUp:
    """Camels, dice and desert tiles on the board; money, leg tiles and decks beside it."""

    game, bot, odds = "camelup", "quick", True
    read = """(all, figure) => [
        ...all("[data-camel]").map((one) => [`camel ${one.dataset.camel}`, Number(one.dataset.space)]),
        ...all("[data-die]").map((one) => [`die ${one.dataset.die}`, one.querySelectorAll("circle").length]),
        ...all("li[data-space]").map((one) =>
            [`desert ${one.dataset.space}`, one.querySelector(".tile")?.classList.contains("mirage") ?? null]),
        ...all("[data-purse]").map((one, at) =>
            [`money ${one.dataset.purse} @${at}`, figure(one.querySelector(".money") ?? one)]),
        ...all("[data-till]").map((one) => [`money ${one.dataset.till} @scoring`, figure(one)]),
        ...all("[data-mine=money]").map((one) => ["money 0 @dock", figure(one)]),
        ...all("[data-mine=pyramid]").map((one) => ["pyramids 0 @dock", figure(one)]),
        ...all("[data-purse] .tiles").map((one, at) => [`tiles ${at} @purse`, one.children.length]),
        ...all("[data-hand]").map((one) => ["tiles 0 @dock", one.querySelectorAll('[data-held^="leg "]').length]),
        ...all("li > .who").flatMap((one, at) => {
            const [cards, pyramids] = [...one.querySelectorAll(".small")].reverse();
            const tiles = one.querySelectorAll(".chip").length;
            const marked = one.querySelector(".marker") === null ? [] : [["marker", at]];
            return [...marked, [`tiles ${at}`, tiles], [`cards ${at}`, figure(cards)],
                [`pyramids ${at}`, figure(pyramids)]];
        }),
        ...all('[data-action^="leg "]').map((one) => [one.dataset.action, one.querySelector("b").textContent]),
        ...all("[data-deck]").map((one) => [one.dataset.deck, one.querySelectorAll("li").length]),
        ...all("[data-hand]").map((one) => ["hand", one.querySelectorAll('[data-action^="card "]').length]),
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
            **{f"money {seat}": money for seat, money in enumerate(view.money)},
            **{f"tiles {seat}": sum(bets.count(seat) for bets in view.leg_bets) for seat in range(len(view.money))},
            **{f"pyramids {seat}": tiles for seat, tiles in enumerate(view.pyramid_tiles)},
            **{f"cards {seat}": len(hand) for seat, hand in enumerate(view.hands)},
            "marker": view.marker,
            **{f"leg {name}": LEG_VALUES[len(view.leg_bets[camel])] for camel, name in enumerate(CAMELS)},
            "winner": len(view.winner_deck),
            "loser": len(view.loser_deck),
            "hand": len(view.hands[0]),
        }

    def silent(self, board: Board) -> set[str]:
        return set()

    def late(self, state: Any) -> bool:
        return bool(state.leg > 2)

    def full(self, state: Any) -> bool:
        return bool(state.leg > 1)

    def heard(self, event: Any) -> set[str]:
        return TRACK_SOUNDS.get(type(event).__name__, set())

    def shown(self, board: Board, event: Any) -> Iterator[Board]:
        match type(event).__name__:
            case "DieDrawn":
                yield {**board, f"die {event.camel}": event.pips}
            case "UnitHopped":
                for space in event.spaces:
                    yield {**board, **{f"camel {camel}": space for camel in event.unit}}
            case "UnitLanded" | "UnitSlidUnder":
                yield {**board, **{f"camel {camel}": event.space for camel in event.unit}}
            case "PoundPaid" | "LegScored" | "CardScored":
                yield {**board, f"money {event.seat}": event.money}
            case "PyramidTileTaken":
                yield _more(board, f"pyramids {event.seat}")
            case "LegTileTaken":
                name = f"leg {CAMELS[event.camel]}"
                yield _more({**board, name: LEG_VALUES[LEG_VALUES.index(board[name]) + 1]}, f"tiles {event.seat}")
            case "DesertPlaced":
                moved = {f"desert {event.moved_from}": None} if event.moved_from else {}
                yield {**board, **moved, f"desert {event.space}": event.side < 0}
            case "CardLaid":
                hand = board["hand"] - (event.seat == 0)
                yield _more(_more({**board, "hand": hand}, event.deck), f"cards {event.seat}", -1)
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
    """Figures and tiles on the board, points beside it, and what nobody has seen yet: that is opened to be read."""

    game, bot, odds = "pharaoh", "explorer", False
    read = """(all, figure) => [
        ...all("details:not([open])").flatMap((one) => { one.open = true; return []; }),
        ...all("[data-figure]").map((one) => {
            const [seat, name] = one.dataset.figure.split(" ");
            return [`${name} ${seat}`, Number(one.dataset.at)];
        }),
        ...all("[data-tile]:not(.turned)").map((one) => [`tile ${one.dataset.cell}`, Number(one.dataset.tile)]),
        ...all("[data-purse]").map((one) => [`points ${one.dataset.purse}`, figure(one)]),
        ...all("details li b").map((one, at) => [`unseen ${one.dataset.photo ? 9 + Number(one.dataset.photo) : at}`,
            one.textContent === "?" ? 1 : figure(one)]),
        ...all("li > .who").flatMap((one, at) => {
            const [photos, lamps, ...more] = one.querySelectorAll(".thing");
            const treasures = more.filter((thing) => !thing.matches(".lost"));
            const carried = treasures.filter((thing) => thing.matches(".carried")).length;
            return [[`photos ${at}`, figure(photos)], [`lamps ${at}`, figure(lamps)], [`carried ${at}`, carried],
                [`museum ${at}`, treasures.length - carried]];
        }),
        ["clock", all("li > .who").findIndex((one) => one.querySelector(".clock") !== null)],
        ["countdown", figure(all("section.near .big")[0])],
        ...all("section.near .left").map((one) => ["left", figure(one)]),
        ["lit", all("[data-board] .lamp").length],
        ["lying", all("[data-board] .treasure").length],
    ]"""
    choose = """(all, chance) => {
        const one = (things) => things[Math.floor(chance() * things.length)];
        const placing = all("[data-place=confirm]");
        if (placing.length > 0) return placing[0];
        const free = all("[data-action^='take '], [data-action^='steal ']");
        if (free.length > 0) return free[0];
        if (chance() < 0.2) return one(all("[data-pick]:not([aria-disabled=true])"));
        const able = all("[data-cell] [data-action]");
        return able.length === 0 || chance() < 0.25 ? all("[data-action=end]")[0] ?? one(able) : one(able);
    }"""

    def board(self, view: Any) -> Board:
        figures = {"archaeologist": view.archaeologists, "helper": view.helpers}
        tiles = {f"tile {cell}": code for cell, code in enumerate(view.tiles)}
        unseen = (*view.unseen, *view.stack, *(int(owner == NOWHERE) for owner in view.photos))
        if view.site != NOWHERE:
            tiles[f"tile {view.site}"] = ANYTHING
        return {
            **{f"{name} {seat}": cell for name, cells in figures.items() for seat, cell in enumerate(cells)},
            **tiles,
            **{f"points {seat}": points for seat, points in enumerate(view.points)},
            **{f"unseen {at}": left for at, left in enumerate(unseen)},
            **{f"photos {seat}": view.photos.count(seat) for seat in range(view.players)},
            **{f"lamps {seat}": supply for seat, supply in enumerate(view.supplies)},
            **{f"carried {seat}": int(value > 0) for seat, value in enumerate(view.carried)},
            **{f"museum {seat}": len(museum) for seat, museum in enumerate(view.museums)},
            "clock": view.clock,
            "countdown": view.countdown,
            "left": sum(code != FALLEN for code in view.tiles),
            "lit": sum(map(len, view.lamps)),
            "lying": len(view.lying),
        }

    def silent(self, board: Board) -> set[str]:
        """How many tiles are left is told once the pyramid falls."""
        return {"left"} if board["clock"] < 0 else set()

    def shown(self, board: Board, event: Any) -> Iterator[Board]:
        name = type(event).__name__
        match name:
            case "Walked":
                for cell in event.way[1:]:
                    yield {**board, f"{event.figure} {event.seat}": cell}
            case "FigureFled":
                # The way is the mummy's, or a shorter one over the same cells; it ends where the mummy's does.
                for cell in board.get("omen", [event.cell]):
                    yield {**board, f"{event.figure} {event.seat}": cell}
            case "MummyWoke":
                yield {**board, "omen": event.way}
            case "TileDrawn":
                chamber = event.tile - 3
                drawn = {f"tile {event.cell}": ANYTHING if chamber < 0 else 16 + chamber}
                yield {**_more(board, f"unseen {event.tile}", -1), **drawn}
            case "TileLaid" | "TileTurned":
                yield {**board, f"tile {event.cell}": event.openings}
            case "LampPutUp" | "LampTakenDown":
                lit = _more(board, "lit", 1 if name == "LampPutUp" else -1)
                yield {**lit, f"lamps {event.seat}": event.supply}
            case "LampBlownOut":
                yield _more(_more(board, "lit", -1), f"lamps {event.seat}")
            case "LampLost":
                yield _more(board, "lit", -1)
            case "TreasureLaidOut":
                yield _more(_more(board, "lying"), f"unseen {6 + event.value}", -1)
            case "MaskFound":
                yield {**_more(board, "lying"), "countdown": event.turns}
            case "TreasureTaken":
                yield {**_more(board, "lying", -1), f"carried {event.seat}": 1}
            case "TreasureDropped":
                yield {**_more(board, "lying"), f"carried {event.seat}": 0}
            case "TreasureStolen":
                yield {**board, f"carried {event.victim}": 0, f"carried {event.seat}": 1}
            case "TreasureBanked":
                banked = _more(board, f"museum {event.seat}")
                yield {**banked, f"carried {event.seat}": 0, f"points {event.seat}": event.score}
            case "TreasureLost":
                yield {**board, f"carried {event.seat}": 0} if event.seat >= 0 else _more(board, "lying", -1)
            case "PhotoTaken":
                taken = _more(_more(board, f"photos {event.seat}"), f"unseen {9 + event.photo}", -1)
                yield {**taken, f"points {event.seat}": event.score}
            case "CountdownWent":
                yield {**board, "countdown": event.turns}
            case "ClockMoved":
                yield {**board, "clock": event.seat, "countdown": 0}
            case "FigureLost":
                yield {**board, f"{event.figure} {event.seat}": NOWHERE, f"points {event.seat}": event.score}
            case "ChamberFell" | "RingFell":
                cells = [event.cell] if name == "ChamberFell" else event.cells
                yield {**_more(board, "left", -len(cells)), **{f"tile {cell}": FALLEN for cell in cells}}
            case _:
                yield board

    def late(self, state: Any) -> bool:
        return bool(state.clock != NOWHERE)

    def full(self, state: Any) -> bool:
        return bool(sum(state.stack) <= 2 and state.mask_chamber == NOWHERE)

    def heard(self, event: Any) -> set[str]:
        return PYRAMID_SOUNDS.get(type(event).__name__, set())

    def offered(self, actions: Sequence[Any]) -> set[str]:
        found = {"rotate"}
        for action in actions:
            kind, *rest = str(action).split()
            figure = kind in ("archaeologist", "helper")
            found |= {"walk " + rest[0]} if figure else {f"{kind} {rest[0]}"} if kind in ("reveal", "turn") else {kind}
        return found | {f"pick {cell_name(cell)}" for cell in range(36)}


MONEY = {"coin", "gain", "loss"}
TRACK_SOUNDS: dict[str, set[str]] = {
    "CamelPlaced": {"tumble"}, "LegTileTaken": {"bet"}, "DesertPlaced": {"tile"}, "CardLaid": {"bury"},
    "PyramidTileTaken": {"rattle", "roll"}, "DieDrawn": {"die", "rest"}, "UnitHopped": {"knock"},
    "DesertMet": {"oasis", "mirage"}, "PoundPaid": {"coin"}, "UnitLanded": {"land", "knock"},
    "UnitSlidUnder": {"slide"}, "FinishCrossed": {"cheer"}, "LegEnded": {"podium"}, "RaceEnded": {"podium"},
    "LegScored": MONEY, "CardScored": MONEY | {"card"}, "GameEnded": {"fanfare"},
}  # fmt: skip
"""By event, the sounds that may be heard with it."""
PYRAMID_SOUNDS: dict[str, set[str]] = {
    "Walked": {"step"}, "FigureFled": {"flight"}, "TileOpened": {"stone"}, "TileLaid": {"slab"},
    "TileTurned": {"turn"}, "FigureShutIn": {"shut"}, "TileDrawn": {"chamber"}, "PhotoTaken": {"photo"},
    "LampPutUp": {"lit"}, "LampTakenDown": {"unhung"}, "LampBlownOut": {"out"}, "TreasureLaidOut": {"drop"},
    "TreasureTaken": {"gold"}, "TreasureDropped": {"drop"}, "TreasureStolen": {"stolen"}, "TreasureBanked": {"safe"},
    "MaskFound": {"mask", "crack"}, "MaskCarriedOut": {"safe"}, "MummyWoke": {"mummy"}, "CurseSpread": {"curse"},
    "CountdownWent": {"clock"}, "ClockMoved": {"clock"}, "Rumbled": {"rumble"}, "CollapseBegan": {"crack", "fall"},
    "FigureLost": {"lost"}, "TreasureLost": {"lost"}, "ChamberFell": {"crack", "fall"}, "RingFell": {"crack", "fall"},
    "ScoreCounted": {"fanfare"}, "TurnEnded": {"ended"},
}  # fmt: skip

PYRAMID = Pharaoh()
GAMES: dict[str, Shown] = {"camelup": CamelUp(), "pharaoh": PYRAMID}
