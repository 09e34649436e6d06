/** An account is its holder's: mailed links, forgotten passwords, and what an invitation may do to it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { linkTo } from '../../../src/domain/links.ts'
import { createWorkspace } from '../../../src/domain/workspaces/index.ts'
import { createDashboard } from '../../../src/http/dashboard.ts'
import { pages } from '../../../src/http/pages.ts'
import { type MailServer, startMailServer, tokenIn } from '../../support/mail-server.ts'
import { eventually, startWorld, type World } from '../../support/world.ts'

let post: MailServer
/** Where mail is set up, and where it is not. */
let world: World
let without: World
beforeAll(async () => {
  post = await startMailServer()
  world = await startWorld({ SMTP_URL: post.url, MAIL_FROM: 'Shop <engage@shop.example>' })
  without = await startWorld()
  // The mail server of some tests refuses a mail at first.
  world.database.expectErrors('tasks: Failed task')
})
afterAll(async () => {
  await Promise.all([world.stop(), without.stop()])
  await post.stop()
})
beforeEach(() => {
  post.refusal = null
})
/** Changes to an account are mailed to its holder: no test reads the mails of another. */
afterEach(async () => {
  await allSent()
  post.taken.length = 0
})

const password = 'a password of some length'
const another = 'another password, and longer'

const newAddress = () => `p-${crypto.randomUUID()}@shop.example`
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

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

/** Somebody with an account (the password is the owner's) in the workspace, by SQL: hashing takes a third of a second. */
const person = async (at = world, workspaceId = at.workspaceId) => {
  const { sql } = at.database
  const email = newAddress()
  const [user] = await sql`
    insert into users (email, name, password_hash)
    select ${email}, 'Kim', password_hash from users where email = ${at.owner.email} returning id`
  await sql`insert into members (workspace_id, user_id, role) values (${workspaceId}, ${user!.id}, 'agent')`
  const session = async () => {
    const token = `ses_${crypto.randomUUID()}`
    await sql`
      insert into sessions (token_hash, user_id, expires_at)
      values (sha256(convert_to(${token}, 'UTF8')), ${user!.id}, now() + interval '1 day')`
    return bearer(token)
  }
  return { id: user!.id as string, email, session }
}

/** Every mail that was asked for has been sent, or is no longer due. */
const allSent = (at = world) =>
  eventually('no mail is due', async () => {
    const rows = await at.database.sql`
      select 1 from graphile_worker.jobs where task_identifier = 'send_mail' and run_at <= now()`
    return rows.length === 0
  })

const isConfirmed = async (id: string, at = world): Promise<boolean> =>
  (await at.database.sql`select confirmed_at from users where id = ${id}`)[0]!.confirmed_at !== null

