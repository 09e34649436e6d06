import type { Condition } from '../../core/conditions/index.ts'
import { createYield } from '../../platform/event-loop.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { evaluateFilters } from '../endpoints/index.ts'
import type { OutboundEventType } from '../outbound-events/index.ts'

/** Events in which the deliveries missing at an endpoint are searched. */
export interface MissingRange {
  workspaceId: string
  webhookId: string
  /** Ids after this one, up to and including `last`. */
  after: string
  last: string
  types: readonly string[]
  /** Filter of the endpoint. The data of the events is only read for it. */
  filter: Condition | null
}

export interface MissingEvent {
  id: string
  type: OutboundEventType
  /** JSON object with the fields of the data that the filter reads. Null without a filter. */
  dataText: string | null
}

/** Events without a delivery, oldest first. `cursor` is the last event read, or null at the end of the range. */
export interface MissingPage {
  events: MissingEvent[]
  cursor: string | null
}

/** Number of missing events of a type. */
export interface MissingCount {
  type: OutboundEventType
  deliveries: number
}

/** Maximum number of events that a page reads, and the default of `limit` and `maxScanned`. */
const maxPage = 5000
/** Maximum number of events that a page of a count reads. */
export const maxCountedPage = 20_000
/** Size in bytes of the fields for the filter after which no further event is added. */
const maxBytes = 4 * 1024 * 1024
/** Size in bytes of the stored data after which the data of no further event is read. */
const maxStoredBytes = 8 * 1024 * 1024

/**
 * Parts of a statement that reads up to `maxScanned` events: `scanned` has all of them, and `unsent` those that were not
 * sent to an endpoint because it was disabled, did not exist or did not subscribe to their type (contract 12.6).
 * Excludes events in the outbox, which are still sent as usual. Excludes events that the filter of that time rejected,
 * and those that were sent again since. `data` has the fields that the filter reads: taken here, because a lookup per
 * event costs four times as much.
 */
const unsentEvents = (sql: Sql, p: MissingRange, maxScanned: number): Fragment => {
  const readsEveryEvent = p.types.includes('message.status')
  // Computed here, because rows with `sent_to` would not fit into memory.
  const isCandidate = sql`e.type = any(${p.types}::text[]) and e.fanned_out_at is not null
    and not coalesce(e.sent_to ? ${p.webhookId}::text, false)
    and coalesce(e.not_sent_to ->> ${p.webhookId}::text, '') not in ('filter', 'about_itself')`
  const columns = sql`e.id, e.type, ${isCandidate} as is_candidate, ${p.filter === null ? sql`null::jsonb` : sql`e.data`} as data`
  const isInRange = sql`e.workspace_id = ${p.workspaceId} and e.id > ${p.after} and e.id <= ${p.last}`
  // An index covers the types other than `message.status`, which is the type of nearly all events.
  const read = readsEveryEvent
    ? sql`select ${columns} from outbound_events e where ${isInRange} order by e.id limit ${maxScanned}`
    : sql`
      select of_type.* from unnest(${p.types}::text[]) as wanted(type) cross join lateral (
        select ${columns} from outbound_events e
        where ${isInRange} and e.type = wanted.type and e.type <> 'message.status' order by e.id limit ${maxScanned}
      ) of_type order by of_type.id limit ${maxScanned}`
  const scanned =
    p.filter === null
      ? sql`select id, type, is_candidate, null::text as data from (${read}) e`
      : scannedWithFields(sql, read, p.filter)
  // A page without gaps reads the resent deliveries of its range once, which is much faster than a lookup per event. An
  // aggregate removes them in linear time, whatever number of rows the planner expects. `offset 0` makes it use the index
  // of resent deliveries: that of the endpoint would read all of its deliveries.
  const unsent = readsEveryEvent
    ? sql`
      select id, min(type) as type, min(data collate "C") as data from (
        select id, type, data, false as is_resent from scanned where is_candidate
        union all
        select resent.event_id, null, null, true from (
          select d.event_id, d.webhook_id from deliveries d
          where d.workspace_id = ${p.workspaceId} and d.resent
            and d.event_id > ${p.after} and d.event_id <= (select id from scanned order by id desc limit 1) offset 0
        ) resent where resent.webhook_id = ${p.webhookId}
      ) either group by id having not bool_or(is_resent)`
    : sql`
      select id, type, data from scanned
      where is_candidate and (
        select d.id from deliveries d where d.workspace_id = ${p.workspaceId} and d.event_id = scanned.id and d.resent
          and d.webhook_id = ${p.webhookId} and probe_index(d.id) limit 1
      ) is null`
  return sql`scanned as materialized (${scanned}), unsent as materialized (${unsent})`
}

