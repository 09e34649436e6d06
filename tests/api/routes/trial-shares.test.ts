/** Tests that replays of several workspaces leave time for the requests of another. */
import { expect, test } from 'bun:test'
import { maxStretchMs, spentMs } from '../../support/stretch.ts'
import { useWorld } from '../../support/world.ts'

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

/** Creates a workspace with the heavy workflow and events to replay. Returns a function that starts a replay. */
const hostile = async () => {
  const as = await world.otherOwner()
  const event = { type: 'cart.replayed', phone: '+4915112345678', data: { total: 25 } }
  await world.expect(200, 'POST', '/v1/events/batch', { as, body: { events: Array(400).fill(event) } })
  const { id } = await world.expect(201, 'POST', '/v1/workflows', { as, body: { name: 'Heavy', definition: heavy } })
  return (signal: AbortSignal) =>
    fetch(`${world.url}/v1/workflows/${id}/replay`, {
      method: 'POST',
      headers: { ...as, 'Content-Type': 'application/json' },
      body: JSON.stringify({ days: 1 }),
      signal,
    })
}

test('three workspaces that each run four replays delay another for less than 100 ms', async () => {
  const replays = [await hostile(), await hostile(), await hostile()]
  const as = await world.otherOwner()
  const ended = new AbortController()
  const calls = replays.flatMap(replay => Array.from({ length: 4 }, () => replay(ended.signal).catch(() => null)))
  let answered = 0
  for (const call of calls) void call.then(() => answered++)
  // Processor time of this thread during each request, which excludes other processes.
  const waits: number[] = []
  for (const until = performance.now() + 3000; performance.now() < until; ) {
    const before = spentMs()
    await world.expect(200, 'GET', '/v1/workspace', { as })
    waits.push(spentMs() - before)
  }
  // An earlier answer would have ended a part of the load.
  expect(answered).toBe(0)
  ended.abort()
  await Promise.all(calls)
  waits.sort((a, b) => a - b)
  const [median, longest] = [waits[waits.length >> 1]!, waits.at(-1)!]
  if (process.env.STRETCHES) console.log(waits.length, median.toFixed(1), longest.toFixed(1))
  expect(median).toBeLessThan(maxStretchMs / 4)
  expect(longest).toBeLessThan(maxStretchMs)
}, 60_000)
