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
from serai.server.http.previews import MARK, preview
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
    index = _is_page(path) and (Path(state.web) / "index.html").is_file()
    told = await preview(state.web, request, state.hall, path) if index else b""
    return await asyncio.to_thread(_find, state.web, path, packed, state.hall.settings, told)


def build_of(root: Path) -> str:
    """A name for the page below ``root`` that changes with whatever it is made of; none if there is no page."""
    try:
        parts = [serai.__version__.encode(), (root / "index.html").read_bytes()]
    except FileNotFoundError:
        return ""
    # the build names assets after their contents
    parts += sorted(file.name.encode() for file in (root / "assets").glob("*"))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _find(root: Path, path: str, packed: bool, settings: Settings, told: bytes) -> Response[bytes]:
    try:
        wanted = (root / path.lstrip("/")).resolve()
        found = wanted.is_relative_to(root.resolve()) and _is_built(wanted.relative_to(root.resolve()))
        found = found and wanted.is_file()
    except (OSError, ValueError):  # longer than a name can be, or with letters that none has
        raise NotFound("server.no_page") from None
    if found:
        # the build names assets after their contents, so they never change
        cache = _FOREVER if "assets" in wanted.relative_to(root.resolve()).parts else _ASK_AGAIN
        return _page(wanted, packed, settings, told) if wanted.suffix == ".html" else _file(wanted, cache, packed)
    index = root / "index.html"
    if not _is_page(path) or not index.is_file():
        raise NotFound("server.no_page")
    return _page(index, packed, settings, told)


def _is_page(path: str) -> bool:
    """Whether this is an address of the page, if it is none of a file."""
    return not path.startswith("/api") and not Path(path).suffix and _is_built(Path(path.lstrip("/")))


def _is_built(path: Path) -> bool:
    """Whether the build may have put it there for everybody: what begins with a dot is a note to itself."""
    return not any(part.startswith(".") for part in path.parts)


def _file(path: Path, cache: str, packed: bool) -> Response[bytes]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    # pictures of pixels and fonts are packed already
    if packed and (kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))):
        headers["Content-Encoding"] = "gzip"
        return Response(_packed(path, path.stat().st_mtime_ns), media_type=kind, headers=headers)
    return Response(path.read_bytes(), media_type=kind, headers=headers)


def _page(index: Path, packed: bool, settings: Settings, told: bytes) -> Response[bytes]:
    """The page itself, which answers at many addresses: with its own ones made absolute, told which build it is, and
    with what messengers show of it.
    """
    named = index.read_bytes().replace(b'name="serai-build" content=""', _NAMED % settings.build.encode())
    whole = named.replace(b'="./', f'="{settings.base_path}/'.encode())
    if told:
        whole = whole.replace(MARK, told)
    headers = {"Cache-Control": _ASK_AGAIN, "Vary": "Accept-Encoding, Accept-Language"}
    if packed:
        headers["Content-Encoding"] = "gzip"
        whole = gzip.compress(whole, mtime=0)
    return Response(whole, media_type="text/html", headers=headers)


@lru_cache(maxsize=128)
def _packed(path: Path, changed: int) -> bytes:
    """The file compressed, once for each time it ``changed``."""
    return gzip.compress(path.read_bytes(), 9, mtime=0)
