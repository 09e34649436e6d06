import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { hashPassword } from '../../../../src/accounts/users/index.ts'
import { type Asking, answerOf, bearer, eventually, startWorld, unknownId, useWorld } from '../../../support/world.ts'

const world = useWorld()

const password = 'a password of some length'

const newAddress = () => `p-${crypto.randomUUID()}@shop.example`

const invite = (email = newAddress(), role = 'agent', as: Asking = {}) =>
  world.expect(201, 'POST', '/v1/members', { body: { email, role }, ...as })

const accept = (token: string, body: Record<string, unknown> = {}) =>
  world.call('POST', '/v1/auth/accept-invitation', { as: 'nobody', body: { token, name: 'Ben', password, ...body } })

/** Creates another workspace and its owner. */
const otherWorkspace = async () => {
  const [row] = await world.database
    .sql`insert into workspaces (name, plan_id) values ('Other', 'unlimited') returning id`
  const workspaceId = row!.id as string
  return { workspaceId, ...(await world.person('owner', workspaceId)) }
}

const members = async (as?: Record<string, string>) =>
  (await world.expect(200, 'GET', '/v1/members?limit=100', as && { as })).data as Record<string, string>[]

describe('an invitation', () => {
  test('has a link that is returned once and stored only as a hash', async () => {
    const email = newAddress()
    const { invitation, ...record } = await world.expect(201, 'POST', '/v1/members', {
      body: { email, role: 'agent', name: 'Ben Agent' },
    })
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: null,
      email,
      name: 'Ben Agent',
      role: 'agent',
      status: 'invited',
      invitedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      joinedAt: null,
    })
    expect(invitation.token).toMatch(/^inv_[A-Za-z0-9_-]{43}$/)
    expect(invitation.url).toBe(`http://127.0.0.1:${world.service.port}/accept-invitation#token=${invitation.token}`)
    const days = (Date.parse(invitation.expiresAt) - Date.parse(record.invitedAt)) / 86_400_000
    expect(days).toBe(7)
    expect((await members())[0]).toEqual(record)
    const { sql } = world.database
    const [row] = await sql`select to_jsonb(m)::text as text from members m where id = ${record.id}`
    expect(row!.text).not.toContain(invitation.token)
    expect(row!.text).toContain(createHash('sha256').update(invitation.token).digest('hex'))
  })

  test('creates an account and signs in', async () => {
    const { id, email, invitation } = await invite()
    const reply = await accept(invitation.token)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^ses_/),
      expiresAt: expect.stringMatching(/Z$/),
      user: { id: expect.any(String), email, name: 'Ben' },
      workspace: { id: world.workspaceId, name: 'Shop' },
      role: 'agent',
    })
    const cookie = reply.headers.get('set-cookie')!
    expect(cookie).toContain('HttpOnly')
    await world.expect(200, 'GET', '/v1/auth/session', { as: { Cookie: cookie.split(';')[0]! } })
    await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    const record = (await members(bearer(reply.body.token))).find(one => one.id === id)!
    expect(record).toMatchObject({ status: 'active', name: 'Ben', joinedAt: expect.stringMatching(/Z$/) })
  })

  test('joins the existing account of its address, only with the password of that account', async () => {
    const { id, email } = await otherWorkspace()
    const { invitation } = await invite(email.toUpperCase())
    const wrong = await accept(invitation.token)
    expect(answerOf(wrong)).toBe('401 unauthorized')
    expect(wrong.headers.get('set-cookie')).toBeNull()
    const { status, body } = await accept(invitation.token, { password: world.owner.password, name: 'Somebody else' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { id, email, name: 'Kim' },
      workspace: { id: world.workspaceId },
      role: 'agent',
    })
  })

  test('works once, also when accepted twice concurrently', async () => {
    const { invitation } = await invite()
    const replies = await Promise.all([accept(invitation.token), accept(invitation.token)])
    // The second call finds an account with the same password, and an invitation that is already used.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    expect((await accept(invitation.token)).status).toBe(422)
  })

  test('to two workspaces, accepted concurrently, creates one account in both', async () => {
    const { as } = await otherWorkspace()
    const email = newAddress()
    const [here, there] = [await invite(email), await invite(email, 'owner', { as })]
    const replies = await Promise.all([accept(here.invitation.token), accept(there.invitation.token)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies[0]!.body.user.id).toBe(replies[1]!.body.user.id)
    expect(replies.map(({ body }) => body.role)).toEqual(['agent', 'owner'])
  })

  test('is rejected with the same message when unknown, used, withdrawn or expired', async () => {
    const { sql } = world.database
    const [used, removed, expired] = [await invite(), await invite(), await invite()]
    const accepted = await accept(used.invitation.token, { name: undefined })
    expect(accepted.body.user.name).toBe(used.email.split('@')[0])
    await world.expect(204, 'DELETE', `/v1/members/${removed.id}`)
    await sql`update members set expires_at = now() where id = ${expired.id}`
    const tokens = [used, removed, expired].map(({ invitation }) => invitation.token)
    const refusals = await Promise.all(['inv_never', ...tokens].map(token => accept(token)))
    for (const { status, body } of refusals) {
      expect(status).toBe(422)
      expect(body.error).toEqual({ code: 'unprocessable', message: refusals[0]!.body.error.message })
    }
    expect(await sql`select 1 from users where email in (${removed.email}, ${expired.email})`).toHaveLength(0)
  })

  test('needs an uncommon password of at least 12 characters, and the error names the field', async () => {
    const { invitation } = await invite()
    for (const [password, reason] of [
      ['123456789', 'Must have 12 to 1000 characters.'],
      ['twelve less', 'Must have 12 to 1000 characters.'],
      ['qwerty123456', 'Is one of the most common passwords. Choose another password.'],
    ]) {
      const { status, body } = await accept(invitation.token, { password })
      expect([status, body.error.details]).toEqual([400, { password: reason }])
    }
    expect((await accept(invitation.token, { password: 'twelve or more' })).status).toBe(200)
  })

  test('accepts an existing password from before the current rules', async () => {
    const { invitation, email } = await invite()
    const passwordHash = await hashPassword('0123456789')
    await world.database.sql`insert into users (email, name, password_hash) values (${email}, 'Kim', ${passwordHash})`
    expect((await accept(invitation.token, { password: '0123456789' })).status).toBe(200)
  })

  test("to a member's address, in any case, is a conflict that explains what to do", async () => {
    const email = newAddress()
    await invite(email)
    const again = await world.call('POST', '/v1/members', { body: { email: email.toUpperCase(), role: 'owner' } })
    expect(again.status).toBe(409)
    expect(again.body.error.details.email).toContain('remove the invitation first')
    expect(await world.answer('POST', '/v1/members', { body: { email: world.owner.email, role: 'agent' } })).toBe(
      '409 conflict email',
    )
    const once = newAddress()
    const many = await Promise.all(
      Array.from({ length: 10 }, () => world.answer('POST', '/v1/members', { body: { email: once, role: 'agent' } })),
    )
    expect(many.sort()).toEqual(['201', ...Array(9).fill('409 conflict email')])
  })

  test('that has expired is replaced by a new invitation', async () => {
    const email = newAddress()
    const first = await invite(email)
    await world.database.sql`update members set expires_at = now() where id = ${first.id}`
    const body = { email, role: 'owner', name: 'Kim' }
    const second = await world.expect(201, 'POST', '/v1/members', { body })
    expect((await members()).filter(one => one.email === email)).toHaveLength(1)
    expect((await accept(first.invitation.token)).status).toBe(422)
    expect((await accept(second.invitation.token, { name: undefined })).body).toMatchObject({
      user: { name: 'Kim' },
      role: 'owner',
    })
    // Removes the second owner, because other tests need exactly one.
    await world.expect(204, 'DELETE', `/v1/members/${second.id}`)
  })

  test.each([
    [{ role: 'agent' }, 'email'],
    [{ email: 'no address', role: 'agent' }, 'email'],
    [{ email: `${'x'.repeat(320)}@shop.example`, role: 'agent' }, 'email'],
    // PostgreSQL lowercases these letters to i and k, so the address would equal another person's.
    [{ email: 'an\u0130@b.example', role: 'agent' }, 'email'],
    [{ email: '\u212Aim@b.example', role: 'agent' }, 'email'],
    [{ email: 'ki\u200bm@b.example', role: 'agent' }, 'email'],
    [{ email: '\u001b[2Kkim@b.example', role: 'agent' }, 'email'],
    [{ email: 'a@b.example' }, 'role'],
    [{ email: 'a@b.example', role: 'admin' }, 'role'],
    [{ email: 'a@b.example', role: 'agent', name: ' ' }, 'name'],
    [{ email: 'a@b.example', role: 'agent', password }, 'password'],
  ])('%j is rejected, naming %s', async (body, field) => {
    expect(await world.answer('POST', '/v1/members', { body })).toBe(`400 invalid_request ${field}`)
  })
})

