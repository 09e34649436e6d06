import { expect, test } from 'bun:test'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()

const record = (raw: string) =>
  world.call('POST', '/v1/events/batch', { as: 'key', raw, headers: { 'Content-Type': 'application/json' } })
const eventCount = async () => Number((await world.database.sql`select count(*) from events`)[0]!.count)
const nested = (levels: number) => `${'{"x":'.repeat(levels)}1${'}'.repeat(levels)}`

const good = '{"type":"a","phone":"+4915112345678"}'
const withData = (data: string) => `{"type":"a","phone":"+4915112345678","data":${data}}`

test.each([
  ['U+0000, escaped', withData('{"note":"a\\u0000b"}'), 'events.1.data.note'],
  ['U+0000 in a name', withData('{"a\\u0000b":1}'), 'events.1.data'],
  ['an unpaired surrogate', withData('{"note":"a\\ud800b"}'), 'events.1.data.note'],
])('a batch with %s in one event is rejected with the path of the value', async (_, bad, place) => {
  const before = await eventCount()
  const { status, body } = await record(`{"events":[${good},${bad},${good}]}`)
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.details).toEqual({ body: expect.stringContaining(` at ${place}.`) })
  expect(await eventCount()).toBe(before)
  const rest = await record(`{"events":[${good},${good}]}`)
  expect(rest.body.data.map((one: { status: number }) => one.status)).toEqual([201, 201])
})

test('an event can use 64 levels of the whole body, and one level more rejects the body', async () => {
  // The body, its list and the event are three of the levels.
  const { status, body } = await record(`{"events":[${good},${withData(nested(61))}]}`)
  expect([status, body.data.map((one: { status: number }) => one.status)]).toEqual([200, [201, 201]])
  const before = await eventCount()
  const refused = await record(`{"events":[${good},${withData(nested(62))}]}`)
  expect([refused.status, refused.body.error.details]).toEqual([400, { body: 'Is nested deeper than 64 levels.' }])
  expect(await eventCount()).toBe(before)
})
