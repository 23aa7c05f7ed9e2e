"""Fair review queue: one review at a time for each address; abandoned reviews are cancelled.

Players of a game come before passers-by. Among them the first is the one whose address will have used the fewest
seconds of the coach once it is done: short reviews come early, and whoever asks for much waits. A long review of
somebody who had much is postponed when such a short one comes, and begins anew later.

Requests for the same record share one review. A finished review is cached by its record and the evaluator: here for a
while, and in the store for as long as the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import zlib
from collections import OrderedDict
from collections.abc import AsyncGenerator

import msgspec

from serai.errors import KeyedError, phrase
from serai.processes.parent import ChildLost
from serai.server.cache import Cache
from serai.server.limits import REMEMBERED, Gate, TooMany
from serai.server.metrics import Metrics
from serai.server.reviews.worker import NoReview, ReviewWorker
from serai.server.store.base import Store, StoreError
from serai.wire.bodies import Problem
from serai.wire.schema import Judging, Unreviewed, Waiting

log = logging.getLogger("serai.reviews")

EFFORT = "low"
"""Of the evaluator; a server has other things to do."""
MAX_WAITING = 40
"""Reviews that wait, of all addresses together."""
CACHE_BYTES = 16 << 20
"""Some hundred reviews, compressed."""
LINE_AT_MOST = 2.0
"""Seconds between two lines at most: only writing shows whether somebody still reads."""
LINE_AT_LEAST = 0.2
"""Seconds between two lines at least."""
LINGER = 3.0
"""Seconds for which an abandoned review goes on: long enough to reload a page."""
LONGEST = 900.0
"""Seconds that a review may take."""
LINE_SECONDS, MOST_LINES = 0.02, 1500
"""Seconds that a line of a record is expected to take, and how many lines count: longer games are judged in samples."""
HALF_LIFE = 600.0
"""Seconds after which what an address has used counts half."""
POSTPONED_FOR = 2.0
"""A review is postponed for one of less than half its cost, and of that many seconds less."""

phrase(
    {
        "review.full": "too many games are waiting for their review; try again in a few minutes",
        "review.long": "this review takes too long for a server; `serai coach` works it out at home",
    }
)


class GameToReview(msgspec.Struct, frozen=True):
    """A finished game that is to be reviewed."""

    game: str
    record: str
    table: str = ""
    """Where it was played, if it was here."""
    own: bool = False
    """Whether somebody asks who played it here."""

    @property
    def seconds(self) -> float:
        """How long its review will take, roughly."""
        return min(self.record.count("\n") + 1, MOST_LINES) * LINE_SECONDS

    @property
    def digest(self) -> bytes:
        """The same for the same record."""
        return hashlib.sha256(self.record.encode(errors="surrogatepass")).digest()


class _Review:
    """A review that somebody waits for."""

    def __init__(self, address: str, game: GameToReview) -> None:
        self.address = address
        self.game = game
        self.own = game.own
        """Whether one of its players waits for it."""
        self.watchers = 0
        self.began: float | None = None
        """When it was begun, by the event loop's clock; ``None`` until its task runs."""
        self.postponed = False
        """Whether it is being stopped to begin anew later."""
        self.progress = (0, 0)
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.last_line: bytes | None = None

    def end(self, line: bytes) -> None:
        self.last_line = line
        self.changed.set()


