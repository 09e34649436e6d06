/** Creates deliveries from the outbox. */

import { createYield } from '../../platform/event-loop.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { epoch } from '../../queue/queue.ts'
import { evaluateFilters, type Filter } from '../endpoints/index.ts'
import { firstOutboxTime, lockOutboxEvents, lockOutboxPage, markFannedOut } from '../outbound-events/index.ts'
import {
  type CreatedDeliveries,
  createdDeliveries,
  decideFanOut,
  type EndpointJobs,
  groupJobs,
  insertDeliveries,
} from './create.ts'

export interface FanOutResult {
  /** Number of events read. */
  events: number
  /** True if some events could not be decided yet. The caller must run again immediately. */
  hasMore: boolean
  /** Time of the first event in the outbox, in milliseconds since 1970. Null if the outbox was empty. */
  firstMs: number | null
  endpointJobs: EndpointJobs[]
}

/**
 * Creates the deliveries of up to `limit` events of the outbox. Events whose endpoints have filters take two passes,
 * with the filters evaluated between them.
 */
export const fanOut = async (sql: Sql, limit: number, from = epoch): Promise<FanOutResult> => {
  const { events, firstMs, newDeliveries, undecided } = await fanOutPage(
    sql,
    lockOutboxPage(sql, limit, from),
    from,
    {},
  )
  const endpointJobs = groupJobs(newDeliveries)
  const toEvaluate = undecided.events ?? []
  if (toEvaluate.length === 0) return { events, hasMore: false, firstMs, endpointJobs }
  const filterResults = await evaluateAll(toEvaluate, undecided.filters ?? [])
  const second = await fanOutPage(sql, lockOutboxEvents(sql, toEvaluate), from, filterResults)
  return {
    events,
    hasMore: toEvaluate.length < undecided.count,
    firstMs,
    endpointJobs: [...endpointJobs, ...groupJobs(second.newDeliveries)],
  }
}

interface UndecidedEvent {
  workspaceId: string
  id: string
  type: string
  dataText: string
}

/**
 * Events that need their filters evaluated. `count` is the total; `events` holds the first ones within the size limit.
 */
interface Undecided {
  count: number
  events: UndecidedEvent[] | null
  filters: (Filter & { workspaceId: string })[] | null
}

/** Filter results by event id and endpoint id. */
type FilterResults = Record<string, Record<string, boolean>>

const evaluateAll = async (
  events: readonly UndecidedEvent[],
  filters: NonNullable<Undecided['filters']>,
): Promise<FilterResults> => {
  const byWorkspace = Map.groupBy(filters, ({ workspaceId }) => workspaceId)
  const filterResults: FilterResults = {}
  const yieldIfDue = createYield()
  for (const event of events) {
    await yieldIfDue()
    filterResults[event.id] = evaluateFilters(event, byWorkspace.get(event.workspaceId) ?? [])
  }
  return filterResults
}

/** Maximum size in bytes of the event data whose filters are evaluated in one pass. */
const maxEvaluatedBytes = 4 * 1024 * 1024

/**
 * Creates the deliveries of outbox events for every subscribed endpoint, in one statement: an event leaves the outbox
 * exactly when its deliveries exist. Row locks guarantee this, so any number of processes can run concurrently. Events
 * locked by another process are skipped. Events that need their filters evaluated stay in the outbox.
 *
 * The commit is asynchronous. If PostgreSQL crashes before it is on disk, the events are in the outbox again, because
 * their own commits were synchronous. A second fan-out creates deliveries with equal ids, because an id is derived from
 * the event and the endpoint. A receiver can get a duplicate, as after any other crash.
 */
const fanOutPage = async (sql: Sql, source: Fragment, from: Date, filterResults: FilterResults) => {
  const [row] = await sql<
    { events: number; firstMs: number | null; newDeliveries: CreatedDeliveries; undecided: Undecided }[]
  >`
    with filter_results as materialized (select ${JSON.stringify(filterResults)}::text::jsonb as results),
    page as materialized (${source}),
    evaluated as materialized (${decideFanOut(
      sql,
      sql`page`,
      null,
      sql`((select results from filter_results) -> event.id::text ->> w.id::text)::boolean`,
    )}),
    decided as materialized (select * from evaluated where fanned_out_at is not null),
    fanned_out as (${markFannedOut(sql, sql`decided`)}),
    new_deliveries as (${insertDeliveries(sql, sql`decided`)}),
    undecided as materialized (
      select workspace_id, id, type, data::text as data,
        sum(octet_length(data::text)) over (order by id rows between unbounded preceding and 1 preceding) as before
      from evaluated where fanned_out_at is null
    )
    select (select count(*)::integer from page) as events, ${firstOutboxTime(sql, from)} as "firstMs",
      ${createdDeliveries(sql, sql`decided`, sql`new_deliveries`)} as "newDeliveries", set_config('synchronous_commit', 'off', true),
      json_build_object('count', (select count(*)::integer from undecided), 'events', (
        select json_agg(json_build_object('workspaceId', workspace_id, 'id', id, 'type', type, 'dataText', data) order by id)
        from undecided where coalesce(before, 0) < ${maxEvaluatedBytes}
      ), 'filters', (
        select json_agg(json_build_object('workspaceId', w.workspace_id, 'webhookId', w.id, 'events', w.events, 'filter', w.filter))
        from (select distinct workspace_id from undecided) one cross join lateral (
          select * from webhooks w where w.workspace_id = one.workspace_id and w.deleted_at is null and w.filter is not null
          offset 0) w
      )) as undecided`
  return row!
}
