"""Run every bench, or those named: ``python -m bench [NAME …]``. Each prints figures and ratios of one run."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench


def main(wanted: list[str]) -> int:
    names = [module.name for module in pkgutil.iter_modules(bench.__path__) if not module.name.startswith("_")]
    unknown = [name for name in wanted if name not in names]
    if unknown:
        print(f"no bench {', '.join(unknown)}; benches: {', '.join(names)}", file=sys.stderr)
        return 2
    for name in wanted or names:
        module = importlib.import_module(f"bench.{name}")
        print(f"\n== {name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
        module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
