"""Bot specs: how a bot is named, and the factory that makes bots of that name.

A *spec* is a registered name (``quick``), a file (``bot.py:Bot``) or a module (``package.module:Bot``), each with
optional parameters (``cobra(rollouts=600)``); a program (``process:./mybot --depth 3``); in Python also any class,
function or object that can decide. ``trusted:`` in front of a file or a module says that it needs no sandbox.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, cast, get_type_hints

import msgspec

from serai.bots.contract import Bot, BotFactory, DecideFunction, FunctionBot, NoAnswer, close
from serai.bots.program import ISOLATED, TRUSTED, ProgramMaker, find_command, program_spec, title_of_command
from serai.bots.traces import bot_trace
from serai.core.game import Game, State
from serai.core.registry import bot_factory, bot_module, did_you_mean, games
from serai.core.registry import game as find_game
from serai.errors import BotCannotStart, UnknownName, need
from serai.processes.sandbox import Walls, walls

BotSpec = str | Callable[..., Any] | Bot
"""A text as above, a class with ``decide``, a function ``decide(view, rng)``, or a ready object with ``decide``.

A class is made anew for every seat and game, so its bots may remember; an object serves all its seats as it is.
"""

_HOW = "a bot is a function decide(view, rng), or a class or an object with that method"


class ParsedSpec(msgspec.Struct, frozen=True):
    """The parts of a spec of a bot in Python."""

    place: str
    """A name, a file or a module."""
    attribute: str = ""
    """What to take of a file or a module."""
    parameters: Mapping[str, Any] = {}

    @property
    def file(self) -> Path | None:
        """The file in which this bot is, if it is named by one."""
        beside = os.sep in self.place or self.place.endswith(".py")
        return Path(self.place) if beside or (self.attribute and Path(self.place).is_file()) else None


def read_spec(spec: str) -> ParsedSpec:
    """The parts of a spec; ``UnknownName`` says what is wrong with its parameters."""
    text, parameters = spec.strip().removeprefix(TRUSTED).strip(), {}
    if text.endswith(")"):
        text, _, inner = text.partition("(")
        parameters = _parameters(spec, f"({inner}")
    place, colon, attribute = text.rpartition(":")
    if not colon:
        return ParsedSpec(text, "decide" if text.endswith(".py") else "", parameters)
    return ParsedSpec(place, attribute or "decide", parameters)


def split_specs(listed: str) -> list[str]:
    """Split a list of specs at its commas, except inside brackets or, in a command, inside quotes."""
    parts, depth, quote = [""], 0, ""
    for letter in listed:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"" and (depth or program_spec(parts[-1]) is not None):
            quote = letter
        else:
            depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def find_bot(game: Game, spec: BotSpec) -> BotFactory:
    """The factory of this bot: call it without arguments. ``MissingExtra`` if the bot lacks a package here."""
    if not isinstance(spec, str):
        return _as_factory(spec, bot_title(spec), {})
    program = program_spec(spec)
    if program is not None:
        code = _code_of(program.rest) if program.kind == ISOLATED else None
        return ProgramMaker(game, find_command(program, code), bot_title(spec))
    named = read_spec(spec)
    if named.file is not None:
        made_by = _attribute(_load_file(named.file), named, f"bot file {str(named.file)!r}")
    elif named.attribute:
        made_by = _attribute(_load_module(named.place), named, f"module {named.place!r}")
    else:
        made_by = bot_factory(game, named.place)
        need("fast", f"bots like {named.place!r}", *game.bot_packages.get(named.place, ()))
    return _as_factory(made_by, spec, named.parameters)


def find_working_bot(game: Game, spec: BotSpec) -> BotFactory:
    """The factory of this bot, tried once: a bot that cannot be made fails here, not in the first game."""
    make = find_bot(game, spec)
    played = declared_games(make) if not isinstance(spec, str) or is_bot_file(spec) else None
    if played is not None and game.name not in played:
        raise UnknownName(f"bot {bot_title(spec)!r} is for {' and '.join(played)}, not for {game.name}")
    try:
        close(make())
    except NoAnswer as error:
        raise not_started(bot_title(spec), error) from None
    except UnknownName:
        raise
    except Exception as error:
        raise cannot_start(f"bot {bot_title(spec)!r} cannot be made", error) from error
    return make


def declared_games(make: BotFactory) -> tuple[str, ...] | None:
    """The games that a bot in Python says it is for; ``None`` if it says nothing.

    It says so by its attribute ``game``, or by the type of the view that its function ``decide`` takes.
    """
    made_by = getattr(make, "made_by", make)
    made_by = made_by.func if isinstance(made_by, partial) else made_by
    game = getattr(made_by, "game", None)
    if isinstance(game, Game):
        return (game.name,)
    decides = getattr(made_by, "decide", made_by)
    try:
        types = [kind for name, kind in get_type_hints(decides).items() if name != "return"]
    except Exception:  # names that exist for type checkers alone, or a callable without hints
        return None
    if not types or not inspect.isclass(types[0]) or not issubclass(types[0], State):
        return None
    known = tuple(name for name in games() if issubclass(find_game(name).state_type, types[0]))
    return known or None


def not_started(name: str, error: NoAnswer) -> BotCannotStart:
    """A program that did not start: its last words are the reason, what it printed before is the traceback."""
    *trace, last = error.printed.splitlines() or [""]
    said = f"; it said: {last}" if last else ""
    return BotCannotStart(f"bot {name!r} {error.reason}{said}", "\n".join(trace))


def cannot_start(what: str, error: BaseException) -> BotCannotStart:
    """What a bot's code raised when it was loaded or made."""
    return BotCannotStart(f"{what}: {type(error).__name__}: {error}", bot_trace(error))


