import { expect, test } from 'bun:test'
import pino from 'pino'
import { signWebhook } from '../../../../src/webhooks/signatures/index.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { use } from '../../../support/use.ts'
import { useWorld } from '../../../support/world.ts'
import { vectors } from '../../../webhooks/signatures/vectors.ts'

const logged: string[] = []
const receiver = use(startReceiver)
const world = useWorld(() => ({ WEBHOOK_ALLOWED_PRIVATE_TARGETS: receiver.target }), {
  log: pino({ level: 'trace' }, { write: line => void logged.push(line) }),
})

const path = '/v1/webhooks/verify'
const verify = (body: unknown) => world.expect(200, 'POST', path, { body })
const codesOf = ({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code)

const create = (): Promise<{ id: string; secret: string }> =>
  world.expect(201, 'POST', '/v1/webhooks', { body: { url: receiver.url, events: ['sale.created'] } })
/** Returns the headers and the body of a new ping as they were received. */
const ping = async (id: string) => {
  const delivery = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
  const find = () => receiver.requests.find(({ headers }) => headers['x-service-delivery'] === delivery.id)
  await receiver.waitFor(() => find() !== undefined)
  const { headers, body } = find()!
  return { headers, body }
}

test('a received delivery is valid with its age in seconds, and is compared with the sent body', async () => {
  const { id, secret } = await create()
  const { headers, body } = await ping(id)
  const signature = headers['x-service-signature']!
  const t = Number(/t=(\d+)/.exec(signature)![1])
  expect(await verify({ secret, headers, body, at: new Date((t + 7) * 1000).toISOString() })).toEqual({
    valid: true,
    problems: [],
    timestamp: t,
    secondsOff: 7,
    matched: 1,
    expected: signature.slice(-64),
  })
  expect(await verify({ secret, headers, body })).toMatchObject({ valid: true, matched: 1 })
  for (const [received, words] of [
    [JSON.stringify(JSON.parse(body)), 'compact JSON'],
    [body.replace('"ping"', '"pong"'), 'its content differs'],
  ]) {
    const problems = [{ code: 'body_changed', message: expect.stringContaining(words!) }]
    expect(await verify({ secret, headers, body: received })).toMatchObject({ valid: false, matched: null, problems })
  }
})

test('a secret of another endpoint or from before a rotation is recognised, but none of another workspace', async () => {
  const [one, other] = [await create(), await create()]
  const given = { secret: one.secret, ...(await ping(other.id)) }
  const { problems } = await verify(given)
  expect(problems).toEqual([{ code: 'secret_of_other_endpoint', message: expect.stringContaining(other.id) }])
  const as = await world.otherOwner()
  expect(codesOf(await world.expect(200, 'POST', path, { body: given, as }))).toEqual(['digest_mismatch'])

  await world.expect(200, 'POST', `/v1/webhooks/${one.id}/secret`)
  await world.database.sql`update webhooks set previous_secret_until = now() where id = ${one.id}`
  expect(codesOf(await verify({ secret: one.secret, ...(await ping(one.id)) }))).toEqual(['secret_rotated'])
})

test('every vector for receivers gets its verdict', async () => {
  for (const { name, secret, header, body, now, reason } of vectors) {
    const headers: Record<string, string> = header === null ? { Accept: '*/*' } : { 'x-service-SIGNATURE': header }
    const verdict = await verify({ secret, headers, body, at: new Date(now * 1000).toISOString() })
    expect(verdict.valid, name).toBe(reason === null)
    // The cause of a mismatch is named if it is found.
    if (reason === 'digest_mismatch') expect(codesOf(verdict)[0], name).not.toMatch(/^(header|timestamp)/)
    else expect(codesOf(verdict).slice(0, 1), name).toEqual(reason === null ? [] : [reason])
  }
})

test('all problems are returned, the clock and the digest', async () => {
  const headers = { 'X-Service-Signature': signWebhook(['whsec_a'], 1_772_357_402, '{}') }
  const verdict = await verify({ secret: 'whsec_b', headers, body: '{}', at: '2026-03-01T10:30:02Z' })
  expect(codesOf(verdict)).toEqual(['digest_mismatch', 'timestamp_too_old'])
  expect(verdict.problems[1].message).toContain('3600 seconds')
})

test.each([
  ['secret', { secret: '' }],
  ['headers', { headers: ['t=1'] }],
  ['headers.a', { headers: { a: 1 } }],
  ['headers', { headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, ''])) }],
  ['body', { body: { type: 'ping' } }],
  ['body', { body: 'x'.repeat(128 * 1024 + 1) }],
  ['at', { at: 'yesterday' }],
  ['at', { at: 1_772_357_402 }],
])('an invalid request is rejected under %s', async (field, change) => {
  const body = { secret: 'whsec_a', headers: {}, body: '', ...change }
  expect(await world.answer('POST', path, { body })).toBe(`400 invalid_request ${field}`)
})

test('neither the secret nor the body is logged or stored', async () => {
  const secret = 'whsec_NeverToBeSeenAgainInAnyLogOrTableWhatsoever'
  const given = { secret, headers: { 'X-Service-Signature': 't=1,v1=2' }, body: '{"mark":"NeverToBeSeenEither"}' }
  await verify(given)
  await world.expect(400, 'POST', path, { body: { ...given, at: 'never' } })
  await world.expect(400, 'POST', path, { body: { ...given, secret: secret.repeat(20) } })
  expect(logged.some(line => line.includes(path))).toBe(true)
  expect(logged.join('')).not.toContain('NeverToBeSeen')
})
