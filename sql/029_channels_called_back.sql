-- Channels that providers call back, and that may have to rest.

alter table channels
  -- The provider asked to be left alone until then, or refuses us and is tried again then.
  add column paused_until timestamptz;

-- A callback names its channel alone.
create index channels_by_id on channels (id);

-- Those that are disconnected are kept for their history, and nobody looks through them for one to write over.
create index channels_living on channels (workspace_id, id) where status <> 'disconnected';
