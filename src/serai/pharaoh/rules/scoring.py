"""Points (rules 8.3, 9.1, 10.5, 11.2) and who wins (rule 11.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from serai.core.game import put
from serai.pharaoh.rules.collapse import stir
from serai.pharaoh.rules.events import AnyEvent, GameEnded, ScoreCounted, TreasureBanked
from serai.pharaoh.rules.pieces import LOST_ARCHAEOLOGIST, LOST_HELPER, NOWHERE, PHOTO_POINTS

if TYPE_CHECKING:
    from typing import Literal

    from serai.pharaoh.rules.rules import PharaohState


def count_points(state: PharaohState, seat: int) -> int:
    """One player's points, counted from what they have and have lost (11.2)."""
    photos = PHOTO_POINTS * state.photos.count(seat)
    return photos + sum(state.museums[seat]) + points_lost(state, seat)


def points_lost(state: PharaohState, seat: int) -> int:
    """What lost figures cost a player, 0 or below."""
    archaeologist = LOST_ARCHAEOLOGIST if state.archaeologists[seat] == NOWHERE else 0
    return archaeologist + (LOST_HELPER if state.helpers[seat] == NOWHERE else 0)


def bank(state: PharaohState, seat: int, events: list[AnyEvent]) -> PharaohState:
    """The treasure this seat's archaeologist carries goes into its collection (8.3)."""
    value = state.carried[seat]
    museum = tuple(sorted((*state.museums[seat], value)))
    points = state.points[seat] + value
    after = replace(
        state,
        carried=put(state.carried, seat, 0),
        museums=put(state.museums, seat, museum),
        points=put(state.points, seat, points),
        changed=put(state.changed, seat, state.plies),
    )
    events.append(TreasureBanked(seat, value, points))
    return stir(after, events)


def winners(state: PharaohState) -> tuple[int, ...]:
    """Most points; of the tied those with both figures, then whose score last changed earliest (11.3)."""
    scores = state.scores()
    tied = [seat for seat, points in enumerate(scores) if points == max(scores)]
    whole = [seat for seat in tied if not points_lost(state, seat)]
    tied = whole or tied
    earliest = min(state.changed[seat] for seat in tied)
    return tuple(seat for seat in tied if state.changed[seat] == earliest)


def finish(state: PharaohState, why: Literal["collapse", "rounds"], events: list[AnyEvent]) -> PharaohState:
    """The game is over: every player's line, then the winners (11.1, 11.2, 11.4)."""
    after = replace(state, actor=None)
    scores = after.scores()
    for seat, total in enumerate(scores):
        photos, lost = after.photos.count(seat), points_lost(after, seat)
        events.append(ScoreCounted(seat, photos, after.museums[seat], lost, total))
    events.append(GameEnded(scores, after.winners(), why))
    return after
