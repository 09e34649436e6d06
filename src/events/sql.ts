import { direction, isInRange, isOnPage, type PageRequest, type SizedRow, withinPageBytes } from '../core/pagination.ts'
import { findLastScanned } from '../core/scan.ts'
import {
  type Enrolment,
  enrolCustomers,
  type KnownCustomerChange,
  type OptInEntry,
  pruneConsents,
  recordOptIns,
  selectCustomerWithoutPhone,
  updateKnownCustomers,
} from '../customers/index.ts'
import { type QueuedChannel, type QueuedRows, queuedRows } from '../messaging/messages/index.ts'
import { type Sql, transaction } from '../platform/postgres/client.ts'
import { wakeRunsByEvents } from '../queue/waits/index.ts'
import { type Advance, executionsOf, queuedByExecutions, type RunStart, startRuns } from '../workflows/index.ts'
import { keyDigest, keyHash } from './key-digest.ts'
import type { Reason, Verdict } from './outcomes.ts'
import type { Mismatch } from './schema.ts'
import { countEvents } from './usage-sql.ts'

/** A validated event, as the input of the writer. */
export interface IncomingEvent {
  workspaceId: string
  source: 'api' | 'dashboard'
  sender: string
  type: string
  phone: string | null
  customerId: string | null
  externalId: string | null
  name: string | null
  data: Record<string, unknown>
  idempotencyKey: string | null
  occurredAt: Date | null
  optInEvidence: string | null
  /** Maximum number of events per calendar month (UTC) in the workspace's plan. Null means unlimited. */
  monthlyLimit: number | null
  /** `traceparent` of the request. Null without a trace. */
  traceparent: string | null
}

/** An event without its `data`, which can be a megabyte. */
export interface EventRow {
  id: string
  workspaceId: string
  type: string
  source: 'api' | 'dashboard'
  sender: string
  customerId: string
  idempotencyKey: string | null
  matchedWorkflows: number
  occurredAt: Date | null
  createdAt: Date
}

export interface WithVerdicts {
  /** One per workflow, as of the time when the event was recorded. */
  verdicts: Verdict[]
}

/** An event that is returned to a caller. */
export interface StoredEvent extends EventRow {
  /** `data` in the text format of PostgreSQL. */
  dataText: string
}

/**
 * Columns of an event with its verdicts, for the table `events` as `e`. `data` is not converted here; `storedColumns`
 * converts it to text.
 */
export const eventColumns = (sql: Sql) => sql`${columnsWithData(sql)}, ${verdictsColumn(sql)}`

const columnsWithData = (sql: Sql) => sql`${columnsWithoutData(sql)}, e.data`

/**
 * Columns of a StoredEvent, selected from rows with the columns of an event. Use it in the outermost query, so that
 * only returned rows are converted.
 */
export const storedColumns = (sql: Sql) => sql`
  id, "workspaceId", type, source, sender, "customerId", "idempotencyKey", "matchedWorkflows", "occurredAt", "createdAt",
  data::text as "dataText"`

const columnsWithoutData = (sql: Sql) => sql`${columnsWithoutKey(sql)}, e.idempotency_key as "idempotencyKey"`

const columnsWithoutKey = (sql: Sql) => sql`
  e.id, e.workspace_id as "workspaceId", e.type, e.source, e.sender, e.customer_id as "customerId",
  e.matched_workflows as "matchedWorkflows", e.occurred_at as "occurredAt", e.created_at as "createdAt"`

const verdictsColumn = (sql: Sql) => sql`
  coalesce((
    select json_agg(json_build_object('workflowId', v.workflow_id, 'name', w.name, 'verdict', v.verdict,
      'runId', v.run_id, 'version', v.version, 'detail', v.detail) order by v.workflow_id)
    from (
      select r.workflow_id, 'started' as verdict, r.id as run_id, r.version, null::jsonb as detail
      from workflow_runs r where r.workspace_id = e.workspace_id and r.event_id = e.id
      union all
      select o.workflow_id, o.verdict, null, null, o.detail
      from event_outcomes o where o.workspace_id = e.workspace_id and o.event_id = e.id
    ) v
    left join workflows w on w.workspace_id = e.workspace_id and w.id = v.workflow_id
  ), '[]') as verdicts`

