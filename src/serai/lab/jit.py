"""The only module that calls numba: decorators, templates, the cache of machine code, the notice while compiling."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

from serai.errors import requiring
from serai.lab import preparing

with requiring("fast", "compiled games"):
    import numba
    from numba.core import caching, event, types
    from numba.core.caching import FunctionCache
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen

_F = TypeVar("_F", bound=Callable[..., Any])
_MARK = ".serai_"
"""In the name of a compiled function and of its cache files, before the fingerprint of its sources."""
_PART = ".part"
"""Before that, in the name of what only compiled code calls."""
_OURS = "serai."
_ERRORS = "serai.errors"
_CACHED: Any = FunctionCache._impl_class
_IN_TREE: Any = next(getattr(caching, name) for name in dir(caching) if name.endswith("InTreeCacheLocator"))
"""Parts of numba's cache whose names differ between its versions."""


def compiled(function: _F) -> _F:
    """Compile on first call and cache the machine code on disk.

    numba notices a change only in the file of the function itself, not in the files of what it calls. So the name of
    the cache file holds a fingerprint of all that the function's module imports from Serai.
    """
    return _made(function)


def lean(function: _F) -> _F:
    """The same for a function that makes no arrays: without reference counts, which cost more than reading them."""
    return _made(function, _nrt=False)


def inlined(function: _F) -> _F:
    """The same for the body of a loop that runs millions of times: inlined into its callers."""
    return _made(function, _nrt=False, forceinline=True)


def _made(function: _F, **how: Any) -> _F:
    sources = getattr(function, "sources", (function.__module__,))
    owner = getattr(function, "owner", "")
    function.__qualname__ = f"{function.__name__}{owner}{_MARK}{fingerprint(*sources)}"
    _announce()
    made = _dispatcher(function, how)
    part = cache(lambda: _part(function, how))
    made.get_call_template = lambda *call: part().get_call_template(*call)
    made.get_overload = lambda signature: part().get_overload(signature)
    return cast("_F", made)


def _dispatcher(function: Callable[..., Any], how: dict[str, Any]) -> Any:
    """What numba makes of a function: it compiles for the types of the arguments of each call."""
    made: Any = numba.njit(**{"nogil": True, "error_model": "numpy", **how})(function)
    made.compile = once_for_all_constants(made.compile)
    # as njit(cache=True) does, with a cache that several processes may fill at once
    for cache_type in (_LockedCache, _ReadOnlyCache):
        with contextlib.suppress(RuntimeError):  # no such folder: compiled anew in every process
            made._cache = cache_type(function)
            break
    return made


# -- parts: what compiled code calls -----------------------------------------------------------------------------------


def _part(function: Any, how: dict[str, Any]) -> Any:
    """The form of a function that compiled code calls.

    numba optimises a function with all that it calls, makes machine code of it, and does both again in every function
    that calls it. A part stays as it is until it is part of a function that Python calls: that halves the time.
    """
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    copy.__qualname__ = function.__qualname__.replace(_MARK, f"{_PART}{_MARK}")
    return _dispatcher(copy, {**how, "no_cpython_wrapper": True, "no_cfunc_wrapper": True})


class _PartLibrary(JITCodeLibrary):
    """The code of a part, to be linked into functions that Python calls."""

    def _optimize_final_module(self) -> None:
        """That is done where it is linked."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        return 0

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()  # type: ignore[no-untyped-call]

    @property
    def codegen(self) -> Any:
        return _WithoutEnvironment(self._codegen)


class _WithoutEnvironment:
    """numba's code generator, for code without an address at which it could store a Python environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing is stored."""


def _create_library(self: Any, name: str, **settings: Any) -> Any:
    kind = _PartLibrary if f"{_PART}{_MARK}" in name else self._library_class
    return kind(self, name, **settings)


JITCPUCodegen.create_library = _create_library  # type: ignore[method-assign]


def template(make: Callable[[Any], Any]) -> Callable[[_F], _F]:
    """Mark a function that :func:`bind` is to compile for each game, with this decorator."""

    def mark(function: _F) -> _F:
        function.make = make  # type: ignore[attr-defined]
        return function

    return mark


def bind(templates: ModuleType, game: ModuleType, **values: Any) -> Any:
    """Compile the templates of a module for one game, and return them as a module.

    In a template the global name ``game`` stands for the module of the game; other globals may be replaced by
    ``values``. Templates call each other as bound for the same game. Each is a function of its own with globals of its
    own, not a closure, since numba cannot cache closures over compiled functions.
    """
    namespace = {**vars(templates), "game": game, **values}
    bound = ModuleType(f"{templates.__name__} of {game.__name__}", templates.__doc__)
    for name, function in vars(templates).items():
        if isinstance(function, FunctionType) and hasattr(function, "make"):
            copy = FunctionType(function.__code__, namespace, name, function.__defaults__)
            copy.__doc__, copy.__module__ = function.__doc__, game.__name__
            copy.owner, copy.sources = f".{game.__name__}", (templates.__name__, game.__name__)  # type: ignore[attr-defined]
            namespace[name] = function.make(copy)
            setattr(bound, name, namespace[name])
    return bound


