-- Workflows: drafts, immutable published versions, runs, and the waits of runs.

-- Workflows with their drafts.
create table workflows (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  name text not null,
  enabled boolean not null default false,
  draft jsonb not null,
  published_version integer,
  -- Event type of the published version, otherwise of the draft. New events are compared with it.
  trigger_type text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Time and user of the last switch on or off.
  switched_at timestamptz,
  switched_by uuid,
  -- Errors of an incomplete draft: [{path, message}], at most 20. Stored, so that lists do not check every draft again.
  -- Empty if the draft is complete.
  draft_errors jsonb not null default '[]',
  -- Archived workflows are switched off and hidden from the list. Null if it is not archived.
  archived_at timestamptz,
  primary key (workspace_id, id),
  check (archived_at is null or not enabled)
);

-- Finds the workflows of an event type.
create index workflows_by_trigger on workflows (workspace_id, trigger_type);
-- Finds the workflows of an event type in any spelling with one lookup.
create index workflows_by_spelling on workflows (workspace_id, event_type_spelling(trigger_type));
-- Finds names by their beginning, as customers_by_name.
create index workflows_by_name on workflows (workspace_id, (lower(name collate pg_c_utf8)));

-- Published versions. Never updated: a run keeps the version it was started with.
create table workflow_versions (
  workspace_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  definition jsonb not null,
  -- Account that published it. A note without a reference: the account can be gone, or be in another database.
  published_by uuid,
  published_at timestamptz not null default now(),
  -- Templates that its steps name.
  template_ids uuid[] not null default '{}',
  primary key (workspace_id, workflow_id, version),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);

-- Event types that published versions wait for, or that end their runs. Events of other types wake no run, and their
-- recording does not look for waiting runs.
create table workflow_wait_events (
  workspace_id uuid not null,
  event_type text not null,
  workflow_id uuid not null,
  version integer not null,
  primary key (workspace_id, event_type, workflow_id, version)
);

-- Runs. The row is also the schedule: the run is due at wake_at. Runs are advanced outside of a transaction: a process
-- claims the row first, and stores the result only if its claim is still in the row. Like events, runs have no foreign
-- key on the hot path.
create table workflow_runs (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  workflow_id uuid not null,
  version integer not null,
  customer_id uuid not null,
  event_id uuid not null,
  status text not null default 'active' check (status in ('active', 'done', 'failed', 'stopped')),
  -- Next step, or the step that waits. Null before the first step.
  step_id text,
  waiting boolean not null default false,
  -- Null after the end of the run.
  wake_at timestamptz,
  -- Number of steps taken: the position in the trace, and a limit for loops.
  steps_taken integer not null default 0,
  end_reason text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Number of attempts since the last progress. Counted when an attempt begins, because an attempt can end its process.
  attempts smallint not null default 0,
  -- A process works on the run until then. The claim of a dead process expires.
  claimed_until timestamptz,
  -- Due while the runs of its workspace were paused. Such a run is outside of the queue until they are resumed.
  paused boolean not null default false,
  -- End of the current wait. `wake_at` can be earlier, if something arrived that must be evaluated.
  wait_until timestamptz,
  -- Result of the last wait: {text} of a message or {data} of an event. An erasure empties it.
  answer jsonb,
  -- Arrivals up to this id have been evaluated, for a due run that does not receive all of them together.
  evaluated_up_to uuid,
  -- Reason that the definition gives for an end.
  end_detail text,
  -- Key for workflows that a customer enters once: `once:` or `active:`, and a value. An ended run blocks a new one only
  -- if its key begins with `once:`.
  entry_key text,
  -- Arrivals that ended waits of the run. Each arrival ends one wait.
  consumed_arrivals uuid[] not null default '{}',
  primary key (workspace_id, id)
) with (
  -- Free space for the claim, whose update changes no index and stays on the page.
  fillfactor = 50,
  -- Rows of queues change a few times while they are new and never again. Vacuum after 2 instead of 20 percent of the
  -- history, at ten times the usual speed, because readers of the queue pass every dead entry.
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

alter table workflow_runs alter answer set statistics 0;

-- Makes an event start a workflow once.
create unique index workflow_runs_once on workflow_runs (workspace_id, event_id, workflow_id);
-- Queue of due runs.
create index workflow_runs_due on workflow_runs (wake_at) where wake_at is not null and not paused;
-- Finds the runs to put back into the queue when their pause ends.
create index workflow_runs_paused on workflow_runs (workspace_id, wake_at) where wake_at is not null and paused;
-- Lists the runs of a workflow.
create index workflow_runs_by_workflow on workflow_runs (workspace_id, workflow_id, id);
-- Lists the runs of a customer: newest for the timeline, all for an erasure.
create index workflow_runs_by_customer on workflow_runs (workspace_id, customer_id, id);
-- Keeps a customer from entering a workflow twice.
create unique index workflow_runs_entry on workflow_runs (workspace_id, workflow_id, entry_key)
  where entry_key is not null and (ended_at is null or entry_key like 'once:%');
-- Finds the active runs of a workflow, by version and step.
create index workflow_runs_active on workflow_runs (workspace_id, workflow_id, version, step_id, id)
  where status = 'active';
-- Finds failed runs for alerts.
create index workflow_runs_failed on workflow_runs (workspace_id, ended_at)
  where status = 'failed' and end_reason <> 'customer_erased';

-- Trace: the result of each step of a run, in order. Written with the effects of the step.
create table workflow_run_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  position integer not null,
  step_id text not null,
  outcome text not null,
  detail jsonb,
  at timestamptz not null default now(),
  primary key (workspace_id, run_id, position)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

alter table workflow_run_steps alter detail set statistics 0;

-- Conditions that waiting runs wait for. Like runs, without foreign keys.
create table run_waits (
  workspace_id uuid not null,
  customer_id uuid not null,
  kind text not null check (kind in ('event', 'reply', 'opt_out')),
  -- Empty for other kinds than `event`.
  event_type text not null,
  run_id uuid not null,
  primary key (workspace_id, customer_id, kind, event_type, run_id)
);

-- Finds the waits of a run.
create index run_waits_by_run on run_waits (workspace_id, run_id);

-- Arrivals for waiting runs, until an execution has evaluated them.
create table run_arrivals (
  workspace_id uuid not null,
  run_id uuid not null,
  kind text not null check (kind in ('event', 'reply')),
  -- Id of the event or the message.
  arrival_id uuid not null,
  at timestamptz not null default now(),
  primary key (workspace_id, run_id, arrival_id)
);

-- Finds outdated arrivals.
create index run_arrivals_by_age on run_arrivals (at);

-- Runs that recently started to wait. A transaction of the same moment did not see the wait. Arrivals are therefore
-- searched again after all transactions of that moment have committed.
create table run_rechecks (
  workspace_id uuid not null,
  run_id uuid not null,
  waiting_since timestamptz not null default now(),
  primary key (workspace_id, run_id)
);

-- Finds the runs to recheck, oldest first.
create index run_rechecks_by_age on run_rechecks (waiting_since);
