"""The one door to numba: how compiled functions are kept, and the line a person sees while they are compiled."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import caching, event, types
from numba.core.caching import FunctionCache

_F = TypeVar("_F", bound=Callable[..., Any])
_FINGERPRINT = re.compile(r"\.serai_([0-9a-f]{10})")
"""In the name of a compiled function and of the files it is kept in."""
_OURS = "serai."
_CACHED: Any = FunctionCache._impl_class
_IN_TREE: Any = next(getattr(caching, name) for name in dir(caching) if name.endswith("InTreeCacheLocator"))
"""Parts of numba's cache whose names differ between its versions."""


def compiled(function: _F) -> _F:
    """Compile on first call and keep the machine code for later runs.

    numba notices a change only in the file of the function itself, not in the files of what it calls. So the name
    under which the code is kept holds a fingerprint of all that the function's module reads of Serai.
    """
    return _made(function)


def lean(function: _F) -> _F:
    """The same for what makes no arrays: those it reads are not counted as in use, which costs more than reading."""
    return _made(function, _nrt=False)


def inlined(function: _F) -> _F:
    """The same for a part of a loop that runs millions of times: taken into its callers, where it costs no call."""
    return _made(function, _nrt=False, forceinline=True)


def _made(function: _F, **how: Any) -> _F:
    function.__qualname__ = f"{function.__name__}.serai_{fingerprint(function.__module__)}"
    _announce()
    made: Any = numba.njit(**{"nogil": True, "error_model": "numpy", **how})(function)
    made.compile = once_for_all_constants(made.compile)
    # as njit(cache=True) does, with a cache that several processes may fill at once
    for kept in (_Kept, _KeptByOthers):
        with contextlib.suppress(RuntimeError):  # no such folder: compiled anew in every process
            made._cache = kept(function)
            break
    return cast("_F", made)


def once_for_all_constants(compile_for: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compile for the kinds of arguments alone: numba would do it anew for each constant that is handed in."""
    return lambda arguments: compile_for(tuple(map(types.unliteral, arguments)))


@cache
def fingerprint(module: str) -> str:
    """Of the sources of a module and of whatever it imports from Serai, directly or not."""
    digest = hashlib.sha256()
    for name in sorted(read_by(module)):
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
        waiting += new
    return frozenset(found)


@cache
def _imports(module: str) -> tuple[str, ...]:
    """What a module imports from Serai; packages, which only hold modules together, are left out."""
    named: list[str] = []
    for node in ast.walk(ast.parse(_source(module))):
        if isinstance(node, ast.Import):
            named += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            named += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(name for name in named if name.startswith(_OURS) and _path(name).is_file())


def _source(module: str) -> bytes:
    return _path(module).read_bytes()


def _path(module: str) -> Path:
    return Path(__file__).parents[1].joinpath(*module.removeprefix(_OURS).split(".")).with_suffix(".py")


# -- the machine code on disk ------------------------------------------------------------------------------------------


class _Kept(FunctionCache):
    """numba's own files, one writer at a time.

    numba numbers them by a list that it reads and writes back: two processes that compile a function for different
    arguments at the same moment would give both the same number, and one would later run the other's code.
    """

    def save_overload(self, sig: Any, data: Any) -> None:
        with _alone_in(Path(self.cache_path)):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


class _BesideItsSource(_IN_TREE):  # type: ignore[misc]
    """Where machine code of a module lies, which need not be writable."""

    def ensure_cache_path(self) -> None:
        if not Path(self.get_cache_path()).is_dir():
            raise FileNotFoundError


class _OnlyThere(_CACHED):  # type: ignore[misc]
    _locator_classes = (_BesideItsSource,)


class _KeptByOthers(FunctionCache):
    """What other processes have compiled, for one that may write nothing: a bot that is shut in."""

    _impl_class = _OnlyThere

    def save_overload(self, sig: Any, data: Any) -> None:
        """It cannot be kept."""


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other process writes there."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):  # where there are no such locks, hope for the best
            import fcntl

            folder.mkdir(parents=True, exist_ok=True)
            file = held.enter_context((folder / ".serai-lock").open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sweep(folder: str | None, module: str) -> None:
    """Remove machine code kept for sources that have changed since."""
    of_module = f"{module.rpartition('.')[2]}.*.nb[ic]"
    for path in Path(folder).glob(of_module) if folder else ():
        found = _FINGERPRINT.search(path.name)
        if found and found[1] != fingerprint(module):
            with contextlib.suppress(OSError):  # another process may hold it
                path.unlink()


# -- the line that tells of it -----------------------------------------------------------------------------------------


@cache
def _announce() -> None:
    """Listen for compilations: the event comes only when no kept machine code was found."""
    event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]


class _Notice(event.Listener):
    """Says once per process why the program waits."""

    def __init__(self) -> None:
        self._modules: set[str] = set()
        """Those of which something was compiled here."""

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        module = dispatcher.py_func.__module__
        if module in self._modules or not _FINGERPRINT.search(dispatcher.py_func.__qualname__):
            return
        if not self._modules:
            sys.stderr.write("compiling for speed, once on this machine …\n")
            sys.stderr.flush()
        self._modules.add(module)
        _sweep(dispatcher.stats.cache_path, module)

    def on_end(self, event: Any) -> None:
        """Nothing to say."""
