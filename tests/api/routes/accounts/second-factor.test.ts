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

const setUp = async (one: Person): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const secret = await begin(one)
  const { status, body } = await confirm(one, codeOf(secret))
  expect(status).toBe(200)
  await forget(one)
  return { secret, recoveryCodes: body.recoveryCodes }
}

const signIn = ({ email }: Person, password = world.owner.password) =>
  world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })

const ticketOf = async (one: Person): Promise<string> => {
  const { body } = await signIn(one)
  expect(body).toEqual({ secondFactor: true, ticket: expect.stringMatching(/^tkt_[\w-]{43}$/) })
  return body.ticket
}

/** Creates a ticket without the password, which takes a third of a second to verify. */
const newTicket = async ({ id }: Person): Promise<string> => {
  const ticket = `tkt_${crypto.randomUUID()}`
  await world.database.sql`
    insert into sign_in_tickets (token_hash, user_id, expires_at)
    values (sha256(convert_to(${ticket}, 'UTF8')), ${id}, now() + interval '10 minutes')`
  return ticket
}

const show = (ticket: string, code: string) =>
  world.call('POST', '/v1/auth/sign-in/second-factor', { as: 'nobody', body: { ticket, code } })

const wrong = '000000'

describe('setting one up', () => {
  test('takes a code of the app, returns ten recovery codes once, and ends the other sessions', async () => {
    const one = await world.person()
    const other = await one.session()
    const { secret, uri } = (await tryToBegin(one)).body
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toStartWith('otpauth://totp/')
    expect(new URL(uri).searchParams.get('secret')).toBe(secret)
    expect(decodeURIComponent(uri)).toContain(one.email)
    expect(await world.expect(200, 'GET', '/v1/auth/totp', { as: one.as })).toEqual({
      enabled: false,
      since: null,
      recoveryCodesLeft: 0,
    })
    const { body } = await confirm(one, codeOf(secret))
    expect(new Set(body.recoveryCodes).size).toBe(10)
    for (const code of body.recoveryCodes) expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
    expect(await world.expect(200, 'GET', '/v1/auth/totp', { as: one.as })).toEqual({
      enabled: true,
      since: expect.stringMatching(/Z$/),
      recoveryCodesLeft: 10,
    })
    expect((await world.call('GET', '/v1/auth/session', { as: other })).status).toBe(401)
    await world.expect(200, 'GET', '/v1/auth/session', { as: one.as })
  })

  test('stores neither the secret nor the recovery codes in plain text', async () => {
    const one = await world.person()
    const { secret, recoveryCodes } = await setUp(one)
    const [row] = await world.database.sql`
      select f::text as text, encode(secret, 'escape') as sealed from second_factors f where user_id = ${one.id}`
    for (const said of [secret, ...recoveryCodes]) {
      expect(row!.text).not.toContain(Buffer.from(said).toString('hex'))
      expect(`${row!.text} ${row!.sealed}`).not.toContain(said)
    }
  })

  test('has no effect before confirmation, and can be started again', async () => {
    const one = await world.person()
    const first = await begin(one)
    const second = await begin(one)
    expect((await signIn(one)).body.token).toStartWith('ses_')
    expect(answerOf(await confirm(one, wrong))).toBe('422 unprocessable code')
    expect((await confirm(one, codeOf(first))).status).toBe(422)
    expect((await confirm(one, codeOf(second))).status).toBe(200)
  })

  test('is rejected when one is in use, and when none was started', async () => {
    const one = await world.person()
    expect((await confirm(one, wrong)).status).toBe(422)
    const { secret } = await setUp(one)
    expect((await tryToBegin(one)).status).toBe(422)
    expect((await confirm(one, codeOf(secret))).status).toBe(422)
  })

  test('requires the password, and a wrong password counts as an attempt', async () => {
    await using limited = await startWorld({ SECRETS_KEY, RATE_LIMIT_SIGN_IN: '2' })
    const { as } = await limited.person()
    const beginWith = (body: object) => limited.call('POST', '/v1/auth/totp', { as, body })
    expect((await beginWith({})).status).toBe(400)
    expect(answerOf(await beginWith({ password: 'wrong' }))).toBe('422 unprocessable password')
    expect(await limited.database.sql`select 1 from second_factors`).toHaveLength(0)
    expect((await beginWith({ password: limited.owner.password })).status).toBe(200)
    expect((await beginWith({ password: limited.owner.password })).status).toBe(429)
  })

  test('is rejected without an encryption key, and the error names the setting', async () => {
    await using keyless = await startWorld()
    const body = { password: keyless.owner.password }
    const { error } = await keyless.expect(422, 'POST', '/v1/auth/totp', { body })
    expect(error.message).toContain('SECRETS_KEY')
  })
})

