-- Templates: texts with named places that values are put into; and sales, which conversations led to.

create table templates (
  workspace_id uuid not null references workspaces,
  id uuid not null default uuidv7(),
  name text not null,
  category text not null check (category in ('utility', 'marketing')),
  -- With {{name}} for each of the variables.
  body text not null,
  -- [{name, sample}], in the order in which a provider is handed their values.
  variables jsonb not null default '[]',
  -- What a provider with approved templates knows it by: {name, language}.
  provider jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Marked by a person in a conversation, or by a step of a run. Never changed but to be voided, or by an erasure.
create table sales (
  workspace_id uuid not null,
  id uuid not null default uuidv7(),
  conversation_id uuid not null,
  customer_id uuid not null,
  -- With the very digits that were given: 129.90 stays 129.90.
  amount numeric not null check (amount >= 0 and amount <= 999999999999.999 and scale(amount) <= 3),
  -- ISO 4217.
  currency text not null,
  note text,
  marked_by text not null check (marked_by in ('user', 'workflow')),
  marked_by_id uuid not null,
  -- The run step that marked it, and which visit of that step: a step visited once marks once.
  run_id uuid,
  run_step integer,
  voided_at timestamptz,
  void_reason text,
  -- The time of the id, so that a list between two times is one between two ids.
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

create unique index sales_once on sales (workspace_id, run_id, run_step) where run_id is not null;
create index sales_by_customer on sales (workspace_id, customer_id, id);
create index sales_by_conversation on sales (workspace_id, conversation_id, id);
