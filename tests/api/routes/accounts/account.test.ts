/** Tests of what people can do with their own account and sessions. */
import { describe, expect, test } from 'bun:test'
import { hashPassword } from '../../../../src/accounts/users/index.ts'
import { openTransaction } from '../../../support/database.ts'
import { bearer, startWorld, untilBlocked, useWorld } from '../../../support/world.ts'

const world = useWorld()

const newPassword = 'a quiet river in the north'

const trySignIn = (email: string, password = world.owner.password, headers: Record<string, string> = {}) =>
  world.call('POST', '/v1/auth/sign-in', { as: 'nobody', headers, body: { email, password } })

const signIn = async (email: string, headers: Record<string, string> = {}) => {
  const { status, body } = await trySignIn(email, world.owner.password, headers)
  expect(status).toBe(200)
  return bearer(body.token)
}

const whoAmI = async (as: Record<string, string>) => (await world.call('GET', '/v1/auth/session', { as })).status
const listed = async (as: Record<string, string>) => (await world.expect(200, 'GET', '/v1/auth/sessions', { as })).data

describe('sessions', () => {
  test('are listed, newest first, with their times, address and user agent', async () => {
    const { id, email } = await world.person()
    await world.database.sql`delete from sessions where user_id = ${id}`
    await signIn(email, { 'User-Agent': 'till/1.0' })
    const as = await signIn(email, { 'User-Agent': 'x'.repeat(400) })
    const [own, other, ...none] = await listed(as)
    expect(none).toEqual([])
    expect(own).toEqual({
      id: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
      address: '127.0.0.1',
      userAgent: 'x'.repeat(300),
      current: true,
    })
    expect(other).toMatchObject({ userAgent: 'till/1.0', current: false })
    expect(await world.pages('/v1/auth/sessions?limit=1', { as })).toEqual([[own], [other]])
  })

  test('are ended one by one, or all except the current one, but not those of other people', async () => {
    const person = await world.person()
    const [first, second] = [person.as, await person.session()]
    const [own, other] = await listed(second)
    const end = (id: string, as = second) => world.call('DELETE', `/v1/auth/sessions/${id}`, { as })
    expect((await end(other.id)).status).toBe(204)
    expect([await whoAmI(first), await whoAmI(second)]).toEqual([401, 200])
    expect((await end(other.id)).status).toBe(404)
    expect((await end(own.id, bearer(world.owner.token))).status).toBe(404)
    const third = await person.session()
    await world.expect(204, 'DELETE', '/v1/auth/sessions', { as: second })
    expect([await whoAmI(second), await whoAmI(third), await whoAmI(bearer(world.owner.token))]).toEqual([
      200, 401, 200,
    ])
    expect(await listed(second)).toHaveLength(1)
    const ended = await end(own.id)
    const cookies = ['session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']
    expect([ended.status, ended.headers.getSetCookie()]).toEqual([204, cookies])
    expect(await whoAmI(second)).toBe(401)
  })

  test('expire after a week without use, and have a time of last use, written when the service stops', async () => {
    const person = await world.person()
    const [idle, old, fresh] = [person.as, await person.session(), await person.session()]
    const { sql } = world.database
    const [newest, middle, oldest] = await listed(fresh)
    const seen = ({ id }: { id: string }, ago: string) =>
      sql`update sessions set last_seen_at = now() - ${ago}::interval where user_id = ${person.id} and id = ${id}`
    await seen(oldest, '7 days')
    await seen(middle, '6 days 23 hours')
    const versions = async () => {
      const rows = await sql`select id, xmin::text as version from sessions where user_id = ${person.id}`
      return Object.fromEntries(rows.map(({ id, version }) => [id, version]))
    }
    const before = await versions()
    for (let n = 0; n < 3; n++)
      expect([await whoAmI(idle), await whoAmI(old), await whoAmI(fresh)]).toEqual([401, 200, 200])
    expect(await listed(fresh)).toHaveLength(2)
    await world.expect(404, 'DELETE', `/v1/auth/sessions/${oldest.id}`, { as: fresh })
    expect(await versions()).toEqual(before)
    await world.restart()
    expect((await versions())[newest.id]).toBe(before[newest.id])
    const { lastSeenAt } = (await listed(old)).find((one: { id: string }) => one.id === middle.id)
    expect(Date.now() - Date.parse(lastSeenAt)).toBeLessThan(60_000)
  })
})

