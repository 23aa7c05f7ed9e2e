"""Who waits for which review: one review at a time for each address, addresses in turn, nothing for nobody.

Whoever asks for what somebody waits for already waits with them. What was made is kept by its record and the evaluator:
here for a while, and in the store for as long as the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import zlib
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator

import msgspec

from serai.core.errors import KeyedError, phrase
from serai.server.kept import Kept
from serai.server.limits import Gate, TooMany
from serai.server.metrics import Metrics
from serai.server.reviews.lines import Judging, Unreviewed, Waiting
from serai.server.reviews.process import Lost, NoReview, ReviewProcess
from serai.server.store.base import Store, StoreError
from serai.table.bodies import Problem

log = logging.getLogger("serai.reviews")

EFFORT = "low"
"""How thoroughly: a server has other things to do."""
MOST_WAITING = 40
"""Reviews that wait at all, whoever asked for them."""
KEPT_BYTES = 16 << 20
"""Some hundred reviews, packed."""
BEAT = 2.0
"""Seconds between two lines at most: whether somebody still reads shows when something is written."""
PACE = 0.2
"""Seconds between two lines at least."""
LINGER = 3.0
"""Seconds for which a review goes on without anybody: long enough to load a page again."""
IDLE = 300.0
"""Seconds after which a process that nobody needs is ended: its memory is not small."""
LONGEST = 900.0
"""Seconds that a review may take."""

phrase(
    {
        "review.full": "too many games are waiting for their review; try again in a few minutes",
        "review.long": "this review takes too long for a server; `serai coach` works it out at home",
    }
)


class Asked(msgspec.Struct, frozen=True):
    """A finished game that is to be reviewed."""

    game: str
    record: str
    table: str = ""
    """Where it was played, if it was here."""

    @property
    def digest(self) -> bytes:
        """The same for the same record."""
        return hashlib.sha256(self.record.encode(errors="surrogatepass")).digest()


class _Job:
    """A review that somebody waits for."""

    def __init__(self, address: str, asked: Asked) -> None:
        self.address = address
        self.asked = asked
        self.watchers = 0
        self.progress = (0, 0)
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.made: bytes | None = None
        """The last line."""

    def end(self, line: bytes) -> None:
        """There is nothing to wait for any more."""
        self.made = line
        self.changed.set()


class ReviewQueue:
    """All reviews of one server process, worked out by so many processes beside it."""

    def __init__(self, workers: int, gate: Gate, store: Store, metrics: Metrics) -> None:
        self.offers = workers > 0
        """Whether reviews are made here."""
        self._gate, self._store, self._metrics = gate, store, metrics
        self._processes = tuple(ReviewProcess() for _ in range(workers))
        self._idle = list(self._processes)
        self._jobs: dict[bytes, _Job] = {}
        """Those that somebody waits for, by record."""
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()
        """By address, the one whose turn is next in front."""
        self._running: set[_Job] = set()
        self._evaluators: dict[str, str] = {}
        """By game, once it is known."""
        self._kept = Kept(KEPT_BYTES)
        self._resting: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Future[None]] = set()

    async def kept(self, asked: Asked) -> bytes | None:
        """The last line of a review that is kept."""
        evaluator = self._evaluators.get(asked.game)
        if evaluator is None:
            return None
        packed = self._kept.get((asked.digest, evaluator))
        if packed is None and asked.table:
            with contextlib.suppress(StoreError):
                packed = await self._store.reviews.kept(asked.table, evaluator)
        return None if packed is None else await _unpacked(packed)

    async def follow(self, address: str, asked: Asked) -> AsyncGenerator[bytes, None]:
        """Line by line what becomes of a review, until whoever listens goes; ``TooMany`` if there are enough."""
        job = self._joined(address, asked)
        job.watchers += 1
        try:
            while job.made is None:
                job.changed.clear()
                yield msgspec.json.encode(self._told(job))
                await asyncio.sleep(PACE)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(BEAT):
                        await job.changed.wait()
            yield job.made
        finally:
            job.watchers -= 1
            if not job.watchers and job.made is None:
                asyncio.get_running_loop().call_later(LINGER, self._give_up, job)

    def farewell(self) -> None:
        """Tell whoever waits that they wait for nothing."""
        self._waiting.clear()
        for job in self._jobs.values():
            job.end(_unreviewed("server.closing"))
        for job in self._running:
            if job.task is not None:
                job.task.cancel()

    async def close(self) -> None:
        """Leave everything, and end all processes."""
        self.farewell()
        if self._resting is not None:
            self._resting.cancel()
        await _end_all(self._processes)
        tasks = [job.task for job in self._running if job.task is not None]
        await asyncio.gather(*tasks, *self._ending, return_exceptions=True)

    def _joined(self, address: str, asked: Asked) -> _Job:
        """The review that was asked for, now waiting if it was not already."""
        job = self._jobs.get(asked.digest)
        if job is None:
            if sum(map(len, self._waiting.values())) >= MOST_WAITING:
                raise TooMany("review.full")
            self._gate.enter("reviews", address)
            job = self._jobs[asked.digest] = _Job(address, asked)
            self._waiting.setdefault(address, deque()).append(job)
            self._go_on()
        return job

    def _told(self, job: _Job) -> Waiting | Judging:
        if job.task is not None:
            return Judging(*job.progress)
        return Waiting(len(self._running) + self._in_turn().index(job))

    def _in_turn(self) -> list[_Job]:
        """All that wait, in the order in which they come up if nobody else comes."""
        lists = [list(jobs) for jobs in self._waiting.values()]
        rounds = range(max(map(len, lists), default=0))
        return [jobs[number] for number in rounds for jobs in lists if number < len(jobs)]

    def _go_on(self) -> None:
        """Begin what is next, one for each address at a time."""
        busy = {job.address for job in self._running}
        for address in [address for address in self._waiting if address not in busy][: len(self._idle)]:
            jobs = self._waiting.pop(address)
            job = jobs.popleft()
            if jobs:
                self._waiting[address] = jobs
            self._running.add(job)
            job.task = asyncio.create_task(self._work(job, self._idle.pop()))
        for job in self._jobs.values():
            job.changed.set()

    async def _work(self, job: _Job, process: ReviewProcess) -> None:
        try:
            async with asyncio.timeout(LONGEST):
                job.end(await self._made(job, process))
        except NoReview as failure:
            job.end(msgspec.json.encode(Unreviewed(failure.problem)))
        except TimeoutError:
            job.end(_unreviewed("review.long"))
        except Lost as lost:
            log.error("a review failed: %s", lost)
            job.end(_unreviewed("review.failed"))
        finally:
            self._running.discard(job)
            self._drop(job)
            self._idle.append(process)
            self._rest_later()
            self._go_on()

    async def _made(self, job: _Job, process: ReviewProcess) -> bytes:
        def hear(done: int, of: int) -> None:
            job.progress = (done, of)
            job.changed.set()

        asked = job.asked
        if asked.game not in self._evaluators:
            self._evaluators[asked.game] = await process.name(asked.game)
        line = await self.kept(asked)
        if line is None:
            packed = await process.review(asked.record, EFFORT, hear)
            self._metrics.reviews.add()
            await self._keep(asked, self._evaluators[asked.game], packed)
            line = await _unpacked(packed)
        return line

    async def _keep(self, asked: Asked, evaluator: str, packed: bytes) -> None:
        self._kept.put((asked.digest, evaluator), packed)
        if asked.table:
            try:
                await self._store.reviews.keep(asked.table, evaluator, packed)
            except StoreError as error:
                log.warning("a review is kept in memory only: %s", error, extra={"table": asked.table})

    def _give_up(self, job: _Job) -> None:
        """Nobody came back: whoever comes now begins anew."""
        if job.watchers or self._jobs.get(job.asked.digest) is not job:
            return
        self._drop(job)
        if job.task is not None:
            job.task.cancel()
        else:
            jobs = self._waiting[job.address]
            jobs.remove(job)
            if not jobs:
                del self._waiting[job.address]

    def _drop(self, job: _Job) -> None:
        if self._jobs.get(job.asked.digest) is job:
            del self._jobs[job.asked.digest]
            self._gate.leave("reviews", job.address)

    def _rest_later(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
        self._resting = asyncio.get_running_loop().call_later(IDLE, self._rest)

    def _rest(self) -> None:
        if not self._running:
            ending = asyncio.ensure_future(_end_all(self._processes))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)


async def _unpacked(packed: bytes) -> bytes:
    return await asyncio.to_thread(zlib.decompress, packed)


async def _end_all(processes: tuple[ReviewProcess, ...]) -> None:
    for process in processes:
        await process.end()


def _unreviewed(key: str) -> bytes:
    return msgspec.json.encode(Unreviewed(Problem(key, {}, str(KeyedError(key)))))
