"""Somebody who has nothing to do with an attack: plays at a table of their own, and prints how long each move took.

A process of its own (``python bystander.py BASE ADDRESS``), so that what an attacker does in Python does not show in
its figures. A line is the steady clock's time at which a move was made and the seconds until its answer; it plays until
its standard input ends.
"""

from __future__ import annotations

import contextlib
import json
import random
import secrets
import select
import socket
import sys
import time
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

GAME = "camelup"
PAUSE = 0.02
"""Seconds between two moves."""
PATIENCE = 60.0

Json = dict[str, Any]


class Side:
    """One of the two seats, both of which are the bystander's."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.n = -1
        self.on = 0
        self.over = False
        self.actions: list[Json] = []

    def next(self) -> Json:
        told: Json = json.loads(self.socket.recv(PATIENCE))
        if told["type"] == "refused":
            raise SystemExit(f"the bystander was refused: {told}")
        if told["type"] in ("welcome", "frame", "table"):
            self.n = told["n"]
            self.on = told.get("on", self.on)
            self.actions = told.get("actions", [])
            self.over = told.get("table", {}).get("phase") == "over"
        return told

    def tell(self, kind: str, **fields: Any) -> int:
        """Send a message and wait for its answer: the number of the entry it made."""
        message = {"type": kind, "id": secrets.token_hex(8), **fields}
        self.socket.send(json.dumps(message))
        while True:
            told = self.next()
            if told["type"] == "done" and told["id"] == message["id"]:
                return int(told["n"])

    def reach(self, n: int) -> None:
        """Hear everything up to this entry."""
        while self.n < n:
            self.next()


class Bystander:
    """A visitor with an address of their own."""

    def __init__(self, base: str, address: str) -> None:
        parts = urlsplit(base)
        self._there = (parts.hostname or "", parts.port or 80)
        self._address = address
        self._token = secrets.token_urlsafe(24)

    def call(self, path: str, body: Json) -> Json:
        line = HTTPConnection(*self._there, timeout=PATIENCE, source_address=(self._address, 0))
        with contextlib.closing(line):
            headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
            line.request("POST", path, json.dumps(body), headers)
            answer = line.getresponse()
            told = answer.read().decode()
            if answer.status != 201:
                raise SystemExit(f"the bystander got {answer.status}: {told}")
            made: Json = json.loads(told)
            return made

    def sides(self, stack: contextlib.ExitStack) -> list[Side]:
        """Both seats of a new table."""
        table = self.call("/api/tables", {"game": GAME, "seats": 2})["table"]["id"]
        sides = []
        for name in ("Ann", "Bob"):
            body = {"id": secrets.token_hex(8), "name": name, "value": secrets.token_hex(32)}
            seat = self.call(f"/api/tables/{table}/seats", body)["seat"]
            line = socket.create_connection(self._there, PATIENCE, source_address=(self._address, 0))
            url = f"ws://{self._there[0]}:{self._there[1]}/api/tables/{table}/socket?seat={seat}"
            headers = {"Authorization": f"Bearer {self._token}"}
            opened = connect(url, sock=line, additional_headers=headers, compression=None, max_size=None)
            sides.append(Side(stack.enter_context(opened)))
        return sides


def play(base: str, address: str) -> None:
    """Play one game after the other until nobody listens any more."""
    rng = random.Random(7)
    bystander = Bystander(base, address)
    while True:
        with contextlib.ExitStack() as stack:
            sides = bystander.sides(stack)
            n = sides[0].tell("start")
            while True:
                for side in sides:
                    side.reach(n)
                if sides[0].over:
                    break
                mover = next(side for side in sides if side.actions)
                kind = rng.choice(sorted({action["type"] for action in mover.actions}))
                action = rng.choice([one for one in mover.actions if one["type"] == kind])
                began = time.monotonic()
                n = mover.tell("act", on=mover.on, action=action)
                print(began, time.monotonic() - began, flush=True)
                if select.select([sys.stdin], [], [], PAUSE)[0]:
                    return


if __name__ == "__main__":
    play(*sys.argv[1:])
