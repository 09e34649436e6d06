-- Customers of a workspace, the ledger of their consent, and their addresses on channels.
-- `set statistics 0` is on columns with personal data that no statement searches. PostgreSQL would keep samples of them
-- for its planner, and an erasure does not reach samples. Samples of searched columns are renewed after an erasure
-- (src/privacy/erasure/samples.ts). The later files do the same.

-- Returns a text without accents and in lower case, for searches. `src/core/word-search.ts` does the same to what is
-- searched. Most texts are ASCII, which needs no decomposition. Letters that have none, such as ł, ø and ß, are kept.
create function search_text(text text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(text) = char_length(text) then lower(text collate pg_c_utf8)
    else lower(regexp_replace(normalize(text, NFD) collate pg_c_utf8, '[\u0300-\u036f]+', '', 'g') collate pg_c_utf8)
  end;

-- Customers. A row is never deleted: an erased customer keeps the id, for references and counts.
create table customers (
  -- Not enforced. The check locks the referenced row, so one blocked workspace would block the batches of all others. It
  -- also costs 5 to 10 us per row and protects nothing: the workspace comes from the credential, and is closed before its
  -- deletion.
  workspace_id uuid not null references workspaces not enforced,
  id uuid not null default uuidv7(),
  phone text,
  external_id text,
  name text,
  attributes jsonb not null default '{}',
  opted_in_at timestamptz,
  -- Evidence of the opt-in, in the caller's words (section 2.3, optIn).
  opt_in_evidence text,
  opted_out_at timestamptz,
  opt_out_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Time of the erasure. Readers skip erased customers.
  erased_at timestamptz,
  -- The customer has an address in `handles`, so phone and external id can both be empty.
  has_handle boolean not null default false,
  -- Stored and shown only. It identifies no customer, and nothing is sent to it.
  email text,
  primary key (workspace_id, id),
  constraint customers_identified check (erased_at is not null or has_handle or num_nonnulls(phone, external_id) > 0)
);

alter table customers alter attributes set statistics 0, alter opt_in_evidence set statistics 0,
  alter opt_out_reason set statistics 0, alter email set statistics 0;

-- Allows one customer per phone, and finds it.
create unique index customers_phone on customers (workspace_id, phone) where phone is not null;
-- Allows one customer per external id, and finds it.
create unique index customers_external_id on customers (workspace_id, external_id) where external_id is not null;
-- Tells the event writer whether a customer is erased. It is almost empty, so the lookup costs little.
create index customers_erased on customers (workspace_id, id) where erased_at is not null;
-- Lists customers who opted out. Creating a customer does not write to it.
create index customers_opted_out on customers (workspace_id, id) where opted_out_at is not null and erased_at is null;
-- Serves the search for a part of a name, a phone or an external id.
create index customers_search on customers using gin (
  workspace_id,
  search_text(coalesce(name, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(external_id, '')) collate pg_c_utf8 gin_trgm_ops
) where erased_at is null;
-- Finds names by their beginning. Compared as in statements, so that a beginning is one range of the index.
create index customers_by_name on customers (workspace_id, search_text(name) collate pg_c_utf8)
  where name is not null and erased_at is null;

-- Ledger of consent. The customer row has the current state. Rows are added, and only an erasure changes them.
create table consents (
  workspace_id uuid not null,
  customer_id uuid not null,
  id uuid not null default uuidv7(),
  -- `lift`: an owner ended an opt-out.
  kind text not null check (kind in ('opt_in', 'opt_out', 'lift')),
  -- `api`: an API key. `dashboard`: a signed-in person. `customer`: a word such as STOP.
  source text not null check (source in ('api', 'dashboard', 'customer')),
  -- Evidence of an opt-in, or reason of an opt-out. Null after an erasure.
  words text,
  -- Event that carried it, and outbound event that reported it.
  event_id uuid,
  outbound_event_id uuid,
  at timestamptz not null default now(),
  -- User who made the change, if one did.
  user_id uuid,
  -- Time of the opt-out by the provider's clock. It identifies an opt-out that is reported again after a lift.
  reported_at timestamptz,
  primary key (workspace_id, customer_id, id)
);

alter table consents alter words set statistics 0;

-- Finds the last lift, and whether a reported opt-out is known, regardless of the number of other rows.
create index consents_by_kind on consents (workspace_id, customer_id, kind, at) where kind in ('opt_out', 'lift');
-- Finds the opt-outs of a period.
create index consents_opt_outs on consents (workspace_id, at) where kind = 'opt_out';

-- Addresses from which customers wrote, per channel. An address is not always a phone: WhatsApp can use its own id. An
-- erasure deletes the rows.
create table handles (
  workspace_id uuid not null,
  channel_id uuid not null,
  handle text not null,
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, channel_id, handle)
);

-- Lists the addresses of a customer.
create index handles_by_customer on handles (workspace_id, customer_id);
-- Finds the customer of an address on any channel, for opt-outs and for the phone of an event.
create index handles_by_address on handles (workspace_id, handle);