test('wrong passwords for an invitation count as sign-in attempts of the address, and links have the public URL', async () => {
  await using limited = await startWorld({ RATE_LIMIT_SIGN_IN: '3', PUBLIC_URL: 'https://engage.example.com/' })
  const ask = async (token: string, secret: string) => {
    const body = { token, name: 'X', password: secret }
    return (await limited.call('POST', '/v1/auth/accept-invitation', { as: 'nobody', body })).status
  }
  const body = { email: (await limited.person(null)).email, role: 'agent' }
  const { id, invitation } = await limited.expect(201, 'POST', '/v1/members', { body })
  expect(invitation.url).toBe(`https://engage.example.com/accept-invitation#token=${invitation.token}`)
  const wrong = ['wrong password 1', 'wrong password 2', 'wrong password 3']
  expect(await Promise.all(wrong.map(secret => ask(invitation.token, secret)))).toEqual([401, 401, 401])
  expect(await ask(invitation.token, limited.owner.password)).toBe(429)
  await limited.expect(204, 'DELETE', `/v1/members/${id}`)
  const again = await limited.expect(201, 'POST', '/v1/members', { body })
  expect(await ask(again.invitation.token, limited.owner.password)).toBe(429)
})

describe('the team', () => {
  test('is listed in pages, newest first, from an owner without an invitation', async () => {
    const agent = await world.person()
    const pages = await world.pages('/v1/members?limit=1', { as: agent.as })
    const all = await members(agent.as)
    expect(pages.flat()).toEqual(all)
    expect(all[0]!.id).toBe(agent.memberId)
    expect(all.at(-1)).toMatchObject({ email: world.owner.email, role: 'owner', invitedAt: null })
  })

  test('has user ids, which match assignees of conversations and authors of messages', async () => {
    const agent = await world.person()
    const channelId = await world.sandbox()
    const { conversationId } = await world.expect(201, 'POST', `/v1/channels/${channelId}/sandbox/messages`, {
      body: { from: '+4915112345700', text: 'Hello?' },
    })
    const { userId } = (await members()).find(({ id }) => id === agent.memberId)!
    expect(userId).toBe(agent.id)
    const given = await world.expect(200, 'PATCH', `/v1/conversations/${conversationId}`, {
      body: { assigneeId: userId },
    })
    expect(given.assigneeId).toBe(userId)
    const written = await world.expect(201, 'POST', `/v1/conversations/${conversationId}/messages`, {
      as: agent.as,
      body: { text: 'Here I am.' },
    })
    const writer = (await members()).find(one => one.userId === written.sentBy.id)
    expect(writer).toMatchObject({ id: agent.memberId, name: 'Kim' })
  })

  test('rejects a removed member immediately, whose account still works in other workspaces', async () => {
    const other = await otherWorkspace()
    const agent = await world.person()
    const { invitation } = await invite(agent.email, 'agent', { as: other.as })
    expect((await accept(invitation.token, { password: world.owner.password })).status).toBe(200)
    const here = { ...agent.as, 'X-Workspace-Id': world.workspaceId }
    await world.expect(200, 'GET', '/v1/members', { as: here })
    await world.expect(204, 'DELETE', `/v1/members/${agent.memberId}`)
    expect(await world.answer('GET', '/v1/members', { as: here })).toBe('404 not_found')
    const { workspace } = await world.expect(200, 'GET', '/v1/auth/session', { as: agent.as })
    expect(workspace.name).toBe('Other')
    expect(await world.answer('DELETE', `/v1/members/${agent.memberId}`)).toBe('404 not_found')
  })

  test('rejects a person without a workspace with 403 and what to do, and creates no session', async () => {
    const { memberId, email, as } = await world.person()
    await world.expect(204, 'DELETE', `/v1/members/${memberId}`)
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('403 forbidden')
    const sessions = () =>
      world.database.sql`select 1 from sessions s join users u on u.id = s.user_id where email = ${email}`
    const before = (await sessions()).length
    const known = { email, password: world.owner.password }
    const refused = await world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: known })
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('Ask an owner')])
    expect(await world.answer('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password: 'wrong' } })).toBe(
      '401 unauthorized',
    )
    expect(await sessions()).toHaveLength(before)
    const { invitation } = await invite(email)
    expect((await accept(invitation.token, { password: known.password })).status).toBe(200)
  })

  test('applies a changed role to the next request', async () => {
    const { memberId: id, as } = await world.person()
    expect(await world.answer('GET', '/v1/api-keys', { as })).toBe('403 forbidden')
    expect(await world.expect(200, 'PATCH', `/v1/members/${id}`, { body: { role: 'owner' } })).toMatchObject({
      id,
      role: 'owner',
      status: 'active',
    })
    expect(await world.answer('GET', '/v1/api-keys', { as })).toBe('200')
    await world.expect(200, 'PATCH', `/v1/members/${id}`, { body: { role: 'agent' } })
    expect(await world.answer('GET', '/v1/api-keys', { as })).toBe('403 forbidden')
  })
})

