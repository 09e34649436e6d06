/** Measures runs of three steps, from the event that starts each to its end and the outcome of its message. */
import type { Sql } from '../../src/platform/postgres/client.ts'
import type { Environment } from './environment.ts'
import { each, type Figure, figure, median } from './figures.ts'
import { addCustomers, rateOf, shopOf } from './ingest.ts'
import { inRounds } from './latency.ts'
import { clock } from './programs.ts'

export const aboutRuns =
  'each event starts a run that asks a condition, sets an attribute of the customer and writes over the sandbox. Counted from the first event to the end of the last run and the last status of its message. Beside it events recorded over as many connections that start nothing.'

/** Measures completed runs, started by 64 and by 256 connections. */
export const measureRuns = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const shop = await shopOf(environment)
  const runs = await runsOf(environment)
  const seconds = quick ? 3 : 8
  await shop.load(environment.service.port, 64, 1)
  await runs(64, 1)
  const figures: Figure[] = []
  for (const connections of [64, 256]) {
    const rounds = await inRounds(quick ? 1 : 3, async () => {
      await environment.sql`checkpoint`
      const recorded = rateOf(await shop.load(environment.service.port, connections, seconds))
      return { recorded, ended: await runs(connections, seconds) }
    })
    const beside = { name: 'events recorded:', rounds: each(rounds, 'recorded') }
    const goal = connections === 256 ? median.atLeast(3000) : null
    const name = `of three steps, ${connections} connections`
    figures.push(figure('runs', name, 'runs/s', each(rounds, 'ended'), beside, goal))
  }
  return figures
}

/** Creates a workspace whose events start such runs. Returns runs per second, up to the end of the last. */
const runsOf = async ({ sql, service, workspace: newWorkspace }: Environment) => {
  const workspace = await newWorkspace('runs')
  const workspaceId = workspace.id
  await workspace.call('POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  await addCustomers(sql, workspaceId)
  await workspace.workflow('Orders', definition)
  let started = 0
  return async (connections: number, seconds: number): Promise<number> => {
    const { answeredInAll, beganAt } = await workspace.record(service.port, { connections, seconds })
    started += answeredInAll
    await untilOver(sql, workspaceId)
    const rate = (answeredInAll * 1000) / (clock() - beganAt)
    await assertAllDone(sql, workspaceId, started)
    return rate
  }
}

const definition = {
  trigger: { eventType: 'order.created' },
  start: 'large',
  steps: {
    large: { type: 'condition', if: { path: 'trigger.data.total', op: 'gt', value: 100 }, then: 'note', else: 'write' },
    note: { type: 'set_attribute', set: { lastOrder: '{{trigger.data.orderId}}' }, next: 'write' },
    write: { type: 'send_message', text: 'Thank you, {{customer.name}}', next: null },
  },
}

const untilOver = async (sql: Sql, workspaceId: string): Promise<void> => {
  for (const from = performance.now(); performance.now() - from < 120_000; await Bun.sleep(20)) {
    const [row] = await sql<{ over: boolean }[]>`
      select not exists (select from workflow_runs where workspace_id = ${workspaceId} and wake_at is not null)
        and not exists (select from messages where workspace_id = ${workspaceId} and due_at is not null) as over`
    if (row!.over) return
  }
  throw new Error('the runs are not over after two minutes')
}

/** Fails unless every run and message has the expected outcome. The speed of wrong results is worthless. */
const assertAllDone = async (sql: Sql, workspaceId: string, started: number): Promise<void> => {
  const [row] = await sql<{ done: number; steps: number; messages: Record<string, number> }[]>`
    select (select count(*) from workflow_runs where workspace_id = ${workspaceId} and status = 'done') as done,
      (select sum(steps_taken)::integer from workflow_runs where workspace_id = ${workspaceId}) as steps,
      (select json_object_agg(outcome, count) from (
        -- The sandbox fails what goes to numbers of this ending, as it should.
        select case when co.handle like '%0000' and m.status = 'failed' then 'delivered' else m.status end as outcome, count(*)
        from messages m join conversations co on co.workspace_id = m.workspace_id and co.id = m.conversation_id
        where m.workspace_id = ${workspaceId} group by outcome) m) as messages`
  const { done, steps, messages } = row!
  if (done !== started || steps !== 3 * started || messages.delivered !== started)
    throw new Error(
      `of ${started} runs ${done} are done, with ${steps} steps, and of their messages ${JSON.stringify(messages)}`,
    )
}
