/** Measures slow receivers: a single one, and 900 of 1,000 that never answer in time. */
import type { BenchWorkspace, Environment } from './environment.ts'
import { type Figure, figure, median, percentile, ratio } from './figures.ts'
import { addEndpoint, emit, inRounds, p95, waitsOf, waitUntilReceived } from './latency.ts'

export const aboutSlow =
  'one endpoint whose receiver answers after 200 ms, or after 1 s, from the commit of the events to the last arrival; and 100 workspaces with one endpoint each that answers, beside nine each that hang for ten seconds, 100 events a second.'

/** Measures a receiver that takes 200 ms, and one that takes a second. */
export const measureSlowReceivers = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const figures: Figure[] = []
  const events = quick ? 2000 : 6000
  for (const waitMs of [200, 1000]) {
    const workspace = await environment.workspace(`slow ${waitMs}`)
    await addEndpoint(environment, workspace.call, `/slow/${waitMs}`)
    const rates = await inRounds(quick ? 1 : 3, () => drained(environment, workspace, events))
    const name = `one receiver that takes ${waitMs} ms, ${events.toLocaleString('en-US')} events`
    figures.push(figure('slow', name, 'deliveries/s', rates, null, median.atLeast(1500)))
  }
  return figures
}

const drained = async (environment: Environment, { id }: BenchWorkspace, events: number): Promise<number> => {
  await environment.receiver.take()
  const from = performance.now()
  await addOutboundEvents(environment, id, events)
  await waitUntilReceived(environment, events, 120_000)
  return (events * 1000) / (performance.now() - from)
}

/** Inserts outbound events of one workspace in one commit. */
export const addOutboundEvents = ({ sql }: Environment, workspaceId: string, events: number) => sql`
  insert into outbound_events (workspace_id, type, data)
  select ${workspaceId}, 'message.status',
    '{"detail": null, "status": "delivered", "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01", "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06"}'
  from generate_series(1, ${events}::integer)`

const workspaces = 100
const hangingEach = 9

/** Measures the responding endpoints with and without nine times as many hanging ones. */
export const measureManyHanging = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const ids = await addWorkspaces(environment)
  await addEndpoints(environment, ids, '/healthy', 1)
  let turn = 0
  const measure = async (seconds: number) =>
    p95(waitsOf(await emit(environment, () => ids[turn++ % ids.length]!, 100, seconds, 1)))
  await measure(2)
  const without = await inRounds(quick ? 1 : 3, () => measure(4))
  await addEndpoints(environment, ids, '/hang', hangingEach)
  // Every hanging endpoint must have an attempt in flight before the measurement begins.
  await measure(3)
  const withHanging = await inRounds(without.length, () => measure(quick ? 4 : 12))
  // Disables the hanging endpoints, so that they do not affect the next measurement.
  await environment.sql`update webhooks set enabled = false where workspace_id = any(${ids}::uuid[])`
  const usual = percentile(without, 0.5)
  const beside = { name: 'without them:', rounds: without.map(() => usual) }
  const name = `100 events/s, ${workspaces} endpoints beside ${workspaces * hangingEach} that hang, p95`
  return [figure('slow', name, 'ms', withHanging, beside, ratio.atMost(1.5))]
}

const addWorkspaces = async ({ sql }: Environment): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    insert into workspaces (name, plan_id) select 'hanging ' || n, 'unlimited' from generate_series(1, ${workspaces}::integer) n
    returning id`
  return rows.map(({ id }) => id)
}

const addEndpoints = ({ sql, receiver }: Environment, workspaceIds: string[], path: string, each: number) => sql`
  insert into webhooks (workspace_id, url, events, secret)
  select workspace_id, ${receiver.url(path)} || '/' || n, '{message.status}', convert_to('whsec_' || repeat('x', 43), 'UTF8')
  from unnest(${workspaceIds}::uuid[]) as workspace_id, generate_series(1, ${each}::integer) n`
