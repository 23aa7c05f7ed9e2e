"""The executor on a Dask cluster: connects to its scheduler, or starts one on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import secrets
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from serai.arena.cluster import BadCluster, ClusterLost, read_address
from serai.arena.cluster.requirements import PACKAGES, check_versions, prepare, requirements_of, versions_from_dask
from serai.arena.cluster.worker import HiddenBytes, end_run, packed_call, run_task
from serai.arena.executors import Done, Executor
from serai.bots.referee import BotFailed
from serai.bots.specs import find_working_bot
from serai.core.registry import game as find_game
from serai.errors import MissingExtra, SeraiError
from serai.processes.framing import unpack

if TYPE_CHECKING:
    from concurrent.futures import Future as Result

    from distributed import Client, Future

CONNECT = 10.0
"""Seconds within which a scheduler must answer."""
_JOIN = 20.0
"""Seconds within which the first worker must be there."""
_LEAVE = 2.0
"""Seconds to close the connection."""
_RETRIES = 3
"""How often a task is repeated whose process ended in the middle."""
_AHEAD = 2
"""Tasks for each thread of a worker: one to do, and one to continue with."""
_COUNT = 1.0
"""Seconds between two counts of the workers."""
_QUIET: Final[dict[str, Any]] = {
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}
"""Dask's settings for workers on this machine. By default its processes wake up a hundred times a second and more to
profile threads that only wait for the process in which games are played."""


class Cluster(Executor):
    """Runs tasks on a Dask cluster, for one run of a command. Workers may come and go meanwhile."""

    chunk_seconds: ClassVar[float] = 1.0  # a hundred times what it costs to hand out a task

    def __init__(self, client: Client, where: str, name: str, specs: Sequence[str]) -> None:
        self.where = where
        self.say: Callable[[str], None] = lambda text: None
        """Called when no workers are left, and when there are some again."""
        self._client = client
        self._run = f"serai-{name}-{secrets.token_hex(8)}"
        self._requirements = requirements_of(specs)
        self._preparation = packed_call(prepare, self._requirements, Path())
        self._function: Callable[..., Any] | None = None
        self._tasks: dict[Result[tuple[str, bytes]], tuple[Any, Future]] = {}
        """The label and Dask's future of each unfinished task, by what waits for its result."""
        self._submitted = 0
        self._threads: dict[str, int] = {}
        self._counted = -_COUNT
        self._deserted = False
        self._lost = False

    def executor(self, function: Callable[..., Any]) -> Executor:
        """The cluster itself, which runs this function from now on; it must be picklable."""
        self._function = function
        return self

    @property
    def threads(self) -> dict[str, int]:
        """By worker: how many tasks it does at once. Counted again now and then."""
        if time.monotonic() > self._counted + _COUNT:
            self._counted = time.monotonic()
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
    def parallel(self) -> int:
        return sum(self.threads.values())

    @property
    def capacity(self) -> int:
        return max(1, _AHEAD * self.parallel)  # without workers one task waits for the first to come

    @property
    def dashboard(self) -> str:
        """The address of the scheduler's status page."""
        return str(self._client.dashboard_link)

    def submit(self, label: Any, *arguments: Any, apart: frozenset[Hashable] = frozenset()) -> None:
        self._submit(label, packed_call(self._function, *arguments, **({"apart": apart} if apart else {})))

    def _submit(self, label: Any, task: HiddenBytes, workers: list[str] | None = None) -> None:
        self._submitted += 1
        key = f"{self._run}-{self._submitted}"
        with self._unless_lost():
            future = self._client.submit(
                run_task, self._run, self._preparation, task, key=key, workers=workers, retries=_RETRIES
            )
            # what a worker had finished and not yet sent when it died is done again by another
            result = asyncio.run_coroutine_threadsafe(
                self._client.gather(future, asynchronous=True), self._client.loop.asyncio_loop
            )
        self._tasks[result] = label, future

    def finished(self, seconds: float) -> list[Done]:
        _ = self.threads  # says when no worker is left
        done = wait(self._tasks, seconds, FIRST_COMPLETED).done
        if done and self._deserted:
            self._counted = -_COUNT  # a worker has come: say so now, it may be done before the next count
            _ = self.threads
        return [self._done(result, *self._tasks.pop(result)) for result in done]

    def _done(self, result: Result[tuple[str, bytes]], label: Any, future: Future) -> Done:
        try:
            worker, packed = result.result()
        except Exception as error:
            raise self._failure(future, error) from error
        failure, value = unpack(packed)
        if failure is None:
            return Done(label, *value)
        if isinstance(failure, SeraiError) and not isinstance(failure, BotFailed):
            raise BadCluster(f"worker {worker}: {failure}")
        raise failure

    def _failure(self, future: Future, error: Exception) -> SeraiError:
        if future.status != "error":
            return self._no_answer()
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return BadCluster(
                f"{error.allowed_failures + 1} workers died one after the other while they played the same games, the "
                f"last at {error.last_worker.address}: look into their logs, for example whether they lack memory"
            )
        return BadCluster(f"a worker failed at the same task {_RETRIES + 1} times: {type(error).__name__}: {error}")

    def cancel(self) -> None:
        futures = [future for _, future in self._tasks.values()]
        self._tasks.clear()
        if futures and not self._lost:
            with contextlib.suppress(Exception):  # a scheduler that is just going has forgotten them
                self._client.cancel(futures, force=True)

    def check(self, game: str, specs: Sequence[str]) -> None:
        """Refuse workers that have other versions, or cannot load these bots."""
        with self._unless_lost():
            reported = self._client.get_versions(packages=list(PACKAGES))
        for worker, found in reported["workers"].items():
            check_versions(self._requirements, versions_from_dask(found["packages"]), f"worker {worker} ")
        left = set(self.threads)
        for worker in left:
            self._submit(worker, packed_call(load_bots, game, tuple(specs)), workers=[worker])
        while left:
            left -= {done.label for done in self.finished(_COUNT)}
            left &= set(self.threads)  # a worker that is gone cannot answer
        self.cancel()

    def leave(self) -> None:
        """End the processes of this run on all workers."""
        self.cancel()
        if not self._lost:
            with contextlib.suppress(Exception):
                self._client.run(end_run, self._run, wait=False)

    @contextlib.contextmanager
    def _unless_lost(self) -> Iterator[None]:
        """Turn what Dask raises when its scheduler is gone into ``ClusterLost``."""
        try:
            yield
        except (OSError, TimeoutError, CancelledError, AttributeError, RuntimeError) as error:
            raise self._no_answer() from error

    def _no_answer(self) -> ClusterLost:
        self._lost = True
        return ClusterLost(f"the scheduler at {self.where} does not answer any more")


