/** Tests of mailed links, forgotten passwords and the effect of an invitation on an account. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createWorkspace } from '../../../../src/accounts/workspaces/index.ts'
import { createDashboard } from '../../../../src/api/dashboard.ts'
import { pages } from '../../../../src/api/pages/pages.ts'
import { linkTo } from '../../../../src/core/links.ts'
import { startMailServer, tokenIn } from '../../../support/mail-server.ts'
import { use } from '../../../support/use.ts'
import { answerOf, bearer, eventually, startWorld, useWorld } from '../../../support/world.ts'

const post = use(startMailServer)
// The mail server of some tests rejects a mail at first.
const world = useWorld(() => ({ SMTP_URL: post.url, MAIL_FROM: 'Shop <engage@shop.example>' }), {
  errors: ['tasks: Failed task'],
})
/** A world where mail is not set up. */
const without = useWorld()
beforeEach(() => {
  post.refusal = null
})
/** Changes to an account are mailed to its holder. Tests must not read the mails of other tests. */
afterEach(async () => {
  await allSent()
  post.taken.length = 0
})

const password = 'a password of some length'
const another = 'another password, and longer'

const newAddress = () => `p-${crypto.randomUUID()}@shop.example`

const post202 = (email: string, at = world) =>
  at.expect(202, 'POST', '/v1/auth/forgot-password', { as: 'nobody', body: { email } })

const signIn = (email: string, secret: string, at = world) =>
  at.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password: secret } })

const reset = (token: string, secret = another, at = world) =>
  at.call('POST', '/v1/auth/reset-password', { as: 'nobody', body: { token, password: secret } })

const accept = (
  token: string,
  body: object = { password },
  at = world,
  as: 'nobody' | Record<string, string> = 'nobody',
) => at.call('POST', '/v1/auth/accept-invitation', { as, body: { token, ...body } })

/** Requests a mail for a forgotten password, and returns the token of its link. */
const mailedToken = async (email: string): Promise<string> => {
  await post202(email)
  return tokenIn(await post.mailTo(email))
}

/** Resolves when every requested mail has been sent or is no longer due. */
const allSent = (at = world) =>
  eventually('no mail is due', async () => {
    const rows = await at.database.sql`
      select 1 from graphile_worker.jobs where task_identifier = 'send_mail' and run_at <= now()`
    return rows.length === 0
  })

const isConfirmed = async (id: string, at = world): Promise<boolean> =>
  (await at.database.sql`select confirmed_at from users where id = ${id}`)[0]!.confirmed_at !== null

