"""Whole games watched as they are shown: what is offered, said, highlighted, counted and told at every change.

The page is at a table whose others answer every action in one breath, so that the server is always ahead of what is
shown. Everything on the page has to be of one moment: that of the board, while it rests or on its way to the next
position. What a game's board shows as each event is shown is the game's own to say: see ``Shown``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

import msgspec
from playwright.sync_api import Page, Route, WebSocketRoute

import serai
from serai.bots import find_bot
from serai.core.record import Record, plays
from serai.table.records import replay_frames
from serai.wire.frames import Frame, TableRules
from tests.browser.scripted import FIRST, ScriptedTable

NAMES = ("Ann", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hal")
SCALE = 100
"""How many times faster than calm the page's timers run."""
Board = dict[str, Any]
"""What can be read off the page, by name; what stands behind an @ tells apart places that show the same."""
ANYTHING = object()
"""Stands where the page may show what it likes."""
CALL = {"call"}
"""The notes that call to one's turn."""


class Shown(Protocol):
    """How a game is shown: what a test has to know of it."""

    game: str
    bot: str
    """Who plays the others."""
    odds: bool
    """Whether odds are told."""
    read: str
    """JavaScript: a function that reads the board off the page, given ``all(selector)`` and ``figure(element)``."""
    choose: str
    """JavaScript: a function that chooses what to press, given ``all(selector)`` and ``chance()``."""

    def late(self, state: Any) -> bool:
        """Whether the end is near enough for those who cannot wait."""

    def full(self, state: Any) -> bool:
        """Whether everything that can happen in a game is still to come, though not for long."""

    def board(self, view: Any) -> Board: ...

    def silent(self, board: Board) -> set[str]:
        """What of such a board the page does not tell yet."""

    def shown(self, board: Board, event: Any) -> Iterator[Board]:
        """The board as it is while an event is being shown and afterwards, step by step."""

    def offered(self, actions: Sequence[Any]) -> set[str]: ...

    def heard(self, event: Any) -> set[str]:
        """The names of the sounds that may be heard while an event is being shown."""


@dataclass
class Step:
    """Something that is shown on the way to a position."""

    before: Board
    board: Board
    told: int
    """How many events have been shown with it."""
    heard: set[str] = field(default_factory=set)
    """What may be heard of the last of them."""


@dataclass
class Position:
    """A position of the game, and what leads there."""

    n: int
    by: int | None
    actor: int | None
    board: Board
    offered: set[str]
    steps: list[Step] = field(default_factory=list)

    @property
    def told(self) -> int:
        """How many events led here."""
        return self.steps[-1].told if self.steps else 0


@dataclass(frozen=True)
class Place:
    """Where a game is looked at."""

    signs: bool = True
    """Whether whose turn it is is said."""
    speaks: bool = True
    """Whether what happened is spoken, entry by entry."""
    before: int = 0
    """How much of the story is told of the first position."""
    ends: bool = False
    """Whether it ends with its last position, also where the game would go on."""


LIVE = Place()
REPLAY = Place(signs=False, speaks=False, before=1)
LESSON = Place(signs=False, before=1, ends=True)


class Breath:
    """Holds what is to be sent until all of it is known, so that it arrives while the first of it is being shown."""

    def __init__(self) -> None:
        self.held: list[str] = []
        self.send = self.held.append


