"""One JSON Schema for everything that travels: REST bodies, messages, frames, and each game's own values."""

from __future__ import annotations

from typing import Any

import msgspec

from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.server.reviews.lines import Line
from serai.table import bodies
from serai.table.messages import AnyMessage, AnyReply, Phrase

_BODIES = (
    bodies.GameInfo,
    bodies.NewTable,
    bodies.Continue,
    bodies.Join,
    bodies.Joined,
    bodies.Seen,
    bodies.Spoken,
    bodies.Called,
    bodies.MyGame,
    bodies.FramesPage,
    bodies.Handover,
    bodies.Code,
    bodies.Claim,
    bodies.Offered,
    bodies.Claimed,
    bodies.Draws,
    bodies.Replay,
    bodies.Replayed,
    bodies.Exercises,
    bodies.Posed,
    bodies.Answer,
    bodies.Judged,
    bodies.ToReview,
    bodies.ReplayMoment,
    bodies.Odds,
    bodies.Advice,
    bodies.AskHints,
    bodies.Hints,
    bodies.Problem,
)


def schema() -> dict[str, Any]:
    """All definitions under ``$defs``; those of a game carry its name in front: ``camelup.State``."""
    wholes = {"Message": AnyMessage, "Reply": AnyReply, "Phrase": Phrase, "ReviewLine": Line}
    definitions = _definitions("", wholes, _BODIES)
    for name in games():
        game = find_game(name)
        wholes = {"State": game.state_type, "Action": game.action_type, "Event": game.event_type}
        if game.odds_type is not None:
            wholes["Odds"] = game.odds_type
        if game.advice_type is not None:
            wholes["Advice"] = game.advice_type
        definitions |= _definitions(f"{name}.", wholes, ())
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Serai",
        "anyOf": [{"$ref": "#/$defs/Message"}, {"$ref": "#/$defs/Reply"}],
        "$defs": definitions,
    }


def _definitions(prefix: str, wholes: dict[str, Any], parts: tuple[Any, ...]) -> dict[str, Any]:
    """The named types and whatever they are made of."""
    template = "#/$defs/" + prefix + "{name}"
    described, components = msgspec.json.schema_components([*wholes.values(), *parts], ref_template=template)
    found = {f"{prefix}{name}": component for name, component in sorted(components.items())}
    named = {f"{prefix}{name}": whole for name, whole in zip(wholes, described, strict=False)}
    return named | found
