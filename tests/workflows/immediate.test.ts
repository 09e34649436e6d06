/**
 * Tests runs that finish immediately. They are written together with their event, with the same result as a later
 * claim.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { EventWriter } from '../../src/events/index.ts'
import type { IncomingEvent } from '../../src/events/sql.ts'
import type { QueuedChannel } from '../../src/messaging/messages/index.ts'
import { sqlState } from '../../src/platform/postgres/client.ts'
import { eventWith } from '../events/books.ts'
import { play, startRuns } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

// No worker runs. The tests start workers themselves.
const world = useWorld({ ROLES: 'http' }, { errors: ['22021'] })
const { workflow, phone: newPhone } = play(() => world)
let workspaceId: string
let channelId: string
const queued: QueuedChannel[] = []
const refusedFor: unknown[] = []
let woken = 0
/** Event writers of a process that sends messages and of one that only serves requests. */
let acting: EventWriter
let answering: EventWriter

beforeAll(async () => {
  workspaceId = world.workspaceId
  const { sql } = world.database
  channelId = await world.sandbox()
  const deps = { sql, onBatch: () => {}, onRunsStarted: () => woken++ }
  acting = new EventWriter({
    ...deps,
    onQueued: given => queued.push(given),
    onDatabaseError: error => refusedFor.push(error),
  })
  answering = new EventWriter(deps)
  const say = { type: 'send_message', text: 'Hello {{customer.name|you}}, {{data.total}}', next: null }
  await publish('greeted', { say }, 'say')
  await publish('told', { say: { ...say, text: '{{data.given}}' } }, 'say')
  const large = { path: 'data.total', op: 'gt', value: 100 }
  await publish('bought', { large: { type: 'condition', if: large, then: 'say', else: null }, say }, 'large')
  await publish('waited', { wait: { type: 'delay', for: '1h', next: 'say' }, say }, 'wait')
  await publish('long', chain(21), 's0')
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if new.text like '%refused%' then raise exception 'not this one' using errcode = '22021'; end if;
      return new;
    end $$;
    create trigger refuse before insert on messages for each row execute function refuse()`)
})
beforeEach(() => {
  queued.length = 0
  refusedFor.length = 0
  woken = 0
})
afterEach(async () => {
  await world.database.sql`update workflow_runs set status = 'done', wake_at = null where wake_at is not null`
})

const chain = (length: number) => {
  const exists = { path: 'data.total', op: 'exists' }
  const step = (n: number) => ({ type: 'condition', if: exists, then: n + 1 < length ? `s${n + 1}` : null, else: null })
  return Object.fromEntries(Array.from({ length }, (_, n) => [`s${n}`, step(n)]))
}
const publish = (eventType: string, steps: object, start: string) =>
  workflow({ trigger: { eventType }, start, steps }, eventType)

const event = (given: Partial<IncomingEvent>) =>
  eventWith({ workspaceId, phone: newPhone(), name: 'Ana', data: { total: 129.9 }, ...given })

/** Returns a run with everything that was written for it, without ids and times. */
const runOf = async (eventId: string) => {
  const [run] = await world.database.sql<Record<string, unknown>[]>`
    select r.status, r.step_id, r.waiting, r.wake_at is not null as due, r.steps_taken, r.attempts, r.end_reason,
      r.ended_at is not null as ended,
      (select json_agg(json_build_array(s.position, s.step_id, s.outcome, s.detail) order by s.position)
        from workflow_run_steps s where s.workspace_id = r.workspace_id and s.run_id = r.id) as steps,
      (select json_agg(json_build_array(m.run_step, m.text, m.status, m.due_at is not null, m.channel_id, co.handle))
        from messages m join conversations co on co.id = m.conversation_id
        where m.workspace_id = r.workspace_id and m.run_id = r.id) as messages
    from workflow_runs r where r.event_id = ${eventId}`
  return run
}
const due = { status: 'active', due: true, attempts: 0, steps_taken: 0, ended: false, steps: null, messages: null }

test('writes a run that finishes immediately with its event, once for a repeated event, and hands over its message', async () => {
  const phone = newPhone()
  const greeted = event({ type: 'greeted', phone, idempotencyKey: 'once' })
  const answers = await Promise.all([greeted, greeted, greeted].map(one => acting.add(one)))
  expect(answers.filter(({ recorded }) => recorded)).toHaveLength(1)
  expect(await runOf(answers[0]!.event.id)).toMatchObject({
    status: 'done',
    due: false,
    end_reason: 'completed',
    ended: true,
    steps: [[0, 'say', 'queued', null]],
    messages: [[0, 'Hello Ana, 129.9', 'queued', true, channelId, phone]],
  })
  const job = { handle: phone, text: 'Hello Ana, 129.9', channelKind: 'sandbox', optedOut: false }
  expect(queued).toMatchObject([{ channelId, jobs: [job] }])
  expect([answers.some(({ startedRuns }) => startedRuns), woken]).toEqual([false, 0])
})

test('gives the same result as a claim, for new and known customers', async () => {
  const known = newPhone()
  await acting.add(event({ type: 'nothing listens', phone: known, name: 'Berta' }))
  const cases = [
    { type: 'greeted', name: null },
    { type: 'greeted', phone: known, name: 'another name' },
    { type: 'bought', data: { total: 3 } },
    { type: 'bought', data: { total: 300 } },
    { type: 'bought', data: {} },
    { type: 'told', data: { given: { zz: 1, a: [{ y: 1, x: 2 }, null], ü: 'é', b: { c: {} }, 10: 4, 9: 5 } } },
  ]
  const ways: unknown[][] = []
  for (const writer of [acting, answering]) {
    const recorded = await Promise.all(cases.map(given => writer.add(event(given))))
    // A process that only serves requests leaves the runs due, and a worker claims them.
    const runs = () => Promise.all(recorded.map(({ event }) => runOf(event.id)))
    if (writer === answering) {
      expect(await runs()).toMatchObject(cases.map(() => due))
      await advanceAll()
    }
    ways.push(await runs())
  }
  const [atOnce, claimed] = ways.map(way => JSON.parse(JSON.stringify(way).replaceAll(/\+49157\d{8}/g, 'phone')))
  expect(atOnce).toEqual(claimed)
  expect(atOnce).toMatchObject([{ status: 'done' }, { status: 'done' }, { messages: null }, { status: 'done' }, {}, {}])
})

/** Runs the worker until no run is due. */
const advanceAll = async () => {
  const { sql } = world.database
  const worker = await startRuns(sql)
  await eventually('all runs end', async () => {
    return (await sql`select 1 from workflow_runs where wake_at <= now()`).length === 0
  })
  await worker.stop()
}

test.each([
  ['has to wait', 'waited'],
  ['has many steps', 'long'],
])('leaves a run that %s to be claimed', async (_, type) => {
  const { event: recorded, startedRuns } = await acting.add(event({ type }))
  expect(await runOf(recorded.id)).toMatchObject(due)
  expect(startedRuns).toBe(true)
})

test('records the event and leaves the run to be claimed if the database rejects its result', async () => {
  const refused = event({ type: 'greeted', data: { total: 'refused' } })
  const recorded = await Promise.all([acting.add(event({ type: 'greeted' })), acting.add(refused)])
  expect(refusedFor.map(sqlState)).toContain('22021')
  const written = await Promise.all(recorded.map(({ event }) => runOf(event.id)))
  expect(written[1]).toMatchObject(due)
  expect(recorded[1]!.startedRuns).toBe(true)
})

test('leaves a run to be claimed if its event changes its customer, who has many attributes later', async () => {
  const phone = newPhone()
  const { event: first } = await acting.add(event({ type: 'nothing listens', phone }))
  const { event: changing } = await acting.add(event({ type: 'greeted', phone, optInEvidence: 'a form' }))
  expect(await runOf(changing.id)).toMatchObject(due)
  const body = { attributes: { notes: 'word '.repeat(2000) } }
  await world.expect(200, 'PATCH', `/v1/customers/${first.customerId}`, { body })
  const { event: recorded } = await acting.add(event({ type: 'greeted', phone }))
  expect(await runOf(recorded.id)).toMatchObject(due)
})

test('executes the runs of many concurrent events, and hands over their messages in order', async () => {
  const events = Array.from({ length: 60 }, (_, n) => event({ type: 'greeted', data: { total: n } }))
  await acting.addAll(events)
  expect(queued.flatMap(({ jobs }) => jobs.map(({ text }) => text))).toEqual(events.map((_, n) => `Hello Ana, ${n}`))
})
