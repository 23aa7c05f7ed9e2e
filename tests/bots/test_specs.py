"""How bots are named: names, files, modules, parameters, or anything that decides."""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import serai
from serai.bots import find_bot
from serai.bots.specs import bot_title, read_spec, split_specs
from serai.errors import UnknownName

GAME: Any = serai.game("camelup")

BOT = """
from helper import favourite

class Bot:
    def __init__(self, depth=1, *, risk=0.5):
        self.depth, self.risk = depth, risk

    def decide(self, view, rng):
        from late import later
        return later(favourite(view))

def decide(view, rng, kind="roll"):
    return kind
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A bot with helpers beside it, which nobody else finds afterwards."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    write(tmp_path / "one", "roll")
    yield tmp_path / "one" / "bot.py"
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]
    sys.modules.pop("pack", None)


def write(folder: Path, action: str) -> None:
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "helper.py").write_text(f"def favourite(view):\n    return {action!r}\n")
    (folder / "late.py").write_text("def later(action):\n    return action\n")


def answer(spec: Any) -> Any:
    state = GAME.position("1gyo 3bw")
    return find_bot(GAME, spec)().decide(state, random.Random(1))


def test_a_bot_finds_what_lies_beside_it_now_and_later(bot: Path) -> None:
    assert answer(f"{bot}:Bot") == "roll"


def test_two_bots_with_helpers_of_one_name_get_their_own(bot: Path, tmp_path: Path) -> None:
    write(tmp_path / "two", "leg blue")
    first, second = find_bot(GAME, f"{bot}:Bot")(), find_bot(GAME, f"{tmp_path / 'two' / 'bot.py'}:Bot")()
    view = GAME.position("1gyo 3bw")
    assert [one.decide(view, random.Random(1)) for one in (first, second, first)] == ["roll", "leg blue", "roll"]


def test_parameters_reach_classes_and_functions(bot: Path) -> None:
    made: Any = find_bot(GAME, f"{bot}:Bot(depth=3, risk=-0.25)")()
    assert (made.depth, made.risk) == (3, -0.25)
    assert answer(f"{bot}:decide(kind='leg blue')") == "leg blue"
    cobra: Any = find_bot(GAME, "cobra(rollouts=600, seconds=None)")()
    assert (cobra.rollouts, cobra.seconds) == (600, None)


def test_a_bot_may_be_in_a_module(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bot.parent)
    (bot.parent / "pack").mkdir()
    (bot.parent / "pack" / "mine.py").write_text("def decide(view, rng):\n    return 'roll'\n")
    assert answer("pack.mine:decide") == answer("pack.mine:") == "roll"


class Kept:
    def decide(self, view: Any, rng: random.Random) -> Any:
        return "kept"


class Called:
    def __call__(self, view: Any, rng: random.Random) -> Any:
        return "called"


def test_anything_that_decides_is_a_bot() -> None:
    def plain(view: Any, rng: random.Random, word: str = "plain") -> Any:
        return word

    for spec, expected in [
        (plain, "plain"),
        (functools.partial(plain, word="partial"), "partial"),
        (lambda view, rng: "lambda", "lambda"),
        (Kept, "kept"),
        (Kept(), "kept"),
        (Called, "called"),
        (Called(), "called"),
        (Kept().decide, "kept"),
    ]:
        assert answer(spec) == expected
    assert bot_title(functools.partial(plain, word="x")) == "plain"


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("quik", "did you mean 'quick'"),
        ("cobra(3)", "by name"),
        ("cobra(rollouts=)", "plain values"),
        ("cobra(rollouts=open('x'))", "plain values"),
        ("quick(depth=3)", "no parameter 'depth'; it takes none"),
        ("{bot}:Bot(dept=3)", r"no parameter 'dept' \(did you mean 'depth'\?\); it takes depth, risk"),
        ("{bot}:decide(knd='x')", "did you mean 'kind'"),
        ("{bot}:Bott", "did you mean 'Bot'"),
        ("no.such.module:Bot", "no module 'no.such.module' here"),
        (5, "is no bot"),
    ],
)
def test_what_is_no_bot_is_refused_with_a_reason(bot: Path, spec: Any, reason: str) -> None:
    with pytest.raises(UnknownName, match=reason):
        find_bot(GAME, spec.replace("{bot}", str(bot)) if isinstance(spec, str) else spec)


def test_specs_between_commas() -> None:
    listed = "quick, cobra(rollouts=6, seconds=None),b.py:B(word='a,b)')"
    assert split_specs(listed) == ["quick", "cobra(rollouts=6, seconds=None)", "b.py:B(word='a,b)')"]
    assert read_spec("b.py:B(word='a,b)')").parameters == {"word": "a,b)"}
