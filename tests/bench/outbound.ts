/**
 * Measures causes of webhooks, through to the receiver: API calls, and events whose workflow writes to the customer.
 */
import { type BenchWorkspace, type Environment, warmUpSeconds } from './environment.ts'
import { each, type Figure, figure, median } from './figures.ts'
import type { LoadResult } from './hammer.ts'
import { addCustomers, rateOf } from './ingest.ts'
import { addEndpoint, addSendingWorkflow, atRate, inRounds, p50, p95, waitUntilReceived } from './latency.ts'
import { numberedCustomer, type OptOutTask } from './opt-outs.ts'
import { clock, runProgram } from './programs.ts'

export const aboutOutbound =
  'calls are opt-outs, each of another customer; the whole way is an event recorded, its workflow started, a message sent over the sandbox, and the webhook that tells of it received. Sustained: until the last webhook is in. The part delivered is counted when the last event is answered.'

const preparedCustomers = 400_000

/** Measures opt-outs: from the answer to the webhook at 200 per second, and at the maximum rate of 256 connections. */
export const measureOptOuts = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('opt-outs')
  await workspace.call('POST', '/v1/channels', { kind: 'sandbox', name: 'Sandbox' })
  await addEndpoint(environment, workspace.call, '/opted-out', 'customer.opted_out')
  await addNumberedCustomers(environment, workspace)
  let next = 0
  const measureWaits = (seconds: number) => waitsFromAnswers(environment, workspace, seconds, () => next++)
  await measureWaits(1)
  const waits = await inRounds(quick ? 1 : 3, () => measureWaits(quick ? 4 : 6))

  const load = async (seconds: number): Promise<LoadResult> => {
    const { apiKey } = workspace
    const { port } = environment.service
    const task = { port, apiKey, connections: 256, warmUpSeconds, seconds, firstCustomer: next }
    const result = await runProgram<OptOutTask, LoadResult>('opt-outs.ts', task)
    next += result.answeredInAll
    return result
  }
  await environment.receiver.take()
  const before = next
  await load(1)
  const loads = await inRounds(quick ? 1 : 3, () => load(quick ? 2 : 4))
  await waitUntilReceived(environment, next - before, 120_000)
  const name = '200 opt-outs/s, answer to receiver'
  return [
    figure('outbound', `${name}, p50`, 'ms', waits.map(p50), null, median.atMost(0.8)),
    figure('outbound', `${name}, p95`, 'ms', waits.map(p95), null, median.atMost(1.5)),
    figure('outbound', 'opt-outs, 256 connections', 'calls/s', loads.map(rateOf), null, median.atLeast(6000)),
  ]
}

/**
 * Measures events whose workflow writes immediately: sustained at 64 connections, and delivered while 256 connections
 * saturate the service.
 */
export const measureWholeWay = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('whole way')
  await addEndpoint(environment, workspace.call, '/whole-way')
  await addSendingWorkflow(workspace)
  await addCustomers(environment.sql, workspace.id)
  const load = async (connections: number, seconds: number): Promise<Way> => {
    await environment.receiver.take()
    const { answeredInAll, beganAt } = await workspace.record(environment.service.port, { connections, seconds })
    const share = (await environment.receiver.count()) / answeredInAll
    await waitUntilReceived(environment, answeredInAll, 120_000)
    return { perSecond: (answeredInAll * 1000) / (clock() - beganAt), share }
  }
  await load(64, 1)
  const rounds = await inRounds(quick ? 1 : 3, async () => ({
    sustained: await load(64, quick ? 3 : 8),
    saturated: await load(256, quick ? 3 : 8),
  }))
  const sustained = each(each(rounds, 'sustained'), 'perSecond')
  const delivered = rounds.map(({ saturated }) => 100 * saturated.share)
  const all = each(each(rounds, 'saturated'), 'perSecond')
  return [
    figure('outbound', 'the whole way, 64 connections, sustained', 'events/s', sustained, null, median.atLeast(4500)),
    figure('outbound', 'delivered while 256 connections record', '%', delivered, null, median.atLeast(90)),
    figure('outbound', 'the whole way, 256 connections, sustained', 'events/s', all),
  ]
}

interface Way {
  /** Events delivered per second. */
  perSecond: number
  /** Share of the events, 0 to 1, that was delivered when the last event was answered. */
  share: number
}

const addNumberedCustomers = ({ sql }: Environment, { id }: BenchWorkspace) => sql`
  insert into customers (workspace_id, id, phone, name)
  select ${id}, (${numberedCustomer(0).slice(0, -12)} || lpad(n::text, 12, '0'))::uuid, '+49151' || lpad(n::text, 8, '0'), 'Ana'
  from generate_series(0, ${preparedCustomers - 1}::integer) as n`

/** Returns the milliseconds from the answer of each opt-out to its webhook. Negative if the webhook came first. */
const waitsFromAnswers = async (
  { service, sql, receiver }: Environment,
  { id: workspaceId, apiKey }: BenchWorkspace,
  seconds: number,
  nextCustomer: () => number,
): Promise<number[]> => {
  const answeredAt = new Map<string, number>()
  await receiver.take(true)
  await atRate(200, seconds, async () => {
    const customer = numberedCustomer(nextCustomer())
    const response = await fetch(`${service.url}/v1/customers/${customer}/opt-out`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: '{"reason":"stop"}',
    })
    const at = clock()
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`an opt-out was answered with ${response.status}`)
    answeredAt.set(customer, at)
  })
  await waitUntilReceived({ receiver }, answeredAt.size, 15_000)
  const { arrivals } = await receiver.take()
  const told = await sql<{ id: string; customerId: string }[]>`
    select outbound_event_id as id, customer_id as "customerId" from consents
    where workspace_id = ${workspaceId} and outbound_event_id = any(${arrivals.map(({ eventId }) => eventId)}::uuid[])`
  const customerOf = new Map(told.map(({ id, customerId }) => [id, customerId]))
  return arrivals.flatMap(({ eventId, at }) => {
    const answered = answeredAt.get(customerOf.get(eventId) ?? '')
    return answered === undefined ? [] : [at - answered]
  })
}
