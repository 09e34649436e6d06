/**
 * Tests claiming runs: which process can write the result of a run, what happens when a process dies while executing
 * one, and that no arrival is lost, regardless of concurrent writes.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { readTransactionSnapshot, Watermark } from '../../src/platform/postgres/watermark.ts'
import { readDepths, readLags } from '../../src/queue/lag.ts'
import { PausedWork } from '../../src/queue/pauses/index.ts'
import { resumeWoken } from '../../src/queue/waits/index.ts'
import {
  advanceRuns,
  type ClaimedRuns,
  claimDueRuns,
  type RunObserver,
  requeuePausedRuns,
} from '../../src/workflows/index.ts'
import { openTransaction } from '../support/database.ts'
import { outcomes, play, startRuns } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

// No worker runs. The tests start workers themselves.
const world = useWorld({ ROLES: 'http' })
const { workflow, event, run, start: startFor, phone } = play(() => world)
const never = new AbortController().signal

beforeAll(async () => {
  await world.sandbox()
  const say = { type: 'send_message', text: 'Hello {{customer.name|you}}', next: null }
  await makeWorkflow('greeted', { say }, 'say')
  const wait = (ms: number, next: string) => ({ type: 'delay', for: `${ms}ms`, next })
  await makeWorkflow('soon', { first: wait(300, 'second'), second: wait(400, 'say'), say }, 'first')
  const paid = { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: 'paid', next: null }] }
  await makeWorkflow('cart', { paid }, 'paid')
  await makeWorkflow('waited', { wait: { type: 'delay', for: '1h', next: 'say' }, say }, 'wait')
})
afterEach(() => {
  setSystemTime()
})
beforeEach(async () => {
  await world.database.sql`update workflow_runs set status = 'done', wake_at = null where wake_at is not null`
})

const makeWorkflow = (eventType: string, steps: object, start: string) =>
  workflow({ trigger: { eventType }, start, steps }, eventType)

const start = async (type = 'greeted') => ({ id: await startFor(type, phone()) })

/** Claims due runs. All claims of a test have the same duration, because a failed attempt is detected by it. */
const claim = (claimMs: number, alone = true) => claimDueRuns(world.database.sql, { limit: 100, alone, claimMs })

const failures: { runId: string; ended: boolean }[] = []
const observer: RunObserver = {
  onFailure: (_, { id: runId }, ended) => failures.push({ runId, ended }),
  onPageFailure: () => {},
  onUnknownType: () => {},
}
const advance = (claimed: ClaimedRuns, sql = world.database.sql) => advanceRuns(sql, claimed, observer, never)

const idsOf = ({ runs }: ClaimedRuns) => runs.map(({ id }) => id)
const rowOf = async (id: string) => {
  const [row] = await world.database.sql`
    select status, end_reason as "endReason", attempts, wake_at is not null as due, claimed_until is not null as claimed,
      (select count(*)::integer from messages m where m.run_id = r.id) as messages,
      (select count(*)::integer from workflow_run_steps s where s.run_id = r.id) as steps
    from workflow_runs r where id = ${id}`
  return row
}
const failedEvents = async (runId: string) => {
  const rows = await world.database.sql`
    select data ->> 'reason' as reason, data ->> 'stepId' as "stepId" from outbound_events
    where type = 'run.failed' and data ->> 'runId' = ${runId}`
  return [...rows]
}
const done = { status: 'done', endReason: 'completed', attempts: 0, due: false, claimed: false, messages: 1, steps: 1 }
const long = 60_000

test('a run that becomes due again while it is claimed does not count as failed, however often that happens', async () => {
  const { id } = await start('waited')
  await advance(await claim(0))
  const { sql } = world.database
  // Arrivals do this, too.
  const becomesDue = () => sql`update workflow_runs set wake_at = clock_timestamp() where id = ${id}`
  await becomesDue()
  for (let n = 0; n < 5; n++) {
    const claimed = await claim(0)
    expect(claimed).toMatchObject({ suspected: false, runs: [{ id, attempts: 1 }] })
    await becomesDue()
    expect(await advance(claimed)).toEqual([])
  }
  await advance(await claim(0))
  expect(await rowOf(id)).toMatchObject({ status: 'done', endReason: 'completed' })
})

