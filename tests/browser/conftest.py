"""Visitors to a page that must stay clean: no error in the console, no request to anybody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.browser.serving import QUICK_BOTS, Server, chromium, serving

PATIENCE = 15_000
"""Milliseconds until something that was waited for counts as missing: machines are busy at times."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots do not dawdle, and which takes as many visitors from one address as there are tests."""
    with serving(tmp_path_factory.mktemp("serai"), (*QUICK_BOTS, "--limit", "all=0")) as running:
        yield running


LOST = (
    "WebSocket connection to",
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_EMPTY_RESPONSE",
    "Failed to fetch dynamically imported module",
)
"""A lost connection is no fault of the page. A file that the server does not have is told by its status, too."""


class Visit(Protocol):
    def __call__(self, url: str, *, forgive: str = "", pace: str = "", faster: int = 0, **context: Any) -> Page: ...


SET_PACE = """(() => {
    const kept = JSON.parse(localStorage.getItem("serai.settings") ?? "{}");
    if (kept.pace === undefined) localStorage.setItem("serai.settings", JSON.stringify({ ...kept, pace: %r }));
})()"""

TRACE_WARNINGS = """(() => {
    const warn = console.warn;
    console.warn = (...said) => warn(...said, new Error("said here").stack);
})()"""
"""A warning says where it comes from."""

RUN_FASTER = """(() => {
    const later = window.setTimeout;
    const cancel = window.clearTimeout;
    const cancelled = new Set();
    window.held = "";
    window.setTimeout = (then, ms = 0, ...given) => {
        if (ms < 20 || ms > 5000) return later(then, ms, ...given);
        const fire = () => {
            if (cancelled.delete(id)) return;
            if (held && document.querySelector(held)) later(fire, 20);
            else then(...given);
        };
        const id = later(fire, ms / %d);
        return id;
    };
    window.clearTimeout = (id) => {
        cancelled.add(id);
        cancel(id);
    };
})()"""
"""Pauses pass so many times as fast; what is longer than five seconds waits for something that never comes, and what is
shorter than a frame is none: axe works in such parts.
"""


def hold(page: Page, there: str) -> None:
    """Let no pause end while this is on the page, which runs faster; what held it before does so no more."""
    page.evaluate("there => { held = there }", there)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Opens an address in a browser profile of its own; afterwards nothing may have gone wrong in any of them.

    Where nothing moves and no pace is asked for, everything is shown at once: a test has no use for reading times.
    Guided games take theirs all the same, unless time runs ``faster``.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(url: str, *, forgive: str = "", pace: str = "", faster: int = 0, **context: Any) -> Page:
        wanted = {"locale": "en-GB", "reduced_motion": "reduce", **context}
        made = browser.new_context(**wanted)
        made.add_init_script(TRACE_WARNINGS)
        if pace or wanted["reduced_motion"] == "reduce":
            made.add_init_script(SET_PACE % (pace or "instant"))
        if faster:
            made.add_init_script(RUN_FASTER % faster)
        made.set_default_timeout(PATIENCE)
        contexts.append(made)
        page = made.new_page()
        watch(page, urlsplit(url).netloc, complaints, forgive)
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def watch(page: Page, host: str, complaints: list[str], forgive: str) -> None:
    """Write down whatever goes wrong, but for complaints with the text to ``forgive``."""

    def on_console(message: ConsoleMessage) -> None:
        lost = any(said in message.text for said in LOST)
        forgiven = forgive != "" and forgive in message.text
        if message.type in ("error", "warning") and not lost and not forgiven:
            complaints.append(f"{message.type}: {message.text}")

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    page.on(
        "request",
        lambda request: (
            complaints.append(f"request to {request.url}")
            if urlsplit(request.url).netloc != host and not request.url.startswith(("data:", "blob:"))
            else None
        ),
    )
