"""Turns roles in docstrings into links of the reference: ``:meth:`Game.odds` `` becomes a Markdown link."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:class|meth|mod|func|attr|data|exc):`(?:[^`<]* <)?~?([^`>]+)>?`")


class Roles(griffe.Extension):
    """Rewrites roles in docstrings; a name is looked up in its own module, then in the packages around it."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """A docstring was read."""
        if obj.docstring is not None:
            obj.docstring.value = _ROLE.sub(_link, obj.docstring.value)


def _link(found: re.Match[str]) -> str:
    name = found[1]
    return f"[`{name.removeprefix('serai.core.')}`][{name}]"
