"""Provably fair draws: commit to a secret, mix in the players' values, draw by HMAC-SHA256.

Draw ``n`` (the n-th chance action of the game, from 0) is HMAC-SHA256 with the secret as key over
``mix ‖ n ‖ k``: 32 bytes of mix, then n and k as eight bytes each, big end first, k = 0, 1, … The digest, read as a
whole number, is rejected (next k) when it lies in the last, incomplete multiple of the sum of weights; otherwise
its remainder points at the outcome. So no outcome is favoured, and chat or undo never shift a draw.

Who begins, where that is left to chance, is drawn over ``mix ‖ "who begins" ‖ k``: a label in place of a number, so
that the game's own draws are the same with it and without.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Any

from serai.core.arguments import check_kind, check_whole
from serai.core.chance import outcome_at
from serai.core.game import State
from serai.core.parts import A
from serai.errors import BadArgument

SECRET_BYTES = 32
_ALL = 1 << 256
_WHO_BEGINS = b"who begins"
"""Not of eight bytes: no number is ever taken for it."""


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret, in hex, which is shown before the game."""
    return hashlib.sha256(secret).hexdigest()


def mix_of(values: Iterable[bytes]) -> bytes:
    """The players' own random values, in seat order, folded into one."""
    return hashlib.sha256(b"".join(values)).digest()


def draw_point(secret: bytes, mix: bytes, n: int, total: int) -> int:
    """A whole number from 0 to ``total - 1``, each equally likely: draw ``n`` of the game."""
    return _point(secret, mix + n.to_bytes(8, "big"), total)


def _point(secret: bytes, message: bytes, total: int) -> int:
    limit = _ALL - _ALL % total
    k = 0
    while True:
        value = int.from_bytes(hmac.digest(secret, message + k.to_bytes(8, "big"), "sha256"), "big")
        if value < limit:
            return value % total
        k += 1


class Dealer:
    """Draws the chance actions of one game. Its secret never shows in ``repr``."""

    def __init__(self, secret: bytes | None = None, mix: bytes | None = None, drawn: int = 0) -> None:
        self._secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        if not isinstance(self._secret, bytes) or len(self._secret) != SECRET_BYTES:
            raise BadArgument(f"a dealer's secret is {SECRET_BYTES} bytes; without one it draws its own")
        self.mix = mix_of(()) if mix is None else mix
        if not isinstance(self.mix, bytes) or len(self.mix) != hashlib.sha256().digest_size:
            raise BadArgument("a mix is a SHA-256 digest of 32 bytes; mix_of() makes one")
        self.drawn = check_whole("the number of draws so far", drawn, 0)
        """How many chance actions the game has had."""

    @property
    def commit(self) -> str:
        """The commitment to the secret, in hex."""
        return commitment(self._secret)

    def draw(self, state: State[A, Any]) -> A:
        """The next chance action of the game."""
        check_kind("what a dealer draws for", state, State, "a state in which a draw is due")
        state._check_draw_due()
        weights = state.weights()
        point = draw_point(self._secret, self.mix, self.drawn, sum(weights))
        self.drawn += 1
        return state.actions()[outcome_at(weights, point)]

    def draw_first(self, players: int) -> int:
        """The seat that begins, each equally likely; no draw of the game shifts by it."""
        check_whole("the number of players", players, 1)
        return _point(self._secret, self.mix + _WHO_BEGINS, players)

    def reveal(self) -> bytes:
        """The secret: only to be asked for once the game has ended, or for a private save."""
        return self._secret

    def __repr__(self) -> str:
        return f"<Dealer commit={self.commit[:12]}… drawn={self.drawn}>"
