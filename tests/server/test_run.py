"""The interpreter of a serving process: threads switch soon, and its memory is swept seldom, but it is swept."""

from __future__ import annotations

import asyncio
import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from serai.server import run as running
from tests.server.support import run


class Ring:
    """Holds itself: only a sweep frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """The settings are those of the whole interpreter."""
    before, switch = gc.get_threshold(), sys.getswitchinterval()
    yield
    sys.setswitchinterval(switch)
    gc.set_threshold(*before)
    gc.unfreeze()


def test_rings_that_grew_old_are_freed_by_the_sweep_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "FULL_COLLECTION_SECONDS", 0.3)

    async def serve() -> None:
        took: list[float] = []
        running.tune_interpreter(took.append)
        ring = Ring()
        gone = weakref.ref(ring)
        gc.collect(1)  # the ring is among the old ones now
        del ring
        held = [[number] for number in range(10 * running.YOUNG * running.MIDDLE)]
        assert gone() is not None, "the old are not looked at just because many things are made"
        assert held
        while len(took) < 2:
            await asyncio.sleep(0.01)
        assert gone() is None
        assert all(seconds > 0 for seconds in took)

    run(serve())


def test_what_was_there_before_is_never_looked_at_again() -> None:
    async def serve() -> None:
        before = [Ring() for _ in range(10)]
        running.tune_interpreter(lambda seconds: None)
        assert gc.get_freeze_count() > len(before)
        assert sys.getswitchinterval() == pytest.approx(running.SWITCH_SECONDS)
        assert not any(one in before for one in gc.get_objects() if isinstance(one, Ring))

    run(serve())
