-- Data of the service itself: processes, leases, rate limits, retention, the live feed, and a planner hint.
-- Most tables are unlogged: a crash of PostgreSQL empties them, and the processes fill them again.

-- Processes that hold leases (src/platform/postgres/lease.ts).
create unlogged table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  -- Extended by a heartbeat every second. All leases of the process end at this time.
  alive_until timestamptz not null,
  -- Identity of the operating system process: the scope of its pid, and its start time by the kernel's clock. Processes
  -- of the same machine detect its end immediately (src/platform/local-processes.ts). Null if the kernel does not provide
  -- them.
  pid_scope text,
  start_ticks text,
  -- Ids of the keys that the process decrypts with. The first one encrypts. Empty without a key.
  key_ids text[] not null default '{}',
  -- Work since the start of the process, written by each heartbeat, for its rate: recipients of campaigns that were
  -- settled, and attempts to send a mail. No index finds a campaign that has just ended, and no row remains of a mail.
  settled_recipients bigint not null default 0,
  mail_attempts bigint not null default 0
);

-- Leases of actors. A crash of PostgreSQL frees every lease, and every holder notices it.
create unlogged table leases (
  kind text not null,
  workspace_id uuid not null,
  actor_id uuid not null,
  -- The process. No foreign key: a holder without a row is dead.
  holder uuid not null,
  primary key (kind, workspace_id, actor_id)
);

-- Processes that answer requests, for rate limits.
create unlogged table http_processes (
  id uuid primary key,
  alive_until timestamptz not null,
  -- As in `processes`.
  key_ids text[] not null default '{}'
);

-- Calls that each process admitted per caller, while there are several processes. After a crash of PostgreSQL every
-- allowance is full.
create unlogged table rate_limit_usage (
  process_id uuid not null,
  -- An API key or a user.
  caller_id uuid not null,
  caller_type text not null,
  -- Number of calls since the process knows the caller. It never decreases.
  admitted bigint not null,
  -- Number of calls missing from a full allowance.
  missing double precision not null,
  at timestamptz not null default clock_timestamp(),
  primary key (process_id, caller_id)
) with (
  -- Updates change no index and stay on the page.
  fillfactor = 50);

-- Attempts to sign in, by e-mail address and network address.
create unlogged table sign_in_attempts (
  -- SHA-256 of both, so that the table does not reveal who tried to sign in.
  key_hash bytea primary key,
  -- Attempts of the last ten minutes, oldest first.
  attempts timestamptz[] not null,
  last_at timestamptz not null
);

-- Finds outdated rows.
create index sign_in_attempts_by_age on sign_in_attempts (last_at);

-- Budgets of attempts: of one account from unknown network addresses, and of one network address.
create unlogged table attempt_budgets (
  -- SHA-256 of the account or the network address.
  key_hash bytea primary key,
  -- Time at which the budget is full again. It refills evenly, so this is also the remaining budget.
  full_at timestamptz not null
);

-- Finds full budgets.
create index attempt_budgets_by_age on attempt_budgets (full_at);

-- Progress of retention: per workspace and kind the id up to which rows were checked. Older rows were removed or are
-- still needed.
create table retention_watermarks (
  workspace_id uuid not null,
  kind text not null,
  cursor_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Start of the current pass. A new pass begins daily, for rows that are no longer needed.
  started_at timestamptz not null default now(),
  -- Greatest id of a page from which rows were removed. It never decreases. Null if none was removed.
  removed_up_to uuid,
  primary key (workspace_id, kind)
) with (
  -- Updates change no index and stay on the page.
  fillfactor = 50);

-- Cursor of retention over kinds and workspaces: one row.
create table retention_progress (
  only_row boolean primary key default true check (only_row),
  -- Null at the beginning.
  kind text,
  after_workspace uuid,
  -- A visited workspace has more rows to remove.
  more boolean not null default false
);

insert into retention_progress default values;

-- Workspaces with a live feed.
create unlogged table live_feed_workspaces (
  workspace_id uuid primary key,
  -- Writers note changes of the workspace until then.
  until timestamptz not null
);

-- Finds expired feeds.
create index live_feed_workspaces_by_end on live_feed_workspaces (until);

-- Changes for live feeds, of rows that no index finds by the time of their change.
create unlogged table live_feed_changes (
  workspace_id uuid not null,
  kind text not null,
  id uuid not null default uuidv7(),
  subject_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, kind, id)
) with (autovacuum_vacuum_scale_factor = 0.1);

-- Finds outdated changes of all workspaces.
create index live_feed_changes_by_age on live_feed_changes (at);

-- Returns true at a high planner cost. The planner then evaluates it for as few rows as possible, so a statement looks up
-- each row of a large table by its key. Otherwise a plan from the time when the table was small reads all of it.
create function probe_index(id uuid) returns boolean language plpgsql immutable parallel safe cost 100000 as $$
begin
  return true;
end
$$;

-- The PostgreSQL cluster, database and timeline that the service last ran on, and whether sending is held.
-- The table is logged, unlike `processes`, because the heartbeat must be part of backups and standbys.
create table service_identity (
  only_row boolean primary key default true check (only_row),
  database_oid bigint not null,
  -- Null if the role of the service cannot read it.
  system_identifier text,
  -- Null if the role of the service cannot read it.
  timeline bigint,
  heartbeat_at timestamptz not null,
  held_since timestamptz,
  hold_reason text check (hold_reason in ('another_database', 'earlier_state', 'requested')),
  -- Changes when positions in the stream of outbound events are no longer comparable with earlier ones.
  stream_epoch integer not null default (random() * 2147483647)::integer,
  -- Added to the transaction ids of this server, so that positions continue after a move from a server with greater ids.
  stream_offset bigint not null default 0,
  check ((held_since is null) = (hold_reason is null))
);

