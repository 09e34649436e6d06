-- Which processes live, and which of them holds the lease of which actor (src/actors/README.md).
-- Unlogged: after a crash of PostgreSQL both are empty, which frees every lease and is noticed by every holder.

create unlogged table processes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  -- Pushed forward every second while the process lives; all of its leases end when this moment passes.
  alive_until timestamptz not null
);

create unlogged table leases (
  kind text not null,
  workspace_id uuid not null,
  actor_id uuid not null,
  -- The process; no foreign key, for a holder without a row is simply dead.
  holder uuid not null,
  primary key (kind, workspace_id, actor_id)
);
