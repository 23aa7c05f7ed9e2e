"""Python calls of a roll at a live table, from its bytes at the socket to the frames of two viewers, flushed."""

from __future__ import annotations

import json
import statistics
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from websockets.sync.client import ClientConnection, connect

import serai
from serai.server.limits import Limits
from serai.server.run import address_of, listen, server
from serai.server.settings import Settings, Sources

GAMES = 4
SERAI = str(Path(serai.__file__).parent)
OURS = str(Path(__file__).parent)


class Watch:
    """Notes every call of a Python function in the threads that are told of it, coroutines that go on included."""

    def __init__(self) -> None:
        self._seen: list[tuple[str, CodeType]] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event in ("call", "return"):
            self._seen.append((event, frame.f_code))

    def begin(self) -> None:
        """Forget what was noted so far."""
        self._seen.clear()

    def calls(self) -> list[CodeType]:
        """What was called since then, from the first bytes that came in to the last that were flushed."""
        marks = [(event, code.co_name) for event, code in self._seen]
        first = marks.index(("call", "data_received"))
        last = len(marks) - marks[::-1].index(("return", "_flush"))
        return [
            code for event, code in self._seen[first:last] if event == "call" and not code.co_filename.startswith(OURS)
        ]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        games = _watched(Path(folder) / "tables.db")
    # the same dice each time, and now and then something else going on: the shortest of each roll is the roll
    rolls = [min(same, key=len) for same in zip(*games, strict=True)]
    ours = [[code for code in calls if code.co_filename.startswith(SERAI)] for calls in rolls]
    middle = sorted(ours, key=len)[len(ours) // 2]
    print(
        f"a roll, two viewers, SQLite: {len(middle)} calls of {len(set(middle))} functions in "
        f"{len({code.co_filename for code in middle})} files of Serai, "
        f"{statistics.median(map(len, rolls)):.0f} calls in all (medians of {len(rolls)} rolls)"
    )
    files = Counter(code.co_filename.removeprefix(SERAI + "/") for code in middle)
    print("of the middle one: " + ", ".join(f"{name} {count}" for name, count in files.most_common()))


def _watched(database: Path) -> list[list[list[CodeType]]]:
    """The calls of each roll of each game, in order, at a server in a thread of its own."""
    watch, started = Watch(), threading.Event()
    listener = listen("127.0.0.1", 0, exactly=True)
    sources = Sources(secret=lambda: bytes(32))
    threading.setprofile(watch)
    running = server(listener, str(database), Settings(limits=Limits()), sources=sources, started=started.set)
    serving = threading.Thread(target=running.run, args=([listener],))
    serving.start()
    started.wait()
    threading.setprofile(None)  # the clients' own threads are none of its business
    try:
        return [_roll(address_of(listener), watch) for _ in range(GAMES)]
    finally:
        running.should_exit = True
        serving.join()


def _roll(base: str, watch: Watch) -> list[list[CodeType]]:
    """A game of two people who do nothing but roll."""
    rolls: list[list[CodeType]] = []
    lines = _sit(base, ["a" * 32, "b" * 32])
    frames = [_frame(line) for line in lines]
    while any(frame["actions"] for frame in frames):
        mover, on = next((line, told["on"]) for line, told in zip(lines, frames, strict=True) if told["actions"])
        watch.begin()
        mover.send(f'{{"type":"act","id":"{on}","on":{on},"action":{{"type":"roll"}}}}')
        frames = [_frame(line) for line in lines]
        time.sleep(0.02)  # for what comes after the last bytes
        rolls.append(watch.calls())
    for line in lines:
        line.close()
    return rolls


def _frame(line: ClientConnection) -> dict[str, Any]:
    """The next frame."""
    while True:
        told: dict[str, Any] = json.loads(line.recv())
        if told["type"] == "frame":
            return {"actions": [], **told}


def _sit(base: str, tokens: list[str]) -> list[ClientConnection]:
    """Two persons, each with a socket, at a table whose game begins."""
    table = _call(base, "/api/tables", tokens[0], {"game": "camelup", "seats": 2})["table"]["id"]
    for name, token in zip("AB", tokens, strict=True):
        _call(base, f"/api/tables/{table}/seats", token, {"id": name, "name": name, "value": "00" * 32})
    url = f"{base.replace('http', 'ws')}/api/tables/{table}/socket"
    lines = [connect(url, additional_headers={"Authorization": f"Bearer {token}"}) for token in tokens]
    lines[0].send('{"type":"start","id":"s"}')
    return lines


def _call(base: str, path: str, token: str, body: dict[str, Any]) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(base + path, json.dumps(body).encode(), headers)
    return json.loads(urllib.request.urlopen(request).read())
