-- Customers as people work with them: those that were erased, what each agreed to and when, and every way from a
-- customer to what belongs to it.

alter table customers
  -- The person is gone and the row stays, for what points to it and for the counts; invisible to every reader.
  add column erased_at timestamptz,
  add constraint customers_identified check (erased_at is not null or num_nonnulls(phone, external_id) > 0);

-- What the event writer asks of every event that it writes; as good as empty, so that the answer costs next to nothing.
create index customers_erased on customers (workspace_id, id) where erased_at is not null;

-- The ledger beside the current view on the customer's row. Rows are added, and never changed but by an erasure.
create table consents (
  workspace_id uuid not null,
  customer_id uuid not null,
  id uuid not null default uuidv7(),
  kind text not null check (kind in ('opt_in', 'opt_out')),
  -- Who said so: a key, a signed-in person, or the customer by a word such as STOP.
  source text not null check (source in ('api', 'dashboard', 'customer')),
  -- The evidence of an opt-in, the reason of an opt-out; null once the customer is erased.
  words text,
  -- The event that carried it, and the outbound event that told of it.
  event_id uuid,
  outbound_event_id uuid,
  at timestamptz not null default now(),
  primary key (workspace_id, customer_id, id)
);

insert into consents (workspace_id, customer_id, kind, source, words, at)
select workspace_id, id, 'opt_in', 'api', opt_in_evidence, opted_in_at from customers where opted_in_at is not null;

insert into consents (workspace_id, customer_id, kind, source, words, at, outbound_event_id)
select c.workspace_id, c.id, 'opt_out', 'api', c.opt_out_reason, c.opted_out_at,
  (select e.id from outbound_events e
    where e.workspace_id = c.workspace_id and e.type = 'customer.opted_out' and e.data ->> 'handle' = c.phone
    order by e.id limit 1)
from customers c where c.opted_out_at is not null;

-- From a customer to what belongs to it: the timeline reads the newest of each, an erasure all of them.
create index events_by_customer on events (workspace_id, customer_id, id);
create index messages_by_customer on messages (workspace_id, customer_id, id);
create index workflow_runs_by_customer on workflow_runs (workspace_id, customer_id, id);

-- Outbound events that carry a person's number or words. A status without a detail, which nearly every one is, carries
-- neither and costs nothing here.
create index outbound_events_of_person on outbound_events (workspace_id, coalesce(data ->> 'customerId', data ->> 'conversationId'))
  where type in ('message.received', 'sale.created') or (type = 'message.status' and data ->> 'detail' is not null);

-- Null once the customer is erased.
alter table conversations alter column handle drop not null;
