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

from serai.bots.contract import BotFactory, understood
from serai.bots.protocol import Choice, Greeting, Hello
from serai.bots.specs import find_working_bot
from serai.core.registry import game as find_game
from serai.core.registry import games
from serai.errors import BotCannotStart, SeraiError
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
    known = _makers(spec)
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
        return Choice(fault=f"{raised_by} raised {type(error).__name__}: {error}{_kept_from(error)}".strip())
    try:
        return Choice(str(understood(answer, view)))
    except ValueError as error:
        return Choice(fault=str(error))


def _makers(spec: str) -> dict[str, BotFactory]:
    """The factory of this bot for each game that it plays, tried once: where none can be made, this process ends."""
    refused: BaseException | None = None
    found: dict[str, BotFactory] = {}
    for name in games():
        try:
            found[name] = find_working_bot(find_game(name), spec)
        except SeraiError as error:
            refused = error
    if not found and refused is not None:
        if isinstance(refused, BotCannotStart):
            sys.stderr.write(f"{refused.trace}\n")
        reason = refused.reason if isinstance(refused, BotCannotStart) else str(refused)
        sys.exit(reason + _kept_from(refused))
    return found


def _kept_from(error: BaseException) -> str:
    """Which file the sandbox did not let the bot read, if that is why it failed, and what helps."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, PermissionError) and seen.filename is not None:
            return (
                f"; the sandbox does not let it read {str(seen.filename)!r}: put the bot into a folder of its own with "
                "all that it needs, or name it trusted:FILE.py:NAME"
            )
        seen = seen.__cause__ or seen.__context__
    return ""


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
