-- Removing what is older than its kind is kept (RETENTION_…): how far that has come, and what remains of what is gone. The
-- release before knows nothing of it: to it a repeat of an event that was removed is new. So nothing is removed before the
-- operator asks for it.

-- What remains of an event that came with an idempotency key, so that a repeat of it records nothing.
create table removed_events (
  workspace_id uuid not null,
  source text not null,
  -- SHA-256 of the key.
  key_digest bytea not null,
  event_id uuid not null,
  type text not null,
  sender text not null,
  customer_id uuid not null,
  created_at timestamptz not null,
  -- The digest tells two rows apart in one comparison; the source, a text, hardly ever has to.
  primary key (workspace_id, key_digest, source)
);

-- The same of a message that a person wrote with one.
create table removed_messages (
  workspace_id uuid not null,
  conversation_id uuid not null,
  key_digest bytea not null,
  message_id uuid not null,
  primary key (workspace_id, conversation_id, key_digest)
);

-- Of each kind of a workspace the id up to which everything was looked at: what is older was removed, or is needed still.
create table retention_marks (
  workspace_id uuid not null,
  kind text not null,
  reached uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Once a day it begins anew, for what was needed then and is no longer.
  begun_at timestamptz not null default now(),
  primary key (workspace_id, kind)
) with (fillfactor = 50);

-- Where the walk from workspace to workspace, and from kind to kind, goes on: one row.
create table retention_walk (
  only_one boolean primary key default true check (only_one),
  -- Null: at the beginning.
  kind text,
  after_workspace uuid,
  -- Something that was passed by was not finished.
  more boolean not null default false
);

insert into retention_walk default values;
