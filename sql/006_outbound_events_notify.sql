-- What happened in a workspace and is told to its webhook endpoints. A row here, committed with the change it tells of,
-- is the promise; the notification only wakes whoever fans it out.

create table outbound_events (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  -- When deliveries were made of it; null = still in the outbox.
  fanned_out_at timestamptz,
  primary key (workspace_id, id)
);

-- The outbox: empty when all is well, so that looking into it costs nothing.
create index outbound_events_outbox on outbound_events (id) where fanned_out_at is null;

-- Per statement and with an empty payload: NOTIFY takes one cluster-wide lock at commit, so a thousand rows must not
-- cost more than one, and equal notifications of a transaction fold into one.
create function notify_outbound_events() returns trigger language plpgsql as $$
begin
  notify outbound_events;
  return null;
end
$$;

create trigger outbound_events_notify after insert on outbound_events
  for each statement execute function notify_outbound_events();
