"""All advice of a view, put together."""

from __future__ import annotations

from serai.pharaoh.advice import escape, reach, reasons, tiles
from serai.pharaoh.advice.answer import Advice
from serai.pharaoh.pieces import NOWHERE
from serai.pharaoh.rules import PharaohState


def advise(view: PharaohState) -> Advice:
    """What can be told of this view, whoever looks at it: nothing is secret (12.1), and nothing is drawn for it."""
    seat = view.actor
    to_act = isinstance(seat, int)
    actions = view.actions() if to_act else ()
    future = escape.Future(view) if view.mask_chamber != NOWHERE and not view.over else None
    return Advice(
        whys=reasons.whys(view, actions) if to_act else (),
        abilities=reasons.abilities(view, view.turn, actions) if to_act else (),
        reach=reach.reach(view, view.turn) if to_act and view.drawn == NOWHERE else (),
        dangers=escape.dangers(view, view.turn, actions, future),
        shut_in=tiles.shut_in(view, actions),
        omens=tiles.omens(view, actions),
        homes=escape.homes(view, future),
        collapse=escape.collapse(view),
        photos=tiles.photos(view),
    )
