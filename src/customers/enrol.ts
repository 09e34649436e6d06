/**
 * SQL fragments with which the event writer updates customers in its one statement. Each handles all customers of a
 * batch in a fixed order, so that two batches cannot deadlock.
 */
import type { Fragment, Sql } from '../platform/postgres/client.ts'

/** A customer who is created by an event. */
export interface Enrolment {
  workspaceId: string
  id: string
  phone: string | null
  name: string | null
  optIn: string | null
}

/** Inserts customers and returns the new ones. Skips a customer whose phone a concurrent call has just assigned. */
export const enrolCustomers = (sql: Sql, enrolments: Enrolment[]) => sql`
  insert into customers (workspace_id, id, phone, name, opted_in_at, opt_in_evidence)
  select workspace_id, id, phone, name, case when opt_in is not null then now() end, opt_in
  from json_to_recordset(${JSON.stringify(enrolments.map(enrolmentRow))}::text::json)
    as n(workspace_id uuid, id uuid, phone text, name text, opt_in text)
  order by workspace_id, phone
  on conflict do nothing
  returning workspace_id, id`

const enrolmentRow = ({ workspaceId, id, phone, name, optIn }: Enrolment) => ({
  workspace_id: workspaceId,
  id,
  phone,
  name,
  opt_in: optIn,
})

/** Changes of an event to a known customer: missing identifiers, or an opt-in. */
export interface KnownCustomerChange {
  workspaceId: string
  id: string
  phone: string | null | undefined
  externalId: string | null | undefined
  optIn: string | null
}

/**
 * Updates customers and returns those that were updated. Skips customers that were erased, that got the identifier from
 * another call, or that another transaction has locked. Does not wait for locks, so that one locked customer does not
 * delay the batch. Skips customers whose new identifier belongs to another customer. Fails with 23505 only if another
 * transaction assigns it at the same moment.
 */
export const updateKnownCustomers = (sql: Sql, changes: KnownCustomerChange[]) => sql`
  update customers c set
    phone = coalesce(c.phone, t.phone),
    external_id = coalesce(c.external_id, t.external_id),
    opted_in_at = case when t.opt_in is not null then now() else c.opted_in_at end,
    opt_in_evidence = coalesce(t.opt_in, c.opt_in_evidence),
    updated_at = now()
  from (
    select i.* from json_to_recordset(${JSON.stringify(changes.map(changeRow))}::text::json)
      as i(workspace_id uuid, id uuid, phone text, external_id text, opt_in text)
    join customers held on held.workspace_id = i.workspace_id and held.id = i.id
    where held.erased_at is null and (i.phone is null or held.phone is null)
      and (i.external_id is null or held.external_id is null)${
        changes.some(({ phone, externalId }) => phone || externalId)
          ? sql`
      and not exists (select from customers o where o.workspace_id = i.workspace_id and o.phone = i.phone)
      and not exists (select from customers o where o.workspace_id = i.workspace_id and o.external_id = i.external_id)`
          : sql``
      }
    for no key update of held skip locked
  ) as t
  where c.workspace_id = t.workspace_id and c.id = t.id
  returning c.workspace_id, c.id`

const changeRow = ({ workspaceId, id, phone, externalId, optIn }: KnownCustomerChange) => ({
  workspace_id: workspaceId,
  id,
  phone,
  external_id: externalId,
  opt_in: optIn,
})

/** An opt-in that an event contained. */
export interface OptInEntry {
  workspaceId: string
  customerId: string
  id: string
  source: 'api' | 'dashboard'
  words: string
  eventId: string
}

/** Adds opt-ins to the ledger, for those events that are in `recorded` (workspace_id, id). */
export const recordOptIns = (sql: Sql, optIns: OptInEntry[], recorded: Fragment) => sql`
  insert into consents (workspace_id, customer_id, id, kind, source, words, event_id)
  select o.workspace_id, o.customer_id, o.id, 'opt_in', o.source, o.words, r.id
  from json_to_recordset(${JSON.stringify(optIns.map(optInRow))}::text::json)
    as o(workspace_id uuid, customer_id uuid, id uuid, source text, words text, event_id uuid)
  join ${recorded} r on r.workspace_id = o.workspace_id and r.id = o.event_id`

const optInRow = ({ workspaceId, customerId, id, source, words, eventId }: OptInEntry) => ({
  workspace_id: workspaceId,
  customer_id: customerId,
  id,
  source,
  words,
  event_id: eventId,
})
