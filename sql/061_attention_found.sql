-- What finds the few that need somebody among the many that do not, and records by what people type.
-- online

-- step
create index concurrently if not exists workflow_runs_failed on workflow_runs (workspace_id, ended_at)
  where status = 'failed' and end_reason <> 'customer_erased';

-- step
-- Names as they are compared: the beginning of one is a span of the index.
create index concurrently if not exists customers_by_name on customers (workspace_id, (lower(name collate pg_c_utf8)))
  where name is not null and erased_at is null;

-- step
create index concurrently if not exists workflows_by_name on workflows (workspace_id, (lower(name collate pg_c_utf8)));

-- step
create index concurrently if not exists webhooks_living on webhooks (workspace_id, id) where deleted_at is null;

-- step
create index concurrently if not exists refusals_by_request on refusals (workspace_id, request_id);
