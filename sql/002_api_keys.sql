-- Machine credentials of one workspace (interface document, sections 2.1 and 5.1).

create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  name text not null,
  -- The first 12 characters of the value, so that a person can tell keys apart.
  prefix text not null,
  -- SHA-256 of the value; the value itself is stored nowhere.
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- Written at most once a minute per key: domain/api-keys/last-used.ts
  last_used_at timestamptz,
  primary key (workspace_id, id)
);
