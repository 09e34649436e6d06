import { beforeAll, expect, test } from 'bun:test'
import {
  type DataField,
  type OutboundEventType,
  outboundEvents,
  outboundEventTypes,
} from '../../../src/webhooks/outbound-events/index.ts'
import { newWorkspace, useDatabase } from '../../support/database.ts'
import { tell } from '../../support/outbox.ts'

const database = useDatabase()
const workspaceId = crypto.randomUUID()
beforeAll(() => newWorkspace(database.sql, workspaceId))

const dataOf = async (ids: string[]) =>
  (await database.sql`select data from outbound_events where id = any(${ids}) order by id`).map(({ data }) => data)

test.each(outboundEventTypes)('%s is emitted with the fields that it declares', async type => {
  const ids = await tell(database.sql, workspaceId, type, { count: 2 })
  const { example } = outboundEvents[type]
  expect(await dataOf(ids)).toEqual([example, example])
  expect(Object.keys(example).sort()).toEqual(Object.keys(outboundEvents[type].data.properties).sort())
})

test('the customer of an event is stored if the event contains personal data', async () => {
  const personal = ['message.received', 'sale.created', 'customer.opted_out']
  const customerId = crypto.randomUUID()
  const toldOf = async <Type extends OutboundEventType>(
    type: Type,
    data: Partial<Record<DataField<Type>, unknown>> = {},
  ) => {
    const [id] = await tell(database.sql, workspaceId, type, { customerId, data })
    return (await database.sql`select data_subject_id from outbound_events where id = ${id!}`)[0]!.data_subject_id
  }
  for (const type of outboundEventTypes.filter(type => type !== 'message.status'))
    expect(await toldOf(type), type).toBe(personal.includes(type) ? customerId : null)
  expect(await toldOf('message.status', { detail: null, providerMessageId: '' })).toBeNull()
  expect(await toldOf('message.status', { detail: null, providerMessageId: 'wamid.A' })).toBe(customerId)
  expect(await toldOf('message.status', { detail: 'no such number' })).toBe(customerId)
})

test('a time has the format of the API, and an amount keeps every digit', async () => {
  const { sql } = database
  const sent = async (ids: string[], field: string) =>
    (await sql`select data ->> ${field} as value from outbound_events where id = any(${ids})`)[0]!.value
  const sentAt = sql`timestamptz '2026-03-01 10:30:00.123456+01'`
  const received = await tell(sql, workspaceId, 'message.received', { data: { sentAt } })
  expect(await sent(received, 'sentAt')).toBe('2026-03-01T09:30:00.123Z')
  const amount = sql`numeric '90071992547409.923'`
  const sale = await tell(sql, workspaceId, 'sale.created', { data: { amount } })
  expect(await sent(sale, 'amount')).toBe('90071992547409.923')
})