def is_bot_file(spec: str) -> bool:
    """Whether this names a file, a module or a program, not a registered bot."""
    return program_spec(spec) is not None or bool(read_spec(spec).attribute)


def file_of(spec: str) -> Path | None:
    """The file of a bot in Python that is named by its file."""
    program = program_spec(spec)
    if program is None:
        return read_spec(spec).file
    return file_of(program.rest) if program.kind == ISOLATED else None


def sandboxed_spec(game: Game, spec: str) -> str:
    """The spec of this bot in a sandbox; the same spec for bots that are part of Serai, programs and trusted bots."""
    if program_spec(spec) is not None or spec.strip().startswith(TRUSTED):
        return spec
    if not is_bot_file(spec):
        bot_module(game, read_spec(spec).place)  # raises a better error for an unknown name
    return spec if is_ours(game, spec) else f"{ISOLATED}{spec.strip()}"


def walls_of(game: Game, spec: BotSpec) -> Walls | None:
    """What guards this bot on this system; ``None`` for one that is part of Serai."""
    if not isinstance(spec, str):
        return "none"
    program = program_spec(spec)
    if program is not None:
        return "none" if program.kind == TRUSTED else walls()
    return None if is_ours(game, spec) else "none"


def bot_title(spec: BotSpec) -> str:
    """A short name for a bot: the stem of a file, the name of a class or function."""
    if not isinstance(spec, str):
        inner = spec.func if isinstance(spec, partial) else spec
        return str(getattr(inner, "__name__", type(inner).__name__))
    program = program_spec(spec)
    if program is not None:
        return bot_title(program.rest) if program.kind == ISOLATED else title_of_command(program.rest)
    file = file_of(spec)
    return spec if file is None else file.stem


def is_ours(game: Game, spec: str) -> bool:
    """Whether this bot is part of Serai, and so trusted; any other runs in a process of its own."""
    try:
        module = "" if is_bot_file(spec) else bot_module(game, read_spec(spec).place)
    except UnknownName:
        return False
    return module.partition(".")[0] == __name__.partition(".")[0]


# -- loading -----------------------------------------------------------------------------------------------------------


def _code_of(spec: str) -> Path | None:
    """Where a bot's code lies: its file, or the file or folder of its outermost module. None of it is run for this.

    ``None`` for a registered bot: installed packages can be read by all.
    """
    named = read_spec(spec)
    if named.file is not None:
        return _there(named.file)
    if not named.attribute:
        return None
    outermost = named.place.partition(".")[0]
    found = PathFinder.find_spec(outermost, [str(Path.cwd()), *sys.path])
    if found is None:
        raise UnknownName(_no_module(named.place))
    folders = list(found.submodule_search_locations or ())
    if folders:
        return Path(folders[0])
    return Path(found.origin) if found.has_location and found.origin else None


def _there(file: Path) -> Path:
    if not file.is_file():
        raise UnknownName(f"no bot file {str(file)!r}; write it as FILE.py:NAME")
    return file


def _no_module(name: str) -> str:
    return f"no module {name!r} here; write PACKAGE.MODULE:NAME, or FILE.py:NAME"


