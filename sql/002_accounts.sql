-- Accounts: plans, workspaces, people and their sessions, API keys, and the audit log.
-- Every tenant table of this and the later files has workspace_id first in its primary key. It refers to other tenant
-- tables by (workspace_id, id), so a reference across workspaces cannot be stored.

-- Plans are data, not code. Only migrations write them.
create table plans (
  id text primary key,
  name text not null,
  -- {"api": bool, "webhooks": bool, "workflows": bool, "campaigns": bool, "ai": bool}
  features jsonb not null,
  -- Allowance -> number, null = unlimited: "activeWorkflows", "teamSeats", "connectedNumbers", "templates",
  -- "monthlyEvents".
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

-- Tenants. Only the operator deletes one (src/privacy/workspaces).
create table workspaces (
  id uuid primary key default uuidv7(),
  name text not null,
  plan_id text not null references plans,
  created_at timestamptz not null default now(),
  -- IANA time zone of times of day, for customers without a time zone of their own.
  timezone text not null default 'UTC',
  -- Members without a second factor are kept out until they have one.
  require_second_factor boolean not null default false,
  -- Members who did not sign in by single sign-on have no access.
  require_sso boolean not null default false,
  -- Month of the last mail to owners about the monthly allowance of events, and the percentage that it reported.
  events_notified_month date,
  events_notified_percent smallint,
  -- Reason for which members, keys and callbacks have no access, and no work is done: an import, a deletion or the last
  -- second of a move is not complete, or the workspace is in another database and this is a copy. Null = open.
  closed_for text check (closed_for in ('import', 'deletion', 'move', 'copy')),
  -- Start of an import that is not complete. A deletion keeps it, and then deletes the accounts that the import created.
  import_started_at timestamptz check (closed_for is distinct from 'import' or import_started_at is not null)
);

-- Workers read the closed workspaces every two seconds.
create index workspaces_closed on workspaces (id) where closed_for is not null;

-- People and service accounts. They belong to workspaces only through `members`.
create table users (
  id uuid primary key default uuidv7(),
  -- Null for a service account, which cannot sign in.
  email text,
  name text not null,
  -- scrypt hash with its parameters and salt in front (src/accounts/users/password.ts). Null for a service account.
  password_hash text,
  created_at timestamptz not null default now(),
  -- Preferred language (BCP 47) and time zone (IANA).
  locale text,
  timezone text,
  -- Alert emails that the person does not want (src/accounts/users/schema.ts).
  muted_emails text[] not null default '{}',
  -- Time at which the person proved that they read mail to the address. Null = not proven.
  confirmed_at timestamptz,
  -- Time at which the operator disabled the account. Null = enabled.
  disabled_at timestamptz,
  -- Workspace whose invitation created the account; null without an invitation. No reference: people belong to no
  -- workspace.
  created_by_workspace uuid,
  constraint users_person_or_service_check check (num_nulls(email, password_hash) in (0, 2))
);

-- Allows one account per address, regardless of case.
create unique index users_email on users (lower(email));

-- Team members and pending invitations of a workspace. An invitation also takes a seat, before there is an account.
create table members (
  -- No reference: people and their memberships can be in another database than workspaces.
  workspace_id uuid not null,
  -- Null while the invitation is pending.
  user_id uuid references users,
  role text not null check (role in ('owner', 'agent')),
  -- `service`: a service account, whose only credentials are access tokens. It takes no seat.
  kind text not null default 'person' check (kind in ('person', 'service')),
  joined_at timestamptz default now(),
  id uuid not null default uuidv7(),
  -- Invited person. Null after joining, because the account then has the address and the name.
  email text,
  name text,
  invited_at timestamptz,
  -- SHA-256 of the token in the link, until it is used. A stolen copy of this table is therefore useless.
  token_hash bytea unique,
  expires_at timestamptz,
  -- The link was only sent by mail and never shown. Its user therefore reads mail to the address.
  mailed boolean not null default false,
  primary key (workspace_id, id),
  constraint members_joined_or_invited check (
    case when user_id is null
      then joined_at is null and num_nulls(email, invited_at, token_hash, expires_at) = 0
      else joined_at is not null and num_nonnulls(email, name, token_hash, expires_at) = 0
    end)
);

-- Lists the workspaces of a person.
create index members_by_user on members (user_id, joined_at);
-- Allows one membership per person and workspace.
create unique index members_once on members (workspace_id, user_id) where user_id is not null;
-- Allows one pending invitation per address and workspace.
create unique index members_invited_once on members (workspace_id, lower(email)) where email is not null;

-- Dashboard sessions.
create table sessions (
  -- SHA-256 of the token. A stolen copy of this table is therefore useless.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  id uuid not null default uuidv7(),
  -- Written occasionally, not for each call. A session ends after a week without use.
  last_seen_at timestamptz not null default now(),
  -- Network address and User-Agent of the sign-in, if known.
  address text,
  user_agent text,
  -- Sign-in at an identity provider: issuer, subject, and the provider's own session (`sid`). Null = no single sign-on.
  sso_issuer text,
  sso_subject text,
  sso_session text,
  constraint sessions_sso_check check (num_nulls(sso_issuer, sso_subject) in (0, 2))
);

-- Finds expired sessions.
create index sessions_by_expiry on sessions (expires_at);
-- Lists the sessions of a person, and ends all of them together.
create unique index sessions_by_user on sessions (user_id, id);

-- Ends the sessions that a logout of the identity provider names.
create index sessions_by_sso_subject on sessions (sso_issuer, sso_subject) where sso_issuer is not null;
create index sessions_by_sso_session on sessions (sso_issuer, sso_session) where sso_session is not null;

-- Accounts at an identity provider that people have linked to theirs (contract 2.15).
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  linked_at timestamptz not null default now(),
  primary key (issuer, subject)
);