/** An event that was just recorded, with its data. */
export interface NewEvent extends EventRow, WithVerdicts {
  data: Record<string, unknown>
}

/**
 * An event that was recorded earlier. Its `data` is read only for the response, because it can be a
 * megabyte long.
 */
export interface ExistingEvent extends EventRow, WithVerdicts {
  data: null
  /** False if the customer was erased or the event was deleted by retention, so that parts are missing. */
  isComplete: boolean
}

/**
 * Returns the events of these idempotency keys. A key is unique per workspace and source.
 *
 * `lateral … offset 0` forces one index probe per key. A cached plan from when the table was small would otherwise scan
 * the whole table after it has grown.
 *
 * Events of erased customers are found by the digest of their key, in a small partial index, and returned with the
 * given key. The statement also searches for tombstones of deleted events, because a key has either an event or a tombstone.
 */
export const findEventsByKey = (
  sql: Sql,
  keys: Pick<IncomingEvent, 'workspaceId' | 'source' | 'idempotencyKey'>[],
) => sql<ExistingEvent[]>`
  with k as materialized (
    select * from unnest(${textArray(sql, keys, key => key.workspaceId)}::uuid[], ${textArray(sql, keys, key => key.source)},
      ${textArray(sql, keys, key => key.idempotencyKey)}) as k(workspace_id, source, key)
  ), existing as (
    select e.*, k.key, true as is_complete from k cross join lateral (select * from events e
      where e.workspace_id = k.workspace_id and e.source = k.source and e.idempotency_key = k.key offset 0) e
    union all
    select e.*, k.key, false from k cross join lateral (select * from events e
      where e.workspace_id = k.workspace_id and e.source = k.source and e.key_hash = ${keyHash(sql, sql`k.key`)} offset 0) e
    where e.key_digest = ${keyDigest(sql, sql`k.key`)}
  )
  select ${columnsWithoutKey(sql)}, e.key as "idempotencyKey", null as data, e.is_complete as "isComplete", ${verdictsColumn(sql)} from existing e
  union all
  select r.event_id, r.workspace_id, r.type, r.source, r.sender, r.customer_id, 0, null, r.created_at, k.key, null, false, '[]'
  from k cross join lateral (select * from removed_events r
    where r.workspace_id = k.workspace_id and r.source = k.source and r.key_digest = ${keyDigest(sql, sql`k.key`)} offset 0) r`

/**
 * Returns the `data` of events and its size in bytes, in the order of `ids`. Returns the events that begin within
 * `maxBytes`.
 */
export const selectData = (sql: Sql, workspaceId: string, ids: string[], maxBytes: number) => sql<
  { id: string; dataText: string; bytes: number }[]
>`
  select id, data::text as "dataText", bytes from (
    select e.id, e.data, e.bytes,
      coalesce(sum(e.bytes) over (order by requested.position rows between unbounded preceding and 1 preceding), 0) as before
    from unnest(${ids}::uuid[]) with ordinality as requested(id, position)
    cross join lateral (select e.id, e.data, octet_length(e.data::text) as bytes from events e
      where e.workspace_id = ${workspaceId} and e.id = requested.id offset 0) e
  ) counted
  where before < ${maxBytes}`

/** Content of a repeat that is compared with the stored event. */
export interface RepeatContent {
  id: string
  dataText: string
  optInEvidence: string | null
}

/** Maximum number of entries of a consent ledger that are searched for the opt-in of an event. */
const maxConsentsRead = 10

/**
 * Compares the data and the opt-in of repeats with their events. `position` counts from 1. PostgreSQL compares, so that
 * large data delays no other caller of the process. The id of an opt-in precedes the id of its event immediately, so a
 * few entries of the ledger are read, however long it is.
 */
export const compareRepeats = (sql: Sql, workspaceId: string, repeats: RepeatContent[]) => sql<
  { position: number; hasSameData: boolean; hasSameOptIn: boolean }[]