describe('signing in with one', () => {
  test('takes the password and then a code, which works once', async () => {
    const one = await world.person()
    const { secret } = await setUp(one)
    const ticket = await ticketOf(one)
    const sessions = () => world.database.sql`select 1 from sessions where user_id = ${one.id}`
    expect(await sessions()).toHaveLength(1)
    expect(answerOf(await show(ticket, wrong))).toBe('401 unauthorized')
    const code = codeOf(secret)
    const { status, headers, body } = await show(ticket, code)
    expect([status, body.user.email, body.role]).toEqual([200, one.email, 'agent'])
    expect(headers.get('set-cookie')).toContain('HttpOnly')
    await world.expect(200, 'GET', '/v1/auth/session', { as: bearer(body.token) })
    expect((await show(ticket, code)).status).toBe(401)
    expect((await show(await newTicket(one), code)).status).toBe(401)
  })

  test('accepts a code once when two calls use it concurrently', async () => {
    const one = await world.person()
    const { secret } = await setUp(one)
    const [first, second] = [await newTicket(one), await newTicket(one)]
    const code = codeOf(secret)
    const replies = await Promise.all([show(first, code), show(second, code)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('accepts a recovery code once, in any spelling', async () => {
    const one = await world.person()
    const { recoveryCodes } = await setUp(one)
    const typed = recoveryCodes[3]!.toUpperCase().replaceAll('-', ' ')
    expect((await show(await newTicket(one), typed)).status).toBe(200)
    expect((await show(await newTicket(one), recoveryCodes[3]!)).status).toBe(401)
    expect((await show(await newTicket(one), recoveryCodes[4]!)).status).toBe(200)
    expect((await world.expect(200, 'GET', '/v1/auth/totp', { as: one.as })).recoveryCodesLeft).toBe(8)
  })

  test('rejects app codes after ten wrong ones, also concurrent ones, and still accepts a recovery code', async () => {
    const one = await world.person()
    const { secret, recoveryCodes } = await setUp(one)
    const ticket = await newTicket(one)
    const replies = await Promise.all(Array.from({ length: 14 }, () => show(ticket, wrong)))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    const refused = replies.find(({ status }) => status === 429)!
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(3000, 3601)
    expect((await show(ticket, codeOf(secret))).status).toBe(429)
    expect((await show(ticket, recoveryCodes[0]!)).status).toBe(200)
    expect((await show(await newTicket(one), codeOf(secret))).status).toBe(200)
  })

  test('logs a wrong code in the audit log with a hash of the address', async () => {
    const one = await world.person()
    await setUp(one)
    await show(await newTicket(one), wrong)
    const entry = await eventually('it is recorded', async () => {
      const { data } = await world.expect(200, 'GET', `/v1/audit?action=signInFailed&targetId=${one.id}`)
      return data[0]
    })
    expect(entry.detail).toEqual({ emailHash: createHash('sha256').update(one.email).digest('hex') })
  })

  test('has ten minutes for the code, and rejects the ticket of a disabled account', async () => {
    const one = await world.person()
    const { secret } = await setUp(one)
    const { sql } = world.database
    const [late, disabled] = [await newTicket(one), await newTicket(one)]
    await sql`
      update sign_in_tickets set expires_at = now() where token_hash = sha256(convert_to(${late}, 'UTF8'))`
    expect((await show(late, codeOf(secret))).status).toBe(401)
    await sql`update users set disabled_at = now() where id = ${one.id}`
    expect((await show(disabled, codeOf(secret))).status).toBe(401)
    expect((await show('tkt_unknown', wrong)).status).toBe(401)
  })

  test('is also required to accept an invitation with the password', async () => {
    const one = await world.person()
    const { secret } = await setUp(one)
    const other = await world.otherOwner()
    await world.expect(201, 'POST', '/v1/members', { as: other, body: { email: one.email, role: 'agent' } })
    const invitation = await eventually('the invitation is mailed', () =>
      post.taken.find(({ to, text }) => to.includes(one.email) && text.includes('/accept-invitation#token=')),
    )
    const { status, body } = await world.call('POST', '/v1/auth/accept-invitation', {
      as: 'nobody',
      body: { token: tokenIn(invitation), password: world.owner.password },
    })
    expect([status, Object.keys(body)]).toEqual([200, ['secondFactor', 'ticket']])
    const mine = async () => (await world.expect(200, 'GET', '/v1/auth/workspaces', { as: one.as })).data.length
    expect(await mine()).toBe(1)
    const joined = await show(body.ticket, codeOf(secret))
    expect(joined.body.workspace.name).toBe('Other')
    expect(await mine()).toBe(2)
  })
})

describe('removing one', () => {
  const remove = ({ as }: Person, code: string, password = world.owner.password) =>
    world.call('DELETE', '/v1/auth/totp', { as, body: { password, code } })

  test('needs the password and a code, and then sign-in needs no code', async () => {
    const one = await world.person()
    const { secret } = await setUp(one)
    expect(answerOf(await remove(one, codeOf(secret), 'wrong'))).toBe('422 unprocessable password')
    expect(answerOf(await remove(one, wrong))).toBe('422 unprocessable code')
    expect((await remove(one, codeOf(secret))).status).toBe(204)
    expect((await signIn(one)).body.token).toStartWith('ses_')
    expect((await remove(one, codeOf(secret))).status).toBe(422)
  })

  test('accepts a recovery code', async () => {
    const one = await world.person()
    const { recoveryCodes } = await setUp(one)
    expect((await remove(one, recoveryCodes[9]!)).status).toBe(204)
  })
})

describe('renewing the recovery codes', () => {
  const renew = ({ as }: Person, code: string, password = world.owner.password) =>
    world.call('POST', '/v1/auth/totp/recovery-codes', { as, body: { password, code } })

  test('requires the password and a code, returns ten new ones once, and voids the old ones', async () => {
    const one = await world.person()
    const { secret, recoveryCodes } = await setUp(one)
    expect(answerOf(await renew(one, codeOf(secret), 'wrong'))).toBe('422 unprocessable password')
    expect(answerOf(await renew(one, wrong))).toBe('422 unprocessable code')
    const { status, body } = await renew(one, codeOf(secret))
    expect([status, Object.keys(body), new Set(body.recoveryCodes).size]).toEqual([200, ['recoveryCodes'], 10])
    expect((await show(await newTicket(one), recoveryCodes[0]!)).status).toBe(401)
    expect((await show(await newTicket(one), body.recoveryCodes[0])).status).toBe(200)
    await world.expect(200, 'GET', '/v1/auth/session', { as: one.as })
  })

  test('accepts the last recovery code, also where a workspace requires a second factor', async () => {
    const one = await world.person('owner')
    const { recoveryCodes } = await setUp(one)
    await world.database.sql`
      update second_factors set recovery_codes = recovery_codes[10:10] where user_id = ${one.id}`
    await world.database.sql`update workspaces set require_second_factor = true where id = ${world.workspaceId}`
    try {
      const renewed = await renew(one, recoveryCodes[9]!)
      expect([renewed.status, renewed.body.recoveryCodes?.length]).toEqual([200, 10])
    } finally {
      await world.database.sql`update workspaces set require_second_factor = false where id = ${world.workspaceId}`
    }
  })

  test('is rejected when none is in use', async () => {
    const one = await world.person()
    expect((await renew(one, wrong)).status).toBe(422)
    const secret = await begin(one)
    expect((await renew(one, codeOf(secret))).status).toBe(422)
  })

  test('succeeds once when two calls use the same code concurrently', async () => {
    const one = await world.person()
    const { recoveryCodes } = await setUp(one)
    const replies = await Promise.all([renew(one, recoveryCodes[0]!), renew(one, recoveryCodes[0]!)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('the holder gets a mail', () => {
  const mailed = async ({ email }: Person, subject: string) =>
    eventually(`"${subject}" to ${email}`, () =>
      post.taken.find(mail => mail.subject === subject && mail.to.includes(email)),
    )

  test('when a second factor is set up or removed, and when its codes are used or renewed', async () => {
    const one = await world.person()
    const { secret, recoveryCodes } = await setUp(one)
    const { text } = await mailed(one, 'Two-factor authentication was turned on')
    expect(text).toContain(one.email)
    expect(text).toContain('127.0.0.1')
    expect(text).toContain(`${world.url}/forgot-password`)
    expect((await show(await newTicket(one), recoveryCodes[0]!)).status).toBe(200)
    expect((await mailed(one, 'A recovery code was used for your account')).text).toContain('9 recovery codes are left')
    const body = { password: world.owner.password, code: codeOf(secret) }
    await world.expect(200, 'POST', '/v1/auth/totp/recovery-codes', { as: one.as, body })
    await mailed(one, 'Your recovery codes were replaced')
    await forget(one)
    await world.expect(204, 'DELETE', '/v1/auth/totp', { as: one.as, body })
    await mailed(one, 'Two-factor authentication was turned off')
  })

  test('when the password is changed, by its holder or through a link', async () => {
    const one = await world.person()
    const changed = { currentPassword: world.owner.password, newPassword: 'a quiet river in the north' }
    await world.expect(204, 'POST', '/v1/auth/password', { as: one.as, body: changed })
    await mailed(one, 'Your password was changed')
    const other = await world.person()
    await setUp(other)
    await world.database.sql`
      insert into account_links (token_hash, user_id, kind, mailed, expires_at)
      values (sha256(convert_to(${`rst_${other.id}`}, 'UTF8')), ${other.id}, 'reset', true, now() + interval '1 hour')`
    const reset = { token: `rst_${other.id}`, password: 'a quiet river in the north' }
    await world.expect(204, 'POST', '/v1/auth/reset-password', { as: 'nobody', body: reset })
    await mailed(other, 'Your password was changed')
    await mailed(other, 'Two-factor authentication was turned off')
  })

  test('when the operator removes the second factor', async () => {
    const one = await world.person()
    await setUp(one)
    await makeResetLink(world.database.sql, one.email, { byMail: false, dropSecondFactor: true })
    const { text } = await mailed(one, 'Two-factor authentication was turned off')
    expect(text).toContain('by the operator of this service')
  })

  test('when a sign-in link is created or used, or the account is disabled or enabled', async () => {
    const one = await world.person()
    const token = await makeSignInLink(world.database.sql, one.email)
    const { text } = await mailed(one, 'A sign-in link was created for your account')
    expect(text).toContain('by the operator of this service')
    expect(text).toContain(`${world.url}/forgot-password`)
    await world.expect(200, 'POST', '/v1/auth/sign-in/link', { as: 'nobody', body: { token } })
    expect((await mailed(one, 'A sign-in link was used for your account')).text).toContain('127.0.0.1')
    await disableAccount(world.database.sql, one.email)
    const disabled = await mailed(one, 'Your account was disabled')
    expect(disabled.text).toContain('contact the operator of this service')
    expect(disabled.text).not.toContain('/forgot-password')
    await enableAccount(world.database.sql, one.email)
    expect((await mailed(one, 'Your account was enabled')).text).toContain('by the operator of this service')
  })

  test('as an owner when an API key is created or revoked, without its value', async () => {
    const name = `Shop ${crypto.randomUUID()}`
    const mailAbout = async (subject: string) => {
      const isAboutKey = (mail: (typeof post.taken)[number]) =>
        mail.subject === subject && mail.to.includes(world.owner.email) && mail.text.includes(name)
      const { text } = await eventually(subject, () => post.taken.find(isAboutKey))
      for (const part of [prefix, `${world.url}/api-keys`]) expect(text).toContain(part)
      expect(text).not.toContain(key)
      return text
    }
    const { id, key, prefix } = await world.expect(201, 'POST', '/v1/api-keys', { body: { name } })
    expect(await mailAbout('An API key was created')).toContain(`DELETE ${world.url}/v1/api-keys/${id}`)
    await world.expect(204, 'DELETE', `/v1/api-keys/${id}`)
    await mailAbout('An API key was revoked')
  })

  test('only for calls that succeed', async () => {
    const one = await world.person()
    await world.call('DELETE', '/v1/auth/totp', { as: one.as, body: { password: 'wrong', code: wrong } })
    await setUp(one)
    await mailed(one, 'Two-factor authentication was turned on')
    expect(post.taken.filter(mail => mail.to.includes(one.email))).toHaveLength(1)
  })
})

describe('a workspace that requires a second factor', () => {
  const require = (as: Person['as'], requireSecondFactor: boolean) =>
    world.call('PATCH', '/v1/workspace', { as, body: { requireSecondFactor } })

  /** Creates a workspace with an owner and an agent. */
  const workspace = async () => {
    const [row] = await world.database.sql`
      insert into workspaces (name, plan_id) values ('Strict', 'unlimited') returning id`
    return { owner: await world.person('owner', row!.id), agent: await world.person('agent', row!.id) }
  }

  test('rejects members without one from the next request, explains what to do, and allows the setup', async () => {
    const { owner, agent } = await workspace()
    const { secret } = await setUp(owner)
    expect((await require(agent.as, true)).status).toBe(403)
    const changed = await require(owner.as, true)
    expect([changed.status, changed.body.requireSecondFactor]).toEqual([200, true])
    const refused = await world.call('GET', '/v1/members', { as: agent.as })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    expect(refused.body.error.details.secondFactor).toContain('POST /v1/auth/totp')
    await world.expect(200, 'GET', '/v1/auth/session', { as: agent.as })
    await world.expect(200, 'GET', '/v1/auth/workspaces', { as: agent.as })
    await setUp(agent)
    await world.expect(200, 'GET', '/v1/members', { as: agent.as })
    const removal = { as: owner.as, body: { password: world.owner.password, code: codeOf(secret) } }
    expect((await world.call('DELETE', '/v1/auth/totp', removal)).status).toBe(422)
    expect((await require(owner.as, false)).status).toBe(200)
    expect((await world.call('DELETE', '/v1/auth/totp', removal)).status).toBe(204)
    await world.expect(200, 'GET', '/v1/members', { as: owner.as })
  })

  test('cannot be configured by an owner without one', async () => {
    const { owner } = await workspace()
    expect(answerOf(await require(owner.as, true))).toBe('422 unprocessable requireSecondFactor')
    await begin(owner)
    expect((await require(owner.as, true)).status).toBe(422)
    expect((await world.expect(200, 'GET', '/v1/workspace', { as: owner.as })).requireSecondFactor).toBe(false)
  })

  test('does not affect API keys', async () => {
    const { owner } = await workspace()
    await setUp(owner)
    const { key } = await world.expect(201, 'POST', '/v1/api-keys', { as: owner.as, body: { name: 'till' } })
    expect((await require(owner.as, true)).status).toBe(200)
    await world.expect(200, 'GET', '/v1/events', { as: { 'X-API-Key': key } })
  })
})
