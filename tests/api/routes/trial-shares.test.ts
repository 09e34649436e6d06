/** Tests that replays, trials and checks of some workspaces leave time for the requests of another. */
import { describe, expect, test } from 'bun:test'
import { maxStretchMs, spentMs } from '../../support/stretch.ts'
import { type Reply, useWorld } from '../../support/world.ts'

const world = useWorld()

const one = { path: 'data.total', op: 'lt', value: 0 }
/** A workflow whose run takes 1,000 steps, each of which compares 200 values. */
const heavy = {
  trigger: { eventType: 'cart.replayed' },
  start: 'a',
  steps: {
    a: { type: 'condition', if: { any: Array(4).fill({ any: Array(50).fill(one) }) }, then: 'b', else: 'b' },
    b: { type: 'delay', for: '1s', next: 'a' },
  },
}
const event = { type: 'cart.replayed', phone: '+4915112345678', data: { total: 25 } }

/** Creates a workspace with the heavy workflow and events to replay. */
const hostile = async (events: number) => {
  const as = await world.otherOwner()
  await world.expect(200, 'POST', '/v1/events/batch', { as, body: { events: Array(events).fill(event) } })
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { as, body: { name: 'Heavy', definition: heavy } })
  return { as, path: `/v1/workflows/${id}` }
}

/** Calls for another workspace during some time. Returns the durations in milliseconds, sorted. */
const waitsOfAnother = async (ms: number, clock: () => number): Promise<number[]> => {
  const as = await world.otherOwner()
  const waits: number[] = []
  for (const until = performance.now() + ms; performance.now() < until; ) {
    const before = clock()
    await world.expect(200, 'GET', '/v1/workspace', { as })
    waits.push(clock() - before)
  }
  return waits.sort((a, b) => a - b)
}

test('three workspaces that each run four replays delay another for less than 100 ms', async () => {
  const workspaces = [await hostile(400), await hostile(400), await hostile(400)]
  const ended = new AbortController()
  let answered = 0
  const calls = workspaces.flatMap(({ as, path }) =>
    Array.from({ length: 4 }, async () => {
      const headers = { ...as, 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ days: 1 }), signal: ended.signal }
      await fetch(`${world.url}${path}/replay`, init).catch(() => null)
      answered++
    }),
  )
  // Processor time of this thread during each request excludes other processes.
  const waits = await waitsOfAnother(3000, spentMs)
  // An earlier answer would have ended a part of the load.
  expect(answered).toBe(0)
  ended.abort()
  await Promise.all(calls)
  if (process.env.STRETCHES) console.log(waits.length, waits[waits.length >> 1], waits.at(-1))
  expect(waits[waits.length >> 1]).toBeLessThan(maxStretchMs / 4)
  expect(waits.at(-1)).toBeLessThan(maxStretchMs)
}, 60_000)

const expectServedOrOverloaded = async (calls: Promise<Reply>[]): Promise<void> => {
  const replies = await Promise.all(calls)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  for (const { status, headers, body } of replies.filter(({ status }) => status !== 200)) {
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(body.error).toMatchObject({ details: { reason: 'overloaded' } })
  }
}

test('many replays, trials and checks of one workspace do not slow down another, and end or are rejected', async () => {
  const { as, path } = await hostile(20)
  const call = (path: string, body: unknown) => world.call('POST', path, { as, body })
  const calls = Array.from({ length: 10 }, () => [
    call(`${path}/replay`, { days: 1 }),
    call(`${path}/replay`, { days: 2 }),
    call(`${path}/try`, { event }),
    call('/v1/workflows/check', { definition: heavy }),
  ]).flat()
  expect((await waitsOfAnother(2000, () => performance.now())).at(-1)).toBeLessThan(700)
  await expectServedOrOverloaded(calls)
}, 60_000)

test('many signature checks of one workspace do not slow down another, and end or are rejected', async () => {
  const secret = `whsec_${'a'.repeat(44)}`
  const headers = { 'X-Service-Signature': `t=1772357402,v1=${'0'.repeat(64)}` }
  const body = { secret, headers, body: JSON.stringify(Array(8000).fill(1.5)) }
  const calls = Array.from({ length: 200 }, () => world.call('POST', '/v1/webhooks/verify', { body }))
  expect((await waitsOfAnother(2000, () => performance.now())).at(-1)).toBeLessThan(3000)
  await expectServedOrOverloaded(calls)
}, 60_000)

describe('a definition that is slow to validate', () => {
  const deep = (levels: number): unknown => (levels === 0 ? one : { not: deep(levels - 1) })
  const definition = (conditions: number) => {
    const step = { type: 'condition', if: deep(49), then: null, else: null }
    return { ...heavy, steps: Object.fromEntries(Array.from({ length: conditions / 50 }, (_, n) => [`s${n}`, step])) }
  }
  const detailsOf = async (path: string, body: object) =>
    (await world.expect(400, 'POST', path, { body })).error.details

  test('is rejected before its schema is checked, above the number of conditions and the size of a check', async () => {
    const tooMany = { definition: 'Has more than 5000 conditions, including nested ones. Simplify it.' }
    expect(await detailsOf('/v1/workflows/check', { definition: definition(5050) })).toEqual(tooMany)
    expect(await detailsOf('/v1/workflows', { name: 'Deep', definition: definition(5050) })).toEqual(tooMany)
    const large = { ...heavy, note: 'x'.repeat(256 * 1024) }
    expect(await detailsOf('/v1/workflows/check', { definition: large })).toEqual({
      body: 'Must have at most 256 KiB.',
    })
  })

  test('is checked at the maximum number of conditions', async () => {
    const body = { definition: definition(5000) }
    const { valid, details } = await world.expect(200, 'POST', '/v1/workflows/check', { body })
    expect([valid, Object.keys(details)]).toEqual([false, expect.arrayContaining(['definition.steps.s0.if'])])
  })
})