describe('a forgotten password', () => {
  test('is replaced by a mailed link, which is good once and ends all sessions', async () => {
    const { id, email, session } = await person()
    const [first, second] = [await session(), await session()]
    await post202(email.toUpperCase())
    const mail = await post.mailTo(email)
    expect(mail).toMatchObject({ to: [email], subject: 'Choose another password', from: 'Shop <engage@shop.example>' })
    const token = tokenIn(mail)
    expect(mail.text).toContain(linkTo(`http://127.0.0.1:${world.service.port}`, 'reset', token))
    expect((await reset(token)).status).toBe(204)
    for (const as of [first, second]) expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, world.owner.password)).status).toBe(401)
    expect((await signIn(email, another)).status).toBe(200)
    const again = await reset(token, password)
    expect([again.status, again.body.error.code]).toEqual([422, 'unprocessable'])
    expect(await isConfirmed(id)).toBe(true)
  })

  test('of somebody unknown or disabled is answered just so, and nobody is written to', async () => {
    const disabled = await person()
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

  test('is looked up by a task: the answer waits for nothing that depends on the address', async () => {
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

  test('has a link of which a hash alone is kept, wherever one looks', async () => {
    const { id, email } = await person()
    await post202(email)
    const token = tokenIn(await post.mailTo(email))
    const [row] = await world.database.sql`
      select (select string_agg(l::text, ' ') from account_links l where l.user_id = ${id}) as links,
        (select string_agg(j::text, ' ') from graphile_worker._private_jobs j) as jobs`
    expect(row!.links).toContain(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
    expect(`${row!.links} ${row!.jobs}`).not.toContain(token)
  })

  test('is mailed five times an hour at most, and every one of the links stays good', async () => {
    const { email } = await person()
    const tokens: string[] = []
    for (let n = 0; n < 5; n += 1) {
      await post202(email)
      tokens.push(tokenIn(await post.mailTo(email)))
    }
    await post202(email)
    await allSent()
    expect(post.taken).toEqual([])
    expect((await reset(tokens[0]!)).status).toBe(204)
    expect((await reset(tokens[4]!)).status).toBe(422)
  })

  test('has no link any more once the password was changed by whoever knows it', async () => {
    const { email, session } = await person()
    await post202(email)
    const token = tokenIn(await post.mailTo(email))
    const body = { currentPassword: world.owner.password, newPassword: another }
    await world.expect(204, 'POST', '/v1/auth/password', { as: await session(), body })
    expect((await reset(token)).status).toBe(422)
  })

  test('has a link for an hour', async () => {
    const { id, email } = await person()
    await post202(email)
    const token = tokenIn(await post.mailTo(email))
    const [link] = await world.database.sql`
      update account_links set expires_at = now() where user_id = ${id} returning old.expires_at - created_at = '1 hour' as hour`
    expect(link!.hour).toBe(true)
    expect((await reset(token)).status).toBe(422)
  })

  test('is replaced by one that could be any new password', async () => {
    const { email } = await person()
    await post202(email)
    const token = tokenIn(await post.mailTo(email))
    const refused = await reset(token, 'short')
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['password']])
    expect((await reset(token)).status).toBe(204)
  })

  test('is replaced once by two who use the link at the same moment', async () => {
    const { email } = await person()
    await post202(email)
    const token = tokenIn(await post.mailTo(email))
    const replies = await Promise.all([reset(token, 'the password of the first'), reset(token, 'and of the second')])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('may be told of as often as signing in may be tried, and is counted apart', async () => {
    const limited = await startWorld({ RATE_LIMIT_SIGN_IN: '1' })
    try {
      const ask = () =>
        limited.call('POST', '/v1/auth/forgot-password', { as: 'nobody', body: { email: 'x@shop.example' } })
      await signIn('x@shop.example', 'wrong', limited)
      expect((await signIn('x@shop.example', 'wrong', limited)).status).toBe(429)
      const answers = [await ask(), await ask()]
      expect(answers.map(({ status }) => status)).toEqual([202, 429])
    } finally {
      await limited.stop()
    }
  })

  test('without mail is answered in the same way, and no link is left lying about', async () => {
    const { id, email } = await person(without)
    await post202(email, without)
    await allSent(without)
    expect(await without.database.sql`select 1 from account_links where user_id = ${id}`).toHaveLength(0)
  })
})

describe('a mail', () => {
  test('is sent again until the server takes it, with a link that works', async () => {
    post.refusal = { code: 451, times: 1 }
    const { email } = await person()
    const before = post.tries
    await post202(email)
    const mail = await post.mailTo(email)
    expect(post.tries - before).toBe(2)
    expect((await reset(tokenIn(mail))).status).toBe(204)
  })

  test('that the server will never take is given up at once, and its link is gone', async () => {
    post.refusal = { code: 550, times: 1 }
    const { id, email } = await person()
    await post202(email)
    await eventually('it was refused', () => post.refusal?.times === 0)
    await allSent()
    const { sql } = world.database
    expect(await sql`select 1 from account_links where user_id = ${id}`).toHaveLength(0)
    expect(await sql`select 1 from graphile_worker.jobs where task_identifier = 'send_mail'`).toHaveLength(0)
  })

  test('that hangs holds up no other task and no answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    post.hang = promise
    try {
      const before = post.tries
      await post202(world.owner.email)
      await eventually('the server has it', () => post.tries > before)
      const people = await Promise.all(Array.from({ length: 6 }, () => person()))
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
  test('goes to the address alone: whoever invites sees no link, and the one who accepts has shown the address', async () => {
    const email = newAddress()
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    expect(invitation).toEqual({ url: null, token: null, mailed: true, expiresAt: expect.any(String) })
    const mail = await post.mailTo(email)
    expect(mail.subject).toBe('An invitation to join a team')
    expect(mail.text).toContain('invites you to join the workspace "Shop" as agent')
    const { status, body } = await accept(tokenIn(mail))
    expect([status, body.workspace.id]).toEqual([200, world.workspaceId])
    expect(await isConfirmed(body.user.id)).toBe(true)
    await allSent()
    expect(post.taken).toEqual([])
  })

  test('is written to the one address, and has no link and no address of others in its names', async () => {
    const { sql } = world.database
    const name = 'Shop\r\nBcc: all@shop.example Pay at https://evil.example/login or www.evil.example'
    await sql`update workspaces set name = ${name} where id = ${world.workspaceId}`
    try {
      const email = `a,b-${crypto.randomUUID()}@shop.example`
      await world.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
      const mail = await eventually('a mail', () => post.taken.pop())
      expect(mail.to).toHaveLength(1)
      expect(mail.subject).toBe('An invitation to join a team')
      expect(mail.text).toContain(
        'the workspace "Shop Bcc: all shop example Pay at https evil example login or www evil example"',
      )
      expect(mail.text.match(/https?:\/\//g)).toHaveLength(1)
    } finally {
      await sql`update workspaces set name = 'Shop' where id = ${world.workspaceId}`
    }
  })

  test('is mailed to one address three times, whoever invites and removes in between, and then one in eight hours', async () => {
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
    await world.database.sql`update try_budgets set whole_at = whole_at - interval '8 hours'`
    expect([(await inviteAs(other)).status, (await inviteAs('owner')).status]).toEqual([201, 429])
  })

  test('is mailed by a workspace as often as the operator allows within a day', async () => {
    const limited = await startWorld({
      SMTP_URL: post.url,
      MAIL_FROM: 'engage@shop.example',
      RATE_LIMIT_INVITATIONS: '2',
    })
    try {
      const other = await limited.otherOwner()
      const inviteAs = async (as: 'owner' | Record<string, string>) =>
        (await limited.call('POST', '/v1/members', { as, body: { email: newAddress(), role: 'agent' } })).status
      const statuses = await Promise.all([1, 2, 3].map(() => inviteAs('owner')))
      expect(statuses.sort()).toEqual([201, 201, 429])
      expect(await inviteAs(other)).toBe(201)
      await allSent(limited)
    } finally {
      await limited.stop()
    }
  })

  test('that hangs holds up no mail that lets somebody in', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const [invited, { email }] = [newAddress(), await person()]
    Object.assign(post, { hang: promise, hangFor: invited })
    try {
      const before = post.tries
      await world.expect(201, 'POST', '/v1/members', { body: { email: invited, role: 'agent' } })
      await eventually('the server has it', () => post.tries > before)
      await post202(email)
      expect((await post.mailTo(email)).subject).toBe('Choose another password')
      resolve()
      await post.mailTo(invited)
    } finally {
      resolve()
      Object.assign(post, { hang: null, hangFor: null })
    }
  })

  test('that was taken back before it was sent is not sent', async () => {
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

describe('an account that a stranger made', () => {
  test('is taken over by whoever reads what is mailed to the address, second factor and sessions included', async () => {
    const { id, email, session } = await person()
    const thief = await session()
    await world.database.sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    await post202(email)
    expect((await reset(tokenIn(await post.mailTo(email)))).status).toBe(204)
    expect((await world.call('GET', '/v1/auth/session', { as: thief })).status).toBe(401)
    const { status, body } = await signIn(email, another)
    expect([status, body.secondFactor]).toEqual([200, undefined])
  })

  test('keeps the second factor of a holder who had shown the address before', async () => {
    const { id, email } = await person()
    const { sql } = world.database
    await sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    await sql`update users set confirmed_at = now() where id = ${id}`
    await post202(email)
    expect((await reset(tokenIn(await post.mailTo(email)))).status).toBe(204)
    expect((await signIn(email, another)).body.secondFactor).toBe(true)
  })

  test('is asked, where mail was set up meanwhile, to show that the address is theirs', async () => {
    const email = newAddress()
    const { invitation } = await without.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    // The same link in the world with mail: of an invitation from before.
    const { sql } = world.database
    await sql`
      insert into members (workspace_id, email, role, joined_at, invited_at, token_hash, expires_at)
      values (${world.workspaceId}, ${email}, 'agent', null, now(), sha256(convert_to(${invitation.token}, 'UTF8')),
        now() + interval '1 day')`
    const { body } = await accept(invitation.token)
    expect(await isConfirmed(body.user.id)).toBe(false)
    const mail = await post.mailTo(email)
    expect(mail.subject).toBe('Confirm your e-mail address')
    const confirm = () => world.call('POST', '/v1/auth/confirm-email', { as: 'nobody', body: { token: tokenIn(mail) } })
    expect((await confirm()).status).toBe(204)
    expect(await isConfirmed(body.user.id)).toBe(true)
    expect((await confirm()).status).toBe(422)
  })

  test('is not given another workspace: its holder is invited, and the operator told who made it', async () => {
    const email = newAddress()
    const { invitation } = await without.expect(201, 'POST', '/v1/members', { body: { email, role: 'agent' } })
    const made = await accept(invitation.token, { password }, without)
    const owner = { email: email.toUpperCase(), password: 'never used, but set' }
    const created = await createWorkspace(without.database.sql, { name: 'Theirs', planId: 'unlimited', owner })
    const { token, account } = created.invitation!
    expect(account).toMatchObject({ confirmedAt: null, madeBy: { id: without.workspaceId, name: 'Shop' } })
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

  test('by whoever is signed in with the address, by token or by cookie', async () => {
    const { email, session } = await person(without)
    const as = await session()
    const { status, body } = await accept(await invited(email), {}, without, as)
    expect([status, body.user.email, body.workspace.name]).toEqual([200, email, 'Other'])
    const cookied = await person(without)
    const cookie = { Cookie: `session=${(await cookied.session()).Authorization.split(' ')[1]}` }
    const token = await invited(cookied.email)
    expect((await accept(token, {}, without, cookie)).status).toBe(403)
    expect((await accept(token, {}, without, { ...cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
  })

  test('by nobody else', async () => {
    const { email } = await person(without)
    const token = await invited(email)
    const nobody = await accept(token, {}, without)
    expect([nobody.status, Object.keys(nobody.body.error.details)]).toEqual([400, ['password']])
    const { session } = await person(without)
    const somebody = await accept(token, {}, without, await session())
    expect([somebody.status, somebody.body.error.code]).toEqual([403, 'forbidden'])
    expect((await accept(token, {}, without, bearer('ses_unknown'))).status).toBe(401)
    expect((await accept(token, { password: without.owner.password }, without)).status).toBe(200)
  })
})

describe('an account that was switched off', () => {
  test('lets nobody in: no session, no password, no invitation; and who has not shown the password hears nothing of it', async () => {
    const { id, email, session } = await person(without)
    const as = await session()
    await without.database.sql`update users set disabled_at = now() where id = ${id}`
    expect((await without.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, 'wrong', without)).status).toBe(401)
    const right = await signIn(email, without.owner.password, without)
    expect([right.status, right.body.error.message]).toEqual([
      403,
      'This account has been switched off. Ask whoever runs this service.',
    ])
    const { invitation } = await without.expect(201, 'POST', '/v1/members', {
      as: await without.otherOwner(),
      body: { email, role: 'agent' },
    })
    expect((await accept(invitation.token, { password: without.owner.password }, without)).status).toBe(403)
  })
})

test('the pages that links open load nothing from elsewhere, those of the dashboard and the plain ones', async () => {
  const plain = pages({ readiness: async () => ({ ready: true }), metrics: null, document: '{}' })
  for (const path of ['/accept-invitation', '/reset-password', '/confirm-email']) {
    const { status, headers, body } = await world.call('GET', path, { as: 'nobody' })
    expect([status, headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("default-src 'none'"),
    ])
    expect(body as unknown as string).toMatch(/<script[^>]+src="\/assets\//)
    const without = createDashboard(async () => null).orElse(plain[path]!)
    const instead = await without(new Request(`${world.url}${path}`))
    expect(instead.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await instead.text()).toContain(`<script src="${path}.js">`)
    expect((await world.call('GET', `${path}.js`, { as: 'nobody' })).status).toBe(200)
  }
})