>`
  select r.position::int as position, e.data = r.data::jsonb as "hasSameData",
    r.opt_in is not distinct from (
      select nearest.words from (
        select c.words, c.event_id from consents c
        where c.workspace_id = ${workspaceId} and c.customer_id = e.customer_id and c.id < e.id
        order by c.id desc limit ${maxConsentsRead}
      ) nearest
      where nearest.event_id = e.id limit 1) as "hasSameOptIn"
  from unnest(${repeats.map(({ id }) => id)}::uuid[], ${repeats.map(({ dataText }) => dataText)}::text[],
    ${textArray(sql, repeats, ({ optInEvidence }) => optInEvidence)}) with ordinality as r(id, data, opt_in, position)
  cross join lateral (select e.id, e.customer_id, e.data from events e
    where e.workspace_id = ${workspaceId} and e.id = r.id offset 0) e`

/** Selects events for a list. */
export interface EventFilter {
  workspaceId: string
  type: string | undefined
  customerId: string | undefined
  page: PageRequest
}

/**
 * Returns whether the filter needs a scan. No index covers a customer's events of one type, so all events of the
 * customer are scanned.
 */
export const needsScan = ({ type, customerId }: EventFilter): boolean => type !== undefined && customerId !== undefined

/** Returns events without verdicts, in the order of the page. A scan reads at most `maxScanned` rows. */
export const selectEvents = (sql: Sql, p: EventFilter, maxScanned: number) =>
  sql<(StoredEvent & SizedRow)[]>`${withinPageBytes(
    sql,
    p.page,
    sql`
  select ${columnsWithData(sql)}, octet_length(e.data::text) as bytes from (
    select * from ${indexedEvents(sql, p)} order by e.id ${direction(sql, p.page)} limit ${needsScan(p) ? maxScanned : p.page.limit + 1}
  ) e
  where e.workspace_id = ${p.workspaceId} ${p.type === undefined ? sql`` : sql`and e.type = ${p.type}`}
  order by e.id ${direction(sql, p.page)} limit ${p.page.limit + 1}`,
    storedColumns(sql),
  )}`

export const findLastScannedEvent = (sql: Sql, p: EventFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select e.id from ${indexedEvents(sql, p)}`, maxScanned)

/** Events that an index finds: by customer, otherwise by type, otherwise all. */
const indexedEvents = (sql: Sql, p: EventFilter) => sql`
  events e where e.workspace_id = ${p.workspaceId}
    ${p.customerId === undefined ? sql`` : sql`and e.customer_id = ${p.customerId}`}
    ${p.customerId !== undefined || p.type === undefined ? sql`` : isOfType(sql, p.workspaceId, p.type)}
    ${isOnPage(sql, p.page, sql`e.id`)} ${isInRange(sql, p.page, sql`e.id`, sql`e.created_at`)}`

/**
 * Condition on `events e`. It repeats the expression of the index events_by_type exactly, because PostgreSQL uses the
 * index only then.
 */
export const isOfType = (sql: Sql, workspaceId: string, type: string) => sql`
  and e.type = ${type} and hashtextextended(e.type, uuid_hash_extended(e.workspace_id, 0))
    = hashtextextended(${type}, uuid_hash_extended(${workspaceId}, 0))`

/** Differences found in repeats of an event's idempotency key. */
export interface WithMismatch {
  mismatch: Mismatch[] | null
  mismatchedAt: Date | null
}

export const findEvent = async (sql: Sql, workspaceId: string, id: string) => {
  const [row] = await sql<(StoredEvent & WithVerdicts & WithMismatch)[]>`
    select ${columnsWithoutData(sql)}, e.mismatch, e.mismatched_at as "mismatchedAt", e.data::text as "dataText", ${verdictsColumn(sql)} from events e
    where e.workspace_id = ${workspaceId} and e.id = ${id}`
  return row ?? null
}

/** A repeat of an idempotency key that differs from the first event. */
export interface MismatchRecord {
  workspaceId: string
  eventId: string
  fields: Mismatch[]
}

/**
 * Stores in each event how repeats of its key differed, one entry per event. Skips differences that were stored within
 * the last ten minutes, and events that another transaction has locked.
 */
export const recordMismatches = (sql: Sql, mismatches: MismatchRecord[]) => {
  const rows = mismatches.map(({ workspaceId, eventId, fields }) => ({
    workspace_id: workspaceId,
    event_id: eventId,
    fields,
  }))
  return sql`
  update events e set mismatch = locked.fields, mismatched_at = now()
  from (
    select locked.* from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as n(workspace_id uuid, event_id uuid, fields text[])
    cross join lateral (
      select locked.workspace_id, locked.id,
        array(select distinct field from unnest(coalesce(locked.mismatch, '{}') || n.fields) field order by field) as fields
      from events locked
      where locked.workspace_id = n.workspace_id and locked.id = n.event_id and probe_index(locked.id)
        and (not coalesce(locked.mismatch, '{}') @> n.fields or locked.mismatched_at < now() - interval '10 minutes')
      for no key update skip locked
    ) locked
  ) locked
  where e.workspace_id = locked.workspace_id and e.id = locked.id and probe_index(e.id)`
}

/** Returns the number of events recorded in the current month (UTC). Workspaces without events are missing. */
export const sumUsage = (sql: Sql, workspaceIds: string[]) => sql<{ workspaceId: string; recorded: number }[]>`
  select workspace_id as "workspaceId", sum(recorded)::bigint as recorded from event_usage
  where workspace_id = any(${workspaceIds}::uuid[]) and month = date_trunc('month', now() at time zone 'utc')::date
  group by workspace_id`

/** Class id of the advisory locks for the monthly usage of a workspace. */
const usageLocks = 0x657675

/**
 * Tries to lock the monthly usage of each workspace until the transaction ends, and returns those locked. The lock
 * makes the plan's limit exact under concurrency. An advisory lock needs no existing row and leaves no dead rows. Never
 * waits.
 */
export const tryLockUsage = async (tx: Sql, workspaceIds: string[]): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    select id from unnest(${workspaceIds}::text[]) as id where pg_try_advisory_xact_lock(${usageLocks}, hashtext(id))`
  return rows.map(({ id }) => id)
}

