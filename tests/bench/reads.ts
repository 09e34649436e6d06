/** Measures reads by people and programs at 64 connections, and signing in at 16: the same request repeatedly. */
import type { Sql } from '../../src/platform/postgres/client.ts'
import {
  type BenchService,
  type BenchWorkspace,
  benchPassword,
  type Environment,
  knownCustomers,
  warmUpSeconds,
} from './environment.ts'
import { type Figure, figure } from './figures.ts'
import { type LoadResult, requestText } from './hammer.ts'
import { addCustomers } from './ingest.ts'
import { addEndpoint, addSendingWorkflow, waitUntilReceived } from './latency.ts'
import { knownPhone } from './load.ts'
import { runProgram } from './programs.ts'
import type { RepeatTask } from './repeat.ts'

export const aboutReads =
  'one and the same request on 64 connections, each sent when the last is answered, by the signed-in owner of a workspace with 10,000 customers, 50,000 events, and 200 orders whose workflow wrote to a customer and whose webhooks went out. Signing in, on 16 connections, hashes a password, which is meant to cost processor time.'

const connections = 64
/** Fewer than the sign-ins that can wait for a password hash on one processor. */
const signInConnections = 16
const orders = 200

/** Measures the reads; `quick` takes half a second for each. */
export const measureReads = async (environment: Environment, quick: boolean): Promise<Figure[]> => {
  const workspace = await environment.workspace('reads')
  await fill(environment, workspace)
  const headers = { Authorization: `Bearer ${workspace.owner.token}` }
  const figures: Figure[] = []
  for (const path of await pathsOf(workspace)) {
    const name = `GET ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '{id}')}`
    const request = requestText('GET', path, headers)
    figures.push(...(await measured(environment.service, name, { request, connections, seconds: quick ? 0.5 : 2 })))
  }
  const credentials = JSON.stringify({ email: workspace.owner.email, password: benchPassword })
  const signIn = requestText('POST', '/v1/auth/sign-in', {}, credentials)
  // By default, a person has ten attempts in ten minutes.
  const unlimited = await environment.serviceWith({ RATE_LIMIT_SIGN_IN: '0' })
  const load = { request: signIn, connections: signInConnections, seconds: quick ? 2 : 30 }
  figures.push(...(await measured(unlimited, 'POST /v1/auth/sign-in', load)))
  await unlimited.stop()
  return figures
}

const measured = async (
  { port }: BenchService,
  name: string,
  load: Pick<RepeatTask, 'request' | 'connections' | 'seconds'>,
): Promise<Figure[]> => {
  const task: RepeatTask = { port, warmUpSeconds, status: 200, ...load }
  const result = await runProgram<RepeatTask, LoadResult>('repeat.ts', task)
  return [
    figure('reads', name, 'requests/s', [result.answered / result.seconds]),
    figure('reads', `${name}, p99`, 'ms', [result.p99]),
  ]
}

const fill = async (environment: Environment, workspace: BenchWorkspace): Promise<void> => {
  const { sql, receiver } = environment
  const { id, call } = workspace
  await addCustomers(sql, id)
  await addEvents(sql, id)
  await addEndpoint(environment, call, '/reads')
  await addSendingWorkflow(workspace)
  await receiver.take()
  const events = Array.from({ length: orders }, (_, index) => ({
    type: 'order.created',
    phone: knownPhone(index),
    data: { orderId: `A-${index}`, total: 129.9 },
    optIn: { evidence: 'the box at the checkout' },
  }))
  await call('POST', '/v1/events/batch', { events })
  await waitUntilReceived(environment, orders, 60_000)
  await sql`analyze`
}

const addEvents = (sql: Sql, workspaceId: string) => sql`
  insert into events (workspace_id, id, type, source, sender, customer_id, data, matched_workflows, reason)
  select ${workspaceId}, uuidv7(), 'cart.changed', 'api', 'custom', c.id, '{"items": 3, "total": 129.9}', 0, 'no_listener'
  from customers c cross join generate_series(1, 5) where c.workspace_id = ${workspaceId}`

/** Returns every path that answers GET, with ids of existing records. */
const pathsOf = async ({ call }: BenchWorkspace): Promise<string[]> => {
  const first = async (path: string): Promise<string> => (await call('GET', path)).data[0].id
  const [event, webhook, workflow, outbound] = [
    await first('/v1/events?type=order.created'),
    await first('/v1/webhooks'),
    await first('/v1/workflows'),
    await first('/v1/outbound-events'),
  ]
  const { customerId } = await call('GET', `/v1/events/${event}`)
  const delivery = await first(`/v1/webhooks/${webhook}/deliveries`)
  return [
    '/v1/auth/session',
    '/v1/customers',
    `/v1/customers?q=${encodeURIComponent(knownPhone(knownCustomers - 1).slice(1))}`,
    `/v1/customers/${customerId}`,
    `/v1/customers/${customerId}/timeline`,
    '/v1/events',
    '/v1/events?type=order.created',
    `/v1/events/${event}`,
    '/v1/activity/events',
    '/v1/activity/not-accepted',
    '/v1/workflows',
    `/v1/workflows/${workflow}`,
    `/v1/workflows/${workflow}/runs`,
    '/v1/messages',
    '/v1/channels',
    '/v1/webhooks',
    `/v1/webhooks/${webhook}/deliveries`,
    `/v1/webhooks/${webhook}/deliveries/${delivery}`,
    '/v1/outbound-events',
    `/v1/outbound-events/${outbound}`,
    '/v1/api-keys',
    '/v1/members',
    '/v1/entitlements',
  ]
}
