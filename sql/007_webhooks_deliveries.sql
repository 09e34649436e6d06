-- Webhook endpoints, the deliveries made for them, and every attempt of each.

create table webhooks (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  url text not null,
  description text,
  events text[] not null,
  enabled boolean not null default true,
  -- In clear: it must be at hand to sign each attempt.
  secret text not null,
  -- After a rotation the old secret signs too, until then (decisions on rotation: 24 hours).
  previous_secret text,
  previous_secret_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Kept for the record of what it was sent; invisible to every reader.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);

create table deliveries (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  webhook_id uuid not null,
  event_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'failed', 'dropped')),
  attempts smallint not null default 0,
  -- When the next attempt is due; null = no automatic attempt follows.
  due_at timestamptz,
  -- A person asked for the attempt that is due now.
  manual boolean not null default false,
  -- Of the last attempt.
  status_code smallint,
  error text,
  duration_ms integer,
  last_attempt_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, id),
  foreign key (workspace_id, webhook_id) references webhooks (workspace_id, id)
);

-- The endpoint actor's mailbox.
create index deliveries_due on deliveries (workspace_id, webhook_id, due_at, id) where due_at is not null;
create index deliveries_by_webhook on deliveries (workspace_id, webhook_id, id);

create table delivery_attempts (
  workspace_id uuid not null,
  delivery_id uuid not null,
  number smallint not null,
  at timestamptz not null,
  status_code smallint,
  error text,
  duration_ms integer not null,
  -- The first KiB of the answer.
  response_body text,
  -- The X-Service-Signature header that was sent.
  signature text not null,
  primary key (workspace_id, delivery_id, number)
);
