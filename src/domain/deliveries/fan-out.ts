/** Creates deliveries from the outbox. */
import type { Fragment, Sql } from '../../db/client.ts'
import { type Filter, passing } from '../endpoints/index.ts'
import { beginning } from '../mailbox.ts'
import { firstInOutbox, markingFannedOut, takingFromOutbox, takingNamed } from '../outbound-events/index.ts'
import { inTurns } from '../turns.ts'
import { type Given, givenTo, judging, type Made, makingDeliveries, whatWasMade } from './make.ts'

export interface FannedOut {
  /** Number of events read. */
  events: number
  /** True if some events could not be decided yet. The caller must run again immediately. */
  more: boolean
  /** Time of the first event in the outbox, in milliseconds since 1970. Null if the outbox was empty. */
  firstMs: number | null
  given: Given[]
}

/**
 * Creates the deliveries of up to `limit` events of the outbox. Events whose endpoints have filters take two passes,
 * with the filters evaluated between them.
 */
export const fanOut = async (sql: Sql, limit: number, from = beginning): Promise<FannedOut> => {
  const { events, firstMs, made, undecided } = await fanOutPage(sql, takingFromOutbox(sql, limit, from), from, {})
  const given = givenTo(made)
  const asked = undecided.events ?? []
  if (asked.length === 0) return { events, more: false, firstMs, given }
  const passed = await ask(asked, undecided.filters ?? [])
  const second = await fanOutPage(sql, takingNamed(sql, asked), from, passed)
  return { events, more: asked.length < undecided.count, firstMs, given: [...given, ...givenTo(second.made)] }
}

interface Asked {
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
  events: Asked[] | null
  filters: (Filter & { workspaceId: string })[] | null
}

/** Filter results by event id and endpoint id. */
type Passed = Record<string, Record<string, boolean>>

const ask = async (events: readonly Asked[], filters: NonNullable<Undecided['filters']>): Promise<Passed> => {
  const ofWorkspace = Map.groupBy(filters, ({ workspaceId }) => workspaceId)
  const passed: Passed = {}
  const turns = inTurns()
  for (const event of events) {
    await turns()
    passed[event.id] = passing(event, ofWorkspace.get(event.workspaceId) ?? [])
  }
  return passed
}

/** Maximum size in bytes of the event data whose filters are evaluated in one pass. */
const maxAskedBytes = 4 * 1024 * 1024

/**
 * Creates the deliveries of outbox events for every subscribed endpoint, in one statement: an event leaves the outbox
 * exactly when its deliveries exist. Row locks guarantee this, so any number of processes can run concurrently. Events
 * locked by another process are skipped. Events that need their filters evaluated stay in the outbox.
 *
 * The commit is asynchronous. If PostgreSQL crashes before it is on disk, the events are in the outbox again, because
 * their own commits were synchronous. The same deliveries are then created, since a delivery's id is derived from its
 * event and its endpoint. A receiver can get a duplicate, as after any other crash.
 */
const fanOutPage = async (sql: Sql, taking: Fragment, from: Date, passed: Passed) => {
  const [row] = await sql<{ events: number; firstMs: number | null; made: Made; undecided: Undecided }[]>`
    with asked as materialized (select ${JSON.stringify(passed)}::text::jsonb as passed),
    page as materialized (${taking}),
    judged as materialized (${judging(
      sql,
      sql`page`,
      null,
      sql`((select passed from asked) -> event.id::text ->> w.id::text)::boolean`,
    )}),
    decided as materialized (select * from judged where fanned_out_at is not null),
    marked as (${markingFannedOut(sql, sql`decided`)}),
    made as (${makingDeliveries(sql, sql`decided`)}),
    undecided as materialized (
      select workspace_id, id, type, data::text as data,
        sum(octet_length(data::text)) over (order by id rows between unbounded preceding and 1 preceding) as before
      from judged where fanned_out_at is null
    )
    select (select count(*)::integer from page) as events, ${firstInOutbox(sql, from)} as "firstMs",
      ${whatWasMade(sql, sql`decided`, sql`made`)} as made, set_config('synchronous_commit', 'off', true),
      json_build_object('count', (select count(*)::integer from undecided), 'events', (
        select json_agg(json_build_object('workspaceId', workspace_id, 'id', id, 'type', type, 'dataText', data) order by id)
        from undecided where coalesce(before, 0) < ${maxAskedBytes}
      ), 'filters', (
        select json_agg(json_build_object('workspaceId', w.workspace_id, 'webhookId', w.id, 'events', w.events, 'filter', w.filter))
        from (select distinct workspace_id from undecided) one cross join lateral (
          select * from webhooks w where w.workspace_id = one.workspace_id and w.deleted_at is null and w.filter is not null
          offset 0) w
      )) as undecided`
  return row!
}
