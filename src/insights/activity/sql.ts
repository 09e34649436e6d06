import {
  direction,
  isInRange,
  isOnPage,
  type PageRequest,
  type SizedRow,
  withinPageBytes,
} from '../../core/pagination.ts'
import { findLastScanned } from '../../core/scan.ts'
import {
  eventColumns,
  isOfType,
  type Reason,
  type StoredEvent,
  selectUsage,
  storedColumns,
  type WithVerdicts,
} from '../../events/index.ts'
import type { Sql } from '../../platform/postgres/client.ts'

export interface ActivityEventRow extends StoredEvent, WithVerdicts {
  reason: Reason | null
  customer: { id: string; name: string | null; phone: string | null; externalId: string | null }
}

/** Filter and page of a list of events. */
export interface ActivityFilter {
  workspaceId: string
  type?: string | undefined
  reason?: Reason | undefined
  started?: boolean | undefined
  sender?: string | undefined
  customerId?: string | undefined
  page: PageRequest
}

/** Returns the one filter that selects the index, or null if none of them has one. */
const indexedFilterOf = ({ customerId, reason, type }: ActivityFilter): 'customerId' | 'reason' | 'type' | null => {
  if (customerId !== undefined) return 'customerId'
  // Every event can have the reason `no_listener`, so no index covers it.
  if (reason !== undefined && reason !== 'no_listener') return 'reason'
  return type === undefined ? null : 'type'
}

/** Returns whether filters remain that the index does not cover. */
export const needsScan = (p: ActivityFilter): boolean => {
  const indexedFilter = indexedFilterOf(p)
  return (['type', 'reason', 'started', 'sender'] as const).some(
    name => p[name] !== undefined && name !== indexedFilter,
  )
}

/**
 * Selects events of a workspace with their effects, in the order of the page. Filters without an index check at most `maxScanned`
 * events.
 */
export const selectActivityEvents = (sql: Sql, p: ActivityFilter, maxScanned: number) =>
  sql<(ActivityEventRow & SizedRow)[]>`${withinPageBytes(
    sql,
    p.page,
    sql`
  select r.*, octet_length(r.data::text) + octet_length(r.verdicts::text) as bytes from (select ${eventColumns(sql)}, e.reason,
    json_build_object('id', e.customer_id, 'name', c.name, 'phone', c.phone, 'externalId', c.external_id) as customer
  from (
    select * from ${indexedEvents(sql, p)} order by e.id ${direction(sql, p.page)} limit ${needsScan(p) ? maxScanned : p.page.limit + 1}
  ) e
  left join customers c on c.workspace_id = e.workspace_id and c.id = e.customer_id
  where e.workspace_id = ${p.workspaceId}
    ${p.type === undefined ? sql`` : sql`and e.type = ${p.type}`}
    ${p.reason === undefined ? sql`` : sql`and e.reason = ${p.reason}`}
    ${p.started === undefined ? sql`` : p.started ? sql`and e.reason is null` : sql`and e.reason is not null`}
    ${p.sender === undefined ? sql`` : sql`and e.sender = ${p.sender}`}
  order by e.id ${direction(sql, p.page)} limit ${p.page.limit + 1}) r`,
    sql`${storedColumns(sql)}, verdicts, reason, customer`,
  )}`

export const findLastScannedActivity = (sql: Sql, p: ActivityFilter, maxScanned: number) =>
  findLastScanned(sql, p.page, sql`select e.id from ${indexedEvents(sql, p)}`, maxScanned)

/** Selects events through one index: by customer, by rare reason or by type; otherwise all events of the workspace. */
const indexedEvents = (sql: Sql, p: ActivityFilter) => {
  const indexedFilter = indexedFilterOf(p)
  return sql`
  events e where e.workspace_id = ${p.workspaceId}
    ${indexedFilter === 'customerId' ? sql`and e.customer_id = ${p.customerId!}` : sql``}
    ${indexedFilter === 'reason' ? isRareReason(sql, p.reason!) : sql``}
    ${indexedFilter === 'type' ? isOfType(sql, p.workspaceId, p.type!) : sql``}
    ${isOnPage(sql, p.page, sql`e.id`)} ${isInRange(sql, p.page, sql`e.id`, sql`e.created_at`)}`
}

/**
 * Repeats the predicate of the index `events_not_run`. PostgreSQL cannot match a partial index from a parameter alone.
 */
const isRareReason = (sql: Sql, reason: Reason) =>
  sql`and e.reason = ${reason} and e.reason in ('switched_off', 'never_published', 'not_run_for_customer')`

export interface StatsRow {
  at: Date
  events: number
  unhandled: number
  refused: number
  runsStarted: number
  messages: Record<'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'skipped' | 'unknown' | 'received', number>
  deliveries: { delivered: number; failed: number; attempts: number }
}

/**
 * Returns totals from `from` up to but not including `until`, only for hours or days with activity. Sums `hourly_stats`,
 * the `hourly_stat_changes` that are not rolled up yet, and the hourly usage rows of the current month. One statement reads all
 * three, so each count is included once.
 */
export const selectStats = (sql: Sql, p: { workspaceId: string; from: Date; until: Date; by: 'hour' | 'day' }) => sql<
  StatsRow[]
>`
  with counted as (
    select hour, events, refused, runs_started, messages_queued, messages_sent, messages_delivered, messages_read,
      messages_failed, messages_skipped, messages_unknown, messages_received, deliveries_delivered, deliveries_failed, attempts, unhandled
    from hourly_stats where workspace_id = ${p.workspaceId} and hour >= ${p.from} and hour < ${p.until}
    union all
    select hour, events, refused, runs_started, messages_queued, messages_sent, messages_delivered, messages_read,
      messages_failed, messages_skipped, messages_unknown, messages_received, deliveries_delivered, deliveries_failed, attempts, unhandled
    from hourly_stat_changes where workspace_id = ${p.workspaceId} and hour >= ${p.from} and hour < ${p.until}
    union all
    select hour, events, 0, runs_started, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, unhandled from (${selectUsage(sql, p)}) usage
  )
  select date_trunc(${p.by}, hour, 'UTC') as at, sum(events)::bigint as events, sum(unhandled)::bigint as unhandled,
    sum(refused)::bigint as refused, sum(runs_started)::bigint as "runsStarted",
    json_build_object('queued', sum(messages_queued), 'sent', sum(messages_sent), 'delivered', sum(messages_delivered),
      'read', sum(messages_read), 'failed', sum(messages_failed), 'skipped', sum(messages_skipped),
      'unknown', sum(messages_unknown), 'received', sum(messages_received)) as messages,
    json_build_object('delivered', sum(deliveries_delivered), 'failed', sum(deliveries_failed), 'attempts', sum(attempts))
      as deliveries
  from counted group by at`
