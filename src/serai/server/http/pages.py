"""The built page, if there is one: its files, and itself for every other address."""

from __future__ import annotations

import asyncio
import gzip
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

WEB = Path(serai.__file__).parent / "web"
"""Where the build puts it."""

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"

phrase({"server.no_page": "this installation has no page; build it with 'make play', or use the API under /api"})


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, Any], state: State, path: FromPath[str] = "/") -> Response[bytes]:
    packed = "gzip" in request.headers.get("accept-encoding", "")
    return await asyncio.to_thread(_find, state.web, path, packed, state.hall.settings.base_path)


def _find(root: Path, path: str, packed: bool, base: str) -> Response[bytes]:
    try:
        wanted = (root / path.lstrip("/")).resolve()
        found = wanted.is_relative_to(root.resolve()) and wanted.is_file()
    except (OSError, ValueError):  # longer than a name can be, or with letters that none has
        raise NotFound("server.no_page") from None
    if found:
        # the build names assets after their contents, so they never change
        cache = _FOREVER if "assets" in wanted.relative_to(root.resolve()).parts else _ASK_AGAIN
        return _file(wanted, cache, packed, base)
    index = root / "index.html"
    if path.startswith("/api") or not index.is_file() or Path(path).suffix:
        raise NotFound("server.no_page")
    return _file(index, _ASK_AGAIN, packed, base)


def _file(path: Path, cache: str, packed: bool, base: str) -> Response[bytes]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    # pictures of pixels and fonts are packed already
    if packed and (kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))):
        headers["Content-Encoding"] = "gzip"
        return Response(_packed(path, path.stat().st_mtime_ns, base), media_type=kind, headers=headers)
    return Response(_contents(path, base), media_type=kind, headers=headers)


@lru_cache(maxsize=128)
def _packed(path: Path, changed: int, base: str) -> bytes:
    """The file compressed, once for each time it ``changed``."""
    return gzip.compress(_contents(path, base), 9, mtime=0)


def _contents(path: Path, base: str) -> bytes:
    """The file as it is; the page itself, which answers at many addresses, with its own ones made absolute."""
    if path.suffix != ".html":
        return path.read_bytes()
    return path.read_bytes().replace(b'="./', f'="{base}/'.encode())