def _load_file(file: Path) -> ModuleType:
    """The file as a module; its folder becomes importable, now and when the bot plays."""
    path = _there(file).resolve()
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UnknownName(f"bot file {str(file)!r} is no Python file; write it as FILE.py:NAME")
    _make_importable(path.parent)
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # what it defines can be pickled by name
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        if isinstance(error, KeyboardInterrupt):
            raise
        raise cannot_start(f"bot file {str(file)!r} cannot be run", error) from error
    return module


def _load_module(name: str) -> ModuleType:
    _make_importable(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise UnknownName(f"module {name!r} cannot be loaded: {error}") from error
        raise UnknownName(_no_module(name)) from None
    except Exception as error:
        raise cannot_start(f"module {name!r} cannot be loaded", error) from error


def _make_importable(folder: Path) -> None:
    """Put this folder first in the import path; drop modules of the same names from other bots' folders."""
    for name, module in list(sys.modules.items()):
        origin = getattr(module, "__file__", None)
        if not origin or "." in name or Path(origin).parent == folder or Path(origin).parent not in _FOLDERS:
            continue
        if (folder / Path(origin).name).is_file():
            del sys.modules[name]
    _FOLDERS.add(folder)
    if str(folder) in sys.path:
        sys.path.remove(str(folder))
    sys.path.insert(0, str(folder))


_FOLDERS: set[Path] = set()
"""The folders from which bots have been loaded."""


def _attribute(module: ModuleType, named: ParsedSpec, where: str) -> Any:
    try:
        return getattr(module, named.attribute)
    except AttributeError:
        raise UnknownName(
            f"{where} has no {named.attribute!r}{did_you_mean(named.attribute, dir(module))}; write it as PLACE:NAME"
        ) from None


# -- making ------------------------------------------------------------------------------------------------------------


def _as_factory(made_by: Any, title: str, parameters: Mapping[str, Any]) -> BotFactory:
    decides = getattr(made_by, "decide", None)
    asked = decides if callable(decides) else made_by
    if inspect.iscoroutinefunction(asked) or inspect.isasyncgenfunction(asked):
        raise UnknownName(f"{title!r} is async: decide must answer when it is called, so write def, not async def")
    if inspect.isclass(made_by):
        if not callable(decides) and "__call__" not in dir(made_by):
            raise UnknownName(f"{title!r} is no bot: {_HOW}")
        _check(inspect.signature(made_by), parameters, title)
        make = partial(made_by, **parameters) if parameters else made_by
        return cast("BotFactory", make) if callable(decides) else lambda: FunctionBot(cast("DecideFunction", make()))
    if callable(decides):
        if parameters:
            raise UnknownName(f"{title!r} is an object, which takes no parameters: name its class")
        return _Made(made_by, lambda: made_by)
    if not callable(made_by):
        raise UnknownName(f"{title!r} is no bot: {_HOW}")
    _check(_beyond_the_view(made_by), parameters, title)
    decide = partial(made_by, **parameters) if parameters else made_by
    return _Made(made_by, lambda: FunctionBot(decide))


class _Made:
    """A factory that remembers what its bots are made of."""

    def __init__(self, made_by: Any, make: BotFactory) -> None:
        self.made_by, self._make = made_by, make

    def __call__(self) -> Bot:
        return self._make()


def _beyond_the_view(decide: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a function after the view and the randomness."""
    signature = inspect.signature(decide)
    return signature.replace(parameters=list(signature.parameters.values())[2:])


def _check(signature: inspect.Signature, parameters: Mapping[str, Any], title: str) -> None:
    open_ended = any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
    known = [
        one.name for one in signature.parameters.values() if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    for name in parameters:
        if name not in known and not open_ended:
            raise UnknownName(
                f"{title!r}: no parameter {name!r}{did_you_mean(name, known)}; it takes {', '.join(known) or 'none'}"
            )


def _parameters(spec: str, inner: str) -> dict[str, Any]:
    """The parameters in the brackets: keywords with plain values."""
    try:
        call = ast.parse(f"f{inner}", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError("give parameters by name")
        if any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("give parameters by name")
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError) as error:
        reason = "give parameters by name" if "by name" in str(error) else "give plain values, as in Python"
        raise UnknownName(
            f"cannot read the parameters of {spec!r}: {reason}, for example (depth=3, risk=0.2)"
        ) from None
