-- Which message was made of one that was sent again, who opened a conversation, and what finds the words of statuses that
-- no message is known of, so that an erasure takes them. The release before leaves all of it empty.
-- online

-- step
alter table messages
  -- The newest message that was made of it, by sending it again.
  add column if not exists resent_as uuid;

-- step
alter table conversations
  -- Null: as its first message tells.
  add column if not exists opened_by_customer boolean;

-- step
create index concurrently if not exists early_statuses_worded on early_statuses
  (workspace_id, channel_id, provider_message_id, id) where detail is not null;
