-- What was refused of the events pushed in (interface document, section 6.4), and what processes tell each other of the
-- calls they admitted.

create table refusals (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  -- Digest of all that makes two refusals the same problem: sender, method, path, status, code, message, details.
  problem bytea not null,
  -- The problem's latest row: another refusal within ten minutes of first_at counts here, a later one closes it.
  open boolean not null default true,
  first_at timestamptz not null,
  last_at timestamptz not null,
  count integer not null,
  sender text not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text not null,
  message text not null,
  details jsonb,
  -- Of the newest refusal.
  request_id uuid not null,
  primary key (workspace_id, id)
);

-- What keeps two processes that meet the same problem at the same time to one row.
create unique index refusals_open on refusals (workspace_id, problem) where open;
create index refusals_by_age on refusals (first_at);

-- The rest is unlogged: after a crash of PostgreSQL everybody's allowance is full, which is where it would soon be anyway.

-- Processes that answer requests, as far as they need to know of each other.
create unlogged table http_processes (
  id uuid primary key,
  alive_until timestamptz not null
);

-- What each process admitted of each caller, while there are others to tell.
create unlogged table rate_admissions (
  process_id uuid not null,
  -- An API key or a user.
  caller_id uuid not null,
  caller_type text not null,
  -- Since the process began to remember the caller; only ever grows.
  admitted bigint not null,
  -- How many calls the caller's allowance was short of full.
  missing double precision not null,
  at timestamptz not null default clock_timestamp(),
  primary key (process_id, caller_id)
) with (fillfactor = 50);

-- Tries to sign in, by e-mail address and place.
create unlogged table sign_in_tries (
  -- SHA-256 of both: who tried to sign in is nobody's business.
  who bytea primary key,
  -- Those of the last ten minutes, oldest first.
  tries timestamptz[] not null,
  last_at timestamptz not null
);

create index sign_in_tries_by_age on sign_in_tries (last_at);
