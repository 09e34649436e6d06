-- Customers, the events recorded about them, and how many events a workspace recorded in a month.

create table customers (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  phone text,
  external_id text,
  name text,
  attributes jsonb not null default '{}',
  opted_in_at timestamptz,
  -- How the customer agreed, in the caller's words (section 2.3, optIn).
  opt_in_evidence text,
  opted_out_at timestamptz,
  opt_out_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create unique index customers_phone on customers (workspace_id, phone) where phone is not null;
create unique index customers_external_id on customers (workspace_id, external_id) where external_id is not null;

-- The busiest table. No foreign key to customers: the event writer reads or inserts the customer in the same statement,
-- and customers are never removed (an erased one keeps its id), so the check would cost every event and protect nothing.
create table events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  -- 'api' for a key, 'dashboard' for a person: the scope of the idempotency key (section 6.3 rule 3).
  source text not null,
  -- The store plugin recognised from User-Agent, else 'custom'.
  sender text not null,
  customer_id uuid not null,
  data jsonb not null,
  idempotency_key text,
  -- How many switched-on, published workflows named this type when the event was recorded.
  matched_workflows integer not null,
  -- Why nothing ran, as of that moment; null when at least one run was started (section 6.4).
  reason text check (reason in ('no_listener', 'switched_off', 'never_published', 'not_run_for_customer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create unique index events_idempotency_key on events (workspace_id, source, idempotency_key) where idempotency_key is not null;

-- Events recorded in a calendar month (UTC). Several rows per month, one per lane, so that batches of the event writer
-- do not queue for one row; the month's number is their sum.
create table event_usage (
  workspace_id uuid not null,
  month date not null,
  lane smallint not null,
  recorded bigint not null,
  primary key (workspace_id, month, lane)
);
