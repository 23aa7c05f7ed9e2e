"""Tables under test live in memory where the system allows it."""

from __future__ import annotations

from tests.server.conftest import tmp_path as tmp_path
