-- What finds the runs of a workflow that have not ended, and what keeps a customer from being in one twice.
-- online

-- step
create unique index concurrently if not exists workflow_runs_entry on workflow_runs (workspace_id, workflow_id, entry_key)
  where entry_key is not null and (ended_at is null or entry_key like 'once:%');

-- step
create index concurrently if not exists workflow_runs_living on workflow_runs (workspace_id, workflow_id, version, step_id, id)
  where status = 'active';
