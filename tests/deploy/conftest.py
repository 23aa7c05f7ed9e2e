"""Files of a host's kit are tried where the system's memory is the disk; browser and pages as elsewhere."""

from __future__ import annotations

from tests.browser.conftest import browser as browser
from tests.browser.conftest import visit as visit
from tests.server.conftest import tmp_path as tmp_path
