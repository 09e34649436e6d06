import { expect, test } from 'bun:test'
import { ended, outcomes, play } from '../../../support/workflows.ts'
import { useWorld } from '../../../support/world.ts'

const world = useWorld()
const { workflow, publish, event, run, parked, phone } = play(() => world)

const out = (reason: string) => ({ type: 'exit', reason })
const delay = (more: object) => ({ type: 'delay', next: 'second', ...more })
const two = (eventType: string, first: object = delay({ for: '1h' })) => ({
  trigger: { eventType },
  start: 'first',
  steps: { first, second: { type: 'delay', for: '1h', next: 'out' }, out: out('old') },
})
/** Returns a definition without the second step, with a longer first one, another end and an exit event. */
const newer = (eventType: string) => ({
  trigger: { eventType },
  exitOn: [{ event: `${eventType}.paid`, reason: 'paid' }],
  start: 'first',
  steps: { first: { type: 'delay', for: '3h', next: 'out' }, out: out('new') },
})

const due = (id: string) =>
  world.database.sql`update workflow_runs set wake_at = now(), wait_until = now() where id = ${id}`
/** Returns a run that waits at the second step. */
const atSecond = async (eventType: string) => {
  const id = await parked(eventType, phone())
  await due(id)
  await run(id, ({ stepId, status }) => stepId === 'second' && status === 'waiting')
  return id
}

test('published versions are listed newest first, and never change', async () => {
  const id = await workflow(two('listed'))
  await publish(id, newer('listed'))
  const path = `/v1/workflows/${id}/versions`
  const { data, nextCursor } = await world.expect(200, 'GET', path)
  expect(data).toMatchObject([{ version: 2 }, { version: 1 }])
  expect(nextCursor).toBeNull()
  expect(Object.keys(data[0]).sort()).toEqual(['publishedAt', 'publishedBy', 'version'])
  expect(await world.pages(`${path}?limit=1`)).toEqual([[data[0]], [data[1]]])
  expect(await world.expect(200, 'GET', `${path}/1`)).toEqual({ ...data[1], definition: two('listed') })
  for (const other of ['3', '0', 'one', '1.0']) await world.expect(404, 'GET', `${path}/${other}`)
})

test('publishing has a preview of its impact, and leaves active runs on their version', async () => {
  const id = await workflow(two('stays'))
  const [first, second] = [await parked('stays', phone()), await atSecond('stays')]
  await world.expect(200, 'PATCH', `/v1/workflows/${id}`, { body: { definition: newer('stays') } })
  expect(await world.expect(200, 'GET', `/v1/workflows/${id}/impact`)).toEqual({
    runsInFlight: 2,
    byStep: { first: 1, second: 1 },
    removedSteps: ['second'],
    movable: 1,
  })
  expect(await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)).toMatchObject({ publishedVersion: 2 })
  expect(await run(first)).toMatchObject({ version: 1 })
  await due(second)
  expect(await run(second, ended)).toMatchObject({ version: 1, endReason: 'exited', endDetail: 'old' })
})

test('publishing with move continues runs on the new version when their step still exists', async () => {
  const id = await workflow(two('moves'))
  const customer = phone()
  const [first, second] = [await parked('moves', customer), await atSecond('moves')]
  const before = await run(first)
  await publish(id, newer('moves'), { move: true })
  const moved = await run(first, ({ version }) => version === 2)
  expect(moved).toMatchObject({ status: 'waiting', stepId: 'first' })
  // The wait is two hours longer, counted from its start.
  expect(Date.parse(moved.wakeAt) - Date.parse(before.wakeAt)).toBe(2 * 3_600_000)
  expect(await run(second)).toMatchObject({ version: 1, stepId: 'second' })
  await event('moves.paid', customer)
  expect(await run(first, ended)).toMatchObject({ endReason: 'exit_condition', endDetail: 'paid' })
})

const until = (time: string) => delay({ until: { time, zone: 'Asia/Tokyo' } })
const passing = { type: 'condition', if: { path: 'data.x', op: 'exists' }, then: 'second', else: 'second' }