describe('the password', () => {
  const change = (as: Record<string, string>, body: Record<string, string>) =>
    world.call('POST', '/v1/auth/password', { as, body })

  test('is changed only with the current one, also from before the rules, which ends the other sessions', async () => {
    const person = await world.person()
    const old = '0123456789'
    const hash = await hashPassword(old)
    await world.database.sql`update users set password_hash = ${hash} where id = ${person.id}`
    const [first, second] = [person.as, bearer((await trySignIn(person.email, old)).body.token)]
    const refused = await change(first, { currentPassword: 'wrong', newPassword })
    const details = { currentPassword: 'Must be the current password of this account.' }
    expect([refused.status, refused.body.error.details]).toEqual([422, details])
    const { status, body } = await change(second, { currentPassword: old, newPassword })
    expect([status, body]).toEqual([204, ''])
    expect([await whoAmI(first), await whoAmI(second)]).toEqual([401, 200])
    expect((await trySignIn(person.email, old)).status).toBe(401)
    expect((await trySignIn(person.email, newPassword)).status).toBe(200)
  })

  const length = 'Must have 12 to 1000 characters.'
  const common = 'Is one of the most common passwords. Choose another password.'
  test.each([
    ['eleven characters', 'twelve less', length],
    ['six emoji, which count as six', '🦊🦊🦊🦊🦊🦊', length],
    ['more than a thousand characters', 'x'.repeat(1001), length],
    ['six letters, each with a separate accent', 'e\u0301'.repeat(6), length],
    ['a common password', 'Qwerty123456', common],
    ['a common password in full-width letters', 'ｑｗｅｒｔｙ１２３４５６', common],
  ])('is not changed to %s', async (_, chosen, reason) => {
    const body = { currentPassword: world.owner.password, newPassword: chosen }
    const reply = await change(bearer(world.owner.token), body)
    expect([reply.status, reply.body.error.details]).toEqual([400, { newPassword: reason }])
  })

  test.each([
    ['its password changes', "password_hash = 'another'"],
    ['it is disabled', 'disabled_at = now()'],
  ])('does not sign in to an account while %s', async (_, change) => {
    const { id, email } = await world.person(null)
    const { sql } = world.database
    await sql`delete from sessions where user_id = ${id}`
    const commit = await openTransaction(sql, tx => tx`update users set ${tx.unsafe(change)} where id = ${id}`)
    const signingIn = trySignIn(email)
    await untilBlocked(sql)
    await commit()
    expect((await signingIn).status).toBe(401)
    expect(await sql`select 1 from sessions where user_id = ${id}`).toHaveLength(0)
  })
})

test('the profile of a person changes only the given fields, and normalises them', async () => {
  const { id, email, as } = await world.person()
  const change = (body: object) => world.expect(200, 'PATCH', '/v1/auth/user', { as, body })
  const user = { id, email, name: 'Ada', locale: 'pt-BR', timezone: 'Europe/Vienna', mutedEmails: [] as string[] }
  expect(await change({ name: 'Ada', locale: 'pt-br', timezone: 'europe/vienna' })).toEqual(user)
  const mutedEmails = ['endpoint_paused']
  expect(await change({ locale: null, mutedEmails })).toEqual({ ...user, locale: null, mutedEmails })
  expect(await world.expect(200, 'GET', '/v1/auth/user', { as })).toEqual({ ...user, locale: null, mutedEmails })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: null }, 'name'],
  [{ locale: 'not a language' }, 'locale'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: '+01:00' }, 'timezone'],
  [{ mutedEmails: ['invitations'] }, 'mutedEmails.0'],
  [{ email: 'other@shop.example' }, 'email'],
  [{}, 'body'],
])('the profile of a person is rejected as %j', async (body, field) => {
  expect(await world.answer('PATCH', '/v1/auth/user', { body })).toBe(`400 invalid_request ${field}`)
})

const remove = (as: Record<string, string>, password = world.owner.password) =>
  world.call('DELETE', '/v1/auth/user', { as, body: { password } })

