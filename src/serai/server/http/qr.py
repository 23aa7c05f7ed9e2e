"""QR codes of links."""

from __future__ import annotations

import io

import segno


def qr_svg(link: str) -> bytes:
    """The link as a drawing for a page."""
    out = io.BytesIO()
    segno.make(link, error="m").save(out, kind="svg", scale=6, border=2, dark="#000", light="#fff", xmldecl=False)
    return out.getvalue()


def qr_text(link: str) -> str:
    """The link for a terminal, two rows of modules per line."""
    out = io.StringIO()
    segno.make(link, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()
