/** Tests of the statistics of a workflow by step and by day, also compared with counts of random runs. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { minIdAt } from '../../../../src/core/ids.ts'
import { countStepMessages, countSteps } from '../../../../src/workflows/stats-sql.ts'
import { randomFrom } from '../../../support/random.ts'
import { ended, play } from '../../../support/workflows.ts'
import { eventually, useWorld } from '../../../support/world.ts'

const world = useWorld()
const { workflow, start, parked, run, phone } = play(() => world)
const dayMs = 86_400_000
let channelId: string
beforeAll(async () => {
  channelId = await world.sandbox()
})

const stats = (id: string, query: string) => world.expect(200, 'GET', `/v1/workflows/${id}/stats?${query}`)
const noMessages = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 }

test('by step, runs are counted where they went, waited and ended, and messages with their results', async () => {
  const id = await workflow({
    trigger: { eventType: 'shop' },
    start: 'check',
    steps: {
      check: { type: 'condition', if: { path: 'data.total', op: 'gte', value: 10 }, then: 'ask', else: 'bye' },
      ask: { type: 'send_message', text: 'Did it arrive?', next: 'wait' },
      wait: { type: 'wait_for', timeout: '2d', onTimeout: null, any: [{ reply: {}, next: 'thanks' }] },
      thanks: { type: 'send_message', text: 'Good', next: null },
      bye: { type: 'exit', reason: 'small' },
    },
  })
  const write = (from: string, text: string) =>
    world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, { body: { from, text } })
  const [answering, silent, stopping, failing] = [phone(), phone(), phone(), '+4915100000000']
  const answered = await parked('shop', answering, { total: 20 })
  for (const one of [silent, stopping, failing]) await parked('shop', one, { total: 20 })
  const stopped = await parked('shop', phone(), { total: 20 })
  await run(await start('shop', phone(), { total: 5 }), ended)
  await eventually('all messages have a result', async () => {
    const [row] = await world.database
      .sql`select count(*)::integer as count from messages where status in ('delivered', 'failed')`
    return row!.count === 5
  })
  await write(answering, 'yes')
  await run(answered, ended)
  await write(stopping, 'STOP')
  await world.expect(200, 'POST', `/v1/runs/${stopped}/stop`)
  const thanks = { sent: 1, delivered: 1, read: 0, replied: 0, failed: 0 }
  const byStep = await eventually('the last message is delivered', async () => {
    const found = await stats(id, 'by=step')
    return found.steps.at(-1).delivered === 1 && found
  })
  expect(byStep).toMatchObject({
    waiting: { wait: 3 },
    period: { runs: 6, complete: true },
    steps: [
      { stepId: 'check', entered: 6, left: 6, waiting: 0, ...noMessages },
      { stepId: 'ask', entered: 5, left: 5, waiting: 0, sent: 5, delivered: 4, read: 0, replied: 1, failed: 1 },
      { stepId: 'wait', entered: 5, left: 1, waiting: 3, ...noMessages },
      { stepId: 'bye', entered: 1, left: 1, waiting: 0, ...noMessages },
      { stepId: 'thanks', entered: 1, left: 1, waiting: 0, ...thanks },
    ],
    edges: [
      { from: 'ask', to: 'wait', runs: 5 },
      { from: 'check', to: 'ask', runs: 5 },
      { from: 'check', to: 'bye', runs: 1 },
      { from: 'thanks', to: null, runs: 1 },
      { from: 'wait', to: 'thanks', runs: 1 },
    ],
  })
  expect(await stats(id, 'by=step&version=2')).toMatchObject({ period: { runs: 0 }, steps: [], edges: [] })
  const byDay = await stats(id, `by=day&since=${new Date(Date.now() - dayMs).toISOString()}`)
  const counts = byDay.days.map(({ at: _, ...day }: { at: string }) => Object.values(day))
  expect(counts.reduce((a: number[], b: number[]) => a.map((one, n) => one + b[n]!))).toEqual([6, 2, 0, 1])

  const runsOf = async (query: string) =>
    (await world.pages(`/v1/workflows/${id}/runs?${query}`)).flat().map((one: { id: string }) => one.id)
  const [customer] = await world.database.sql<{ id: string }[]>`select id from customers where phone = ${answering}`
  expect(await runsOf(`customerId=${customer!.id}`)).toEqual([answered])
  expect(await runsOf('status=stopped')).toEqual([stopped])
  expect([await runsOf('status=waiting&version=1'), await runsOf('version=2')].map(one => one.length)).toEqual([3, 0])
  expect(await runsOf(`status=done&customerId=${customer!.id}&limit=1`)).toEqual([answered])
  const { error } = await world.expect(400, 'GET', `/v1/workflows/${id}/runs?status=gone`)
  expect(error.details.status).toContain('waiting')
})

test('a period must be in order, and not longer than 400 days', async () => {
  const id = await workflow({ trigger: { eventType: 'x' }, start: 'a', steps: { a: { type: 'exit', reason: 'x' } } })
  for (const query of ['since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z', 'since=2020-01-01T00:00:00Z'])
    expect((await world.expect(400, 'GET', `/v1/workflows/${id}/stats?by=day&${query}`)).error.details).toHaveProperty(
      'since',
    )
  const { days, lastRunAt, period } = await stats(id, 'by=day&since=2026-03-01T10:00:00Z&until=2026-03-04T00:00:00Z')
  expect(days.map(({ at }: { at: string }) => at)).toEqual(
    ['01', '02', '03'].map(day => `2026-03-${day}T00:00:00.000Z`),
  )
  expect([lastRunAt, period.runs]).toEqual([null, 0])
})

describe('random runs', () => {
  const next = randomFrom(33)
  const some = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  const startMs = Date.now() - 30 * dayMs
  const names = ['a', 'b', 'c', 'd']
  const made = Array.from({ length: 300 }, (_, n) => {
    const atMs = startMs + n * 60_000 * 60
    const path = Array.from({ length: Math.floor(next() * 7) }, () => some(names))
    const [status, waiting, endReason] = some([
      ['active', true, null],
      ['active', false, null],
      ['done', false, 'completed'],
      ['done', false, 'exited'],
      ['done', false, 'exit_condition'],
      ['failed', false, 'internal_error'],
      ['stopped', false, 'stopped'],
    ] as const)
    const messages = path.flatMap((_, position) =>
      next() < 0.4
        ? [
            {
              id: Bun.randomUUIDv7('hex', atMs + position),
              position,
              status: some(['sent', 'delivered', 'read', 'failed', 'skipped', 'queued']),
              sentMs: atMs + position * Math.round(next() * 3 * dayMs) + position,
            },
          ]
        : [],
    )
    const replies = Array.from({ length: Math.floor(next() * 3) }, () => atMs + Math.round(next() * 20 * dayMs))
    const optOut = next() < 0.2 ? atMs + Math.round(next() * 10 * dayMs) : null
    const ids = {
      id: Bun.randomUUIDv7('hex', atMs),
      customerId: Bun.randomUUIDv7(),
      conversationId: Bun.randomUUIDv7(),
    }
    return { ...ids, atMs, path, status, waiting, endReason, version: some([1, 2]), messages, replies, optOut }
  })
  let id: string
  beforeAll(async () => {
    const { sql } = world.database
    const { workspaceId } = world
    id = await workflow({ trigger: { eventType: 'r' }, start: 'a', steps: { a: { type: 'exit', reason: 'x' } } })
    const at = (ms: number) => new Date(ms).toISOString()
    const rows = (list: unknown[]) => JSON.stringify(list)
    await sql`insert into workflow_runs (workspace_id, id, workflow_id, version, customer_id, event_id, status, waiting, end_reason, steps_taken)
      select ${workspaceId}, r.id, ${id}, r.version, r."customerId", gen_random_uuid(), r.status, r.waiting, r."endReason", r.taken
      from json_to_recordset(${rows(made.map(one => ({ ...one, taken: one.path.length })))}::text::json) as r(id uuid,
        version integer, "customerId" uuid, status text, waiting boolean, "endReason" text, taken integer)`
    const steps = made.flatMap(one => one.path.map((stepId, position) => ({ runId: one.id, position, stepId })))
    await sql`insert into workflow_run_steps (workspace_id, run_id, position, step_id, outcome)
      select ${workspaceId}, s."runId", s.position, s."stepId", 'then'
      from json_to_recordset(${rows(steps)}::text::json) as s("runId" uuid, position integer, "stepId" text)`
    const messages = made.flatMap(({ customerId, conversationId, ...one }) => [
      ...one.messages.map(m => ({
        ...{ ...m, customerId, conversationId, runId: one.id, direction: 'outbound', at: at(m.sentMs) },
        sentAt: m.status === 'skipped' || m.status === 'queued' ? null : at(m.sentMs),
      })),
      ...one.replies.map(ms => ({
        ...{ id: Bun.randomUUIDv7('hex', ms), customerId, conversationId, direction: 'inbound', status: 'received' },
        ...{ at: at(ms), sentAt: at(ms) },
      })),
    ])
    await sql`insert into messages (workspace_id, id, channel_id, conversation_id, customer_id, direction, status, run_id, run_step, sent_at, created_at)
      select ${workspaceId}, m.id, ${channelId}, m."conversationId", m."customerId", m.direction, m.status, m."runId", m.position, m."sentAt", m.at
      from json_to_recordset(${rows(messages)}::text::json) as m(id uuid, "conversationId" uuid, "customerId" uuid,
        direction text, status text, "runId" uuid, position integer, "sentAt" timestamptz, at timestamptz)`
    const optOuts = made.flatMap(({ customerId, optOut }) => (optOut === null ? [] : [{ customerId, at: at(optOut) }]))
    await sql`insert into consents (workspace_id, customer_id, kind, source, at)
      select ${workspaceId}, c."customerId", 'opt_out', 'customer', c.at
      from json_to_recordset(${rows(optOuts)}::text::json) as c("customerId" uuid, at timestamptz)`
  })

  const isSent = ({ status }: { status: string }) => ['sent', 'delivered', 'read', 'failed'].includes(status)
  const isAnswered = (one: (typeof made)[number], m: (typeof made)[number]['messages'][number]) => {
    const later = one.messages.filter(other => other.position > m.position && isSent(other)).map(other => other.sentMs)
    const until = Math.min(m.sentMs + 7 * dayMs, ...later)
    const reply = Math.min(...one.replies.filter(ms => ms >= m.sentMs))
    return reply < until && !(one.optOut !== null && one.optOut >= m.sentMs && one.optOut <= reply)
  }

  test.each([
    ['all versions', 'by=step', () => true],
    ['one version', 'by=step&version=2', ({ version }: { version: number }) => version === 2],
  ])('of %s are counted by step as one by one', async (_, query, isWanted) => {
    const [since, until] = [startMs + 2 * dayMs, startMs + 9 * dayMs]
    const wanted = made.filter(one => isWanted(one) && one.atMs >= since && one.atMs < until)
    const period = `since=${new Date(since).toISOString()}&until=${new Date(until).toISOString()}`
    const found = await stats(id, `${query}&${period}`)
    expect(found.period).toMatchObject({ runs: wanted.length, complete: true })
    const lastOf = (one: (typeof made)[number], step: string) => one.path.at(-1) === step
    const isAt = (one: (typeof made)[number], step: string) =>
      lastOf(one, step) && one.status === 'active' && one.waiting
    const isOver = (one: (typeof made)[number], step: string) =>
      lastOf(one, step) && !(one.status === 'active' || one.endReason === 'completed' || one.endReason === 'exited')
    for (const step of names) {
      const entered = wanted.filter(one => one.path.includes(step))
      const waiting = entered.filter(one => isAt(one, step)).length
      const sent = wanted.flatMap(one =>
        one.messages
          .filter(m => one.path[m.position] === step && isSent(m))
          .map(m => ({ ...m, answered: isAnswered(one, m) })),
      )
      const withStatus = (...statuses: string[]) => sent.filter(({ status }) => statuses.includes(status)).length
      expect(found.steps.find(({ stepId }: { stepId: string }) => stepId === step)).toEqual({
        stepId: step,
        entered: entered.length,
        left: entered.length - waiting - entered.filter(one => isOver(one, step)).length,
        waiting,
        sent: sent.length,
        delivered: withStatus('delivered', 'read'),
        read: withStatus('read'),
        failed: withStatus('failed'),
        replied: sent.filter(({ answered }) => answered).length,
      })
      for (const to of [...names, null]) {
        const took = ({ path, endReason }: (typeof made)[number]) =>
          to === null
            ? path.at(-1) === step && endReason === 'completed'
            : to !== step && path.some((name, n) => name === step && path[n + 1] === to)
        const edge = found.edges.find((one: { from: string; to: string | null }) => one.from === step && one.to === to)
        expect(edge?.runs ?? 0).toBe(wanted.filter(took).length)
      }
    }
  })

  test('are counted by day as one by one', async () => {
    const { days } = await stats(id, `by=day&since=${new Date(startMs).toISOString()}`)
    for (const { at, ...counts } of days) {
      const ofDay = made.filter(one => one.atMs >= Date.parse(at) && one.atMs < Date.parse(at) + dayMs)
      const inStatus = (status: string) => ofDay.filter(one => one.status === status).length
      expect(counts).toEqual({
        started: ofDay.length,
        done: inStatus('done'),
        failed: inStatus('failed'),
        stopped: inStatus('stopped'),
      })
    }
  })

  test('beyond the limits, the newest ones are counted', async () => {
    const { sql } = world.database
    const ids = { fromId: minIdAt(new Date(startMs)), untilId: minIdAt(new Date()) }
    const range = { workspaceId: world.workspaceId, workflowId: id, ...ids, version: null }
    const newestFirst = made.toReversed()
    const limited = await countSteps(sql, range, { runs: 40, steps: 1_000_000 })
    expect(limited).toMatchObject({ runs: 40, complete: false })
    const entered = newestFirst.slice(0, 40).filter(({ path }) => path.includes('a')).length
    expect(limited.steps.find(({ stepId }) => stepId === 'a')?.entered).toBe(entered)
    let [steps, runs] = [0, 0]
    for (const { path } of newestFirst) {
      steps += path.length
      if (steps > 50) break
      runs++
    }
    expect(await countSteps(sql, range, { runs: 300, steps: 50 })).toMatchObject({ runs, complete: false })
    expect(await countSteps(sql, range, { runs: 300, steps: 1_000_000 })).toMatchObject({ runs: 300, complete: true })
    const messages = await countStepMessages(
      sql,
      { ...range, withinMs: dayMs, readKinds: [] },
      { runs: 40, steps: 500 },
    )
    const sent = newestFirst.slice(0, 40).flatMap(one => one.messages.filter(isSent)).length
    expect(messages.reduce((sum, one) => sum + one.sent, 0)).toBe(sent)
    expect(messages.some(({ reportsRead }) => reportsRead)).toBe(false)
  })
})