export interface KnownCustomer {
  workspaceId: string
  id: string
  phone: string | null
  externalId: string | null
  /** Phone of the event, if no customer has it and this customer without a number wrote from it. */
  inboundPhone?: string | null
}

/**
 * Returns every customer that one of the identifiers matches, once per matching identifier. For a phone without a
 * customer, returns the customer without a number who wrote from it. That applies only if the phone is the event's only
 * identifier. Because of `limit 1`, the second part of the union runs only if the first part finds no row.
 *
 * `lateral … offset 0` forces one index probe per name. PostgreSQL would otherwise estimate that a hash of all
 * customers is cheaper.
 */
export const findCustomersNamed = (
  sql: Sql,
  events: Pick<IncomingEvent, 'workspaceId' | 'customerId' | 'externalId' | 'phone'>[],
) => sql<KnownCustomer[]>`
    with identifiers as materialized (
      select * from unnest(${textArray(sql, events, event => event.workspaceId)}::uuid[],
        ${textArray(sql, events, event => event.customerId)}::uuid[], ${textArray(sql, events, event => event.externalId)},
        ${textArray(sql, events, event => event.phone)})
        as n(workspace_id, id, external_id, phone)
    )
    select c.workspace_id as "workspaceId", c.id, c.phone, c.external_id as "externalId", null as "inboundPhone"
      from identifiers n cross join lateral (select * from customers c
        where c.workspace_id = n.workspace_id and c.id = n.id and c.erased_at is null offset 0) c
      where n.id is not null
    union all select c.workspace_id, c.id, c.phone, c.external_id, null
      from identifiers n cross join lateral (select * from customers c
        where c.workspace_id = n.workspace_id and c.external_id = n.external_id offset 0) c
      where n.external_id is not null
    union all select c.workspace_id, c.id, c.phone, c.external_id, case when c.phone is null then n.phone end
      from identifiers n cross join lateral (
        select * from (
          select c.workspace_id, c.id, c.phone, c.external_id from customers c
          where c.workspace_id = n.workspace_id and c.phone = n.phone
          union all
          (select c.* from (select 1 where n.id is null and n.external_id is null) phone_only
            cross join lateral (${selectCustomerWithoutPhone(sql, sql`n.workspace_id`, sql`n.phone`)}) c)
        ) c limit 1 offset 0) c
      where n.phone is not null`

/**
 * Builds a PostgreSQL array from one text per item; no text is empty. The texts are joined with a character that texts
 * rarely contain. This avoids quoting each text here and parsing it there, a sixth of the cost of a write in this
 * process.
 */
