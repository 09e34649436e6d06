/** Tests runs that the database rejects: they end or are postponed, and other runs continue. */
import { beforeAll, expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import pino from 'pino'
import { play } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

const lines: Record<string, unknown>[] = []
const log = pino(
  { level: 'warn' },
  new Writable({
    write: (line, _, done) => {
      lines.push(JSON.parse(String(line)))
      done()
    },
  }),
)

// A trigger rejects messages with these error codes.
const world = useWorld({}, { log, errors: ['22021', '57014', 'XX000', '55P03', '53100'] })
const { workflow } = play(() => world)

beforeAll(async () => {
  await world.sandbox()
  await world.database.sql.unsafe(`
    create table failing (text text, sqlstate text);
    create function fail() returns trigger language plpgsql as $$
    declare wanted text;
    begin
      select f.sqlstate into wanted from failing f where f.text = new.text;
      if found then raise exception 'not this one' using errcode = wanted; end if;
      return new;
    end $$;
    create trigger fail before insert on messages for each row execute function fail()`)
})

/** Makes statements that write a message of this text fail with an error code. Null removes the failure. */
const failWith = async (text: string, sqlstate: string | null) => {
  await world.database.sql`delete from failing where text = ${text}`
  if (sqlstate !== null) await world.database.sql`insert into failing values (${text}, ${sqlstate})`
}

/** Creates a workflow that sends one text after one type of event. */
const writing = (type: string) =>
  workflow(
    { trigger: { eventType: type }, start: 'say', steps: { say: { type: 'send_message', text: type, next: null } } },
    type,
  )

const traceId = '0af7651916cd43dd8448eb211c80319c'

const record = (...types: string[]) =>
  world.expect(200, 'POST', '/v1/events/batch', {
    as: 'key',
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    body: { events: types.map(type => ({ type, phone: '+4915112345678' })) },
  })

const runsOf = async (workflowId: string): Promise<Record<string, unknown>[]> =>
  (await world.expect(200, 'GET', `/v1/workflows/${workflowId}/runs`)).data

const allEnded = (workflowId: string, count: number) =>
  eventually('the runs end', async () => {
    const runs = await runsOf(workflowId)
    return runs.length === count && runs.every(run => run.status !== 'active') && runs
  })

/** Returns the run of the workflow when its given number of failures was logged. */
const afterFailures = (workflowId: string, count: number) =>
  eventually(`failure ${count} of the run`, async () => {
    const [run] = await runsOf(workflowId)
    return told(run!.id).length >= count && (await runsOf(workflowId))[0]
  })

const makeDue = (run: Record<string, unknown>) =>
  world.database.sql`update workflow_runs set wake_at = now() where id = ${String(run.id)}`

const told = (runId: unknown) => lines.filter(line => line.runId === runId).map(({ level, msg }) => [level, msg])
const tracesOf = (runId: unknown) => lines.filter(line => line.runId === runId).map(line => line.trace_id)
const tried = [40, 'run could not be advanced; retrying later']
const ended = [50, 'run could not be advanced and was ended']
const failed = { status: 'failed', endReason: 'internal_error', wakeAt: null, endedAt: expect.any(String), steps: [] }

test('a run whose message cannot be stored ends immediately, and its id and trace are logged', async () => {
  const [bad, good] = [await writing('bad'), await writing('good')]
  await failWith('bad', '22021')
  await record('bad', ...Array<string>(20).fill('good'), 'bad')
  const runs = await allEnded(bad, 2)
  expect(runs).toMatchObject([failed, failed])
  for (const run of runs) {
    // The log follows the commit.
    await eventually('the end is logged', () => told(run.id).length > 0)
    expect([told(run.id), tracesOf(run.id)]).toEqual([[ended], [traceId]])
  }
  const events = (await world.expect(200, 'GET', '/v1/outbound-events?type=run.failed')).data
  const reason = { stepId: null, reason: 'internal_error', workflowId: bad }
  expect(events.map(({ data }: { data: object }) => data)).toEqual(
    runs.map(({ id, customerId, eventId }) => ({
      ...{ runId: id, customerId, eventId, workflowName: 'bad' },
      ...reason,
    })),
  )
  for (const run of await allEnded(good, 20)) expect(run).toMatchObject({ status: 'done', endReason: 'completed' })
})

test.each([
  ['an unknown reason', 'slow', '57014', 5000],
  ['a lock', 'held', '55P03', 30_000],
])('a run that fails for %s is tried three times, while others continue', async (_, type, sqlstate, delayMs) => {
  const [failing, other] = [await writing(type), await writing(`beside ${type}`)]
  await failWith(type, sqlstate)
  await record(type, `beside ${type}`, `beside ${type}`)
  await allEnded(other, 2)
  const postponed = await afterFailures(failing, 2)
  expect(postponed).toMatchObject({ status: 'active' })
  expect(Date.parse(String(postponed.wakeAt)) - Date.now()).toBeWithin(delayMs - 3000, delayMs + 1)
  await makeDue(postponed)
  const [run] = await allEnded(failing, 1)
  expect(run).toMatchObject(failed)
  // The log follows the commit.
  await eventually('the end is logged', () => told(run!.id).length > 2)
  expect(told(run!.id)).toEqual([tried, tried, ended])
})

test('no run ends because the database is out of space', async () => {
  const runs = await writing('waiting for room')
  await failWith('waiting for room', '53100')
  await record('waiting for room', 'waiting for room')
  await eventually(
    'more executions fail than a run has attempts',
    () => lines.filter(line => line.msg === 'poll failed; retrying').length > 4,
  )
  expect(await runsOf(runs)).toMatchObject([{ status: 'active' }, { status: 'active' }])
  await failWith('waiting for room', null)
  expect(await allEnded(runs, 2)).toMatchObject([{ status: 'done' }, { status: 'done' }])
})
