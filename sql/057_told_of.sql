-- Who is told of what: the audit log also tells of what the operator did on the command line, who is neither a person nor a key of the workspace.
alter table audit_entries
  drop constraint audit_entries_actor_type_check,
  drop constraint audit_entries_check,
  add constraint audit_entries_actor_type_check
    check (actor_type in ('user', 'api_key', 'operator', 'unknown')) not valid,
  -- Of the operator and of somebody unknown there is no id.
  add constraint audit_entries_actor_id_check
    check ((actor_id is null) = (actor_type in ('operator', 'unknown'))) not valid;

-- When owners were last written to because a channel's provider refuses us: one that fails by turns is no new mail each time.
alter table channels add column failing_told_at timestamptz;

-- Of which month, and of how much of its allowance of events (in percent), owners were written to last.
alter table workspaces
  add column events_told_month date,
  add column events_told_percent smallint;
