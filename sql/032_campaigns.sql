-- Campaigns: one template, sent to many customers over one channel; and who they are, with what became of each.

create table campaigns (
  -- Written by its actor while it runs, beside those of all other workspaces: not checked, as in 024.
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  name text not null,
  channel_id uuid not null,
  template_id uuid not null,
  -- Values by the names of the template's variables; they may hold {{customer.…}}.
  variables jsonb not null default '{}',
  -- {all: true}, {where: condition} or {customerIds: [id]}.
  audience jsonb not null,
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')),
  -- While the audience is being fixed: the customer up to whom it is. They are taken in the order of their ids.
  filled_to uuid,
  filled_at timestamptz,
  -- The recipient up to whom each has been begun, in the same order.
  begun_to uuid,
  -- Of its recipients how many there are, and how many stand where; they move with the recipients.
  recipients integer not null default 0,
  queued integer not null default 0,
  sent integer not null default 0,
  skipped integer not null default 0,
  unknown integer not null default 0,
  -- How many of the skipped, by reason.
  skipped_by jsonb not null default '{}',
  -- Counts what was written of it: whoever writes by what they read before, writes only if nobody did since.
  turn integer not null default 0,
  -- When its actor has something to do; null while it has not.
  due_at timestamptz,
  scheduled_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- The mailbox of their actors.
create index campaigns_due on campaigns (workspace_id, id, due_at) where due_at is not null;
-- A template that one of them needs cannot be removed.
create index campaigns_by_template on campaigns (workspace_id, template_id)
  where status in ('scheduled', 'running', 'paused');

-- The audience of a campaign, fixed when it starts. `queued`: the message is with the channel.
create table campaign_recipients (
  workspace_id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  outcome text not null default 'pending' check (outcome in ('pending', 'queued', 'sent', 'skipped', 'unknown')),
  -- Why it was skipped, as a code.
  reason text,
  message_id uuid,
  at timestamptz not null default now(),
  primary key (workspace_id, campaign_id, customer_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- The next to begin, those that are with the channel, and lists by outcome.
create index campaign_recipients_by_outcome on campaign_recipients (workspace_id, campaign_id, outcome, customer_id);
