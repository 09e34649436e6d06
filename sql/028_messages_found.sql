-- What finds messages by what their provider calls them, and conversations by what people look for.
-- online

-- step
create unique index concurrently if not exists messages_of_provider on messages
  (workspace_id, channel_id, direction, provider_message_id) where provider_message_id is not null;

-- step
create unique index concurrently if not exists messages_idempotent on messages
  (workspace_id, conversation_id, idempotency_key) where idempotency_key is not null;

-- step
create index concurrently if not exists conversations_by_activity on conversations (workspace_id, active_at, id);

-- step
create index concurrently if not exists conversations_waiting on conversations (workspace_id, active_at, id)
  where waiting_since is not null;

-- step
create index concurrently if not exists conversations_unread on conversations (workspace_id, active_at, id)
  where unread > 0;

-- step
create index concurrently if not exists conversations_assigned on conversations
  (workspace_id, assignee_id, active_at, id) where assignee_id is not null;
