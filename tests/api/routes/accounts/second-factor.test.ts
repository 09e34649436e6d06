/** Tests of a second factor: setup, sign-in, removal, recovery codes and the requirement of a workspace. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { disableAccount, enableAccount, makeResetLink, makeSignInLink } from '../../../../src/accounts/people/index.ts'
import { startMailServer, tokenIn } from '../../../support/mail-server.ts'
import { use } from '../../../support/use.ts'
import { answerOf, bearer, eventually, type Person, startWorld, useWorld } from '../../../support/world.ts'

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
const post = use(startMailServer)
const world = useWorld(() => ({ SECRETS_KEY, SMTP_URL: post.url, MAIL_FROM: 'engage@shop.example' }))

/** Returns the current code of an authenticator app. */
const codeOf = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Resets the last used time step, because a code works only once per half minute. */
const forget = ({ id }: Person) => world.database.sql`update second_factors set last_step = 0 where user_id = ${id}`

const tryToBegin = ({ as }: Person, password = world.owner.password) =>
  world.call('POST', '/v1/auth/totp', { as, body: { password } })

const begin = async (one: Person): Promise<string> => (await tryToBegin(one)).body.secret

const confirm = ({ as }: Person, code: string) => world.call('POST', '/v1/auth/totp/confirm', { as, body: { code } })

/** Creates a person with a second factor. */
const guarded = async (one?: Person) => {
  const person = one ?? (await world.person())
  const secret = await begin(person)
  const { status, body } = await confirm(person, codeOf(secret))
  expect(status).toBe(200)
  await forget(person)
  return { person, secret, recoveryCodes: body.recoveryCodes as string[] }
}

const signIn = ({ email }: Person) =>
  world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password: world.owner.password } })

/** Creates a ticket without the password. */
const newTicket = async ({ id }: Person): Promise<string> => {
  const ticket = `tkt_${crypto.randomUUID()}`
  await world.database.sql`
    insert into sign_in_tickets (token_hash, user_id, expires_at)
    values (sha256(convert_to(${ticket}, 'UTF8')), ${id}, now() + interval '10 minutes')`
  return ticket
}

const show = (ticket: string, code: string) =>
  world.call('POST', '/v1/auth/sign-in/second-factor', { as: 'nobody', body: { ticket, code } })
const statusWith = async (one: Person, code: string) => (await show(await newTicket(one), code)).status

const mailed = ({ email }: { email: string }, subject: string, containing = '') =>
  eventually(`"${subject}" to ${email}`, () =>
    post.taken.find(mail => mail.subject === subject && mail.to.includes(email) && mail.text.includes(containing)),
  )

const wrong = '000000'
type Reply = Awaited<ReturnType<typeof show>>

describe('setting one up', () => {
  test('takes a code of the app, returns ten recovery codes once, and ends the other sessions', async () => {
    const one = await world.person()
    const other = await one.session()
    const state = () => world.expect(200, 'GET', '/v1/auth/totp', { as: one.as })
    const { secret, uri } = (await tryToBegin(one)).body
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toStartWith('otpauth://totp/')
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(decodeURIComponent(uri)).toContain(one.email)
    expect(await state()).toEqual({ enabled: false, since: null, recoveryCodesLeft: 0 })
    const { recoveryCodes } = (await confirm(one, codeOf(secret))).body
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    expect(await state()).toEqual({ enabled: true, since: expect.stringMatching(/Z$/), recoveryCodesLeft: 10 })
    const asMember = async (as?: Person['as']) => {
      const { data } = await world.expect(200, 'GET', '/v1/members', { as })
      return data.find(({ userId }: { userId: string }) => userId === one.id).secondFactor
    }
    expect(await asMember()).toBe(true)
    expect(await asMember(one.as)).toBe(null)
    expect((await world.call('GET', '/v1/auth/session', { as: other })).status).toBe(401)
    await world.expect(200, 'GET', '/v1/auth/session', { as: one.as })
    // Neither the secret nor the recovery codes are stored in plain text.
    const [row] = await world.database.sql`
      select f::text as text, encode(secret, 'escape') as encrypted from second_factors f where user_id = ${one.id}`
    for (const said of [secret, ...recoveryCodes]) {
      expect(row!.text).not.toContain(Buffer.from(said).toString('hex'))
      expect(`${row!.text} ${row!.encrypted}`).not.toContain(said)
    }
  })

  test('has no effect before confirmation, can be started again, and is rejected when one is in use', async () => {
    const one = await world.person()
    expect((await confirm(one, wrong)).status).toBe(422)
    const [first, second] = [await begin(one), await begin(one)]
    expect((await signIn(one)).body.token).toStartWith('ses_')
    expect(answerOf(await confirm(one, wrong))).toBe('422 unprocessable code')
    expect((await confirm(one, codeOf(first))).status).toBe(422)
    expect((await confirm(one, codeOf(second))).status).toBe(200)
    await forget(one)
    expect((await confirm(one, codeOf(second))).status).toBe(422)
    expect((await tryToBegin(one)).status).toBe(422)
  })

  test('requires the password, which counts as an attempt, and an encryption key', async () => {
    await using limited = await startWorld({ SECRETS_KEY, RATE_LIMIT_SIGN_IN: '2' })
    const { as } = await limited.person()
    const beginWith = (body: object) => limited.answer('POST', '/v1/auth/totp', { as, body })
    expect(await beginWith({})).toBe('400 invalid_request password')
    expect(await beginWith({ password: 'wrong' })).toBe('422 unprocessable password')
    expect(await limited.database.sql`select 1 from second_factors`).toHaveLength(0)
    expect(await beginWith({ password: limited.owner.password })).toBe('200')
    expect(await beginWith({ password: limited.owner.password })).toBe('429 rate_limited')
    await using keyless = await startWorld()
    const { error } = await keyless.expect(422, 'POST', '/v1/auth/totp', { body: { password: keyless.owner.password } })
    expect(error.message).toContain('SECRETS_KEY')
  })
})

