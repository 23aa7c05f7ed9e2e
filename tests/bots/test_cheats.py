"""Bots that would rather know than think. In the process of the game they find all there is, which is why such bots
are trusted code; in a process of their own the same code finds nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import serai
from serai.bots import find_bot, landlock
from serai.bots.pipe import Decide, Sit
from serai.bots.processes import isolated_process
from serai.bots.referee import dealer_for, play
from serai.camelup.rules import CamelUpState
from serai.core.dealer import Dealer
from serai.core.play import deal

SECONDS = 20.0
CHEAT = '''
import gc, json, sys
import serai
from serai.bots.referee import dealer_for
from serai.camelup.rules import CamelUpState
from serai.core.chance import CHANCE
from serai.core.dealer import Dealer

def knows(thing, seat):
    """The dealer of the game, or a state that shows what another seat holds."""
    if isinstance(thing, Dealer):
        return thing.drawn > 0
    return isinstance(thing, CamelUpState) and thing.leg > 0 and all(None not in hand for hand in thing.hands)

def in_frames(seat):
    frame, found = sys._getframe(), 0
    while frame is not None:
        things = list(frame.f_locals.values())
        things += [each for thing in things for each in getattr(thing, "__dict__", {}).values()]
        found += sum(knows(thing, seat) for thing in things)
        frame = frame.f_back
    return found

def in_memory(seat):
    return sum(knows(thing, seat) for thing in gc.get_objects())

def by_known_seeds(view):
    """How many of the seeds that people use would have set up this very race."""
    found = 0
    for seed in ("0", "1", "7", "42", *(f"{seed} {number}" for seed in ("1", "7") for number in range(20))):
        dealer, state = dealer_for(seed), serai.game("camelup").new(len(view.money))
        while state.actor is CHANCE:
            state = state.apply(dealer.draw(state))
        found += state.track == view.track
    return found

TOLD = []

def decide(view, rng):
    if TOLD:
        return rng.choice(view.actions())
    TOLD.append(True)
    told = {"frames": in_frames(view.actor), "memory": in_memory(view.actor), "seeds": by_known_seeds(view)}
    CamelUpState.scores = lambda state: (99, *state.money[1:])
    raise RuntimeError(json.dumps(told))
'''


@pytest.fixture
def cheat(tmp_path: Path) -> str:
    file = tmp_path / "bot" / "cheat.py"
    file.parent.mkdir()
    file.write_text(CHEAT)
    return f"{file}:decide"


def test_in_the_process_of_the_game_cheats_find_everything(cheat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CamelUpState, "scores", CamelUpState.scores)
    game = serai.game("camelup")
    bots = [("cheat", find_bot(game, cheat)()), ("honest", find_bot(game, "random")())]
    played = play(game, bots, dealer=dealer_for("1 0"), seed="1 0", tolerate=True)
    told = json.loads(played.faults[0].reason.partition(": ")[2])
    assert told["frames"] > 0
    assert told["memory"] > 0
    assert told["seeds"] == 1
    assert played.record.result is not None
    assert played.record.result[0] == 99


@pytest.mark.skipif(
    sys.platform != "linux" or landlock.version() < landlock.LEAST, reason="the kernel has no walls to put up"
)
def test_in_a_process_of_its_own_the_same_cheats_find_nothing(cheat: str) -> None:
    async def told_there() -> dict[str, int]:
        dealer = Dealer(hashlib.sha256(b"follows from no seed").digest())
        state: Any = deal(serai.game("camelup").new(2), dealer).after
        process = await isolated_process(cheat)
        try:
            await process.ask(Sit("x", "camelup", cheat), SECONDS)
            answer = await process.ask(Decide("x", [], msgspec.json.encode(state.seen_by(state.actor))), SECONDS)
            told: dict[str, int] = json.loads(answer.fault.partition(": ")[2])
        finally:
            await process.end()
        assert state.scores() == state.money, "whatever it patched, it patched for itself"
        return told

    assert asyncio.run(told_there()) == {"frames": 0, "memory": 0, "seeds": 0}
