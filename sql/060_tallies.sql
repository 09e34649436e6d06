-- How many of what there was in each hour of a workspace: written with the rows that are counted, and read in their place.

-- Counts that were not added up yet: a statement that counts inserts a row for each workspace, and waits for nobody.
create table tallies (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  -- The first moment of the hour, UTC.
  hour timestamptz not null,
  events integer not null default 0,
  refused integer not null default 0,
  runs_started integer not null default 0,
  messages_queued integer not null default 0,
  messages_sent integer not null default 0,
  messages_delivered integer not null default 0,
  messages_read integer not null default 0,
  messages_failed integer not null default 0,
  messages_skipped integer not null default 0,
  messages_unknown integer not null default 0,
  messages_received integer not null default 0,
  deliveries_delivered integer not null default 0,
  deliveries_failed integer not null default 0,
  attempts integer not null default 0,
  primary key (workspace_id, id)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- The same, added up.
create table tally_hours (
  workspace_id uuid not null,
  hour timestamptz not null,
  events bigint not null default 0,
  refused bigint not null default 0,
  runs_started bigint not null default 0,
  messages_queued bigint not null default 0,
  messages_sent bigint not null default 0,
  messages_delivered bigint not null default 0,
  messages_read bigint not null default 0,
  messages_failed bigint not null default 0,
  messages_skipped bigint not null default 0,
  messages_unknown bigint not null default 0,
  messages_received bigint not null default 0,
  deliveries_delivered bigint not null default 0,
  deliveries_failed bigint not null default 0,
  attempts bigint not null default 0,
  primary key (workspace_id, hour)
) with (fillfactor = 80);

-- Events are counted for the month with each batch: the same row tells the hour. What a process of the release before
-- adds to `recorded` falls into the hour that the row is in.
alter table event_usage
  -- The hour in which the row was written last; null where that was before this was kept.
  add column hour timestamptz,
  -- `recorded` as that hour began.
  add column recorded_before bigint not null default 0,
  -- Runs that were started in that hour.
  add column runs_started bigint not null default 0;

-- Since when the provider refuses us; null where that was before this was kept, or it does not.
alter table channels add column failing_since timestamptz;

-- What happened before this migration, still to be counted: from the newest row to the oldest, a page at a time.
create table tally_backfills (
  workspace_id uuid not null,
  source text not null check (source in ('events', 'runs', 'messages', 'deliveries', 'refusals')),
  -- Rows with smaller ids are still to be counted.
  below uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  -- Whatever happened later is counted as it happens.
  before timestamptz not null default now(),
  primary key (workspace_id, source)
);

insert into tally_backfills (workspace_id, source)
select w.id, s.source from workspaces w
cross join (values ('events'), ('runs'), ('messages'), ('deliveries'), ('refusals')) as s(source);