class Crowd(ScriptedTable):
    """A table at which the others act as soon as they may, all that follows an action in one breath."""

    def __init__(
        self, shown: Shown, players: int, seed: int, whole: bool = True, since: Callable[[Any], bool] | None = None
    ) -> None:
        """A game that is not watched as a ``whole`` begins where the end is near, or ``since`` something is so."""
        self._rng = random.Random(seed)
        self.shown = shown
        game = serai.game(shown.game)
        self._bot = find_bot(game, shown.bot)()
        state = self._drawn(game.new(players=players, first=FIRST), [])[0]
        since = since or shown.late
        while not whole and not (since(state) and state.actor == FIRST):
            state = self._drawn(state.apply(self._decided(state)), [])[0]
        super().__init__(state, names=NAMES)
        self.positions = [self._position(None)]

    def _table(self) -> dict[str, Any]:
        return {**super()._table(), "table_rules": msgspec.to_builtins(TableRules(odds=True, clock=0))}

    def _decided(self, state: Any) -> Any:
        return self._bot.decide(state.seen_by(state.actor), self._rng)

    def _drawn(self, state: Any, told: list[Any]) -> tuple[Any, list[Any]]:
        while state.actor is serai.CHANCE:
            state, events = state.step(state.sample(self._rng))
            told = [*told, *events]
        return state, told

    def _position(self, by: int | None) -> Position:
        view, actor = self.state.seen_by(FIRST), self.state.actor
        offered = self.shown.offered(self.state.actions()) if actor == FIRST else set()
        return Position(self._n, by, actor, self.shown.board(view), offered)

    def odds(self, route: Route) -> None:
        """Odds that tell nothing but how far the game has come."""
        route.fulfill(json={"game": self.game.name, "on": self._n, "odds": odds_of(self._n)})

    def hear(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        if message["type"] != "act":
            return
        breath = Breath()
        self._act(breath, self.game.action_decoder.decode(msgspec.json.encode(message["action"])))
        while not self.state.over and self.state.actor != FIRST:
            self._act(breath, self._decided(self.state))
        breath.send(msgspec.json.encode({"type": "done", "id": message["id"], "n": self._n}).decode())
        for text in breath.held:
            socket.send(text)

    def _act(self, socket: Any, action: Any) -> None:
        by = self.state.actor
        state, events = self._drawn(*self.state.step(action))
        seen = [event.seen_by(FIRST) for event in events]
        self._states.append(state)
        self._n += 1
        position = self._position(by)
        position.steps = steps_to(position, self.positions[-1].board, seen, self.shown)
        self.positions.append(position)
        ended = {"table": self._table()} if state.over else {}
        frame = {"type": "frame", "n": self._n, "by": by, "events": seen, **ended}
        self._send(socket, {**frame, "patch": state.seen_by(FIRST)})


def steps_to(position: Position, before: Board, events: Sequence[Any], shown: Shown) -> list[Step]:
    """What is shown on the way from a board to a position."""
    steps = []
    for told, event in enumerate(events, 1):
        boards = [before, *shown.shown(before, event)]
        steps += [Step(old, new, told, shown.heard(event)) for old, new in pairwise(boards)]
        before = boards[-1]
    return [*steps, Step(before, position.board, len(events))]


def recorded(record: Record, shown: Shown, seat: int | None) -> list[Position]:
    """The positions of a recorded game as a seat saw it; the first is that after the set-up."""
    played = list(plays(record))
    frames = [frame for frame in replay_frames(record, played, seat) if isinstance(frame, Frame)]
    positions: list[Position] = []
    for frame, play in zip(frames, played, strict=True):
        state = play.after
        offered = shown.offered(state.actions()) if seat is not None and state.actor == seat else set()
        position = Position(frame.n, play.actor, state.actor, shown.board(state.seen_by(seat)), offered)
        before = positions[-1].board if positions else position.board
        position.steps = steps_to(position, before, [event.seen_by(seat) for event in play.events], shown)
        positions.append(position)
    return positions


def odds_of(on: int) -> dict[str, Any]:
    chances = {"blue": on % 100, "green": on // 100, "orange": 0, "yellow": 0, "white": 0}
    leg = {camel: {"first": chance / 100, "second": 0} for camel, chance in chances.items()}
    race = {camel: {"winner": chance / 100, "loser": chance / 100} for camel, chance in chances.items()}
    return {"leg": leg, "race": race}


WATCH = """(({ scale, seed, read, choose }) => {
    const later = window.setTimeout;
    // How long the connection waits for an answer is no matter of pace.
    window.setTimeout = (then, ms = 0, ...given) => later(then, ms > 5000 ? ms : ms / scale, ...given);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const all = (selector) => [...document.querySelectorAll(selector)];
    const figure = (one) => {
        const texts = one && document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        while (texts?.nextNode()) {
            const found = texts.currentNode.data.match(/[-−]?\\d+/);
            if (found !== null) return Number(found[0].replace("−", "-"));
        }
        return 0;
    };
    const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
    const chance = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
    const look = () => ({
        resting: all('main [data-resting]').every((one) => one.dataset.resting === "true"),
        over: all("[data-over]").length > 0,
        offered: all("[data-action]:not([aria-disabled=true]), [data-answer], [data-place]")
            .map((one) => one.dataset.action ?? "answer"),
        picks: all("[data-pick]:not([aria-disabled=true])").length,
        undo: all("[data-undo]").length,
        turn: all("li[aria-current]").map((one) => [...one.parentElement.children].indexOf(one)),
        marked: all("button.turn[data-purse]").map((one) => Number(one.dataset.purse)),
        sign: text(".bar .text"),
        called: document.title.startsWith("●"),
        said: Number(all("[role=log] p").at(-1)?.dataset.n ?? 0),
        ribbon: document.querySelector("[data-told-of]")?.dataset.toldOf.split(",").map(Number) ?? [0, 0],
        story: all("section > ol[tabindex] > li").length,
        odds: all("[data-told] b, section > table tbody td").map((one) => one.textContent),
        board: Object.fromEntries(read(all, figure)),
        moving: still ? document.getAnimations().length : 0,
    });
    const heard = [];
    const hear = (note) => {
        heard.push(note);
        queueMicrotask(watch);
    };
    // The name of a sound comes with its samples, which are copied into what is played.
    const names = new WeakMap();
    const Maker = window.Worker;
    window.Worker = class extends Maker {
        constructor(...given) {
            super(...given);
            this.addEventListener("message", ({ data }) => names.set(data.samples, data.name));
        }
    };
    const { copyToChannel } = AudioBuffer.prototype;
    AudioBuffer.prototype.copyToChannel = function (samples, ...given) {
        names.set(this, names.get(samples));
        return copyToChannel.call(this, samples, ...given);
    };
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...given) {
        hear(names.get(this.buffer));
        return start.apply(this, given);
    };
    window.samples = [];
    let last = "";
    let pressing = false;
    const press = () => {
        pressing = false;
        const { resting, over } = look();
        if (!resting || over) return;
        const asked = all("[data-answer]");
        (asked.length > 0 ? asked[Math.floor(chance() * asked.length)] : choose(all, chance))?.click();
        // What was pressed may have changed nothing.
        later(watch, 5);
    };
    window.watch = () => {
        if (document.querySelector("[data-board]") === null) return;
        const seen = { ...look(), heard: heard.splice(0) };
        const written = JSON.stringify(seen);
        if (written !== last) samples.push(seen);
        last = written;
        // Nothing can be heard before the page has been touched.
        if (seen.resting && seen.offered.length > 0 && !pressing && navigator.userActivation.hasBeenActive) {
            pressing = true;
            later(press, 2);
        }
    };
    const anything = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(watch).observe(document, anything);
})"""


def look_on(page: Page, shown: Shown, seed: int = 0, choose: str = "() => undefined") -> None:
    """Write down what is seen from now on, at calm pace."""
    page.add_init_script('localStorage.setItem("serai.settings", JSON.stringify({ odds: true, pace: "calm" }))')
    given = json.dumps({"scale": SCALE, "seed": seed})
    page.add_init_script(f"{WATCH}({{ ...{given}, read: {shown.read}, choose: {choose} }})")


def sit_down(page: Page, url: str, crowd: Crowd, seed: int) -> None:
    """Begin to play; one sample is written down for each change of the page."""
    look_on(page, crowd.shown, seed, crowd.shown.choose)
    page.route("**/tables/case/odds**", crowd.odds)
    page.set_default_timeout(300_000)
    crowd.open(page, url)
    page.mouse.click(1, 1)
    # What is read need not be painted.
    page.evaluate("document.documentElement.style.visibility = 'hidden'; watch()")


def watched(page: Page, url: str, crowd: Crowd, seed: int) -> list[Any]:
    """Everything that was seen of a whole game."""
    sit_down(page, url, crowd, seed)
    page.wait_for_selector("[data-over]", state="attached")
    samples: list[Any] = page.evaluate("samples")
    return samples


def check(samples: Sequence[Any], positions: Sequence[Position], shown: Shown) -> dict[str, int]:
    """See that a whole game was shown, each sample of one moment; how much was seen of each kind."""
    odds = shown.odds
    assert follow(samples, positions, odds) == len(positions) - 1, "not all was shown"
    read = {_name(key).split()[0] for sample in samples for key in sample["board"]}
    boards = [position.board for position in positions]
    told = {key.split()[0] for board in boards for key in board.keys() - shown.silent(board)}
    assert read == told, "something cannot be read off the page"
    return {
        "resting": sum(sample["resting"] for sample in samples),
        "moving": sum(not sample["resting"] for sample in samples),
        "offered": sum(bool(sample["offered"]) for sample in samples),
        "heard": sum(bool(sample["heard"]) for sample in samples),
        "told": len({tuple(sample["ribbon"]) for sample in samples}),
        **({"odds": sum("–" not in sample["odds"] for sample in samples)} if odds else {}),
    }


def follow(
    samples: Sequence[Any], positions: Sequence[Position], odds: bool, place: Place = LIVE, start: int = 0
) -> int:
    """See that every sample is of one moment, and every moment comes in its turn; at which position that ends."""
    at = start
    for sample in samples:
        near = range(at, min(at + 2, len(positions)))
        tried = [(one, _wrong(sample, positions, one, odds, place)) for one in near]
        fitting = [position for position, wrong in tried if not wrong]
        assert fitting, f"shown after position {at}: {tried}"
        at = fitting[0]
    return at


def _wrong(sample: Any, positions: Sequence[Position], at: int, odds: bool, place: Place) -> dict[str, Any]:
    """What of a sample is not of the moment at which a position rests, or leads to the next."""
    here, resting = positions[at], sample["resting"]
    turn = [] if here.actor is None else [here.actor]
    wanted: dict[str, Sequence[Any]] = {
        "said": [here.n if at and place.speaks else 0],
        "story": [at + place.before],
        "turn": [turn],
        "marked": [turn, []],
        "odds": _odds_of(here, resting=resting) if odds else [[]],
        "moving": [0],
    }
    if resting:
        wanted |= _at_rest(sample, here)
        if place.ends and at == len(positions) - 1:
            wanted["over"] = [False, True]
        steps = [Step(here.board, here.board, here.told, CALL if here.actor == FIRST else set())]
    elif at + 1 < len(positions):
        wanted |= _on_the_way(here)
        steps = positions[at + 1].steps
    else:
        return {"resting": (False, "nothing comes after this position")}
    if not place.signs:
        wanted |= {"sign": [""], "called": [False]}
    shown = sample["board"]
    differing = [_differing(shown, [step.before, step.board]) for step in steps]
    fitting = [step for step, wrong in zip(steps, differing, strict=True) if not wrong]
    # What was told last is told until something else is seen, and words may wait for that.
    told = [] if _differing(shown, [here.board]) else [[here.n, here.told]]
    if not resting:
        told += [[positions[at + 1].n, count] for step in fitting for count in (step.told - 1, step.told)]
    wanted["ribbon"] = [[0, 0], *told]
    wrong: dict[str, Any] = {key: (sample[key], values) for key, values in wanted.items() if sample[key] not in values}
    if not fitting:
        wrong["board"] = min(differing, key=len)
    heard = set(sample["heard"]).difference(*(step.heard for step in fitting))
    return wrong | ({"heard": (heard, fitting)} if heard else {})


def _at_rest(sample: Any, here: Position) -> dict[str, Sequence[Any]]:
    """What may stand there once a position has been shown to its end."""
    offered = [one for one in sample["offered"] if one != "answer"]
    if here.actor is None:
        return {"over": [False, True], "offered": [[]], "picks": [0], "undo": [0], "sign": [""], "called": [False]}
    mine = here.actor == FIRST and offered != []
    thinking = "You play" if here.actor == FIRST else f"{NAMES[here.actor]} is thinking …"
    known = set(offered) <= here.offered
    return {
        "over": [False],
        "offered": [sample["offered"]] if known else [sorted(here.offered)],
        "picks": [0, 1, 2, 3] if mine else [0],
        "undo": [0, 1],
        "sign": ["Your turn"] if mine else [thinking],
        "called": [mine],
    }


def _on_the_way(here: Position) -> dict[str, Sequence[Any]]:
    """What may stand there while what leads on from a position is being shown."""
    sign = "You play" if here.actor == FIRST else f"{NAMES[here.actor or 0]} plays"
    return {"over": [False], "offered": [[]], "picks": [0], "undo": [0], "sign": [sign], "called": [False]}


def _odds_of(here: Position, *, resting: bool) -> list[list[str]]:
    """What may stand where odds are told: those of the position while it lies open, and nothing when it is over."""
    if here.actor is None:
        return [[], _told(None)]
    return [_told(None), _told(here.n)] if resting else [_told(None)]


def _told(on: int | None) -> list[str]:
    """For the leg, for the winner and for the loser."""
    if on is None:
        return ["–"] * 15
    return [f"{round(chances['first'] * 100)}%" for chances in odds_of(on)["leg"].values()] * 3


def _differing(shown: Board, boards: Sequence[Board]) -> dict[str, Any]:
    return {
        key: (value, [board.get(_name(key)) for board in boards])
        for key, value in shown.items()
        if not any(board.get(_name(key)) in (value, ANYTHING) for board in boards)
    }


def _name(key: str) -> str:
    return key.partition(" @")[0]
