"""A refused request leaves nothing in memory: no reference cycle waits for the garbage collector."""

from __future__ import annotations

import asyncio
import gc
import socket
import types
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from serai.server.errors import drop_tracebacks
from serai.server.limits import NO_LIMITS, Gate
from serai.server.store.base import StoreError
from serai.server.tables.hall import Devices
from serai.server.threads import Threads
from serai.wire.bodies import Join
from tests.server.refusals import GAME, posted, refusals
from tests.server.support import House, Visitor, house, run


@pytest.fixture(autouse=True)
def _only_by_hand() -> Iterator[None]:
    """The collector looks at nothing by itself, and never at what is there already."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def test_no_refused_body_is_left_in_a_reference_cycle(tmp_path: Path) -> None:
    async def send() -> None:
        async with house(tmp_path) as here:
            table = await Visitor(here.base).create(GAME, seats=2)
            kinds, left, statuses = list(refusals(table)), dict[str, set[str]](), set[int]()
            for _, path, body in kinds:  # what is loaded, or made once, is no concern of this test
                await _status(here, path, body)
            _cycles()
            for name, path, body in kinds:
                statuses.add(status := await _status(here, path, body))
                assert status >= 400, (name, path)
                await asyncio.sleep(0)
                if found := _cycles():
                    left[f"{name}: {path}"] = found
            assert not left
            assert statuses == {400, 403, 404, 409, 413}

    run(send())


def test_a_refused_message_on_a_socket_leaves_no_cycle(tmp_path: Path) -> None:
    async def send() -> None:
        async with house(tmp_path) as here:
            ann = Visitor(here.base)
            table = await ann.create(GAME, seats=2)
            await ann.join(table, "Ann")
            async with ann.at(table) as a:
                await a.heard("presence")
                for _ in range(2):
                    _cycles()
                    assert (await a.ask("start"))["type"] == "refused"
                    assert (await a.ask("act", seat=0, on=0, action={"type": "x" * 5000}))["type"] == "refused"
                assert not _cycles()

    run(send())


async def _failing(*_: Any) -> Any:
    raise StoreError("the disk is gone")


def test_work_that_fails_in_a_lane_leaves_no_cycle() -> None:
    async def work() -> None:
        threads = Threads(Gate(NO_LIMITS))

        def fail() -> None:
            raise ValueError("it cannot be read")

        await _fails(lambda: threads.run("study", "10.0.0.1", fail))
        threads.close()

    run(work())


def test_a_store_that_fails_leaves_no_cycle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        async with house(tmp_path) as here:
            ann, hall = Visitor(here.base), here.hall
            live = await hall.find(await ann.create(GAME, seats=2))
            devices = Devices(hall.store, hall.peers)
            for method in ("visitors", "move_visitor", "read_table"):
                monkeypatch.setattr(hall.store, method, _failing)
            monkeypatch.setattr(type(hall.store), "_commit", lambda *_: (None, StoreError("the disk is gone")))
            for failing in (
                lambda: devices.stands_for("somebody"),
                lambda: hall.move("0000", "somebody"),
                lambda: hall.find("abc"),
                lambda: hall.store.check(),
                lambda: live.join(Join("1", "Ann", "0" * 64), "somebody"),
            ):
                await _fails(failing)

    run(ask())


async def _fails(work: Callable[[], Awaitable[object]]) -> None:
    """It fails, and nothing of that is left."""
    for _ in range(2):
        _cycles()
        try:
            await work()
        except Exception:
            pass
        else:
            raise AssertionError("it did not fail")
        await asyncio.sleep(0)
    assert not _cycles()


def test_errors_that_other_frames_hold_are_freed_too() -> None:
    def collect() -> list[Exception]:
        errors: list[Exception] = []
        for number in range(3):
            try:
                raise ValueError(number)
            except ValueError as error:
                errors.append(error)
        return errors

    def fail() -> None:
        try:
            raise KeyError("the first")
        except KeyError as error:
            for one in collect():
                assert str(one)
            raise ValueError("all of them") from error

    try:
        fail()
    except ValueError as error:
        drop_tracebacks(error)
    assert not _cycles()


def _cycles() -> set[str]:
    """Errors and frames that only the collector frees."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        gc.collect()
        return {
            repr(one)[:200]
            for one in gc.garbage
            if isinstance(one, BaseException | types.FrameType | types.TracebackType)
        }
    finally:
        gc.set_debug(0)
        gc.garbage.clear()


async def _status(here: House, path: str, body: bytes) -> int:
    """How this body is answered. Bare sockets: a client that leaves cycles would be found as well."""
    loop = asyncio.get_running_loop()
    with socket.socket() as line:
        line.setblocking(False)
        await loop.sock_connect(line, ("127.0.0.1", urlsplit(here.base).port))
        await loop.sock_sendall(line, posted(path, body))
        answer = await loop.sock_recv(line, 1 << 16)
    return int(answer.split()[1])
