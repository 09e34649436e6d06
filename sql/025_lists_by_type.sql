-- What lists and the outbox look for among much else: events of a type, however rare, and the endpoints that live, however
-- many were removed.
-- online

-- step
-- By a number made of the workspace and the type, which is a third as long as the two: an event pays 2 to 3 us of
-- PostgreSQL's time for its entry, beside 19 for the rest, and a seventh more of write-ahead log. By the two themselves it
-- was 4 to 5 us and a quarter.
create index concurrently if not exists events_of_type on events (hashtextextended(type, uuid_hash_extended(workspace_id, 0)), id);

-- step
-- It said which parts of the table can hold a rare type, and of those half of the table's rows were still read.
drop index concurrently if exists events_by_type;

-- step
create index concurrently if not exists webhooks_living on webhooks (workspace_id, id) where deleted_at is null;

-- step
create index concurrently if not exists webhooks_removed_last on webhooks (workspace_id, deleted_at) where deleted_at is not null;

-- step
-- The number says the workspace and the type, which PostgreSQL must know: to it each condition would else make the events
-- fewer, so few that it would read and sort all there are of a type.
create statistics if not exists events_of_type (dependencies)
  on workspace_id, type, (hashtextextended(type, uuid_hash_extended(workspace_id, 0))) from events;

-- step
analyze events;
