"""What a seat may be told of each entry, worked out from the true history by the game's own ``seen_by`` alone."""

from __future__ import annotations

from typing import Any

import msgspec

from serai.errors import Hidden
from serai.table.entries import Said, Undone
from serai.table.table import Effect, Table


class Difference(msgspec.Struct, frozen=True):
    """Where what was told is not what may be told."""

    path: str
    allowed: Any
    told: Any
    reveals: bool
    """Whether nothing is different but that a blank is filled."""

    def __str__(self) -> str:
        return f"{self.path} is {_brief(self.told)} instead of {_brief(self.allowed)}"


class Views:
    """The entries of one table as each seat may see them."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._made: dict[tuple[str, int, int | None], dict[str, Any]] = {}
        self._info: list[Any] = []
        """The table after each entry."""
        for effect in table.effects:
            self._info.append(self._info[-1] if effect.info is None else plain(effect.info))
        over = [effect.n for effect in table.effects if effect.info is not None and effect.info.phase == "over"]
        self.end = over[0] if over else -1
        """The entry with which the game ended; -1 if it has not."""

    def allowed(self, kind: str, n: int, seat: int | None) -> dict[str, Any]:
        """All that this seat may be told with entry ``n``, in a message of that kind."""
        known = self._made.get((kind, n, seat))
        if known is None:
            known = self._made[kind, n, seat] = self._allowed(kind, self._table.effects[n], seat)
        return known

    def _allowed(self, kind: str, effect: Effect, seat: int | None) -> dict[str, Any]:
        head: dict[str, Any] = {"type": kind, "n": effect.n}
        match kind:
            case "welcome":
                return {**head, "seat": seat, "table": self._info[effect.n], **self._position(effect, seat)}
            case "frame" if effect.before is not effect.after:
                table = {} if effect.info is None else {"table": self._info[effect.n]}
                return {**head, **self._moved(effect, seat), **table, **self._position(effect, seat)}
            case "table" if effect.before is effect.after and effect.info is not None:
                return {**head, "seat": seat, "table": self._info[effect.n], **_offered(effect, seat)}
            case "chat" if isinstance(effect.entry, Said):
                said = {"seat": effect.entry.seat, "text": effect.entry.text, "phrase": effect.entry.phrase}
                return {**head, **{key: value for key, value in said.items() if value != ""}}
        return {"type": f"no {kind}", "n": effect.n}

    def _moved(self, effect: Effect, seat: int | None) -> dict[str, Any]:
        """Who did what, and what followed."""
        if isinstance(effect.entry, Undone):
            return {"by": effect.entry.seat, "back": True}
        play = effect.play
        if play is None:
            return {}
        events = [plain(event.seen_by(seat)) for event in play.events]
        told: dict[str, Any] = {"events": events} if events else {}
        if play.actor is not None:
            told |= {"by": play.actor, "action": plain(play.plies[0].action.seen_by(seat, play.actor))}
        return told

    def _position(self, effect: Effect, seat: int | None) -> dict[str, Any]:
        """The game after an entry, and what the seat may do in it."""
        told: dict[str, Any] = {"on": effect.on}
        if effect.after is None:
            return told
        state = effect.after.state
        # who agreed to end the game has put the cards on the table
        view = state if self._table.ended_by_agreement and effect.n >= self.end else state.seen_by(seat)
        told["view"] = plain(msgspec.structs.asdict(view))
        try:
            scores = view.scores()
        except Hidden:
            scores = ()
        if scores:
            told["scores"] = list(scores)
        return told | _offered(effect, seat)


def _offered(effect: Effect, seat: int | None) -> dict[str, Any]:
    if effect.after is None or seat is None or effect.offers != seat:
        return {}
    return {"actions": [plain(action) for action in effect.after.state.actions()]}


def difference(allowed: Any, told: Any, path: str = "it") -> Difference | None:
    """The first place where the two differ, one that is no mere filling of a blank before any that is."""
    found = list(_differences(allowed, told, path))
    return min(found, key=lambda one: one.reveals) if found else None


def _differences(allowed: Any, told: Any, path: str) -> list[Difference]:
    if allowed == told:
        return []
    if isinstance(allowed, dict) and isinstance(told, dict):
        keys = [*allowed, *(key for key in told if key not in allowed)]
        return [
            one for key in keys for one in _differences(allowed.get(key), told.get(key), f"{path}.{key}".lstrip("."))
        ]
    if isinstance(allowed, list) and isinstance(told, list) and len(allowed) == len(told):
        pairs = enumerate(zip(allowed, told, strict=True))
        return [one for at, (may, does) in pairs for one in _differences(may, does, f"{path}[{at}]")]
    return [Difference(path, allowed, told, allowed is None)]


def plain(value: Any) -> Any:
    """As it is once it has travelled."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"
