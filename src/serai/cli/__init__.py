"""The command line: one file per command, imported when it is called."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import NoReturn

_NEEDED = ("click", "platformdirs", "rich")


def main() -> NoReturn:
    """Entry point of the ``serai`` script."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        sys.stderr.write(f"serai: the commands need {' and '.join(missing)}: install Serai with its extra 'play'\n")
        raise SystemExit(2)
    from serai.cli._support.group import run

    sys.exit(run(sys.argv[1:]))