test('a run that one process has claimed is not claimed by another until the claim expires', async () => {
  const { id } = await start()
  const first = await claim(long)
  expect(idsOf(first)).toEqual([id])
  expect((await claim(long)).runs).toEqual([])
  await advance(first)
  expect(await rowOf(id)).toEqual(done)
})

test('the result of a process whose claim expired is not written if another process has claimed the run', async () => {
  const { id } = await start()
  const late = await claim(0)
  const taken = await claim(0)
  expect([idsOf(late), idsOf(taken)]).toEqual([[id], [id]])
  expect(await advance(late)).toEqual([])
  expect(await rowOf(id)).toMatchObject({ status: 'active', attempts: 2, claimed: true, messages: 0, steps: 0 })
  await advance(taken)
  expect(await rowOf(id)).toEqual(done)
  expect(await advance(taken)).toEqual([])
  expect(await rowOf(id)).toEqual(done)
})

test('due runs of a paused workspace are set aside once, count as no lag, and are put back in their order', async () => {
  const { sql } = world.database
  await start()
  const paused = '01981b7e-3c00-7a51-9a64-000000000001'
  const addDue = (workspaceId: string, count: number, secondsAgo: number) => sql`
    insert into workflow_runs (workspace_id, workflow_id, version, customer_id, event_id, wake_at)
    select ${workspaceId}, workflow_id, version, customer_id, gen_random_uuid(), now() - make_interval(secs => ${secondsAgo} - 0.001 * n)
    from (select * from workflow_runs where workspace_id = ${world.workspaceId} limit 1) r, generate_series(1, ${count}::integer) n`
  await addDue(paused, 1100, 3600)
  await addDue(world.workspaceId, 2, 60)
  const options = { limit: 400, alone: true, claimMs: long, paused: [paused] }
  const claims: ClaimedRuns[] = []
  for (let n = 0; n < 4; n++) claims.push(await claimDueRuns(sql, options))
  expect(claims.map(({ setAside, runs }) => [setAside, runs.length])).toEqual([
    [400, 0],
    [400, 0],
    [300, 3],
    [0, 0],
  ])
  const work = new PausedWork([{ kind: 'runs', workspaceId: paused }])
  expect((await readLags(sql, work)).due.runs).toBeWithin(55, 300)
  expect((await readDepths(sql)).runs).toBe(1103)
  expect(await requeuePausedRuns(sql, [paused], 1000)).toBe(0)
  expect([await requeuePausedRuns(sql, [], 1000), await requeuePausedRuns(sql, [], 1000)]).toEqual([1000, 100])
  const rows = await sql`
    select row_number() over (order by wake_at) = row_number() over (order by id) as same, wake_at > now() - interval '1 minute' as now
    from workflow_runs where workspace_id = ${paused}`
  expect(rows.every(row => Bun.deepEquals({ ...row }, { same: true, now: true }))).toBe(true)
  await sql`delete from workflow_runs where workspace_id = ${paused}`
})

test('writes nothing for a run whose customer was erased during its execution', async () => {
  const { id } = await start()
  const claimed = await claim(long)
  await world.database.sql`
    update workflow_runs set status = 'failed', end_reason = 'customer_erased', waiting = false, wake_at = null
    where id = ${id}`
  expect(await advance(claimed)).toEqual([])
  expect(await rowOf(id)).toMatchObject({ status: 'failed', endReason: 'customer_erased', messages: 0, steps: 0 })
  expect(await failedEvents(id)).toEqual([])
})

