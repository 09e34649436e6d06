-- A team's invitations: somebody who was invited is a row of members too, and takes a seat, before there is an account.

alter table members drop constraint members_pkey;

alter table members
  add column id uuid not null default uuidv7(),
  -- Whom a pending invitation is for; once joined, the account says who it is.
  add column email text,
  add column name text,
  add column invited_at timestamptz,
  -- SHA-256 of the token in the link, until it is used: a stolen copy of this table lets nobody in.
  add column token_hash bytea unique,
  add column expires_at timestamptz,
  alter column user_id drop not null,
  alter column joined_at drop not null,
  add primary key (workspace_id, id),
  add constraint members_joined_or_invited check (
    case when user_id is null
      then joined_at is null and num_nulls(email, invited_at, token_hash, expires_at) = 0
      else joined_at is not null and num_nonnulls(email, name, token_hash, expires_at) = 0
    end);

-- A person is in a workspace once, and is invited to it once.
create unique index members_once on members (workspace_id, user_id) where user_id is not null;
create unique index members_invited_once on members (workspace_id, lower(email)) where email is not null;
