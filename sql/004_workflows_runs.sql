-- Workflows: a draft that is edited, immutable published versions, and the runs that events start.

create table workflows (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  name text not null,
  enabled boolean not null default false,
  draft jsonb not null,
  published_version integer,
  -- Of the published version, else of the draft: what an arriving event is compared with.
  trigger_type text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create index workflows_by_trigger on workflows (workspace_id, trigger_type);

-- Never updated: a run keeps the version it was started with, whatever is published later.
create table workflow_versions (
  workspace_id uuid not null,
  workflow_id uuid not null,
  version integer not null,
  definition jsonb not null,
  published_by uuid references users,
  published_at timestamptz not null default now(),
  primary key (workspace_id, workflow_id, version),
  foreign key (workspace_id, workflow_id) references workflows (workspace_id, id) on delete cascade
);

-- The run's row is its schedule: it is due at wake_at, and whoever advances it holds its row lock until the step's
-- effects are committed with it. Runs belong to events and, like them, carry no foreign key on the hot path.
create table workflow_runs (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  workflow_id uuid not null,
  version integer not null,
  customer_id uuid not null,
  event_id uuid not null,
  status text not null default 'active' check (status in ('active', 'done', 'failed')),
  -- The step to be entered, or, while a delay runs, the step that waits; null before the first.
  step_id text,
  waiting boolean not null default false,
  -- Null once the run has ended.
  wake_at timestamptz,
  -- Steps taken so far: the position in the trace, and a cap on loops.
  steps_taken integer not null default 0,
  end_reason text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (workspace_id, id)
);

-- An event starts a workflow once, ever.
create unique index workflow_runs_once on workflow_runs (workspace_id, event_id, workflow_id);
create index workflow_runs_due on workflow_runs (wake_at) where wake_at is not null;
create index workflow_runs_by_workflow on workflow_runs (workspace_id, workflow_id, id);

-- What each step of a run did, in order; appended with the step's effects.
create table workflow_run_steps (
  workspace_id uuid not null,
  run_id uuid not null,
  position integer not null,
  step_id text not null,
  outcome text not null,
  detail jsonb,
  at timestamptz not null default now(),
  primary key (workspace_id, run_id, position)
);
