/** SQL fragments that write outbound events in the caller's statement (transactional outbox). */
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import {
  type CreatedDeliveries,
  createdDeliveries,
  decideFanOut,
  insertDeliveries,
  unevaluatedFilters,
} from '../deliveries/index.ts'
import {
  draftEvents,
  type EventExpressions,
  insertEvents,
  type OutboundEventType,
  selectUndecided,
} from '../outbound-events/index.ts'
import { listenersOf } from './after-commit.ts'

/**
 * Maximum number of endpoints for which the caller's statement creates deliveries. This limits how much it writes. With
 * more endpoints, and for endpoints with a filter, the event goes through the outbox.
 */
const maxEndpoints = 16

/**
 * Parts of a `with` clause that emit events together with the change they report. `emitted` holds the emitted events
 * (workspace_id, id, data_subject_id). If this process has listeners, the same statement creates the deliveries and skips the
 * outbox. Use it once per statement; the statement must return `emitResult`.
 */
export const emitEvents = <Type extends OutboundEventType>(sql: Sql, type: Type, expressions: EventExpressions<Type>) =>
  emitDrafts(sql, draftEvents(sql, type, expressions))

/** Emits events of several types: the results of `draftEvents`, combined with `union all`. */
export const emitDrafts = (sql: Sql, drafts: Fragment) => sql`
  drafts as materialized (${drafts}),
  decided as materialized (${listenersOf(sql).length > 0 ? decideFanOut(sql, sql`drafts`, maxEndpoints, unevaluatedFilters(sql)) : selectUndecided(sql, sql`drafts`)}),
  emitted as (${insertEvents(sql, sql`decided`)} returning workspace_id, id, data_subject_id, fanned_out_at),
  new_deliveries as (${insertDeliveries(sql, sql`decided`)})`

/** Summary of what a statement emitted. */
export interface Emitted {
  inOutbox: boolean
  deliveries: CreatedDeliveries
}

/** Result column for `emit`. Only the first row has a value. */
export const emitResult = (sql: Sql) => sql`
  case row_number() over () when 1 then json_build_object(
    'inOutbox', exists (select from emitted where fanned_out_at is null), 'deliveries', ${createdDeliveries(sql, sql`decided`, sql`new_deliveries`)}) end`