const textArray = <Item>(sql: Sql, items: readonly Item[], textOf: (item: Item) => string | null) => {
  const all = items.map(textOf)
  const joined = all.map(text => text ?? noText).join(separator)
  // If the text splits back into the same number of parts, no text contains the separator.
  if (all.includes(noText) || joined.split(separator).length !== all.length) return sql`${all}::text[]`
  return sql`string_to_array(${joined}, ${separator}, ${noText})`
}

/** U+001F and U+001E, the ASCII separator characters, which JSON text never contains unescaped. */
const separator = '\u001f'
const noText = '\u001e'

/** An event that can be written: its customer is known or is created with it. */
export interface EventWrite {
  /** Id of the opt-in's ledger entry. Created before the event's id, because an opt-in is recorded before its event. */
  consentId: string | null
  id: string
  event: IncomingEvent
  customerId: string
  /** True if this event creates the customer. */
  enrol: boolean
  /** Identifiers to add to a known customer. */
  fill: { phone: string | null; externalId: string | null } | null
  matchedWorkflows: number
  /** Reason why no run started, or null if one did. */
  reason: Reason | null
  verdicts: Verdict[]
  /** True if runs may wait for an event of this type. */
  awaited?: boolean
  /** Number of earlier events of the workspace that are deferred in this round. */
  deferredBefore: number
}

/** Returns whether the event changes a known customer: adds an identifier or an opt-in. */
export const changesCustomer = ({ enrol, fill, event }: EventWrite): boolean =>
  !enrol && (fill !== null || event.optInEvidence !== null)

/** The fields that most events of a batch share. Each distinct combination is sent once and referenced by its index. */
const sharedFieldsOf = (
  { event, enrol, matchedWorkflows, reason, awaited = false }: EventWrite,
  dependsOnChange: boolean,
) => ({
  workspace_id: event.workspaceId,
  source: event.source,
  sender: event.sender,
  type: event.type,
  enrol,
  depends_on_change: dependsOnChange,
  matched: matchedWorkflows,
  reason,
  awaited,
})

const groupByKind = (writes: EventWrite[]) => {
  const kinds = new Map<string, ReturnType<typeof sharedFieldsOf> & { kind: number }>()
  const changedCustomers = new Set<string>()
  const kindIndexes = writes.map(write => {
    if (changesCustomer(write)) changedCustomers.add(write.customerId)
    // An event after a change of its customer is written only if that change is, so that it cannot overtake it.
    const kind = sharedFieldsOf(write, changedCustomers.has(write.customerId))
    const name = Object.values(kind).join('\n')
    const existing = kinds.get(name) ?? { ...kind, kind: kinds.size + 1 }
    kinds.set(name, existing)
    return existing.kind
  })
  return { kinds: [...kinds.values()], kindIndexes }
}

type Kind = ReturnType<typeof groupByKind>['kinds'][number]

/** Columns of the fields that the events of a kind share. An index into arrays costs less than a join with parsed JSON. */
const sharedColumns = (sql: Sql, kinds: readonly Kind[]) => {
  const texts = (of: (kind: Kind) => string | null) => sql`(${kinds.map(of)}::text[])[i.kind]`
  return sql`(${kinds.map(kind => kind.workspace_id)}::uuid[])[i.kind] as workspace_id,
    (${kinds.map(kind => kind.matched)}::integer[])[i.kind] as matched, ${texts(kind => kind.source)} as source,
    ${texts(kind => kind.sender)} as sender, ${texts(kind => kind.type)} as type, ${texts(kind => kind.reason)} as reason,
    ${texts(kind => `${kind.enrol}`)}::boolean as enrol, ${texts(kind => `${kind.awaited}`)}::boolean as awaited,
    ${texts(kind => `${kind.depends_on_change}`)}::boolean as depends_on_change`
}

/** Returns whether the events of each workspace have one type and one outcome. */
const isUniform = (kinds: readonly Kind[]): boolean => {
  const counted = new Set(kinds.map(({ workspace_id, type, reason }) => `${workspace_id}\n${type}\n${reason}`))
  return counted.size === new Set(kinds.map(({ workspace_id }) => workspace_id)).size
}

export interface WriteOptions {
  /** Executions of new runs, by run id. All other new runs are due after the write. */
  executions: Executions
  /** Number of the usage row to increment: a workspace's month is spread over several rows, see `usageRowOf`. */
  usageRow: number
}

