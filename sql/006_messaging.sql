-- Messaging: channels, conversations, messages, templates, campaigns and sales.

-- Channels: connections to messaging providers. Never deleted.
create table channels (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  -- Kind of provider. No check: src/messaging/channels/providers has the only list.
  kind text not null,
  name text not null,
  created_at timestamptz not null default now(),
  -- Encrypted (SECRETS_KEY), bound to workspace and channel. Null if the kind needs none, and after disconnecting.
  credentials bytea,
  -- Own address as the provider knows it: a phone number or its id.
  number text,
  -- `failing`: the provider rejects our calls, status_detail has the reason.
  status text not null default 'connected' check (status in ('connected', 'failing', 'disconnected')),
  status_detail text,
  -- Result of messages to a sandbox.
  sandbox_delivery text not null default 'delivered'
    check (sandbox_delivery in ('delivered', 'read', 'failed', 'manual', 'rejected')),
  updated_at timestamptz not null default now(),
  -- No calls until then: the provider asked for a pause, or rejects our calls and is then tried again.
  paused_until timestamptz,
  -- Time of the last mail to owners about the failing channel. A channel that fails repeatedly does not cause a mail
  -- each time.
  failing_notified_at timestamptz,
  -- Start of the failure. Null if the channel does not fail.
  failing_since timestamptz,
  primary key (workspace_id, id)
);

-- Allows one connected channel per kind and number.
create unique index channels_number on channels (workspace_id, kind, number)
  where number is not null and status <> 'disconnected';
-- Finds the channel of a callback, which names only the channel.
create index channels_by_id on channels (id);
-- Finds channels to write on. Disconnected ones are kept for their history.
create index channels_not_disconnected on channels (workspace_id, id) where status <> 'disconnected';
-- Finds encrypted credentials for key rotation.
create index channels_encrypted on channels (workspace_id, id) where credentials is not null;
-- Finds channels whose credentials might be readable again.
create index channels_failing on channels (workspace_id, id) where status = 'failing';

-- Conversations: one per customer and channel. Never deleted.
create table conversations (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  channel_id uuid not null,
  customer_id uuid not null,
  -- Address of the customer on the channel, E.164. Null after an erasure.
  handle text,
  created_at timestamptz not null default now(),
  status text not null default 'open' check (status in ('open', 'closed')),
  -- A user. No foreign key, because users belong to no workspace.
  assignee_id uuid,
  -- Number of unread messages of the customer.
  unread integer not null default 0,
  -- Time of the first unanswered message of the customer since the conversation was opened last. A message that opts out
  -- needs no answer.
  waiting_since timestamptz,
  -- Last message of the customer, by our clock. A provider's messaging window starts here.
  last_inbound_at timestamptz,
  -- A message resembled an opt-out without being one. False after a person has decided.
  looks_like_opt_out boolean not null default false,
  -- Since when the conversation needs a person: for an answer, or for a decision on a possible opt-out, also if closed.
  unanswered_since timestamptz generated always as (
    case when looks_like_opt_out then coalesce(waiting_since, last_inbound_at)
      when status = 'open' then waiting_since end) stored,
  -- Last message in either direction, otherwise the creation. Lists are in this order.
  active_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The customer wrote first. A plain text then stays possible after an opt-out.
  opened_by_customer boolean not null default false,
  primary key (workspace_id, id),
  -- Not enforced, as for customers. The writer has read the channel with the run, and channels are never deleted.
  foreign key (workspace_id, channel_id) references channels (workspace_id, id) not enforced
);

-- Allows one conversation per customer and channel.
create unique index conversations_once on conversations (workspace_id, channel_id, customer_id);
-- Lists the conversations of a customer.
create index conversations_by_customer on conversations (workspace_id, customer_id);
-- Lists conversations by activity.
create index conversations_by_activity on conversations (workspace_id, active_at, id);
-- Lists conversations that wait for an answer or a decision.
create index conversations_waiting on conversations (workspace_id, active_at, id)
  where waiting_since is not null or looks_like_opt_out;
-- Lists conversations with unread messages.
create index conversations_unread on conversations (workspace_id, active_at, id) where unread > 0;
-- Lists the conversations of an assignee.
create index conversations_assigned on conversations (workspace_id, assignee_id, active_at, id)
  where assignee_id is not null;
-- Lists and counts conversations that need a person, longest first.
create index conversations_unanswered on conversations (workspace_id, unanswered_since, id)
  where unanswered_since is not null;
-- Lists conversations with a possible opt-out.
create index conversations_possible_opt_out on conversations (workspace_id, active_at, id) where looks_like_opt_out;

