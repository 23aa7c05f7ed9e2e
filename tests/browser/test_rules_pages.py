"""The rules of every game in three languages, and the way to them from the table."""

from __future__ import annotations

from tests.browser.conftest import Visit
from tests.browser.serving import Server


def test_the_address_leads_to_a_section(server: Server, visit: Visit) -> None:
    page = visit(f"{server.url}/g/camelup/rules#mirage", viewport={"width": 360, "height": 740})
    page.wait_for_function("() => Math.abs(document.querySelector('#mirage')?.getBoundingClientRect().top - 10) < 40")
    page.get_by_role("navigation").get_by_role("link", name="Rolling").click()
    page.wait_for_function("() => Math.abs(document.querySelector('#roll')?.getBoundingClientRect().top - 10) < 40")
