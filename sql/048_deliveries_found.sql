-- What finds the few among the many deliveries: those that failed or are tried again, for lists and recoveries, and those
-- that were made again of an event, for whoever asks what became of it and for erasing. One that is delivered at its first
-- attempt has an entry in neither.
-- online

-- step
create index concurrently if not exists deliveries_failing on deliveries (workspace_id, webhook_id, status, id)
  where status in ('retrying', 'failed');

-- step
create index concurrently if not exists deliveries_again on deliveries (workspace_id, event_id) where again;
