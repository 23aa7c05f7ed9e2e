
create table entries (
    tableid text not null,
    n integer not null,
    entry bytea not null,
    link bytea not null,
    primary key (tableid, n)
);
create table listings (
    id text primary key,
    phase text not null,
    public boolean not null,
    born bigint generated always as identity,
    at text not null,
    bots boolean not null,
    last integer not null
);
create index listings_by_phase on listings (phase, public, born);
create index listings_of_bots on listings (phase, bots);
create table sitters (
    visitor text not null,
    tableid text not null references listings (id) on delete cascade,
    primary key (visitor, tableid)
);
create index sitters_by_table on sitters (tableid);
create table devices (
    device text primary key,
    visitor text not null,
    at double precision not null
);
create index devices_by_visitor on devices (visitor);
create table handovers (
    visitor text primary key,
    code text not null unique,
    until double precision not null,
    claimed text not null
);
create table codes (
    code text primary key,
    tableid text not null unique,
    until double precision not null
);
create table reviews (
    tableid text primary key references listings (id) on delete cascade,
    evaluator text not null,
    review bytea not null
);

-- a process lives until it expires, which it puts off again and again; its leases end with it
create table processes (
    id integer primary key,
    expires timestamptz not null
);
create table leases (
    tableid text primary key,
    process integer not null references processes on delete cascade,
    epoch bigint generated always as identity
);
create index leases_by_process on leases (process);
create unlogged table attendance (
    process integer not null references processes on delete cascade,
    tableid text not null,
    visitors text[] not null,
    watching integer not null,
    host text not null,
    primary key (tableid, process)
);

-- a server that was still running when the tables were carried over cannot append any more
create function serai_expect_format() returns trigger language plpgsql as $$
declare
    stored text := (select 'format ' || max(version) from serai_schema);
    written text := coalesce('format ' || nullif(current_setting('serai.format', true), ''), 'none');
begin
    if written <> stored then
        raise 'the tables are stored in %, and this server writes %: stop it and start a newer one', stored, written;
    end if;
    return null;
end $$;
create trigger expect_format before insert on entries for each statement execute function serai_expect_format();

-- by the listings' key, however many there are: "last" is counted with every append
create function serai_count_entries() returns trigger language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
    update listings set last = counted.n
    from (select tableid, max(n) as n from added group by tableid) as counted
    where id = counted.tableid and last < counted.n;
    return null;
end $$;
create trigger count_entries after insert on entries referencing new table as added
for each statement execute function serai_count_entries();
