import { direction, isInRange, isOnPage, type PageRequest } from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type ActorKey, epoch, type PolledPage, selectDueActors } from '../../queue/queue.ts'
import { hostOf, isActive } from '../endpoints/index.ts'
import {
  draftEvents,
  insertEvents,
  insertIntoOutbox,
  isAboutEndpoint,
  type OutboundEventType,
  type TracedEvent,
} from '../outbound-events/index.ts'
import { recordStats, thisHour } from '../statistics/index.ts'
import type { AttemptInfo } from './request.ts'

export interface DeliveryRow {
  id: string
  eventId: string
  eventType: OutboundEventType
  status: 'pending' | 'retrying' | 'delivered' | 'failed'
  attempts: number
  statusCode: number | null
  error: string | null
  durationMs: number | null
  createdAt: Date
  lastAttemptAt: Date | null
  nextAttemptAt: Date | null
}

const deliveryColumns = (sql: Sql) => sql`
  d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempts, d.status_code as "statusCode", d.error,
  d.duration_ms as "durationMs", d.created_at as "createdAt", d.last_attempt_at as "lastAttemptAt",
  d.due_at as "nextAttemptAt"`

/** Selects deliveries of an endpoint for a list. */
export interface DeliveryFilter {
  workspaceId: string
  webhookId: string
  status: DeliveryRow['status'] | null
  eventType: OutboundEventType | null
  /** Range of status codes of the last attempt, or `none` for attempted deliveries without a response. */
  statusCode: readonly [number, number] | 'none' | null
  /** Text in the error of the last attempt, ignoring case. */
  error: string | null
  page: PageRequest
}

/**
 * Returns whether a filter needs a scan over all deliveries of the endpoint. Only the statuses `failed` and `withRetry`
 * have an index.
 */
export const needsScan = ({ status, eventType, statusCode, error }: DeliveryFilter): boolean =>
  [eventType, statusCode, error].some(filter => filter !== null) || status === 'pending' || status === 'delivered'

/** Returns deliveries in the order of the page. A scan reads at most `maxScanned` rows. */
export const selectDeliveries = (sql: Sql, p: DeliveryFilter, maxScanned: number) => sql<DeliveryRow[]>`
  select ${deliveryColumns(sql)}
  from (select * from ${indexedDeliveries(sql, p)} order by d.id ${direction(sql, p.page)} limit ${needsScan(p) ? maxScanned : p.page.limit + 1}) d
  cross join lateral (select * from outbound_events e
    where e.workspace_id = d.workspace_id and e.id = d.event_id offset 0) e
  where d.workspace_id = ${p.workspaceId} ${p.status === null ? sql`` : sql`and d.status = ${p.status}`}
    ${p.eventType === null ? sql`` : sql`and e.type = ${p.eventType}`} ${hasStatusCode(sql, p.statusCode)}
    ${p.error === null ? sql`` : sql`and strpos(lower(d.error), lower(${p.error})) > 0`}
  order by d.id ${direction(sql, p.page)} limit ${p.page.limit + 1}`

const hasStatusCode = (sql: Sql, statusCode: DeliveryFilter['statusCode']) => {
  if (statusCode === null) return sql``
  if (statusCode === 'none') return sql`and d.status_code is null and d.attempts > 0`
  return sql`and d.status_code between ${statusCode[0]} and ${statusCode[1]}`
}