test('a run that kills its process ends after three attempts, and runs claimed with it do not', async () => {
  const [good, deadly, alsoGood] = [await start(), await start(), await start()]
  // First the whole page is claimed, then each run alone. No result is written whenever the run that kills its process
  // is included.
  expect(idsOf(await claim(0))).toEqual([good.id, deadly.id, alsoGood.id])
  const alone: string[][] = []
  for (let claimed = await claim(0); claimed.runs.length > 0; claimed = await claim(0)) {
    alone.push(idsOf(claimed))
    if (claimed.runs[0]!.id !== deadly.id || claimed.runs[0]!.attempts > 3) await advance(claimed)
  }
  expect(alone).toEqual([[good.id], [deadly.id], [deadly.id], [deadly.id], [alsoGood.id]])
  expect([await rowOf(good.id), await rowOf(alsoGood.id)]).toEqual([done, done])
  const ended = { status: 'failed', endReason: 'internal_error', due: false, messages: 0 }
  expect(await rowOf(deadly.id)).toMatchObject(ended)
  expect(await failedEvents(deadly.id)).toHaveLength(1)
  expect(await failedEvents(good.id)).toEqual([])
  expect(failures.filter(({ runId }) => runId === deadly.id)).toEqual([{ runId: deadly.id, ended: true }])
})

test('a recently started process does not claim a run that a process died over, but claims others', async () => {
  const died = await start()
  await claim(0)
  await world.database.sql`update workflow_runs set wake_at = wake_at - interval '1 minute' where id = ${died.id}`
  const fresh = await start()
  const isDone = async (id: string) => (await rowOf(id))?.status === 'done'
  const killed = await startRuns(world.database.sql, { newMs: 60_000 })
  await eventually('the other is done', () => isDone(fresh.id))
  await killed.stop()
  expect(await rowOf(died.id)).toMatchObject({ status: 'active', attempts: 1, steps: 0 })
  const living = await startRuns(world.database.sql, { newMs: 50 })
  await eventually('the other is done', () => isDone(died.id))
  await living.stop()
})

test('a run that cannot be claimed is tried three times, while the other runs of its page are executed', async () => {
  const [bad, good, alsoGood] = [await start(), await start(), await start()]
  await world.database.sql.unsafe(`
    create function refuse_claim() returns trigger language plpgsql as $$
    begin raise exception 'not this one' using errcode = 'XX001'; end $$;
    create trigger refuse_claim before update on workflow_runs for each row
      when (new.id = '${bad.id}' and new.claimed_until is not null) execute function refuse_claim()`)
  const worker = await startRuns(world.database.sql)
  for (const { id } of [good, alsoGood])
    await eventually('it is done', async () => (await rowOf(id))?.status === 'done')
  for (const attempts of [1, 2]) {
    await eventually('an attempt is counted', async () => (await rowOf(bad.id))?.attempts === attempts)
    await world.database.sql`update workflow_runs set wake_at = now() where id = ${bad.id}`
    worker.wake()
  }
  await eventually('it has ended', async () => (await rowOf(bad.id))?.status === 'failed')
  expect(await rowOf(bad.id)).toMatchObject({ endReason: 'internal_error', due: false, messages: 0 })
  expect(await failedEvents(bad.id)).toEqual([{ reason: 'internal_error', stepId: null }])
  await worker.stop()
  await world.database.sql.unsafe('drop trigger refuse_claim on workflow_runs')
})

test('runs that the database could not accept are released without counting the attempt', async () => {
  const { id } = await start()
  const claimed = await claim(long)
  const broken = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
  let asked = 0
  // The first statement fails because the database is unreachable, and so does the first one that releases the runs.
  const failing = new Proxy(world.database.sql, {
    apply: (sql, self, args) => {
      const [texts] = args as [readonly string[]]
      return texts.join('').trimStart().startsWith('with stored') ||
        (texts.join('').includes('attempts - 1') && asked++ === 0)
        ? Promise.reject(broken)
        : Reflect.apply(sql, self, args)
    },
  })
  await expect(advance(claimed, failing)).rejects.toBe(broken)
  expect(asked).toBe(2)
  expect(await rowOf(id)).toMatchObject({ status: 'active', attempts: 0, due: true, claimed: false, messages: 0 })
})

