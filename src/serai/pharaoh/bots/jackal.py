"""``jackal``: a thief that robs anybody in reach, bars the way of carriers and wants the mask."""

from __future__ import annotations

from serai.pharaoh.bots.scarab import StyleBot


class Jackal(StyleBot):
    """Plays the style ``jackal``."""

    style = "jackal"
