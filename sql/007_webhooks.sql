-- Webhooks: outbound events (the transactional outbox), endpoints, deliveries, attempts and bulk replays.

-- Outbound events. A row is committed with the change that it reports. The outbox is the rows that are not fanned out.
create table outbound_events (
  -- Not enforced, as for customers.
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Time at which the deliveries were created. Null = still in the outbox.
  fanned_out_at timestamptz,
  -- Result of the fan-out, written by the update that takes the event out of the outbox, at no further row version.
  -- Stored, because endpoints and their settings change later.
  -- Endpoint id -> id of the created delivery. Null = none.
  sent_to jsonb,
  -- Endpoint id -> `not_subscribed`, `disabled`, `filter` or `about_itself`. Null = none.
  not_sent_to jsonb,
  -- Customer whose personal data is in `data`, for an erasure. Null without personal data, as in most statuses.
  data_subject_id uuid,
  -- Transaction that wrote the event. It never changes, except after a restore into another cluster.
  xid xid8 not null default pg_current_xact_id(),
  -- Trace context (W3C) of the message that it reports. Null without a trace.
  traceparent text,
  primary key (workspace_id, id)
) with (
  -- A queue, vacuumed early and fast (005_workflows, workflow_runs).
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

alter table outbound_events alter data set statistics 0;

-- The outbox, usually empty. By the time of the database, which is known to have passed; an id can be from any clock.
create index outbound_events_outbox_by_time on outbound_events (created_at, id) where fanned_out_at is null;
-- Lists the events of a type other than `message.status`, which nearly every event has.
create index outbound_events_by_type on outbound_events (workspace_id, type, id) where type <> 'message.status';
-- Finds the events with data of a customer. A customer id is unique in itself; statements still name the workspace.
create index outbound_events_by_data_subject on outbound_events (data_subject_id) where data_subject_id is not null;

-- The stream of events for pulls, in the order of transactions (src/webhooks/outbound-events/pull-sql.ts).
create index outbound_events_by_xid on outbound_events (workspace_id, xid, id);

-- Greatest position in the stream that retention has removed. A cursor before it has missed events.
create table outbound_event_trims (
  workspace_id uuid primary key,
  xid xid8 not null,
  id uuid not null
);

-- Wakes the fan-out. The payload is empty, so that PostgreSQL folds equal notifications of a transaction into one.
create function notify_outbound_events() returns trigger language plpgsql as $$
begin
  notify outbound_events;
  return null;
end
$$;

-- Notifies only for rows in the outbox. A notification costs every commit a lock that all databases share, and wakes
-- every process. Most writers create the deliveries immediately, and then no process needs to wake.
create trigger outbound_events_notify after insert on outbound_events
  for each row when (new.fanned_out_at is null) execute function notify_outbound_events();

-- Webhook endpoints. A deleted endpoint keeps its row for its delivery history.
create table webhooks (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  url text not null,
  description text,
  events text[] not null,
  enabled boolean not null default true,
  -- Signing secret and the previous one: encrypted for the endpoint, or in plain text if the operator has no key
  -- (src/webhooks/endpoints/secrets.ts). Null after the endpoint was deleted.
  secret bytea,
  previous_secret bytea,
  -- End of the overlap after a rotation (24 hours). The previous secret also signs until then.
  previous_secret_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Readers skip deleted endpoints.
  deleted_at timestamptz,
  name text,
  -- Notes of the owner: texts by names of their choice.
  metadata jsonb not null default '{}',
  -- Custom headers of the owner: their names, and the encrypted object of names and values.
  header_names text[] not null default '{}',
  headers bytea,
  -- Maximum number of attempts per second. Null = no limit by the owner.
  rate_per_second integer,
  -- Condition on the data of an event. Null = none.
  filter jsonb,
  -- While the endpoint is held, deliveries are created and wait.
  held_at timestamptz,
  held_by text check (held_by in ('owner', 'service')),
  -- Time at which it was disabled. Null if it is enabled.
  disabled_at timestamptz,
  -- SHA-256 of the secret and of the last replaced one. The signature diagnosis recognises a replaced secret long after
  -- its deletion.
  secret_hash bytea,
  replaced_secret_hash bytea,
  -- Maximum number of concurrent attempts. Null = no limit by the owner.
  max_concurrency smallint check (max_concurrency between 1 and 500),
  primary key (workspace_id, id)
);

-- Lists endpoints, also for key rotation, regardless of the number of deleted ones. Those have no secrets.
create index webhooks_not_deleted on webhooks (workspace_id, id) where deleted_at is null;
-- Finds endpoints that were deleted within a day, to drop their deliveries.
create index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null;
-- Finds the last deleted endpoints of a workspace.
create index webhooks_last_deleted on webhooks (workspace_id, deleted_at) where deleted_at is not null;
-- Finds previous secrets whose overlap has ended.
create index webhooks_expiring_secret on webhooks (previous_secret_until) where previous_secret_until is not null;

-- Health of an endpoint, written by its actors. Separate from the settings, which every fan-out reads. An endpoint
-- without failures has no row.
create table webhook_health (
  workspace_id uuid not null,
  webhook_id uuid not null,
  -- First failed attempt since the last success, and the number of failures. Null and 0 after a success.
  failing_since timestamptz,
  failed_attempts integer not null default 0,
  -- First success after failures, or the time at which it was released or enabled.
  healthy_since timestamptz,
  -- Last success before the newest failure. Deliveries have the later ones.
  last_success_at timestamptz,
  last_failed_at timestamptz,
  last_failed_status_code smallint,
  last_failed_error text,
  -- An `endpoint.failing` was emitted for the current failure, and the time of the last one.
  reported_failing boolean not null default false,
  reported_at timestamptz,
  -- Time of the last mail about a failure.
  mailed_at timestamptz,
  -- End of the reserved times of an endpoint with a rate.
  reserved_until timestamptz,
  primary key (workspace_id, webhook_id)
) with (
  -- Updates change no index and stay on the page.
  fillfactor = 50);

-- Deliveries: one outbound event to one endpoint.
create table deliveries (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  webhook_id uuid not null,
  event_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'failed', 'dropped')),
  attempts smallint not null default 0,
  -- Time of the next attempt. Null = no automatic attempt follows.
  due_at timestamptz,
  -- A person requested the due attempt.
  manual boolean not null default false,
  -- Result of the last attempt.
  status_code smallint,
  error text,
  duration_ms integer,
  last_attempt_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- A person sent the event to the endpoint again. `sent_to` of the event has the first delivery.
  resent boolean not null default false,
  primary key (workspace_id, id),
  -- Not enforced: the writer has read the endpoint, and endpoints are only marked as deleted. The check locked the row of
  -- the endpoint for each delivery, a quarter of the cost of a fan-out.
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id) not enforced
) with (
  -- A queue, vacuumed early and fast (005_workflows, workflow_runs).
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- Queue of the endpoint actor.
create index deliveries_due on deliveries (workspace_id, webhook_id, due_at, id) where due_at is not null;
-- Lists the deliveries of an endpoint.
create index deliveries_by_webhook on deliveries (workspace_id, webhook_id, id);
-- Finds failed and retrying deliveries for lists and bulk replays. A first attempt that succeeds has no entry.
create index deliveries_failing on deliveries (workspace_id, webhook_id, status, id)
  where status in ('retrying', 'failed');
-- Finds the resent deliveries of an event, for its trace and for an erasure.
create index deliveries_resent on deliveries (workspace_id, event_id, id) where resent;
-- Finds the newest attempts of an endpoint, regardless of the number of waiting deliveries.
create index deliveries_attempted on deliveries (workspace_id, webhook_id, last_attempt_at)
  where last_attempt_at is not null;

-- Attempts of deliveries.
create table delivery_attempts (
  workspace_id uuid not null,
  delivery_id uuid not null,
  number smallint not null,
  at timestamptz not null,
  status_code smallint,
  error text,
  duration_ms integer not null,
  -- First KiB of the response.
  response_body text,
  -- The signatures that were sent, one per line: X-Service-Signature, then webhook-signature. Attempts from before
  -- Standard Webhooks have only the first.
  signature text not null,
  -- Planned number of attempts at that time. Stored, because the settings change later.
  planned smallint not null,
  -- A person requested the attempt.
  manual boolean not null default false,
  primary key (workspace_id, delivery_id, number)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

alter table delivery_attempts alter response_body set statistics 0;

-- Finds responses of attempts more than a day after their delivery. Retention finds the others by the age of the delivery.
create index delivery_attempts_late on delivery_attempts (workspace_id, at)
  where response_body is not null and at - uuid_extract_timestamp(delivery_id) > interval '1 day';

-- Bulk replays of a time range, page by page: failed deliveries are attempted again, and events without a delivery get
-- one.
create table webhook_recoveries (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  webhook_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  status text not null default 'running' check (status in ('running', 'completed', 'cancelled')),
  -- Number of deliveries at the start, and number of those attempted.
  total integer not null,
  done integer not null default 0,
  -- `all`: the failed deliveries, then the missing ones.
  kind text not null default 'failed' check (kind in ('failed', 'missing', 'all')),
  -- Event types. Null = all for failed deliveries, and the types of the endpoint for missing ones.
  types text[],
  phase text not null default 'failed' check (phase in ('failed', 'missing')),
  -- Cursor: last delivery made due, in the order of ids, or last event read in the phase `missing`. `last_id` is the end
  -- of the range.
  cursor_id uuid not null,
  last_id uuid not null,
  -- Deliveries made due that are not known to be attempted, and the time at which they were made due.
  page uuid[] not null default '{}',
  page_size smallint not null,
  page_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (workspace_id, id)
);

-- Allows one running replay per endpoint.
create unique index webhook_recoveries_running on webhook_recoveries (workspace_id, webhook_id) where status = 'running';
