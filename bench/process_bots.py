"""What a decision of a program costs beside its own thinking: one in C that answers at once."""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import serai
from serai.bots import find_bot
from serai.bots.contract import close, understood
from serai.bots.random import RandomBot

ROUNDS = 12
DECISIONS = 400
LIMIT_MICROSECONDS = 100.0

ECHO = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) {
            puts("{\"type\":\"hello\",\"protocol\":1}");
        } else if (!strncmp(line, "{\"type\":\"decide\"", 16)) {
            char *first = strstr(line, "\"actions\":[\"") + 12;
            printf("{\"action\":\"%.*s\"}\n", (int)(strchr(first, '"') - first), first);
        }
        fflush(stdout);
    }
    return 0;
}
"""
"""Answers with the first action."""
_PING = r"""
#include <unistd.h>
int main(void) {
    char page[65536];
    while (read(0, page, sizeof page) > 0)
        if (write(1, "x\n", 2) < 0) return 1;
    return 0;
}
"""
"""The least that two processes can do: a line there, a line back."""


def main() -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        print("process bots: no C compiler (cc) on the PATH, so nothing can be measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        echo, ping = (_built(compiler, Path(folder), name, text) for name, text in (("echo", ECHO), ("ping", _PING)))
        for name in serai.games():
            _measure(name, echo, ping)


def _built(compiler: str, folder: Path, name: str, text: str) -> Path:
    source = folder / f"{name}.c"
    source.write_text(text)
    subprocess.run([compiler, "-O2", "-o", folder / name, source], check=True)
    return folder / name


def _measure(name: str, echo: Path, ping: Path) -> None:
    game = serai.game(name)
    views = _views(game)
    program: Any = find_bot(game, f"process:{echo}")()
    here = RandomBot()
    inside, outside, bare = [], [], []
    with subprocess.Popen([ping], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as other:
        for _ in range(ROUNDS):
            inside.append(_timed(lambda view, rng: here.decide(view, rng), views))
            outside.append(_timed(lambda view, rng: program.decide_within(view, rng, 10.0), views))
            bare.append(_timed(lambda view, rng: _exchanged(other), views))
    close(program)
    ours, theirs, least = (min(times) * 1e6 for times in (outside, inside, bare))
    print(
        f"process bots, {name}: {ours:.0f} µs a decision, the median of the quietest of {ROUNDS} rounds; of it a line "
        f"there and back between any two processes takes {least:.0f}; random in this process takes {theirs:.1f}; "
        f"{'within' if ours <= LIMIT_MICROSECONDS else 'MORE THAN'} {LIMIT_MICROSECONDS:.0f} µs beside thinking"
    )


def _exchanged(other: subprocess.Popen[bytes]) -> None:
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(b"x" * 1200 + b"\n")
    other.stdout.read(16)


def _views(game: Any) -> list[Any]:
    rng = random.Random(1)
    found: list[Any] = []
    while len(found) < DECISIONS:
        state = game.new(players=game.players[-1])
        while not state.over:
            if state.actor is serai.CHANCE:
                state = state.apply(state.sample(rng))
                continue
            found.append(state.seen_by(state.actor))
            state = state.apply(rng.choice(state.actions()))
    return rng.sample(found, DECISIONS)


def _timed(decide: Any, views: list[Any]) -> float:
    """The median: whoever else needs the processors meanwhile spoils the mean."""
    rng, times = random.Random(2), []
    for view in views:
        began = time.perf_counter()
        answer = decide(view, rng)
        if answer is not None:
            understood(answer, view)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


if __name__ == "__main__":
    main()
