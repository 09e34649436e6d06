/** `bench`: measures a running service over its API, in a workspace without real recipients. */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { parseArguments } from './arguments.ts'
import { readEnvironment } from './environment.ts'
import { ClientError } from './errors.ts'
import { sendRequest } from './http.ts'
import { createInterruption } from './interruption.ts'
import { pullPage } from './pull.ts'
import {
  callService,
  readService,
  readSession,
  type Service,
  serviceOptions,
  serviceOptionsHelp,
  toApiError,
} from './service.ts'
import type { Identified } from './stage.ts'

const limits = { seconds: { default: 10, max: 60 }, connections: { default: 16, max: 256 } }

/** Number of customers that the events belong to. */
const customers = 100

export const benchUsage = `bench --token TOKEN --key KEY [--url BASE] [--seconds ${limits.seconds.default}] [--connections ${limits.connections.default}] [--json], for example bench --seconds 5 --json
${serviceOptionsHelp}
  --key KEY      API key of the same workspace (or CUSTOMER_ENGAGEMENT_KEY), which records the events
  --seconds      seconds for which events are recorded, at most ${limits.seconds.max}
  --connections  concurrent calls, at most ${limits.connections.max}
  --json         print the figures as JSON
The workspace must have only sandbox channels. Its events and ${customers} customers remain.`

/** Type of the recorded events, with which no workflow may start. */
const eventType = 'bench.measured'
/** Number of messages whose outbound event is timed. Each takes two or three calls of the access token. */
const samples = 20
const sampleWaitSeconds = 10

/** Percentiles in milliseconds. Null without a measurement. */
interface Percentiles {
  p50Ms: number | null
  p99Ms: number | null
}

/** Figures of a measurement. */
interface Report {
  url: string
  workspace: { id: string; name: string }
  seconds: number
  connections: number
  /** Recorded events, with the time from the call to its response. */
  events: Percentiles & { recorded: number; perSecond: number; rateLimited: number; failed: number }
  /** Outbound events, with the time from the call that causes one until it is pulled. */
  outboundEvents: Percentiles & { measured: number }
}

/** Measures, prints the figures and returns 0, or 1 if calls failed. Throws ClientError. */
export const bench = async (args: string[]): Promise<number> => {
  const { values } = parseArguments({
    args,
    options: {
      ...serviceOptions,
      key: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const [seconds, connections] = [readNumber('seconds', values.seconds), readNumber('connections', values.connections)]
  const service = readService(values)
  const key = values.key ?? readEnvironment().key ?? ''
  if (!/^[\w-]+$/.test(key)) throw new ClientError('The API key is missing or not valid. Pass it with --key.', 2)
  const { workspace } = await readSession(service)
  const channelId = await findOnlySandboxes(service, workspace.name)
  const interruption = createInterruption()
  const { signal } = interruption
  const target = { service, key, workspaceId: workspace.id, signal }
  try {
    await checkEvent(target)
    const events = await measureEvents(target, seconds, connections)
    const outboundEvents = await measureOutboundEvents(service, channelId, signal)
    if (signal.aborted) return 1
    const { id, name } = workspace
    const report = { url: service.url, workspace: { id, name }, seconds, connections, events, outboundEvents }
    process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : format(report))
    return events.failed === 0 && outboundEvents.measured === samples ? 0 : 1
  } catch (error) {
    if (signal.aborted) return 1
    throw error
  } finally {
    interruption.release()
  }
}

const readNumber = (name: keyof typeof limits, text: string | undefined): number => {
  const value = text === undefined ? limits[name].default : Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= limits[name].max) return value
  throw new ClientError(`--${name} must be a whole number from 1 to ${limits[name].max}, not "${text}".`, 2)
}

interface Channel extends Identified {
  kind: string
  status: string
}

/** Returns the ID of a connected sandbox. Throws ClientError if the workspace has another channel, or no sandbox. */
const findOnlySandboxes = async (service: Service, name: string): Promise<string> => {
  let sandboxId: string | null = null
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await callService<{ data: Channel[]; nextCursor: string | null }>(
      service,
      'GET',
      `/v1/channels?limit=100${query}`,
    )
    const connected = page.data.filter(({ status }) => status !== 'disconnected')
    const other = connected.find(({ kind }) => kind !== 'sandbox')
    if (other)
      throw new ClientError(
        `The workspace "${name}" has a channel to real people (${other.kind}). Use a workspace with only sandbox channels.`,
      )
    sandboxId ??= connected[0]?.id ?? null
    cursor = page.nextCursor
  } while (cursor !== null)
  if (sandboxId === null) throw new ClientError(`The workspace "${name}" has no sandbox channel. Connect one.`)
  return sandboxId
}

/** Calls the service with the API key. A key of another workspace gets 404. Throws ConnectionError. */
const callWithKey = ({ service, key, workspaceId, signal }: Target, path: string, body: object, agent?: http.Agent) =>
  sendRequest(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'X-Workspace-Id': workspaceId,
      'Content-Type': 'application/json',
      Accept: 'application/json',
    },
    body: JSON.stringify(body),
    timeoutMs: 30_000,
    signal,
    ...(agent && { agent }),
  })

