"""Learn by playing against oneself and one's earlier selves: nobody shows it how.

::

    pip install "serai[fast]" torch
    python self_play.py --game camelup --seconds 600

In every lane of a compiled batch one seat is the learner's. In half of the lanes the others are the network as it is,
in the other half an earlier one: whoever only ever meets the latest version of itself forgets how to beat older ones.
The rest is what ``ppo.py`` beside it does.
"""

from __future__ import annotations

import argparse
import copy
import random
import sys
import time
from typing import Any

import numpy as np
import torch
from torch import nn

import serai
from serai.core.parts import compiled

SEATS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--game", default="camelup")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--lanes", type=int, default=256, help="games side by side")
    parser.add_argument("--steps", type=int, default=256, help="actions in each lane per round, a quarter its own")
    parser.add_argument("--earlier", type=int, default=20, help="how many earlier selves are kept")
    parser.add_argument("--every", type=int, default=4, help="rounds between two that are kept")
    parser.add_argument("--examiners", nargs="*", default=["random", "jerboa"], help="bots that it never met")
    parser.add_argument("--exam", type=int, default=2000, help="games against three of each at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", default="", help="where to save the network")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    chance = random.Random(args.seed)

    game: Any = serai.game(args.game)
    sees = "odds" if "odds" in game.encoding.looks() else "features"
    tables = compiled(game).batch(args.lanes, SEATS, reward="shaped", seed=args.seed)
    now, lanes = tables.buffers, np.arange(args.lanes)
    mine = torch.as_tensor(lanes % SEATS)  # the learner's seat in each lane
    size, actions = tables.look(sees).shape[1], len(game.encoding.actions)

    policy, value = network(size, actions, 0.01), network(size, 1, 1.0)
    parameters = [*policy.parameters(), *value.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=1e-3, eps=1e-5)
    earlier = [copy.deepcopy(policy)]

    shape = (args.steps, args.lanes)
    seens, legals = torch.zeros(*shape, size), torch.zeros(*shape, actions, dtype=torch.bool)
    acts, chances, values = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape), torch.zeros(shape)
    rewards, overs, turns = torch.zeros(shape), torch.zeros(shape, dtype=bool), torch.zeros(shape, dtype=bool)

    began, said, rounds, decisions = time.monotonic(), 0.0, 0, 0
    won: list[float] = []
    while (spent := time.monotonic() - began) < args.seconds:
        left = 1 - spent / args.seconds
        optimizer.param_groups[0]["lr"] = 1e-3 * left
        if rounds % args.every == 0:
            earlier = [*earlier, copy.deepcopy(policy)][-args.earlier :]
        other = chance.choice(earlier)
        against_earlier = torch.as_tensor(lanes % (2 * SEATS) < SEATS)

        # Play: in every lane one action of whoever is to act.
        for step in range(args.steps):
            seen, legal = torch.as_tensor(tables.look(sees)), torch.as_tensor(now.mask.astype(bool))
            turns[step] = torch.as_tensor(now.actors.astype(np.int64)) == mine
            with torch.no_grad():
                scores = log_chances(policy, seen, legal)
                theirs = against_earlier & ~turns[step]
                scores[theirs] = log_chances(other, seen[theirs], legal[theirs])
                values[step] = value(seen)[:, 0]
            acts[step] = torch.distributions.Categorical(logits=scores).sample()
            chances[step] = scores.gather(1, acts[step][:, None])[:, 0]
            seens[step], legals[step] = seen, legal
            tables.step(acts[step].numpy())
            rewards[step] = torch.as_tensor(now.rewards[lanes, mine])
            overs[step] = torch.as_tensor(now.finished.astype(bool))
            ended = (overs[step] & against_earlier).numpy()
            won += now.shares[lanes, mine][ended].tolist()
        decisions += int(turns.sum())

        # What came of each decision of the learner's, up to its next one, and how much better that was than foretold.
        waits = torch.as_tensor(now.actors.astype(np.int64)) == mine
        with torch.no_grad():
            following = value(torch.as_tensor(tables.look(sees)))[:, 0]
        credit, gathered, known = torch.zeros(args.lanes), torch.zeros(args.lanes), waits.clone()
        advantages, usable = torch.zeros(shape), torch.zeros(shape, dtype=bool)
        for step in reversed(range(args.steps)):
            over, turn = overs[step], turns[step]
            following, credit, gathered = (part * ~over for part in (following, credit, gathered))
            known = known | over
            gathered = gathered + rewards[step]
            better = gathered + following + 0.95 * credit - values[step]
            advantages[step], usable[step] = better, turn & known
            credit, following = torch.where(turn, better, credit), torch.where(turn, values[step], following)
            gathered, known = gathered * ~turn, known | turn
        returns = (advantages + values)[usable]

        # Learn from those decisions.
        flat = [part[usable] for part in (seens, legals, acts, chances, advantages)]
        for _ in range(4):
            for some in torch.randperm(len(returns)).split(2048):
                seen, legal, act, before, advantage = (part[some] for part in flat)
                scores = log_chances(policy, seen, legal)
                ratio = (scores.gather(1, act[:, None])[:, 0] - before).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                gain = torch.minimum(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
                entropy = -(scores.exp() * scores).sum(1).mean()
                error = (value(seen)[:, 0] - returns[some]).square().mean()
                optimizer.zero_grad()
                (0.5 * error - gain - 0.01 * left * entropy).backward()
                nn.utils.clip_grad_norm_(parameters, 0.5)
                optimizer.step()

        rounds += 1
        if spent >= said:
            said += args.seconds / 20
            share = np.mean(won[-2000:] or [0])
            say(f"{spent:5.0f} s {decisions:9} decisions: {share:.1%} of victories against three earlier selves")

    if args.file:
        torch.save({"policy": policy.state_dict(), "value": value.state_dict()}, args.file)
    for examiner in args.examiners:
        exam = compiled(game).batch(args.exam, SEATS, opponents=examiner, restart=False, seed=args.seed + 1)
        there = exam.buffers
        while (there.actors >= 0).any():
            with torch.no_grad():
                legal = torch.as_tensor(there.mask.astype(bool))
                exam.step(log_chances(policy, torch.as_tensor(exam.look(sees)), legal).argmax(1).numpy())
        shares = there.shares[np.arange(args.exam), there.learners]
        margin = 1.96 * shares.std() / args.exam**0.5
        say(f"against three {examiner}: {shares.mean():.1%} ± {margin:.1%} of victories (par is 25 %)")


def network(inputs: int, outputs: int, last: float) -> nn.Sequential:
    layers = [nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)]
    for layer in layers[::2]:
        nn.init.orthogonal_(layer.weight, 2**0.5 if layer is not layers[-1] else last)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(*layers)


def log_chances(policy: nn.Module, seen: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The logarithm of each action's probability."""
    chances: torch.Tensor = policy(seen).masked_fill(~legal, -1e9).log_softmax(1)
    return chances


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
