"""The process of an isolated bot in Python: ``python -m serai.bots.isolated_main SPEC FOLDER…``.

It speaks the protocol of programs, in the same sandbox as a program in any other language (``isolated:SPEC``). Its
modules may lie in the FOLDERs.
"""

from __future__ import annotations

import importlib.util
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
from serai.bots.protocol import Choice, Greeting, Hello
from serai.bots.specs import find_bot
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.errors import SeraiError
from serai.processes.child import claim_pipes


class Message(msgspec.Struct, frozen=True):
    """Any message to a program, as far as a bot in Python needs it."""

    type: str
    game: str = ""
    random: int = 0
    view: msgspec.Raw = msgspec.Raw(b"null")
    events: list[msgspec.Raw] = []


def play(spec: str, requests: BinaryIO, answers: BinaryIO) -> None:
    """Play game after game until the input ends."""
    messages = msgspec.json.Decoder(Message)
    known = dict(_makers(spec))
    game: Any = None
    bot: Any = None
    for line in requests:
        message = messages.decode(line)
        match message.type:
            case "hello":
                answer: Any = Greeting(Hello().protocol, spec, list(known), events=True)
            case "game":
                game, bot = find_game(message.game), known[message.game]()
                continue
            case "decide":
                answer = _decide(game, bot, message)
            case _:
                continue
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()


def _decide(game: Any, bot: Any, message: Message) -> Choice:
    """The bot's choice; or what it raised, with the traceback on the standard error."""
    raised_by = "watch"
    try:
        for event in message.events if hasattr(bot, "watch") else ():
            bot.watch(game.event_decoder.decode(event))
        raised_by = ""
        view = game.state_decoder.decode(message.view)
        answer = bot.decide(view, random.Random(message.random))
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        return Choice(fault=f"{raised_by} raised {type(error).__name__}: {error}".strip())
    try:
        return Choice(str(understood(answer, view)))
    except ValueError as error:
        return Choice(fault=str(error))


def _makers(spec: str) -> Any:
    """The factory of this bot for each game that it plays."""
    refused = None
    found = []
    for name in games():
        try:
            found.append((name, find_bot(find_game(name), spec)))
        except SeraiError as error:
            refused = error
    if not found and refused is not None:
        sys.exit(str(refused) + (_OWN_FOLDER if isinstance(refused.__cause__, PermissionError) else ""))
    return found


_OWN_FOLDER = (
    "; in a folder where somebody works a sandboxed bot can read only its own file: put it into a folder of its own "
    "with all that it needs, or name it trusted:FILE.py:NAME"
)


class _Unlisted:
    """Finds modules in folders that the sandbox does not let a bot list: those where somebody works."""

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
    spec, sys.argv = sys.argv[1], sys.argv[:1]
    play(spec, *claim_pipes())
