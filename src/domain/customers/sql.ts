import type { Sql } from '../../db/client.ts'
import { telling, told } from '../outbound-events/index.ts'
import type { PageRequest } from '../pagination.ts'
import type { TimelineItem } from './schema.ts'

export interface CustomerRow {
  id: string
  phone: string | null
  externalId: string | null
  name: string | null
  attributes: Record<string, unknown>
  optedInAt: Date | null
  optedOutAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) => sql`
  id, phone, external_id as "externalId", name, attributes, opted_in_at as "optedInAt", opted_out_at as "optedOutAt",
  created_at as "createdAt", updated_at as "updatedAt"`

/** Null when the phone or the external id belongs to another customer. */
export const insertCustomer = async (
  sql: Sql,
  p: {
    workspaceId: string
    phone: string | null
    externalId: string | null
    name: string | null
    attributes: Record<string, unknown>
  },
) => {
  const [row] = await sql<CustomerRow[]>`
    insert into customers (workspace_id, phone, external_id, name, attributes)
    values (${p.workspaceId}, ${p.phone}, ${p.externalId}, ${p.name}, ${JSON.stringify(p.attributes)}::text::jsonb)
    on conflict do nothing
    returning ${columns(sql)}`
  return row ?? null
}

export interface Claims {
  phone: string | null
  externalId: string | null
}

/** The customers, other than `exceptId`, that one of these identifiers belongs to. */
export const findHolders = (sql: Sql, p: Claims & { workspaceId: string; exceptId: string | null }) => sql<
  { id: string; phone: string | null; externalId: string | null }[]
>`
  select id, phone, external_id as "externalId" from customers
  where workspace_id = ${p.workspaceId} and (phone = ${p.phone} or external_id = ${p.externalId})
    and id is distinct from ${p.exceptId}::uuid`

export const findCustomer = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<CustomerRow[]>`
    select ${columns(sql)} from customers where workspace_id = ${workspaceId} and id = ${id} and erased_at is null`
  return row ?? null
}

/**
 * Filters that are not asked for are not in the statement, so that a phone or an external id is found by its index. A
 * search looks at each customer of the workspace. Its letters are folded by a collation that does not depend on how
 * the database was set up.
 */
export const selectCustomers = (
  sql: Sql,
  workspaceId: string,
  filter: { phone: string | null; externalId: string | null; search: string | null },
  page: PageRequest,
) => {
  const { phone, externalId, search } = filter
  const contains = (column: string) =>
    sql`strpos(lower(${sql(column)} collate pg_c_utf8), lower(${search}::text collate pg_c_utf8)) > 0`
  return sql<CustomerRow[]>`
    select ${columns(sql)} from customers
    where workspace_id = ${workspaceId} and erased_at is null
      ${phone === null ? sql`` : sql`and phone = ${phone}`}
      ${externalId === null ? sql`` : sql`and external_id = ${externalId}`}
      ${search === null ? sql`` : sql`and (${contains('name')} or ${contains('phone')} or ${contains('external_id')})`}
      ${page.before === null ? sql`` : sql`and id < ${page.before}`}
    order by id desc limit ${page.limit + 1}`
}

/** Changes what is not undefined. Attributes are merged: those in `set` replace their like, those in `removed` go. */
export const updateCustomer = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    phone: string | null | undefined
    externalId: string | null | undefined
    name: string | null | undefined
    attributes: { set: Record<string, unknown>; removed: string[] }
  },
) => {
  const value = (given: string | null | undefined, column: string) =>
    given === undefined ? sql(column) : sql`${given}::text`
  const [row] = await sql<CustomerRow[]>`
    update customers set
      phone = ${value(p.phone, 'phone')},
      external_id = ${value(p.externalId, 'external_id')},
      name = ${value(p.name, 'name')},
      attributes = (attributes || ${JSON.stringify(p.attributes.set)}::text::jsonb) - ${p.attributes.removed}::text[],
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null
    returning ${columns(sql)}`
  return row ?? null
}

/** Who said that a customer agreed or does not want any more: `customer` when they wrote it themselves. */
export type ConsentSource = 'api' | 'dashboard' | 'customer'

