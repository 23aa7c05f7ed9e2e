"""The built page, if there is one: its files, and itself for every other address."""

from __future__ import annotations

import asyncio
import mimetypes
from pathlib import Path

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath

from serai.core.errors import phrase
from serai.server.problems import NotFound

WEB = Path(__file__).parent.parent / "web"
"""Where the build puts it."""

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"

phrase({"server.no_page": "this installation has no page; build it with 'make web', or use the API under /api"})


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(state: State, path: FromPath[str] = "/") -> Response[bytes]:
    return await asyncio.to_thread(_find, state.web, path)


def _find(root: Path, path: str) -> Response[bytes]:
    wanted = (root / path.lstrip("/")).resolve()
    if wanted.is_relative_to(root.resolve()) and wanted.is_file():
        # the build names assets after their contents, so they never change
        cache = _FOREVER if "assets" in wanted.relative_to(root.resolve()).parts else _ASK_AGAIN
        return _file(wanted, cache)
    index = root / "index.html"
    if path.startswith("/api") or not index.is_file() or Path(path).suffix:
        raise NotFound("server.no_page")
    return _file(index, _ASK_AGAIN)


def _file(path: Path, cache: str) -> Response[bytes]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(path.read_bytes(), media_type=kind, headers={"Cache-Control": cache})