test.each<[from: object, to: object, time: string | null, hours: number]>([
  [until('20:00'), until('22:00'), '22:00:00', 24],
  [delay({ for: '10d' }), until('21:30'), '21:30:00', 24],
  [until('20:00'), delay({ for: '3d' }), null, 72],
])('publishing with move recalculates the wait %j as %j from its start', async (from, to, time, hours) => {
  const begun = Date.now()
  const type = crypto.randomUUID()
  const id = await workflow(two(type, from))
  const runId = await parked(type, phone())
  await publish(id, two(type, to), { move: true })
  const wakes = new Date((await run(runId, ({ version }) => version === 2)).wakeAt)
  expect(wakes.getTime() - begun).toBeLessThanOrEqual(hours * 3_600_000 + 60_000)
  if (time) expect(wakes.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' })).toBe(time)
  else expect(wakes.getTime() - begun).toBeGreaterThanOrEqual(hours * 3_600_000 - 1000)
})

test.each([
  ['whose time is over', delay({ for: '1ms' })],
  ['that became a step without a wait', passing],
])('publishing with move ends a wait %s immediately', async (_, first) => {
  const type = crypto.randomUUID()
  const id = await workflow(two(type))
  const runId = await parked(type, phone())
  await publish(id, two(type, first), { move: true })
  const moved = await run(runId, ({ stepId }) => stepId === 'second')
  expect(moved.version).toBe(2)
  expect(outcomes(moved).filter(outcome => outcome.endsWith('waiting'))).toEqual(['first: waiting', 'second: waiting'])
})

test('a workflow keeps 200 versions: the oldest without active runs is removed, or publishing is rejected', async () => {
  const { sql } = world.database
  const id = await workflow(two('many'))
  const runId = await parked('many', phone())
  await sql`
    insert into workflow_versions (workspace_id, workflow_id, version, definition, published_at)
    select workspace_id, workflow_id, n, definition, published_at from workflow_versions, generate_series(2, 200) n
    where workflow_id = ${id} and version = 1`
  await sql`update workflows set published_version = 200 where id = ${id}`
  const versions = async () => {
    const rows = await sql`select version from workflow_versions where workflow_id = ${id} order by version`
    return [rows.length, ...[0, 1, -1].map(index => rows.at(index)!.version)]
  }
  await publish(id, newer('many'))
  expect(await versions()).toEqual([200, 1, 3, 201])
  await publish(id, two('many'))
  expect(await versions()).toEqual([200, 1, 4, 202])
  await world.expect(404, 'GET', `/v1/workflows/${id}/versions/3`)
  await due(runId)
  expect(await run(runId, ({ stepId }) => stepId === 'second')).toMatchObject({ version: 1 })

  await sql`
    insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, status, step_id, waiting)
    select r.workspace_id, workflow_id, n, r.customer_id, gen_random_uuid(), 'active', 'first', true
    from workflow_runs r, generate_series(4, 202) n where id = ${runId}`
  const { error } = await world.expect(422, 'POST', `/v1/workflows/${id}/publish`)
  expect(error.message).toContain('active runs use all of them')
  await sql`update workflow_runs set status = 'done', ended_at = now() where workflow_id = ${id} and version = 4`
  await world.expect(200, 'POST', `/v1/workflows/${id}/publish`)
  expect(await versions()).toEqual([200, 1, 5, 203])
})

test('switching off lets active runs finish, or stops them on request, also those that events write late', async () => {
  const id = await workflow(two('off'))
  const runs = [await parked('off', phone()), await parked('off', phone())]
  const change = (body: object, status = 200) => world.expect(status, 'PATCH', `/v1/workflows/${id}`, { body })
  for (const body of [{ running: 'stop' }, { enabled: true, running: 'stop' }, { enabled: false, running: 'now' }])
    expect((await change(body, 400)).error.details).toHaveProperty('running')
  await change({ enabled: false })
  expect(await run(runs[0]!)).toMatchObject({ status: 'waiting' })
  await change({ enabled: false, running: 'stop' })
  for (const one of runs) expect(await run(one, ended)).toMatchObject({ status: 'stopped', endReason: 'stopped' })
  // A transaction that recorded an event before the change can commit after it.
  const [late] = await world.database.sql<{ id: string }[]>`
    insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, status, step_id, waiting)
    select workspace_id, workflow_id, version, customer_id, gen_random_uuid(), 'active', 'first', true
    from workflow_runs where id = ${runs[0]!} returning id`
  expect(await run(late!.id, ended)).toMatchObject({ status: 'stopped' })
})

test('the statistics of a workflow count its waiting runs per step and its runs of the last 7 days', async () => {
  const id = await workflow(two('counted'))
  await parked('counted', phone())
  const done = await atSecond('counted')
  await due(done)
  await run(done, ended)
  const stopped = await parked('counted', phone())
  await world.expect(200, 'POST', `/v1/runs/${stopped}/stop`)
  const last7Days = { started: 3, completed: 0, failed: 0, exited: 1 }
  const stats = { waiting: { first: 1 }, lastRunAt: expect.any(String), last7Days }
  expect(await world.expect(200, 'GET', `/v1/workflows/${id}/stats`)).toEqual(stats)
  const byDay = await world.expect(200, 'GET', `/v1/workflows/${id}/stats?by=day`)
  expect(byDay).toMatchObject({ ...stats, startedByDay: [0, 0, 0, 0, 0, 0, 3], period: { runs: 3, complete: true } })
})
