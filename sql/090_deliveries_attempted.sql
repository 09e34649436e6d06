-- Finds the newest attempts of an endpoint, however many deliveries wait for it.
-- online

-- step
create index concurrently if not exists deliveries_attempted on deliveries (workspace_id, webhook_id, last_attempt_at)
  where last_attempt_at is not null;
