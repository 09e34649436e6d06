import { type PageRequest, type SizedRow, withinPageBytes } from '../core/pagination.ts'
import type { Fragment, Sql } from '../platform/postgres/client.ts'
import { endRunsByOptOut } from '../queue/waits/index.ts'
import { type Emitted, emit, emitDrafts, emitResult } from '../webhooks/emit/index.ts'
import { draftEvents } from '../webhooks/outbound-events/index.ts'
import { pruneConsents } from './ledger.ts'
import type { Consent, TimelineItem } from './schema.ts'

export interface CustomerRow {
  id: string
  phone: string | null
  externalId: string | null
  name: string | null
  email: string | null
  attributes: Record<string, unknown>
  optedInAt: Date | null
  optedOutAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Column with the size of a customer's attributes in bytes, to limit the size of a response. */
export const bytesColumn = (sql: Sql) => sql`octet_length(attributes::text) as bytes`

/** Columns of a `CustomerRow`. */
export const columns = (sql: Sql) => sql`
  id, phone, external_id as "externalId", name, email, attributes, opted_in_at as "optedInAt", opted_out_at as "optedOutAt",
  created_at as "createdAt", updated_at as "updatedAt"`

/** Inserts a customer. Returns null if the phone or the external id belongs to another customer. */
export const insertCustomer = async (
  sql: Sql,
  p: {
    workspaceId: string
    phone: string | null
    externalId: string | null
    name: string | null
    email: string | null
    attributes: Record<string, unknown>
  },
) => {
  const [row] = await sql<CustomerRow[]>`
    insert into customers (workspace_id, phone, external_id, name, email, attributes)
    values (${p.workspaceId}, ${p.phone}, ${p.externalId}, ${p.name}, ${p.email}, ${JSON.stringify(p.attributes)}::text::jsonb)
    on conflict do nothing
    returning ${columns(sql)}`
  return row ?? null
}

/**
 * Counts the customers of a workspace, without erased ones. Reads at most `2 * max` rows of all customers, and as many
 * of the erased ones.
 */
export const countCustomers = async (sql: Sql, workspaceId: string, max: number): Promise<number> => {
  const [row] = await sql<{ all: number; erased: number }[]>`
    select
      (select count(*)::integer from (
        select from customers where workspace_id = ${workspaceId} limit ${2 * max}) all_customers) as all,
      (select count(*)::integer from (
        select from customers where workspace_id = ${workspaceId} and erased_at is not null limit ${2 * max}) erased_customers) as erased`
  return row!.all - row!.erased
}

export interface Claims {
  phone: string | null
  externalId: string | null
}

/** Returns the customers, except `exceptId`, that have one of these identifiers. */
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

/** Class id of the advisory locks for identifiers that a change assigns. */
const identifierLocks = 0x637573

/**
 * Locks identifiers until the transaction ends, so that concurrent changes assign them one after the other. Calls that
 * create a customer do not take this lock. Does nothing if both are null.
 */
export const lockIdentifiers = async (
  tx: Sql,
  { workspaceId, phone, externalId }: Claims & { workspaceId: string },
): Promise<void> => {
  const names = Object.entries({ phone, externalId }).flatMap(([field, value]) =>
    value === null ? [] : [`${workspaceId} ${field} ${value}`],
  )
  if (names.length === 0) return
  await tx`
    select pg_advisory_xact_lock(${identifierLocks}, key)
    from (select hashtext(name) as key from unnest(${names}::text[]) as name order by key) sorted`
}

/**
 * Updates the fields that are not undefined. Attributes are merged: those in `set` are replaced, those in `removed` are
 * deleted.
 *
 * Returns null for an unknown customer, if another customer has the phone or the external id, or if the customer would
 * keep neither of the two. Fails with 23505 only if a call that takes no lock, such as an event, assigns the identifier
 * at the same moment.
 */
export const updateCustomer = async (
  sql: Sql,
  p: {
    workspaceId: string
    id: string
    phone: string | null | undefined
    externalId: string | null | undefined
    name: string | null | undefined
    email: string | null | undefined
    attributes: { set: Record<string, unknown>; removed: string[] }
  },
) => {
  const value = (input: string | null | undefined, column: string) =>
    input === undefined ? sql(column) : sql`${input}::text`
  const isFree = (input: string | null | undefined, column: string) =>
    input === undefined || input === null
      ? sql``
      : sql`and not exists (select from customers o
        where o.workspace_id = ${p.workspaceId} and o.${sql(column)} = ${input} and o.id <> ${p.id})`
  const [row] = await sql<CustomerRow[]>`
    update customers set
      phone = ${value(p.phone, 'phone')},
      external_id = ${value(p.externalId, 'external_id')},
      name = ${value(p.name, 'name')},
      email = ${value(p.email, 'email')},
      attributes = (attributes || ${JSON.stringify(p.attributes.set)}::text::jsonb) - ${p.attributes.removed}::text[],
      updated_at = now()
    where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null
      and (has_handle or num_nonnulls(${value(p.phone, 'phone')}, ${value(p.externalId, 'external_id')}) > 0)
      ${isFree(p.phone, 'phone')} ${isFree(p.externalId, 'external_id')}
    returning ${columns(sql)}`
  return row ?? null
}

/** Source of an opt-in or opt-out. `customer` means that the customer wrote it. */
export type ConsentSource = 'api' | 'dashboard' | 'customer'

/** Records an opt-in. The customer's row shows the latest one, and the ledger has all. An opt-out stays unchanged. */
export const markOptedIn = async (
  sql: Sql,
  p: { workspaceId: string; id: string; evidence: string; source: ConsentSource; userId: string | null },
) => {
  const [row] = await sql<CustomerRow[]>`
    with opted_in as (
      update customers set opted_in_at = now(), opt_in_evidence = ${p.evidence}, updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null
      returning *
    ), recorded as (
      insert into consents (workspace_id, customer_id, kind, source, words, user_id)
      select workspace_id, id, 'opt_in', ${p.source}, opt_in_evidence, ${p.userId} from opted_in
    ), pruned as (${pruneConsents(sql, sql`opted_in`)})
    select ${columns(sql)} from opted_in`
  return row ?? null
}

export interface OptOutEntry {
  workspaceId: string
  /** Id of the customer. */
  id: string
  /** The word that the customer wrote, or the given reason. */
  reason: string
  source: ConsentSource
  /** User who recorded it. */
  userId?: string | null
  /** Channel of the opt-out. Defaults to the channel of the customer's newest conversation. */
  channelId?: string
  /** Time given by the provider, if any. */
  reportedAt?: Date | null
}

/**
 * Opts customers out and returns those that changed. Missing from the result are customers who had already opted out,
 * unknown customers, and customers locked by another transaction, because the statement does not wait. It also
 * writes the outbound events, so every opt-out has exactly one event.
 */
export const markOptedOut = async (sql: Sql, words: OptOutEntry[]) => {
  const rows = words.map(({ workspaceId, id, reason, source, channelId, userId, reportedAt }) => ({
    workspace_id: workspaceId,
    id,
    reason,
    source,
    channel_id: channelId,
    user_id: userId,
    reported_at: reportedAt,
  }))
  const statement = sql<(CustomerRow & { workspaceId: string; emitted: Emitted | null })[]>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as i(workspace_id uuid, id uuid, reason text, source text, channel_id uuid, handle text, user_id uuid, reported_at timestamptz)
    ), ${optOutCustomers(sql, sql`input`)}, ${emitDrafts(sql, optOutDrafts(sql))},
    ${endRunsByOptOut(sql, sql`(select workspace_id, id as customer_id from opted_out)`)}
    select ${columns(sql)}, workspace_id as "workspaceId", ${emitResult(sql)} as emitted from opted_out`
  return emit(sql, statement)
}

/** Returns whether the transaction opted the customer out, and not another one before it. */
export const wasOptedOutHere = async (tx: Sql, workspaceId: string, id: string): Promise<boolean> => {
  const rows = await tx`
    select 1 from customers where workspace_id = ${workspaceId} and id = ${id} and opted_out_at = now()`
  return rows.length > 0
}

/**
 * CTEs that opt customers out. `rows` has the columns workspace_id, id, reason, source, channel_id, handle, user_id
 * and reported_at. `opted_out` contains those who exist, have not opted out and are not locked. `optOutDrafts` has their
 * outbound events.
 */
export const optOutCustomers = (sql: Sql, rows: Fragment) => sql`
  opted_out as (
    update customers c set opted_out_at = now(), opt_out_reason = i.reason, updated_at = now()
    from (
      select i.* from ${rows} i
      join customers locked on locked.workspace_id = i.workspace_id and locked.id = i.id
      where locked.opted_out_at is null and locked.erased_at is null
      for no key update of locked skip locked
    ) as i
    where c.workspace_id = i.workspace_id and c.id = i.id
    returning c.*, i.source, i.channel_id, i.handle, i.user_id, i.reported_at
  ), opt_outs as materialized (
    select o.*, uuidv7() as event_id,
      coalesce(o.handle, (select co.handle from conversations co
        where co.workspace_id = o.workspace_id and co.customer_id = o.id and co.channel_id = o.channel_id), o.phone,
        (select co.handle from conversations co
          where co.workspace_id = o.workspace_id and co.customer_id = o.id order by co.id desc limit 1),
        (select h.handle from handles h where h.workspace_id = o.workspace_id and h.customer_id = o.id
          order by h.created_at desc limit 1)) as address,
      coalesce(
        (select ch.kind from channels ch where ch.workspace_id = o.workspace_id and ch.id = o.channel_id),
        -- For a customer known only by an address: the channel of the newest address.
        (select ch.kind from handles h join channels ch on ch.workspace_id = h.workspace_id and ch.id = h.channel_id
          where o.phone is null and h.workspace_id = o.workspace_id and h.customer_id = o.id and not exists (
            select from conversations co where co.workspace_id = o.workspace_id and co.customer_id = o.id)
          order by h.created_at desc limit 1),
        (select ch.kind from conversations co
          join channels ch on ch.workspace_id = co.workspace_id and ch.id = co.channel_id
          where co.workspace_id = o.workspace_id and co.customer_id = o.id order by co.id desc limit 1),
        (select ch.kind from channels ch where ch.workspace_id = o.workspace_id order by ch.id limit 1)) as kind
    from opted_out o
  ), recorded_opt_outs as (
    insert into consents (workspace_id, customer_id, kind, source, words, outbound_event_id, user_id, reported_at)
    select workspace_id, id, 'opt_out', source, opt_out_reason, event_id, user_id, reported_at from opt_outs
  )`

/** Maximum number of a customer's conversations whose address is read. */
const maxAddresses = 200

/**
 * Lifts an opt-out on behalf of a user. Returns null if there is none, or for an unknown customer. Emits no event.
 * Assigns the customer's number and conversation addresses to this customer alone. An opt-out by a former owner of an
 * address then no longer applies to it.
 */
export const liftOptOut = async (
  sql: Sql,
  p: { workspaceId: string; id: string; reason: string; userId: string },
): Promise<CustomerRow | null> => {
  const [row] = await sql<CustomerRow[]>`
    with lifted as (
      update customers set opted_out_at = null, opt_out_reason = null, updated_at = now()
      where workspace_id = ${p.workspaceId} and id = ${p.id} and erased_at is null and opted_out_at is not null
      returning *
    ), addresses as materialized (
      select phone as handle from lifted where phone is not null
      union
      select handle from (
        select co.handle from lifted
        join conversations co on co.workspace_id = lifted.workspace_id and co.customer_id = lifted.id
        where co.handle is not null limit ${maxAddresses}) conversation_handles
    ), reassigned as (
      update handles h set customer_id = lifted.id from lifted, addresses a
      where h.workspace_id = ${p.workspaceId} and h.handle = a.handle and h.customer_id <> lifted.id
    ), cleared_flags as (
      -- The opt-out that ends here settled earlier messages that looked like one.
      update conversations co set looks_like_opt_out = false from lifted
      where co.workspace_id = lifted.workspace_id and co.customer_id = lifted.id and co.looks_like_opt_out
    ), recorded as (
      insert into consents (workspace_id, customer_id, kind, source, words, user_id)
      select workspace_id, id, 'lift', 'dashboard', ${p.reason}, ${p.userId} from lifted
    ), pruned as (${pruneConsents(sql, sql`lifted`)})
    select ${columns(sql)} from lifted`
  return row ?? null
}

export interface ConsentRow {
  id: string
  kind: Consent['kind']
  source: ConsentSource
  words: string | null
  eventId: string | null
  userId: string | null
  at: Date
}

export const selectConsents = (sql: Sql, workspaceId: string, customerId: string, page: PageRequest) => sql<
  ConsentRow[]
>`
  select id, kind, source, words, event_id as "eventId", user_id as "userId", at from consents
  where workspace_id = ${workspaceId} and customer_id = ${customerId}
    ${page.before === null ? sql`` : sql`and id < ${page.before}`}
  order by id desc limit ${page.limit + 1}`

/** Outbound events of the customers that `optOutCustomers` opted out, for `emitDrafts`. */
export const optOutDrafts = (sql: Sql) =>
  draftEvents(sql, 'customer.opted_out', {
    rows: sql`opt_outs`,
    id: sql`event_id`,
    workspaceId: sql`workspace_id`,
    customerId: sql`id`,
    data: { channel: sql`kind`, handle: sql`address`, scope: sql`'all'`, reason: sql`opt_out_reason` },
  })

/**
 * Returns the existing customers of several workspaces. `lateral … offset 0` makes the planner use one index probe for
 * each.
 */
export const findCustomers = (sql: Sql, customers: { workspaceId: string; id: string }[]) => sql<
  (CustomerRow & { workspaceId: string })[]
>`
  select ${columns(sql)}, workspace_id as "workspaceId" from (
    select c.* from unnest(${customers.map(({ workspaceId }) => workspaceId)}::uuid[], ${customers.map(({ id }) => id)}::uuid[])
      as i(workspace_id, id)
    cross join lateral (select * from customers c
      where c.workspace_id = i.workspace_id and c.id = i.id and c.erased_at is null offset 0) c
  ) as found`

export interface TimelineRow {
  id: string
  kind: TimelineItem['kind']
  at: Date
  /** Fields that depend on the kind. */
  fields: Record<string, unknown>
  /** The `data` of an event, as PostgreSQL formats it. */
  dataText: string | null
}

/**
 * Merges the newest entries of each kind by id, because every id is a UUIDv7. Event data is only read for the rows of
 * the page, since one event can have a megabyte.
 */
export const selectTimeline = (sql: Sql, workspaceId: string, customerId: string, page: PageRequest) => {
  const newest = sql`workspace_id = ${workspaceId} and customer_id = ${customerId}
    ${page.before === null ? sql`` : sql`and id < ${page.before}`} order by id desc limit ${page.limit + 1}`
  return sql<(TimelineRow & SizedRow)[]>`${withinPageBytes(
    sql,
    page,
    sql`
    select *, octet_length(fields::text) + coalesce(octet_length(data::text), 0) as bytes from (
      (select id, 'event' as kind, created_at as at, jsonb_build_object('type', type, 'source', source, 'sender', sender,
          'matchedWorkflows', matched_workflows) as fields, data
        from events where ${newest})
      union all
      (select id, 'message', created_at, jsonb_build_object('direction', direction, 'text', text, 'status', status,
          'detail', detail, 'conversationId', conversation_id, 'channelId', channel_id), null
        from messages where ${newest})
      union all
      (select r.id, 'run', r.created_at, jsonb_build_object('workflowId', r.workflow_id, 'workflowName', w.name,
          'version', r.version, 'eventId', r.event_id,
          'status', case when r.status = 'active' and r.waiting then 'waiting' else r.status end,
          'endReason', r.end_reason, 'endedAt', r.ended_at), null
        from (select * from workflow_runs where ${newest}) r
        left join workflows w on w.workspace_id = r.workspace_id and w.id = r.workflow_id)
      union all
      (select id, kind, at, jsonb_build_object('source', source, 'words', words, 'eventId', event_id), null
        from consents where ${newest})
    ) items
    order by id desc limit ${page.limit + 1}`,
    sql`id, kind, at, fields, data::text as "dataText"`,
  )}`
}
