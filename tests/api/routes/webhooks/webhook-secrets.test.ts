/**
 * Tests of the storage of webhook secrets. Deliveries are signed correctly during every change of keys.
 */
import { afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import pino from 'pino'
import { type RunningService, startService } from '../../../../src/app/index.ts'
import { readConfig } from '../../../../src/config.ts'
import { dumpOf, holds } from '../../../support/dump.ts'
import { startReceiver, verifySignature, verifyStandard } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { bearer, eventually, useWorld } from '../../../support/world.ts'

setDefaultTimeout(60_000)

const receiver = use(startReceiver)
const world = useWorld()
beforeAll(() => world.service.stop())

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
    headers: { ...bearer(world.owner.token), ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} instead of ${status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

type Endpoint = { id: string; secret: string }
const create = (): Promise<Endpoint> =>
  call(201, 'POST', '/v1/webhooks', { url: receiver.url, events: ['message.status'] })
const rotate = async ({ id }: Endpoint): Promise<string> =>
  (await call(200, 'POST', `/v1/webhooks/${id}/secret`)).secret
const ping = async ({ id }: Endpoint): Promise<string> => (await call(202, 'POST', `/v1/webhooks/${id}/test`)).id

/**
 * Returns the secrets that the signatures of the delivery verify with, in the order of the signatures. Both schemes must
 * have the same.
 */
const signersOf = async (delivery: string, secrets: string[]): Promise<string[]> => {
  const { headers, body } = await eventually('the ping comes in', () =>
    receiver.requests.find(request => request.headers['x-service-delivery'] === delivery),
  )
  const [t, ...signatures] = headers['x-service-signature']!.split(',')
  const now = Date.now() / 1000
  const signers = signatures.map(
    signature => secrets.find(one => verifySignature(`${t},${signature}`, body, one, now)) ?? 'nobody',
  )
  const standard = headers['webhook-signature']!.split(' ').map(signature => {
    const alone = { ...headers, 'webhook-signature': signature }
    return secrets.find(one => verifyStandard(alone, body, one, now)) ?? 'nobody'
  })
  expect(standard).toEqual(signers)
  return signers
}
const expectSigned = async (endpoint: Endpoint, ...secrets: string[]): Promise<void> =>
  expect(await signersOf(await ping(endpoint), secrets)).toEqual(secrets)

const isInClear = async (...secrets: string[]): Promise<boolean> => {
  const dump = await dumpOf(world.database.sql)
  return [...secrets, 'whsec_'].some(secret => holds(dump, secret))
}

test('secrets are encrypted, and deleted 24 hours after their replacement or with their endpoint', async () => {
  await serve(keyOf(1))
  const { sql } = world.database
  const endpoint = await create()
  const { id, secret } = endpoint
  await expectSigned(endpoint, secret)
  const newer = await rotate(endpoint)
  expect(await isInClear(secret, newer)).toBe(false)
  const letPass = (time: string) => sql`
    update webhooks set previous_secret_until = previous_secret_until - ${time}::interval where id = ${id}`
  await letPass('23 hours 59 minutes')
  await expectSigned(endpoint, newer, secret)
  await letPass('1 minute')
  await expectSigned(endpoint, newer)
  const stored = async () => {
    const [row] = await sql`
      select secret is not null as one, previous_secret is not null as other,
        secret_hash is not null or replaced_secret_hash is not null as hash from webhooks where id = ${id}`
    return row!
  }
  await eventually('it no longer exists', async () => !(await stored()).other, 15_000)
  await expectSigned(endpoint, newer)

  const { headers, body } = receiver.requests.at(-1)!
  const { problems } = await call(200, 'POST', '/v1/webhooks/verify', { secret, headers, body })
  expect(problems[0].code).toBe('secret_rotated')
  // Another rotation within 24 hours invalidates the oldest secret immediately.
  await rotate(endpoint)
  const newest = await rotate(endpoint)
  expect(newest).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await signersOf(await ping(endpoint), [newest, newer])).toEqual([newest, 'nobody'])
  expect(await isInClear(newer, newest)).toBe(false)
  await call(204, 'DELETE', `/v1/webhooks/${id}`)
  expect(await stored()).toEqual({ one: false, other: false, hash: false })
})

test('secrets from before the key still sign, and the next rotation encrypts the new one', async () => {
  await serve()
  const endpoint = await create()
  const newer = await rotate(endpoint)
  expect(await isInClear(endpoint.secret, newer)).toBe(true)
  await expectSigned(endpoint, newer, endpoint.secret)

  await serve(keyOf(1))
  await expectSigned(endpoint, newer, endpoint.secret)
  const newest = await rotate(endpoint)
  await expectSigned(endpoint, newest, newer)
  await rotate(endpoint)
  expect(await isInClear(endpoint.secret, newer, newest)).toBe(false)
})

test.each([
  ['processes', { host: 'other', pid: 1 }],
  ['http_processes', {}],
])('while a process in %s has no key, new secrets stay readable for it', async (table, columns) => {
  const { sql } = world.database
  const process = { ...columns, id: Bun.randomUUIDv7(), alive_until: new Date(Date.now() + 3_600_000) }
  await sql`insert into ${sql(table)} ${sql(process)}`
  await serve(keyOf(1))
  const endpoint = await create()
  const newer = await rotate(endpoint)
  const [row] = await sql`
    select convert_from(secret, 'UTF8') as secret, convert_from(previous_secret, 'UTF8') as previous
    from webhooks where id = ${endpoint.id}`
  expect(row).toEqual({ secret: newer, previous: endpoint.secret })
  await expectSigned(endpoint, newer, endpoint.secret)

  await sql`delete from ${sql(table)} where id = ${process.id}`
  for (let n = 0; n < 2; n++) await rotate(endpoint)
  expect(await isInClear(endpoint.secret, newer)).toBe(false)
})

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
