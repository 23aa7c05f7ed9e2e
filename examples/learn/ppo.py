"""Proximal policy optimisation in one file, after CleanRL: everything in the order in which it happens.

::

    pip install "serai[fast]" torch
    python ppo.py --game camelup --opponents jerboa --seconds 600
    python ppo.py --game pharaoh --opponents scarab --seconds 600

The games are a compiled batch (``game.compiled.batch``): one seat of every lane is the learner's, and the others
play within the step. Change what you like: there is nothing behind it.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np
import torch
from torch import nn

import serai
from serai.core.parts import compiled


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--game", default="camelup")
    parser.add_argument("--opponents", default="jerboa", help="every other seat; any bot with a compiled twin")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--lanes", type=int, default=256, help="games side by side")
    parser.add_argument("--steps", type=int, default=64, help="decisions in each lane per round")
    parser.add_argument("--epochs", type=int, default=4, help="passes over the decisions of a round")
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="falls to 0 at the end")
    parser.add_argument("--entropy", type=float, default=0.01, help="reward for exploring")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--exam", type=int, default=2000, help="new games at the end, without exploration")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", default="", help="where to save the network")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)

    # The games. "odds" are what bets are worth, where the game has them; otherwise plain features.
    game: Any = serai.game(args.game)
    sees = "odds" if "odds" in game.encoding.looks() else "features"
    tables = compiled(game).batch(args.lanes, 4, opponents=args.opponents, reward="shaped", seed=args.seed)
    now, lanes = tables.buffers, np.arange(args.lanes)
    size, actions = tables.look(sees).shape[1], len(game.encoding.actions)

    # Two networks: one scores actions, the other foretells the rewards to come.
    def network(outputs: int, last: float) -> nn.Sequential:
        layers = [nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)]
        for layer in layers[::2]:
            nn.init.orthogonal_(layer.weight, 2**0.5 if layer is not layers[-1] else last)
            nn.init.zeros_(layer.bias)
        return nn.Sequential(*layers)

    policy, value = network(actions, 0.01), network(1, 1.0)
    parameters = [*policy.parameters(), *value.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=args.learning_rate, eps=1e-5)

    def log_chances(seen: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
        return policy(seen).masked_fill(~legal, -1e9).log_softmax(1)

    # What is remembered of a round.
    shape = (args.steps, args.lanes)
    seens, legals = torch.zeros(*shape, size), torch.zeros(*shape, actions, dtype=torch.bool)
    acts, chances = torch.zeros(shape, dtype=torch.int64), torch.zeros(shape)
    values, rewards, overs = torch.zeros(shape), torch.zeros(shape), torch.zeros(shape)

    began, said, decisions = time.monotonic(), 0.0, 0
    won: list[float] = []
    while (spent := time.monotonic() - began) < args.seconds:
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - spent / args.seconds)

        # Play.
        for step in range(args.steps):
            seens[step] = torch.as_tensor(tables.look(sees))
            legals[step] = torch.as_tensor(now.mask.astype(bool))
            with torch.no_grad():
                scores = log_chances(seens[step], legals[step])
                values[step] = value(seens[step])[:, 0]
            acts[step] = torch.distributions.Categorical(logits=scores).sample()
            chances[step] = scores.gather(1, acts[step][:, None])[:, 0]
            tables.step(acts[step].numpy())
            rewards[step] = torch.as_tensor(now.rewards[lanes, now.acted])
            overs[step] = torch.as_tensor(now.finished)
            won += now.shares[lanes, now.acted][now.finished == 1].tolist()
        decisions += args.steps * args.lanes

        # How much better each decision went than was foretold (generalised advantage estimation, without discount).
        with torch.no_grad():
            following, credit = value(torch.as_tensor(tables.look(sees)))[:, 0], torch.zeros(args.lanes)
        advantages = torch.zeros(shape)
        for step in reversed(range(args.steps)):
            goes_on = 1 - overs[step]
            credit = rewards[step] + goes_on * (following + args.gae_lambda * credit) - values[step]
            advantages[step], following = credit, values[step]
        returns = (advantages + values).flatten()

        # Learn: what went better than foretold becomes likelier, but only a little at a time.
        flat = [part.flatten(0, 1) for part in (seens, legals, acts, chances, advantages)]
        for _ in range(args.epochs):
            for some in torch.randperm(len(returns)).split(args.minibatch):
                seen, legal, act, before, advantage = (part[some] for part in flat)
                scores = log_chances(seen, legal)
                ratio = (scores.gather(1, act[:, None])[:, 0] - before).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                gain = torch.minimum(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage).mean()
                entropy = -(scores.exp() * scores).sum(1).mean()
                error = (value(seen)[:, 0] - returns[some]).square().mean()
                optimizer.zero_grad()
                (0.5 * error - gain - args.entropy * entropy).backward()
                nn.utils.clip_grad_norm_(parameters, 0.5)
                optimizer.step()

        if spent >= said:
            said += args.seconds / 20
            say(f"{spent:5.0f} s {decisions:9} decisions: {np.mean(won[-2000:] or [0]):.1%} of victories")

    if args.file:
        torch.save({"policy": policy.state_dict(), "value": value.state_dict()}, args.file)

    # New games, without exploration.
    exam = compiled(game).batch(args.exam, 4, opponents=args.opponents, restart=False, seed=args.seed + 1)
    seen_there = exam.buffers
    while (seen_there.actors >= 0).any():
        with torch.no_grad():
            legal = torch.as_tensor(seen_there.mask.astype(bool))
            exam.step(log_chances(torch.as_tensor(exam.look(sees)), legal).argmax(1).numpy())
    shares = seen_there.shares[np.arange(args.exam), seen_there.learners]
    error_of = 1.96 * shares.std() / args.exam**0.5
    say(f"against three {args.opponents}: {shares.mean():.1%} ± {error_of:.1%} of victories (par is 25 %)")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
