/** Causes of operational events: a real failure of an endpoint, channel or run, and events of a month. */
import { randomInt } from 'node:crypto'
import { ClientError } from './errors.ts'
import { pause } from './interruption.ts'
import {
  type Cause,
  createCustomer,
  createDisabledEndpoint,
  type Identified,
  phone,
  type Scenario,
  type Stage,
} from './stage.ts'

const held: Scenario['run'] = async stage => {
  const endpoint = await createDisabledEndpoint(stage)
  return causing(endpointCause(stage, endpoint.id), async () => {
    await stage.call('POST', `/v1/webhooks/${endpoint.id}/hold`)
    stage.say('Put the endpoint on hold.')
  })
}

const failing: Scenario['run'] = stage => failEndpoint(stage, async () => {})

/** A new URL ends the outage, because its failures belong to the old URL. */
const recovered: Scenario['run'] = stage =>
  failEndpoint(stage, async ({ webhookId }) => {
    await stage.waitForEvent('endpoint.failing', { webhookId })
    await stage.call('PATCH', `/v1/webhooks/${webhookId}`, { url: `${unreachableUrl}moved` })
    stage.say('Changed the URL of the endpoint.')
  })

const deliveryFailed: Scenario['run'] = stage =>
  failEndpoint(stage, async ({ webhookId, deliveryId }) => {
    const attempts = await retryUntilFailed(stage, `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`)
    stage.say(`All ${attempts} attempts of the delivery ${deliveryId} failed.`)
  })

const unreachableUrl = 'https://unreachable.example/'

interface FailedPing {
  webhookId: string
  deliveryId: string
}

/** Creates an endpoint that cannot be reached, sends a ping to it, and continues with `next`. */
const failEndpoint = async (stage: Stage, next: (ping: FailedPing) => Promise<void>): Promise<Cause> => {
  const { id: webhookId } = await stage.call('POST', '/v1/webhooks', {
    url: unreachableUrl,
    name: 'trigger',
    // The rarest type. An endpoint receives no events about itself.
    events: ['endpoint.held'],
  })
  stage.say(`Created the unreachable endpoint ${webhookId}. It is removed again.`)
  return causing(endpointCause(stage, webhookId), async () => {
    const { id: deliveryId } = await stage.call('POST', `/v1/webhooks/${webhookId}/test`)
    await next({ webhookId, deliveryId })
  })
}

const endpointCause = (stage: Stage, webhookId: string): Required<Cause> => ({
  expected: { webhookId },
  cleanUp: () => stage.call('DELETE', `/v1/webhooks/${webhookId}`),
})

/** Milliseconds for all attempts of a delivery. The look-up of a host name can take seconds. */
const retryTimeoutMs = 120_000
const pollMs = 200

/** Makes each next attempt of a delivery immediately. Returns the number of attempts when the last one has failed. */
const retryUntilFailed = async (stage: Stage, path: string): Promise<number> => {
  const end = performance.now() + retryTimeoutMs
  for (let retried = 0; performance.now() < end; await pause(pollMs)) {
    const { status, attempts } = await stage.call<{ status: string; attempts: number }>('GET', path)
    if (status === 'failed') return attempts
    if (status !== 'retrying' || attempts === retried) continue
    await stage.call('POST', `${path}/retry`)
    retried = attempts
  }
  throw new ClientError(`The delivery did not fail within ${retryTimeoutMs / 1000} seconds.`)
}

const channelFailing: Scenario['run'] = stage => failChannel(stage, async () => {})

const channelRecovered: Scenario['run'] = stage =>
  failChannel(stage, async channelId => {
    await stage.waitForEvent('channel.failing', { channelId })
    const path = `/v1/channels/${channelId}`
    await stage.call('PATCH', path, { sandbox: { delivery: 'delivered' } })
    await stage.call('POST', `${path}/test`)
    stage.say('Let the channel accept messages again, and tested it.')
  })

/** Connects a sandbox that rejects every message, sends one, and continues with `next`. */
const failChannel = async (stage: Stage, next: (channelId: string) => Promise<void>): Promise<Cause> => {
  const { id: channelId } = await stage.call('POST', '/v1/channels', {
    kind: 'sandbox',
    name: stage.values.name,
    sandbox: { delivery: 'rejected' },
  })
  stage.say(`Connected the sandbox channel ${channelId}. It is disconnected again.`)
  const cleanUp = () => stage.call('DELETE', `/v1/channels/${channelId}`)
  return causing({ expected: { channelId }, cleanUp }, async () => {
    const { id: customerId } = await createCustomer(stage, phone)
    const conversation = await stage.call('POST', '/v1/conversations', { channelId, customerId })
    await stage.call('POST', `/v1/conversations/${conversation.id}/messages`, { text: 'Is it on its way?' })
    await next(channelId)
  })
}

