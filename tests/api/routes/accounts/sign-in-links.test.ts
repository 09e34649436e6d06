/** Tests of sign-in links that the operator creates. */
import { describe, expect, test } from 'bun:test'
import { disableAccount, makeResetLink, makeSignInLink } from '../../../../src/accounts/people/index.ts'
import { bearer, useWorld } from '../../../support/world.ts'

const world = useWorld()

const linkOf = (email: string): Promise<string> => makeSignInLink(world.database.sql, email)
const resetLinkOf = async (email: string): Promise<string> =>
  (await makeResetLink(world.database.sql, email, { byMail: false, dropSecondFactor: false })).token!

const use = (token: string) => world.call('POST', '/v1/auth/sign-in/link', { as: 'nobody', body: { token } })

const newPassword = 'another password, and longer'
const reset = async (token: string) => {
  const asking = { as: 'nobody', body: { token, password: newPassword } } as const
  return (await world.call('POST', '/v1/auth/reset-password', asking)).status
}

const linksLeft = async (userId: string): Promise<number> =>
  (await world.database.sql`select 1 from account_links where user_id = ${userId}`).length

test('a sign-in link is stored as a hash, opens a session by token and cookie, works once, and is audited', async () => {
  const { id, email } = await world.person()
  const token = await linkOf(email)
  expect(token).toMatch(/^sgn_[\w-]{43}$/)
  const [row] = await world.database.sql`select l::text as text from account_links l where user_id = ${id}`
  expect(row!.text).toContain(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
  expect(row!.text).not.toContain(token)
  const { status, body, headers } = await use(token)
  expect([status, body.user.id, body.workspace.id, body.role]).toEqual([200, id, world.workspaceId, 'agent'])
  const cookie = headers.get('set-cookie')!
  expect(cookie).toContain(`session=${body.token};`)
  for (const as of [bearer(body.token), { Cookie: cookie.split(';')[0]! }])
    expect((await world.expect(200, 'GET', '/v1/auth/session', { as })).user.email).toBe(email)
  const again = await use(token)
  expect(again).toMatchObject({ status: 422, body: { error: { code: 'unprocessable' } } })
  expect(again.body.error.message).toContain('This link is not valid')
  // The link was shown to a person, not mailed, so it confirms no address.
  const [user] = await world.database.sql`select confirmed_at from users where id = ${id}`
  expect(user!.confirmed_at).toBeNull()
  expect((await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)).data).toMatchObject([
    { action: 'signInByLink', actor: { type: 'user', id }, address: '127.0.0.1' },
    { action: 'makeSignInLink', actor: { type: 'operator', id: null }, detail: {}, address: null },
  ])
})

describe('a link is invalid', () => {
  test('after ten minutes', async () => {
    const { id, email } = await world.person()
    const token = await linkOf(email)
    const [link] = await world.database.sql`
      update account_links set expires_at = now() where user_id = ${id} returning old.expires_at - created_at as age`
    expect([link!.age, (await use(token)).status]).toEqual(['00:10:00', 422])
  })

  test('after another one was created, which works once when used twice concurrently', async () => {
    const { email } = await world.person()
    const [first, second] = [await linkOf(email), await linkOf(email)]
    expect((await use(first)).status).toBe(422)
    const replies = await Promise.all([use(second), use(second)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('after the password was changed or reset', async () => {
    const [changed, forgotten] = [await world.person(), await world.person()]
    const links = [await linkOf(changed.email), await linkOf(forgotten.email)]
    const body = { currentPassword: world.owner.password, newPassword }
    await world.expect(204, 'POST', '/v1/auth/password', { as: changed.as, body })
    expect(await reset(await resetLinkOf(forgotten.email))).toBe(204)
    for (const link of links) expect((await use(link)).status).toBe(422)
  })

  test('when the account is disabled, and none can be created for it', async () => {
    const { id, email } = await world.person()
    const token = await linkOf(email)
    await disableAccount(world.database.sql, email)
    expect(await linksLeft(id)).toBe(0)
    expect((await use(token)).status).toBe(422)
    await expect(linkOf(email)).rejects.toThrow('Enable the account with "user enable".')
    // The check does not depend on the deletion of the links.
    const other = await world.person()
    const left = await linkOf(other.email)
    await world.database.sql`update users set disabled_at = now() where id = ${other.id}`
    expect((await use(left)).status).toBe(422)
  })

  test('when it is of another kind or unknown', async () => {
    const { email } = await world.person()
    for (const token of [await resetLinkOf(email), 'sgn_unknown']) expect((await use(token)).status).toBe(422)
    expect(await reset(await linkOf(email))).toBe(422)
  })

  test('except for a person without a workspace, who gets 403 and keeps the link', async () => {
    const { id, email } = await world.person(null)
    const { status, body } = await use(await linkOf(email))
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('not a member of any workspace')])
    expect(await linksLeft(id)).toBe(1)
    expect(await world.database.sql`select 1 from sessions where user_id = ${id}`).toHaveLength(1)
  })
})