class _Spent:
    """Seconds of the coach that each address has used, less and less with time."""

    def __init__(self) -> None:
        self._by_address: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Seconds, and when."""

    def of(self, address: str) -> float:
        seconds, when = self._by_address.get(address, (0.0, 0.0))
        return seconds * math.exp2((when - _now()) / HALF_LIFE)

    def add(self, address: str, seconds: float) -> None:
        self._by_address[address] = (self.of(address) + seconds, _now())
        self._by_address.move_to_end(address)
        if len(self._by_address) > REMEMBERED:
            self._by_address.popitem(last=False)


class ReviewQueue:
    """All reviews of one server process; ``Settings.review_workers`` child processes work them out."""

    def __init__(self, workers: int, gate: Gate, store: Store, metrics: Metrics) -> None:
        self.offers = workers > 0
        """Whether reviews are made here."""
        self._gate, self._store, self._metrics = gate, store, metrics
        self._workers = tuple(ReviewWorker() for _ in range(workers))
        self._idle = list(self._workers)
        self._reviews: dict[bytes, _Review] = {}
        """Those that somebody waits for, by the digest of the record."""
        self._waiting: list[_Review] = []
        self._running: set[_Review] = set()
        self._spent = _Spent()
        self._evaluators: dict[str, str] = {}
        """By game, once it is known."""
        self._cache = Cache(CACHE_BYTES)

    async def cached(self, game: GameToReview) -> bytes | None:
        """The last line of a finished review, if it is cached or stored."""
        evaluator = self._evaluators.get(game.game)
        if evaluator is None:
            return None
        compressed = self._cache.get((game.digest, evaluator))
        if compressed is None and game.table:
            with contextlib.suppress(StoreError):
                compressed = await self._store.review(game.table, evaluator)
        return None if compressed is None else await _decompressed(compressed)

    async def follow(self, address: str, game: GameToReview) -> AsyncGenerator[bytes, None]:
        """The lines of a review as it goes on, the result last; ``TooMany`` if too many are waiting."""
        review = self._join(address, game)
        review.watchers += 1
        try:
            while review.last_line is None:
                review.changed.clear()
                yield msgspec.json.encode(self._status(review))
                await asyncio.sleep(LINE_AT_LEAST)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LINE_AT_MOST):
                        await review.changed.wait()
            yield review.last_line
        finally:
            review.watchers -= 1
            if not review.watchers and review.last_line is None:
                asyncio.get_running_loop().call_later(LINGER, self._cancel_abandoned, review)

    def cancel_all(self) -> None:
        """End all reviews with a line that says that the server is closing."""
        self._waiting.clear()
        for review in self._reviews.values():
            review.end(_unreviewed("server.closing"))
        for review in self._running:
            if review.task is not None:
                review.task.cancel()

    async def close(self) -> None:
        self.cancel_all()
        for worker in self._workers:
            await worker.end()
        tasks = [review.task for review in self._running if review.task is not None]
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in self._workers:
            await worker.end()  # a review that was just beginning may have started one

    def _join(self, address: str, game: GameToReview) -> _Review:
        """The review of this game, put into the queue if it is not there yet."""
        review = self._reviews.get(game.digest)
        if review is None:
            review = _Review(address, game)
            self._gate.enter("reviews", address)
            self._waiting.append(review)
            if len(self._waiting) > MAX_WAITING:
                last = self._in_order()[-1]
                self._waiting.remove(last)
                if last is review:
                    self._gate.leave("reviews", address)
                    raise TooMany("review.full")
                self._drop(last)
                last.end(_unreviewed("review.full"))
            self._reviews[game.digest] = review
        review.own = review.own or game.own
        self._start_next()
        return review

    def _status(self, review: _Review) -> Waiting | Judging:
        if review.task is not None:
            return Judging(*review.progress)
        return Waiting(len(self._running) + self._in_order().index(review))

    def _cost(self, review: _Review) -> float:
        """The seconds that the address of a running review will have used after it."""
        elapsed = 0.0 if review.began is None else _now() - review.began
        return self._spent.of(review.address) + max(review.game.seconds, elapsed)

    def _ranked(self) -> list[tuple[bool, float, _Review]]:
        """All waiting reviews in their order; each with whether only passers-by wait for it, and its cost."""
        costs = {review.address: self._spent.of(review.address) for review in self._waiting}
        costs |= {review.address: self._cost(review) for review in self._running}
        ranked = []
        for review in sorted(self._waiting, key=lambda one: (not one.own, one.game.seconds)):
            costs[review.address] += review.game.seconds
            ranked.append((not review.own, costs[review.address], review))
        return sorted(ranked, key=lambda rank: rank[:2])

    def _in_order(self) -> list[_Review]:
        """All waiting reviews in the order in which they will begin if nobody else comes."""
        return [review for *_, review in self._ranked()]

    def _start_next(self) -> None:
        """Start the next reviews, one for each address at a time."""
        for passing, cost, review in self._ranked():
            if review.address in {running.address for running in self._running}:
                continue
            if not self._idle:
                self._postpone_for(passing, cost)
                break
            self._waiting.remove(review)
            self._running.add(review)
            review.began = None
            review.task = asyncio.create_task(self._work(review, self._idle.pop()))
        for review in self._reviews.values():
            review.changed.set()

    def _postpone_for(self, passing: bool, cost: float) -> None:
        """Postpone the costliest running review for one of this cost, if that is much less, or if it is a player's."""
        if any(review.postponed or review.began is None for review in self._running):
            return  # a task that is cancelled before it runs would not give its worker back
        costliest = max(self._running, key=lambda review: (not review.own, self._cost(review)))
        worth_it = 2 * cost + POSTPONED_FOR < self._cost(costliest)
        if costliest.task is not None and (passing, not worth_it) < (not costliest.own, True):
            costliest.postponed = True
            costliest.task.cancel()

    async def _work(self, review: _Review, worker: ReviewWorker) -> None:
        review.began = began = _now()
        if self._waiting:
            self._start_next()
        try:
            async with asyncio.timeout(LONGEST):
                review.end(await self._run(review, worker))
        except NoReview as failure:
            review.end(msgspec.json.encode(Unreviewed(failure.problem)))
        except TimeoutError:
            review.end(_unreviewed("review.long"))
        except ChildLost as error:
            log.error("a review failed: %s", error)
            review.end(_unreviewed("review.failed"))
        except asyncio.CancelledError:
            review.task = None  # a cancelled task keeps its error, whose traceback keeps this frame and the review
            if not review.postponed:
                raise
        finally:
            self._running.discard(review)
            self._spent.add(review.address, _now() - began)
            postponed, review.postponed = review.postponed, False
            if postponed and review.last_line is None and self._reviews.get(review.game.digest) is review:
                review.progress = (0, 0)
                self._waiting.append(review)
            else:
                self._drop(review)
            self._idle.append(worker)
            self._start_next()

    async def _run(self, review: _Review, worker: ReviewWorker) -> bytes:
        def progress(done: int, of: int) -> None:
            review.progress = (done, of)
            review.changed.set()

        game = review.game
        if game.game not in self._evaluators:
            self._evaluators[game.game] = await worker.evaluator(game.game)
        line = await self.cached(game)
        if line is None:
            compressed = await worker.review(game.record, EFFORT, progress)
            self._metrics.reviews.add()
            await self._save(game, self._evaluators[game.game], compressed)
            line = await _decompressed(compressed)
        return line

    async def _save(self, game: GameToReview, evaluator: str, compressed: bytes) -> None:
        self._cache.put((game.digest, evaluator), compressed)
        if game.table:
            try:
                await self._store.save_review(game.table, evaluator, compressed)
            except StoreError as error:
                log.warning("a review is cached in memory only: %s", error, extra={"table": game.table})

    def _cancel_abandoned(self, review: _Review) -> None:
        if review.watchers or self._reviews.get(review.game.digest) is not review:
            return
        self._drop(review)
        if review.task is not None:
            review.task.cancel()
        else:
            self._waiting.remove(review)
            self._start_next()

    def _drop(self, review: _Review) -> None:
        if self._reviews.get(review.game.digest) is review:
            del self._reviews[review.game.digest]
            self._gate.leave("reviews", review.address)


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _decompressed(compressed: bytes) -> bytes:
    return await asyncio.to_thread(zlib.decompress, compressed)


def _unreviewed(key: str) -> bytes:
    return msgspec.json.encode(Unreviewed(Problem(key, {}, str(KeyedError(key)))))
