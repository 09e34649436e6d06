/** Large stored JSON does not block the event loop, because responses send it without parsing it. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { bearer, useWorld } from '../../support/world.ts'

const world = useWorld()
let customerId = ''
/** The data of one event: 700 KB in 60,000 fields. */
const data = {
  fields: Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`n${n}`, ''])),
  'a "name"\n': ['ß \u2028 \\ 😀', -0.5, 1e21, 1e-9, true, null, {}, [[]]],
}
const named = (n: number) => ({ type: 'large', phone: '+4915112345678', idempotencyKey: `large-${n}` })
/** Newest first. */
const ids: string[] = []
beforeAll(async () => {
  for (const n of [2, 1, 0]) {
    const { event } = await world.expect(201, 'POST', '/v1/events', { body: { ...named(n), data } })
    ids.unshift(event.id)
    customerId = event.customerId
  }
})

type Asked = [method: string, path: string, body?: object]

/** Reads the response as bytes, without parsing it. */
const ask = async ([method, path, body]: Asked): Promise<ArrayBuffer> => {
  const response = await fetch(`${world.url}${path}`, {
    method,
    headers: { ...bearer(world.owner.token), 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.arrayBuffer()
}

/** CPU time of this process in milliseconds. Wall time would include other processes. */
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const spentOn = (work: () => unknown): number => {
  const before = spent()
  work()
  return spent() - before
}

/** CPU milliseconds to parse a text and write it again, the minimum of five attempts. */
const parsedAndWritten = (text: string): number =>
  Math.min(...[1, 2, 3, 4, 5].map(() => spentOn(() => JSON.stringify(JSON.parse(text)))))

/** Returns the longest CPU time between two event loop turns until the response has arrived. */
const longestTurn = async (asked: Asked): Promise<number> => {
  let longest = 0
  let isDone = false
  const done = ask(asked).finally(() => {
    isDone = true
  })
  for (let before = spent(); !isDone; before = spent()) {
    await new Promise(resolve => setImmediate(resolve))
    longest = Math.max(longest, spent() - before)
  }
  await done
  return longest
}

/** Measures again after a slow result, which can be due to garbage collection or compilation. */
const expectShortTurns = async (asked: Asked) => {
  const limit = parsedAndWritten(new TextDecoder().decode(await ask(asked))) / 5
  let longest = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 20 && longest >= limit; tries++) longest = Math.min(longest, await longestTurn(asked))
  expect(longest).toBeLessThan(limit)
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads response bodies of any shape
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
  test('contains exactly the data that was sent', async () => {
    const [method, path, body] = asked()
    const events = eventsOf(await world.expect(200, method, path, { body }))
    expect(events.map(({ id }) => id)).toEqual(ids.slice(0, events.length))
    for (const event of events) expect(JSON.stringify(sorted(event.data))).toBe(JSON.stringify(sorted(data)))
  })

  test('blocks the event loop for less than a fifth of the time to parse and write it', () => expectShortTurns(asked()))
})

describe('workflows and runs', () => {
  let workflowId = ''
  const at = '2026-03-01T09:30:02.057Z'
  beforeAll(async () => {
    const { sql } = world.database
    const definition = { trigger: { eventType: 'large' }, start: 's', steps: { s: { type: 'exit', reason: 'x' } } }
    workflowId = (await world.expect(201, 'POST', '/v1/workflows', { body: { name: 'large', definition } })).id
    await sql`
      update workflows set draft = draft || jsonb_build_object('fields',
        (select jsonb_object_agg('n' || n, '') from generate_series(1, 60000) n)) where id = ${workflowId}`
    for (const id of ids) {
      const [run] = await sql<{ id: string }[]>`
        insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, status)
        values (${world.workspaceId}, ${workflowId}, 1, ${customerId}, ${id}, 'done') returning id`
      await sql`
        insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome, detail, at)
        select ${world.workspaceId}, ${run!.id}, n, 's', 'waiting', '{"until": 1}', ${at.replace('Z', '999Z')}
        from generate_series(1, 8000) n`
    }
  })

  test('contain exactly what is stored', async () => {
    // The fields are not in the schema of a draft, which `world.expect` checks.
    const [workflow] = JSON.parse(new TextDecoder().decode(await ask(['GET', '/v1/workflows']))).data
    expect(workflow).toMatchObject({ id: workflowId, draft: { start: 's', trigger: { eventType: 'large' } } })
    expect(Object.keys(workflow.draft.fields)).toHaveLength(60_000)
    const { data } = await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)
    expect(data).toHaveLength(3)
    for (const { steps } of data) {
      expect(steps).toHaveLength(8000)
      expect(steps[0]).toEqual({ stepId: 's', outcome: 'waiting', detail: { until: 1 }, at })
    }
  })

  test('block the event loop for less than a fifth of the time to parse and write them', () =>
    expectShortTurns(['GET', '/v1/workflows']))
})

/** Sorts the entries, because PostgreSQL stores the names of an object in its own order. */
const sorted = (object: Record<string, unknown>) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