describe('the last owner', () => {
  const owners = async (as?: Record<string, string>) =>
    (await members(as)).filter(one => one.role === 'owner' && one.status === 'active')

  test('cannot leave or become an agent, and an invited owner does not count', async () => {
    const [last] = await owners()
    const invited = await invite(newAddress(), 'owner')
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'agent' }],
    ] as const) {
      const reply = await world.call(method, `/v1/members/${last!.id}`, { body })
      expect([reply.status, reply.body.error.code]).toEqual([422, 'unprocessable'])
    }
    expect(await world.answer('PATCH', `/v1/members/${last!.id}`, { body: { role: 'owner' } })).toBe('200')
    await world.expect(200, 'PATCH', `/v1/members/${invited.id}`, { body: { role: 'agent' } })
    await world.expect(204, 'DELETE', `/v1/members/${invited.id}`)
  })

  test.each([
    ['PATCH', { role: 'agent' }],
    ['DELETE', undefined],
  ] as const)('is kept when two owners %s each other concurrently', async (method, body) => {
    const { sql } = world.database
    const { workspaceId, ...first } = await otherWorkspace()
    const second = await world.person('owner', workspaceId)
    const gate = await sql.reserve()
    await gate`begin`
    await gate`select 1 from workspaces where id = ${workspaceId} for update`
    const replies = Promise.all([
      world.call(method, `/v1/members/${second.memberId}`, { as: first.as, body }),
      world.call(method, `/v1/members/${first.memberId}`, { as: second.as, body }),
    ])
    // Both calls are authorized as owners, and wait for the workspace row before they count owners.
    await eventually('two calls that wait', async () => {
      const waiting = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length === 2
    })
    await gate`commit`
    gate.release()
    const statuses = (await replies).map(({ status }) => status)
    expect(statuses.sort()).toEqual([method === 'PATCH' ? 200 : 204, 422])
    const left = await sql`select 1 from members where workspace_id = ${workspaceId} and role = 'owner'`
    expect(left).toHaveLength(1)
  })
})