def load_bots(game: str, specs: Sequence[str]) -> None:
    """On a worker: check that these bots can be made."""
    for spec in dict.fromkeys(specs):
        find_working_bot(find_game(game), spec)


# -- connecting --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def connect(where: str, name: str, game: str, specs: Sequence[str]) -> Iterator[Cluster]:
    """The cluster at that address, for a run with these bots; its workers are checked.

    ``MissingExtra`` without Dask, ``BadCluster`` if it cannot be reached or used.
    """
    address = read_address(where)
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra("clusters", "Dask", "cluster") from None
    for logger in list(logging.root.manager.loggerDict):
        if logger.partition(".")[0] == "distributed":  # what matters is raised as an error
            logging.getLogger(logger).setLevel(logging.CRITICAL)
    with _local(address) if isinstance(address, int) else _remote(address) as client:
        cluster = Cluster(client, where, name, specs)
        try:
            cluster.check(game, specs)
            yield cluster
        finally:
            cluster.leave()


@contextlib.contextmanager
def _local(workers: int) -> Iterator[Client]:
    """A scheduler in this process and workers in processes of their own."""
    import dask
    from distributed import Client, LocalCluster

    with dask.config.set(_QUIET):
        with _interrupts_ignored():
            local = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        with local, Client(local, set_as_default=False) as client:
            yield client


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started here ignore Ctrl-C, which reaches all processes of a terminal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _remote(address: str) -> Iterator[Client]:
    client = _client(address)
    try:
        with contextlib.suppress(TimeoutError):
            client.wait_for_workers(1, timeout=_JOIN)
        if not client.nthreads():
            raise BadCluster(f"the scheduler at {address} has no workers: start some with: dask worker {address}")
        yield client
    finally:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            client.close(timeout=_LEAVE)


def _client(address: str) -> Client:
    """A client of that scheduler. In a thread, since Dask waits for ever for one that accepts and is silent."""
    from distributed import Client

    _check_encryption(address)
    found: queue.SimpleQueue[Client | Exception] = queue.SimpleQueue()

    def start() -> None:
        try:
            found.put(Client(address, timeout=CONNECT, set_as_default=False))
        except Exception as error:
            found.put(error)

    threading.Thread(target=start, daemon=True).start()
    try:
        client = found.get(timeout=CONNECT + 2)
    except queue.Empty:
        client = TimeoutError()
    if isinstance(client, Exception):
        alike = ", and speaks TLS with certificates of the same authority" if address.startswith("tls:") else ""
        raise BadCluster(
            f"no Dask scheduler answers at {address}: start one there with 'dask scheduler', and check that its "
            f"address can be reached from here{alike}"
        ) from client
    return client


def _check_encryption(address: str) -> None:
    """Refuse an address that Dask's settings do not fit, which Dask itself tells late and not in words."""
    from distributed.security import Security

    security = Security()
    try:
        context = security.get_connection_args("client")["ssl_context"]
    except OSError as error:
        raise BadCluster(f"the certificates that Dask's settings name cannot be used: {error}") from error
    if address.startswith("tls:") and context is None:
        raise BadCluster(
            f"{address} needs certificates: name them in Dask's settings, for example by the variables "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__TLS__CLIENT__CERT and …__TLS__CLIENT__KEY (docs/cluster.md)"
        )
    if not address.startswith("tls:") and security.require_encryption:
        raise BadCluster(
            f"Dask's settings require encryption: write tls:// instead of {address.partition('://')[0]}://"
        )
