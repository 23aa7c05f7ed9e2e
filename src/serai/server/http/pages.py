"""The built page, if there is one: its files, and itself for every other address."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath

import serai
from serai.core.errors import phrase
from serai.server.errors import NotFound
from serai.server.settings import Settings

WEB = Path(serai.__file__).parent / "web"
"""Where the build puts it."""

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_NAMED = b'name="serai-build" content="%s"'

phrase({"server.no_page": "this installation has no page; build it with 'make play', or use the API under /api"})


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, Any], state: State, path: FromPath[str] = "/") -> Response[bytes]:
    packed = "gzip" in request.headers.get("accept-encoding", "")
    return await asyncio.to_thread(_find, state.web, path, packed, state.hall.settings)


def build_of(root: Path) -> str:
    """A name for the page below ``root`` that changes with whatever it is made of; none if there is no page."""
    try:
        parts = [serai.__version__.encode(), (root / "index.html").read_bytes()]
    except FileNotFoundError:
        return ""
    # the build names assets after their contents
    parts += sorted(file.name.encode() for file in (root / "assets").glob("*"))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _find(root: Path, path: str, packed: bool, settings: Settings) -> Response[bytes]:
    try:
        wanted = (root / path.lstrip("/")).resolve()
        found = wanted.is_relative_to(root.resolve()) and _is_built(wanted.relative_to(root.resolve()))
        found = found and wanted.is_file()
    except (OSError, ValueError):  # longer than a name can be, or with letters that none has
        raise NotFound("server.no_page") from None
    if found:
        # the build names assets after their contents, so they never change
        cache = _FOREVER if "assets" in wanted.relative_to(root.resolve()).parts else _ASK_AGAIN
        return _file(wanted, cache, packed, settings)
    index = root / "index.html"
    if path.startswith("/api") or not index.is_file() or Path(path).suffix or not _is_built(Path(path.lstrip("/"))):
        raise NotFound("server.no_page")
    return _file(index, _ASK_AGAIN, packed, settings)


def _is_built(path: Path) -> bool:
    """Whether the build may have put it there for everybody: what begins with a dot is a note to itself."""
    return not any(part.startswith(".") for part in path.parts)


def _file(path: Path, cache: str, packed: bool, settings: Settings) -> Response[bytes]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    # pictures of pixels and fonts are packed already
    if packed and (kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))):
        headers["Content-Encoding"] = "gzip"
        return Response(_packed(path, path.stat().st_mtime_ns, settings), media_type=kind, headers=headers)
    return Response(_contents(path, settings), media_type=kind, headers=headers)


@lru_cache(maxsize=128)
def _packed(path: Path, changed: int, settings: Settings) -> bytes:
    """The file compressed, once for each time it ``changed``."""
    return gzip.compress(_contents(path, settings), 9, mtime=0)


def _contents(path: Path, settings: Settings) -> bytes:
    """The file as it is; the page itself, which answers at many addresses, with its own ones made absolute, and told
    which build it is.
    """
    if path.suffix != ".html":
        return path.read_bytes()
    named = path.read_bytes().replace(b'name="serai-build" content=""', _NAMED % settings.build.encode())
    return named.replace(b'="./', f'="{settings.base_path}/'.encode())
