-- The audit log: who did what to which record, when, and from which address. A row is committed with what it tells of, or
-- not at all, and stays as it was written: it holds nothing of a customer, so that no erasure has to reach it.

create table audit_entries (
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  at timestamptz not null default now(),
  -- `unknown`: somebody who did not show who they are, as with a wrong password.
  actor_type text not null check (actor_type in ('user', 'api_key', 'unknown')),
  actor_id uuid check ((actor_id is null) = (actor_type = 'unknown')),
  -- Named as the operation of the interface that does it. Later releases know more of them.
  action text not null,
  target_type text not null,
  target_id uuid not null,
  -- A few words about what was done, by name.
  detail jsonb not null default '{}' check (octet_length(detail::text) <= 8192),
  -- The network address that the request came from, and the request; null for what was not asked for by one.
  address text,
  request_id uuid,
  primary key (workspace_id, id)
);

create index audit_entries_of_actor on audit_entries (workspace_id, actor_id, id);
create index audit_entries_of_action on audit_entries (workspace_id, action, id);
create index audit_entries_of_target on audit_entries (workspace_id, target_id, id);
-- For what is removed because it is too old, of all workspaces.
create index audit_entries_by_age on audit_entries (at);

-- Nothing is changed, and nothing removed but by a transaction that says for itself that it removes what is too old.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.retention', true) = 'on' then
    return old;
  end if;
  raise exception 'Entries of the audit log are neither changed nor removed.' using errcode = 'integrity_constraint_violation';
end
$$;

create trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_stay_all before truncate on audit_entries
  for each statement execute function refuse_audit_change();