describe('a person in several workspaces', () => {
  let here: string
  let there: string
  let as: Record<string, string>
  beforeAll(async () => {
    const { email, as: credential } = await world.person()
    as = credential
    here = world.workspaceId
    const other = await otherWorkspace()
    there = other.workspaceId
    const { invitation } = await invite(email, 'owner', { as: other.as })
    const { status, body } = await accept(invitation.token, { password: world.owner.password })
    expect([status, body.workspace.id, body.role]).toEqual([200, there, 'owner'])
  })

  test('uses the first joined workspace or the one in X-Workspace-Id, with the role in each', async () => {
    const session = async (id?: string) => {
      const headers = id && { 'X-Workspace-Id': id }
      const { workspace, role } = await world.expect(200, 'GET', '/v1/auth/session', { as: { ...as, ...headers } })
      return [workspace.id, role]
    }
    expect(await session()).toEqual([here, 'agent'])
    expect(await session(here)).toEqual([here, 'agent'])
    expect(await session(there.toUpperCase())).toEqual([there, 'owner'])
    expect(await world.answer('POST', '/v1/api-keys', { as, body: { name: 'k' } })).toBe('403 forbidden')
    const chosen = { ...as, 'X-Workspace-Id': there }
    const { id } = await world.expect(201, 'POST', '/v1/api-keys', { as: chosen, body: { name: 'k' } })
    const listed = (await world.expect(200, 'GET', '/v1/api-keys')).data as { id: string }[]
    expect(listed.map(key => key.id)).not.toContain(id)
  })

  test('can list them', async () => {
    expect(await world.expect(200, 'GET', '/v1/auth/workspaces', { as })).toEqual({
      data: [
        { id: here, name: 'Shop', role: 'agent' },
        { id: there, name: 'Other', role: 'owner' },
      ],
    })
  })

  test('can sign out after leaving the last one', async () => {
    const { memberId, as } = await world.person()
    await world.expect(204, 'DELETE', `/v1/members/${memberId}`)
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('403 forbidden')
    expect(await world.answer('GET', '/v1/nothing', { as })).toBe('404 not_found')
    expect(await world.answer('PUT', '/v1/events', { as })).toBe('405 method_not_allowed')
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as })
    expect(await world.answer('GET', '/v1/auth/session', { as })).toBe('401 unauthorized')
  })

  test('cannot use other workspaces', async () => {
    const { workspaceId } = await otherWorkspace()
    for (const id of [workspaceId, unknownId, 'no-uuid']) {
      expect(await world.answer('GET', '/v1/members', { as: { ...as, 'X-Workspace-Id': id } })).toBe('404 not_found')
    }
  })
})
