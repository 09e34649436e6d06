-- What a run waits for besides time, what arrived for it, and starts that are refused while another run of the same
-- customer is in the way.

alter table workflow_runs
  drop constraint workflow_runs_status_check,
  add constraint workflow_runs_status_check check (status in ('active', 'done', 'failed', 'stopped')) not valid,
  -- The end of the wait it is in. Beside it `wake_at` may be now, when something arrived that is to be judged.
  add column wait_until timestamptz,
  -- What ended the last wait: {text} of a message, {data} of an event. Emptied when the customer is erased.
  add column answer jsonb,
  -- The last arrival that ended a wait: none counts twice.
  add column seen_up_to uuid,
  -- The reason that the definition gives for an end.
  add column end_detail text,
  -- Where a workflow lets nobody in a second time: `once:` or `active:`, and what is to be met only once. A run that has
  -- ended stands in nobody's way unless its key begins with `once:`.
  add column entry_key text;

alter table workflow_versions
  -- The templates that its steps name.
  add column template_ids uuid[] not null default '{}';

alter table workflows
  -- Since when it has been switched on, or off; and by whom.
  add column switched_at timestamptz,
  add column switched_by uuid;

-- The event types that published versions wait for, or that end their runs: an event of any other wakes nobody, and its
-- recording does not look for who waits.
create table workflow_awaits (
  workspace_id uuid not null,
  event_type text not null,
  workflow_id uuid not null,
  version integer not null,
  primary key (workspace_id, event_type, workflow_id, version)
);

-- What runs wait for that are parked. Like runs, without foreign keys.
create table run_waits (
  workspace_id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('event', 'reply', 'opt_out')),
  -- Empty of any other kind than an event.
  event_type text not null,
  run_id uuid not null,
  primary key (workspace_id, customer_id, kind, event_type, run_id)
);

create index run_waits_of_run on run_waits (workspace_id, run_id);

-- What arrived for runs that wait, until a visit has judged it.
create table run_wakes (
  workspace_id uuid not null,
  run_id uuid not null,
  kind text not null check (kind in ('event', 'reply')),
  -- The event's, or the message's.
  arrival_id uuid not null,
  at timestamptz not null default now(),
  primary key (workspace_id, run_id, arrival_id)
);

create index run_wakes_by_age on run_wakes (at);

-- Runs that were parked a moment ago: whoever recorded something at that moment did not see that they wait, so what
-- arrived is looked for once more when everybody of that moment has committed.
create table run_looks (
  workspace_id uuid not null,
  run_id uuid not null,
  parked_at timestamptz not null default now(),
  primary key (workspace_id, run_id)
);

create index run_looks_by_age on run_looks (parked_at);