/** Number of steps of a cycle: the most that a definition can have. A run ends at 1,000 steps. */
const stepsPerCycle = 200

const runFailed: Scenario['run'] = async stage => {
  const eventType = `trigger.run_failed.${randomInt(1_000_000)}`
  const definition = { trigger: { eventType }, start: 'step0', steps: cycle() }
  const { id: workflowId } = await stage.call('POST', '/v1/workflows', { name: stage.values.name, definition })
  stage.say(`Created the workflow ${workflowId}. It is removed again.`)
  const path = `/v1/workflows/${workflowId}`
  const cleanUp = async () => {
    await stage.call('PATCH', path, { enabled: false })
    await stage.call('DELETE', path)
  }
  return causing({ expected: { workflowId }, cleanUp }, async () => {
    await stage.call('POST', `${path}/publish`)
    await stage.call('PATCH', path, { enabled: true })
    const { event } = await stage.call<{ event: Identified }>('POST', '/v1/events', { type: eventType, phone })
    stage.say(`Recorded the event ${event.id}. Its run ends after 1,000 steps, in about 5 seconds.`)
  })
}

/** Steps that lead to each other for ever. A cycle must wait for at least one second. */
const cycle = (): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: stepsPerCycle }, (_, index) => {
      const next = `step${(index + 1) % stepsPerCycle}`
      const always = { path: 'event.type', op: 'exists' }
      const step = { type: 'condition', if: always, then: next, else: next }
      return [`step${index}`, index === 0 ? { type: 'delay', for: '1s', next } : step]
    }),
  )

const batchSize = 500

/** Records events until the next threshold of the month's events is reached. They start no workflow. */
const allowanceReached: Scenario['run'] = async stage => {
  const { allowances } = await stage.call<Entitlements>('GET', '/v1/entitlements')
  const { limit, used, resetsAt } = allowances.monthlyEvents
  if (limit === null) throw new ClientError('The plan of this workspace has no limit of monthly events.')
  if (used >= limit)
    throw new ClientError(`All ${limit} events of this month are used. The limit resets at ${resetsAt}.`)
  const nearly = Math.ceil(limit * 0.9)
  const percent = used < nearly ? 90 : 100
  const missing = (percent === 90 ? nearly : limit) - used
  if (missing > Number(stage.values.atMost))
    throw new ClientError(
      `${percent} per cent of the monthly events need ${missing} more events. To record them, set "atMost" in --data.`,
    )
  for (let recorded = 0; recorded < missing; recorded += batchSize) {
    const count = Math.min(batchSize, missing - recorded)
    const events = Array.from({ length: count }, () => ({ type: 'trigger.allowance_reached', phone }))
    await stage.call('POST', '/v1/events/batch', { events })
  }
  stage.say(`Recorded ${missing} events, which count towards the monthly events.`)
  return { expected: { percent, limit, resetsAt } }
}

interface Entitlements {
  allowances: { monthlyEvents: { limit: number | null; used: number; resetsAt: string } }
}

/** Runs the part after which `cause` needs its clean-up, also if that part fails. */
const causing = async (cause: Required<Cause>, run: () => Promise<void>): Promise<Cause> => {
  try {
    await run()
    return cause
  } catch (error) {
    await cause.cleanUp()
    throw error
  }
}

/** Scenarios of operational events, by type. */
export const operationalScenarios: Record<string, Scenario> = {
  'endpoint.failing': { values: {}, waitMs: 30_000, run: failing },
  'endpoint.recovered': { values: {}, run: recovered },
  'endpoint.held': { values: {}, run: held },
  'delivery.failed': { values: {}, run: deliveryFailed },
  'channel.failing': { values: { name: 'Triggered channel' }, run: channelFailing },
  'channel.recovered': { values: { name: 'Triggered channel' }, run: channelRecovered },
  'allowance.reached': { values: { atMost: 1000 }, waitMs: 30_000, run: allowanceReached },
  'run.failed': { values: { name: 'Triggered workflow' }, waitMs: 30_000, run: runFailed },
}
