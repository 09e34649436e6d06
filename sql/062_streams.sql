-- What streams tell of: which workspaces somebody watches, and which of their rows were changed that no index leads to by
-- the time of the change. Both are worth minutes and written for nobody but those who watch: neither outlives a crash.

create unlogged table streamed_workspaces (
  workspace_id uuid primary key,
  -- Whoever changes something of the workspace notes it until then.
  until timestamptz not null
);

create index streamed_workspaces_by_end on streamed_workspaces (until);

create unlogged table stream_changes (
  workspace_id uuid not null,
  kind text not null,
  id uuid not null default uuidv7(),
  subject_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, kind, id)
) with (autovacuum_vacuum_scale_factor = 0.1);

-- For what is removed because it is too old, of all workspaces.
create index stream_changes_by_age on stream_changes (at);
