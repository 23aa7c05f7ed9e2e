"""A bot in Python that speaks the protocol of programs: ``python -m serai.bots.speaker SPEC FOLDER…``.

So it thinks in a process of its own, behind the same walls as a program in any other language: ``isolated:SPEC``.
FOLDERs are where its modules may lie.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
import traceback
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import msgspec

from serai.bots.contract import understood
from serai.bots.lines import Choice, Greeting, Hello
from serai.bots.specs import find_bot
from serai.core.errors import SeraiError
from serai.core.registry import game as find_game
from serai.core.registry import games


class Told(msgspec.Struct, frozen=True):
    """Any line that a program is told, as far as a bot in Python needs it."""

    type: str
    game: str = ""
    random: int = 0
    view: msgspec.Raw = msgspec.Raw(b"null")
    events: list[msgspec.Raw] = []


def speak(spec: str, source: BinaryIO, sink: BinaryIO) -> None:
    """Play whatever is asked for until the input ends."""
    lines = msgspec.json.Decoder(Told)
    known = dict(_makers(spec))
    game: Any = None
    bot: Any = None
    for line in source:
        told = lines.decode(line)
        match told.type:
            case "hello":
                answer: Any = Greeting(Hello().protocol, spec, list(known), events=True)
            case "game":
                game, bot = find_game(told.game), known[told.game]()
                continue
            case "decide":
                answer = _decided(game, bot, told)
            case _:
                continue
        sink.write(msgspec.json.encode(answer) + b"\n")
        sink.flush()


def _decided(game: Any, bot: Any, told: Told) -> Choice:
    """What the bot does; or what it raised, told in full on the standard error."""
    asked = "watch"
    try:
        for event in told.events if hasattr(bot, "watch") else ():
            bot.watch(game.event_decoder.decode(event))
        asked = ""
        view = game.state_decoder.decode(told.view)
        answer = bot.decide(view, random.Random(told.random))
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        return Choice(fault=f"{asked} raised {type(error).__name__}: {error}".strip())
    try:
        return Choice(str(understood(answer, view)))
    except ValueError as error:
        return Choice(fault=str(error))


def _makers(spec: str) -> Any:
    """What makes this bot, by the games that it plays."""
    refused = None
    found = []
    for name in games():
        try:
            found.append((name, find_bot(find_game(name), spec)))
        except SeraiError as error:
            refused = error
    if not found and refused is not None:
        sys.exit(str(refused) + (_SHUT if isinstance(refused.__cause__, PermissionError) else ""))
    return found


_SHUT = (
    "; a bot that is shut in reads no more than its own file where somebody works: put it into a folder of its own "
    "with all that it needs, or name it trusted:FILE.py:NAME"
)


class _Unlisted:
    """Finds modules in folders that may not be listed: those where somebody works, of which a bot sees its own."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        for folder in map(Path, sys.path if path is None else ()):
            package = folder / name
            if (folder / f"{name}.py").is_file():
                return importlib.util.spec_from_file_location(name, folder / f"{name}.py")
            if (package / "__init__.py").is_file():
                where = [str(package)]
                return importlib.util.spec_from_file_location(
                    name, package / "__init__.py", submodule_search_locations=where
                )
        return None


if __name__ == "__main__":
    sys.path.extend(folder for folder in sys.argv[2:] if folder not in sys.path)
    sys.meta_path.append(_Unlisted)
    spoken = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints must not get between the answers
    spec, sys.argv = sys.argv[1], sys.argv[:1]
    speak(spec, sys.stdin.buffer, spoken)
