"""A player reports another one; the host shuts them out; somebody sees what is kept about them, and is forgotten."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.browser.axe import EVERY_LOCALE, PHONE, THEMES, violations
from tests.browser.conftest import Visit
from tests.browser.games import known_as
from tests.browser.serving import QUICK_BOTS, serving
from tests.server.support import Visitor

KEY = "a-key-for-the-host-of-the-tests"
SHOUT_OUT = {"en-GB": "shut you out", "de-DE": "ausgesperrt", "fr-FR": "exclu"}


def elsewhere(work: Coroutine[Any, Any, str]) -> str:
    # Playwright keeps an event loop running in this thread
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def table_of(ann: Visitor, bad: Visitor) -> str:
    table = await ann.create("camelup", seats=2)
    await ann.join(table, "Ann")
    await bad.join(table, "Bad")
    async with ann.at(table) as socket:
        await socket.do("start")
    return table


def narrow(page: Any) -> list[str]:
    width = page.evaluate("document.documentElement.scrollWidth")
    return [f"{page.url}: {width} px wide"] if width > PHONE["viewport"]["width"] else []


@EVERY_LOCALE
def test_a_report_leads_to_a_ban_and_a_wish_to_forgetting(tmp_path: Path, visit: Visit, locale: str) -> None:
    key_file = tmp_path / "key"
    key_file.write_text(KEY)
    command = (*QUICK_BOTS, "--host-key-file", str(key_file))
    found: list[str] = []
    with serving(tmp_path, command) as server:
        ann, bad = Visitor(server.url, secrets.token_urlsafe(24)), Visitor(server.url, secrets.token_urlsafe(24))
        table = elsewhere(table_of(ann, bad))
        player = visit(server.quiet, locale=locale, **PHONE)
        known_as(player, server.url, ann.token)
        player.goto(f"{server.url}/t/{table}")
        player.locator("[popovertarget=table-menu]").click()
        player.locator('[data-report="1"]').click()
        found += violations(player, "report", locale, within="[role=dialog]")
        player.locator('[data-answer="talk"]').click()
        player.locator("[role=dialog]:not(:has([data-answer]))").wait_for()

        culprit = visit(server.quiet, locale=locale, **PHONE)
        known_as(culprit, server.url, bad.token)
        culprit.goto(f"{server.url}/t/{table}")
        culprit.locator("[popovertarget=table-menu]").wait_for()

        host = visit(f"{server.url}/host", locale=locale, forgive="403", **PHONE)
        host.locator("input[type=password]").fill("wrong")
        host.locator("form .main").click()
        host.get_by_role("alert").wait_for()
        found += violations(host, "host's key", locale)
        host.locator("input[type=password]").fill(KEY)
        host.locator("form .main").click()
        report = host.locator("[data-reports] li")
        report.get_by_text("Bad").wait_for()
        found += violations(host, "host", locale) + narrow(host)
        report.locator(".small").first.click()  # the visitor: they were not connected when they were reported
        host.locator("[data-bans] form .main").click()
        culprit.get_by_text(SHOUT_OUT[locale]).wait_for()
        host.locator("[data-bans] li .small").click()
        report.locator(".small").last.click()
        host.locator("[data-reports] a").wait_for(state="detached")

        player.goto(f"{server.url}/privacy")
        player.locator("[data-kept]").click()
        player.locator("[download='serai.json']").wait_for()
        found += violations(player, "privacy", locale) + narrow(player)
        player.locator("[data-forget]").click()
        found += violations(player, "forget", locale)
        player.locator("[data-sure]").click()
        player.get_by_role("status").wait_for()
        host.locator("main > .button").first.click()
        while host.locator("[data-tables] li").get_by_text("Ann").count():
            host.locator("main > .button").first.click()
        host.locator("[data-tables] li .small").first.click()
        host.locator("[data-tables] .danger").click()
        host.locator("[data-tables] .danger").wait_for(state="detached")
        host.locator("[data-tables] li a").wait_for(state="detached")
    assert found == []
    assert set(SHOUT_OUT) == set(THEMES)
