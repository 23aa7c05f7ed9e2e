"""The built page: its files, and the page itself for every other path, with link previews for messengers."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import html
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath

import serai
from serai.core.registry import games
from serai.errors import phrase
from serai.server.errors import NotFound
from serai.server.http.caller import AnyRequest, hall_of, here, pass_through
from serai.server.limits import TooMany
from serai.server.settings import Settings
from serai.server.store.base import StoreError
from serai.table.errors import Damaged

WEB = Path(serai.__file__).parent / "web"
"""The folder of the build."""

_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_NAMED = b'name="serai-build" content="%s"'

MARK = b'<meta name="serai-preview" content="" />'
"""The place of preview tags in the page."""
_USUAL = "en"
_SIZE = (1200, 630)
_ABOUT_A_GAME = ("g", "new", "learn")
"""First parts of paths whose second part is a game."""

phrase({"server.no_page": "this installation has no page; build it with 'make play', or use the API under /api"})


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: AnyRequest, state: State, path: FromPath[str] = "/") -> Response[bytes]:
    packed = "gzip" in request.headers.get("accept-encoding", "")
    index = _is_page(path) and (Path(state.web) / "index.html").is_file()
    tags = await preview(state.web, request, path) if index else b""
    return await asyncio.to_thread(_find, state.web, path, packed, hall_of(request).settings, tags)


def build_of(root: Path) -> str:
    """A name for the page in ``root`` that changes with its contents; empty if there is no page."""
    try:
        parts = [serai.__version__.encode(), (root / "index.html").read_bytes()]
    except FileNotFoundError:
        return ""
    # the build names assets after their contents
    parts += sorted(file.name.encode() for file in (root / "assets").glob("*"))
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def _find(root: Path, path: str, packed: bool, settings: Settings, tags: bytes) -> Response[bytes]:
    base = root.resolve()
    try:
        wanted = (root / path.lstrip("/")).resolve()
        found = wanted.is_relative_to(base) and _is_built(wanted.relative_to(base)) and wanted.is_file()
    except (OSError, ValueError):  # the path is too long for a file name, or has characters that none has
        raise NotFound("server.no_page") from None
    if found:
        # the build names assets after their contents, so they never change
        cache = _FOREVER if "assets" in wanted.relative_to(base).parts else _ASK_AGAIN
        return _page(wanted, packed, settings, tags) if wanted.suffix == ".html" else _file(wanted, cache, packed)
    index = root / "index.html"
    if not _is_page(path) or not index.is_file():
        raise NotFound("server.no_page")
    return _page(index, packed, settings, tags)


def _is_page(path: str) -> bool:
    """Whether the page answers at this path, unless there is such a file."""
    return not path.startswith("/api") and not Path(path).suffix and _is_built(Path(path.lstrip("/")))


def _is_built(path: Path) -> bool:
    """Whether it can be a file of the build for everybody: names with a leading dot are the build's own notes."""
    return not any(part.startswith(".") for part in path.parts)


def _file(path: Path, cache: str, packed: bool) -> Response[bytes]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    # pixel images and fonts are compressed already
    if packed and (kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml"))):
        headers["Content-Encoding"] = "gzip"
        return Response(_packed(path, path.stat().st_mtime_ns), media_type=kind, headers=headers)
    return Response(path.read_bytes(), media_type=kind, headers=headers)


def _page(index: Path, packed: bool, settings: Settings, tags: bytes) -> Response[bytes]:
    """The page itself, which answers at many paths: with absolute addresses, its build's name, and preview tags."""
    named = index.read_bytes().replace(b'name="serai-build" content=""', _NAMED % settings.build.encode())
    text = named.replace(b'="./', f'="{settings.base_path}/'.encode())
    if tags:
        text = text.replace(MARK, tags)
    headers = {"Cache-Control": _ASK_AGAIN, "Vary": "Accept-Encoding, Accept-Language"}
    if packed:
        headers["Content-Encoding"] = "gzip"
        text = gzip.compress(text, mtime=0)
    return Response(text, media_type="text/html", headers=headers)


@lru_cache(maxsize=128)
def _packed(path: Path, changed: int) -> bytes:
    """The file compressed, cached until it ``changed``."""
    return gzip.compress(path.read_bytes(), 9, mtime=0)


async def preview(root: Path, request: AnyRequest, path: str) -> bytes:
    """Tags with title, text and picture of the page at this path; empty if the build has no texts."""
    file = root / "previews.json"
    if not file.is_file():
        return b""
    words = _words(file, file.stat().st_mtime_ns)
    language = _language(request, words)
    game, phase = await _subject(request, path)
    texts = words[language]
    own = texts["games"].get(game) or texts["house"]
    text = texts["tables"].get(phase) or own["text"]
    base = here(request)
    return _tags(language, own["title"], text, f"{base}/{own['picture']}", base + path.rstrip("/")).encode()


async def _subject(request: AnyRequest, path: str) -> tuple[str, str]:
    """The game of the page at this path, and the phase of its table, if it is one."""
    first, _, rest = path.strip("/").partition("/")
    name = rest.partition("/")[0]
    if first in _ABOUT_A_GAME:
        return (name if name in games() else ""), ""
    if first != "t" or not name:
        return "", ""
    try:
        pass_through(request, "requests")  # a table may have to be loaded: that counts as a request for it
        live = await hall_of(request).find(name)
    except (TooMany, StoreError, Damaged):
        return "", ""
    return ("", "") if live is None else (live.table.game.name, live.table.phase)


def _language(request: AnyRequest, words: dict[str, Any]) -> str:
    """The language of the link (``?l=de``), else of the request's headers."""
    accepted = (part.partition(";")[0].strip() for part in request.headers.get("accept-language", "").split(","))
    for tag in (request.query_params.get("l", ""), *accepted):
        if (language := tag[:2].lower()) in words:
            return language
    return _USUAL


def _tags(language: str, title: str, text: str, picture: str, address: str) -> str:
    properties = {
        "og:site_name": "Serai",
        "og:type": "website",
        "og:locale": language,
        "og:title": title,
        "og:description": text,
        "og:url": address,
        "og:image": picture,
        "og:image:width": str(_SIZE[0]),
        "og:image:height": str(_SIZE[1]),
        "og:image:alt": title,
    }
    tags = [f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in properties.items()]
    return "\n    ".join([*tags, '<meta name="twitter:card" content="summary_large_image" />'])


@lru_cache(maxsize=4)
def _words(path: Path, changed: int) -> dict[str, Any]:
    """Texts by language and game, cached until the file ``changed``."""
    words: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return words
