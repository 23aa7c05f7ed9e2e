"""A Dask cluster, reached or started: what its workers are asked, and what they answer, as it comes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from typing import TYPE_CHECKING, Any, NamedTuple

from serai.arena.cluster.address import read_address
from serai.arena.cluster.errors import BadCluster, ClusterLost
from serai.arena.cluster.frames import Answer, pack, unpack
from serai.arena.cluster.hands import Sealed, ask, dismiss
from serai.arena.cluster.job import job_for
from serai.arena.cluster.local import started
from serai.arena.cluster.versions import PACKAGES, difference, versions_here, versions_told
from serai.bots.referee import BotFailed
from serai.bots.specs import find_working_bot
from serai.core.errors import MissingExtra, SeraiError
from serai.core.registry import game as find_game

if TYPE_CHECKING:
    from concurrent.futures import Future as Promise

    from distributed import Client, Future

    Answers = Promise[list[tuple[str, bytes]]]

CONNECT = 10.0
"""Seconds within which a scheduler has to answer."""
_JOIN = 20.0
"""Seconds within which the first worker has to be there."""
_LEAVE = 2.0
"""Seconds for saying goodbye."""
_RETRIES = 3
"""Times that something is asked again whose process was ended in the middle."""
_AHEAD = 2
"""Errands for each thread of a worker that are out at once: one to do, and one to go on with."""
_LOOK = 1.0
"""Seconds between two looks at how many workers there are."""


class Done(NamedTuple):
    """An errand that was done."""

    note: Any
    """What was given along with it."""
    value: Any
    seconds: float


class Cluster:
    """Workers that do errands for one run of a command. Any number may come and go meanwhile."""

    def __init__(self, client: Client, where: str, name: str, specs: Sequence[str]) -> None:
        self.where = where
        self._client, self._name = client, name
        self._job = job_for(specs)
        self._luggage = Sealed(pack(self._job))
        self._out: dict[Future, Any] = {}
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._coming: tuple[list[Future], Answers] | None = None
        """Errands that were done, and their answers on the way."""
        self._looked = -_LOOK
        self._threads: dict[str, int] = {}
        self._count = 0
        self._deserted = False
        self._gone = False
        self.say: Callable[[str], None] = lambda text: None
        """Told when there are no workers any more, and when there are some again."""

    @property
    def threads(self) -> dict[str, int]:
        """By worker: how many errands it does at once. Looked at anew now and then."""
        if time.monotonic() > self._looked + _LOOK:
            self._looked = time.monotonic()
            before = self._threads
            with self._unless_lost():
                self._threads = dict(self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT))
            if before and not self._threads:
                self._deserted = True
                self.say(f"no workers are left at {self.where}: it goes on as soon as one comes; Ctrl-C stops")
            elif self._threads and self._deserted:
                self._deserted = False
                self.say(f"workers at {self.where} again: {len(self._threads)}")
        return self._threads

    @property
    def at_once(self) -> int:
        """How many errands are done at once just now."""
        return sum(self.threads.values())

    @property
    def dashboard(self) -> str:
        """Where the scheduler shows what goes on."""
        return str(self._client.dashboard_link)

    @property
    def room(self) -> int:
        """How many more errands may go out now; without any workers one, which waits for the first to come."""
        return max(1, _AHEAD * self.at_once) - len(self._out)

    @property
    def busy(self) -> bool:
        """Whether errands are out."""
        return bool(self._out)

    def ask(self, note: Any, function: Callable[..., Any], *arguments: Any) -> None:
        """Have a worker call that; :attr:`done` will tell."""
        self._submit(note, function, arguments)

    def done(self, seconds: float) -> list[Done]:
        """The errands that were done since, in whatever order; waits so long for the first."""
        _ = self.threads  # whoever waits is told when nobody is left to wait for
        if self._coming is None:
            ready = self._ready(seconds)
            for future in ready:
                self._check(future)
            if not ready:
                return []
            self._coming = ready, self._fetched(ready)
        ready, values = self._coming
        # what a worker had done and not handed over when it went is done again, by whoever comes
        if not wait([values], seconds).done:
            return []
        self._coming = None
        with self._unless_lost():
            answers = values.result()
        return [self._opened(self._out.pop(future), *answer) for future, answer in zip(ready, answers, strict=True)]

    def drop(self) -> None:
        """Forget what is out."""
        futures = list(self._out)
        self._out.clear()
        if self._coming is not None:
            self._coming[1].cancel()
            self._coming = None
        if futures and not self._gone:
            with contextlib.suppress(Exception):  # a scheduler that is going just now has forgotten it already
                self._client.cancel(futures, force=True)

    def check(self, game: str, specs: Sequence[str]) -> None:
        """Refuse workers that have other versions, or cannot load these bots."""
        with self._unless_lost():
            told = self._client.get_versions(packages=list(PACKAGES))
        here = versions_here()
        for worker, found in told["workers"].items():
            wrong = difference(here, versions_told(found["packages"]))
            if wrong:
                raise BadCluster(
                    f"worker {worker} {wrong}: games would not be the same; install the same there as here"
                )
        left = set(self.threads)
        for worker in left:
            self._submit(worker, prepared, (game, tuple(specs)), workers=[worker])
        while left:
            left -= {done.note for done in self.done(_LOOK)}
            left &= set(self.threads)  # whoever went away meanwhile cannot answer
        self.drop()

    def end(self) -> None:
        """Let the workers be done with this run."""
        self.drop()
        if self._gone:
            return
        with contextlib.suppress(Exception):
            self._client.run(dismiss, self._job.id, wait=False)

    # -- details -----------------------------------------------------------------------------------------------------

    def _ready(self, seconds: float) -> list[Future]:
        """What was done since; waits so long for the first."""
        ready: list[Future] = []
        with contextlib.suppress(queue.Empty):
            ready.append(self._done.get(timeout=seconds))
            while True:
                ready.append(self._done.get_nowait())
        return [future for future in ready if future in self._out]

    def _fetched(self, ready: list[Future]) -> Answers:
        return asyncio.run_coroutine_threadsafe(
            self._client.gather(ready, asynchronous=True), self._client.loop.asyncio_loop
        )

    def _submit(
        self, note: Any, function: Callable[..., Any], arguments: Sequence[Any], workers: list[str] | None = None
    ) -> None:
        errand = Sealed(pack((function, arguments)))
        self._count += 1
        with self._unless_lost():
            future = self._client.submit(
                ask,
                self._job.id,
                self._luggage,
                errand,
                key=f"serai-{self._name}-{self._job.id}-{self._count}",
                workers=workers,
                retries=_RETRIES,
            )
        self._out[future] = note
        future.add_done_callback(self._done.put)

    def _check(self, future: Future) -> None:
        if future.status == "finished":
            return
        if future.status != "error":
            raise self._lost()
        from distributed import KilledWorker

        error = future.exception()
        if isinstance(error, KilledWorker):
            raise BadCluster(
                f"{error.allowed_failures + 1} workers died one after the other while they played the same games, the "
                f"last at {error.last_worker.address}: look into their logs, for example whether they lack memory"
            )
        raise BadCluster(f"a worker failed at what it was asked {_RETRIES + 1} times: {type(error).__name__}: {error}")

    def _opened(self, note: Any, worker: str, packed: bytes) -> Done:
        answer: Answer = unpack(packed)
        if answer.error is None:
            return Done(note, answer.value, answer.seconds)
        if isinstance(answer.error, SeraiError) and not isinstance(answer.error, BotFailed):
            raise BadCluster(f"worker {worker}: {answer.error}")
        raise answer.error

    @contextlib.contextmanager
    def _unless_lost(self) -> Iterator[None]:
        """Whatever Dask raises when its scheduler is gone is told as that."""
        from concurrent.futures import CancelledError

        try:
            yield
        except (OSError, TimeoutError, CancelledError, AttributeError, RuntimeError) as error:
            raise self._lost() from error

    def _lost(self) -> ClusterLost:
        self._gone = True
        return ClusterLost(f"the scheduler at {self.where} does not answer any more")


@contextlib.contextmanager
def reached(where: str, name: str, game: str, specs: Sequence[str]) -> Iterator[Cluster]:
    """The cluster of that address for a run with these bots, its workers checked.

    ``MissingExtra`` without Dask, ``BadCluster`` where it cannot be reached or used.
    """
    address = read_address(where)
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra("clusters", "Dask", "cluster") from None
    _silence()
    with started(address) if isinstance(address, int) else _connected(address) as client:
        cluster = Cluster(client, where, name, specs)
        try:
            cluster.check(game, specs)
            yield cluster
        finally:
            cluster.end()


def _silence() -> None:
    """Let Dask log nothing here: what matters is told by errors of ours."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def prepared(game: str, specs: Sequence[str]) -> None:
    """Asked of every worker: whether it can make these bots."""
    for spec in dict.fromkeys(specs):
        find_working_bot(find_game(game), spec)


@contextlib.contextmanager
def _connected(address: str) -> Iterator[Client]:
    client = _client(address)
    try:
        with contextlib.suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_JOIN)
        if not client.nthreads():
            raise BadCluster(f"the scheduler at {address} has no workers: start some with: dask worker {address}")
        yield client
    finally:
        with contextlib.suppress(Exception):  # gone, as it may be
            client.close(timeout=_LEAVE)


def _client(address: str) -> Client:
    """A client of that scheduler. In a thread, since Dask waits for ever for one that takes calls and is silent."""
    from distributed import Client

    found: queue.SimpleQueue[Client | Exception] = queue.SimpleQueue()

    def connect() -> None:
        try:
            found.put(Client(address, timeout=CONNECT, set_as_default=False))
        except Exception as error:
            found.put(error)

    threading.Thread(target=connect, daemon=True).start()
    try:
        client = found.get(timeout=CONNECT + 2)
    except queue.Empty:
        client = TimeoutError()
    if isinstance(client, Exception):
        raise BadCluster(
            f"no Dask scheduler answers at {address}: start one there with 'dask scheduler', and look whether its "
            "address can be reached from here"
        ) from client
    return client
