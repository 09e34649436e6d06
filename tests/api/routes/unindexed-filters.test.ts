/** Tests of lists with filters that have no index, where matches are behind 20,000 other rows. */
import { beforeAll, expect, test } from 'bun:test'
import { useWorld } from '../../support/world.ts'

const world = useWorld()
const customerId = Bun.randomUUIDv7()
beforeAll(async () => {
  const { workspaceId } = world
  const { sql } = world.database
  await sql`insert into customers (workspace_id, id, phone) values (${workspaceId}, ${customerId}, '+4915112345678')`
  const events = (count: number, type: string, reason: string | null, sender = 'custom') => sql`
    insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows, reason)
    select ${workspaceId}, uuidv7(), ${type}, 'api', ${sender}, ${customerId}, '{}', 1, ${reason} from generate_series(1, ${count}::integer)`
  const outbound = (count: number, type: string, data: object) => sql`
    insert into outbound_events (workspace_id, type, data, fanned_out_at)
    select ${workspaceId}, ${type}, ${JSON.stringify(data)}::text::jsonb, now() from generate_series(1, ${count}::integer)`
  const status = { messageId: customerId, status: 'sent' }
  await events(1, 'started', null, 'wix')
  for (const [count, type, reason] of [
    [3, 'rare', 'no_listener'],
    [20_000, 'common', 'switched_off'],
    [1, 'rare', 'no_listener'],
    [2, 'rare', 'switched_off'],
  ] as const)
    await events(count, type, reason)
  await events(1, 'started', null, 'wix')
  await outbound(3, 'message.status', status)
  await outbound(20_000, 'ping', { webhookId: customerId })
  await outbound(1, 'message.status', status)
  await sql`analyze events, outbound_events`
})
/** Returns the size of each page to the end. Fails on a repeated or unordered id. */
const pagesOf = async (path: string): Promise<number[]> => {
  const pages = await world.pages(`${path}&limit=4`)
  const ids = pages.flat().map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].sort().reverse())
  return pages.map(({ length }) => length)
}

test.each([
  ["a customer's events of one type", () => `/v1/events?type=rare&customerId=${customerId}`, [3, 3]],
  ['events without a listening workflow', () => '/v1/activity/events?reason=no_listener', [1, 3]],
  ['events of a type that started no workflow', () => '/v1/activity/events?reason=switched_off&type=rare', [2, 0]],
  ['events that started a run', () => '/v1/activity/events?started=true', [1, 1]],
  ['events of one sender', () => '/v1/activity/events?sender=wix', [1, 1]],
  ["a customer's events of one sender", () => `/v1/activity/events?sender=wix&customerId=${customerId}`, [1, 1]],
  ['statuses among other outbound events', () => '/v1/outbound-events?type=message.status', [1, 3]],
])('%s are read in steps: a page can be short or empty, and its cursor continues', async (_, path, found) => {
  expect(await pagesOf(path())).toEqual(found)
})

test('an index finds matches without short or empty pages, also behind all other rows', async () => {
  expect(await pagesOf('/v1/events?type=rare')).toEqual([4, 2])
  expect(await pagesOf('/v1/activity/events?type=rare')).toEqual([4, 2])
})
