"""One JSON Schema for everything that travels: REST bodies, messages, frames, reviews, and each game's own values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from serai.coach.review import Review
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.wire import bodies
from serai.wire.frames import AnyReply
from serai.wire.messages import AnyMessage, Phrase


class Waiting(msgspec.Struct, frozen=True, tag="waiting"):
    """Others are reviewed first."""

    ahead: int


class Judging(msgspec.Struct, frozen=True, tag="judging"):
    """How many actions of the record have been judged; of none while compiled code is loaded."""

    done: int
    of: int


class Reviewed(msgspec.Struct, frozen=True, tag="reviewed"):
    """The review, and the end."""

    review: Review


class Unreviewed(msgspec.Struct, frozen=True, tag="unreviewed"):
    """Why there will be none."""

    problem: bodies.Problem


ReviewLine = Waiting | Judging | Reviewed | Unreviewed
"""A review while it is worked out, one JSON value a line: where it stands, then its result."""


def schema() -> dict[str, Any]:
    """All definitions under ``$defs``; those of a game carry its name in front: ``camelup.State``."""
    wholes = {"Message": AnyMessage, "Reply": AnyReply, "Phrase": Phrase, "ReviewLine": ReviewLine}
    definitions = _definitions("", wholes, [value for value in vars(bodies).values() if _is_body(value)])
    for name in games():
        game = find_game(name)
        wholes = {"State": game.state_type, "Action": game.action_type, "Event": game.event_type}
        if game.odds is not None:
            wholes["Odds"] = game.odds.type
        if game.advice is not None:
            wholes["Advice"] = game.advice.type
        definitions |= _definitions(f"{name}.", wholes)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Serai",
        "anyOf": [{"$ref": "#/$defs/Message"}, {"$ref": "#/$defs/Reply"}],
        "$defs": definitions,
    }


def _is_body(value: Any) -> bool:
    return isinstance(value, type) and value.__module__ == bodies.__name__


def _definitions(prefix: str, wholes: dict[str, Any], parts: Sequence[Any] = ()) -> dict[str, Any]:
    """The named types and whatever they are made of."""
    template = "#/$defs/" + prefix + "{name}"
    described, components = msgspec.json.schema_components([*wholes.values(), *parts], ref_template=template)
    found = {f"{prefix}{name}": component for name, component in sorted(components.items())}
    named = {f"{prefix}{name}": whole for name, whole in zip(wholes, described, strict=False)}
    return named | found