describe('a forgotten password', () => {
  test('is replaced through a mailed link, which works once and ends all sessions', async () => {
    const { id, email, as: first, session } = await world.person()
    const second = await session()
    await post202(email.toUpperCase())
    const mail = await post.mailTo(email)
    expect(mail).toMatchObject({ to: [email], subject: 'Reset your password', from: 'Shop <engage@shop.example>' })
    const token = tokenIn(mail)
    expect(mail.text).toContain(linkTo(`http://127.0.0.1:${world.service.port}`, 'reset', token))
    expect((await reset(token)).status).toBe(204)
    for (const as of [first, second]) expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, world.owner.password)).status).toBe(401)
    expect((await signIn(email, another)).status).toBe(200)
    expect(answerOf(await reset(token, password))).toBe('422 unprocessable')
    expect(await isConfirmed(id)).toBe(true)
  })

  test('gets the same response for an unknown or disabled account, and no mail is sent', async () => {
    const disabled = await world.person()
    await world.database.sql`update users set disabled_at = now() where id = ${disabled.id}`
    const answers = await Promise.all(
      [world.owner.email, 'nobody@nowhere.example', disabled.email].map(email =>
        world.call('POST', '/v1/auth/forgot-password', { as: 'nobody', body: { email } }),
      ),
    )
    for (const { status, body } of answers) expect([status, body]).toEqual([202, ''])
    await post.mailTo(world.owner.email)
    await allSent()
    expect(post.taken).toEqual([])
  })

  test('is looked up by a task, so the response does not depend on the address', async () => {
    const { sql } = world.database
    const gate = await sql.reserve()
    await gate`begin`
    await gate`lock table users in access exclusive mode`
    try {
      await post202(world.owner.email)
      await post202('nobody@nowhere.example')
    } finally {
      await gate`rollback`
      gate.release()
    }
    await post.mailTo(world.owner.email)
  })

  test('is mailed at most five times an hour, and every link stays valid', async () => {
    const { email } = await world.person()
    const tokens: string[] = []
    for (let n = 0; n < 5; n += 1) {
      tokens.push(await mailedToken(email))
    }
    await post202(email)
    await allSent()
    expect(post.taken).toEqual([])
    expect((await reset(tokens[0]!)).status).toBe(204)
    expect((await reset(tokens[4]!)).status).toBe(422)
  })

  test('loses its link when the password is changed with the current one', async () => {
    const { email, session } = await world.person()
    const token = await mailedToken(email)
    const body = { currentPassword: world.owner.password, newPassword: another }
    await world.expect(204, 'POST', '/v1/auth/password', { as: await session(), body })
    expect((await reset(token)).status).toBe(422)
  })

  test('has a link that is stored as a hash, is valid for an hour, and takes a valid password once', async () => {
    const { id, email } = await world.person()
    const [expired, token] = [await mailedToken(email), await mailedToken(email)]
    const [row] = await world.database.sql`
      select (select string_agg(l::text, ' ') from account_links l where l.user_id = ${id}) as links,
        (select string_agg(j::text, ' ') from graphile_worker._private_jobs j) as jobs`
    const hashed = new Bun.CryptoHasher('sha256').update(expired).digest('hex')
    expect(row!.links).toContain(hashed)
    expect(`${row!.links} ${row!.jobs}`).not.toContain(expired)
    const [link] = await world.database.sql`
      update account_links set expires_at = now() where token_hash = decode(${hashed}, 'hex')
      returning old.expires_at - created_at = '1 hour' as hour`
    expect(link!.hour).toBe(true)
    expect((await reset(expired)).status).toBe(422)
    expect(answerOf(await reset(token, 'short'))).toBe('400 invalid_request password')
    const replies = await Promise.all([reset(token, 'the password of the first'), reset(token, 'and of the second')])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('has the limit of sign-in attempts, counted separately', async () => {
    await using limited = await startWorld({ RATE_LIMIT_SIGN_IN: '1' })
    const ask = () =>
      limited.answer('POST', '/v1/auth/forgot-password', { as: 'nobody', body: { email: 'x@shop.example' } })
    await signIn('x@shop.example', 'wrong', limited)
    expect((await signIn('x@shop.example', 'wrong', limited)).status).toBe(429)
    expect([await ask(), await ask()]).toEqual(['202', '429 rate_limited'])
  })

  test('gets the same response without mail, and leaves no link', async () => {
    const { id, email } = await without.person()
    await post202(email, without)
    await allSent(without)
    expect(await without.database.sql`select 1 from account_links where user_id = ${id}`).toHaveLength(0)
  })
})

describe('a mail', () => {
  test('is sent again until the server accepts it, with a link that works', async () => {
    post.refusal = { code: 451, times: 1 }
    const { email } = await world.person()
    const before = post.tries
    await post202(email)
    const mail = await post.mailTo(email)
    expect(post.tries - before).toBe(2)
    expect((await reset(tokenIn(mail))).status).toBe(204)
  })

  test('that the server rejects permanently is not retried, and its link is deleted', async () => {
    post.refusal = { code: 550, times: 1 }
    const { id, email } = await world.person()
    await post202(email)
    await eventually('it was refused', () => post.refusal?.times === 0)
    await allSent()
    const { sql } = world.database
    expect(await sql`select 1 from account_links where user_id = ${id}`).toHaveLength(0)
    expect(await sql`select 1 from graphile_worker.jobs where task_identifier = 'send_mail'`).toHaveLength(0)
  })

  test('that hangs delays no other task and no response', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    post.hang = promise
    try {
      const before = post.tries
      await post202(world.owner.email)
      await eventually('the server received it', () => post.tries > before)
      const people = await Promise.all(Array.from({ length: 6 }, () => world.person()))
      for (const { email } of people) await post202(email)
      const { id } = await world.expect(201, 'POST', '/v1/webhooks', {
        body: { url: 'https://shop.example/hook', events: ['message.received'] },
      })
      await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
      await eventually('another task was done', async () => {
        const rows = await world.database.sql`
          select 1 from graphile_worker.jobs where task_identifier = 'drop_deliveries'`
        return rows.length === 0
      })
      expect(post.tries).toBe(before + 1)
      resolve()
      for (const { email } of people) await post.mailTo(email)
      await post.mailTo(world.owner.email)
    } finally {
      resolve()
      post.hang = null
    }
  })
})