/** Results of the first executions of runs, by run id. */
export type Executions = ReadonlyMap<string, Advance>

export interface WrittenEvents {
  ids: string[]
  createdAt: Date
  /** Messages that were queued by runs which finished together with their event, by channel. */
  queued: QueuedChannel[]
  /** True if waiting runs were woken. It reads the part `woken`, so that their rows are locked last. */
  wokeRuns: boolean
}

/**
 * Writes events and everything that belongs to them in one statement: new customers, added identifiers, opt-ins, runs
 * and their first executions, and monthly usage. Returns the ids of the written events and the time. Wakes the runs
 * that wait for such events, unless their rows are locked.
 *
 * An event that lost a race for its phone or its idempotency key is missing from the result and left no trace. The same
 * applies if its customer was erased, or if another transaction has locked the customer: the statement does not wait.
 *
 * Throws EntryTaken, and writes nothing, if another call took an entry key. The events are then already recorded without
 * the run, so a batch with entry keys has its own transaction.
 *
 * Locks are taken in one fixed order, so that two batches cannot deadlock. The order is: phones of new customers, the
 * one identifier that is added, idempotency keys, entry keys, monthly usage. Each of them is sorted. This requires that
 * an event which adds identifiers is written alone, because identifiers cannot be added in sorted order.
 *
 * Rows are passed as arrays, which PostgreSQL parses in half the time of JSON.
 */
export const writeEvents = (sql: Sql, writes: EventWrite[], options: WriteOptions): Promise<WrittenEvents> =>
  writes.some(({ verdicts }) => verdicts.some(hasEntryKey))
    ? transaction(sql, tx => writeInOneStatement(tx, writes, options))
    : writeInOneStatement(sql, writes, options)

/** Another call has just started a run with the same entry key. */
export class EntryTaken extends Error {
  /** `eventIds`: events that lost the race. All others of the batch can be written again immediately. */
  constructor(readonly eventIds: ReadonlySet<string>) {
    super('Another call has just started a run with the same entry key.')
  }
}

const hasEntryKey = ({ entryKey }: { entryKey?: string | null }): boolean => entryKey != null

