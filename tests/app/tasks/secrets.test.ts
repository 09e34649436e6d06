/** Work that waits for a key resumes when the key is available. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../../src/app/index.ts'
import { readConfig } from '../../../src/config.ts'
import { startTwilio } from '../../support/twilio.ts'
import { use } from '../../support/use.ts'
import { bearer, eventually, useWorld } from '../../support/world.ts'

setDefaultTimeout(60_000)

const twilio = use(startTwilio)
const world = useWorld()
let service: RunningService

/** Starts the service of the world with this key, instead of the one that runs. */
const serve = async (byte: number): Promise<void> => {
  await (service ?? world.service).stop()
  const SECRETS_KEY = Buffer.alloc(32, byte).toString('base64')
  const config = readConfig({ PORT: '0', SECRETS_KEY, TWILIO_API_URL: twilio.apiUrl })
  service = await startService({ config, databaseUrl: world.database.url, log: pino({ level: 'silent' }) })
}

const call = async (method: string, path: string, body?: object) => {
  const headers = { ...bearer(world.owner.token), ...(body && { 'Content-Type': 'application/json' }) }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, init)
  expect(response.ok, `${method} ${path}`).toBe(true)
  return response.json()
}

test('a channel that failed without the right key sends its queue within seconds after the key is available', async () => {
  await serve(1)
  const { credentials } = twilio
  const channel = await call('POST', '/v1/channels', { kind: 'twilio_sms', name: 'SMS', credentials })
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
  await service.stop()
})