export const findLastScannedDelivery = (sql: Sql, p: DeliveryFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select d.id from ${indexedDeliveries(sql, p)}`, maxScanned)

/** Deliveries that an index finds: those of the status if it is indexed, otherwise all of the endpoint. */
const indexedDeliveries = (sql: Sql, p: DeliveryFilter) => sql`
  deliveries d where d.workspace_id = ${p.workspaceId} and d.webhook_id = ${p.webhookId}
    ${p.status === 'failed' || p.status === 'retrying' ? sql`and d.status = ${p.status} and d.status in ('retrying', 'failed')` : sql``}
    ${isOnPage(sql, p.page, sql`d.id`)} ${isInRange(sql, p.page, sql`d.id`, sql`d.created_at`)}`

export interface AttemptLogEntry {
  at: string
  statusCode: number | null
  error: string | null
  durationMs: number
  responseBody: string | null
  signature: string
  number: number
  planned: number
  manual: boolean
}

export const findDelivery = async (sql: Sql, p: { workspaceId: string; webhookId: string; id: string }) => {
  const [row] = await sql<
    (DeliveryRow & { eventCreatedAt: Date; dataText: string; ownHeaders: string[]; attemptLog: AttemptLogEntry[] })[]
  >`
    select ${deliveryColumns(sql)}, e.created_at as "eventCreatedAt", e.data::text as "dataText",
      w.header_names as "ownHeaders",
      coalesce((select json_agg(json_build_object('at', a.at, 'statusCode', a.status_code, 'error', a.error,
          'durationMs', a.duration_ms, 'responseBody', a.response_body, 'signature', a.signature,
          'number', a.number, 'planned', a.planned, 'manual', a.manual) order by a.number)
        from delivery_attempts a where a.workspace_id = d.workspace_id and a.delivery_id = d.id), '[]') as "attemptLog"
    from deliveries d
    join outbound_events e on e.workspace_id = d.workspace_id and e.id = d.event_id
    join webhooks w on w.workspace_id = d.workspace_id and w.id = d.webhook_id and w.deleted_at is null
    where d.workspace_id = ${p.workspaceId} and d.webhook_id = ${p.webhookId} and d.id = ${p.id}`
  return row ?? null
}

/** Inserts a ping and its delivery to one endpoint. It bypasses the outbox, so that no other endpoint receives it. */
export const insertPing = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<DeliveryRow[]>`
    with ids as materialized (
      select ${webhookId}::uuid as webhook_id, uuidv7() as delivery_id
    ), draft as materialized (
      ${draftEvents(sql, 'ping', {
        rows: sql`ids`,
        workspaceId: sql`${workspaceId}::uuid`,
        data: { webhookId: sql`webhook_id` },
      })}
    ), decided as (
      select draft.*, clock_timestamp() as fanned_out_at, jsonb_build_object(webhook_id, delivery_id) as sent_to,
        null::jsonb as not_sent_to
      from draft, ids
    ), e as (
      ${insertEvents(sql, sql`decided`)} returning *
    ), d as (
      insert into deliveries (workspace_id, webhook_id, id, event_id, due_at)
      select e.workspace_id, ids.webhook_id, ids.delivery_id, e.id, clock_timestamp() from e, ids returning *
    )
    select ${deliveryColumns(sql)} from d join e on e.id = d.event_id`
  return row!
}

/**
 * Inserts a new delivery of an event, due immediately, whatever the status of the earlier one. Returns null if the
 * event or the endpoint does not exist, or if the event is about the endpoint. Sets `again`, because the `sent_to` of the
 * event does not list this delivery.
 */
export const insertResend = async (sql: Sql, p: { workspaceId: string; webhookId: string; eventId: string }) => {
  const [row] = await sql<DeliveryRow[]>`
    with w as materialized (
      select workspace_id, id from webhooks
      where workspace_id = ${p.workspaceId} and id = ${p.webhookId} and deleted_at is null for share
    ), d as (
      insert into deliveries (workspace_id, webhook_id, event_id, due_at, resent)
      select event.workspace_id, w.id, event.id, clock_timestamp(), true
      from outbound_events event join w on w.workspace_id = event.workspace_id
      where event.workspace_id = ${p.workspaceId} and event.id = ${p.eventId} and not ${isAboutEndpoint(sql)} returning *
    )
    select ${deliveryColumns(sql)} from d join outbound_events e on e.workspace_id = d.workspace_id and e.id = d.event_id`
  return row ?? null
}

/**
 * Inserts a delivery of each event to an endpoint, due immediately, as `insertResend` does. Returns their ids in the
 * order of the events. The caller must hold a share lock on the endpoint, so that it is not being deleted.
 */
export const insertMissing = async (
  tx: Sql,
  p: { workspaceId: string; webhookId: string; eventIds: readonly string[] },
): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    insert into deliveries (workspace_id, webhook_id, event_id, due_at, resent)
    select e.workspace_id, ${p.webhookId}, e.id, clock_timestamp(), true
    from unnest(${p.eventIds}::uuid[]) with ordinality as page(id, number) cross join lateral (
      select e.workspace_id, e.id from outbound_events e
      where e.workspace_id = ${p.workspaceId} and e.id = page.id and probe_index(e.id)
    ) e
    order by page.number returning id`
  return rows.map(({ id }) => id)
}

