"""What goes into a PostgreSQL store in one statement: which of the entries that wait, and what became of each."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from serai.server.store.base import CONFLICT, LEASE_LOST, Conflict, Lease, LeaseLost, Listing, StoreError
from serai.table.chain import Stored

_BATCH = 200
_KEEP = """
-- the entry before is looked up by its key, row by row: "exists" might read all entries there are
with {leased} new as (
    insert into entries (tableid, n, entry, link) select a.tableid, a.n, a.entry, a.link
    from unnest($1::text[], $2::int[], $3::bytea[], $13::bytea[], $12::int[]) as a (tableid, n, entry, link, follows)
    where (a.follows < 0 or (select true from entries as e where e.tableid = a.tableid and e.n = a.follows limit 1))
    {held}
    on conflict do nothing returning tableid, n
), listed as (
    insert into listings (id, phase, public, at, bots, last)
    select l.id, l.phase, l.public, l.at, l.bots, l.n
    from unnest($4::text[], $5::int[], $6::text[], $7::boolean[], $8::text[], $9::boolean[])
        as l (id, n, phase, public, at, bots)
    join new on new.tableid = l.id and new.n = l.n
    on conflict (id) do update
    set phase = excluded.phase, public = excluded.public, at = excluded.at, bots = excluded.bots, last = excluded.last
    returning id
), seated as (
    insert into sitters (visitor, tableid)
    select s.visitor, s.tableid from unnest($10::text[], $11::text[]) as s (visitor, tableid)
    join listed on listed.id = s.tableid
    on conflict do nothing
)
select tableid, n, pg_notify('serai_entries', tableid || ' ' || n)::text from new {told}
"""
APPEND = _KEEP.format(leased="", held="", told="")
# Who ends leases deletes the row of their process: either they wait for what is appended under one of these, or that
# waits for them and then finds no lease.
APPEND_UNDER_LEASE = _KEEP.format(
    leased="""
alive as materialized (
    select id from processes where id = $14 for key share
), held as materialized (
    select tableid from alive join leases on process = id
    join unnest($15::text[], $16::bigint[]) as a (tableid, epoch) using (tableid, epoch)
),
""",
    held="and (a.tableid <> all ($15) or a.tableid in (select tableid from held))",
    told="union all select tableid, -1, '' from held",
)
_HELD = -1
"""Stands for a number where the database says that a table's lease is still the one that was named."""


class Job:
    """An entry that waits to be kept, and whoever waits for that."""

    __slots__ = ("entry", "future", "lease", "link", "listing", "n", "table")

    def __init__(self, table: str, stored: Stored, listing: Listing | None, lease: Lease | None) -> None:
        self.table, self.listing, self.lease = table, listing, lease
        self.n, self.entry, self.link = stored.n, stored.entry, stored.link
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.future.add_done_callback(_heard)

    def settle(self, error: StoreError | None = None) -> None:
        """Tell what became of it."""
        if self.future.done():
            return
        if error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)


def _heard(future: asyncio.Future[None]) -> None:
    """Whoever waited may have gone; what became of it is no mystery to the loop then."""
    if not future.cancelled():
        future.exception()


def next_batch(jobs: deque[Job]) -> list[Job]:
    """Whatever waits now, in the order in which every process locks rows; each number, and a table's listing, at
    most once: of two entries with the same number the statement would not tell which was kept. What is kept under
    a lease comes alone to its table, for nothing may follow it if it is not kept.
    """
    batch: list[Job] = []
    numbers: set[tuple[str, int]] = set()
    listings: set[str] = set()
    leased: dict[str, bool] = {}
    process = 0
    while jobs and len(batch) < _BATCH:
        job = jobs[0]
        if (job.table, job.n) in numbers or leased.get(job.table):
            break
        if job.lease is not None:
            if job.table in leased or process not in (0, job.lease.process):
                break
            process = job.lease.process
        leased[job.table] = job.lease is not None
        numbers.add((job.table, job.n))
        if job.listing is not None:
            if job.table in listings:
                break
            listings.add(job.table)
        batch.append(jobs.popleft())
    return sorted(batch, key=lambda job: (job.table, job.n))


def statement(batch: Sequence[Job]) -> tuple[str, list[Any]]:
    """What appends a batch, and its values."""
    listed = [(job, job.listing) for job in batch if job.listing is not None]
    leased = [(job, job.lease) for job in batch if job.lease is not None]
    values: list[Any] = [
        [job.table for job in batch],
        [job.n for job in batch],
        [job.entry for job in batch],
        [job.table for job, _ in listed],
        [job.n for job, _ in listed],
        [listing.phase for _, listing in listed],
        [listing.public for _, listing in listed],
        [listing.at for _, listing in listed],
        [listing.bots for _, listing in listed],
        [visitor for _, listing in listed for visitor in listing.sitters],
        [job.table for job, listing in listed for _ in listing.sitters],
        _followed(batch),
        [job.link for job in batch],
    ]
    if leased:
        (process,) = {lease.process for _, lease in leased}
        values += [process, [job.table for job, _ in leased], [lease.epoch for _, lease in leased]]
    return (APPEND_UNDER_LEASE if leased else APPEND), values


def settle(batch: Sequence[Job], rows: Iterable[Sequence[Any]]) -> None:
    """Tell everybody what the statement said."""
    told = {(row[0], row[1]) for row in rows}
    for job in batch:
        if (job.table, job.n) in told:
            job.settle()
        elif job.lease is not None and (job.table, _HELD) not in told:
            job.settle(LeaseLost(LEASE_LOST))
        else:
            job.settle(Conflict(CONFLICT))


def _followed(batch: Sequence[Job]) -> list[int]:
    """For each entry of a sorted batch the number of the one that must be there already for it to be kept: the one
    before it, or before the first of those that come in a row with it.
    """
    followed: list[int] = []
    last: Job | None = None
    for job in batch:
        in_a_row = last is not None and (last.table, last.n) == (job.table, job.n - 1)
        followed.append(followed[-1] if in_a_row else job.n - 1)
        last = job
    return followed
