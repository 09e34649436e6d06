-- What is to be sealed, sealed anew or forgotten, and channels whose credentials could not be opened, found by themselves.
-- online

-- step
create index concurrently if not exists webhooks_in_clear on webhooks (workspace_id, id)
  where deleted_at is null and (secret is not null or previous_secret is not null);

-- step
create index concurrently if not exists webhooks_sealed on webhooks (workspace_id, id)
  where sealed_secret is not null or sealed_previous_secret is not null or headers is not null;

-- step
create index concurrently if not exists webhooks_lapsing on webhooks (previous_secret_until)
  where previous_secret_until is not null;

-- step
create index concurrently if not exists webhooks_removed_with_secrets on webhooks (workspace_id, id)
  where deleted_at is not null and (secret is not null or previous_secret is not null or sealed_secret is not null
    or sealed_previous_secret is not null or headers is not null);

-- step
create index concurrently if not exists channels_sealed on channels (workspace_id, id) where credentials is not null;

-- step
create index concurrently if not exists channels_failing on channels (workspace_id, id) where status = 'failing';