/**
 * Makes the next attempt of a delivery due now: an extra attempt after a failure, or an early attempt of a waiting one.
 * Returns null for any other delivery, and if a manual attempt is already requested. An attempt in progress settles the
 * row, so that no attempt is made twice.
 *
 * The share lock waits for a deletion of the endpoint in progress: no attempt may become due while its deliveries are
 * dropped.
 */
export const requestRetry = async (sql: Sql, p: { workspaceId: string; webhookId: string; id: string }) => {
  const [row] = await sql<DeliveryRow[]>`
    with w as materialized (
      select workspace_id, id from webhooks
      where workspace_id = ${p.workspaceId} and id = ${p.webhookId} and deleted_at is null for share
    ), d as (
      update deliveries set ${setManualRetry(sql)}
      from w
      where deliveries.workspace_id = w.workspace_id and webhook_id = w.id and deliveries.id = ${p.id}
        and status in ('retrying', 'failed') and not manual
      returning deliveries.*
    )
    select ${deliveryColumns(sql)} from d join outbound_events e on e.workspace_id = d.workspace_id and e.id = d.event_id`
  return row ?? null
}

/** Requests a manual attempt. A row that is already due keeps its position in the queue. */
const setManualRetry = (sql: Sql) => sql`status = 'retrying', manual = true, due_at = least(due_at, clock_timestamp())`

/** Failed or retrying deliveries of an endpoint with ids after `after`, up to and including `last`. */
export interface UndeliveredSpan {
  workspaceId: string
  webhookId: string
  after: string
  last: string
}

/** Number of deliveries of an event type. */
export interface TypeCount {
  type: OutboundEventType
  deliveries: number
}

/** Counts the deliveries of a span by event type, up to `max` in total. */
export const countUndelivered = (sql: Sql, p: UndeliveredSpan, max: number) => sql<TypeCount[]>`
  select e.type, count(*)::integer as deliveries
  from (
    select d.event_id from deliveries d
    where ${isUndeliveredInSpan(sql, p)} and d.status in ('retrying', 'failed') limit ${max}
  ) counted cross join lateral (
    select e.type from outbound_events e
    where e.workspace_id = ${p.workspaceId} and e.id = counted.event_id and probe_index(e.id)
  ) e
  group by e.type order by e.type`

/** Maximum number of deliveries read for a page that selects event types. */
const maxReadByType = 500

/** The deliveries made due, and the id of the last one checked. `cursor` is null at the end of the span. */
export interface RetriedPage {
  ids: string[]
  cursor: string | null
}

/**
 * Makes a page of deliveries due now, as manual attempts, in the order of their ids. Skips deliveries that have been
 * delivered since, and those of other event types. Null selects all types.
 */
export const requestPageRetries = async (
  sql: Sql,
  p: UndeliveredSpan,
  limit: number,
  types: readonly string[] | null = null,
): Promise<RetriedPage> => {
  const maxRead = types === null ? limit : maxReadByType
  const selectByStatus = (status: Fragment) => sql`
    (select d.id, d.event_id from deliveries d where ${isUndeliveredInSpan(sql, p)} and d.status = ${status}
      and d.status in ('retrying', 'failed') order by d.id limit ${maxRead})`
  const ofTypes = sql`
    cross join lateral (
      select true from outbound_events e
      where e.workspace_id = ${p.workspaceId} and e.id = scanned.event_id and e.type = any(${types}::text[]) and probe_index(e.id)
    ) of_types`
  const [row] = await sql<RetriedPage[]>`
    with scanned as materialized (
      select id, event_id from (${selectByStatus(sql`'failed'`)} union all ${selectByStatus(sql`'retrying'`)}) both_statuses
      order by id limit ${maxRead}
    ), page as materialized (
      select scanned.id from scanned ${types === null ? sql`` : ofTypes} order by scanned.id limit ${limit}
    ), locked as materialized (
      select found.id from page cross join lateral (
        select d.id from deliveries d
        where d.workspace_id = ${p.workspaceId} and d.id = page.id and d.status in ('retrying', 'failed') and probe_index(d.id)
        for no key update
      ) found
    ), due as (
      update deliveries d set ${setManualRetry(sql)}
      from locked where d.workspace_id = ${p.workspaceId} and d.id = locked.id and probe_index(d.id)
      returning d.id
    )
    select coalesce((select array_agg(id order by id) from due), '{}') as ids,
      (select id from scanned where (select count(*) from page) < ${limit} or id in (select id from page)
        order by id desc limit 1) as cursor`
  return row!
}

