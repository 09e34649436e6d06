/** From the outbox to deliveries. */
import type { Sql } from '../../db/client.ts'
import { beginning } from '../mailbox.ts'
import { firstInOutbox, markingFannedOut, takingFromOutbox } from '../outbound-events/index.ts'
import { type Given, givenTo, judging, type Made, makingDeliveries, whatWasMade } from './make.ts'

export interface FannedOut {
  events: number
  /** When the first event in the outbox happened, in milliseconds since 1970; null when there was none. */
  firstMs: number | null
  given: Given[]
}

/**
 * Makes deliveries of up to `limit` events of the outbox, for every endpoint that subscribes to them, in one statement:
 * an event leaves the outbox exactly when its deliveries exist. The row locks are the guarantee, so any number of
 * processes may do so at once; an event that another holds is passed over.
 *
 * Nobody waits until this commit is on disk. Should PostgreSQL fall over before it is, the events are in the outbox
 * again, for their own commits were waited for, and the same deliveries are made of them: a delivery's id follows from
 * its event and its endpoint. What a receiver then gets a second time is what it got, as after any other crash.
 */
export const fanOut = async (sql: Sql, limit: number, from = beginning): Promise<FannedOut> => {
  const [row] = await sql<{ events: number; firstMs: number | null; made: Made }[]>`
    with page as materialized (${takingFromOutbox(sql, limit, from)}),
    judged as materialized (${judging(sql, sql`page`, null)}),
    marked as (${markingFannedOut(sql, sql`judged`)}),
    made as (${makingDeliveries(sql, sql`judged`)})
    select (select count(*)::integer from page) as events, ${firstInOutbox(sql, from)} as "firstMs",
      ${whatWasMade(sql, sql`judged`, sql`made`)} as made, set_config('synchronous_commit', 'off', true)`
  const { events, firstMs, made } = row!
  return { events, firstMs, given: givenTo(made) }
}