/** The latest opt-in is what the customer's row shows; each is in the ledger. An opt-out stays what it is. */
export const markOptedIn = async (
  sql: Sql,
  p: { workspaceId: string; id: string; evidence: string; source: ConsentSource },
) => {
  const [row] = await sql<CustomerRow[]>`
    with opted_in as (
      update customers set opted_in_at = now(), opt_in_evidence = ${p.evidence}, updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null
      returning *
    ), noted as (
      insert into consents (workspace_id, customer_id, kind, source, words)
      select workspace_id, id, 'opt_in', ${p.source}, opt_in_evidence from opted_in
    )
    select ${columns(sql)} from opted_in`
  return row ?? null
}

export interface OptOutWords {
  workspaceId: string
  id: string
  /** The word the customer wrote, or the reason given. */
  reason: string
  source: ConsentSource
  /** The channel it came over; without one, that of the customer's newest conversation. */
  channelId?: string
}

/**
 * Opts the customer out, once: a second call finds no row. The outbound event is written by the same statement, so
 * whoever is told of an opt-out can rely on it, and every opt-out is told.
 */
export const markOptedOut = async (sql: Sql, p: OptOutWords) => {
  const [row] = await sql<CustomerRow[]>`
    with opted_out as (
      update customers set opted_out_at = now(), opt_out_reason = ${p.reason}, updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and opted_out_at is null and erased_at is null
      returning *
    ), via as (
      select
        (select co.handle from conversations co
          where co.workspace_id = o.workspace_id and co.customer_id = o.id and co.channel_id = ${p.channelId ?? null}) as handle,
        coalesce(
          (select ch.kind from channels ch where ch.workspace_id = o.workspace_id and ch.id = ${p.channelId ?? null}),
          (select ch.kind from conversations co
            join channels ch on ch.workspace_id = co.workspace_id and ch.id = co.channel_id
            where co.workspace_id = o.workspace_id and co.customer_id = o.id order by co.id desc limit 1),
          (select ch.kind from channels ch where ch.workspace_id = o.workspace_id order by ch.id limit 1)) as kind
      from opted_out o
    ), told as (
      ${telling(sql, 'customer.opted_out', {
        rows: sql`opted_out, via`,
        workspaceId: sql`workspace_id`,
        customerId: sql`opted_out.id`,
        data: {
          channel: sql`kind`,
          handle: sql`coalesce(handle, phone)`,
          scope: sql`'all'`,
          reason: sql`opt_out_reason`,
        },
      })}
      returning id
    ), noted as (
      insert into consents (workspace_id, customer_id, kind, source, words, outbound_event_id)
      select o.workspace_id, o.id, 'opt_out', ${p.source}, o.opt_out_reason, told.id from opted_out o, told
    )
    select ${columns(sql)} from opted_out`
  if (row) told(sql)
  return row ?? null
}

export interface TimelineRow {
  id: string
  kind: TimelineItem['kind']
  at: Date
  /** What is particular to the kind. */
  fields: Record<string, unknown>
}

/** The newest of each kind, brought into one order: every id is a UUIDv7. */
export const selectTimeline = (sql: Sql, workspaceId: string, customerId: string, page: PageRequest) => {
  const newest = sql`workspace_id = ${workspaceId} and customer_id = ${customerId}
    ${page.before === null ? sql`` : sql`and id < ${page.before}`} order by id desc limit ${page.limit + 1}`
  return sql<TimelineRow[]>`
    select * from (
      (select id, 'event' as kind, created_at as at, jsonb_build_object('type', type, 'source', source, 'sender', sender,
          'data', data, 'matchedWorkflows', matched_workflows) as fields
        from events where ${newest})
      union all
      (select id, 'message', created_at, jsonb_build_object('direction', direction, 'text', text, 'status', status,
          'detail', detail, 'conversationId', conversation_id, 'channelId', channel_id)
        from messages where ${newest})
      union all
      (select r.id, 'run', r.created_at, jsonb_build_object('workflowId', r.workflow_id, 'workflowName', w.name,
          'version', r.version, 'eventId', r.event_id, 'status', r.status, 'endReason', r.end_reason, 'endedAt', r.ended_at)
        from (select * from workflow_runs where ${newest}) r
        left join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id)
      union all
      (select id, kind, at, jsonb_build_object('source', source, 'words', words, 'eventId', event_id)
        from consents where ${newest})
    ) items
    order by id desc limit ${page.limit + 1}`
}
