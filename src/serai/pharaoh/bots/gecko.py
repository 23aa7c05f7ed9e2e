"""``gecko``: a careful collector that lights some of the way, rarely robs anybody, and is tempted by the mask."""

from __future__ import annotations

from serai.pharaoh.bots.scarab import StyleBot


class Gecko(StyleBot):
    """Plays the style ``gecko``."""

    style = "gecko"
