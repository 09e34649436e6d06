/** Telling: whatever happens in a workspace becomes an outbound event by the one fragment that is written here. */
import type { TSchema } from '@sinclair/typebox'
import type { Fragment, Sql } from '../../db/client.ts'
import { Time } from '../schema.ts'
import { type DataField, erasedFieldsOf, type OutboundEventType, outboundEvents, type PersonalField } from './schema.ts'

/** What an event is made of, as expressions over the rows it is told from. */
export type Telling<Type extends OutboundEventType> = {
  /** What follows `from`: an event is told for each row, in their order. */
  rows: Fragment
  workspaceId: Fragment
  /** One expression for each field of the event's data. */
  data: Record<DataField<Type>, Fragment>
  /** The endpoint and its delivery, `{endpoint: delivery}`: the event goes past the outbox, to this one alone. */
  sentTo?: Fragment
} & Whom<Type>

/** Whom the event tells of, if its data can tell of a person: an erasure finds it by that. */
type Whom<Type extends OutboundEventType> = [PersonalField<Type>] extends [never]
  ? { customerId?: undefined }
  : { customerId: Fragment }

/**
 * Writes events into the outbox, as a part of the statement that makes what they tell of: an event exists if, and only
 * if, that was committed. `returning` may follow.
 */
export const telling = <Type extends OutboundEventType>(
  sql: Sql,
  type: Type,
  { rows, workspaceId, data, customerId, sentTo }: Telling<Type>,
) => sql`
  insert into outbound_events (workspace_id, type, data, tells_of, fanned_out_at, sent_to)
  select ${workspaceId}, ${type}, jsonb_build_object(${fieldsOf(sql, type, data)}),
    ${customerId ? sql`case when num_nonnulls(${personalOf(sql, type, data)}) > 0 then ${customerId} end` : sql`null`},
    ${sentTo ? sql`clock_timestamp(), ${sentTo}` : sql`null, null`}
  from ${rows}`

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

/** An event whose personal fields are all null tells of nobody, as most statuses of messages: an entry less to index. */
const personalOf = <Type extends OutboundEventType>(sql: Sql, type: Type, data: Record<DataField<Type>, Fragment>) =>
  Object.keys(erasedFieldsOf(type)).map(
    (name, position) => sql`${position === 0 ? sql`` : sql`,`} ${data[name as DataField<Type>]}`,
  )
