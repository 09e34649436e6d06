-- What finds answers of receivers that came long after their delivery was made, and how soon the space of removed rows is
-- used again.
-- online

-- step
-- Nearly every attempt is made within a day, and found by the age of its delivery; only the others have an entry here.
create index concurrently if not exists delivery_attempts_late on delivery_attempts (workspace_id, at)
  where response_body is not null and at - uuid_extract_timestamp(delivery_id) > interval '1 day';

-- step
-- By a share of the table, so that its size never exceeds what is kept by much more than that; a fifth, the usual one, would be
-- two million rows of ten, cleared away in one go.
alter table events set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

-- step
alter table event_outcomes set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

-- step
alter table delivery_attempts set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

-- step
alter table workflow_run_steps set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);

-- step
alter table message_statuses set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 10000);
