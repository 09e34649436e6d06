/** Emits outbound events as the domain does, for tests that do not need the object itself. */
import type { Fragment, Sql } from '../../src/platform/postgres/client.ts'
import { emitEvents } from '../../src/webhooks/emit/index.ts'
import {
  type DataField,
  type EventExpressions,
  erasedFieldsOf,
  type OutboundEventType,
  outboundEvents,
} from '../../src/webhooks/outbound-events/index.ts'

interface Told<Type extends OutboundEventType> {
  count?: number
  /** Values or SQL expressions of fields that replace those of the published example. */
  data?: Partial<Record<DataField<Type>, unknown>>
  /** Customer of the event. Defaults to an unknown customer. */
  customerId?: string
}

/** Writes `count` events into the outbox and returns their ids. */
export const tell = async <Type extends OutboundEventType>(
  sql: Sql,
  workspaceId: string,
  type: Type,
  { count = 1, data = {}, customerId = crypto.randomUUID() }: Told<Type> = {},
): Promise<string[]> => {
  const fields = Object.entries({ ...outboundEvents[type].example, ...data })
  const told = {
    rows: sql`generate_series(1, ${count}::integer)`,
    workspaceId: sql`${workspaceId}::uuid`,
    ...(Object.keys(erasedFieldsOf(type)).length > 0 && { customerId: sql`${customerId}::uuid` }),
    data: Object.fromEntries(fields.map(([name, value]) => [name, expressionOf(sql, value)])),
  }
  const rows = await sql<{ id: string }[]>`
    with ${emitEvents(sql, type, told as unknown as EventExpressions<Type>)} select id from emitted order by id`
  return rows.map(({ id }) => id)
}

const expressionOf = (sql: Sql, value: unknown): Fragment => {
  if (value instanceof Promise) return value as unknown as Fragment
  if (value === null) return sql`null`
  return typeof value === 'string' ? sql`${value}::text` : sql`${JSON.stringify(value)}::text::jsonb`
}