const isUndeliveredInSpan = (sql: Sql, p: UndeliveredSpan) => sql`
  d.workspace_id = ${p.workspaceId} and d.webhook_id = ${p.webhookId} and d.id > ${p.after} and d.id <= ${p.last}`

/** Returns the deliveries of a page that are still due: for the requested attempt, or for the first one. */
export const selectStillDue = async (sql: Sql, workspaceId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    select d.id from unnest(${ids}::uuid[]) as page(id) cross join lateral (
      select d.id from deliveries d
      where d.workspace_id = ${workspaceId} and d.id = page.id and (d.manual or d.attempts = 0) and d.due_at is not null and probe_index(d.id)) d`
  return rows.map(({ id }) => id)
}

/**
 * Cancels the requested attempts of a page that were not made, and returns their number. A delivery that had failed
 * becomes failed again. A delivery with planned attempts left stays due, because its schedule was replaced when it was
 * made due. An attempt in progress runs to completion.
 */
export const cancelPageRetries = async (sql: Sql, workspaceId: string, ids: readonly string[]): Promise<number> => {
  const rows = await sql`
    update deliveries d set manual = false,
      status = case when ${hasAttemptsPlanned(sql)} then 'retrying' else 'failed' end,
      due_at = case when ${hasAttemptsPlanned(sql)} then d.due_at end
    where d.workspace_id = ${workspaceId} and d.id = any(${ids}::uuid[]) and d.status = 'retrying' and d.manual
      and d.due_at is not null and probe_index(d.id)
    returning d.id`
  return rows.length
}

const hasAttemptsPlanned = (sql: Sql) => sql`
  d.attempts < (select a.planned from delivery_attempts a
    where a.workspace_id = d.workspace_id and a.delivery_id = d.id and a.number = d.attempts)`

/** A recent delivery with the result of its last attempt. */
export interface RecentRow {
  deliveryId: string
  eventType: OutboundEventType
  status: DeliveryRow['status']
  statusCode: number | null
  error: string | null
  durationMs: number
  at: Date
}

/** Returns the newest attempted deliveries of an endpoint, by their last attempt, newest first. */
export const selectRecent = (sql: Sql, p: { workspaceId: string; webhookId: string; limit: number }) => sql<
  RecentRow[]
>`
  select d.id as "deliveryId", e.type as "eventType", d.status, d.status_code as "statusCode", d.error,
    d.duration_ms as "durationMs", d.last_attempt_at as at
  from (${selectNewestAttempted(sql, p)}) d
  cross join lateral (select * from outbound_events e
    where e.workspace_id = d.workspace_id and e.id = d.event_id offset 0) e
  order by d.last_attempt_at desc, d.id desc`

/**
 * Returns the start of the newest successful attempt among the last `limit` attempted deliveries. Returns null if there
 * is none.
 */
export const findLastSuccess = async (
  sql: Sql,
  p: { workspaceId: string; webhookId: string; limit: number },
): Promise<Date | null> => {
  const [row] = await sql<{ at: Date }[]>`
    select d.last_attempt_at as at from (${selectNewestAttempted(sql, p)}) d
    where d.status = 'delivered' order by d.last_attempt_at desc limit 1`
  return row?.at ?? null
}

const selectNewestAttempted = (sql: Sql, p: { workspaceId: string; webhookId: string; limit: number }) => sql`
  select * from deliveries d
  where d.workspace_id = ${p.workspaceId} and d.webhook_id = ${p.webhookId} and d.last_attempt_at is not null
  order by d.last_attempt_at desc limit ${p.limit}`

/** Deliveries that wait for an attempt. */
export interface WaitingRow {
  /** Counted up to a limit. */
  count: number
  /** Due time of the first one. */
  firstDueAt: Date | null
  /** Time of the oldest delivery's event, taken from the id. */
  since: Date | null
}

/**
 * Counts the waiting deliveries of an endpoint, up to `max`. The oldest one is either the first due or the first
 * attempted one. A delivery without attempts is due since its creation.
 */
export const findWaiting = async (sql: Sql, workspaceId: string, webhookId: string, max: number) => {
  const fromEndpoint = sql`from deliveries d where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId}`
  const waiting = sql`${fromEndpoint} and d.due_at is not null`
  const [row] = await sql<WaitingRow[]>`
    with first_due as materialized (select d.id, d.due_at ${waiting} order by d.due_at, d.id limit 1)
    select (select count(*)::integer from (select true ${waiting} limit ${max}) counted) as count,
      (select due_at from first_due) as "firstDueAt",
      uuid_extract_timestamp(least((select id from first_due), (
        select d.id ${fromEndpoint} and d.status = 'retrying' and d.status in ('retrying', 'failed') order by d.id limit 1)
      )) as since`
  return row!
}

/** An endpoint with problems, and its waiting deliveries. */
export interface UnhealthyEndpointRow {
  id: string
  name: string | null
  url: string
  heldAt: Date | null
  heldBy: 'owner' | 'service' | null
  failingSince: Date | null
  failedAttempts: number
  statusCode: number | null
  error: string | null
  /** Counted up to `countedTo`. */
  waiting: number
  countedTo: number
  firstDueAt: Date | null
}

/**
 * Returns endpoints that fail, are held, or whose first delivery has been due for `lateSeconds`. Counts their waiting
 * deliveries: at most `max` in total, in equal shares, because each row may be on a different page. A workspace has at
 * most ten endpoints. Excludes disabled endpoints, which an owner disabled on purpose.
 */
export const findUnhealthyEndpoints = (sql: Sql, p: { workspaceId: string; max: number; lateSeconds: number }) => sql<
  UnhealthyEndpointRow[]
>`
  with endpoints as materialized (
    select w.workspace_id, w.id, w.name, w.url, w.held_at, w.held_by, h.failing_since,
      coalesce(h.failed_attempts, 0) as failed_attempts, h.last_failed_status_code, h.last_failed_error,
      (select d.due_at from deliveries d
        where d.workspace_id = w.workspace_id and d.webhook_id = w.id and d.due_at is not null
        order by d.due_at limit 1) as first_due_at
    from webhooks w
    left join webhook_health h on h.workspace_id = w.workspace_id and h.webhook_id = w.id
    where w.workspace_id = ${p.workspaceId} and w.deleted_at is null and w.enabled
    order by w.id limit 50
  ), unhealthy as materialized (
    select *, ${p.max}::integer / count(*) over ()::integer as counted_to
    from endpoints
    where held_at is not null or failing_since is not null
      or first_due_at < now() - ${p.lateSeconds} * interval '1 second'
  )
  select t.id, t.name, t.url, t.held_at as "heldAt", t.held_by as "heldBy", t.failing_since as "failingSince",
    t.failed_attempts as "failedAttempts", t.last_failed_status_code as "statusCode", t.last_failed_error as error,
    (select count(*)::integer from (
      select true from deliveries d
      where d.workspace_id = t.workspace_id and d.webhook_id = t.id and d.due_at is not null
      limit t.counted_to
    ) counted) as waiting,
    t.counted_to as "countedTo", t.first_due_at as "firstDueAt"
  from unhealthy t
  order by t.id`

/**
 * Drops a page of due deliveries of a deleted endpoint. Skips rows locked by other transactions, because waiting for
 * them could deadlock. Both limits are literals: without a known limit, PostgreSQL would plan to read the whole table.
 * `from` skips rows dropped by earlier pages. Returns the latest due time of the dropped rows, in milliseconds since
 * 1970.
 */
export const dropPage = async (sql: Sql, p: { workspaceId: string; webhookId: string; from?: Date }) => {
  const pending = sql`
    from webhooks w join deliveries d on d.workspace_id = w.workspace_id and d.webhook_id = w.id
      and d.due_at >= ${p.from ?? epoch}
    where w.workspace_id = ${p.workspaceId} and w.id = ${p.webhookId} and w.deleted_at is not null
    order by d.due_at, d.id`
  const [row] = await sql<{ found: boolean; dropped: number; lastMs: number | null }[]>`
    with page as materialized (
      select d.workspace_id, d.id, d.due_at ${pending} limit 1000 for update of d skip locked
    ), dropped as (
      update deliveries d set status = 'dropped', due_at = null
      from page where d.workspace_id = page.workspace_id and d.id = page.id
      returning d.id
    )
    select (select d.id ${pending} limit 1) is not null as found, (select count(*)::integer from dropped) as dropped,
      (select floor(extract(epoch from max(due_at)) * 1000)::double precision from page) as "lastMs"`
  return row!
}

/** Returns endpoints that were deleted within the last day and still have due deliveries. */
export const findEndpointsToDrop = (sql: Sql) => sql<{ workspaceId: string; webhookId: string }[]>`
  select w.workspace_id as "workspaceId", w.id as "webhookId" from webhooks w
  where w.deleted_at > now() - interval '1 day' and exists (
    select from deliveries d where d.workspace_id = w.workspace_id and d.webhook_id = w.id and d.due_at is not null)`

export interface DueDelivery {
  id: string
  attempts: number
  manual: boolean
  /** Whether the event was sent again, by a person or a recovery. */
  resent: boolean
  event: TracedEvent
  /** Milliseconds since the delivery became due. */
  lateMs: number
}

/** A page of an endpoint's queue, and the due time of its first row, including rows in progress (see `QueueRead`). */
export interface DueDeliveries {
  due: DueDelivery[]
  /** Undefined if unknown, because all due rows are in progress. */
  firstMs: number | null | undefined
}

/**
 * Returns a page of an endpoint's queue, without the deliveries in `except` and without rows due before `from`. The
 * query forces one order: the page first, then an index probe for each row. Without statistics for a new workspace,
 * PostgreSQL assumes one row per table and may choose any join order.
 */
export const findDueDeliveries = async (
  sql: Sql,
  p: { workspaceId: string; webhookId: string; limit: number; except: string[]; from?: Date },
): Promise<DueDeliveries> => {
  const { workspaceId, webhookId, limit, except, from = epoch } = p
  const rows = await sql<
    {
      id: string
      attempts: number
      manual: boolean
      resent: boolean
      eventId: string
      type: OutboundEventType
      createdAt: Date
      dataText: string
      traceparent: string | null
      firstMs: number
      lateMs: number
    }[]
  >`
    with page as materialized (
      select d.id, d.workspace_id, d.event_id, d.attempts, d.manual, d.resent, d.due_at from deliveries d
      where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.due_at >= ${from} and d.due_at <= now()
        and d.id <> all(${except}::uuid[])
      order by d.due_at, d.id limit ${limit}
    )
    select d.id, d.attempts, d.manual, d.resent, e.id as "eventId", e.type, e.created_at as "createdAt", e.data::text as "dataText", e.traceparent,
      (extract(epoch from now() - d.due_at) * 1000)::double precision as "lateMs",
      floor(extract(epoch from (select due_at from deliveries
        where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and due_at >= ${from}
        order by due_at limit 1)) * 1000)::double precision as "firstMs"
    from page d
    cross join lateral (select * from outbound_events e
      where e.workspace_id = d.workspace_id and e.id = d.event_id offset 0) e
    order by d.due_at, d.id`
  const due = rows.map(({ id, attempts, manual, resent, lateMs, eventId, type, createdAt, dataText, traceparent }) => ({
    id,
    attempts,
    manual,
    resent,
    lateMs,
    event: { id: eventId, type, createdAt, dataText, traceparent },
  }))
  return { due, firstMs: rows[0]?.firstMs ?? (except.length === 0 ? null : undefined) }
}

/** Result of an attempt, as far as it affects the concurrency limit. */
export type AttemptOutcome = Pick<AttemptSettlement, 'statusCode' | 'durationMs'>

/** Maximum age in minutes of an attempt that still describes the endpoint. */
const maxOutcomeAgeMinutes = 10

/**
 * Returns the result of the endpoint's last attempt, from any process. Returns null if it is older than
 * `maxOutcomeAgeMinutes`.
 */
export const findLastAttempt = async (sql: Sql, workspaceId: string, webhookId: string) => {
  const [row] = await sql<AttemptOutcome[]>`
    select d.status_code as "statusCode", d.duration_ms as "durationMs" from deliveries d
    where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId}
      and d.last_attempt_at > now() - ${maxOutcomeAgeMinutes} * interval '1 minute'
    order by d.last_attempt_at desc limit 1`
  return row ?? null
}

/**
 * Returns the milliseconds until the endpoint's next delivery is due, by the clock of the database. Returns null if
 * there is none, or if the endpoint is disabled or held. Costs one index probe from `from`, whatever the size of the
 * queue.
 */
export const findNextDueDelivery = async (sql: Sql, workspaceId: string, webhookId: string, from = epoch) => {
  const [row] = await sql<{ dueInMs: number | null }[]>`
    select extract(epoch from (
      select d.due_at from deliveries d
      where d.workspace_id = w.workspace_id and d.webhook_id = w.id and d.due_at >= ${from}
      order by d.due_at limit 1) - clock_timestamp())::double precision * 1000 as "dueInMs"
    from webhooks w
    where w.workspace_id = ${workspaceId} and w.id = ${webhookId} and ${isActive(sql)}`
  return row?.dueInMs ?? null
}

/** Result of one attempt, and the next state of the delivery. */
export interface AttemptSettlement extends AttemptInfo {
  workspaceId: string
  deliveryId: string
  at: Date
  statusCode: number | null
  error: string | null
  durationMs: number
  responseBody: string | null
  signature: string
  status: 'delivered' | 'retrying' | 'failed'
  /** Milliseconds from now to the next attempt. Null if there is none. */
  retryDelayMs: number | null
}

/**
 * Records a batch of attempts in one statement. Skips rows that another transaction has locked, to avoid waiting for
 * it, and returns their ids; the caller must retry these. The attempt number is the guard against duplicates. If two
 * processes made the same attempt because a lease expired, only the first is recorded. A delivery must occur only once
 * per batch.
 *
 * The statement forces an index probe for every delivery. The lateral subquery runs per row, and `probe_index` makes a
 * full scan look expensive. The insert always conflicts with the locked row and therefore updates it through the
 * primary key. A cached plan from when the table was small would otherwise scan it for each batch.
 *
 * Rows are passed as arrays, which PostgreSQL parses in half the time of JSON. The part that emits `delivery.failed` is
 * only present if a delivery has failed, so that others cost nothing more.
 */
export const settleAttempts = async (sql: Sql, settlements: AttemptSettlement[]): Promise<Set<string>> => {
  const { kinds, kindIndexes } = groupByKind(settlements)
  const reports = settlements.some(isFailedForGood) ? sql`, reported as (${reportFailed(sql)})` : sql``
  const locked = await sql<{ id: string }[]>`
    with input as materialized (
      select i.*, ${sharedColumns(sql, kinds)} from unnest(${kindIndexes}::integer[], ${settlements.map(one => one.deliveryId)}::uuid[],
        ${settlements.map(one => one.at.getTime())}::bigint[], ${settlements.map(one => one.durationMs)}::integer[],
        ${settlements.map(one => one.signature)}::text[], ${settlements.map(one => one.retryDelayMs)}::double precision[])
        as i(kind, delivery_id, at_ms, duration_ms, signature, next_wait_ms)
    ), locked as materialized (
      select i.*, to_timestamp(i.at_ms / 1000.0) as at, found.webhook_id, found.event_id
      from input i cross join lateral (
        select d.webhook_id, d.event_id from deliveries d
        where d.workspace_id = i.workspace_id and d.id = i.delivery_id and d.attempts = i.number - 1 and d.status <> 'dropped'
          and probe_index(d.id)
        for no key update skip locked
      ) found
    ), settled as (
      insert into deliveries as d (workspace_id, id, webhook_id, event_id, attempts, status, status_code, error, duration_ms,
        last_attempt_at, due_at)
      select workspace_id, delivery_id, webhook_id, event_id, number, status, status_code, error, duration_ms, at,
        clock_timestamp() + next_wait_ms * interval '1 millisecond'
      from locked
      on conflict (workspace_id, id) do update set attempts = excluded.attempts, status = excluded.status,
        status_code = excluded.status_code, error = excluded.error, duration_ms = excluded.duration_ms,
        last_attempt_at = excluded.last_attempt_at, manual = false, due_at = excluded.due_at
    ), recorded as (
      insert into delivery_attempts (workspace_id, delivery_id, number, planned, manual, at, status_code, error,
        duration_ms, response_body, signature)
      select workspace_id, delivery_id, number, planned, manual, at, status_code, error, duration_ms, response_body, signature
      from locked
      on conflict do nothing
    ), stats as (${recordStats(
      sql,
      sql`(workspace_id, hour, attempts, deliveries_delivered, deliveries_failed, kind, group_id, status_codes, durations_ms)
      select workspace_id, ${thisHour(sql)}, count(*), count(*) filter (where status = 'delivered'),
        count(*) filter (where status = 'failed'), 'webhook', webhook_id, array_agg(coalesce(status_code, 0)), array_agg(duration_ms)
      from locked group by workspace_id, webhook_id`,
    )})${reports}
    select i.delivery_id as id from input i
    where i.delivery_id not in (select delivery_id from locked)
      and (select d.attempts from deliveries d
        where d.workspace_id = i.workspace_id and d.id = i.delivery_id and d.status <> 'dropped' and probe_index(d.id)) = i.number - 1`
  return new Set(locked.map(({ id }) => id))
}

/** Returns whether the last attempt of the schedule failed. An extra attempt by hand is reported no second time. */
const isFailedForGood = ({ status, number, planned, manual }: AttemptSettlement): boolean =>
  status === 'failed' && (number === planned || !manual)

/**
 * Emits `delivery.failed` for the deliveries of `locked` that `isFailedForGood` selects. Deliveries of `delivery.failed`
 * are excluded: two failing endpoints would report each other forever.
 */
const reportFailed = (sql: Sql) =>
  insertIntoOutbox(
    sql,
    draftEvents(sql, 'delivery.failed', {
      rows: sql`locked cross join lateral (
        select e.type, e.traceparent from outbound_events e
        where e.workspace_id = locked.workspace_id and e.id = locked.event_id and e.type <> 'delivery.failed' and probe_index(e.id)
      ) e cross join lateral (
        select w.name, w.url from webhooks w where w.workspace_id = locked.workspace_id and w.id = locked.webhook_id offset 0
      ) w
      where locked.status = 'failed' and (locked.number = locked.planned or not locked.manual)`,
      workspaceId: sql`locked.workspace_id`,
      traceparent: sql`e.traceparent`,
      data: {
        deliveryId: sql`delivery_id`,
        webhookId: sql`webhook_id`,
        name: sql`w.name`,
        host: hostOf(sql),
        eventId: sql`event_id`,
        eventType: sql`e.type`,
        attempts: sql`number`,
        statusCode: sql`status_code`,
        error: sql`error`,
      },
    }),
  )

/**
 * The fields that most settlements of a batch share. Each distinct combination is sent once and referenced by its
 * index.
 */
const toKind = (s: AttemptSettlement) => ({
  workspace_id: s.workspaceId,
  number: s.number,
  planned: s.planned,
  manual: s.manual,
  status_code: s.statusCode,
  error: s.error,
  response_body: s.responseBody,
  status: s.status,
})

/**
 * Returns a unique key for a kind. The only free text, the response body, comes last, and the status code says whether
 * there is a body.
 */
const kindKey = (s: AttemptSettlement): string =>
  `${s.workspaceId} ${s.number} ${s.planned} ${s.manual} ${s.statusCode} ${s.status} ${s.error} ${s.responseBody}`

const groupByKind = (settlements: AttemptSettlement[]) => {
  const kinds = new Map<string, ReturnType<typeof toKind> & { kind: number }>()
  const kindIndexes = settlements.map(settlement => {
    const name = kindKey(settlement)
    const kind = kinds.get(name) ?? { ...toKind(settlement), kind: kinds.size + 1 }
    if (kind.kind > kinds.size) kinds.set(name, kind)
    return kind.kind
  })
  return { kinds: [...kinds.values()], kindIndexes }
}

type Kind = ReturnType<typeof groupByKind>['kinds'][number]

/** Columns of the fields that settlements share. An index into arrays costs less than a join with parsed JSON. */
const sharedColumns = (sql: Sql, kinds: readonly Kind[]) => {
  const numbers = (of: (kind: Kind) => number | null) => sql`(${kinds.map(of)}::smallint[])[i.kind]`
  const texts = (of: (kind: Kind) => string | null) => sql`(${kinds.map(of)}::text[])[i.kind]`
  return sql`(${kinds.map(kind => kind.workspace_id)}::uuid[])[i.kind] as workspace_id, ${numbers(kind => kind.number)} as number,
    ${numbers(kind => kind.planned)} as planned, ${numbers(kind => kind.status_code)} as status_code,
    ${texts(kind => `${kind.manual}`)}::boolean as manual, ${texts(kind => kind.error)} as error,
    ${texts(kind => kind.response_body)} as response_body, ${texts(kind => kind.status)} as status`
}

/**
 * Returns a page of up to `limit` endpoints with deliveries due at `from` or later. Excludes disabled, held and deleted
 * endpoints.
 */
export const findDueEndpoints = async (sql: Sql, after: ActorKey, limit: number, from = epoch): Promise<PolledPage> => {
  const page = { after, limit, from }
  const runnable = sql`
    select true from webhooks w
    where w.workspace_id = m.workspace_id and w.id = m.actor_id and ${isActive(sql)}`
  const [row] = await sql<PolledPage[]>`
    ${selectDueActors(sql, { rows: sql`deliveries`, actorId: sql`webhook_id`, runnable }, page)}`
  return row!
}
