/** Every published operation, asked by everybody: nobody, keys good and bad, sessions good and stale, agent, owners. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { startWorld, type World } from './support/world.ts'

interface Operation {
  method: string
  path: string
  security: Record<string, unknown>[]
  hasBody: boolean
}

const document = JSON.parse(readFileSync(resolve(import.meta.dir, '../openapi/openapi.json'), 'utf8'))
const operations: Operation[] = Object.entries<Record<string, { security: []; requestBody?: unknown }>>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security, requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    security,
    hasBody: requestBody !== undefined,
  })),
)
const named = operations.map(operation => [`${operation.method} ${operation.path}`, operation] as const)

let world: World
let agent: Record<string, string>
let stranger: Record<string, string>
let revoked: Record<string, string>

beforeAll(async () => {
  world = await startWorld()
  const email = 'agent@shop.example'
  const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
  const accepted = await world.call('POST', '/v1/auth/accept-invitation', {
    as: 'nobody',
    body: { token: invitation.url.split('#token=')[1], name: 'Agent', password: world.owner.password },
  })
  agent = { Authorization: `Bearer ${accepted.body.token}` }
  stranger = await world.otherOwner()
  const { id, key } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'gone' } })
  await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
  revoked = { 'X-API-Key': key }
})
afterAll(() => world.stop())

const unknownId = '01981b7e-3c00-7a51-9a64-1f0f5c3d7e99'

/** Asks with a path that leads to no record and a body that is no JSON, so that nothing is ever done. */
const ask = async ({ method, path, hasBody }: Operation, as: Record<string, string>, id = unknownId) => {
  const reply = await world.call(method, path.replaceAll(/\{[^}]+\}/g, id), {
    as,
    ...(hasBody && { raw: '{', headers: { 'Content-Type': 'application/json' } }),
  })
  return { code: `${reply.status}${reply.body?.error ? ` ${reply.body.error.code}` : ''}`, reply }
}

const takes = ({ security }: Operation, scheme: string) => security.some(one => scheme in one)
const isPublic = ({ security }: Operation) => security.length === 0
const leadsToRecord = ({ path }: Operation) => path.includes('{')

test('there are operations to walk', () => {
  expect(operations.length).toBeGreaterThan(30)
})

describe.each(named)('%s', (_, operation) => {
  test('refuses whoever shows no credential or a bad one', async () => {
    if (isPublic(operation)) return
    expect((await ask(operation, {})).code).toBe('401 unauthorized')
    for (const bad of [{ 'X-API-Key': 'ces_bad' }, revoked, { Authorization: 'Bearer ses_stale' }]) {
      expect((await ask(operation, bad)).code).toBe('401 unauthorized')
    }
  })

  test('lets an API key in where it says so, and nowhere else', async () => {
    const { code } = await ask(operation, { 'X-API-Key': world.key.value })
    if (takes(operation, 'apiKey')) expect(code).not.toMatch(/^(401|403)/)
    else expect(code).toBe('403 forbidden')
  })

  test('knows the owner, and tells an unknown record from a malformed body', async () => {
    if (isPublic(operation) || operation.path === '/v1/auth/sign-out') return
    const { code } = await ask(operation, { Authorization: `Bearer ${world.owner.token}` })
    if (operation.hasBody) expect(code).toBe('400 malformed_request')
    else if (leadsToRecord(operation)) expect(code).toBe('404 not_found')
    else expect(code).toMatch(/^20/)
  })

  test("answers another workspace's owner like one who asks for a record that never was", async () => {
    if (isPublic(operation) || operation.hasBody || !leadsToRecord(operation)) return
    const { code, reply } = await ask(operation, stranger)
    expect(code).toBe('404 not_found')
    const malformed = await ask(operation, stranger, 'no-uuid')
    expect({ ...malformed.reply.body, request_id: '' }).toEqual({ ...reply.body, request_id: '' })
  })

  test('gives an agent an answer, or says that it is for owners', async () => {
    if (isPublic(operation) || operation.path === '/v1/auth/sign-out') return
    const { code, reply } = await ask(operation, agent)
    if (code === '403 forbidden') expect(reply.body.error.message).toContain('owner')
    else expect(code).toMatch(/^(20|400 malformed_request|404 not_found)/)
  })

  test('answers with X-Request-Id, and a failure with the envelope', async () => {
    const { reply } = await ask(operation, {})
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    if (reply.status >= 400)
      expect(reply.body).toEqual({
        error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
        request_id: reply.headers.get('x-request-id'),
      })
  })

  test('refuses another method with Allow', async () => {
    const reply = await world.call('PUT', operation.path.replaceAll(/\{[^}]+\}/g, unknownId), { as: {} })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')?.split(', ')).toContain(operation.method)
  })
})