describe('an invitation, where mail is set up', () => {
  test('shows its link only in the mail, so accepting it confirms the address', async () => {
    const email = newAddress()
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    expect(invitation).toEqual({ url: null, token: null, mailed: true, expiresAt: expect.any(String) })
    const mail = await post.mailTo(email)
    expect(mail.subject).toBe('You are invited to join a team')
    expect(mail.text).toContain('invited you to join the workspace "Shop" as agent')
    const { status, body } = await accept(tokenIn(mail))
    expect([status, body.workspace.id]).toEqual([200, world.workspaceId])
    expect(await isConfirmed(body.user.id)).toBe(true)
    await allSent()
    expect(post.taken).toEqual([])
  })

  test('has one recipient, and no links or addresses in its names', async () => {
    const { sql } = world.database
    const name = 'Shop\r\nBcc: all@shop.example Pay at https://evil.example/login or www.evil.example'
    await sql`update workspaces set name = ${name} where id = ${world.workspaceId}`
    try {
      const email = `a,b-${crypto.randomUUID()}@shop.example`
      await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
      const mail = await eventually('a mail', () => post.taken.pop())
      expect(mail.to).toHaveLength(1)
      expect(mail.subject).toBe('You are invited to join a team')
      expect(mail.text).toContain(
        'the workspace "Shop Bcc: all shop example Pay at https evil example login or www evil example"',
      )
      expect(mail.text.match(/https?:\/\//g)).toHaveLength(1)
    } finally {
      await sql`update workspaces set name = 'Shop' where id = ${world.workspaceId}`
    }
  })

  test('is mailed to one address three times, from any workspace, and then once every eight hours', async () => {
    const email = newAddress()
    const other = await world.otherOwner()
    const inviteAs = async (as: 'owner' | Record<string, string>, address = email) => {
      const reply = await world.call('POST', '/v1/members', { as, body: { email: address, role: 'agent' } })
      if (reply.status === 201) await world.expect(204, 'DELETE', `/v1/members/${reply.body.id}`, { as })
      return reply
    }
    const statuses = []
    for (const as of ['owner', other, 'owner', other, 'owner'] as const) statuses.push((await inviteAs(as)).status)
    expect(statuses).toEqual([201, 201, 201, 429, 429])
    const refused = await inviteAs(other, email.toUpperCase())
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(8 * 3600 - 60, 8 * 3600 + 1)
    expect((await inviteAs(other, newAddress())).status).toBe(201)
    await world.database.sql`update attempt_budgets set full_at = full_at - interval '8 hours'`
    expect([(await inviteAs(other)).status, (await inviteAs('owner')).status]).toEqual([201, 429])
  })

  test('counts for the address without its tag, and invites each address with a tag as a person of its own', async () => {
    const [name, domain] = newAddress().split('@')
    const inviteTagged = async (local: string) =>
      (await world.call('POST', '/v1/members', { body: { email: `${local}@${domain}`, role: 'agent' } })).status
    const statuses = []
    for (const local of [`${name}+1`, `${name}+2+x`, `${name}`, `${name}+3`, name!.toUpperCase()])
      statuses.push(await inviteTagged(local))
    expect(statuses).toEqual([201, 201, 201, 429, 409])
    expect([await inviteTagged(`+${name}`), await inviteTagged(`+${name}+1`)]).toEqual([201, 201])
  })

  test('counts for the address however it is spelled', async () => {
    const name = crypto.randomUUID()
    const domain = 'münchen.example'
    const spellings = [
      `${name}@${domain}`,
      `${name}@${domain}.`,
      `"${name}"@xn--mnchen-3ya.example`,
      `"${name.replace('-', String.raw`\-`)}+1"@${domain}`,
      `${name}@mu\u0308nchen.example`,
      `${name.replaceAll(/[a-f]/g, letter => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))}@${domain}`,
      `${name}@münchen\u3002example`,
    ]
    const statuses = []
    for (const email of spellings)
      statuses.push((await world.call('POST', '/v1/members', { body: { email, role: 'agent' } })).status)
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429, 429])
  })

  test('is limited per workspace and day by the operator', async () => {
    const settings = { SMTP_URL: post.url, MAIL_FROM: 'engage@shop.example', RATE_LIMIT_INVITATIONS: '2' }
    await using limited = await startWorld(settings)
    const inviteAs = async (as: 'owner' | Record<string, string>) =>
      (await limited.call('POST', '/v1/members', { as, body: { email: newAddress(), role: 'agent' } })).status
    const statuses = await Promise.all([1, 2, 3].map(() => inviteAs('owner')))
    expect(statuses.sort()).toEqual([201, 201, 429])
    expect(await inviteAs(await limited.otherOwner())).toBe(201)
    await allSent(limited)
  })

  test('that hangs does not delay mails for signing in', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const [invited, { email }] = [newAddress(), await world.person()]
    Object.assign(post, { hang: promise, hangFor: invited })
    try {
      const before = post.tries
      await world.expect(201, 'POST', '/v1/members', { body: { email: invited, role: 'agent' } })
      await eventually('the server received it', () => post.tries > before)
      await post202(email)
      expect((await post.mailTo(email)).subject).toBe('Reset your password')
      resolve()
      await post.mailTo(invited)
    } finally {
      resolve()
      Object.assign(post, { hang: null, hangFor: null })
    }
  })

  test('that was withdrawn before it was sent is not sent', async () => {
    post.refusal = { code: 451, times: 1 }
    const email = newAddress()
    const { id } = await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    await eventually('it was refused once', () => post.refusal?.times === 0)
    await world.expect(204, 'DELETE', `/v1/members/${id}`)
    await world.database
      .sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs`
    await eventually('the task was done', async () => {
      const rows = await world.database.sql`select 1 from graphile_worker.jobs where task_identifier = 'send_mail'`
      return rows.length === 0
    })
    expect(post.taken).toEqual([])
  })
})

describe('an account created by another person', () => {
  test('is recovered through mail to its address, which removes the second factor and all sessions', async () => {
    const { id, email, session } = await world.person()
    const thief = await session()
    await world.database.sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    expect((await reset(await mailedToken(email))).status).toBe(204)
    expect((await world.call('GET', '/v1/auth/session', { as: thief })).status).toBe(401)
    const { status, body } = await signIn(email, another)
    expect([status, body.secondFactor]).toEqual([200, undefined])
  })

  test('keeps the second factor of a holder who confirmed the address earlier', async () => {
    const { id, email } = await world.person()
    const { sql } = world.database
    await sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    await sql`update users set confirmed_at = now() where id = ${id}`
    expect((await reset(await mailedToken(email))).status).toBe(204)
    expect((await signIn(email, another)).body.secondFactor).toBe(true)
  })

  test('must confirm its address when mail was set up after the invitation', async () => {
    const email = newAddress()
    const { invitation } = await without.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    // Adds the same link to the world with mail, like an invitation from before mail was set up.
    const { sql } = world.database
    await sql`
      insert into members (workspace_id, email, role, joined_at, invited_at, token_hash, expires_at)
      values (${world.workspaceId}, ${email}, 'agent', null, now(), sha256(convert_to(${invitation.token}, 'UTF8')),
        now() + interval '1 day')`
    const { body } = await accept(invitation.token)
    expect(await isConfirmed(body.user.id)).toBe(false)
    const mail = await post.mailTo(email)
    expect(mail.subject).toBe('Confirm your email address')
    const confirm = () => world.call('POST', '/v1/auth/confirm-email', { as: 'nobody', body: { token: tokenIn(mail) } })
    expect((await confirm()).status).toBe(204)
    expect(await isConfirmed(body.user.id)).toBe(true)
    expect((await confirm()).status).toBe(422)
  })

  test('gets another workspace only by invitation, and the operator sees who created the account', async () => {
    const email = newAddress()
    const { invitation } = await without.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    const made = await accept(invitation.token, { password }, without)
    const owner = { email: email.toUpperCase(), password: 'never used, but set' }
    const created = await createWorkspace(without.database.sql, { name: 'Theirs', planId: 'unlimited', owner })
    const { token, account } = created.invitation!
    expect(account).toMatchObject({ confirmedAt: null, createdBy: { id: without.workspaceId, name: 'Shop' } })
    const mine = async () =>
      (await without.expect(200, 'GET', '/v1/auth/workspaces', { as: bearer(made.body.token) })).data.length
    expect(await mine()).toBe(1)
    const wrong = await accept(token!, { password: owner.password }, without)
    expect(wrong.status).toBe(401)
    const joined = await accept(token!, {}, without, bearer(made.body.token))
    expect(joined.body).toMatchObject({ workspace: { id: created.id }, role: 'owner' })
    expect(await mine()).toBe(2)
  })
})

describe('an invitation is accepted without a password', () => {
  const invited = async (email: string) =>
    (
      await without.expect(201, 'POST', '/v1/members', {
        as: other,
        body: { email, role: 'agent' },
      })
    ).invitation.token as string
  let other: Record<string, string>
  beforeAll(async () => {
    other = await without.otherOwner()
  })

  test('by a person signed in with its address, by token or by cookie', async () => {
    const { email, as } = await without.person()
    const { status, body } = await accept(await invited(email), {}, without, as)
    expect([status, body.user.email, body.workspace.name]).toEqual([200, email, 'Other'])
    const cookied = await without.person()
    const cookie = { Cookie: `session=${cookied.as.Authorization!.split(' ')[1]}` }
    const token = await invited(cookied.email)
    expect((await accept(token, {}, without, cookie)).status).toBe(403)
    expect((await accept(token, {}, without, { ...cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
  })

  test('by no other person', async () => {
    const { email } = await without.person()
    const token = await invited(email)
    const nobody = await accept(token, {}, without)
    expect([nobody.status, Object.keys(nobody.body.error.details)]).toEqual([400, ['password']])
    const { as } = await without.person()
    const somebody = await accept(token, {}, without, as)
    expect([somebody.status, somebody.body.error.code]).toEqual([403, 'forbidden'])
    expect((await accept(token, {}, without, bearer('ses_unknown'))).status).toBe(401)
    expect((await accept(token, { password: without.owner.password }, without)).status).toBe(200)
  })
})

describe('a disabled account', () => {
  test('accepts no session, password or invitation, and only the correct password reveals why', async () => {
    const { id, email, as } = await without.person()
    await without.database.sql`update users set disabled_at = now() where id = ${id}`
    expect((await without.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, 'wrong', without)).status).toBe(401)
    const right = await signIn(email, without.owner.password, without)
    expect([right.status, right.body.error.message]).toEqual([
      403,
      'This account is disabled. Ask the operator of this service.',
    ])
    const { invitation } = await without.expect(201, 'POST', '/v1/members', {
      as: await without.otherOwner(),
      body: { email, role: 'agent' },
    })
    expect((await accept(invitation.token, { password: without.owner.password }, without)).status).toBe(403)
  })
})

test('the pages that links open load nothing from other hosts, in the dashboard and without it', async () => {
  const plain = pages({ readiness: async () => ({ ready: true }), metrics: null, document: '{}' })
  for (const path of ['/accept-invitation', '/reset-password', '/confirm-email']) {
    const { status, headers, body } = await world.call('GET', path, { as: 'nobody' })
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    expect(body as unknown as string).toMatch(/<script[^>]+src="\/assets\//)
    const without = createDashboard(async () => null).withFallback(plain[path]!)
    const instead = await without(new Request(`${world.url}${path}`))
    expect(instead.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await instead.text()
    expect(html).toContain(`<script src="${path}.js">`)
    // The browser would reject an existing password from before the current rules.
    expect(html).not.toMatch(/type="password"[^>]*minlength/)
    expect((await world.call('GET', `${path}.js`, { as: 'nobody' })).status).toBe(200)
  }
})