const writeInOneStatement = async (
  sql: Sql,
  writes: EventWrite[],
  { executions: executionsByRun, usageRow }: WriteOptions,
): Promise<WrittenEvents> => {
  const { kinds, kindIndexes: places } = groupByKind(writes)
  const enrolments = enrolmentsOf(writes)
  const changedCustomers = customerChangesOf(writes)
  const optIns = optInsOf(writes)
  const starts = writes.flatMap(write =>
    runStartsOf(write).map(start => ({ ...start, execution: executionsByRun.get(start.id) ?? null })),
  )
  const executions = executionsOf(starts)
  const outcomes = outcomesToStore(writes)
  const awaited = awaitedTypes(writes)
  // Few senders give the time of the occurrence. Without it, the column is left out and costs nothing.
  const isDated = writes.some(({ event }) => event.occurredAt !== null)
  const isTraced = writes.some(({ event }) => event.traceparent !== null)
  const [row] = await sql<
    { ids: string[]; createdAt: Date; queued: QueuedRows | null; woken: boolean; runIds: string[] | null }[]
  >`
    with input as materialized (
      select i.*, ${sharedColumns(sql, kinds)}
      from unnest(${places}::integer[], ${textArray(sql, writes, ({ id }) => id)}::uuid[],
        ${textArray(sql, writes, ({ customerId }) => customerId)}::uuid[], ${textArray(sql, writes, ({ event }) => JSON.stringify(event.data))},
        ${textArray(sql, writes, ({ event }) => event.idempotencyKey)}${
          isDated
            ? sql`, ${writes.map(({ event }) => event.occurredAt?.toISOString() ?? null)}::text[]::timestamptz[]`
            : sql``
        }${isTraced ? sql`, ${writes.map(({ event }) => event.traceparent)}::text[]` : sql``})
        as i(kind, id, customer_id, data, idempotency_key${isDated ? sql`, occurred_at` : sql``}${isTraced ? sql`, traceparent` : sql``})
    ), ${enrolments.length > 0 ? sql`enrolled as (${enrolCustomers(sql, enrolments)}),` : sql``}
    ${changedCustomers.length > 0 ? sql`updated_customers as (${updateKnownCustomers(sql, changedCustomers)}),` : sql``}
    recorded as (
      insert into events (workspace_id, id, type, source, sender, customer_id, data, idempotency_key, matched_workflows, reason,
        awaited${isDated ? sql`, occurred_at` : sql``}${isTraced ? sql`, traceparent` : sql``})
      select i.workspace_id, i.id, i.type, i.source, i.sender, i.customer_id, i.data::jsonb, i.idempotency_key, i.matched, i.reason,
        i.awaited${isDated ? sql`, i.occurred_at` : sql``}${isTraced ? sql`, i.traceparent` : sql``}
      from input i
      ${enrolments.length > 0 ? sql`left join enrolled e on e.workspace_id = i.workspace_id and e.id = i.customer_id` : sql``}
      ${changedCustomers.length > 0 ? sql`left join updated_customers t on t.workspace_id = i.workspace_id and t.id = i.customer_id` : sql``}
      left join lateral (${isErased(sql)}) erased on true
      where case ${enrolments.length > 0 ? sql`when i.enrol then e.id is not null` : sql`when false then null`}
        ${changedCustomers.length > 0 ? sql`when i.depends_on_change then t.id is not null` : sql``} else erased.is_erased is null end
      order by i.workspace_id, i.idempotency_key, i.source
      on conflict (workspace_id, source, idempotency_key) where idempotency_key is not null do nothing
      returning workspace_id, id, customer_id, created_at, type, reason, awaited
    ),
    ${starts.length > 0 ? sql`${startRuns(sql, starts, sql`recorded`)},` : sql``}
    ${optIns.length > 0 ? sql`recorded_opt_ins as (${recordOptIns(sql, optIns, sql`recorded`)}),` : sql``}
    ${optIns.length > 0 && changedCustomers.length > 0 ? sql`pruned_consents as (${pruneConsents(sql, sql`updated_customers`)}),` : sql``}
    ${outcomes.length > 0 ? sql`stored_outcomes as (${storeOutcomes(sql, outcomes)}),` : sql``}
    ${countEvents(sql, { usageRow, isUniform: isUniform(kinds), hasRuns: starts.length > 0 })}${awaited.length > 0 ? sql`, ${wakeRunsByEvents(sql, sql`recorded`, awaited)}` : sql``}
    select coalesce(json_agg(id), '[]') as ids, now() as "createdAt",
      ${executions.length > 0 ? queuedRows(sql) : sql`null`} as queued,
      ${awaited.length > 0 ? sql`exists (select from woken)` : sql`false`} as woken,
      ${starts.some(hasEntryKey) ? storedIfIncomplete(sql, starts.length) : sql`null`} as "runIds" ${rollBackIfIncomplete(sql, writes)}
      from recorded`
  const { ids, createdAt, queued, woken, runIds } = row!
  if (runIds !== null) requireAllRuns(starts, new Set(ids), new Set(runIds))
  return { ids, createdAt, queued: queued ? queuedByExecutions(executions, queued) : [], wokeRuns: woken }
}

/** SQLSTATE of a statement that rolled itself back, because it changed a customer for an event whose key was taken. */
export const rolledBackState = '22012'

/**
 * Rolls the statement back by a division by zero. Customers are created or changed before it is known whether another
 * call took the event's key. If it did, nothing of the statement may remain.
 *
 * A transaction that the caller rolls back takes two more round trips, 0.5 ms of processor time per batch. That is 7 % per
 * event in batches of eight, and 1 % in batches of 128.
 */
const rollBackIfIncomplete = (sql: Sql, writes: EventWrite[]) =>
  writes.some(write => write.event.idempotencyKey !== null && (write.enrol || changesCustomer(write)))
    ? sql`, 1 / case when count(*) < ${writes.length} and exists (
        select 1 from input i join (${changedCustomersOf(sql, writes)}) changed
          on changed.workspace_id = i.workspace_id and changed.id = i.customer_id
        where (i.enrol or i.depends_on_change) and not exists (
          select 1 from recorded r where r.workspace_id = i.workspace_id and r.id = i.id)
      ) then 0 else 1 end as is_complete`
    : sql``

