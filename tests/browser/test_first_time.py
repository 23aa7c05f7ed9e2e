"""The way of a first-timer: home, strength, every kind of action, a leg, the end, once more; by one means alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.newcomers import MOST_KEYS, Finger, Keys, Reader
from tests.browser.serving import Server
from tests.support import SOAK

PHONE: dict[str, Any] = {"has_touch": True, "is_mobile": True}
LOCALES = {"fr": "fr-FR", "de": "de-DE", "en": "en-GB"}
SIZES = {"fr": (390, 844)}
if SOAK:
    SIZES |= {"de": (360, 640), "en": (844, 390)}
IN_SOAK = pytest.mark.skipif(not SOAK, reason="the way of a finger is the short form")


@pytest.mark.parametrize(("language", "size"), SIZES.items())
def test_by_touch_alone(server: Server, visit: Visit, language: str, size: tuple[int, int]) -> None:
    phone = {**PHONE, "viewport": {"width": size[0], "height": size[1]}}
    page = visit(server.url, locale=LOCALES[language], pace="calm", **phone)
    # Once kept by every device with a touch screen: it is no wish to be asked before every roll.
    page.evaluate("localStorage['serai.settings'] = JSON.stringify({ pace: 'calm', confirm: true })")
    Finger(page, language).play()


@IN_SOAK
@pytest.mark.parametrize("language", LOCALES)
def test_by_keyboard_alone_with_few_keys(server: Server, visit: Visit, language: str) -> None:
    newcomer = Keys(visit(server.url, locale=LOCALES[language], pace="calm"), language)
    newcomer.play()
    assert newcomer.most <= MOST_KEYS
    newcomer.look_up()


@IN_SOAK
@pytest.mark.parametrize("language", LOCALES)
def test_by_names_alone(server: Server, visit: Visit, language: str) -> None:
    Reader(visit(server.url, locale=LOCALES[language], pace="calm"), language).play()
