"""What messengers show of a link: a title, a line and a picture, in the page's head, by game and language."""

from __future__ import annotations

import html
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from serai.core.registry import games
from serai.server.http.callers import AnyRequest, address, here
from serai.server.limits import TooMany
from serai.server.store.base import StoreError
from serai.server.tables.hall import Hall
from serai.table.errors import Damaged

MARK = b'<meta name="serai-preview" content="" />'
"""Where the page wants it."""
_USUAL = "en"
_SIZE = (1200, 630)
_ABOUT_A_GAME = ("g", "new", "learn")
"""First parts of paths whose second part is a game."""


async def preview(root: Path, request: AnyRequest, hall: Hall, path: str) -> bytes:
    """What the page at this path says to whoever only looks at its link; nothing where the build has no words."""
    told = root / "previews.json"
    if not told.is_file():
        return b""
    words = _words(told, told.stat().st_mtime_ns)
    language = _language(request, words)
    game, phase = await _subject(request, hall, path)
    said = words[language]
    own = said["games"].get(game) or said["house"]
    text = said["tables"].get(phase) or own["text"]
    base = here(request, hall)
    return _tags(language, own["title"], text, f"{base}/{own['picture']}", base + path.rstrip("/")).encode()


async def _subject(request: AnyRequest, hall: Hall, path: str) -> tuple[str, str]:
    """The game that the page at this path is about, and the phase of its table if it is one."""
    first, _, rest = path.strip("/").partition("/")
    name = rest.partition("/")[0]
    if first in _ABOUT_A_GAME:
        return (name if name in games() else ""), ""
    if first != "t" or not name:
        return "", ""
    try:
        # a table may have to be woken: that is counted as asking for it would be
        hall.gate.pass_through("requests", address(request), hall.sources.clock())
        live = await hall.find(name)
    except (TooMany, StoreError, Damaged):
        return "", ""
    return ("", "") if live is None else (live.table.game.name, live.table.phase)


def _language(request: AnyRequest, words: dict[str, Any]) -> str:
    """As the link says (``?l=de``), else as whoever asks would like."""
    accepted = (part.partition(";")[0].strip() for part in request.headers.get("accept-language", "").split(","))
    for tag in (request.query_params.get("l", ""), *accepted):
        if (language := tag[:2].lower()) in words:
            return language
    return _USUAL


def _tags(language: str, title: str, text: str, picture: str, address: str) -> str:
    said = {
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
    tags = [f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in said.items()]
    return "\n    ".join([*tags, '<meta name="twitter:card" content="summary_large_image" />'])


@lru_cache(maxsize=4)
def _words(path: Path, changed: int) -> dict[str, Any]:
    """By language and game, read once for each time the file ``changed``."""
    words: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return words
