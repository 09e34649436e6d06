/** Large bodies of one workspace, sent over 20 connections, do not delay the events of another workspace. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { longestStretch, maxStretchMs } from '../../support/stretch.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
let neighbour = ''
beforeAll(async () => {
  world = await startWorld()
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: await world.otherOwner(), body: { name: 'x' } })
  neighbour = key
})
afterAll(() => world.stop())

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

/** Sent with an API key, unless it needs the owner. */
type Sent = [name: string, method: string, path: string, body: string]
const sent: Sent[] = [
  ['events with too many names', 'POST', '/v1/events', event(names())],
  ['events with many names within a field', 'POST', '/v1/events', event(`{"a":${names()}}`)],
  ['events with an unknown field', 'POST', '/v1/events', `{"x":${names()},"type":"a",${customer}}`],
  ['events with long numbers', 'POST', '/v1/events', event(`{"a":${numbers}}`)],
  ['events with many escapes', 'POST', '/v1/events', event(`{"a":[${filled(() => '"\\u0041"')}]}`)],
  ['events with a repeated name', 'POST', '/v1/events', event(`{"k0":1,${names(500_000).slice(1)}`)],
  ['events with brackets', 'POST', '/v1/events', `{"a":${'['.repeat(900_000)}`],
  ['attributes with too many names', 'PUT', '/v1/customers', `{${customer},"attributes":${names()}}`],
  [
    'batches of five large events',
    'POST',
    '/v1/events/batch',
    `{"events":[${Array(5)
      .fill(event(names(180_000)))
      .join(',')}]}`,
  ],
  [
    'definitions with a large step',
    'POST',
    '/v1/workflows',
    `{"name":"x","definition":{"trigger":{"eventType":"a"},"start":"s","steps":{"s":${names(500_000)}}}}`,
  ],
]

/** Sends from another process, so that the measurement excludes it. Writes the number of answers by status. */
const sender = `
  const { URL: url, METHOD: method, TARGET: path, CREDENTIAL } = process.env
  const body = await Bun.stdin.text()
  const headers = { 'Content-Type': 'application/json', ...JSON.parse(CREDENTIAL) }
  const statuses = {}
  const until = performance.now() + 3000
  await Promise.all(Array.from({ length: 20 }, async () => {
    while (performance.now() < until) {
      const answer = await fetch(url + path, { method, body, headers })
      await answer.arrayBuffer()
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status === 503) await Bun.sleep(50)
    }
  }))
  console.log(JSON.stringify(statuses))`

/** Sends an event every few milliseconds. Writes the median of the waits. */
const neighbouring = `
  const { URL: url, KEY } = process.env
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': KEY }
  const body = JSON.stringify({ type: 'b', phone: '+4915112345679' })
  const waits = []
  await Bun.sleep(500)
  for (const until = performance.now() + 2000; performance.now() < until; await Bun.sleep(5)) {
    const begun = performance.now()
    const answer = await fetch(url + '/v1/events', { method: 'POST', body, headers })
    await answer.arrayBuffer()
    if (answer.status !== 201) throw new Error(String(answer.status))
    waits.push(performance.now() - begun)
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

test.each(sent)(
  '%s',
  async (name, method, path, body) => {
    const credential =
      path === '/v1/workflows' ? { Authorization: `Bearer ${world.owner.token}` } : { 'X-API-Key': world.key.value }
    const { ms, result } = await longestStretch(() =>
      Promise.all([
        run(sender, { METHOD: method, TARGET: path, CREDENTIAL: JSON.stringify(credential) }, body),
        run(neighbouring, { KEY: neighbour }),
      ]),
    )
    const [statuses, median] = result as [Record<string, number>, number]
    if (process.env.STRETCHES) console.log(name, { ms, median, statuses })
    for (const status of Object.keys(statuses)) expect(['200', '201', '400', '503']).toContain(status)
    expect(Object.keys(statuses)).not.toEqual(['503'])
    expect(ms).toBeLessThan(maxStretchMs)
    expect(median).toBeLessThan(100)
  },
  30_000,
)
