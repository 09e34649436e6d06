/** Tests of access tokens: creation, limits, use and revocation. */
import { describe, expect, test } from 'bun:test'
import { prune } from '../../../../src/app/tasks/prune.ts'
import { bearer, eventually, type Person, unknownId, useWorld } from '../../../support/world.ts'

const world = useWorld()
const sql = () => world.database.sql

type As = Record<string, string>

const create = (as: As, body: object = {}) =>
  world.call('POST', '/v1/auth/tokens', { as, body: { name: 'script', access: 'write', ...body } })

/** Creates a token and returns its record with its request headers. */
const make = async (as: As, body: object = {}) => {
  const reply = await create(as, body)
  expect(reply.status).toBe(201)
  return { ...reply.body, as: bearer(reply.body.token), location: reply.headers.get('location') }
}
const listed = async (as: As) => (await world.expect(200, 'GET', '/v1/auth/tokens', { as })).data
const statusOf = async (as: As, path = '/v1/auth/session') => (await world.call('GET', path, { as })).status
const days = (count: number) => count * 24 * 60 * 60 * 1000

describe('creating', () => {
  test('returns the record and, once, the token, of which only the hash is stored', async () => {
    const { id: userId, as } = await world.person()
    const before = Date.now()
    const { token, as: tokenAs, location, ...record } = await make(as, { name: 'deploy', access: 'read' })
    expect(token).toMatch(/^cest_[A-Za-z0-9_-]{43}$/)
    expect(record).toEqual({
      id: expect.any(String),
      name: 'deploy',
      prefix: token.slice(0, 12),
      access: 'read',
      workspace: { id: world.workspaceId, name: 'Shop' },
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
    })
    expect(location).toBe(`/v1/auth/tokens/${record.id}`)
    expect(Date.parse(record.expiresAt) - before).toBeWithin(days(90) - 60_000, days(90) + 60_000)
    expect(await listed(as)).toEqual([record])
    const rows = await sql()`select row_to_json(t)::text as row, encode(token_hash, 'hex') as hash from access_tokens t
      where user_id = ${userId}`
    expect(rows[0]!.hash).toBe(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
    expect(rows[0]!.row).not.toContain(token.slice(12))
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ access: 'admin' }, 'access'],
    [{ expiresInDays: 0 }, 'expiresInDays'],
    [{ expiresInDays: 366 }, 'expiresInDays'],
    [{ expiresInDays: 1.5 }, 'expiresInDays'],
    [{ workspaceId: 'shop' }, 'workspaceId'],
    [{ scope: 'all' }, 'scope'],
  ])('rejects %p', async (body, field) => {
    const { status, body: answer } = await create(bearer(world.owner.token), body)
    expect([status, Object.keys(answer.error.details)]).toEqual([400, [field]])
  })

  test('accepts 1 to 365 days', async () => {
    const { as } = await world.person()
    for (const expiresInDays of [1, 365]) {
      const { createdAt, expiresAt } = await make(as, { expiresInDays })
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(days(expiresInDays))
    }
  })

  test('lets one of 20 concurrent calls at 19 active tokens succeed', async () => {
    const { id, as } = await world.person()
    for (let n = 0; n < 20; n++) await make(as)
    await sql()`update access_tokens set expires_at = now() where id = (select min(id::text)::uuid from access_tokens where user_id = ${id})`
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await create(as)).status))
    expect(statuses.toSorted()).toEqual([201, ...Array(19).fill(422)])
    expect((await create(as)).body.error.message).toContain('at most 20 access tokens')
  })

  test('is for a workspace of the person, by default the one joined first', async () => {
    const person = await world.person()
    const [other] = await sql()`insert into workspaces (name, plan_id) values ('Second', 'unlimited') returning id`
    expect((await create(person.as, { workspaceId: other!.id })).status).toBe(404)
    await sql()`insert into members (workspace_id, user_id, role) values (${other!.id}, ${person.id}, 'owner')`
    const [first, second] = [await make(person.as), await make(person.as, { workspaceId: other!.id })]
    expect([first.workspace.name, second.workspace.name]).toEqual(['Shop', 'Second'])
    const roleOf = async (as: As) => (await world.expect(200, 'GET', '/v1/auth/session', { as })).role
    expect([await roleOf(first.as), await roleOf(second.as)]).toEqual(['agent', 'owner'])
    const header = { 'X-Workspace-Id': other!.id }
    expect(await world.answer('GET', '/v1/workspace', { as: { ...first.as, ...header } })).toBe('404 not_found')
    expect((await world.expect(200, 'GET', '/v1/auth/workspaces', { as: second.as })).data).toHaveLength(1)
    expect(await listed(person.as)).toHaveLength(2)
  })

  test('is rejected for a session that ended during the call', async () => {
    const { id, as } = await world.person()
    const signedIn = await world.expect(200, 'GET', '/v1/auth/sessions', { as })
    const tx = sql().begin(async tx => {
      await tx`update users set name = name where id = ${id}`
      const creating = create(as)
      await eventually('the call waits', async () => {
        const [row] = await sql()`select count(*)::integer as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row!.n > 0
      })
      await tx`delete from sessions where id = ${signedIn.data[0].id}`
      return { creating }
    })
    expect((await (await tx).creating).status).toBe(401)
    expect(await sql()`select from access_tokens where user_id = ${id}`).toHaveLength(0)
  })
})

describe('a token', () => {
  test('acts with the role that the person has at that moment', async () => {
    const { id, as } = await world.person('owner')
    const token = await make(as)
    expect(await statusOf(token.as, '/v1/audit')).toBe(200)
    await sql()`update members set role = 'agent' where user_id = ${id}`
    expect(await statusOf(token.as, '/v1/audit')).toBe(403)
  })

  test('tells who calls', async () => {
    const { id, email, as } = await world.person()
    const token = await make(as, { access: 'read' })
    expect(await world.expect(200, 'GET', '/v1/auth/session', { as: token.as })).toEqual({
      expiresAt: token.expiresAt,
      user: { id, email, name: 'Kim' },
      workspace: { id: world.workspaceId, name: 'Shop' },
      role: 'agent',
      token: { id: token.id, name: 'script', access: 'read' },
    })
    expect((await world.expect(200, 'GET', '/v1/auth/session', { as })).token).toBeNull()
  })

  test('with the access `read` allows GET and HEAD only', async () => {
    const { as } = await world.person('owner')
    const token = await make(as, { access: 'read' })
    expect(await statusOf(token.as, '/v1/customers')).toBe(200)
    expect((await world.call('HEAD', '/v1/customers', { as: token.as })).status).toBe(200)
    const refused = await world.call('POST', '/v1/customers', { as: token.as, body: { phone: '+4915112345678' } })
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('`read`')])
  })

  test('records events as a person does', async () => {
    const token = await make((await world.person()).as)
    const body = { type: 'order.created', phone: '+4915112345678' }
    const { event } = await world.expect(201, 'POST', '/v1/events', { as: token.as, body })
    expect((await world.expect(200, 'GET', `/v1/events/${event.id}`)).source).toBe('dashboard')
  })

  test('cannot create, list or revoke tokens, but can revoke a leaked API key', async () => {
    const { as } = await world.person('owner')
    const token = await make(as)
    expect((await create(token.as)).status).toBe(403)
    expect(await statusOf(token.as, '/v1/auth/tokens')).toBe(403)
    expect(await world.answer('DELETE', `/v1/auth/tokens/${token.id}`, { as: token.as })).toBe('403 forbidden')
    const { id } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name: 'leaked' } })
    await world.expect(204, 'DELETE', `/v1/api-keys/${id}`, { as: token.as })
  })

  test('is found at an unknown path, and rejected there if it is not valid', async () => {
    const token = await make((await world.person()).as)
    expect(await world.answer('GET', '/v1/nothing', { as: token.as })).toBe('404 not_found')
    expect(await world.answer('GET', '/v1/nothing', { as: bearer(`cest_${'x'.repeat(43)}`) })).toBe('401 unauthorized')
  })

  test.each([
    ['X-API-Key', (token: string) => ({ 'X-API-Key': token })],
    ['a cookie', (token: string) => ({ Cookie: `session=${token}` })],
  ])('in %s is rejected with an instruction', async (_, headersOf) => {
    const { token } = await make((await world.person()).as)
    const { status, body } = await world.call('GET', '/v1/events', { as: headersOf(token) })
    expect([status, body.error.message]).toEqual([401, expect.stringContaining('Authorization: Bearer')])
  })

  test('expires with 401, is listed for 30 days and then deleted', async () => {
    const { id, as } = await world.person()
    const token = await make(as)
    await sql()`update access_tokens set expires_at = now() where user_id = ${id}`
    const { status, body } = await world.call('GET', '/v1/events', { as: token.as })
    expect([status, body.error.message]).toEqual([401, 'This access token has expired. Create a new token.'])
    await sql()`update access_tokens set expires_at = now() - interval '29 days' where user_id = ${id}`
    await prune(world.database.sql)
    expect(await listed(as)).toHaveLength(1)
    await sql()`update access_tokens set expires_at = now() - interval '31 days' where user_id = ${id}`
    await prune(world.database.sql)
    expect(await listed(as)).toHaveLength(0)
  })

  test('has a time of last use, written when the service stops', async () => {
    const { as } = await world.person()
    const token = await make(as)
    expect(await statusOf(token.as)).toBe(200)
    await world.restart()
    const [{ lastUsedAt }] = await listed(as)
    expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(60_000)
  })

  test('is rejected if its person lacks the second factor that the workspace requires', async () => {
    const token = await make((await world.person()).as)
    await sql()`update workspaces set require_second_factor = true where id = ${world.workspaceId}`
    const answer = await world.answer('GET', '/v1/events', { as: token.as })
    await sql()`update workspaces set require_second_factor = false where id = ${world.workspaceId}`
    expect(answer).toBe('403 forbidden secondFactor')
  })
})

describe('is ended', () => {
  test('by its person only, and then unknown', async () => {
    const [person, another] = [await world.person(), await world.person()]
    const token = await make(person.as)
    const revoke = (as: As, id = token.id) => world.answer('DELETE', `/v1/auth/tokens/${id}`, { as })
    expect([await revoke(another.as), await revoke(person.as, unknownId), await revoke(person.as, 'x')]).toEqual(
      Array(3).fill('404 not_found'),
    )
    expect([await revoke(person.as), await statusOf(token.as), await revoke(person.as)]).toEqual([
      '204',
      401,
      '404 not_found',
    ])
  })

  /** Actions of a person or an owner, with whether the tokens stay valid. */
  const endings: [name: string, survives: boolean, act: (person: Person) => Promise<unknown>][] = [
    ['ending the other sessions', true, ({ as }) => world.expect(204, 'DELETE', '/v1/auth/sessions', { as })],
    ['signing out', true, ({ as }) => world.expect(204, 'POST', '/v1/auth/sign-out', { as })],
    [
      'changing the password',
      true,
      ({ as }) => {
        const body = { currentPassword: world.owner.password, newPassword: 'a quiet river in the north' }
        return world.expect(204, 'POST', '/v1/auth/password', { as, body })
      },
    ],
    [
      'a password reset',
      false,
      async ({ id }) => {
        const token = 'rst_of-the-test'
        const hash = new Bun.CryptoHasher('sha256').update(`${token}${id}`).digest('hex')
        await sql()`insert into account_links (token_hash, user_id, kind, mailed, expires_at)
          values (decode(${hash}, 'hex'), ${id}, 'reset', false, now() + interval '1 hour')`
        const body = { token: `${token}${id}`, password: 'a quiet river in the north' }
        await world.expect(204, 'POST', '/v1/auth/reset-password', { as: 'nobody', body })
      },
    ],
    ['removing the member', false, ({ memberId }) => world.expect(204, 'DELETE', `/v1/members/${memberId}`)],
    [
      'deleting the account',
      false,
      ({ as }) => world.expect(204, 'DELETE', '/v1/auth/user', { as, body: { password: world.owner.password } }),
    ],
  ]
  test.each(endings)('by %s: stays valid is %p', async (_, survives, act) => {
    const person = await world.person()
    const token = await make(person.as)
    await act(person)
    expect(await statusOf(token.as)).toBe(survives ? 200 : 401)
    expect(await sql()`select from access_tokens where user_id = ${person.id}`).toHaveLength(survives ? 1 : 0)
  })
})

test('the audit log names the token in its workspace', async () => {
  const { id, as } = await world.person()
  const token = await make(as)
  await world.expect(204, 'DELETE', `/v1/auth/tokens/${token.id}`, { as })
  const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${token.id}`)
  const detail = { name: 'script', access: 'write', prefix: token.prefix }
  const entry = { actor: { type: 'user', id, name: 'Kim' }, target: { type: 'access_token', id: token.id } }
  expect(data).toMatchObject([
    { ...entry, action: 'revokeAccessToken', detail },
    { ...entry, action: 'createAccessToken', detail: { ...detail, expiresAt: token.expiresAt } },
  ])
})

describe('a service account', () => {
  const add = (body: object = {}) =>
    world.call('POST', '/v1/members', { body: { kind: 'service', name: 'Terraform', role: 'agent', ...body } })
  const added = async (body: object = {}) => {
    const reply = await add(body)
    expect(reply.status).toBe(201)
    return reply.body
  }
  const tokenFor = async (memberId: string, body: object = {}) => {
    const reply = await world.call('POST', `/v1/members/${memberId}/tokens`, {
      body: { name: 'ci', access: 'write', ...body },
    })
    expect(reply.status).toBe(201)
    return { ...reply.body, as: bearer(reply.body.token), location: reply.headers.get('location') }
  }
  const remove = (id: string) => world.expect(204, 'DELETE', `/v1/members/${id}`)

  test('is a member without address, whose tokens act with its role', async () => {
    const member = await added({ role: 'owner' })
    expect(member).toMatchObject({
      ...{ kind: 'service', name: 'Terraform', email: null, role: 'owner', status: 'active' },
      ...{ invitedAt: null, invitation: null },
    })
    const { as, location, token, ...record } = await tokenFor(member.id)
    expect(location).toBe(`/v1/members/${member.id}/tokens/${record.id}`)
    expect(await world.expect(200, 'GET', `/v1/members/${member.id}/tokens`)).toEqual({
      data: [record],
      nextCursor: null,
    })
    const session = await world.expect(200, 'GET', '/v1/auth/session', { as })
    expect(session).toMatchObject({
      user: { id: member.userId, email: null, name: 'Terraform' },
      role: 'owner',
      token: { id: record.id, name: 'ci', access: 'write' },
    })
    expect(await statusOf(as, '/v1/audit')).toBe(200)
    await world.expect(200, 'PATCH', `/v1/members/${member.id}`, { body: { role: 'agent' } })
    expect(await statusOf(as, '/v1/audit')).toBe(403)
    await world.expect(204, 'DELETE', `/v1/members/${member.id}/tokens/${record.id}`)
    expect(await statusOf(as)).toBe(401)
    await remove(member.id)
  })

  test.each([
    [{ email: 'bot@shop.example' }, 'email'],
    [{ name: undefined }, 'name'],
    [{ kind: 'robot' }, 'kind'],
    [{ kind: 'person' }, 'email'],
    [{ kind: undefined }, 'email'],
  ])('is not added with %p', async (body, field) => {
    const { status, body: answer } = await add(body)
    expect([status, Object.keys(answer.error.details)]).toEqual([400, [field]])
  })

  test('takes no seat, and there are at most 10', async () => {
    const seats = async () => (await world.expect(200, 'GET', '/v1/entitlements')).allowances.teamSeats.used
    const before = await seats()
    const replies = await Promise.all(Array.from({ length: 12 }, () => add()))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 422, 422])
    expect(await seats()).toBe(before)
    for (const { status, body } of replies) if (status === 201) await remove(body.id)
  })

  test('is no owner where one is required', async () => {
    const member = await added({ role: 'owner' })
    const { data } = await world.expect(200, 'GET', '/v1/members?limit=100')
    const owners = data.filter((one: { role: string; kind: string }) => one.role === 'owner' && one.kind === 'person')
    await sql()`update members set role = 'agent' where role = 'owner' and kind = 'person' and id <> ${owners.at(-1).id}`
    expect(await world.answer('DELETE', `/v1/members/${owners.at(-1).id}`)).toBe('422 unprocessable')
    await remove(member.id)
  })

  test('works where the workspace requires a second factor', async () => {
    const member = await added()
    const { as } = await tokenFor(member.id)
    await sql()`update workspaces set require_second_factor = true where id = ${world.workspaceId}`
    const status = await statusOf(as, '/v1/events')
    await sql()`update workspaces set require_second_factor = false where id = ${world.workspaceId}`
    expect(status).toBe(200)
    await remove(member.id)
  })

  test('cannot be assigned a conversation, and answers one', async () => {
    const member = await added()
    const { as } = await tokenFor(member.id)
    const channelId = await world.sandbox()
    const body = { text: 'Hello' }
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, {
      body: { from: '+12025550177', ...body },
    })
    const path = `/v1/conversations/${conversationId}`
    const { error } = await world.expect(400, 'PATCH', path, { body: { assigneeId: member.userId } })
    expect(Object.keys(error.details)).toEqual(['assigneeId'])
    expect(await world.expect(201, 'POST', `${path}/messages`, { as, body })).toMatchObject({
      sentBy: { type: 'user', id: member.userId },
    })
    await remove(member.id)
  })

  test('is deleted with its tokens when it is removed', async () => {
    const member = await added()
    const { as } = await tokenFor(member.id)
    await remove(member.id)
    expect(await statusOf(as)).toBe(401)
    expect(await sql()`select from users where id = ${member.userId}`).toHaveLength(0)
    expect(await sql()`select from access_tokens where user_id = ${member.userId}`).toHaveLength(0)
  })

  test('has tokens that only owners with a session manage, and a person has none there', async () => {
    const [member, person] = [await added(), await world.person()]
    const { id, as } = await tokenFor(member.id)
    const ownersToken = await make(bearer(world.owner.token))
    const path = `/v1/members/${member.id}/tokens`
    for (const caller of [as, ownersToken.as, person.as]) {
      expect(await world.answer('GET', path, { as: caller })).toBe('403 forbidden')
      expect(await world.answer('DELETE', `${path}/${id}`, { as: caller })).toBe('403 forbidden')
    }
    expect(await world.answer('GET', `/v1/members/${person.memberId}/tokens`)).toBe('404 not_found')
    expect(await world.answer('GET', path, { as: await world.otherOwner() })).toBe('404 not_found')
    await remove(member.id)
  })
})
