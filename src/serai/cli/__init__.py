"""The command line: one file per command, loaded when it is called."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import NoReturn

_NEEDED = ("click", "platformdirs", "rich")


def main() -> NoReturn:
    """What the ``serai`` script runs."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        sys.stderr.write(f"serai: the commands need {' and '.join(missing)}: install Serai with its extra 'play'\n")
        raise SystemExit(2)
    from serai.cli._support.group import run

    sys.exit(run(sys.argv[1:]))