test('an account is deleted by its person, who leaves every workspace', async () => {
  const person = await world.person('owner')
  const { id, email } = person
  const [first, as] = [person.as, await person.session()]
  expect((await remove(as, 'wrong')).body.error).toMatchObject({
    code: 'unprocessable',
    details: { password: 'Must be the current password of this account.' },
  })
  const { status, headers } = await remove(as)
  expect([status, headers.getSetCookie().length]).toEqual([204, 1])
  expect([await whoAmI(first), await whoAmI(as), (await trySignIn(email)).status]).toEqual([401, 401, 401])
  const { data } = await world.expect(200, 'GET', '/v1/members')
  expect(data.map((member: { email: string }) => member.email)).not.toContain(email)
  expect(await world.database.sql`select 1 from users where id = ${id}`).toHaveLength(0)
  // The address is free again.
  await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
})

test('an account is not deleted while its person is the last owner of a workspace', async () => {
  const { id, as } = await world.person('owner')
  const { sql } = world.database
  await sql`
    with workspace as (insert into workspaces (name, plan_id) values ('Second shop', 'unlimited') returning id)
    insert into members (workspace_id, user_id, role) select id, ${id}, 'owner' from workspace`
  const { status, body } = await remove(as)
  const said = 'The last owner of a workspace cannot leave. First make another member an owner of: Second shop.'
  expect([status, body.error.message]).toEqual([422, said])
  expect((await world.expect(200, 'GET', '/v1/auth/workspaces', { as })).data).toHaveLength(2)
  await sql`delete from members where user_id = ${id}`
  expect(await listed(as)).toHaveLength(1)
  expect((await remove(as)).status).toBe(204)
  expect(await whoAmI(as)).toBe(401)
})

test('a service behind HTTPS accepts only the cookie of this host, and writes from its own origin', async () => {
  const ours = 'https://engage.example.com'
  await using secure = await startWorld({ PUBLIC_URL: ours })
  const { email, password, token } = secure.owner
  const askWith = async (cookie: string) =>
    (await secure.call('GET', '/v1/auth/session', { as: { Cookie: cookie } })).status
  const { headers } = await secure.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })
  const [cookie, ...none] = headers.getSetCookie()
  expect(none).toEqual([])
  expect(cookie).toMatch(/^__Host-session=ses_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=/)
  const named = cookie!.split(';', 1)[0]!
  expect(await askWith(named)).toBe(200)
  // Any other host of the domain can set a cookie of this name.
  expect(await askWith(`session=${token}`)).toBe(401)
  expect(await askWith(`session=ses_forged; ${named}`)).toBe(200)
  expect(await askWith(`session=${token}; __Host-session=ses_ended`)).toBe(401)
  for (const space of ['\u00a0', '\t']) expect(await askWith(`x=1;${space}__Host-session=${token}`)).toBe(401)

  const write = async (headers: Record<string, string>) =>
    (await secure.call('POST', '/v1/api-keys', { as: { Cookie: named, ...headers }, body: { name: 'till' } })).status
  expect(await write({ 'Sec-Fetch-Site': 'same-origin' })).toBe(201)
  expect(await write({ Origin: ours })).toBe(201)
  for (const refused of [
    { 'Sec-Fetch-Site': 'cross-site', Origin: ours },
    { 'Sec-Fetch-Site': 'same-site', Origin: secure.url },
    { 'Sec-Fetch-Site': 'none', Origin: ours },
    // An HTTP page at the same host would send this. Behind a proxy, the request itself is not HTTPS either.
    { Origin: 'http://engage.example.com', Host: 'engage.example.com' },
    { Origin: secure.url },
    {},
  ])
    expect(await write(refused as Record<string, string>), JSON.stringify(refused)).toBe(403)

  const out = await secure.call('POST', '/v1/auth/sign-out', { as: { Cookie: named, Origin: ours } })
  const ends = ['__Host-session', 'session'].map(name => `${name}=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0`)
  expect([out.status, out.headers.getSetCookie()]).toEqual([204, ends])
  expect(out.headers.get('clear-site-data')).toBe('"storage"')
  expect(await askWith(named)).toBe(401)
})
