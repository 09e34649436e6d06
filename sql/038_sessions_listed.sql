-- Sessions as their person is shown them, what a person says of themselves, and what tries to sign in are held to besides
-- the pair of an account and a network address.

-- Rewritten in one go: there are as many rows as people are signed in.
alter table sessions
  add column id uuid not null default uuidv7(),
  -- Written now and then, never for each call. A session that was not used for a week is over.
  add column last_seen_at timestamptz not null default now(),
  -- Of the sign-in, as it was told; null for sessions from before.
  add column address text,
  add column user_agent text;

create unique index sessions_by_user on sessions (user_id, id);

-- How a person wants to read: a language tag of BCP 47, and a time zone of IANA.
alter table users
  add column locale text,
  add column timezone text;

-- Where an account has been signed in from: whoever tries again from there is not held up by those who try elsewhere.
create table known_places (
  -- SHA-256 of address and place, as in sign_in_tries.
  who bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- Of the latest sign-in, right to within a day.
  last_at timestamptz not null default now()
);

create index known_places_by_user on known_places (user_id, last_at);
create index known_places_by_age on known_places (last_at);

-- Tries with one account from places that are not known, and from one network address; unlogged like sign_in_tries.
create unlogged table try_budgets (
  -- SHA-256 of whose budget it is.
  who bytea primary key,
  -- When the budget is whole again. It flows back evenly, so this says how much is left.
  whole_at timestamptz not null
);

create index try_budgets_by_age on try_budgets (whole_at);
