-- What an owner may say of an endpoint besides its address (a name, headers, a rate, a filter), holding one, what is
-- remembered of how each does, deliveries made again of an event, and recoveries of those that failed.

alter table webhooks
  add column name text,
  -- The owner's own notes, texts by names of their choice.
  add column metadata jsonb not null default '{}',
  -- The owner's own headers: their names, and sealed for this endpoint an object of all names and values.
  add column header_names text[] not null default '{}',
  add column headers bytea,
  -- The most attempts that are begun in a second; null = as many as it bears.
  add column rate_per_second integer,
  -- A condition on the data of an event; null = none.
  add column filter jsonb,
  -- Deliveries are made and wait until it is released.
  add column held_at timestamptz,
  add column held_by text check (held_by in ('owner', 'service')),
  -- Since when it has not been enabled; null where that was before this was kept, or it is.
  add column off_since timestamptz;

-- How an endpoint does, as its actors tell; apart from its settings, which every fan-out reads. Without a row nothing
-- worth telling has happened.
create table webhook_health (
  workspace_id uuid not null,
  webhook_id uuid not null,
  -- The first attempt that failed since one succeeded, and how many did; null and 0 where the last one succeeded.
  failing_since timestamptz,
  failed_attempts integer not null default 0,
  -- The first success after it had failed, or when it was released or switched on.
  healthy_since timestamptz,
  -- Of the time before the newest failure; of later ones the deliveries tell.
  last_success_at timestamptz,
  last_failed_at timestamptz,
  last_failed_status_code smallint,
  last_failed_error text,
  -- Until when its turns are given away, of an endpoint with a rate.
  paced_until timestamptz,
  primary key (workspace_id, webhook_id)
) with (fillfactor = 50);

-- Made again of an event by a person, whatever became of the first: what the event says of its deliveries names others.
alter table deliveries add column again boolean not null default false;

-- Failed deliveries of a time, to be attempted once more, a page at a time.
create table webhook_recoveries (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  webhook_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled')),
  -- How many there were as it began, and how many of them were attempted.
  total integer not null,
  done integer not null default 0,
  -- The delivery up to which each was made due, in the order of ids; none behind `last` is.
  reached uuid not null,
  last uuid not null,
  -- Those that were made due and are not known to have been attempted, and when they were.
  page uuid[] not null default '{}',
  page_size smallint not null,
  page_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (workspace_id, id)
);

-- One at a time for each endpoint.
create unique index webhook_recoveries_running on webhook_recoveries (workspace_id, webhook_id) where status = 'running';