/**
 * Adds the fields that a filter reads to the events of `read`. Omits the events after `maxStoredBytes` of data, which
 * is then not read, and after `maxBytes` of fields, which are then not copied. At least one event remains.
 */
const scannedWithFields = (sql: Sql, read: Fragment, filter: Condition): Fragment => sql`
  select id, type, is_candidate, data from (
    select e.*, ${bytesBefore(sql, sql`octet_length(e.data)`)} as bytes_before from (
      select e.id, e.type, e.is_candidate, case when e.is_candidate then ${fieldsText(sql, filter)} end as data from (
        select e.*, ${bytesBefore(sql, sql`pg_column_size(e.data)`)} as stored_before from (${read}) e
      ) e
      where stored_before < ${maxStoredBytes}
    ) e
  ) e
  where bytes_before < ${maxBytes}`

/** Returns the sum of a size over the events before `e`. */
const bytesBefore = (sql: Sql, size: Fragment): Fragment =>
  sql`coalesce(sum(${size}) over (order by e.id rows between unbounded preceding and 1 preceding), 0)`

/** Returns the text of a JSON object with the fields of `e.data` that a filter reads. An absent field is null. */
const fieldsText = (sql: Sql, filter: Condition): Fragment => {
  const fields = [...namesIn(filter)].map(
    name => sql`${`"${name}":`}::text || coalesce((e.data -> ${name})::text, 'null')`,
  )
  return sql`'{' || ${fields.reduce((list, field) => sql`${list} || ',' || ${field}`)} || '}'`
}

/** Returns the first name of each path: `total` of `data.total`. The schema of a condition permits no quotes in it. */
const namesIn = (condition: Condition): Set<string> => {
  if ('path' in condition) return new Set([condition.path.split('.')[1]!])
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.not]
  return new Set(parts.flatMap(part => [...namesIn(part)]))
}

/** Selects up to `limit` missing events of a range, with their data if the endpoint has a filter. */
export const selectMissing = async (
  sql: Sql,
  p: MissingRange,
  limit = maxPage,
  maxScanned = maxPage,
): Promise<MissingPage> => {
  const rows = await sql<{ lastScanned: string | null; id: string | null; type: string; data: string }[]>`
    with ${unsentEvents(sql, p, maxScanned)}, missing as materialized (
      select id, type, data from unsent order by id limit ${limit}
    )
    select state.*, missing.id, missing.type, missing.data
    from (select (select id from scanned order by id desc limit 1) as "lastScanned") state
    left join missing on true
    order by missing.id`
  const events = rows.flatMap(({ id, type, data }) =>
    id === null ? [] : [{ id, type: type as OutboundEventType, dataText: data }],
  )
  return { events, cursor: events.length === limit ? events.at(-1)!.id : rows[0]!.lastScanned }
}

/**
 * Counts the missing events of a page by type, regardless of the filter. `cursor` is the last event read, or null at the
 * end of the range.
 */
export const countMissing = async (
  sql: Sql,
  p: MissingRange,
  maxScanned = maxCountedPage,
): Promise<{ counts: MissingCount[]; cursor: string | null }> => {
  const rows = await sql<{ cursor: string | null; type: OutboundEventType | null; deliveries: number }[]>`
    with ${unsentEvents(sql, p, maxScanned)}
    select state.cursor, counted.type, counted.deliveries
    from (select (select id from scanned order by id desc limit 1) as cursor) state
    left join (select type, count(*)::integer as deliveries from unsent group by type) counted on true`
  const counts = rows.flatMap(({ type, deliveries }) => (type === null ? [] : [{ type, deliveries }]))
  return { counts, cursor: rows[0]!.cursor }
}

/** Returns the events that the filter of the endpoint accepts. */
export const acceptMissing = async (
  events: readonly MissingEvent[],
  { webhookId, types, filter }: Pick<MissingRange, 'webhookId' | 'types' | 'filter'>,
): Promise<MissingEvent[]> => {
  if (filter === null) return [...events]
  const filters = [{ webhookId, events: types, filter }]
  const accepted: MissingEvent[] = []
  const yieldIfDue = createYield()
  for (const event of events) {
    await yieldIfDue()
    if (evaluateFilters({ type: event.type, dataText: event.dataText! }, filters)[webhookId]) accepted.push(event)
  }
  return accepted
}
