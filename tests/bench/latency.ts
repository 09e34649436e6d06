/** Measures latency under low load: from a commit, or from a 201, to the receiver. */

import { newId } from '../../src/core/ids.ts'
import type { Sql } from '../../src/platform/postgres/client.ts'
import type { BenchWorkspace, Call, Environment } from './environment.ts'
import { type Figure, figure, median, percentile, ratio } from './figures.ts'
import { clock } from './programs.ts'
import type { Arrival } from './receiver.ts'

export const aboutLatency =
  'to the moment the receiver has the request; from the commit, as the one who commits sees it, or from the 201 of an event that starts a workflow without delay.'

/** Measures the time from the commit of an outbound event to its only endpoint, at 200 per second. */
export const measureOutboundLatency = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('outbound latency')
  await addEndpoint(environment, workspace.call, '/latency')
  const measure = async (seconds: number) => waitsOf(await emit(environment, () => workspace.id, 200, seconds, 1))
  await measure(1)
  const rounds = await inRounds(quick ? 1 : 3, () => measure(quick ? 4 : 6))
  const name = '200 outbound events/s, commit to receiver'
  return [
    figure('latency', `${name}, p50`, 'ms', rounds.map(p50), null, median.atMost(0.8)),
    figure('latency', `${name}, p95`, 'ms', rounds.map(p95), null, median.atMost(1.5)),
  ]
}

/**
 * Measures the time from the 201 of an event, through a workflow without delay, to the webhook that reports its message
 * as delivered.
 */
export const measureMainJobLatency = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('main job latency')
  await addEndpoint(environment, workspace.call, '/main-job')
  await addSendingWorkflow(workspace)
  let phones = 0
  const measure = (seconds: number) => waitsFromEvents(environment, workspace, 50, seconds, () => phones++)
  await measure(1)
  const rounds = await inRounds(quick ? 1 : 3, () => measure(quick ? 4 : 6))
  const name = '50 events/s, 201 to message.status'
  return [
    figure('latency', `${name}, p50`, 'ms', rounds.map(p50), null, median.atMost(60)),
    figure('latency', `${name}, p95`, 'ms', rounds.map(p95)),
  ]
}

const healthy = 9

/** Measures nine endpoints with and without a tenth that answers after ten seconds. */
export const measureHangingNeighbour = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('hanging neighbour')
  for (let index = 0; index < healthy; index++) await addEndpoint(environment, workspace.call, `/healthy/${index}`)
  const measure = async (seconds: number) => waitsOf(await emit(environment, () => workspace.id, 20, seconds, healthy))
  await measure(1)
  const without: number[] = []
  const withHanging: number[] = []
  for (let round = 0; round < (quick ? 1 : 4); round++) {
    const seconds = 4
    without.push(p95(await measure(seconds)))
    const { id } = await addEndpoint(environment, workspace.call, '/hang')
    // The first attempts must be hanging before the measurement begins.
    await measure(1)
    withHanging.push(p95(await measure(seconds)))
    await workspace.call('DELETE', `/v1/webhooks/${id}`)
  }
  const beside = { name: 'without it:', rounds: without }
  const name = `20 events/s to ${healthy} endpoints beside one that hangs, p95`
  return [figure('latency', name, 'ms', withHanging, beside, ratio.atMost(1.2))]
}

export const p50 = (waits: number[]): number => percentile(waits, 0.5)
export const p95 = (waits: number[]): number => percentile(waits, 0.95)

export const inRounds = async <T>(rounds: number, measure: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let round = 0; round < rounds; round++) results.push(await measure())
  return results
}

export const addEndpoint = (
  { receiver }: Environment,
  call: Call,
  path: string,
  type = 'message.status',
): Promise<{ id: string }> => call('POST', '/v1/webhooks', { url: receiver.url(path), events: [type] })

/** Adds a workflow that answers every `order.created` with a message over the sandbox. */
export const addSendingWorkflow = async ({ call, workflow }: BenchWorkspace): Promise<void> => {
  await call('POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  await workflow('Thanks', {
    trigger: { eventType: 'order.created' },
    start: 'write',
    steps: { write: { type: 'send_message', text: 'Thank you, {{customer.name}}', next: null } },
  })
}

/** Start times by the id that identifies an arrival, and the arrivals. */
interface Observed {
  beganAt: Map<string, number>
  arrivals: Arrival[]
}

