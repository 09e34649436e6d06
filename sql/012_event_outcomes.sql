-- Why an event did not start what might have listened to it, as of the moment it was recorded; and what finds events.

-- Runs say what an event started. Here is the rest: a row for each workflow that named the event's type and did not
-- start, and, where nothing named it, one row without a workflow when a type like it is listened to. An event that
-- nobody listens to, in no spelling, has no row. Like runs, without a foreign key on the hot path.
create table event_outcomes (
  workspace_id uuid not null,
  event_id uuid not null,
  position smallint not null,
  workflow_id uuid,
  verdict text not null check (verdict in ('no_listener', 'switched_off', 'never_published', 'not_run_for_customer')),
  -- Of not_run_for_customer: the comparisons that decided, with the values compared. Of no_listener: the type that was
  -- perhaps meant. Holds values of the event's data, so it is emptied with them when a customer is erased.
  detail jsonb,
  primary key (workspace_id, event_id, position),
  check ((workflow_id is null) = (verdict = 'no_listener'))
);

-- Which parts of the table can hold events of a type that is rare; a frequent one is found by walking back in time. A
-- b-tree would cost every event a fifth more of write-ahead log, this costs next to nothing.
create index events_by_type on events using brin (workspace_id uuid_bloom_ops, type text_bloom_ops)
  with (autosummarize = on, pages_per_range = 64);

-- Events that something listened to and that started nothing: few, and looked for among many.
create index events_not_run on events (workspace_id, reason, id)
  where reason in ('switched_off', 'never_published', 'not_run_for_customer');

-- How a type is spelt without regard to case, to space around it, and to which of . _ - and space parts its words.
create function event_type_spelling(type text) returns text
  language sql immutable strict parallel safe
  return lower(translate(btrim(type), '_- ', '...'));

-- What listens to a type, and what listens to it in another spelling, is found by one look.
create index workflows_by_spelling on workflows (workspace_id, event_type_spelling(trigger_type));
