import type { Condition } from '../../core/conditions/index.ts'
import { createYield } from '../../platform/event-loop.ts'
import type { Sql } from '../../platform/postgres/client.ts'
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
  /** Null without a filter. */
  dataText: string | null
}

/** Events without a delivery, oldest first. `cursor` is the last event read, or null at the end of the range. */
export interface MissingPage {
  events: MissingEvent[]
  cursor: string | null
}

/** Maximum number of events that a page reads, and the default of `limit` and `maxScanned`. */
const maxPage = 5000
/** Size in bytes of the event data after which no further event is added. */
const maxBytes = 4 * 1024 * 1024

/**
 * Selects up to `limit` events that were not sent to an endpoint because it was disabled, did not exist or did not
 * subscribe to their type (contract 12.6). Excludes events in the outbox, which are still sent as usual. Excludes
 * events that the filter of that time rejected, and those that were sent again since.
 */
export const selectMissing = async (
  sql: Sql,
  p: MissingRange,
  limit = maxPage,
  maxScanned = maxPage,
): Promise<MissingPage> => {
  const columns = sql`e.id, e.type, e.fanned_out_at, e.sent_to, e.not_sent_to`
  const isInRange = sql`e.workspace_id = ${p.workspaceId} and e.id > ${p.after} and e.id <= ${p.last}`
  // An index covers the types other than `message.status`, which is the type of nearly all events.
  const scanned = p.types.includes('message.status')
    ? sql`select ${columns} from outbound_events e where ${isInRange} order by e.id limit ${maxScanned}`
    : sql`
      select of_type.* from unnest(${p.types}::text[]) as wanted(type) cross join lateral (
        select ${columns} from outbound_events e
        where ${isInRange} and e.type = wanted.type and e.type <> 'message.status' order by e.id limit ${maxScanned}
      ) of_type order by of_type.id limit ${maxScanned}`
  const measured = sql`
    select missing.id, missing.type, e.data,
      coalesce(sum(octet_length(e.data)) over (order by missing.id rows between unbounded preceding and 1 preceding), 0) as before
    from missing cross join lateral (
      select e.data::text as data from outbound_events e
      where e.workspace_id = ${p.workspaceId} and e.id = missing.id and probe_index(e.id)
    ) e`
  const rows = await sql<
    { lastScanned: string | null; matched: number; id: string | null; type: string; data: string }[]
  >`
    with scanned as materialized (${scanned}), missing as materialized (
      select scanned.id, scanned.type from scanned
      where scanned.type = any(${p.types}::text[]) and scanned.fanned_out_at is not null
        and not coalesce(scanned.sent_to ? ${p.webhookId}::text, false)
        and coalesce(scanned.not_sent_to ->> ${p.webhookId}::text, '') not in ('filter', 'about_itself')
        and (select d.id from deliveries d
          where d.workspace_id = ${p.workspaceId} and d.event_id = scanned.id and d.resent
            and d.webhook_id = ${p.webhookId} and probe_index(d.id) limit 1) is null
      order by scanned.id limit ${limit}
    ), measured as materialized (
      ${p.filter === null ? sql`select id, type, null::text as data, 0 as before from missing` : measured}
    )
    select state.*, measured.id, measured.type, measured.data
    from (select (select id from scanned order by id desc limit 1) as "lastScanned",
      (select count(*)::integer from missing) as matched) state
    left join measured on measured.before < ${maxBytes}
    order by measured.id`
  const { lastScanned, matched } = rows[0]!
  const events = rows.flatMap(({ id, type, data }) =>
    id === null ? [] : [{ id, type: type as OutboundEventType, dataText: data }],
  )
  const isCutOff = matched === limit || events.length < matched
  return { events, cursor: isCutOff ? events.at(-1)!.id : lastScanned }
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