def once_for_all_constants(compile_for: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compile for types of arguments only: numba would compile anew for each constant argument."""
    return lambda arguments: compile_for(tuple(map(types.unliteral, arguments)))


@cache
def fingerprint(*modules: str) -> str:
    """A hash over the sources of modules and of all they import from Serai, directly or not."""
    digest = hashlib.sha256()
    for name in sorted(frozenset().union(*map(read_by, modules))):
        digest.update(_source(name))
    return digest.hexdigest()[:10]


@cache
def read_by(module: str) -> frozenset[str]:
    """The modules of Serai whose values can get into the compiled code of a module: itself and its imports."""
    found = {module}
    waiting = [module]
    while waiting:
        new = set(_imports(waiting.pop())) - found
        found |= new
        waiting += [name for name in new if _path(name).name != "__init__.py"]  # a package only holds names together
    return frozenset(found)


@cache
def _imports(module: str) -> tuple[str, ...]:
    """What a module imports from Serai, except for types, and errors, no value of which gets into compiled code."""
    named: list[str] = []
    tree = ast.parse(_source(module))
    tree.body = [
        node for node in tree.body if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
            named += [name if _path(name).is_file() else node.module for name in modules]
    return tuple(name for name in named if name.startswith(_OURS) and name != _ERRORS)


def _source(module: str) -> bytes:
    return _path(module).read_bytes()


def _path(module: str) -> Path:
    path = Path(__file__).parents[1].joinpath(*module.removeprefix(_OURS).split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


# -- the machine code on disk ------------------------------------------------------------------------------------------


class _LockedCache(FunctionCache):
    """numba's cache with one writer at a time.

    numba numbers them by a list that it reads and writes back: two processes that compile a function for different
    arguments at the same moment would give both the same number, and one would later run the other's code.
    """

    def save_overload(self, sig: Any, data: Any) -> None:
        with _alone_in(Path(self.cache_path)):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


class _BesideItsSource(_IN_TREE):  # type: ignore[misc]
    """The cache folder beside a module, which need not be writable."""

    def ensure_cache_path(self) -> None:
        if not Path(self.get_cache_path()).is_dir():
            raise FileNotFoundError


class _OnlyThere(_CACHED):  # type: ignore[misc]
    _locator_classes = (_BesideItsSource,)


class _ReadOnlyCache(FunctionCache):
    """Machine code of other processes, for one that may write nothing: a bot in its sandbox."""

    _impl_class = _OnlyThere

    def save_overload(self, sig: Any, data: Any) -> None:
        """Nothing is written."""


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process writes to this folder."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):  # where there are no such locks, writers may collide
            import fcntl

            folder.mkdir(parents=True, exist_ok=True)
            file = held.enter_context((folder / ".serai-lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sweep(folder: str | None, function: FunctionType) -> None:
    """Remove cached code whose sources have changed since."""
    begins, _, own = _family(function).rpartition("_")
    same = re.compile(rf"{re.escape(begins)}_([0-9a-f]+)-".replace("NAME", r"\w+"))
    for path in Path(folder).glob("*.nb[ic]") if folder else ():
        found = same.match(path.name)
        if found and found[1] != own:
            with contextlib.suppress(OSError):  # another process may hold it
                path.unlink()


def _family(function: FunctionType) -> str:
    """How the names of cache files begin that come from the same sources."""
    return f"{Path(function.__code__.co_filename).stem}.NAME{function.__qualname__.removeprefix(function.__name__)}"


# -- the notice while compiling ----------------------------------------------------------------------------------------


@cache
def _announce() -> None:
    """Listen for compilations: the event comes only when no cached code was found."""
    event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]


class _Notice(event.Listener):
    """Says once per process that the program is compiling, and stops the clocks of bots meanwhile."""

    def __init__(self) -> None:
        self._families: set[str] = set()
        """Those compiled in this process."""

    def on_start(self, event: Any) -> None:
        preparing.begin()
        dispatcher = event.data["dispatcher"]
        function = dispatcher.py_func
        if _MARK not in function.__qualname__ or _family(function) in self._families:
            return
        if not self._families:
            sys.stderr.write("compiling for speed, once on this machine …\n")
            sys.stderr.flush()
        self._families.add(_family(function))
        _sweep(dispatcher.stats.cache_path, function)

    def on_end(self, event: Any) -> None:
        preparing.end()
