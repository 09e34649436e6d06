/** SQL fragments that write outbound events. */
import type { TSchema } from '@sinclair/typebox'
import { Time } from '../../core/schema.ts'
import type { Fragment, Sql } from '../../platform/postgres/client.ts'
import { type DataField, erasedFieldsOf, type OutboundEventType, outboundEvents, type PersonalField } from './schema.ts'

/** SQL expressions of an event, over the rows that it is created from. */
export type EventExpressions<Type extends OutboundEventType> = {
  /** The part after `from`: one event for each row, in row order. */
  rows: Fragment
  /**
   * Id of the event, if another row of the statement references it. It must be new for each row and follow the row
   * order.
   */
  id?: Fragment
  workspaceId: Fragment
  /** `traceparent` of what the event reports. Defaults to null: no trace. */
  traceparent?: Fragment
  /** One expression for each field of the event's data. */
  data: Record<DataField<Type>, Fragment>
} & CustomerExpression<Type>

/** Customer of the event, required if its type has personal fields. An erasure finds the event by this value. */
type CustomerExpression<Type extends OutboundEventType> = [PersonalField<Type>] extends [never]
  ? { customerId?: undefined }
  : { customerId: Fragment }

/**
 * Selects events to be written, with their future ids (workspace_id, id, type, data, data_subject_id, traceparent, created_at). The inner
 * select names no columns: PostgreSQL would resolve the order of `rows` against those names first.
 */
export const draftEvents = <Type extends OutboundEventType>(
  sql: Sql,
  type: Type,
  { rows, id, workspaceId, data, customerId, traceparent }: EventExpressions<Type>,
) => sql`
  select workspace_id, id, ${type}::text as type, data, data_subject_id::uuid, traceparent, clock_timestamp() as created_at
  from (
    select ${workspaceId}, ${id ? sql`${id}` : sql`uuidv7()`}, jsonb_build_object(${dataFields(sql, type, data)}),
      ${customerId ? sql`case when num_nonnulls(${personalValues(sql, type, data)}) > 0 then ${customerId} end` : sql`null`}, ${traceparent ?? sql`null::text`}
    from ${rows}
  ) as event(workspace_id, id, data, data_subject_id, traceparent)`

/**
 * Inserts events as part of the statement that makes the change they report, so that both are committed together. In
 * addition to the draft, `events` has the fan-out decision (fanned_out_at, sent_to, not_sent_to). If these are null,
 * the event is in the outbox. A `returning` clause may follow.
 */
export const insertEvents = (sql: Sql, events: Fragment) => sql`
  insert into outbound_events (workspace_id, id, type, data, data_subject_id, traceparent, created_at, fanned_out_at, sent_to, not_sent_to)
  select workspace_id, id, type, data, data_subject_id, traceparent, created_at, fanned_out_at, sent_to, not_sent_to from ${events}`

/** Selects drafts without a fan-out decision, so that their events enter the outbox. */
export const selectUndecided = (sql: Sql, drafts: Fragment) => sql`
  select *, null::timestamptz as fanned_out_at, null::jsonb as sent_to, null::jsonb as not_sent_to from ${drafts}`

/**
 * Inserts the results of `draftEvents` into the outbox, as part of the statement that makes the change they report.
 * Layers below `emit` use it for rare events, and so do statements that emit other events too.
 */
export const insertIntoOutbox = (sql: Sql, drafts: Fragment) =>
  insertEvents(sql, sql`(${selectUndecided(sql, sql`(${drafts}) as draft`)}) as undecided`)

/** Formats times in the form of the API, which differs from PostgreSQL's. */
const dataFields = <Type extends OutboundEventType>(sql: Sql, type: Type, data: Record<DataField<Type>, Fragment>) =>
  Object.entries<TSchema>(outboundEvents[type].data.properties).map(([name, shape], position) => {
    const expression = data[name as DataField<Type>]
    const value = isTime(shape)
      ? sql`to_char((${expression})::timestamptz at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
      : expression
    return sql`${position === 0 ? sql`` : sql`,`} ${name}::text, ${value}`
  })

const isTime = ({ format, anyOf = [] }: TSchema): boolean => format === Time.format || anyOf.some(isTime)

/**
 * If all personal fields of an event are null or empty, `data_subject_id` is null. This applies to most message statuses and
 * saves an index entry.
 */
const personalValues = <Type extends OutboundEventType>(
  sql: Sql,
  type: Type,
  data: Record<DataField<Type>, Fragment>,
) =>
  Object.entries(erasedFieldsOf(type)).map(([name, erased], position) => {
    const expression = data[name as DataField<Type>]
    return sql`${position === 0 ? sql`` : sql`,`} ${erased === '' ? sql`nullif((${expression})::text, '')` : expression}`
  })
