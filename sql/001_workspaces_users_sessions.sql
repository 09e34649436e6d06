-- Who exists: plans (data, not code), workspaces, the people in them and their sessions.
-- Every table below that belongs to a workspace leads with workspace_id in its primary key, and refers to others by
-- (workspace_id, id): a reference across workspaces cannot be stored.

create table plans (
  id text primary key,
  name text not null,
  -- {"api": bool, "webhooks": bool, "workflows": bool, "campaigns": bool, "ai": bool}
  features jsonb not null,
  -- allowance -> number, null = without limit; "activeWorkflows", "teamSeats", "connectedNumbers", "templates", "monthlyEvents"
  allowances jsonb not null
);

insert into plans (id, name, features, allowances) values
  ('free', 'Free',
   '{"api": true, "webhooks": true, "workflows": true, "campaigns": false, "ai": false}',
   '{"activeWorkflows": 3, "teamSeats": 2, "connectedNumbers": 1, "templates": 5, "monthlyEvents": 1000}'),
  ('starter', 'Starter',
   '{"api": true, "webhooks": true, "workflows": true, "campaigns": true, "ai": false}',
   '{"activeWorkflows": 20, "teamSeats": 5, "connectedNumbers": 2, "templates": 50, "monthlyEvents": 50000}'),
  ('growth', 'Growth',
   '{"api": true, "webhooks": true, "workflows": true, "campaigns": true, "ai": true}',
   '{"activeWorkflows": 100, "teamSeats": 20, "connectedNumbers": 10, "templates": 250, "monthlyEvents": 1000000}'),
  ('unlimited', 'Unlimited',
   '{"api": true, "webhooks": true, "workflows": true, "campaigns": true, "ai": true}',
   '{"activeWorkflows": null, "teamSeats": null, "connectedNumbers": null, "templates": null, "monthlyEvents": null}');

create table workspaces (
  id uuid primary key default uuidv7(),
  name text not null,
  plan_id text not null references plans,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key default uuidv7(),
  email text not null,
  name text not null,
  -- scrypt, with its parameters and salt in front: domain/users/password.ts
  password_hash text not null,
  created_at timestamptz not null default now()
);

-- One account per address, however its letters are cased.
create unique index users_email on users (lower(email));

create table members (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'agent')),
  joined_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);

create index members_by_user on members (user_id, joined_at);

create table sessions (
  -- SHA-256 of the token: a stolen copy of this table signs nobody in.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index sessions_by_expiry on sessions (expires_at);
