-- Events of a type that some version of a workflow waits for, as of when they were recorded: a run that comes to its wait
-- finds those of its customer among any number of others. An event of another type is in no further index.
-- online

-- step
alter table events add column if not exists awaited boolean;

-- step
create index concurrently if not exists events_awaited on events (workspace_id, customer_id, type, id) where awaited;
