/** Work that waits for a key resumes when the key is available. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../../src/app/index.ts'
import { readConfig } from '../../../src/config.ts'
import { startTwilio } from '../../support/twilio.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

setDefaultTimeout(60_000)

let world: World
let twilio: Awaited<ReturnType<typeof startTwilio>>
let service: RunningService | null = null
beforeAll(async () => {
  ;[world, twilio] = await Promise.all([startWorld(), startTwilio()])
  await world.service.stop()
})
afterAll(async () => {
  await service?.stop()
  await world.stop()
  await twilio.stop()
})

const serve = async (byte: number): Promise<void> => {
  await service?.stop()
  const config = readConfig({
    PORT: '0',
    SECRETS_KEY: Buffer.alloc(32, byte).toString('base64'),
    TWILIO_API_URL: twilio.apiUrl,
  })
  service = await startService({ config, databaseUrl: world.database.url, log: pino({ level: 'silent' }) })
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds, and fails where it does not
const call = async (method: string, path: string, body?: object): Promise<any> => {
  const response = await fetch(`http://127.0.0.1:${service!.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${world.owner.token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

test('a channel that failed without the right key sends its queue within seconds after the key is available', async () => {
  await serve(1)
  const channel = await call('POST', '/v1/channels', {
    kind: 'twilio_sms',
    name: 'SMS',
    credentials: twilio.credentials,
  })
  const customer = await call('POST', '/v1/customers', { phone: '+4915112345678' })
  const conversation = await call('POST', '/v1/conversations', { channelId: channel.id, customerId: customer.id })

  await serve(2)
  await call('POST', `/v1/conversations/${conversation.id}/messages`, { text: 'Hello' })
  const failing = await eventually('the channel fails', async () => {
    const found = await call('GET', `/v1/channels/${channel.id}`)
    return found.status === 'failing' && found
  })
  expect(failing.statusDetail).toContain('cannot be decrypted with SECRETS_KEY')
  const [row] = await world.database
    .sql`select paused_until > now() + interval '20 seconds' as pauses from channels where id = ${channel.id}`
  expect(row!.pauses).toBe(true)

  await serve(1)
  await eventually('the message is sent', () => twilio.sent.length === 1, 15_000)
  expect(await call('GET', `/v1/channels/${channel.id}`)).toMatchObject({ status: 'connected', statusDetail: null })
})
