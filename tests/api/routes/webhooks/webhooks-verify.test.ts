import { describe, expect, test } from 'bun:test'
import pino from 'pino'
import { signWebhook } from '../../../../src/webhooks/signatures/index.ts'
import { type ReceivedRequest, startReceiver } from '../../../support/receiver.ts'
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

/** Returns a received ping and the secret of its endpoint. */
const ping = async (): Promise<{ id: string; secret: string; request: ReceivedRequest }> => {
  const { id, secret } = await world.expect(201, 'POST', '/v1/webhooks', {
    body: { url: receiver.url, events: ['sale.created'] },
  })
  const delivery = await world.expect(202, 'POST', `/v1/webhooks/${id}/test`)
  const isIt = ({ headers }: ReceivedRequest) => headers['x-service-delivery'] === delivery.id
  const requests = await receiver.waitFor(({ requests }) => requests.some(isIt))
  return { id, secret, request: requests.find(isIt)! }
}

describe('a received delivery', () => {
  test('is valid, with its age in seconds and the matching signature', async () => {
    const { id, secret, request } = await ping()
    const t = Number(/t=(\d+)/.exec(request.headers['x-service-signature']!)![1])
    const given = { secret, headers: request.headers, body: request.body }
    expect(await verify({ ...given, at: new Date((t + 7) * 1000).toISOString() })).toEqual({
      valid: true,
      problems: [],
      timestamp: t,
      secondsOff: 7,
      matched: 1,
      expected: request.headers['x-service-signature']!.slice(-64),
    })
    expect(await verify(given)).toMatchObject({ valid: true, matched: 1 })
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('with a changed body is compared with the sent one', async () => {
    const { id, secret, request } = await ping()
    const headers = request.headers
    const anew = await verify({ secret, headers, body: JSON.stringify(JSON.parse(request.body)) })
    expect(anew).toMatchObject({ valid: false, matched: null })
    expect(anew.problems).toEqual([{ code: 'body_changed', message: expect.stringContaining('compact JSON') }])
    const other = await verify({ secret, headers, body: request.body.replace('"ping"', '"pong"') })
    expect(other.problems).toEqual([{ code: 'body_changed', message: expect.stringContaining('its content differs') }])
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })

  test('for another endpoint names that endpoint, unless it belongs to another workspace', async () => {
    const [one, other] = [await ping(), await ping()]
    const given = { secret: one.secret, headers: other.request.headers, body: other.request.body }
    const { problems } = await verify(given)
    expect(problems).toEqual([{ code: 'secret_of_other_endpoint', message: expect.stringContaining(other.id) }])
    const stranger = await world.expect(200, 'POST', path, { body: given, as: await world.otherOwner() })
    expect(stranger.problems.map(({ code }: { code: string }) => code)).toEqual(['digest_mismatch'])

    await world.expect(200, 'POST', `/v1/webhooks/${one.id}/secret`)
    await world.database.sql`update webhooks set previous_secret_until = now() where id = ${one.id}`
    const late = await world.expect(202, 'POST', `/v1/webhooks/${one.id}/test`)
    const requests = await receiver.waitFor(({ requests }) =>
      requests.some(({ headers }) => headers['x-service-delivery'] === late.id),
    )
    const { headers, body } = requests.find(({ headers }) => headers['x-service-delivery'] === late.id)!
    const outdated = await verify({ secret: one.secret, headers, body })
    expect(outdated.problems.map(({ code }: { code: string }) => code)).toEqual(['secret_rotated'])
    for (const { id } of [one, other]) await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
  })
})

test('every vector gets its verdict', async () => {
  for (const { name, secret, header, body, now, valid, reason } of vectors) {
    const headers: Record<string, string> = header === null ? { Accept: '*/*' } : { 'x-service-SIGNATURE': header }
    const verdict = await verify({ secret, headers, body, at: new Date(now * 1000).toISOString() })
    expect(verdict.valid, name).toBe(valid)
    if (reason === null) expect(verdict.problems, name).toEqual([])
    // When the cause of a mismatch is found, it is named instead.
    else if (reason === 'digest_mismatch') expect(verdict.problems[0].code, name).not.toMatch(/^(header|timestamp)/)
    else expect(verdict.problems[0].code, name).toBe(reason)
    expect(
      verdict.problems.every(({ message }: { message: string }) => /^["A-Z].*\.$/s.test(message)),
      name,
    ).toBe(true)
  }
})

test('all problems are returned, the clock and the digest', async () => {
  const headers = { 'X-Service-Signature': signWebhook(['whsec_a'], 1_772_357_402, '{}') }
  const { problems } = await verify({ secret: 'whsec_b', headers, body: '{}', at: '2026-03-01T10:30:02Z' })
  expect(problems.map(({ code }: { code: string }) => code)).toEqual(['digest_mismatch', 'timestamp_too_old'])
  expect(problems[1].message).toContain('3600 seconds')
})

test.each([
  [{ secret: undefined }, 'secret'],
  [{ secret: '' }, 'secret'],
  [{ secret: 7 }, 'secret'],
  [{ headers: undefined }, 'headers'],
  [{ headers: ['t=1'] }, 'headers'],
  [{ headers: { a: 1 } }, 'headers.a'],
  [{ headers: { 'X-Service-Signature\n': 1 } }, 'headers.X-Service-Signature\n'],
  [{ headers: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`h${i}`, ''])) }, 'headers'],
  [{ body: undefined }, 'body'],
  [{ body: { type: 'ping' } }, 'body'],
  [{ body: 'x'.repeat(128 * 1024 + 1) }, 'body'],
  [{ at: 'yesterday' }, 'at'],
  [{ at: 1_772_357_402 }, 'at'],
  [{ at: '1' }, 'at'],
  [{ rawBody: '' }, 'rawBody'],
])('a request with %# is rejected and the field named', async (change, field) => {
  const { status, body } = await world.call('POST', path, {
    body: { secret: 'whsec_a', headers: {}, body: '', ...change },
  })
  expect(`${status} ${body.error?.code}`).toBe('400 invalid_request')
  expect(Object.keys(body.error.details)).toContain(field)
})

test('its path is not an endpoint', async () => {
  await world.expect(404, 'POST', `${path}/test`)
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
