"""What every test starts with."""

from __future__ import annotations

import os
from pathlib import Path

# tables that Serai keeps between runs: in this checkout, not in the cache of whoever runs the tests
os.environ.setdefault("SERAI_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "serai"))
