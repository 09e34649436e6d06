/** Whoever is answered with much of what was stored keeps nobody else waiting: it is JSON already, and goes out unread. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let customerId = ''
/** Of one event: 700 KB in 60,000 fields. */
const data = {
  fields: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`n${n}`, ''])),
  'a "name"\n': ['ß \u2028 \\ 😀', -0.5, 1e21, 1e-9, true, null, {}, [[]]],
}
const named = (n: number) => ({ type: 'large', phone: '+4915112345678', idempotencyKey: `large-${n}` })
/** Newest first. */
const ids: string[] = []
beforeAll(async () => {
  world = await startWorld()
  for (const n of [2, 1, 0]) {
    const { event } = await world.expect(201, 'POST', '/v1/events', { body: { ...named(n), data } })
    ids.unshift(event.id)
    customerId = event.customerId
  }
})
afterAll(() => world.stop())

type Asked = [method: string, path: string, body?: object]

/** Reads the answer as bytes alone. */
const ask = async ([method, path, body]: Asked): Promise<ArrayBuffer> => {
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${world.owner.token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.arrayBuffer()
}

/** Milliseconds of the processor that this process has had: others may have it in between. */
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const spentOn = (work: () => unknown): number => {
  const before = spent()
  work()
  return spent() - before
}

/** What was spent, at the longest, without anything else having a turn, until it was done. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  for (let before = spent(); !isDone; before = spent()) {
    await new Promise(resolve => setImmediate(resolve))
    longest = Math.max(longest, spent() - before)
  }
  await done
  return longest
}

/** Asked anew where it took longer: memory may have been cleared up, or something compiled. */
const isOnceBelow = async (limit: number, measure: () => Promise<number>, tries = 20): Promise<boolean> => {
  for (let n = 0; n < tries; n++) if ((await measure()) < limit) return true
  return false
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the answer holds
describe.each<[string, () => Asked, (body: any) => any[]]>([
  ['a repeat of an event', () => ['POST', '/v1/events', named(0)], ({ event }) => [event]],
  [
    'repeats in a batch',
    () => ['POST', '/v1/events/batch', { events: [0, 1, 2].map(named) }],
    ({ data }) => data.map(({ event }: { event: object }) => event),
  ],
  ['an event that is read', () => ['GET', `/v1/events/${ids[0]}`], event => [event]],
  ['a page of events', () => ['GET', '/v1/events'], ({ data }) => data],
  ['a page of activity', () => ['GET', '/v1/activity/events'], ({ data }) => data],
  [
    'a timeline',
    () => ['GET', `/v1/customers/${customerId}/timeline`],
    ({ data }) => data.filter(({ kind }: { kind: string }) => kind === 'event'),
  ],
])('%s', (_, asked, eventsOf) => {
  test('holds what was sent, to the letter', async () => {
    const [method, path, body] = asked()
    const events = eventsOf(await world.expect(200, method, path, { body }))
    expect(events.map(({ id }) => id)).toEqual(ids.slice(0, events.length))
    for (const event of events) expect(JSON.stringify(sorted(event.data))).toBe(JSON.stringify(sorted(data)))
  })

  test('is answered in a small part of the time in which it could be parsed and written', async () => {
    const text = new TextDecoder().decode(await ask(asked()))
    const parsedAndWritten = Math.min(...[1, 2, 3, 4, 5].map(() => spentOn(() => JSON.stringify(JSON.parse(text)))))
    expect(await isOnceBelow(parsedAndWritten / 5, () => longestTurn(() => ask(asked())))).toBe(true)
  })
})

/** PostgreSQL keeps the names of an object in an order of its own. */
const sorted = (object: Record<string, unknown>) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
