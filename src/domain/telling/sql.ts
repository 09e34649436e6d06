/** SQL fragments that write outbound events in the caller's statement (transactional outbox). */
import type { Fragment, Sql } from '../../db/client.ts'
import { filtersUnasked, judging, type Made, makingDeliveries, whatWasMade } from '../deliveries/index.ts'
import { drafting, type OutboundEventType, type Telling, writingEvents } from '../outbound-events/index.ts'
import { actingOn } from './acting.ts'

/**
 * Maximum number of endpoints for which the caller's statement creates deliveries. This limits how much it writes. With
 * more endpoints, and for endpoints with a filter, the event goes through the outbox.
 */
const maxEndpoints = 16

/**
 * Parts of a `with` clause that emit events together with the change they report. `told` holds the emitted events
 * (workspace_id, id, tells_of). If this process has listeners, the same statement creates the deliveries and skips the
 * outbox. Use it once per statement; the statement must return `whatWasTold`.
 */
export const telling = <Type extends OutboundEventType>(sql: Sql, type: Type, what: Telling<Type>) =>
  tellingDrafts(sql, drafting(sql, type, what))

/** Emits events of several types: the results of `drafting`, combined with `union all`. */
export const tellingDrafts = (sql: Sql, drafts: Fragment) => sql`
  drafts as materialized (${drafts}),
  judged as materialized (${actingOn(sql).length > 0 ? judging(sql, sql`drafts`, maxEndpoints, filtersUnasked(sql)) : undecided(sql)}),
  told as (${writingEvents(sql, sql`judged`)} returning workspace_id, id, tells_of, fanned_out_at),
  made as (${makingDeliveries(sql, sql`judged`)})`

const undecided = (sql: Sql) => sql`
  select *, null::timestamptz as fanned_out_at, null::jsonb as sent_to, null::jsonb as passed_over from drafts`

/** Summary of what a statement emitted. */
export interface Told {
  inOutbox: boolean
  made: Made
}

/** Result column for `tell`. Only the first row has a value. */
export const whatWasTold = (sql: Sql) => sql`
  case row_number() over () when 1 then json_build_object(
    'inOutbox', exists (select from told where fanned_out_at is null), 'made', ${whatWasMade(sql, sql`judged`, sql`made`)}) end`