test.each([60_000, -60_000])(
  'a process whose clock is %i ms ahead waits for the time that the database returns, without a busy loop',
  async shift => {
    setSystemTime(new Date(Date.now() + shift))
    const { id } = await start('soon')
    let statements = 0
    const sql = new Proxy(world.database.sql, {
      apply: (target, self, args) => {
        if (/^\s*(with|select|update)/.test((args[0] as readonly string[])[0] ?? '')) statements++
        return Reflect.apply(target, self, args)
      },
    })
    const worker = await startRuns(sql)
    await eventually('it has sent', async () => (await rowOf(id))?.messages === 1)
    await worker.stop()
    const [row] = await world.database.sql`
    select extract(epoch from m.created_at - e.created_at) * 1000 as waited
    from messages m join workflow_runs r on r.id = m.run_id join events e on e.id = r.event_id where r.id = ${id}`
    expect(Number(row?.waited)).toBeGreaterThanOrEqual(700)
    expect(statements).toBeGreaterThan(3)
    expect(statements).toBeLessThan(30)
  },
)

describe('an arrival is not lost', () => {
  const isDue = async (id: string) => {
    const [row] = await world.database.sql`select wake_at <= now() as due from workflow_runs where id = ${id}`
    return row!.due
  }
  const paid = ['paid: waiting', 'paid: event']

  /** Starts a transaction that records an event. Returns a function that commits it. */
  const recording = (customerId: string) =>
    openTransaction(
      world.database.sql,
      tx => tx`
        insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
        values (${world.workspaceId}, uuidv7(), 'paid', 'api', 'custom', ${customerId}, '{}', 0)`,
    )

  test('an event that is recorded while the run starts to wait is found after all transactions of that time have ended', async () => {
    const id = await startFor('cart', phone())
    const { customerId } = await run(id)
    // The transaction began before the run waited, so it does not wake the run. It commits after the run has started to
    // wait.
    const commit = await recording(customerId)
    await advance(await claim(long))
    expect(await run(id)).toMatchObject({ status: 'waiting', stepId: 'paid' })
    const { sql } = world.database
    const worker = await startRuns(sql, { watermark: new Watermark(() => readTransactionSnapshot(sql), 0) })
    await eventually('the run was seen before its final check', async () => {
      const [row] = await sql`select count(*)::integer as looks from run_rechecks where run_id = ${id}`
      return row!.looks === 1
    })
    await commit()
    expect(outcomes(await run(id, ({ status }) => status === 'done'))).toEqual(paid)
    await worker.stop()
    const [row] = await sql`select count(*)::integer as looks from run_rechecks where run_id = ${id}`
    expect(row!.looks).toBe(0)
  })

  test('an event does not wait for a locked run and still wakes it', async () => {
    const customer = phone()
    const id = await startFor('cart', customer)
    await advance(await claim(long))
    const { sql } = world.database
    await sql.begin(async tx => {
      await tx`select from workflow_runs where id = ${id} for update`
      await event('paid', customer)
    })
    expect(await isDue(id)).toBe(false)
    expect(await resumeWoken(sql)).toBe(1)
    await advance(await claim(long))
    expect(outcomes(await run(id))).toEqual(paid)
    expect(await resumeWoken(sql)).toBe(0)
  })

  test('an event from a process that does not wake runs is found before the timeout ends the wait', async () => {
    const id = await startFor('cart', phone())
    const { customerId } = await run(id)
    await advance(await claim(long))
    await (await recording(customerId))()
    await world.database.sql`update workflow_runs set wake_at = now(), wait_until = now() where id = ${id}`
    await advance(await claim(long))
    expect(outcomes(await run(id))).toEqual(paid)
  })
})
