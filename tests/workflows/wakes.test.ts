/** Tests that no arrival for a run is lost, regardless of concurrent writes. */
import { beforeAll, expect, test } from 'bun:test'
import { readTransactionSnapshot, Watermark } from '../../src/platform/postgres/watermark.ts'
import { resumeWoken } from '../../src/queue/waits/index.ts'
import { advanceRuns, claimDueRuns } from '../../src/workflows/index.ts'
import { openTransaction } from '../support/database.ts'
import { outcomes, play, startRuns } from '../support/workflows.ts'
import { eventually, useWorld } from '../support/world.ts'

// No worker runs, so that only the test changes the state.
const world = useWorld({ ROLES: 'http' })
const { workflow, event, run, start, phone } = play(() => world)
const observer = { onFailure: () => {}, onPageFailure: () => {}, onUnknownType: () => {} }
const never = new AbortController().signal

beforeAll(async () => {
  await workflow({
    trigger: { eventType: 'cart' },
    start: 'wait',
    steps: { wait: { type: 'wait_for', timeout: '1h', onTimeout: null, any: [{ event: 'paid', next: null }] } },
  })
})

const claim = () => claimDueRuns(world.database.sql, { limit: 100, alone: true, claimMs: 60_000 })
const visit = async (claimed?: Awaited<ReturnType<typeof claim>>) =>
  advanceRuns(world.database.sql, claimed ?? (await claim()), observer, never)
const isDue = async (id: string) => {
  const [row] = await world.database.sql`select wake_at <= now() as due from workflow_runs where id = ${id}`
  return row!.due
}
const paid = ['wait: waiting', 'wait: event']

/** Starts a transaction that records an event. Returns a function that commits it. */
const recording = (customerId: string) =>
  openTransaction(
    world.database.sql,
    tx => tx`
      insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows)
      values (${world.workspaceId}, uuidv7(), 'paid', 'api', 'custom', ${customerId}, '{}', 0)`,
  )

test('an event that is recorded while the run starts to wait is found after all transactions of that time have ended', async () => {
  const id = await start('cart', phone())
  const { customerId } = await run(id)
  // The transaction began before the run waited, so it does not wake the run. It commits after the run has started to
  // wait.
  const commit = await recording(customerId)
  await visit()
  expect(await run(id)).toMatchObject({ status: 'waiting', stepId: 'wait' })
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

test('an event that arrives during an execution does not interrupt it, and is checked next', async () => {
  const customer = phone()
  const id = await start('cart', customer)
  await visit()
  await world.database.sql`update workflow_runs set wake_at = now() where id = ${id}`
  const claimed = await claim()
  await event('paid', customer)
  // The execution has not read the event yet and is still valid.
  await visit({ ...claimed, runs: claimed.runs.map(one => ({ ...one })) })
  if ((await run(id)).status !== 'done') {
    await resumeWoken(world.database.sql)
    expect(await isDue(id)).toBe(true)
    await visit()
  }
  expect(outcomes(await run(id))).toEqual(paid)
  const [row] = await world.database.sql`select count(*)::integer as wakes from run_arrivals where run_id = ${id}`
  expect(row!.wakes).toBe(0)
})

test('an event does not wait for a locked run and still wakes it', async () => {
  const customer = phone()
  const id = await start('cart', customer)
  await visit()
  const { sql } = world.database
  await sql.begin(async tx => {
    await tx`select from workflow_runs where id = ${id} for update`
    await event('paid', customer)
  })
  expect(await isDue(id)).toBe(false)
  expect(await resumeWoken(sql)).toBe(1)
  await visit()
  expect(outcomes(await run(id))).toEqual(paid)
  expect(await resumeWoken(sql)).toBe(0)
})

test('an event from a process that does not wake runs is found before the timeout ends the wait', async () => {
  const id = await start('cart', phone())
  const { customerId } = await run(id)
  await visit()
  await (await recording(customerId))()
  await world.database.sql`update workflow_runs set wake_at = now(), wait_until = now() where id = ${id}`
  await visit()
  expect(outcomes(await run(id))).toEqual(paid)
})