/** Checks an event. Throws ClientError if the key is not of the workspace, or if a workflow starts with the event. */
const checkEvent = async (target: Target): Promise<void> => {
  const response = await callWithKey(target, '/v1/events/check', { type: eventType, phone: phoneOf(0) })
  if (response.status === 404) throw new ClientError('The API key belongs to another workspace than the access token.')
  if (response.status !== 200) throw toApiError(target.service, response)
  const { matchedWorkflows } = JSON.parse(response.text) as { matchedWorkflows: number }
  if (matchedWorkflows > 0) throw new ClientError(`A workflow starts with the type ${eventType}. Disable it.`)
}

/** Returns a number that belongs to no phone. */
const phoneOf = (customer: number): string => `+1555010${4500 + customer}`

interface Target {
  service: Service
  key: string
  workspaceId: string
  signal: AbortSignal
}

/** Records events on all connections, each after the response to the one before. */
const measureEvents = async (target: Target, seconds: number, connections: number): Promise<Report['events']> => {
  const { service, signal } = target
  const agent = new (service.url.startsWith('https:') ? https : http).Agent({
    keepAlive: true,
    maxSockets: connections,
  })
  const times: number[] = []
  let [rateLimited, failed, sent] = [0, 0, 0]
  const from = performance.now()
  const end = from + seconds * 1000
  const record = async () => {
    while (performance.now() < end && !signal.aborted) {
      const began = performance.now()
      const data = { orderId: randomUUID(), total: 129.9, currency: 'EUR', items: 3, channel: 'web' }
      const body = { type: eventType, phone: phoneOf(sent++ % customers), data, idempotencyKey: randomUUID() }
      const { status } = await callWithKey(target, '/v1/events', body, agent)
      if (status === 201) times.push(performance.now() - began)
      else if (status === 429) rateLimited++
      else failed++
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, record))
  } finally {
    agent.destroy()
  }
  const perSecond = Math.round((10 * times.length) / ((performance.now() - from) / 1000)) / 10
  return { recorded: times.length, perSecond, ...percentilesOf(times), rateLimited, failed }
}

/** Writes messages as a customer in the sandbox, and times the arrival of each `message.received`. */
const measureOutboundEvents = async (
  service: Service,
  channelId: string,
  signal: AbortSignal,
): Promise<Report['outboundEvents']> => {
  const types = ['message.received']
  const times: number[] = []
  let after = await pull(service, { after: null, types, wait: 0, signal })
  for (let sample = 0; sample < samples && !signal.aborted; sample++) {
    const arriving = pull(service, { after: after.cursor, types, wait: sampleWaitSeconds, signal })
    const began = performance.now()
    const body = { from: phoneOf(sample), text: `Measurement ${sample + 1}` }
    const written = callService<Identified>(service, 'POST', `/v1/channels/${channelId}/sandbox/messages`, body)
    const [{ id }, first] = await Promise.all([written, arriving])
    after = first
    // Events of others can arrive first.
    while (!after.bodies.some(text => text.includes(id)) && performance.now() - began < sampleWaitSeconds * 1000)
      after = await pull(service, { after: after.cursor, types, wait: sampleWaitSeconds, signal })
    if (after.bodies.some(text => text.includes(id))) times.push(after.at - began)
  }
  return { measured: times.length, ...percentilesOf(times) }
}

/** Pulls a page, with the time of its arrival. Throws ClientError if there is none. */
const pull = async (service: Service, request: Parameters<typeof pullPage>[1]) => {
  const page = await pullPage(service, request)
  if (page.kind === 'page') return { ...page, at: performance.now() }
  throw new ClientError(`The outbound events at ${service.url} cannot be pulled now. Check that the workers run.`)
}

/** Returns nearest-rank percentiles, rounded to 0.1 ms. */
const percentilesOf = (times: readonly number[]): Percentiles => {
  const sorted = times.toSorted((one, other) => one - other)
  const rank = (share: number) => {
    const time = sorted[Math.ceil(share * sorted.length) - 1]
    return time === undefined ? null : Math.round(time * 10) / 10
  }
  return { p50Ms: rank(0.5), p99Ms: rank(0.99) }
}

const format = ({ url, workspace, seconds, connections, events, outboundEvents }: Report): string => {
  const times = ({ p50Ms, p99Ms }: Percentiles) => (p50Ms === null ? 'no time' : `p50 ${p50Ms} ms, p99 ${p99Ms} ms`)
  return [
    `${url}, workspace "${workspace.name}": ${connections} connections for ${seconds} s`,
    `Events:          ${events.perSecond}/s (${events.recorded} recorded), ${times(events)}`,
    `Outbound events: ${outboundEvents.measured} of ${samples} arrived, ${times(outboundEvents)}`,
    ...(events.rateLimited > 0
      ? [`The rate limit rejected ${events.rateLimited} calls. Raise RATE_LIMIT_KEY of the service to measure more.`]
      : []),
    ...(events.failed > 0 ? [`${events.failed} calls failed.`] : []),
    '',
  ].join('\n')
}
