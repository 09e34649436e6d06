-- An account is its holder's: whether its address was ever proven, by whose invitation it was made, whether the operator
-- switched it off; links that are good once, by which a holder proves the address and gets in again; and a second factor.

alter table users
  -- When somebody showed that they read what is mailed to the address. Null: nobody did.
  add column confirmed_at timestamptz,
  -- Since when the operator keeps it out.
  add column disabled_at timestamptz,
  -- The workspace whose invitation made it; null where no invitation did. No reference: people belong to no workspace.
  add column made_by_workspace uuid;

-- Whoever joined in the transaction that made their account came by that invitation.
update users u set made_by_workspace = m.workspace_id
from members m
where m.user_id = u.id and m.invited_at is not null and m.joined_at = u.created_at;

alter table members
  -- The link of the invitation was mailed, and shown to nobody: whoever has it reads what is mailed to the address.
  add column mailed boolean not null default false;

alter table workspaces
  -- Members without a second factor are kept out until they have one.
  add column require_second_factor boolean not null default false;

create table account_links (
  -- SHA-256 of the token: a stolen copy of this table lets nobody in.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('reset', 'confirmation')),
  -- It was mailed, and shown to nobody: using it proves the address.
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index account_links_by_user on account_links (user_id, kind, created_at);
create index account_links_by_expiry on account_links (expires_at);

create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- Sealed (domain/sealing.ts) for this user.
  secret bytea not null,
  -- Null until its holder has shown a code: it is asked for by nobody before.
  confirmed_at timestamptz,
  -- The newest period of 30 seconds of which a code was taken: none is taken twice.
  last_step bigint not null default 0,
  -- SHA-256 of the recovery codes that are left.
  recovery_codes bytea[] not null default '{}',
  -- Codes tried since `tried_from`, none of which was right.
  tries integer not null default 0,
  tried_from timestamptz not null default now()
);

-- Whoever has shown their password, and is asked for a code.
create table sign_in_tickets (
  -- SHA-256 of the ticket.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- The invitation (members.token_hash) that is accepted with the session, if any.
  invitation_hash bytea,
  expires_at timestamptz not null
);

create index sign_in_tickets_by_user on sign_in_tickets (user_id);
create index sign_in_tickets_by_expiry on sign_in_tickets (expires_at);

-- All sessions of a person are ended together.
create index if not exists sessions_by_user on sessions (user_id);
