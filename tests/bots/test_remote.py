"""``serai bot``: a program joins over the network, as docs/bots.md says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from serai import games
from serai.core.record import Record, verify
from tests.faults.support import process
from tests.server.support import Visitor, run
from tests.support import POSTGRES_IN_SOAK, SERAI

GAMES = games()


def _bot(url: str, *arguments: str) -> subprocess.Popen[str]:
    command = [*SERAI, "bot", "--url", url, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@POSTGRES_IN_SOAK
@pytest.mark.parametrize("game", GAMES)
def test_two_outside_bots_play_a_whole_game_through_a_restart(game: str, tmp_path: Path, database: str) -> None:
    (tmp_path / "mybot.py").write_text("def decide(view, rng):\n    return rng.choice(view.actions())\n")
    host = Visitor("")
    tables: list[str] = []

    async def invite() -> None:
        tables.append(await host.create(game, seats=2))

    async def start() -> None:
        async with host.at(tables[0], seat="none") as a:
            await a.heard("welcome")
            while any(seat["kind"] == "open" for seat in a.table["seats"]):
                await a.next()
            await a.do("start")
            while a.on < 8:
                await a.next()

    async def watch() -> None:
        async with host.at(tables[0]) as a:
            await a.heard("welcome")
            while not a.over:
                await a.next()
        verdict = verify(Record.read(await host.record(tables[0])))
        assert verdict.finished

    with process(database) as server:
        host.base = server.base
        run(invite())
        link = f"{server.base}/t/{tables[0]}"
        bots = [_bot(link), _bot(link, "--bot", f"{tmp_path / 'mybot.py'}:decide", "--name", "Mine")]
        try:
            run(start())
            port = server.base.rpartition(":")[2]
            server.kill()
            with process(database, "--port", port) as again:
                host.base = again.base
                run(watch())
                told = [bot.communicate(timeout=30) for bot in bots]
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    assert all("The game is over" in out for out, _ in told), told


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--url", "nonsense"), "no invitation"),
        (("--url", "http://127.0.0.1:9/t/abc"), "cannot reach"),
    ],
)
def test_what_cannot_be_joined_is_told_in_one_line(arguments: tuple[str, ...], reason: str) -> None:
    done = subprocess.run([*SERAI, "bot", *arguments], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_program_sits_at_a_live_table(tmp_path: Path) -> None:
    """``serai bot --process``, against one of the house, over the network."""
    example = Path(__file__).parents[2] / "examples" / "bots" / "caravan.py"
    host = Visitor("")
    tables: list[str] = []

    async def invite() -> None:
        tables.append(await host.create("camelup", seats=2))

    async def play() -> None:
        async with host.at(tables[0], seat="none") as a:
            await a.heard("welcome")
            while any(seat["kind"] == "open" for seat in a.table["seats"]):
                await a.next()
            assert any(seat["name"] == "caravan bot" for seat in a.table["seats"])
            await a.do("start")
            while not a.over:
                await a.next()
        assert verify(Record.read(await host.record(tables[0]))).finished

    with process(str(tmp_path / "tables.db")) as server:
        host.base = server.base
        run(invite())
        link = f"{server.base}/t/{tables[0]}"
        bots = [_bot(link, "--process", f"python3 {example}"), _bot(link)]
        try:
            run(play())
            told = [bot.communicate(timeout=30) for bot in bots]
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    assert all("The game is over" in out for out, _ in told), told