/** Customers that the statement created or changed. It has a part for each kind only if the batch has such events. */
const changedCustomersOf = (sql: Sql, writes: EventWrite[]) => {
  const created = writes.some(({ enrol }) => enrol)
  const changed = writes.some(changesCustomer)
  return sql`${created ? sql`table enrolled` : sql``} ${created && changed ? sql`union all` : sql``} ${changed ? sql`table updated_customers` : sql``}`
}

/** Returns the ids of the stored runs, or null if all runs were stored. */
const storedIfIncomplete = (sql: Sql, runs: number) => sql`
  (select case when count(*) < ${runs} then coalesce(json_agg(id), '[]') end from stored)`

/** Throws EntryTaken if a recorded event lacks a run. */
const requireAllRuns = (starts: readonly RunStart[], recordedIds: Set<string>, runIds: Set<string>): void => {
  const lost = starts.filter(({ id, eventId }) => recordedIds.has(eventId) && !runIds.has(id))
  if (lost.length > 0) throw new EntryTaken(new Set(lost.map(({ eventId }) => eventId)))
}

const enrolmentsOf = (writes: EventWrite[]): Enrolment[] =>
  writes
    .filter(({ enrol }) => enrol)
    .map(({ event, customerId }) => ({
      workspaceId: event.workspaceId,
      id: customerId,
      phone: event.phone,
      name: event.name,
      optIn: event.optInEvidence,
    }))

/** Returns one change per customer, with its last opt-in. The ledger contains all of them. */
const customerChangesOf = (writes: EventWrite[]): KnownCustomerChange[] => {
  const byCustomer = new Map<string, KnownCustomerChange>()
  for (const { event, customerId, fill } of writes.filter(changesCustomer))
    byCustomer.set(customerId, {
      workspaceId: event.workspaceId,
      id: customerId,
      phone: fill?.phone,
      externalId: fill?.externalId,
      optIn: event.optInEvidence ?? byCustomer.get(customerId)?.optIn ?? null,
    })
  return [...byCustomer.values()]
}

const optInsOf = (writes: EventWrite[]): OptInEntry[] =>
  writes.flatMap(({ consentId, id, event, customerId }) =>
    consentId === null || event.optInEvidence === null
      ? []
      : [
          {
            workspaceId: event.workspaceId,
            customerId,
            id: consentId,
            source: event.source,
            words: event.optInEvidence,
            eventId: id,
          },
        ],
  )

/** Returns the runs that an event starts. */
export const runStartsOf = ({
  id: eventId,
  event: { workspaceId, traceparent },
  customerId,
  verdicts,
}: EventWrite): RunStart[] =>
  verdicts.flatMap(({ runId: id, workflowId, version, entryKey = null }) =>
    id === null || workflowId === null || version === null
      ? []
      : [{ workspaceId, eventId, customerId, id, workflowId, version, entryKey, traceparent }],
  )

const outcomesToStore = (writes: EventWrite[]) =>
  writes.flatMap(({ id, verdicts }) =>
    verdicts
      .map(({ workflowId, verdict, detail }, position) => ({
        event_id: id,
        position,
        workflow_id: workflowId,
        verdict,
        detail,
      }))
      .filter(({ verdict }) => verdict !== 'started'),
  )

/** Returns the types that runs may wait for. */
const awaitedTypes = (writes: EventWrite[]): string[] => [
  ...new Set(writes.flatMap(({ awaited, event }) => (awaited ? [event.type] : []))),
]

/**
 * Checks whether a customer of the input was erased since it was read. `limit` forces an index probe of
 * customers_erased per event, which takes a microsecond and rarely finds a row. As a join it could become a scan of all
 * customers.
 */
const isErased = (sql: Sql) => sql`
  select true as is_erased from customers c
  where not i.enrol and c.workspace_id = i.workspace_id and c.id = i.customer_id and c.erased_at is not null limit 1`

const storeOutcomes = (sql: Sql, outcomes: ReturnType<typeof outcomesToStore>) => sql`
  insert into event_outcomes (workspace_id, event_id, position, workflow_id, verdict, detail)
  select r.workspace_id, r.id, o.position, o.workflow_id, o.verdict, o.detail
  from json_to_recordset(${JSON.stringify(outcomes)}::text::json)
    as o(event_id uuid, position smallint, workflow_id uuid, verdict text, detail jsonb)
  join recorded r on r.id = o.event_id`