-- Work that the operator has paused in all workspaces.
create table service_pauses (
  kind text primary key check (kind in ('deliveries', 'messages', 'runs', 'campaigns')),
  since timestamptz not null default now()
);

-- Work that the operator has paused in one workspace.
create table workspace_pauses (
  workspace_id uuid not null,
  kind text not null check (kind in ('deliveries', 'messages', 'runs', 'campaigns')),
  since timestamptz not null default now(),
  primary key (workspace_id, kind)
);

-- Moves of workspaces from this database to another one (src/privacy/workspaces/move.ts). A row exists from the start of a move
-- until the rows of the workspace are deleted here.
create table workspace_moves (
  workspace_id uuid primary key,
  -- Name of the target (CELLS).
  cell text not null,
  started_at timestamptz not null default now(),
  -- Workers start no work of the workspace, because it is about to be closed.
  draining boolean not null default false
);

-- Keys of the rows that changed during a move, until they are copied.
create table workspace_move_changes (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  table_name text not null,
  -- Primary key of the row without the workspace.
  key jsonb not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_limit = 2000);

-- A key can have the address of a person.
alter table workspace_move_changes alter key set statistics 0;

-- Notes the key of a changed row of a moving workspace, and rejects changes by calls of the API and by commands once the
-- workspace is closed. The arguments are the workspace and the columns of the key. Without columns nothing is noted.
--
-- The lock is shared by all writers until their transactions end. The move closes the workspace and then takes the lock
-- alone: writers that have passed have ended, and later ones see that it is closed.
--
-- Workers still change rows of a closed workspace, because their statements cover all workspaces. Such changes are lost,
-- and the target repeats them. The exceptions are messages, which must not be sent from both databases, consents,
-- and what a task writes for the database of people.
create function note_moved_row() returns trigger language plpgsql as $$
declare
  moved uuid := tg_argv[0];
  reason text;
  changed jsonb;
begin
  perform pg_advisory_xact_lock_shared(1836021349, hashtext(moved::text));
  select closed_for into reason from workspaces where id = moved;
  if reason is not null and current_setting('application_name') <> 'customer-engagement workspace move'
    and (tg_table_name in ('messages', 'conversations', 'consents') or (tg_table_name = 'audit_entries' and tg_op = 'INSERT')
      or current_setting('application_name') not in ('customer-engagement acting', 'customer-engagement chores')) then
    raise exception 'The workspace % is being moved to another database.', moved using errcode = '40MOV';
  end if;
  if tg_nargs > 1 and reason is distinct from 'copy' then
    if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
    insert into workspace_move_changes (workspace_id, table_name, key)
    select moved, tg_table_name, coalesce(jsonb_object_agg(tg_argv[n], changed -> tg_argv[n]), '{}')
    from generate_series(1, tg_nargs - 1) n where tg_argv[n] <> '';
  end if;
  return null;
end
$$;

-- Creates the triggers of a move on a table, unless they exist. `key` has the columns of the primary key after the
-- workspace, or is null if changes are not noted. Rows of other workspaces only cost the condition.
create function watch_moved_table(name text, moved uuid, key text[]) returns void language plpgsql as $$
declare
  prefix text := 'move_' || replace(moved::text, '-', '');
  arguments text := quote_literal(moved) || case when key is null then '' when key = '{}' then ', '''''
    else (select string_agg(', ' || quote_literal(one), '') from unnest(key) one) end;
  operation text;
begin
  foreach operation in array case name when 'workspaces' then array['update'] else array['insert', 'update', 'delete'] end loop
    if exists (select from pg_trigger where tgrelid = name::regclass and tgname = prefix || '_' || operation) then
      continue;
    end if;
    execute format('create trigger %I after %s on %I for each row when (%s) execute function note_moved_row(%s)',
      prefix || '_' || operation, operation, name,
      case when name = 'workspaces' then format('old.id = %L and old.closed_for is not distinct from new.closed_for', moved)
        else format('%s.workspace_id = %L', case operation when 'delete' then 'old' else 'new' end, moved) end,
      arguments);
  end loop;
end
$$;

-- Deletes the rows of a workspace whose values in a unique index are those of `rows`, a JSON text of other rows of the table.
create function delete_same_values(name text, moved uuid, index_name text, rows text) returns void language plpgsql as $$
declare
  columns text;
  condition text;
begin
  select string_agg(pg_get_indexdef(indexrelid, n, true), ', ' order by n), coalesce(pg_get_expr(indpred, indrelid), 'true')
    into strict columns, condition
    from pg_index, generate_series(1, indnkeyatts) n
    where indexrelid = index_name::regclass and pg_get_indexdef(indexrelid, n, true) <> 'workspace_id'
    group by indexrelid, indrelid, indpred;
  execute format('delete from %1$I where workspace_id = $1 and (%2$s) and (%3$s) in (
    select %3$s from json_populate_recordset(null::%1$I, $2::json) where %2$s)', name, condition, columns) using moved, rows;
end
$$;

-- Drops the triggers of a move from a table.
create function unwatch_moved_table(name text, moved uuid) returns void language plpgsql as $$
declare
  trigger_name text;
begin
  for trigger_name in select tgname from pg_trigger
    where tgrelid = name::regclass and starts_with(tgname, 'move_' || replace(moved::text, '-', '') || '_') loop
    execute format('drop trigger %I on %I', trigger_name, name);
  end loop;
end
$$;
