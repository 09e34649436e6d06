/** Tests of the filters of GET /v1/customers, compared with a filter by hand. */
import { beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
let channelId: string
interface Row {
  id: string
  name: string
  createdAt: number
  optedIn: boolean
  optedOut: boolean
  onChannel: boolean
}
let rows: Row[]

const start = Date.parse('2026-03-01T00:00:00Z')
const hourMs = 3_600_000
beforeAll(async () => {
  channelId = await world.sandbox()
  const { sql } = world.database
  rows = (await sql`
    insert into customers (workspace_id, id, external_id, name, opted_in_at, opted_out_at, created_at)
    select ${world.workspaceId}, uuidv7(${new Date(start)}::timestamptz + n * interval '1 hour' - now()), 'c-' || n,
      case when n % 5 = 0 then 'Ana' else 'Ben' end || ' ' || n, case when n % 2 = 0 then now() end,
      case when n % 7 = 0 then now() end, ${new Date(start)}::timestamptz + n * interval '1 hour'
    from generate_series(0, 299) n
    returning id, name, created_at as "createdAt", opted_in_at is not null as "optedIn",
      opted_out_at is not null as "optedOut"`) as Row[]
  rows.reverse()
  for (const row of rows) {
    row.createdAt = Number(row.createdAt)
    row.onChannel = Number(row.name.slice(4)) % 3 === 0
  }
  const reached = rows.filter(({ onChannel }) => onChannel)
  await sql`insert into conversations (workspace_id, channel_id, customer_id)
    select ${world.workspaceId}, ${channelId}, unnest(${reached.map(({ id }) => id)}::uuid[])`
  await sql`insert into conversations (workspace_id, channel_id, customer_id)
    select ${world.workspaceId}, ${randomUUID()}, unnest(${rows.map(({ id }) => id)}::uuid[])`
})

const consents: Record<string, (row: Row) => boolean> = {
  opted_in: ({ optedIn, optedOut }) => optedIn && !optedOut,
  opted_out: ({ optedOut }) => optedOut,
  none: ({ optedIn, optedOut }) => !optedIn && !optedOut,
}
const at = (hours: number) => new Date(start + hours * hourMs).toISOString()

test('every combination lists the customers that match all filters, newest first, in pages', async () => {
  for (const consent of [undefined, 'opted_in', 'opted_out', 'none'])
    for (const isOnChannel of [false, true])
      for (const q of [undefined, 'ana'])
        for (const [since, until] of [[], [at(50)], [at(50), at(200)]] as [string?, string?][]) {
          const filters = { consent, channelId: isOnChannel ? channelId : undefined, q, since, until }
          const query = new URLSearchParams(JSON.parse(JSON.stringify(filters)))
          const wanted = rows.filter(
            row =>
              (consent === undefined || consents[consent]!(row)) &&
              (!isOnChannel || row.onChannel) &&
              (q === undefined || row.name.startsWith('Ana')) &&
              (since === undefined || row.createdAt >= Date.parse(since)) &&
              (until === undefined || row.createdAt <= Date.parse(until)),
          )
          const pages = await world.pages(`/v1/customers?limit=40&${query}`)
          expect(
            pages.flat().map(({ id }) => id),
            String(query),
          ).toEqual(wanted.map(({ id }) => id))
        }
})

test('the filters apply to a customer that is found by the external id', async () => {
  const found = async (query: string) => (await world.expect(200, 'GET', `/v1/customers?${query}`)).data.length
  expect(await found('externalId=c-7&consent=opted_out')).toBe(1)
  expect(await found('externalId=c-7&consent=none')).toBe(0)
  expect(await found(`externalId=c-7&channelId=${channelId}`)).toBe(0)
  expect(await found(`externalId=c-9&channelId=${channelId}`)).toBe(1)
})

test('customers are read by their ids, at most 100', async () => {
  const { data } = await world.expect(200, 'GET', '/v1/customers?limit=100')
  const ids = data.slice(3, 8).map(({ id }: { id: string }) => id)
  const found = await world.expect(200, 'GET', `/v1/customers?ids=${[...ids, randomUUID()].reverse().join(',')}`)
  expect(found).toEqual({ data: data.slice(3, 8), nextCursor: null })
  expect((await world.pages(`/v1/customers?limit=2&ids=${ids.join(',')}`)).flat()).toEqual(data.slice(3, 8))
  for (const wrong of ['', 'x', `${ids[0]},`, Array(101).fill(ids[0]).join(',')])
    expect(await world.answer('GET', `/v1/customers?ids=${wrong}`)).toBe('400 invalid_request ids')
})

test('the filters find customers behind 20,000 others', async () => {
  const { sql } = world.database
  await sql`insert into customers (workspace_id, external_id, opted_in_at)
    select ${world.workspaceId}, 'new-' || n, now() from generate_series(1, 20_001) n`
  for (const query of ['consent=opted_out', 'consent=none', `channelId=${channelId}`, `until=${at(400)}`]) {
    const { data } = await world.expect(200, 'GET', `/v1/customers?limit=20&${query}`)
    expect(data, query).toHaveLength(20)
  }
  expect(await world.answer('GET', '/v1/customers?consent=maybe')).toBe('400 invalid_request consent')
  await sql`delete from customers where external_id like 'new-%'`
})
