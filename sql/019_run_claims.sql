-- Runs are advanced outside of any transaction: whoever works on one says so in its row first, and writes what became of
-- it only if the row still says so. The count of tries lives there as well, so that it outlives the process.

alter table workflow_runs
  -- Tries begun since the run last moved on; counted when a try begins, so that one which ends its process counts too.
  add column tries smallint not null default 0,
  -- While it lasts, a process works on the run. Nobody gives it back who has died: it runs out.
  add column claimed_until timestamptz,
  -- Room beside each row for the claim, which changes no index then.
  set (fillfactor = 50);

-- The statement that writes a message makes or finds its conversation itself, and conversations are never removed. The
-- check cost a probe and a lock of the conversation for each message, by whatever plan was made while there were none.
alter table messages drop constraint messages_workspace_id_conversation_id_fkey;

-- True, and said to be dear: the planner asks it of as few rows as it can, so a statement that changes some rows of a
-- large table looks each up by its key. Without it, a plan that was made while the table was small and is kept while it
-- grows goes through all of it.
create function looked_up(id uuid) returns boolean language plpgsql immutable parallel safe cost 100000 as $$
begin
  return true;
end
$$;
