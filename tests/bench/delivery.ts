/** Measures the delivery of a full outbox: from the commit of many outbound events to the last recorded outcome. */
import type { Sql } from '../../src/platform/postgres/client.ts'
import type { BareLoopResult, BareLoopTask } from './bare-loop.ts'
import type { BenchWorkspace, Environment } from './environment.ts'
import { each, type Figure, figure, ratio } from './figures.ts'
import { addEndpoint, inRounds, waitUntilReceived } from './latency.ts'
import { runProgram } from './programs.ts'

export const aboutDelivery =
  'every endpoint subscribes to every event, so four deliveries each, from the commit of the events to the last recorded outcome. Beside it, a bare loop of signed fetch calls to the same receiver, with the same bodies, 256 in flight.'

const endpoints = 4
const maxInFlight = endpoints * 64
const dataText =
  '{"detail": null, "status": "delivered", "conversationId": "01981b7e-3c00-7a51-9a64-1f0f5c3d7e01", "providerMessageId": "sandbox-01981b7e-3c00-7a51-9a64-1f0f5c3d7e06"}'

/** Measures delivery. `quick` uses a quarter of the events, and one round. */
export const measureDelivery = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('delivery')
  const paths = Array.from({ length: endpoints }, (_, index) => `/drain/${index}`)
  for (const path of paths) await addEndpoint(environment, workspace.call, path)

  const events = quick ? 5000 : 20_000
  const bare = async (): Promise<number> => {
    const calls = quick ? 20_000 : 60_000
    const urls = paths.map(environment.receiver.url)
    const secret = `whsec_${'x'.repeat(43)}`
    const task = { urls, inFlight: maxInFlight, calls, secret, workspaceId: workspace.id, dataText }
    const { seconds } = await runProgram<BareLoopTask, BareLoopResult>('bare-loop.ts', task)
    return calls / seconds
  }

  await drain(environment, workspace, events / 10)
  // Updates the planner statistics. Otherwise autovacuum would do it in the middle of a round.
  await environment.sql`analyze`
  const rounds = await inRounds(quick ? 1 : 3, async () => {
    const besideRate = await bare()
    await environment.sql`checkpoint`
    return { bare: besideRate, ...(await drain(environment, workspace, events)) }
  })
  const beside = { name: 'bare fetch loop:', rounds: each(rounds, 'bare') }
  const name = `${events.toLocaleString('en-US')} events to ${endpoints} endpoints`
  return [
    figure('delivery', name, 'deliveries/s', each(rounds, 'rate'), beside, ratio.atLeast(0.4)),
    figure('delivery', 'processor time of the service for a delivery', 'us', each(rounds, 'cpuUs')),
  ]
}

interface Drained {
  /** Deliveries per second, from the commit of the rows to the last recorded outcome. */
  rate: number
  /** Processor time of the service per delivery, in microseconds. */
  cpuUs: number
}

/** Records events and waits until their deliveries are recorded. */
const drain = async (environment: Environment, { id }: BenchWorkspace, events: number): Promise<Drained> => {
  const { sql, receiver, service } = environment
  const deliveries = events * endpoints
  const before = await deliveredCount(sql, id)
  await receiver.take()
  await sql`
    insert into outbound_events (workspace_id, type, data)
    select ${id}, 'message.status', ${dataText}::text::jsonb from generate_series(1, ${events}::integer)`
  const [from, cpuMs] = [performance.now(), await service.cpuMs()]
  await waitUntilReceived(environment, deliveries, 120_000)
  while (await isAnyDue(sql, id)) await Bun.sleep(5)
  const seconds = (performance.now() - from) / 1000
  const cpuUs = (1000 * ((await service.cpuMs()) - cpuMs)) / deliveries
  const delivered = (await deliveredCount(sql, id)) - before
  if (delivered !== deliveries) throw new Error(`${delivered} of ${deliveries} deliveries are recorded as delivered`)
  return { rate: deliveries / seconds, cpuUs }
}

const isAnyDue = async (sql: Sql, workspaceId: string): Promise<boolean> => {
  const [row] = await sql<{ due: boolean }[]>`
    select exists (select 1 from deliveries where workspace_id = ${workspaceId} and due_at is not null) as due`
  return row!.due
}

const deliveredCount = async (sql: Sql, workspaceId: string): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from deliveries where workspace_id = ${workspaceId} and status = 'delivered'`
  return row!.count
}