-- Actions of people in conversations, for statistics: first responses and closings.
create table inbox_actions (
  workspace_id uuid not null,
  -- Id of the message for a first response. The time of the action is the time of the id.
  id uuid not null default uuidv7(),
  -- A user. No foreign key, because users belong to no workspace.
  user_id uuid not null,
  -- Seconds that the customer had waited for the first response. Null for a closing.
  waited_seconds integer,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Finds rows of all workspaces that are older than the retention.
create index inbox_actions_by_age on inbox_actions (created_at);

-- Messages in both directions. No foreign key: the statement that writes a message creates or finds its conversation, and
-- conversations are never deleted. The check cost a probe and a row lock per message.
create table messages (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  channel_id uuid not null,
  conversation_id uuid not null,
  customer_id uuid not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  text text,
  -- Only moves forward: queued < sent < delivered < read. `skipped`, `failed` and `unknown` end it. `unknown`: handed
  -- over without an answer of the provider.
  status text not null
    check (status in ('queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'unknown', 'received')),
  provider_message_id text,
  detail text,
  -- Run and step execution that wrote it. One execution of a step writes one message.
  run_id uuid,
  run_step integer,
  -- Time from which the channel actor may send it. Null if no attempt follows.
  due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Start of the hand-over to the provider, so that no process repeats it after a crash. Null before, and after the
  -- provider asked for a later time.
  send_started_at timestamptz,
  -- Number of times the provider asked for a later time.
  retries smallint not null default 0,
  type text not null default 'text'
    check (type in ('text', 'image', 'audio', 'video', 'document', 'location', 'other')),
  template_id uuid,
  -- Content for a provider with approved templates, instead of the text: {name, language, parameters: [text]}.
  provider_template jsonb,
  -- Needs an opt-in at the time of sending.
  marketing boolean not null default false,
  -- Author of an outbound message: the id is of a user, a workflow or a campaign.
  sent_by text check (sent_by in ('user', 'workflow', 'campaign')),
  sent_by_id uuid,
  -- Inbound: the provider's time. Outbound: time at which the provider accepted it.
  sent_at timestamptz,
  -- Digest with the prefix `erased:` after an erasure, because a key can name a person.
  idempotency_key text,
  -- Newest message that was created by sending this one again.
  resent_as uuid,
  -- Inbound: the message is an opt-out word.
  opts_out boolean not null default false,
  -- Trace context (W3C) of the event whose run wrote the message. Null without a trace.
  traceparent text,
  primary key (workspace_id, id)
) with (
  -- A queue, vacuumed early and fast (005_workflows, workflow_runs).
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

alter table messages alter text set statistics 0, alter detail set statistics 0,
  alter provider_template set statistics 0;

-- Makes one execution of a step write one message.
create unique index messages_once on messages (workspace_id, run_id, run_step) where run_id is not null;
-- Queue of the channel actor.
create index messages_due on messages (workspace_id, channel_id, due_at, id) where due_at is not null;
-- Lists the messages of a conversation.
create index messages_by_conversation on messages (workspace_id, conversation_id, id);
-- Lists the messages of a customer: newest for the timeline, all for an erasure.
create index messages_by_customer on messages (workspace_id, customer_id, id);
-- Counts the messages of a campaign, and finds the one of a customer.
create index messages_by_campaign on messages (workspace_id, sent_by_id, customer_id) where sent_by = 'campaign';
-- Finds the messages that customers wrote on a channel in a period. They have no author: the redundant condition keeps
-- the planner from using the index in statements that look for one inbound message.
create index messages_inbound on messages (workspace_id, channel_id, id)
  where direction = 'inbound' and sent_by is null;
-- Finds a message by the provider's id, and stores an inbound message once.
create unique index messages_by_provider_id on messages (workspace_id, channel_id, direction, provider_message_id)
  where provider_message_id is not null;
-- Makes an idempotency key write one message.
create unique index messages_idempotent on messages (workspace_id, conversation_id, idempotency_key)
  where idempotency_key is not null;

-- Tombstones of removed messages that people sent with an idempotency key, so that a repeat sends nothing.
create table removed_messages (
  workspace_id uuid not null,
  conversation_id uuid not null,
  -- SHA-256 of the key.
  key_digest bytea not null,
  message_id uuid not null,
  primary key (workspace_id, conversation_id, key_digest)
);

-- Every status that a provider reported, including those too late to change the message.
create table message_statuses (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  message_id uuid not null,
  status text not null,
  detail text,
  at timestamptz not null default now(),
  -- The provider's own time, if it has one.
  provider_at timestamptz,
  primary key (workspace_id, message_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

alter table message_statuses alter detail set statistics 0;

-- Statuses of messages whose acceptance by the provider is not recorded yet. The transaction that records the acceptance
-- takes them. The others are removed after a week.
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

alter table early_statuses alter detail set statistics 0;

-- Finds outdated statuses.
create index early_statuses_by_age on early_statuses (at);
-- Finds statuses with a detail, so that an erasure reaches the detail without a known message.
create index early_statuses_with_detail on early_statuses (workspace_id, channel_id, provider_message_id, id)
  where detail is not null;

-- Opt-out words of a workspace, in addition to those that apply everywhere.
create table opt_out_words (
  workspace_id uuid primary key references workspaces,
  words text[] not null,
  updated_at timestamptz not null default now(),
  -- The words in the form in which messages are compared with them.
  normalised text[] not null default '{}'
);

-- Message templates.
create table templates (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  name text not null,
  category text not null check (category in ('utility', 'marketing')),
  -- Text with {{name}} for each of the variables.
  body text not null,
  -- [{name, sample}], in the order in which a provider gets their values.
  variables jsonb not null default '[]',
  -- Name at a provider with approved templates: {name, language}.
  provider jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Campaigns: one template to many customers over one channel.
create table campaigns (
  -- Not enforced, as for customers: the actors of all workspaces write here.
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  name text not null,
  channel_id uuid not null,
  template_id uuid not null,
  -- Values by variable name. They can contain {{customer.…}}.
  variables jsonb not null default '{}',
  -- {all: true}, {where: condition} or {customerIds: [id]}.
  audience jsonb not null,
  status text not null default 'draft'
    check (status in ('draft', 'scheduled', 'running', 'paused', 'completed', 'cancelled')),
  -- While the audience is being fixed: last customer added, in the order of ids.
  audience_cursor uuid,
  filled_at timestamptz,
  -- Last recipient whose message was queued or skipped, in the same order.
  queue_cursor uuid,
  -- Number of recipients, in total and by outcome. Updated with the recipients.
  recipients integer not null default 0,
  queued integer not null default 0,
  sent integer not null default 0,
  skipped integer not null default 0,
  unknown integer not null default 0,
  -- Number of skipped recipients by reason.
  skipped_by jsonb not null default '{}',
  -- Version for optimistic locking: each write checks and increments it.
  version integer not null default 0,
  -- Next time that the actor has work. Null without work.
  due_at timestamptz,
  scheduled_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Queue of the campaign actors.
create index campaigns_due on campaigns (workspace_id, id, due_at) where due_at is not null;
-- Finds campaigns that need a template, which then cannot be deleted.
create index campaigns_by_template on campaigns (workspace_id, template_id)
  where status in ('scheduled', 'running', 'paused');

-- Audience of a campaign, fixed when it starts.
create table campaign_recipients (
  workspace_id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  -- `queued`: the channel has the message.
  outcome text not null default 'pending' check (outcome in ('pending', 'queued', 'sent', 'skipped', 'unknown')),
  -- Code of the reason for skipping.
  reason text,
  message_id uuid,
  at timestamptz not null default now(),
  primary key (workspace_id, campaign_id, customer_id)
) with (
  -- A queue, vacuumed early and fast (005_workflows, workflow_runs).
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- Finds the next recipients, those whose message is queued, and lists by outcome.
create index campaign_recipients_by_outcome on campaign_recipients (workspace_id, campaign_id, outcome, customer_id);

-- Number of recipients of a campaign by the time at which their outcome was recorded, written with the counters of the
-- campaign. A row covers more time the older the campaign is, so a campaign has at most some hundred rows
-- (src/messaging/campaigns/outcomes.ts).
create table campaign_outcomes (
  workspace_id uuid not null,
  campaign_id uuid not null,
  -- Start of the time, in seconds after the start of the campaign.
  second integer not null,
  sent integer not null default 0,
  skipped integer not null default 0,
  unknown integer not null default 0,
  primary key (workspace_id, campaign_id, second)
) with (
  -- Updates change no index and stay on the page.
  fillfactor = 50);

-- Sales, recorded by a person in a conversation or by a step of a run. Only voiding and an erasure change a row.
create table sales (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  conversation_id uuid not null,
  customer_id uuid not null,
  -- Keeps the digits as given: 129.90 stays 129.90.
  amount numeric not null check (amount >= 0 and amount <= 999999999999.999 and scale(amount) <= 3),
  -- ISO 4217.
  currency text not null,
  note text,
  marked_by text not null check (marked_by in ('user', 'workflow')),
  marked_by_id uuid not null,
  -- Run and step execution that recorded it. One execution of a step records one sale.
  run_id uuid,
  run_step integer,
  voided_at timestamptz,
  void_reason text,
  -- Equals the time of the id, so that a list between two times is one between two ids.
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

alter table sales alter note set statistics 0, alter void_reason set statistics 0;

-- Makes one execution of a step record one sale.
create unique index sales_once on sales (workspace_id, run_id, run_step) where run_id is not null;
-- Lists the sales of a customer.
create index sales_by_customer on sales (workspace_id, customer_id, id);
-- Lists the sales of a conversation.
create index sales_by_conversation on sales (workspace_id, conversation_id, id);
