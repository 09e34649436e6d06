/** Tests that replays, trials and checks of one workspace leave CPU time for other workspaces. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Reply, startWorld, type World } from '../../support/world.ts'

let world: World
let other: Record<string, string>
beforeAll(async () => {
  world = await startWorld()
  other = await world.otherOwner()
})
afterAll(() => world.stop())

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

/** Returns the longest call of another workspace within three seconds, in milliseconds. */
const longestWaitOfAnother = async (): Promise<number> => {
  const waits: number[] = []
  for (const until = performance.now() + 3000; performance.now() < until; ) {
    const begun = performance.now()
    await world.expect(200, 'GET', '/v1/workspace', { as: other })
    waits.push(performance.now() - begun)
  }
  return Math.max(...waits)
}

const expectServedOrOverloaded = async (calls: Promise<Reply>[]): Promise<void> => {
  const replies = await Promise.all(calls)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  for (const { status, headers, body } of replies.filter(({ status }) => status !== 200)) {
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect(body.error).toMatchObject({ details: { reason: 'overloaded' } })
  }
}

test('many replays, trials and checks of one workspace do not slow down another', async () => {
  const event = { type: 'cart.replayed', phone: '+4915112345678', data: { total: 25 } }
  await world.expect(200, 'POST', '/v1/events/batch', { as: 'key', body: { events: Array(20).fill(event) } })
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'Heavy', definition: heavy } })
  const call = (path: string, body: unknown) => world.call('POST', `/v1/workflows${path}`, { body })
  const calls = Array.from({ length: 20 }, () => [
    call(`/${id}/replay`, { days: 1 }),
    call(`/${id}/replay`, { days: 2 }),
    call(`/${id}/try`, { event }),
    call('/check', { definition: heavy }),
  ]).flat()
  expect(await longestWaitOfAnother()).toBeLessThan(700)
  await expectServedOrOverloaded(calls)
}, 60_000)

test('many signature checks of one workspace do not slow down another', async () => {
  const secret = `whsec_${'a'.repeat(44)}`
  const headers = { 'X-Service-Signature': `t=1772357402,v1=${'0'.repeat(64)}` }
  const body = { secret, headers, body: JSON.stringify(Array(8000).fill(1.5)) }
  const calls = Array.from({ length: 200 }, () => world.call('POST', '/v1/webhooks/verify', { body }))
  expect(await longestWaitOfAnother()).toBeLessThan(3000)
  await expectServedOrOverloaded(calls)
}, 60_000)

describe('a definition that is slow to validate', () => {
  const deep = (levels: number): unknown => (levels === 0 ? one : { not: deep(levels - 1) })
  const definition = (conditions: number) => ({
    ...heavy,
    steps: Object.fromEntries(
      Array.from({ length: conditions / 50 }, (_, n) => [
        `s${n}`,
        { type: 'condition', if: deep(49), then: null, else: null },
      ]),
    ),
  })
  const tooMany = { definition: 'Has more than 5000 conditions, including nested ones. Simplify it.' }

  test.each([
    ['checked', 'POST', '/v1/workflows/check', {}],
    ['created', 'POST', '/v1/workflows', { name: 'Deep' }],
  ])('is rejected before its schema is checked when it is %s', async (_, method, path, more) => {
    const { status, body } = await world.call(method, path, { body: { ...more, definition: definition(5050) } })
    expect([status, body.error.details]).toEqual([400, tooMany])
  })

  test('is checked at the maximum number of conditions', async () => {
    const { valid, details } = await world.expect(200, 'POST', '/v1/workflows/check', {
      body: { definition: definition(5000) },
    })
    expect([valid, Object.keys(details)]).toEqual([false, expect.arrayContaining(['definition.steps.s0.if'])])
  })

  test('has at most 256 KiB in a check', async () => {
    const large = { ...heavy, note: 'x'.repeat(256 * 1024) }
    const { status, body } = await world.call('POST', '/v1/workflows/check', { body: { definition: large } })
    expect([status, body.error.details]).toEqual([400, { body: 'Is larger than 256 KiB.' }])
  })
})
