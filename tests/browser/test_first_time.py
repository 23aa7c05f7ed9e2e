"""The way of a first-timer: home, strength, every kind of action, a leg, the end, once more; by one means alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.browser.newcomers import MOST_KEYS, Finger, Keys, Reader
from tests.browser.serving import Server
from tests.support import SOAK

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
IN_SOAK = pytest.mark.skipif(not SOAK, reason="the way of a finger is the short form")


def test_by_touch_alone(server: Server, visit: Visit) -> None:
    Finger(visit(server.url, locale="fr-FR", pace="calm", **PHONE), "fr").play()


@IN_SOAK
def test_by_keyboard_alone_with_few_keys(server: Server, visit: Visit) -> None:
    newcomer = Keys(visit(server.url, locale="de-DE", pace="calm"), "de")
    newcomer.play()
    assert newcomer.most <= MOST_KEYS
    newcomer.look_up()


@IN_SOAK
def test_by_names_alone(server: Server, visit: Visit) -> None:
    Reader(visit(server.url, pace="calm"), "en").play()