describe('signing in with one', () => {
  test('takes the password and then a code, which works once, also concurrently', async () => {
    const { person, secret } = await guarded()
    const { body: pending } = await signIn(person)
    expect(pending).toEqual({ secondFactor: true, ticket: expect.stringMatching(/^tkt_[\w-]{43}$/) })
    expect(await world.database.sql`select 1 from sessions where user_id = ${person.id}`).toHaveLength(1)
    expect(answerOf(await show(pending.ticket, wrong))).toBe('401 unauthorized')
    const code = codeOf(secret)
    const { status, headers, body } = await show(pending.ticket, code)
    expect([status, body.user.email, body.role]).toEqual([200, person.email, 'agent'])
    expect(headers.get('set-cookie')).toContain('HttpOnly')
    await world.expect(200, 'GET', '/v1/auth/session', { as: bearer(body.token) })
    expect((await show(pending.ticket, code)).status).toBe(401)
    expect(await statusWith(person, code)).toBe(401)
    await forget(person)
    const replies = await Promise.all([1, 2].map(() => statusWith(person, codeOf(secret))))
    expect(replies.sort()).toEqual([200, 401])
    // The audit log names the wrong codes with a hash of the address.
    const entry = await eventually('a wrong code is recorded', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/audit?action=signInFailed&targetId=${person.id}`)
      return data[0]
    })
    expect(entry.detail).toEqual({ emailHash: createHash('sha256').update(person.email).digest('hex') })
  })

  test('by a link takes a code too, and the link works once', async () => {
    const { person, secret } = await guarded()
    const asking = { as: 'nobody', body: { token: await makeSignInLink(world.database.sql, person.email) } } as const
    const { status, headers, body } = await world.call('POST', '/v1/auth/sign-in/link', asking)
    expect([status, body]).toEqual([200, { secondFactor: true, ticket: expect.stringMatching(/^tkt_/) }])
    expect(headers.get('set-cookie')).toBeNull()
    await world.expect(422, 'POST', '/v1/auth/sign-in/link', asking)
    expect((await show(body.ticket, codeOf(secret))).body.user.id).toBe(person.id)
  })

  test('accepts a recovery code once, in any spelling', async () => {
    const { person, recoveryCodes } = await guarded()
    const typed = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')
    const statuses = []
    for (const code of [typed, recoveryCodes[3]!, recoveryCodes[4]!]) statuses.push(await statusWith(person, code))
    expect(statuses).toEqual([200, 401, 200])
    expect((await world.expect(200, 'GET', '/v1/auth/totp', { as: person.as })).recoveryCodesLeft).toBe(8)
  })

  test('rejects app codes after ten wrong ones, also concurrent ones, and still accepts a recovery code', async () => {
    const { person, secret, recoveryCodes } = await guarded()
    const ticket = await newTicket(person)
    const replies = await Promise.all(Array.from({ length: 14 }, () => show(ticket, wrong)))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const refused = replies.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(3000, 3601)
    expect((await show(ticket, codeOf(secret))).status).toBe(429)
    expect((await show(ticket, recoveryCodes[0]!)).status).toBe(200)
    expect(await statusWith(person, codeOf(secret))).toBe(200)
  })

  test('has ten minutes for the code, and rejects the ticket of a disabled account', async () => {
    const { person, secret } = await guarded()
    const { sql } = world.database
    const { ticket: late } = (await signIn(person)).body
    const disabled = await newTicket(person)
    const [expired] = await sql`
      update sign_in_tickets set expires_at = now() where token_hash = sha256(convert_to(${late}, 'UTF8'))
      returning old.expires_at - now() between interval '9 minutes' and interval '10 minutes' as soon`
    expect(expired!.soon).toBe(true)
    expect((await show(late, codeOf(secret))).status).toBe(401)
    await sql`update users set disabled_at = now() where id = ${person.id}`
    expect((await show(disabled, codeOf(secret))).status).toBe(401)
    expect((await show('tkt_unknown', wrong)).status).toBe(401)
  })

  test('is also required to accept an invitation with the password', async () => {
    const { person, secret } = await guarded()
    const invitation = { email: person.email, role: 'agent' }
    await world.expect(201, 'POST', '/v1/members', { as: await world.otherOwner(), body: invitation })
    const mail = await mailed(person, 'You are invited to join a team')
    const accepting = { token: tokenIn(mail), password: world.owner.password }
    const asking = { as: 'nobody', body: accepting } as const
    const { ticket, ...pending } = await world.expect(200, 'POST', '/v1/auth/accept-invitation', asking)
    expect(pending).toEqual({ secondFactor: true })
    const mine = async () => (await world.expect(200, 'GET', '/v1/auth/workspaces', { as: person.as })).data.length
    expect(await mine()).toBe(1)
    expect((await show(ticket, codeOf(secret))).body.workspace.name).toBe('Other')
    expect(await mine()).toBe(2)
  })
})

const remove = ({ as }: Person, code: string, password = world.owner.password) =>
  world.call('DELETE', '/v1/auth/totp', { as, body: { password, code } })
const renew = ({ as }: Person, code: string, password = world.owner.password) =>
  world.call('POST', '/v1/auth/totp/recovery-codes', { as, body: { password, code } })

describe.each(Object.entries({ removing: remove, renewing: renew }))('%s it', (_, act) => {
  test('requires the password and a code, and is rejected when none is in use', async () => {
    const { person, secret } = await guarded()
    expect(answerOf(await act(person, codeOf(secret), 'wrong'))).toBe('422 unprocessable password')
    expect(answerOf(await act(person, wrong))).toBe('422 unprocessable code')
    const one = await world.person()
    expect((await act(one, wrong)).status).toBe(422)
    expect((await act(one, codeOf(await begin(one)))).status).toBe(422)
  })
})

test('after the removal of a second factor with a code or a recovery code, sign-in needs no code', async () => {
  for (const withRecoveryCode of [false, true]) {
    const { person, secret, recoveryCodes } = await guarded()
    expect((await remove(person, withRecoveryCode ? recoveryCodes[9]! : codeOf(secret))).status).toBe(204)
    expect((await signIn(person)).body.token).toStartWith('ses_')
  }
})

test('renewing the recovery codes returns new ones, once per code, and voids the old ones', async () => {
  const { person, secret, recoveryCodes } = await guarded()
  const replies = await Promise.all([1, 2].map(() => renew(person, codeOf(secret))))
  const [{ status, body }, other] = replies.toSorted((a, b) => a.status - b.status) as [Reply, Reply]
  expect([status, Object.keys(body), new Set(body.recoveryCodes).size]).toEqual([200, ['recoveryCodes'], 10])
  expect(other.status).toBe(422)
  expect(await statusWith(person, recoveryCodes[0]!)).toBe(401)
  expect(await statusWith(person, body.recoveryCodes[0])).toBe(200)
  await world.expect(200, 'GET', '/v1/auth/session', { as: person.as })
})

describe('the holder gets a mail', () => {
  const off = 'Two-factor authentication was turned off'
  const byOperator = 'by the operator of this service'

  test('when a second factor is set up or removed, and when its codes are used or renewed', async () => {
    const one = await world.person()
    await remove(one, wrong, 'wrong')
    const { secret, recoveryCodes } = await guarded(one)
    const { text } = await mailed(one, 'Two-factor authentication was turned on')
    for (const part of [one.email, '127.0.0.1', `${world.url}/forgot-password`]) expect(text).toContain(part)
    // A rejected call sends no mail.
    expect(post.taken.filter(mail => mail.to.includes(one.email))).toHaveLength(1)
    expect(await statusWith(one, recoveryCodes[0]!)).toBe(200)
    await mailed(one, 'A recovery code was used for your account', '9 recovery codes are left')
    expect((await renew(one, codeOf(secret))).status).toBe(200)
    await mailed(one, 'Your recovery codes were replaced')
    await forget(one)
    expect((await remove(one, codeOf(secret))).status).toBe(204)
    await mailed(one, off)
  })

  test('when the password is changed, by its holder or through a link', async () => {
    const one = await world.person()
    const newPassword = 'a quiet river in the north'
    const changed = { currentPassword: world.owner.password, newPassword }
    await world.expect(204, 'POST', '/v1/auth/password', { as: one.as, body: changed })
    await mailed(one, 'Your password was changed')
    const { person } = await guarded()
    const token = `rst_${person.id}`
    await world.database.sql`
      insert into account_links (token_hash, user_id, kind, mailed, expires_at)
      values (sha256(convert_to(${token}, 'UTF8')), ${person.id}, 'reset', true, now() + interval '1 hour')`
    const reset = { token, password: newPassword }
    await world.expect(204, 'POST', '/v1/auth/reset-password', { as: 'nobody', body: reset })
    await mailed(person, 'Your password was changed')
    await mailed(person, off)
  })

  test('when a sign-in link is used, and when the operator changes the account', async () => {
    const { person } = await guarded()
    const { sql } = world.database
    await makeResetLink(sql, person.email, { byMail: false, dropSecondFactor: true })
    await mailed(person, off, byOperator)
    const token = await makeSignInLink(sql, person.email)
    const link = await mailed(person, 'A sign-in link was created for your account', byOperator)
    expect(link.text).toContain(`${world.url}/forgot-password`)
    await world.expect(200, 'POST', '/v1/auth/sign-in/link', { as: 'nobody', body: { token } })
    await mailed(person, 'A sign-in link was used for your account', '127.0.0.1')
    await disableAccount(sql, person.email)
    const disabled = await mailed(person, 'Your account was disabled', 'contact the operator of this service')
    expect(disabled.text).not.toContain('/forgot-password')
    await enableAccount(sql, person.email)
    await mailed(person, 'Your account was enabled', byOperator)
  })

  test('as an owner when an API key is created or revoked, without its value', async () => {
    const name = `Shop ${crypto.randomUUID()}`
    const { id, key, prefix } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name } })
    const created = await mailed(world.owner, 'An API key was created', name)
    expect(created.text).toContain(`DELETE ${world.url}/v1/api-keys/${id}`)
    await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
    for (const { text } of [created, await mailed(world.owner, 'An API key was revoked', name)]) {
      for (const part of [prefix, `${world.url}/api-keys`]) expect(text).toContain(part)
      expect(text).not.toContain(key)
    }
  })
})

const require = ({ as }: Person, requireSecondFactor: boolean) =>
  world.call('PATCH', '/v1/workspace', { as, body: { requireSecondFactor } })

test('a workspace that requires a second factor rejects members without one, who can set it up', async () => {
  const [row] = await world.database.sql`
    insert into workspaces (name, plan_id) values ('Strict', 'unlimited') returning id`
  const [owner, agent] = [await world.person('owner', row!.id), await world.person('agent', row!.id)]
  // An owner without a second factor cannot require it.
  expect(answerOf(await require(owner, true))).toBe('422 unprocessable requireSecondFactor')
  await begin(owner)
  expect((await require(owner, true)).status).toBe(422)
  expect((await world.expect(200, 'GET', '/v1/workspace', { as: owner.as })).requireSecondFactor).toBe(false)

  const { secret, recoveryCodes } = await guarded(owner)
  const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: owner.as, body: { name: 'till' } })
  expect((await require(owner, true)).body.requireSecondFactor).toBe(true)
  const refused = await world.call('GET', '/v1/members', { as: agent.as })
  expect(answerOf(refused)).toBe('403 forbidden secondFactor')
  expect(refused.body.error.details.secondFactor).toContain('POST /v1/auth/totp')
  await world.database.sql`
    update second_factors set recovery_codes = recovery_codes[10:10] where user_id = ${owner.id}`
  expect((await renew(owner, recoveryCodes[9]!)).body.recoveryCodes).toHaveLength(10)
  await world.expect(200, 'GET', '/v1/auth/session', { as: agent.as })
  await world.expect(200, 'GET', '/v1/auth/workspaces', { as: agent.as })
  await world.expect(200, 'GET', '/v1/events', { as: { 'X-API-Key': key } })
  await guarded(agent)
  await world.expect(200, 'GET', '/v1/members', { as: agent.as })
  expect((await remove(owner, codeOf(secret))).status).toBe(422)
  expect((await require(owner, false)).status).toBe(200)
  expect((await remove(owner, codeOf(secret))).status).toBe(204)
  await world.expect(200, 'GET', '/v1/members', { as: owner.as })
})
