"""Chance that can be checked: the draw as specified, without favour, reproducible, and never telling its secret."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import Counter

import pytest

import serai
from serai.core.dealer import Dealer, commitment, draw_point, mix_of
from tests.support import amount

SECRET, MIX = bytes(range(32)), mix_of([b"ann's value", b"ben's value"])


def test_a_draw_is_the_hmac_of_mix_n_and_k() -> None:
    """Written out by hand, so that any other program can check our draws."""
    for n in range(50):
        digest = hmac.new(SECRET, MIX + n.to_bytes(8, "big") + (0).to_bytes(8, "big"), hashlib.sha256).digest()
        assert draw_point(SECRET, MIX, n, 15) == int.from_bytes(digest, "big") % 15


def test_a_digest_in_the_incomplete_multiple_is_rejected() -> None:
    """With a total just over half of 2^256 every second digest must be rejected and the next k taken."""
    total = (1 << 255) + 1
    rejected = 0
    for n in range(40):
        message = MIX + n.to_bytes(8, "big")
        values = [
            int.from_bytes(hmac.digest(SECRET, message + k.to_bytes(8, "big"), "sha256"), "big") for k in range(64)
        ]
        accepted = next(value for value in values if value < total)
        rejected += accepted != values[0]
        assert draw_point(SECRET, MIX, n, total) == accepted % total
    assert 5 < rejected < 35


def test_who_begins_is_the_hmac_of_mix_label_and_k_and_shifts_no_draw() -> None:
    for players in range(1, 9):
        dealer = Dealer(SECRET, MIX)
        digest = hmac.new(SECRET, MIX + b"who begins" + (0).to_bytes(8, "big"), hashlib.sha256).digest()
        assert dealer.draw_first(players) == int.from_bytes(digest, "big") % players
        assert dealer.drawn == 0
    drawn = Counter(Dealer(SECRET, mix_of([bytes([value])])).draw_first(4) for value in range(200))
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 25


@pytest.mark.parametrize("total", [2, 3, 5, 6, 15, 30, 35])
def test_draws_are_uniform(total: int) -> None:
    draws = amount(10_000, 200_000)
    counts = Counter(draw_point(SECRET, MIX, n, total) for n in range(draws))
    expected = draws / total
    chi_square = sum((counts[point] - expected) ** 2 / expected for point in range(total))
    free = total - 1
    assert chi_square < free + 4 * (2 * free) ** 0.5 + 8


def test_the_same_secret_and_mix_deal_the_same_game_and_another_mix_another() -> None:
    def deal(mix: bytes) -> list[str]:
        dealer, rng = Dealer(SECRET, mix), random.Random(5)
        state, drawn = serai.game("camelup").new(players=2), []
        while not state.over:
            if state.actor is serai.CHANCE:
                action = dealer.draw(state)
                drawn.append(str(action))
            else:
                action = rng.choice(state.actions())
            state = state.apply(action)
        return drawn

    assert deal(MIX) == deal(MIX)
    assert deal(MIX) != deal(mix_of([b"ben's value", b"ann's value"]))


def test_a_dealer_resumes_by_its_count() -> None:
    state = serai.game("camelup").new(players=2)
    whole, first = Dealer(SECRET, MIX), Dealer(SECRET, MIX)
    drawn = []
    for _ in range(4):
        action = whole.draw(state)
        drawn.append(action)
        state = state.apply(action)
    state = serai.game("camelup").new(players=2).apply(first.draw(serai.game("camelup").new(players=2)))
    resumed = Dealer(SECRET, MIX, drawn=1)
    assert resumed.draw(state) == drawn[1]


def test_commitment_is_the_sha256_of_the_secret() -> None:
    assert Dealer(SECRET).commit == commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    assert mix_of([b"a", b"bc"]) == hashlib.sha256(b"abc").digest()


def test_every_dealer_has_its_own_secret_and_does_not_tell_it() -> None:
    one, other = Dealer(), Dealer()
    assert one.reveal() != other.reveal()
    assert len(one.reveal()) == 32
    assert one.reveal().hex() not in repr(one) + str(one)
    assert str(one.reveal()) not in repr(one)


def test_wrong_secrets_and_untimely_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Dealer(b"short")
    with pytest.raises(ValueError, match="SHA-256"):
        Dealer(SECRET, b"short")
    over = serai.game("camelup").new(players=2)
    dealer = Dealer(SECRET)
    while over.actor is serai.CHANCE:
        over = over.apply(dealer.draw(over))
    with pytest.raises(ValueError, match="no draw is due"):
        dealer.draw(over)


def test_global_random_is_never_touched() -> None:
    random.seed(1)
    before = random.getstate()
    state, dealer, rng = serai.game("camelup").new(players=3), Dealer(SECRET), random.Random(1)
    while not state.over:
        state = state.apply(dealer.draw(state) if state.actor is serai.CHANCE else rng.choice(state.actions()))
    assert random.getstate() == before
