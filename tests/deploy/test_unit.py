"""The unit of the kit, in a sandbox and a control group as it asks: code stays compiled, memory is enough (soak)."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from tests.browser.serving import free_port
from tests.deploy.systemd import Unit, bytes_of, can_sandbox, killed_for_memory, memory_peak, own_group
from tests.deploy.test_kit import DEPLOY
from tests.server.support import Visitor, any_kind, run
from tests.support import SOAK

ROUNDS = 3


@contextmanager
def serving(unit: Unit, group: Path, base: str) -> Iterator[None]:
    with unit.start(group, sandbox=True) as running:
        try:
            while True:
                with suppress(httpx.TransportError):
                    if httpx.get(f"{base}/readyz").status_code == 200:
                        break
                time.sleep(0.1)
            yield
        finally:
            running.terminate()


async def play(base: str) -> str:
    """A table with two of the strongest bots, a hint, and a finished game to be reviewed; the record."""
    ann = Visitor(base)
    rules = {"hints": True}
    wanted = {"game": "camelup", "seats": 3, "bots": {"1": "cobra", "2": "cobra"}, "table_rules": rules}
    while (made := await ann.call("POST", "/api/tables", wanted)).status_code == 409:
        await asyncio.sleep(0.5)  # the bots are being tried
    table = made.json()["table"]["id"]
    await ann.join(table, "Ann")
    async with ann.at(table) as a:
        await a.do("start")
        for _ in range(ROUNDS):
            await a.my_turn()
            hint = await ann.call("POST", f"/api/tables/{table}/hints", {"seat": 0, "on": a.on})
            assert hint.status_code in (200, 201, 503), hint.text
            await a.act(any_kind(a.actions, random.Random(1)))
        await a.my_turn()
        await a.do("agree", on=True)
    return await ann.record(table)


@pytest.mark.skipif(not SOAK, reason="everything is compiled anew: in soak")
def test_the_units_limits_hold_and_compiled_code_stays(tmp_path: Path) -> None:
    group = own_group(f"serai-unit-{os.getpid()}")
    if group is None or not can_sandbox():
        pytest.skip("this machine lets us make no control group or no namespace: run the test as root")
    port, metrics = free_port(), free_port()
    file = tmp_path / "serai.service"
    text = (DEPLOY / "serai.service").read_text().replace("/opt/serai/bin", str(Path(sys.executable).parent))
    text = text.replace("8321", str(port)).replace("9321", str(metrics))
    file.write_text(text.replace("https://play.example.org", f"http://127.0.0.1:{port}"))
    unit, base = Unit(file, tmp_path / "state", tmp_path / "cache"), f"http://127.0.0.1:{port}"
    records: list[str] = []

    async def played() -> None:
        records.append(await play(base))

    try:
        with serving(unit, group, base):
            run(played())  # whatever is not compiled yet is compiled
            with httpx.stream("POST", f"{base}/api/review", json={"record": records[0]}, timeout=600) as review:
                last = list(review.iter_lines())[-1]
            assert json.loads(last)["type"] == "reviewed"
        assert [one for one in (tmp_path / "cache" / "serai").rglob("*.nbc") if one.stat().st_size]
        with serving(unit, group, base):
            run(played())
            counted = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text
            assert re.search(r"^serai_bot_replacements_total 0$", counted, re.MULTILINE), "compiled code was kept"
        assert killed_for_memory(group) == 0
        assert memory_peak(group) < bytes_of(unit.one("MemoryMax"))
    finally:
        subprocess.run(["rmdir", str(group)], check=False)
