/**
 * Tests of the storage of webhook secrets. Deliveries are signed correctly during every change of keys.
 */
import { afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../../../src/app/index.ts'
import { readConfig } from '../../../../src/config.ts'
import { dumpOf, holds } from '../../../support/dump.ts'
import { startReceiver, verifySignature } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { eventually, useWorld } from '../../../support/world.ts'

setDefaultTimeout(60_000)

const receiver = use(startReceiver)
const world = useWorld()
let token: string
beforeAll(async () => {
  token = world.owner.token
  await world.service.stop()
})

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')

let service: RunningService | null = null
/** Stops the running service and starts one with these keys. */
const serve = async (...keys: string[]): Promise<void> => {
  await service?.stop()
  const config = readConfig({
    PORT: '0',
    RATE_LIMIT_KEY: '0',
    RATE_LIMIT_PERSON: '0',
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target,
    WEBHOOK_RETRY_WAITS: Array(7).fill('20ms').join(),
    ...(keys.length > 0 && { SECRETS_KEY: keys.join() }),
  })
  const log = pino({ level: 'silent' })
  service = await startService({ config, databaseUrl: world.database.url, log })
}
afterEach(async () => {
  await service?.stop()
  service = null
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads response bodies of any shape
const call = async (status: number, method: string, path: string, body?: object): Promise<any> => {
  const response = await fetch(`http://127.0.0.1:${service!.port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} instead of ${status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

interface Endpoint {
  id: string
  secret: string
}
const create = (): Promise<Endpoint> =>
  call(201, 'POST', '/v1/webhooks', { url: receiver.url, events: ['message.status'] })
const rotate = async ({ id }: Endpoint): Promise<string> =>
  (await call(200, 'POST', `/v1/webhooks/${id}/secret`)).secret
const ping = async ({ id }: Endpoint): Promise<string> => (await call(202, 'POST', `/v1/webhooks/${id}/test`)).id

/** Returns the secrets that the signatures of the delivery verify with, in the order of the signatures. */
const signersOf = async (delivery: string, secrets: string[]): Promise<string[]> => {
  const { headers, body } = await eventually('the ping comes in', () =>
    receiver.requests.find(request => request.headers['x-service-delivery'] === delivery),
  )
  const [t, ...signatures] = headers['x-service-signature']!.split(',')
  return signatures.map(
    signature => secrets.find(one => verifySignature(`${t},${signature}`, body, one, Date.now() / 1000)) ?? 'nobody',
  )
}
const expectSigned = async (endpoint: Endpoint, ...secrets: string[]): Promise<void> =>
  expect(await signersOf(await ping(endpoint), secrets)).toEqual(secrets)

const isInClear = async (secrets: string[]): Promise<boolean> => {
  const dump = await dumpOf(world.database.sql)
  return secrets.some(secret => holds(dump, secret)) || holds(dump, 'whsec_')
}
test('secrets are never stored in plain text when there is an encryption key', async () => {
  await serve(keyOf(1))
  const endpoint = await create()
  expect(await isInClear([endpoint.secret])).toBe(false)
  await expectSigned(endpoint, endpoint.secret)
  const newer = await rotate(endpoint)
  expect(await isInClear([endpoint.secret, newer])).toBe(false)
  await expectSigned(endpoint, newer, endpoint.secret)
  const newest = await rotate(endpoint)
  expect(await isInClear([newer, newest])).toBe(false)
  await expectSigned(endpoint, newest, newer)
})

test('a replaced secret is deleted after 24 hours, and all secrets when their endpoint is deleted', async () => {
  await serve(keyOf(1))
  const endpoint = await create()
  const newer = await rotate(endpoint)
  const { sql } = world.database
  const kept = async () => {
    const [row] = await sql`
      select secret is not null as one, previous_secret is not null as other,
        coalesce(get_byte(secret, 0), 1) <> 1 or coalesce(get_byte(previous_secret, 0), 1) <> 1 as clear,
        secret_hash is not null or replaced_secret_hash is not null as hash
      from webhooks where id = ${endpoint.id}`
    return row!
  }
  expect(await kept()).toMatchObject({ one: true, other: true, clear: false })
  await sql`update webhooks set previous_secret_until = previous_secret_until - interval '23 hours 59 minutes' where id = ${endpoint.id}`
  await expectSigned(endpoint, newer, endpoint.secret)
  await sql`update webhooks set previous_secret_until = previous_secret_until - interval '1 minute' where id = ${endpoint.id}`
  await expectSigned(endpoint, newer)
  await eventually('it no longer exists', async () => !(await kept()).other, 15_000)
  await expectSigned(endpoint, newer)

  const received = receiver.requests.at(-1)!
  const { problems } = await call(200, 'POST', '/v1/webhooks/verify', {
    secret: endpoint.secret,
    headers: received.headers,
    body: received.body,
  })
  expect(problems[0].code, 'that it was replaced is told long after it is gone').toBe('secret_rotated')

  await call(204, 'DELETE', `/v1/webhooks/${endpoint.id}`)
  expect(await kept()).toEqual({ one: false, other: false, clear: false, hash: false })
})

test('secrets from before the key still sign, and the next rotation encrypts the new one', async () => {
  await serve()
  const endpoint = await create()
  const newer = await rotate(endpoint)
  expect(await isInClear([endpoint.secret, newer])).toBe(true)
  await expectSigned(endpoint, newer, endpoint.secret)

  await serve(keyOf(1))
  await expectSigned(endpoint, newer, endpoint.secret)
  const newest = await rotate(endpoint)
  await expectSigned(endpoint, newest, newer)
  await rotate(endpoint)
  expect(await isInClear([endpoint.secret, newer, newest])).toBe(false)
})

test.each(['that handles work', 'that only answers callers'])(
  'while a process %s has no key, new secrets stay readable for it',
  async which => {
    const { sql } = world.database
    const id = '01900000-0000-7000-8000-000000000001'
    await (which === 'that handles work'
      ? sql`insert into processes (id, host, pid, alive_until) values (${id}, 'other', 1, now() + interval '1 hour')`
      : sql`insert into http_processes (id, alive_until) values (${id}, now() + interval '1 hour')`)
    await serve(keyOf(1))
    const endpoint = await create()
    const newer = await rotate(endpoint)
    const [row] = await sql`
      select convert_from(secret, 'UTF8') as secret, convert_from(previous_secret, 'UTF8') as previous
      from webhooks where id = ${endpoint.id}`
    expect(row).toEqual({ secret: newer, previous: endpoint.secret })
    await expectSigned(endpoint, newer, endpoint.secret)

    await sql`with one as (delete from processes where id = ${id}) delete from http_processes where id = ${id}`
    for (let n = 0; n < 2; n++) await rotate(endpoint)
    expect(await isInClear([endpoint.secret, newer])).toBe(false)
  },
)

test('without the right key nothing is sent and the attempt has the reason; a new secret solves it', async () => {
  await serve(keyOf(1))
  const endpoint = await create()
  for (const keys of [[keyOf(2)], []]) {
    await serve(...keys)
    const id = await ping(endpoint)
    const delivery = await eventually('the attempt has failed', async () => {
      const found = await call(200, 'GET', `/v1/webhooks/${endpoint.id}/deliveries/${id}`)
      return found.attempts > 0 && found
    })
    expect(delivery).toMatchObject({ error: 'secret cannot be read', statusCode: null })
    expect(receiver.requests.filter(({ headers }) => headers['x-service-delivery'] === id)).toEqual([])
  }
  const newer = await rotate(endpoint)
  await expectSigned(endpoint, newer)

  await serve(keyOf(2), keyOf(1))
  await expectSigned(endpoint, newer, endpoint.secret)
})

test("keys can be changed one process at a time, and every process can decrypt the others' values", async () => {
  const { sql } = world.database
  const seals = (bytes: number[]) => world.database.sql`
    insert into processes (id, host, pid, key_ids, alive_until)
    values (uuidv7(), 'other', 1, ${bytes.map(idOf)}, now() + interval '1 hour')`
  const idOf = (byte: number) =>
    new Bun.CryptoHasher('sha256')
      .update('key of sealed values')
      .update(Buffer.alloc(32, byte))
      .digest('hex')
      .slice(0, 16)
  const keyOfSealed = async ({ id }: Endpoint) => {
    const [row] = await sql`select encode(substring(secret from 2 for 8), 'hex') as key from webhooks where id = ${id}`
    return row!.key
  }
  await seals([1])
  await serve(keyOf(2), keyOf(1))
  expect(await keyOfSealed(await create())).toBe(idOf(1))
  await sql`delete from processes where host = 'other'`
  await seals([1, 2])
  expect(await keyOfSealed(await create())).toBe(idOf(2))
  await sql`delete from processes where host = 'other'`
})
