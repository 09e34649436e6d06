/** Writing outbound events: whatever happens in a workspace becomes one by the fragments that are written here. */
import type { TSchema } from '@sinclair/typebox'
import type { Fragment, Sql } from '../../db/client.ts'
import { Time } from '../schema.ts'
import { type DataField, erasedFieldsOf, type OutboundEventType, outboundEvents, type PersonalField } from './schema.ts'

/** What an event is made of, as expressions over the rows it is told from. */
export type Telling<Type extends OutboundEventType> = {
  /** What follows `from`: an event is told for each row, in their order. */
  rows: Fragment
  /** The event's id, where another row of the statement is to name it: a new one for each row, in their order. */
  id?: Fragment
  workspaceId: Fragment
  /** One expression for each field of the event's data. */
  data: Record<DataField<Type>, Fragment>
} & Whom<Type>

/** Whom the event tells of, if its data can tell of a person: an erasure finds it by that. */
type Whom<Type extends OutboundEventType> = [PersonalField<Type>] extends [never]
  ? { customerId?: undefined }
  : { customerId: Fragment }

/**
 * Events as they are to be written, with the ids they will have (workspace_id, id, type, data, tells_of, created_at). The
 * inner select names nothing: what `rows` is ordered by would be looked for among its names first.
 */
export const drafting = <Type extends OutboundEventType>(
  sql: Sql,
  type: Type,
  { rows, id, workspaceId, data, customerId }: Telling<Type>,
) => sql`
  select workspace_id, id, ${type}::text as type, data, tells_of::uuid, clock_timestamp() as created_at
  from (
    select ${workspaceId}, ${id ? sql`${id}` : sql`uuidv7()`}, jsonb_build_object(${fieldsOf(sql, type, data)}),
      ${customerId ? sql`case when num_nonnulls(${personalOf(sql, type, data)}) > 0 then ${customerId} end` : sql`null`}
    from ${rows}
  ) as event(workspace_id, id, data, tells_of)`

/**
 * Writes events that were drafted, as a part of the statement that makes what they tell of: an event exists if, and only
 * if, that was committed. `events` has beside the draft when it was fanned out and what was decided (fanned_out_at,
 * sent_to, passed_over); where they are null, it stands in the outbox. `returning` may follow.
 */
export const writingEvents = (sql: Sql, events: Fragment) => sql`
  insert into outbound_events (workspace_id, id, type, data, tells_of, created_at, fanned_out_at, sent_to, passed_over)
  select workspace_id, id, type, data, tells_of, created_at, fanned_out_at, sent_to, passed_over from ${events}`

/** Times in the interface's form, which is not PostgreSQL's. */
const fieldsOf = <Type extends OutboundEventType>(sql: Sql, type: Type, data: Record<DataField<Type>, Fragment>) =>
  Object.entries<TSchema>(outboundEvents[type].data.properties).map(([name, shape], position) => {
    const given = data[name as DataField<Type>]
    const value =
      shape.format === Time.format
        ? sql`to_char((${given})::timestamptz at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : given
    return sql`${position === 0 ? sql`` : sql`,`} ${name}::text, ${value}`
  })

/** An event whose personal fields are all null or empty tells of nobody, as most statuses of messages: an entry less to index. */
const personalOf = <Type extends OutboundEventType>(sql: Sql, type: Type, data: Record<DataField<Type>, Fragment>) =>
  Object.entries(erasedFieldsOf(type)).map(([name, erased], position) => {
    const given = data[name as DataField<Type>]
    return sql`${position === 0 ? sql`` : sql`,`} ${erased === '' ? sql`nullif((${given})::text, '')` : given}`
  })