export const waitsOf = ({ beganAt, arrivals }: Observed): number[] =>
  arrivals.flatMap(({ eventId, at }) => {
    const began = beganAt.get(eventId)
    return began === undefined ? [] : [at - began]
  })

/** Commits outbound events at a steady rate. Each is expected at a given number of responding endpoints. */
export const emit = async (
  { sql, receiver }: Environment,
  workspaceOfNext: () => string,
  perSecond: number,
  seconds: number,
  expectedBy: number,
): Promise<Observed> => {
  const beganAt = new Map<string, number>()
  await receiver.take(true)
  await atRate(perSecond, seconds, async () => {
    const id = newId()
    const data = { conversationId: newId(), providerMessageId: `sandbox-${id}`, status: 'delivered', detail: null }
    await sql`
      insert into outbound_events (workspace_id, id, type, data)
      values (${workspaceOfNext()}, ${id}, 'message.status', ${JSON.stringify(data)}::text::jsonb)`
    beganAt.set(id, clock())
  })
  return { beganAt, arrivals: await arrivalsOf({ receiver }, beganAt.size * expectedBy) }
}

/** Returns the milliseconds from each event's 201 to the webhook of its message. */
const waitsFromEvents = async (
  environment: Environment,
  workspace: BenchWorkspace,
  perSecond: number,
  seconds: number,
  nextPhone: () => number,
): Promise<number[]> => {
  const { sql, receiver, service } = environment
  const answeredAt = new Map<string, number>()
  await receiver.take(true)
  await atRate(perSecond, seconds, async () => {
    const phone = `+4915${10_000_000 + nextPhone()}`
    const response = await fetch(`${service.url}/v1/events`, {
      method: 'POST',
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'order.created', phone, name: 'Ana', data: { total: 1 }, idempotencyKey: phone }),
    })
    const at = clock()
    const { recorded, event } = (await response.json()) as { recorded: boolean; event: { customerId: string } }
    if (response.status !== 201 || !recorded) throw new Error(`an event was answered with ${response.status}`)
    answeredAt.set(event.customerId, at)
  })
  const arrivals = await arrivalsOf({ receiver }, answeredAt.size)
  const customers = await customersToldOf(sql, workspace.id)
  return arrivals.map(({ eventId, at }) => at - answeredAt.get(customers.get(eventId)!)!)
}

/** Maps outbound events to the customer of the message. */
const customersToldOf = async (sql: Sql, workspaceId: string): Promise<Map<string, string>> => {
  const rows = await sql<{ id: string; customerId: string }[]>`
    select e.id, c.customer_id as "customerId"
    from outbound_events e
    join conversations c on c.workspace_id = e.workspace_id and c.id = (e.data ->> 'conversationId')::uuid
    where e.workspace_id = ${workspaceId}`
  return new Map(rows.map(({ id, customerId }) => [id, customerId]))
}

/** Starts `work` at this rate without waiting for earlier calls. Resolves when all calls have ended. */
export const atRate = async (perSecond: number, seconds: number, work: () => Promise<void>): Promise<void> => {
  const begun: Promise<void>[] = []
  const failures: unknown[] = []
  const from = performance.now()
  for (let count = 0; count < perSecond * seconds && failures.length === 0; count++) {
    const wait = from + (count * 1000) / perSecond - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    begun.push(work().catch(error => void failures.push(error)))
  }
  await Promise.all(begun)
  if (failures.length > 0) throw failures[0]
}

const arrivalsOf = async ({ receiver }: Pick<Environment, 'receiver'>, expected: number): Promise<Arrival[]> => {
  await waitUntilReceived({ receiver }, expected, 15_000)
  const { arrivals } = await receiver.take()
  return arrivals.filter(({ path }) => !path.startsWith('/hang'))
}

/**
 * Resolves when `expected` requests have arrived since the last `take` of the receiver's state. Rejects after `maxMs`.
 */
export const waitUntilReceived = async (
  { receiver }: Pick<Environment, 'receiver'>,
  expected: number,
  maxMs: number,
): Promise<void> => {
  const from = performance.now()
  while ((await receiver.count()) < expected) {
    if (performance.now() - from > maxMs) throw new Error(`fewer than ${expected} deliveries arrived`)
    await Bun.sleep(20)
  }
}
