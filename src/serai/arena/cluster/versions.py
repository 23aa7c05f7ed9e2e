"""What must be the same here and on a worker for games to be the same: Python, Serai's code, and what compiles it."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGES = ("serai", "numpy", "numba", "msgspec")
PYTHON = "Python"
CODE = "serai's own files"
_MISSING = "none"
_LEFT_OUT = {"web", "__pycache__"}
"""Folders of the package from which no game follows."""
_KINDS = {".py", ".json", ".npz", ".npy"}

Versions = Mapping[str, str]
"""By what it is of."""


def versions_here() -> dict[str, str]:
    """Those of this process, with the fingerprint of Serai's code, which tells two copies of one version apart."""
    found = {PYTHON: f"{sys.version_info[0]}.{sys.version_info[1]}"}
    found.update((package, _version(package)) for package in PACKAGES)
    return {**found, CODE: _fingerprint()}


def versions_told(packages: Mapping[str, str | None]) -> dict[str, str]:
    """Those that Dask tells of a worker, by which even one without Serai can be asked."""
    python = ".".join((packages.get("python") or _MISSING).split(".")[:2])
    return {PYTHON: python, **{package: packages.get(package) or _MISSING for package in PACKAGES}}


def difference(here: Versions, there: Versions) -> str:
    """What a worker has of another version, as a sentence goes on after its name; empty if nothing."""
    told = [f"{what} {there[what]} (here: {here[what]})" for what in here if here[what] != there.get(what, here[what])]
    return f"has {', '.join(told)}" if told else ""


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return _MISSING


@cache
def _fingerprint() -> str:
    """A few letters of the SHA-256 of all files of Serai that games can follow from."""
    home = Path(__file__).parents[2]
    found = hashlib.sha256()
    for file in sorted(home.rglob("*")):
        inner = file.relative_to(home)
        if file.suffix in _KINDS and not _LEFT_OUT.intersection(inner.parts):
            found.update(f"{inner.as_posix()} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:12]
