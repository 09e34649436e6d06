/** A service that has done everything that its metrics measure. */
import { type Receiver, respond } from '../support/receiver.ts'
import { eventually, newPhone, type World } from '../support/world.ts'

/** A series of a page of metrics. */
export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

/** A metric as its comment lines declare it. */
export interface Declared {
  type: string
  help: string
}

export interface MetricsText {
  text: string
  declared: Map<string, Declared>
  series: Series[]
}

/** Settings of the world of a loaded service. */
export const loadedSettings = (receiver: Receiver): Record<string, string> => ({
  WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
  WEBHOOK_RETRY_WAITS: '1ms,1ms,1ms,1ms,1ms,1ms,1ms',
  RATE_LIMIT_PERSON: '1000/1000',
  RATE_LIMIT_KEY: '1/100',
})

/** SQLSTATEs of errors that `load` causes. */
export const loadedErrors = ['P0001']

/**
 * Records events, among them rejected ones, advances runs, sends messages, and makes deliveries that succeed and fail.
 * Exceeds a rate limit last.
 */
export const load = async (world: World, receiver: Receiver): Promise<void> => {
  const { sql } = world.database
  const event = (type: string, body: object = {}) =>
    world.call('POST', '/v1/events', { as: 'key', body: { type, phone: newPhone(), data: {}, ...body } })
  await world.sandbox()
  await world.expect(200, 'GET', '/v1/events')
  await world.workflow({
    trigger: { eventType: 'asked' },
    start: 'wait',
    steps: {
      wait: { type: 'delay', for: '1s', next: 'say' },
      say: { type: 'send_message', text: 'Hello', next: null },
    },
  })
  await world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['message.status'] } })
  for (const [status, answer] of [
    ['failed', respond(500)],
    ['delivered', respond()],
  ] as const) {
    receiver.behave(answer)
    await event('asked')
    await eventually(`a delivery is ${status}`, async () => {
      const [row] = await sql`select from deliveries where status = ${status}`
      return row
    })
  }
  await event('unheard')
  await event('invalid', { phone: 'not a phone' })
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`
  await sql`create trigger refuse before insert on events for each row when (new.type = 'refused') execute function refuse()`
  await event('refused')
  while ((await event('unheard')).status !== 429);
}

/** Reads the metrics of a service. */
export const readMetrics = async (world: World): Promise<MetricsText> => {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  const declared = new Map<string, Declared>()
  for (const [, name, help] of text.matchAll(/^# HELP (\S+) (.+)$/gm))
    declared.set(name!, { type: new RegExp(`^# TYPE ${name} (\\S+)$`, 'm').exec(text)![1]!, help: help! })
  const series = [...text.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key!, text!]),
    ),
    value: Number(value),
  }))
  return { text, declared, series }
}
