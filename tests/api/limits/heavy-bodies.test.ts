/** Large bodies of one workspace, sent over 20 connections, do not delay the events of another workspace. */
import { expect, test } from 'bun:test'
import { longestStretch, maxStretchMs } from '../../support/stretch.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld()

/** Joins as many pieces as fit 900 KB. */
const filled = (piece: (n: number) => string, size = 900_000): string => {
  const pieces: string[] = []
  for (let left = size; left > 0; left -= pieces.at(-1)!.length + 1) pieces.push(piece(pieces.length))
  return pieces.slice(0, -1).join(',')
}
const names = (size?: number) => `{${filled(n => `"k${n.toString(36)}":1`, size)}}`
const customer = '"phone":"+4915112345678"'
const event = (data: string) => `{"type":"a",${customer},"data":${data}}`
const numbers = `[${filled(n => String(9007199254740993n + BigInt(n)))}]`

/** The bodies by their path and what they have. */
const bodies: Record<string, string> = {
  '/v1/events too many names': event(names()),
  '/v1/events many names within a field': event(`{"a":${names()}}`),
  '/v1/events an unknown field': `{"x":${names()},"type":"a",${customer}}`,
  '/v1/events long numbers': event(`{"a":${numbers}}`),
  '/v1/events many escapes': event(`{"a":[${filled(() => '"\\u0041"')}]}`),
  '/v1/events a repeated name': event(`{"k0":1,${names(500_000).slice(1)}`),
  '/v1/events brackets': `{"a":${'['.repeat(900_000)}`,
  '/v1/customers too many names': `{${customer},"attributes":${names()}}`,
  '/v1/events/batch five large events': `{"events":[${Array(5).fill(event(names(180_000)))}]}`,
  '/v1/workflows a large step': `{"name":"x","definition":{"trigger":{"eventType":"a"},"start":"s",
    "steps":{"s":${names(500_000)}}}}`,
}

/**
 * Sends each body over two connections from another process, so that the measurement excludes it. Writes the number of
 * answers by status for each body.
 */
const sender = `
  const { URL: url, TOKEN } = process.env
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ' + TOKEN }
  const statuses = {}
  const until = performance.now() + 4000
  const send = async ([name, body]) => {
    const counts = (statuses[name] ??= {})
    while (performance.now() < until) {
      const answer = await fetch(url + name.split(' ')[0], { method: 'POST', body, headers })
      await answer.arrayBuffer()
      counts[answer.status] = (counts[answer.status] ?? 0) + 1
      if (answer.status === 503) await Bun.sleep(50)
    }
  }
  const bodies = Object.entries(await Bun.stdin.json())
  await Promise.all([...bodies, ...bodies].map(send))
  console.log(JSON.stringify(statuses))`

/** Sends an event every few milliseconds. Writes the median of the waits. */
const neighbouring = `
  const { URL: url, KEY } = process.env
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': KEY }
  const body = JSON.stringify({ type: 'b', phone: '+4915112345679' })
  const waits = []
  await Bun.sleep(500)
  for (const until = performance.now() + 3000; performance.now() < until; await Bun.sleep(5)) {
    const sentAt = performance.now()
    const answer = await fetch(url + '/v1/events', { method: 'POST', body, headers })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(String(answer.status))
    waits.push(performance.now() - sentAt)
  }
  console.log(waits.toSorted((a, b) => a - b)[waits.length >> 1])`

const run = async (program: string, env: Record<string, string>, input = ''): Promise<unknown> => {
  const running = Bun.spawn([process.execPath, '-e', program], {
    env: { URL: world.url, ...env },
    stdin: Buffer.from(input),
    stdout: 'pipe',
  })
  return JSON.parse(await new Response(running.stdout).text())
}

test('every large body is answered, and neither blocks the event loop nor delays another workspace', async () => {
  const as = await world.otherOwner()
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as, body: { name: 'x' } })
  const { ms, result } = await longestStretch(() =>
    Promise.all([run(sender, { TOKEN: world.owner.token }, JSON.stringify(bodies)), run(neighbouring, { KEY: key })]),
  )
  const [statuses, median] = result as [Record<string, Record<string, number>>, number]
  if (process.env.STRETCHES) console.log({ ms, median, statuses })
  expect(Object.keys(statuses)).toHaveLength(Object.keys(bodies).length)
  for (const [name, counts] of Object.entries(statuses)) {
    expect(['200', '201', '400', '503'], name).toContainValues(Object.keys(counts))
    expect(Object.keys(counts), name).not.toEqual(['503'])
  }
  expect(ms).toBeLessThan(maxStretchMs)
  expect(median).toBeLessThan(100)
}, 30_000)
