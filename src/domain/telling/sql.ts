/** Telling, as parts of the statement that makes what is told of. */
import type { Fragment, Sql } from '../../db/client.ts'
import { filtersUnasked, judging, type Made, makingDeliveries, whatWasMade } from '../deliveries/index.ts'
import { drafting, type OutboundEventType, type Telling, writingEvents } from '../outbound-events/index.ts'
import { actingOn } from './acting.ts'

/**
 * What is told of a workspace with more living endpoints goes through the outbox: how much the statement of one caller
 * writes is bounded by it. So does what an endpoint's filter is to be asked of.
 */
const maxEndpoints = 16

/**
 * Tells, as parts of a `with`: an event exists if, and only if, what it tells of was committed. `told` has what was told
 * (workspace_id, id, tells_of). Where somebody in this process acts on it, the deliveries are made by the same statement,
 * and the event never stands in the outbox. Once for each statement; `whatWasTold` belongs to its answer.
 */
export const telling = <Type extends OutboundEventType>(sql: Sql, type: Type, what: Telling<Type>) =>
  tellingDrafts(sql, drafting(sql, type, what))

/** The same of events of several types: what `drafting` makes of each, put together by `union all`. */
export const tellingDrafts = (sql: Sql, drafts: Fragment) => sql`
  drafts as materialized (${drafts}),
  judged as materialized (${actingOn(sql).length > 0 ? judging(sql, sql`drafts`, maxEndpoints, filtersUnasked(sql)) : undecided(sql)}),
  told as (${writingEvents(sql, sql`judged`)} returning workspace_id, id, tells_of, fanned_out_at),
  made as (${makingDeliveries(sql, sql`judged`)})`

const undecided = (sql: Sql) => sql`
  select *, null::timestamptz as fanned_out_at, null::jsonb as sent_to, null::jsonb as passed_over from drafts`

/** What a statement told. */
export interface Told {
  inOutbox: boolean
  made: Made
}

/** A column of the answer, for `tell`: it stands in the first row, whichever that is. */
export const whatWasTold = (sql: Sql) => sql`
  case row_number() over () when 1 then json_build_object(
    'inOutbox', exists (select from told where fanned_out_at is null), 'made', ${whatWasMade(sql, sql`judged`, sql`made`)}) end`
