"""The example that learns: what it sees is right, the shipped weights play well, and it can be taught."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

import serai
from serai.bots.specs import find_bot

FOLDER = Path(__file__).parents[2] / "examples/learn"
sys.path.append(str(FOLDER))

import learned  # noqa: E402
from serai.camelup.odds import features as odds_features  # noqa: E402

GAME = serai.game("camelup")


def seen_by(batch):
    """Features and numbers of what a batch shows, and which outputs are legal."""
    seen = batch.buffers.observations.astype(np.int64)
    features, numbers = odds_features.look(seen, odds_features.tables(), np.concatenate)
    return features.astype(np.float32), numbers, np.take_along_axis(batch.buffers.mask, numbers, 1)


def decisions(batch, layers):
    features, numbers, legal = seen_by(batch)
    best = np.where(legal, learned.think(features, layers), -np.inf).argmax(1)
    return numbers[np.arange(len(numbers)), best]


def test_a_view_and_a_batch_give_the_same_scores_and_a_legal_action():
    bot, layers = learned.Learned(), learned.load(learned.WEIGHTS)
    batch = GAME.compiled.batch(12, 4, opponents="quick", packed=True, seed=5)
    for _ in range(12):
        features, numbers, legal = seen_by(batch)
        scores = np.where(legal, learned.think(features, layers), -np.inf)
        for lane, seat in enumerate(batch.buffers.actors.tolist()):
            view = batch.state(lane).seen_by(seat)
            by_view = bot.scores(view)
            np.testing.assert_allclose(by_view[numbers[lane]], scores[lane], rtol=1e-3, atol=1e-3)
            assert bot.decide(view, random.Random(lane)) in view.actions()
        batch.step(decisions(batch, layers))


def test_prospects_are_the_odds_of_the_game():
    odds = GAME.odds("1gyo 3bw")
    state = GAME.position("1gyo 3bw")
    features, _ = odds_features.look(
        GAME.encoding.observation(state)[None].astype(np.int64), odds_features.tables(), np.concatenate
    )
    order = ["green", "yellow", "orange", "blue", "white"]
    expected = [[odds.leg[camel].first for camel in order], [odds.leg[camel].second for camel in order]]
    expected += [[odds.race[camel].winner for camel in order], [odds.race[camel].loser for camel in order]]
    expected += [[odds.ends], [odds.stops[space] for space in odds_features.DESERT_SPACES]]
    np.testing.assert_allclose(features[0, : sum(map(len, expected))], np.concatenate(expected), atol=1e-6)


def test_odds_as_observations_are_by_colour_and_the_same_everywhere():
    encoding, names = GAME.encoding, GAME.encoding.odds_names()
    batch = GAME.compiled.batch(40, 4, opponents="quick", seed=8)
    for _ in range(8):
        batch.step(batch.buffers.mask.argmax(axis=1))
    for lane, seen in enumerate(batch.look("odds")):
        view = batch.state(lane).seen_by(int(batch.buffers.actors[lane]))
        np.testing.assert_array_equal(encoding.look(encoding.observation(view)[None], "odds")[0], seen)
        at = dict(zip(names, seen.tolist(), strict=True))
        assert at["money 0"] == pytest.approx(view.money[view.turn] / 20)
        for camel, stands in zip(("blue", "green", "orange", "yellow", "white"), range(5), strict=True):
            space = next(space for space, stack in enumerate(view.track) if stands in stack)
            assert at.get(f"space {camel} = {space}", 1) == 1
            if not any(view.deserts):
                chances = GAME.odds(view).race[camel]
                found = at[f"chance winner {camel}"], at[f"chance loser {camel}"]
                assert found == pytest.approx((chances.winner, chances.loser), abs=1e-5)
    _, numbers = odds_features.look(
        batch.buffers.observations.astype(np.int64), odds_features.tables(), np.concatenate, by_colour=True
    )
    assert (numbers == np.arange(len(encoding.actions))).all()


def test_colours_mean_nothing_to_it():
    """With two colours exchanged everywhere, it does the same with the other one."""
    bot = learned.Learned()
    for text, other in (("1gyo 3bw", "1byo 3gw"), ("2w 4ob 5yg", "2w 4og 5yb")):
        decided, exchanged = (str(bot.decide(GAME.position(position), random.Random(1))) for position in (text, other))
        swapped = {"green": "blue", "blue": "green"}
        assert " ".join(swapped.get(word, word) for word in decided.split()) == exchanged


def test_what_is_shipped_beats_three_quick():
    layers = learned.load(learned.WEIGHTS)
    batch = GAME.compiled.batch(2000, 4, opponents="quick", packed=True, restart=False, seed=11)
    while (batch.buffers.actors >= 0).any():
        batch.step(decisions(batch, layers))
    shares = batch.buffers.shares[np.arange(len(batch)), batch.buffers.learners]
    assert shares.mean() > 0.5  # 25 would be par; docs/learning.md has what was measured over many more


def test_it_plays_as_a_bot_and_twice_the_same():
    bots = [learned.Learned, "quick", "quick", "quick"]
    once, again = (serai.simulate("camelup", bots, games=4, seed=3, rotate=True, limit=None) for _ in range(2))
    assert (once.rows == again.rows).all()
    spec = f"{FOLDER / 'learned.py'}:Learned(weights={str(learned.WEIGHTS)!r})"
    view = GAME.position("1gyo 3bw")
    assert find_bot(GAME, spec)().decide(view, random.Random(1)) == learned.Learned().decide(view, random.Random(2))


def test_it_plays_at_tables_of_any_size():
    for players in (2, 3, 8):
        bots = [learned.Learned, *["random"] * (players - 1)]
        assert len(serai.simulate("camelup", bots, games=2, seed=3, limit=None)) == 2


def test_numpy_and_torch_come_to_the_same_scores():
    torch = pytest.importorskip("torch")
    layers = learned.load(learned.WEIGHTS)
    batch = GAME.compiled.batch(64, 4, opponents="quick", packed=True, seed=6)
    features, numbers, _ = seen_by(batch)
    tables = odds_features.Tables(*map(torch.from_numpy, map(np.copy, odds_features.tables())))
    seen = torch.from_numpy(batch.buffers.observations).long()
    same_features, same_numbers = odds_features.look(seen, tables, torch.concatenate)
    same_layers = [tuple(map(torch.from_numpy, layer)) for layer in layers]
    assert (same_numbers.numpy() == numbers).all()
    scores = learned.think(same_features, same_layers).numpy()
    np.testing.assert_allclose(scores, learned.think(features, layers), rtol=1e-3, atol=1e-3)


def test_it_learns(tmp_path):
    torch = pytest.importorskip("torch")
    import train

    torch.set_num_threads(1)
    settings = train.Settings(lanes=128, steps=16, minibatches=4, hidden=(32,), learning_rate=3e-3)
    learner = train.Learner(settings, "cpu")
    rounds = [learner.round(1 - number / 12) for number in range(12)]
    assert rounds[-1].entropy < rounds[0].entropy - 0.1
    assert sum(found.games for found in rounds) > 100
    file = tmp_path / "weights"  # of any name
    learned.save(file, train.arrays(learner.policy))
    shares = train.Exam(64, "cpu", seed=9).shares(learner.policy)
    assert len(shares) == 64
    assert 0 <= float(shares.min()) <= float(shares.max()) <= 1
    view = GAME.position("1gyo 3bw")
    assert learned.Learned(file).decide(view, random.Random(1)) in view.actions()
