-- Events, rejected events, and hourly statistics.

-- Events, the busiest table. No foreign key to customers: the event writer reads or inserts the customer in the same
-- statement, and customers are never deleted. A check would cost every event and protect nothing.
create table events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  -- `api` for a key, `dashboard` for a person: the scope of the idempotency key (section 6.3, rule 3).
  source text not null,
  -- Store plugin recognised from User-Agent, otherwise `custom`.
  sender text not null,
  customer_id uuid not null,
  data jsonb not null,
  idempotency_key text,
  -- Number of enabled, published workflows with this type when the event was recorded.
  matched_workflows integer not null,
  -- Reason that nothing ran, at the time of recording. Null if at least one run was started (section 6.4).
  reason text check (reason in ('no_listener', 'switched_off', 'never_published', 'not_run_for_customer')),
  created_at timestamptz not null default now(),
  -- A version of a workflow waited for this type when the event was recorded.
  awaited boolean,
  -- SHA-256 of the idempotency key of an erased customer, which can name a person. A repeat is still recognised. Null
  -- while the key itself is there, or without a key.
  key_digest bytea,
  -- Cheap hash that finds the digest. Every event with a key looks it up.
  key_hash bigint,
  -- Time at which the event occurred, according to its sender. Null if the sender gave none.
  occurred_at timestamptz,
  -- Differences in repeats of the idempotency key ('type', 'customer', 'occurredAt', 'optIn', 'data'). Null without differences.
  mismatch text[],
  -- Time at which such a repeat was last noted.
  mismatched_at timestamptz,
  -- Trace context (W3C) of the request. Null without a trace.
  traceparent text,
  primary key (workspace_id, id)
) with (
  -- A share of the table, so that removed rows do not make it much larger than its content. The default of a fifth would
  -- vacuum two of ten million rows in one run.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

alter table events alter data set statistics 0;

-- Makes an idempotency key record one event, and finds it.
create unique index events_idempotency_key on events (workspace_id, source, idempotency_key) where idempotency_key is not null;
-- Recognises repeated keys of erased customers.
create index events_key_hash on events (workspace_id, source, key_hash) where key_hash is not null;
-- Lists the events of a customer: newest for the timeline, all for an erasure. A customer id is unique in itself.
-- Without the workspace an entry is a third smaller; statements still name the workspace.
create index events_by_customer on events (customer_id, id);
-- Lists the events of a type, however rare. A hash of workspace and type is a third as long as both. An event pays 2 to
-- 3 us for its entry, and a seventh more write-ahead log. With the two columns it was 4 to 5 us and a quarter.
create index events_by_type on events (hashtextextended(type, uuid_hash_extended(workspace_id, 0)), id);
-- Tells the planner that the hash determines workspace and type. Otherwise it multiplies the conditions, expects few
-- rows, and reads and sorts all events of the type.
create statistics events_by_type (dependencies)
  on workspace_id, type, (hashtextextended(type, uuid_hash_extended(workspace_id, 0))) from events;
-- Finds events with listeners that started nothing. They are few among many.
create index events_not_run on events (workspace_id, reason, id)
  where reason in ('switched_off', 'never_published', 'not_run_for_customer');
-- Finds the event types of a day that started nothing because no enabled workflow named them. A handled event has no
-- entry. Equal entries share one key, so an entry needs about 8 bytes.
create index events_unhandled on events (workspace_id, ((created_at at time zone 'UTC')::date), type)
  where reason in ('no_listener', 'switched_off', 'never_published');
-- Finds the events of a customer for a run that starts to wait. Other events have no entry.
create index events_awaited on events (workspace_id, customer_id, type, id) where awaited;

-- Reasons that workflows did not start, at the time of recording. One row per workflow with the event's type that did not
-- start. If no workflow has the type, one row without a workflow names a similar type. Like runs, without a foreign key
-- on the hot path.
create table event_outcomes (
  workspace_id uuid not null,
  event_id uuid not null,
  position smallint not null,
  workflow_id uuid,
  verdict text not null check (verdict in ('no_listener', 'switched_off', 'never_published', 'not_run_for_customer')),
  -- For not_run_for_customer: the deciding comparisons with their values. For no_listener: the similar type. It holds
  -- event data, so an erasure empties it.
  detail jsonb,
  primary key (workspace_id, event_id, position),
  check ((workflow_id is null) = (verdict = 'no_listener'))
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

alter table event_outcomes alter detail set statistics 0;

-- Returns an event type without differences in case, surrounding space, and the separators . _ - and space.
create function event_type_spelling(type text) returns text
  language sql immutable strict parallel safe
  return lower(translate(btrim(type), '_- ', '...'));

-- Tombstones of removed events that had an idempotency key, so that a repeat records nothing.
create table removed_events (
  workspace_id uuid not null,
  source text not null,
  -- SHA-256 of the key.
  key_digest bytea not null,
  event_id uuid not null,
  type text not null,
  sender text not null,
  customer_id uuid not null,
  created_at timestamptz not null,
  -- The digest before the source: it tells rows apart in one comparison, without comparing texts.
  primary key (workspace_id, key_digest, source)
);

-- Number of events of a calendar month (UTC), which is the sum of its rows. Each shard is one row, so that concurrent
-- batches of the event writer do not wait for one row. The row also has counts of one hour, event type and outcome,
-- which move to hourly_stat_changes when it takes those of another.
create table event_usage (
  workspace_id uuid not null,
  month date not null,
  shard smallint not null,
  recorded bigint not null,
  -- Hour, event type and outcome (as in hourly_stat_changes) that the row counts. Null without.
  hour timestamptz,
  type text,
  outcome text,
  -- Number of events in `recorded` that are counted in hourly_stat_changes. The others have this hour, type and outcome.
  recorded_before bigint not null default 0,
  -- Number of the others that nothing handled.
  unhandled bigint not null default 0,
  -- Number of runs that the others started.
  runs_started bigint not null default 0,
  primary key (workspace_id, month, shard)
);

-- Rejected events (interface document, section 6.4). Equal errors of ten minutes share a row.
create table rejected_requests (
  -- Not enforced, as for customers.
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  -- Digest of everything that makes two errors equal: sender, key, method, path, status, code, message and details.
  digest bytea not null,
  -- Latest row with the digest. An error within ten minutes of first_at counts here; a later one closes the row.
  open boolean not null default true,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count integer not null,
  sender text not null,
  -- Null for a person and for a callback. Not a foreign key: the key can be deleted.
  api_key_id uuid,
  method text not null,
  path text not null,
  status smallint not null,
  code text not null,
  message text not null,
  details jsonb,
  -- Newest request with this error.
  request_id uuid not null,
  -- For a warning: the event that the idempotency key names.
  event_id uuid,
  -- Structure of the newest event with this error, without values. At most 4 KiB.
  sample jsonb,
  primary key (workspace_id, id)
);

-- Makes concurrent processes share the open row of an error.
create unique index rejected_requests_open on rejected_requests (workspace_id, digest) where open;
-- Finds rows of all workspaces that are older than the retention.
create index rejected_requests_by_age on rejected_requests (first_at);
-- Finds the row of a request.
create index rejected_requests_by_request on rejected_requests (workspace_id, request_id);

-- New counts per workspace and hour. Each counting statement inserts its own row and so waits for no lock. A scheduled
-- task adds the rows to hourly_stats.
create table hourly_stat_changes (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  -- Start of the hour, UTC.
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
  -- Events that nothing handled: no workflow started or waited.
  unhandled integer not null default 0,
  -- Group of the counts: an event type, a channel, a webhook endpoint or a problem (digest of a rejected request).
  kind text check (kind in ('type', 'channel', 'webhook', 'problem')),
  group_id text,
  -- For an event type: `started` or the reason why nothing ran, and the number of events.
  outcome text,
  outcome_events integer,
  -- For a channel: the reason of each failed or skipped message.
  reasons text[],
  -- For an endpoint: the status code of each attempt, 0 without a response, and its duration in milliseconds.
  status_codes smallint[],
  durations_ms integer[],
  primary key (workspace_id, id)
) with (
  -- A queue, vacuumed early and fast (005_workflows, workflow_runs).
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- Hourly statistics: the sums of `hourly_stat_changes`. Free space in each page keeps updates on the page.
create table hourly_stats (
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
  unhandled bigint not null default 0,
  primary key (workspace_id, hour)
) with (fillfactor = 80);

-- Statistics per group (event type, channel, endpoint, problem), by hour and by day. The id is empty for the groups
-- beyond the maximum of an hour or day.
create table group_stats (
  workspace_id uuid not null,
  kind text not null,
  unit text not null check (unit in ('hour', 'day')),
  -- Start of the hour or day, UTC.
  at timestamptz not null,
  group_id text not null,
  -- Number of counted records, by which groups are ranked.
  total bigint not null,
  -- Number by counter, by `reason:<reason>`, by `code:<status code>` and by `ms:<bucket>` of the duration.
  counts jsonb not null,
  primary key (workspace_id, kind, unit, at, group_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

-- Lists the hours or days of one group.
create index group_stats_by_group on group_stats (workspace_id, kind, group_id, unit, at);
-- Finds rows of all workspaces that are older than the retention.
create index group_stats_by_age on group_stats (unit, at);

-- Adds counts by name. Beyond 700 names, the smallest counts go to `reason:other`. Only failure reasons can exceed this.
create function add_counts(a jsonb, b jsonb) returns jsonb
  language sql immutable strict parallel safe
  return (
    select coalesce(jsonb_object_agg(name, count), '{}') from (
      select case when position <= 700 then name else 'reason:other' end as name, sum(count) as count from (
        select name, sum(count) as count, row_number() over (order by name like 'reason:%', sum(count) desc, name) as position
        from (
          select key, value::bigint from jsonb_each_text(a) union all select key, value::bigint from jsonb_each_text(b)
        ) added (name, count)
        group by name
      ) ranked group by 1
    ) bounded);
