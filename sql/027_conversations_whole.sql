-- Messages in both directions, and what a person sees of a conversation; the addresses of customers as rows of their own;
-- opting out by a word, and lifting it. What it adds has defaults, so that the release before works beside it.

alter table workspaces
  -- IANA; what a time of day means where a customer has no zone of their own.
  add column timezone text not null default 'UTC';

alter table customers
  -- Known by an address on a channel that is neither a phone nor an external id.
  add column has_handle boolean not null default false,
  drop constraint customers_identified,
  add constraint customers_identified
    check (erased_at is not null or has_handle or num_nonnulls(phone, external_id) > 0) not valid;

-- The addresses by which customers wrote to us, on each channel. A phone need not be among them: WhatsApp names people by
-- an id of its own. An erasure removes them.
create table handles (
  workspace_id uuid not null,
  channel_id uuid not null,
  handle text not null,
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, channel_id, handle)
);

create index handles_by_customer on handles (workspace_id, customer_id);

alter table channels
  -- Sealed (SECRETS_KEY), bound to workspace and channel; null where a kind needs none, and once disconnected.
  add column credentials bytea,
  -- Ours, as the provider knows it: a phone number, or the id of one.
  add column number text,
  -- `failing`: the provider refuses us, status_detail says with what.
  add column status text not null default 'connected' check (status in ('connected', 'failing', 'disconnected')),
  add column status_detail text,
  -- Of a sandbox: what becomes of the messages handed to it.
  add column sandbox_delivery text not null default 'delivered'
    check (sandbox_delivery in ('delivered', 'read', 'failed', 'manual')),
  add column updated_at timestamptz not null default now();

create unique index channels_number on channels (workspace_id, kind, number)
  where number is not null and status <> 'disconnected';

alter table conversations
  add column status text not null default 'open' check (status in ('open', 'closed')),
  -- A user; not a foreign key, for users belong to no workspace.
  add column assignee_id uuid,
  -- Messages of the customer that nobody has read yet.
  add column unread integer not null default 0,
  -- Since when a message of the customer has had no answer.
  add column waiting_since timestamptz,
  -- When the customer last wrote, by our clock: the window of a provider that has one is counted from here.
  add column last_inbound_at timestamptz,
  -- The customer wrote something like an opt-out that was none; until a person has read it.
  add column looks_like_opt_out boolean not null default false,
  -- The last message in either direction, or when it was opened: lists are in this order.
  add column active_at timestamptz not null default now(),
  add column updated_at timestamptz not null default now();

alter table messages
  add column type text not null default 'text'
    check (type in ('text', 'image', 'audio', 'video', 'document', 'location', 'other')),
  add column template_id uuid,
  -- What a provider with approved templates is handed instead of the text: {name, language, parameters: [text]}.
  add column provider_template jsonb,
  -- Needs an opt-in at the moment of sending.
  add column marketing boolean not null default false,
  -- Who wrote it, where one of us did: the id is of a user, a workflow or a campaign.
  add column sent_by text check (sent_by in ('user', 'workflow', 'campaign')),
  add column sent_by_id uuid,
  -- Inbound: the provider's time of it. Outbound: when the provider accepted it.
  add column sent_at timestamptz,
  add column idempotency_key text;

alter table message_statuses
  -- The provider's own time, where it tells one.
  add column provider_at timestamptz;

-- What a provider told of a message that it has accepted and that we had not recorded as accepted yet. Taken by whoever
-- records that; the rest is pruned after a week.
create table early_statuses (
  workspace_id uuid not null,
  channel_id uuid not null,
  provider_message_id text not null,
  id uuid not null default uuidv7(),
  status text not null,
  detail text,
  provider_at timestamptz,
  at timestamptz not null default now(),
  primary key (workspace_id, channel_id, provider_message_id, id)
);

create index early_statuses_by_age on early_statuses (at);

-- Words of a workspace, beside those that hold everywhere, by which its customers opt out.
create table opt_out_words (
  workspace_id uuid primary key references workspaces,
  words text[] not null,
  updated_at timestamptz not null default now()
);

alter table consents
  drop constraint consents_kind_check,
  -- `lift`: an owner says that an opt-out holds no more.
  add constraint consents_kind_check check (kind in ('opt_in', 'opt_out', 'lift')) not valid,
  -- Who of the users said so, where one did.
  add column user_id uuid;
