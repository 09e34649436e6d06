import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { hashPassword } from '../../../../src/accounts/users/index.ts'
import { lockTeam } from '../../../../src/core/locks.ts'
import { openTransaction } from '../../../support/database.ts'
import { type Asking, answerOf, bearer, unknownId, untilBlocked, useWorld } from '../../../support/world.ts'

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
    const body = { email: newAddress(), role: 'agent', name: 'Ben Agent' }
    const { invitation, ...record } = await world.expect(201, 'POST', '/v1/members', { body })
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId: null,
      kind: 'person',
      ...body,
      status: 'invited',
      invitedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      joinedAt: null,
      secondFactor: null,
    })
    expect(invitation.token).toMatch(/^inv_[A-Za-z0-9_-]{43}$/)
    expect(invitation.url).toBe(`http://127.0.0.1:${world.service.port}/accept-invitation#token=${invitation.token}`)
    expect(Date.parse(invitation.expiresAt) - Date.parse(record.invitedAt)).toBe(7 * 86_400_000)
    expect((await members())[0]).toEqual(record)
    const [row] = await world.database.sql`select to_jsonb(m)::text as text from members m where id = ${record.id}`
    expect(row!.text).not.toContain(invitation.token)
    expect(row!.text).toContain(createHash('sha256').update(invitation.token).digest('hex'))
  })

  test('creates an account with a valid password and signs in', async () => {
    const { id, email, invitation } = await invite()
    const details = { password: 'Must have 12 to 1000 characters.' }
    const refused = await accept(invitation.token, { password: 'twelve less' })
    expect([refused.status, refused.body.error.details]).toEqual([400, details])
    const { status, body, headers } = await accept(invitation.token)
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.stringMatching(/^ses_/),
      expiresAt: expect.stringMatching(/Z$/),
      user: { id: expect.any(String), email, name: 'Ben' },
      workspace: { id: world.workspaceId, name: 'Shop' },
      role: 'agent',
    })
    const cookie = headers.get('set-cookie')!
    expect(cookie).toContain('HttpOnly')
    await world.expect(200, 'GET', '/v1/auth/session', { as: { Cookie: cookie.split(';')[0]! } })
    await world.expect(200, 'POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    const record = (await members(bearer(body.token))).find(one => one.id === id)!
    expect(record).toMatchObject({ status: 'active', name: 'Ben', joinedAt: expect.stringMatching(/Z$/) })
  })

  test('joins the existing account of its address, only with its password, also one from before the rules', async () => {
    const { id, email } = await otherWorkspace()
    const old = '0123456789'
    await world.database.sql`update users set password_hash = ${await hashPassword(old)} where id = ${id}`
    const { token } = (await invite(email.toUpperCase())).invitation
    const wrong = await accept(token)
    expect([answerOf(wrong), wrong.headers.get('set-cookie')]).toEqual(['401 unauthorized', null])
    const { status, body } = await accept(token, { password: old, name: 'Somebody else' })
    expect(status).toBe(200)
    const workspace = { id: world.workspaceId }
    expect(body).toMatchObject({ user: { id, email, name: 'Kim' }, workspace, role: 'agent' })
  })

  test('works once, also when accepted twice concurrently, and two of them create one account', async () => {
    const { invitation } = await invite()
    const twice = await Promise.all([accept(invitation.token), accept(invitation.token)])
    // The second call finds an account with the same password, and an invitation that is already used.
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 422])
    const { as } = await otherWorkspace()
    const email = newAddress()
    const [here, there] = [await invite(email), await invite(email, 'owner', { as })]
    const replies = await Promise.all([accept(here.invitation.token), accept(there.invitation.token)])
    expect(replies.map(({ body }) => body.role)).toEqual(['agent', 'owner'])
    expect(replies[0]!.body.user.id).toBe(replies[1]!.body.user.id)
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

  test("to a member's address, in any case, is a conflict that explains what to do", async () => {
    const email = newAddress()
    await invite(email)
    const again = await world.call('POST', '/v1/members', { body: { email: email.toUpperCase(), role: 'owner' } })
    expect(again.status).toBe(409)
    expect(again.body.error.details.email).toContain('remove the invitation first')
    const answer = (email: string) => world.answer('POST', '/v1/members', { body: { email, role: 'agent' } })
    expect(await answer(world.owner.email)).toBe('409 conflict email')
    const once = newAddress()
    const many = await Promise.all(Array.from({ length: 10 }, () => answer(once)))
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
    const accepted = await accept(second.invitation.token, { name: undefined })
    expect(accepted.body).toMatchObject({ user: { name: 'Kim' }, role: 'owner' })
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

describe('the team', () => {
  test('is listed in pages, newest first, from an owner without an invitation', async () => {
    const agent = await world.person()
    const pages = await world.pages('/v1/members?limit=1', { as: agent.as })
    const all = await members(agent.as)
    expect(pages.flat()).toEqual(all)
    expect(all[0]).toMatchObject({ id: agent.memberId, userId: agent.id, name: 'Kim' })
    expect(all.at(-1)).toMatchObject({ email: world.owner.email, role: 'owner', invitedAt: null })
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

  test('rejects a person without a workspace with 403, who can sign out and accept an invitation', async () => {
    const { id, memberId, email, as, session } = await world.person()
    const last = await session()
    await world.expect(204, 'DELETE', `/v1/members/${memberId}`)
    const answer = (method: string, path: string, body?: object) => world.answer(method, path, { as: last, body })
    expect(await answer('GET', '/v1/auth/session')).toBe('403 forbidden')
    expect(await answer('GET', '/v1/nothing')).toBe('404 not_found')
    expect(await answer('PUT', '/v1/events')).toBe('405 method_not_allowed')
    await world.expect(204, 'POST', '/v1/auth/sign-out', { as: last })
    expect(await answer('GET', '/v1/auth/session')).toBe('401 unauthorized')
    const signIn = (password: string) =>
      world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
    const refused = await signIn(world.owner.password)
    expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('Ask an owner')])
    expect((await signIn('wrong')).status).toBe(401)
    // Only the first session of the person is left.
    expect(await world.database.sql`select 1 from sessions where user_id = ${id}`).toHaveLength(1)
    const { invitation } = await invite(email)
    expect((await accept(invitation.token, { password: world.owner.password })).status).toBe(200)
    await world.expect(200, 'GET', '/v1/auth/session', { as })
  })

  test('applies a changed role to the next request', async () => {
    const { memberId: id, as } = await world.person()
    const keys = () => world.answer('GET', '/v1/api-keys', { as })
    const change = (role: string) => world.expect(200, 'PATCH', `/v1/members/${id}`, { body: { role } })
    expect(await keys()).toBe('403 forbidden')
    expect(await change('owner')).toMatchObject({ id, role: 'owner', status: 'active' })
    expect(await keys()).toBe('200')
    await change('agent')
    expect(await keys()).toBe('403 forbidden')
  })
})

test('the last owner cannot leave or become an agent, and an invited owner does not count', async () => {
  const last = (await members()).find(one => one.role === 'owner' && one.status === 'active')!
  const path = `/v1/members/${last.id}`
  const { id } = await invite(newAddress(), 'owner')
  expect(await world.answer('DELETE', path)).toBe('422 unprocessable')
  expect(await world.answer('PATCH', path, { body: { role: 'agent' } })).toBe('422 unprocessable')
  expect(await world.answer('PATCH', path, { body: { role: 'owner' } })).toBe('200')
  await world.expect(200, 'PATCH', `/v1/members/${id}`, { body: { role: 'agent' } })
  await world.expect(204, 'DELETE', `/v1/members/${id}`)
})

test.each([
  ['PATCH', { role: 'agent' }],
  ['DELETE', undefined],
] as const)('is kept when two owners %s each other concurrently', async (method, body) => {
  const { sql } = world.database
  const { workspaceId, ...first } = await otherWorkspace()
  const second = await world.person('owner', workspaceId)
  const unlock = await openTransaction(sql, tx => lockTeam(tx, workspaceId))
  const replies = Promise.all([
    world.call(method, `/v1/members/${second.memberId}`, { as: first.as, body }),
    world.call(method, `/v1/members/${first.memberId}`, { as: second.as, body }),
  ])
  // Both calls are authorized as owners, and wait for the lock of the team before they count owners.
  await untilBlocked(sql, 2)
  await unlock()
  const statuses = (await replies).map(({ status }) => status)
  expect(statuses.sort()).toEqual([method === 'PATCH' ? 200 : 204, 422])
  const left = await sql`select 1 from members where workspace_id = ${workspaceId} and role = 'owner'`
  expect(left).toHaveLength(1)
})

test('a person in several workspaces uses the first one or that of X-Workspace-Id, with the role in each', async () => {
  const [{ email, as }, other, here] = [await world.person(), await otherWorkspace(), world.workspaceId]
  const there = other.workspaceId
  const { invitation } = await invite(email, 'owner', { as: other.as })
  const { body } = await accept(invitation.token, { password: world.owner.password })
  expect([body.workspace.id, body.role]).toEqual([there, 'owner'])
  const session = async (headers?: Record<string, string>) => {
    const { workspace, role } = await world.expect(200, 'GET', '/v1/auth/session', { as: { ...as, ...headers } })
    return [workspace.id, role]
  }
  expect(await session()).toEqual([here, 'agent'])
  expect(await session({ 'X-Workspace-Id': here })).toEqual([here, 'agent'])
  expect(await session({ 'X-Workspace-Id': there.toUpperCase() })).toEqual([there, 'owner'])
  expect(await world.answer('POST', '/v1/api-keys', { as, body: { name: 'k' } })).toBe('403 forbidden')
  const chosen = { ...as, 'X-Workspace-Id': there }
  const { id } = await world.expect(201, 'POST', '/v1/api-keys', { as: chosen, body: { name: 'k' } })
  const listed = (await world.expect(200, 'GET', '/v1/api-keys')).data as { id: string }[]
  expect(listed.map(key => key.id)).not.toContain(id)
  expect((await world.expect(200, 'GET', '/v1/auth/workspaces', { as })).data).toEqual([
    { id: here, name: 'Shop', role: 'agent' },
    { id: there, name: 'Other', role: 'owner' },
  ])
  for (const id of [(await otherWorkspace()).workspaceId, unknownId, 'no-uuid'])
    expect(await world.answer('GET', '/v1/members', { as: { ...as, 'X-Workspace-Id': id } })).toBe('404 not_found')
})
