-- Channels (the connections to messaging providers), conversations on them, messages and what became of each.

create table channels (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('sandbox')),
  name text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create table conversations (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  channel_id uuid not null,
  customer_id uuid not null,
  -- The customer's address on the channel, E.164.
  handle text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, channel_id) references channels (workspace_id, id)
);

-- One conversation per customer and channel.
create unique index conversations_once on conversations (workspace_id, channel_id, customer_id);
create index conversations_by_customer on conversations (workspace_id, customer_id);

create table messages (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  channel_id uuid not null,
  conversation_id uuid not null,
  customer_id uuid not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  text text,
  -- Only ever moves forward: queued < sent < delivered < read; skipped and failed end it.
  status text not null check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'received')),
  provider_message_id text,
  detail text,
  -- The run step that wrote it, and which visit of that step: a step visited once writes once.
  run_id uuid,
  run_step integer,
  -- When the channel actor may send it; null once it needs nothing more.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id)
);

create unique index messages_once on messages (workspace_id, run_id, run_step) where run_id is not null;
-- The channel actor's mailbox.
create index messages_due on messages (workspace_id, channel_id, due_at, id) where due_at is not null;
create index messages_by_conversation on messages (workspace_id, conversation_id, id);

-- Every status a provider ever told, also those that came too late to move the message.
create table message_statuses (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  message_id uuid not null,
  status text not null,
  detail text,
  at timestamptz not null default now(),
  primary key (workspace_id, message_id, id)
);