-- Allows one account of a provider per person.
create unique index identities_by_user on identities (user_id, issuer);

-- Identities with the verified address of an account that wait for the consent of its holder.
create table identity_links (
  -- SHA-256 of the ticket or of the mailed token.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  subject text not null,
  session text,
  -- Role that the identity provider claims. Applied when the ticket signs in.
  role text check (role in ('owner', 'agent')),
  -- The token was only sent by mail, so using it is the consent. Otherwise the password is needed.
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Counts recent mails to a person.
create index identity_links_by_user on identity_links (user_id, created_at);
-- Finds expired links.
create index identity_links_by_expiry on identity_links (expires_at);

-- Ends the tickets that a logout of the identity provider names.
create index identity_links_by_subject on identity_links (issuer, subject);
create index identity_links_by_session on identity_links (issuer, session) where session is not null;

-- Sign-ins at the identity provider that were completed, so that none is completed twice. Logouts of the provider, so that
-- they also end the sign-ins in progress.
create table sso_states (
  -- SHA-256 of the state of a sign-in, or of the identity of a logout.
  state_hash bytea primary key,
  -- Time of the callback, or of the newest logout.
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Finds expired states.
create index sso_states_by_expiry on sso_states (expires_at);

-- Access tokens: credentials of a person, or of a service account, for one workspace (contract 2.13).
create table access_tokens (
  -- SHA-256 of the token. A stolen copy of this table is therefore useless.
  token_hash bytea primary key,
  id uuid not null unique default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- Workspace in which the token acts. No reference: people belong to no workspace.
  workspace uuid not null,
  name text not null,
  -- First 12 characters of the token, so that people can tell tokens apart.
  prefix text not null,
  -- `read`: only operations with the method GET.
  access text not null check (access in ('read', 'write')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Written at most twice a minute per token (src/accounts/sessions/use-buffer.ts).
  last_used_at timestamptz
);

-- Lists the tokens of a person, and ends all of them together.
create index access_tokens_by_user on access_tokens (user_id, id);
-- Finds tokens of a workspace that expire soon.
create index access_tokens_by_workspace on access_tokens (workspace, expires_at);
-- Finds tokens that expired long ago.
create index access_tokens_by_expiry on access_tokens (expires_at);

-- Network addresses from which an account was signed in. Failed sign-ins from other addresses do not block these.
create table known_networks (
  -- SHA-256 of e-mail address and network address, as in sign_in_attempts.
  key_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- Latest sign-in, accurate to one day.
  last_at timestamptz not null default now()
);

-- Finds the oldest addresses of a person.
create index known_networks_by_user on known_networks (user_id, last_at);
-- Finds outdated addresses of all people.
create index known_networks_by_age on known_networks (last_at);

-- Links that are valid once: to reset a password, to prove an address, and to sign in.
create table account_links (
  -- SHA-256 of the token. A stolen copy of this table is therefore useless.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- `sign_in`: created by the operator, valid for ten minutes.
  kind text not null check (kind in ('reset', 'confirmation', 'sign_in')),
  -- The link was only sent by mail and never shown, so using it proves the address.
  mailed boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Finds earlier links of a person.
create index account_links_by_user on account_links (user_id, kind, created_at);
-- Finds expired links.
create index account_links_by_expiry on account_links (expires_at);

-- Second factors (TOTP).
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- Encrypted for this user (src/platform/encryption.ts).
  secret bytea not null,
  -- Null until the person has entered a code. Sign-ins do not ask for a code before.
  confirmed_at timestamptz,
  -- Newest 30-second period whose code was accepted. No code is accepted twice.
  last_step bigint not null default 0,
  -- SHA-256 of each unused recovery code.
  recovery_codes bytea[] not null default '{}',
  -- Number of wrong codes since `attempts_since`.
  attempts integer not null default 0,
  attempts_since timestamptz not null default now()
);

-- Sign-ins that have passed the password check and need a code.
create table sign_in_tickets (
  -- SHA-256 of the ticket.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- Invitation (members.token_hash) that the new session accepts, if any.
  invitation_hash bytea,
  expires_at timestamptz not null,
  -- Identity of a single sign-on, for the new session. Null without one.
  sso_issuer text,
  sso_subject text,
  sso_session text,
  constraint sign_in_tickets_sso_check check (num_nulls(sso_issuer, sso_subject) in (0, 2))
);

-- Finds the tickets of a person.
create index sign_in_tickets_by_user on sign_in_tickets (user_id);
-- Finds expired tickets.
create index sign_in_tickets_by_expiry on sign_in_tickets (expires_at);
-- Ends the tickets that a logout of the identity provider names.
create index sign_in_tickets_by_sso_subject on sign_in_tickets (sso_issuer, sso_subject) where sso_issuer is not null;
create index sign_in_tickets_by_sso_session on sign_in_tickets (sso_issuer, sso_session) where sso_session is not null;

-- Saved views: filters of a list that a member keeps. They end with the membership.
create table saved_views (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  member_id uuid not null,
  -- Name of the list, which the client chooses.
  list text not null,
  name text not null,
  -- Query string with the filters. It can contain the name or a number of a customer.
  search text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
);

-- Lists the views of a member, and allows one per name and list.
create unique index saved_views_once on saved_views (workspace_id, member_id, list, name);

-- PostgreSQL must not keep samples of columns with personal data.
alter table saved_views alter search set statistics 0;

-- API keys: machine credentials of one workspace (interface document, sections 2.1 and 5.1).
create table api_keys (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  name text not null,
  -- First 12 characters of the key, so that people can tell keys apart.
  prefix text not null,
  -- SHA-256 of the key. The key itself is not stored.
  key_hash bytea not null unique,
  created_at timestamptz not null default now(),
  -- User who created the key. The account can be deleted later.
  created_by uuid not null,
  revoked_at timestamptz,
  -- Written at most once a minute per key (src/accounts/api-keys/verify.ts).
  last_used_at timestamptz,
  primary key (workspace_id, id)
);

-- Counts the valid keys of a workspace, regardless of the number of revoked ones.
create index api_keys_active on api_keys (workspace_id) where revoked_at is null;

-- Audit log: actor, action, record, time and network address. An entry is committed with its change and never modified.
-- It holds no customer data, so an erasure does not need to reach it.
create table audit_entries (
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  at timestamptz not null default now(),
  -- `operator`: on the command line. `unknown`: not authenticated, for example a wrong password.
  actor_type text not null check (actor_type in ('user', 'api_key', 'operator', 'unknown')),
  -- Null for `operator` and `unknown`, which have no id.
  actor_id uuid,
  -- Name of the API operation. No check, because later releases have more operations.
  action text not null,
  target_type text not null,
  target_id uuid not null,
  -- A few named values about the change.
  detail jsonb not null default '{}' check (octet_length(detail::text) <= 8192),
  -- Network address and id of the request; null if there was no request.
  address text,
  request_id uuid,
  -- Access token of the call, with its name at that time. No reference: the token can be revoked.
  via_token_id uuid,
  via_token_name text,
  primary key (workspace_id, id),
  constraint audit_entries_actor_id_check check ((actor_id is null) = (actor_type in ('operator', 'unknown'))),
  constraint audit_entries_via_check check (num_nulls(via_token_id, via_token_name) in (0, 2))
);

-- Lists the entries of an actor.
create index audit_entries_by_actor on audit_entries (workspace_id, actor_id, id);
-- Lists the entries of an action.
create index audit_entries_by_action on audit_entries (workspace_id, action, id);
-- Lists the entries of a record.
create index audit_entries_by_target on audit_entries (workspace_id, target_id, id);
-- Finds entries of all workspaces that are older than the retention.
create index audit_entries_by_age on audit_entries (at);

-- Retention of the audit log. Without a row, entries are kept for ever. Only the role that migrates writes it. The role
-- of the service reads it, and so cannot remove an entry early.
create table audit_retention (
  -- Allows one row.
  only_row boolean primary key default true check (only_row),
  retention_seconds double precision not null check (retention_seconds >= 86400)
);

-- Revokes what default privileges grant other roles on every new table, and lets them read.
do $$
declare
  other text;
begin
  for other in
    select distinct grantee::regrole::text
    from pg_class c, aclexplode(c.relacl) as a
    where c.oid = 'audit_retention'::regclass and a.grantee <> c.relowner and a.grantee <> 0
  loop
    execute format('revoke all on audit_retention from %s', other);
    execute format('grant select on audit_retention to %s', other);
  end loop;
end
$$;

-- Rejects every change of an entry. Allows the removal of an entry older than the retention, in a transaction that sets
-- `audit.retention`.
create function reject_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.retention', true) = 'on'
    and old.at < now() - (select make_interval(secs => retention_seconds) from audit_retention) then
    return old;
  end if;
  raise exception 'Entries of the audit log are neither changed nor removed.' using errcode = 'integrity_constraint_violation';
end
$$;

-- Fixes the search path to the schema of this migration, so that a temporary table cannot replace audit_retention.
do $$
begin
  execute format('alter function reject_audit_change() set search_path = pg_catalog, %I, pg_temp', current_schema());
end
$$;

-- Protects single entries.
create trigger audit_entries_immutable before update or delete on audit_entries
  for each row execute function reject_audit_change();
-- Protects the table from `truncate`.
create trigger audit_entries_not_truncated before truncate on audit_entries
  for each statement execute function reject_audit_change();
