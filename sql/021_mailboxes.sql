-- What keeps reading small as history and backlog grow: an index for what is looked for among much else, and for the
-- tables that are mailboxes, whose rows change a few times soon after they were made and then never again, a vacuum that
-- comes by long before a fifth of their history has changed.
-- online

-- step
-- Nearly every outbound event is a status of a message; any other type is looked for among them, and costs an entry.
create index concurrently if not exists outbound_events_by_type on outbound_events (workspace_id, type, id)
  where type <> 'message.status';

-- step
-- Endpoints that were removed are kept, and pruning asks for those of the last day.
create index concurrently if not exists webhooks_removed on webhooks (deleted_at) where deleted_at is not null;

-- step
-- The outbox by the time of the database, which can be told to have passed; an id may be made anywhere.
create index concurrently if not exists outbound_events_outbox_by_time on outbound_events (created_at, id)
  where fanned_out_at is null;

-- step
drop index if exists outbound_events_outbox;

-- step
-- A share of the history must not decide how many dead entries stand in front of a mailbox: two of a hundred rows, and
-- at ten times the usual pace, since whoever reads the mailbox walks over what has not been cleared yet.
alter table deliveries set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- step
alter table outbound_events set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- step
alter table messages set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);

-- step
alter table workflow_runs set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);
