/** Tests of mailed links, forgotten passwords and the effect of an invitation on an account. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createWorkspace } from '../../../../src/accounts/workspaces/index.ts'
import { createDashboard } from '../../../../src/api/dashboard.ts'
import { pages } from '../../../../src/api/pages/pages.ts'
import { linkTo } from '../../../../src/core/links.ts'
import { openTransaction } from '../../../support/database.ts'
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

const reset = (token: string, secret = another) =>
  world.call('POST', '/v1/auth/reset-password', { as: 'nobody', body: { token, password: secret } })

type As = 'owner' | 'nobody' | Record<string, string>

const invite = async (email: string, as: As = 'owner', at = world) =>
  at.call('POST', '/v1/members', { as, body: { email, role: 'agent' } })

const accept = (token: string, body: object = { password }, at = world, as: As = 'nobody') =>
  at.call('POST', '/v1/auth/accept-invitation', { as, body: { token, ...body } })

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

/** Makes failed tasks due, which would be retried after seconds. */
const retryNow = () =>
  world.database.sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs`

const noTask = (name: string) =>
  eventually(`no task ${name} is left`, async () => {
    const rows = await world.database.sql`select 1 from graphile_worker.jobs where task_identifier = ${name}`
    return rows.length === 0
  })

const isConfirmed = async (id: string): Promise<boolean> =>
  (await world.database.sql`select confirmed_at from users where id = ${id}`)[0]!.confirmed_at !== null

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

  test('gets the same response for any address without a query for it, and mails only an enabled account', async () => {
    const { sql } = world.database
    const disabled = await world.person()
    await sql`update users set disabled_at = now() where id = ${disabled.id}`
    const unlock = await openTransaction(sql, tx => tx`lock table users in access exclusive mode`)
    for (const email of [world.owner.email, 'nobody@nowhere.example', disabled.email])
      expect(await post202(email)).toBe('')
    await unlock()
    await post.mailTo(world.owner.email)
    await allSent()
    expect(post.taken).toEqual([])
    // Without mail it leaves no link.
    const { id, email } = await without.person()
    expect(await post202(email, without)).toBe('')
    await allSent(without)
    expect(await without.database.sql`select 1 from account_links where user_id = ${id}`).toHaveLength(0)
  })

  test('is mailed at most five times an hour, and every link stays valid until the password changes', async () => {
    const { email } = await world.person()
    const tokens: string[] = []
    for (let n = 0; n < 5; n += 1) tokens.push(await mailedToken(email))
    await post202(email)
    await allSent()
    expect(post.taken).toEqual([])
    expect((await reset(tokens[0]!)).status).toBe(204)
    expect((await reset(tokens[4]!)).status).toBe(422)
    const other = await world.person()
    const token = await mailedToken(other.email)
    const body = { currentPassword: world.owner.password, newPassword: another }
    await world.expect(204, 'POST', '/v1/auth/password', { as: await other.session(), body })
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
})

test('attempts are limited per address and kind, and invitations per workspace; links have the public URL', async () => {
  await using limited = await startWorld({
    SMTP_URL: post.url,
    MAIL_FROM: 'engage@shop.example',
    PUBLIC_URL: 'https://engage.example.com/',
    RATE_LIMIT_SIGN_IN: '1',
    RATE_LIMIT_INVITATIONS: '3',
  })
  const { email } = await limited.person(null)
  for (const answers of [['401 unauthorized', '429 rate_limited'], ['429 rate_limited']]) {
    const { id } = (await invite(email, 'owner', limited)).body
    const mail = await post.mailTo(email)
    expect(mail.text).toContain(`https://engage.example.com/accept-invitation#token=${tokenIn(mail)}`)
    for (const answer of answers) expect(answerOf(await accept(tokenIn(mail), { password }, limited))).toBe(answer)
    await limited.expect(204, 'DELETE', `/v1/members/${id}`)
  }
  const forget = () => limited.answer('POST', '/v1/auth/forgot-password', { as: 'nobody', body: { email } })
  expect((await signIn(email, 'wrong', limited)).status).toBe(429)
  expect([await forget(), await forget()]).toEqual(['202', '429 rate_limited'])
  const invitations = await Promise.all([1, 2, 3].map(() => invite(newAddress(), 'owner', limited)))
  expect(invitations.map(({ status }) => status).sort()).toEqual([201, 429, 429])
  expect((await invite(newAddress(), await limited.otherOwner(), limited)).status).toBe(201)
  await allSent(limited)
})

test('a mail is sent again until it is accepted, but not after a permanent rejection, which voids its link', async () => {
  const [accepted, rejected] = [await world.person(), await world.person()]
  const before = post.tries
  post.refusal = { code: 451, times: 1 }
  await post202(accepted.email)
  await eventually('it was refused', () => post.refusal?.times === 0)
  const token = tokenIn(await eventually('it is sent', async () => (await retryNow()) && post.taken.pop()))
  expect(post.tries - before).toBe(2)
  expect((await reset(token)).status).toBe(204)
  await allSent()
  post.refusal = { code: 550, times: 1 }
  await post202(rejected.email)
  await eventually('it was refused', () => post.refusal?.times === 0)
  await noTask('send_mail')
  expect(await world.database.sql`select 1 from account_links where user_id = ${rejected.id}`).toHaveLength(0)
})

test('a mail that hangs delays no other task, no response and no mail for signing in', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const [invited, ...others] = Array.from({ length: 7 }, newAddress) as [string, ...string[]]
  const { email } = await world.person()
  Object.assign(post, { hang: promise, hangFor: invited })
  try {
    const before = post.tries
    await invite(invited)
    await eventually('the server received it', () => post.tries > before)
    for (const other of others) expect((await invite(other)).status).toBe(201)
    await mailedToken(email)
    const body = { url: 'https://shop.example/hook', events: ['message.received'] }
    const { id } = await world.expect(201, 'POST', '/v1/webhooks', { body })
    await world.expect(204, 'DELETE', `/v1/webhooks/${id}`)
    await noTask('drop_deliveries')
    // The other invitations wait for the first one.
    expect(post.tries).toBe(before + 2)
    resolve()
    for (const address of [invited, ...others]) await post.mailTo(address)
  } finally {
    resolve()
    Object.assign(post, { hang: null, hangFor: null })
  }
})

test('a mail of an invitation that was withdrawn before it was sent is not sent', async () => {
  post.refusal = { code: 451, times: 1 }
  const { id } = (await invite(newAddress())).body
  await eventually('it was refused once', () => post.refusal?.times === 0)
  await world.expect(204, 'DELETE', `/v1/members/${id}`)
  await retryNow()
  await noTask('send_mail')
  expect(post.taken).toEqual([])
})

describe('an invitation, where mail is set up', () => {
  test('shows its link only in the mail, so accepting it confirms the address', async () => {
    const email = newAddress()
    const { invitation } = (await invite(email)).body
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

  test('has one recipient, also for an address with a comma', async () => {
    expect((await invite(`a,b-${crypto.randomUUID()}@shop.example`)).status).toBe(201)
    expect((await eventually('a mail', () => post.taken.pop())).to).toHaveLength(1)
  })

  test('is mailed to one address three times, from any workspace, and then once every eight hours', async () => {
    const email = newAddress()
    const other = await world.otherOwner()
    const inviteOnce = async (as: As, address = email) => {
      const reply = await invite(address, as)
      if (reply.status === 201) await world.expect(204, 'DELETE', `/v1/members/${reply.body.id}`, { as })
      return reply
    }
    const statuses = []
    for (const as of ['owner', other, 'owner', other, 'owner'] as const) statuses.push((await inviteOnce(as)).status)
    expect(statuses).toEqual([201, 201, 201, 429, 429])
    const refused = await inviteOnce(other, email.toUpperCase())
    expect(answerOf(refused)).toBe('429 rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(8 * 3600 - 60, 8 * 3600 + 1)
    expect((await inviteOnce(other, newAddress())).status).toBe(201)
    await world.database.sql`update attempt_budgets set full_at = full_at - interval '8 hours'`
    expect([(await inviteOnce(other)).status, (await inviteOnce('owner')).status]).toEqual([201, 429])
  })

  const statusesOf = async (emails: string[]) => {
    const statuses: number[] = []
    for (const email of emails) statuses.push((await invite(email)).status)
    return statuses
  }

  test('counts for the address without its tag, in any spelling', async () => {
    const name = crypto.randomUUID()
    const tagged = [`${name}+1`, `${name}+2+x`, name, `${name}+3`, name.toUpperCase(), `+${name}`, `+${name}+1`]
    const ofPerson = [201, 201, 201, 429, 409, 201, 201]
    expect(await statusesOf(tagged.map(local => `${local}@shop.example`))).toEqual(ofPerson)
    const fullWidth = name.replaceAll(/[a-f]/g, letter => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0))
    const spellings = [
      `${name}@münchen.example`,
      `${name}@münchen.example.`,
      `"${name}"@xn--mnchen-3ya.example`,
      `"${name.replace('-', String.raw`\-`)}+1"@münchen.example`,
      `${name}@mu\u0308nchen.example`,
      `${fullWidth}@münchen.example`,
      `${name}@münchen\u3002example`,
    ]
    expect(await statusesOf(spellings)).toEqual([201, 201, 201, 429, 429, 429, 429])
  })
})

test('a reset by mail removes the second factor of an address that was never confirmed', async () => {
  const { sql } = world.database
  for (const confirmed of [false, true]) {
    const { id, email, as } = await world.person()
    await sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    if (confirmed) await sql`update users set confirmed_at = now() where id = ${id}`
    expect((await reset(await mailedToken(email))).status).toBe(204)
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    const { status, body } = await signIn(email, another)
    expect([status, body.secondFactor]).toEqual([200, confirmed || undefined])
  }
})

test('an account must confirm its address when mail was set up after its invitation', async () => {
  const email = newAddress()
  const { invitation } = (await invite(email, 'owner', without)).body
  // Adds the same link to the world with mail, like an invitation from before mail was set up.
  await world.database.sql`
    insert into members (workspace_id, email, role, joined_at, invited_at, token_hash, expires_at)
    values (${world.workspaceId}, ${email}, 'agent', null, now(), sha256(convert_to(${invitation.token}, 'UTF8')),
      now() + interval '1 day')`
  const { name } = await world.expect(200, 'GET', '/v1/workspace')
  expect((await world.call('POST', '/v1/auth/link', { as: 'nobody', body: { token: invitation.token } })).body).toEqual(
    {
      purpose: 'invitation',
      email,
      workspace: name,
    },
  )
  const { body } = await accept(invitation.token)
  expect(await isConfirmed(body.user.id)).toBe(false)
  const mail = await post.mailTo(email)
  expect(mail.subject).toBe('Confirm your email address')
  const confirm = () => world.call('POST', '/v1/auth/confirm-email', { as: 'nobody', body: { token: tokenIn(mail) } })
  const describe = (token: string) => world.call('POST', '/v1/auth/link', { as: 'nobody', body: { token } })
  expect((await describe(tokenIn(mail))).body).toEqual({ purpose: 'confirmation', email, workspace: null })
  expect((await confirm()).status).toBe(204)
  expect(await isConfirmed(body.user.id)).toBe(true)
  expect((await describe(tokenIn(mail))).status).toBe(422)
  expect((await confirm()).status).toBe(422)
})

test('an account joins another workspace only by invitation, and the operator sees who created it', async () => {
  const email = newAddress()
  const { invitation } = (await invite(email, 'owner', without)).body
  const made = await accept(invitation.token, { password }, without)
  const owner = { email: email.toUpperCase(), password: 'never used, but set' }
  const created = await createWorkspace(without.database.sql, { name: 'Theirs', planId: 'unlimited', owner })
  const { token, account } = created.invitation!
  expect(account).toMatchObject({ confirmedAt: null, createdBy: { id: without.workspaceId, name: 'Shop' } })
  const as = bearer(made.body.token)
  const mine = async () => (await without.expect(200, 'GET', '/v1/auth/workspaces', { as })).data.length
  expect(await mine()).toBe(1)
  expect((await accept(token!, { password: owner.password }, without)).status).toBe(401)
  const joined = await accept(token!, {}, without, as)
  expect(joined.body).toMatchObject({ workspace: { id: created.id }, role: 'owner' })
  expect(await mine()).toBe(2)
})

test('an invitation is accepted without a password only by a person signed in with its address', async () => {
  const other = await without.otherOwner()
  const invited = async (email: string): Promise<string> => (await invite(email, other, without)).body.invitation.token
  const { email, as } = await without.person()
  const { status, body } = await accept(await invited(email), {}, without, as)
  expect([status, body.user.email, body.workspace.name]).toEqual([200, email, 'Other'])
  const person = await without.person()
  const cookie = { Cookie: `session=${person.as.Authorization!.split(' ')[1]}` }
  const token = await invited(person.email)
  expect((await accept(token, {}, without, cookie)).status).toBe(403)
  expect(answerOf(await accept(token, {}, without))).toBe('400 invalid_request password')
  expect(answerOf(await accept(token, {}, without, as))).toBe('403 forbidden')
  expect((await accept(token, {}, without, bearer('ses_unknown'))).status).toBe(401)
  expect((await accept(token, {}, without, { ...cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
})

test('a disabled account accepts no session or invitation, and only the correct password reveals why', async () => {
  const { id, email, as } = await without.person()
  await without.database.sql`update users set disabled_at = now() where id = ${id}`
  expect((await without.call('GET', '/v1/auth/session', { as })).status).toBe(401)
  expect((await signIn(email, 'wrong', without)).status).toBe(401)
  const right = await signIn(email, without.owner.password, without)
  const said = 'This account is disabled. Ask the operator of this service.'
  expect([right.status, right.body.error.message]).toEqual([403, said])
  const { invitation } = (await invite(email, await without.otherOwner(), without)).body
  expect((await accept(invitation.token, { password: without.owner.password }, without)).status).toBe(403)
})

test('the pages that links open load nothing from other hosts, in the dashboard and without it', async () => {
  const plain = pages({
    readiness: async () => ({ ready: true }),
    cells: async () => [],
    metrics: null,
    document: '{}',
    publicUrl: () => world.url,
  })
  for (const path of ['/accept-invitation', '/reset-password', '/confirm-email']) {
    const { status, headers, body } = await world.call('GET', path, { as: 'nobody' })
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(body as unknown as string).toMatch(/<script[^>]+src="\/assets\//)
    const without = createDashboard(async () => null).withFallback(plain[path]!)
    const instead = await without(new Request(`${world.url}${path}`))
    expect(instead.headers.get('content-security-policy')).toContain("style-src 'self'; ")
    const html = await instead.text()
    expect(html).toContain(`<script src="${path}.js">`)
    // The browser would reject an existing password from before the current rules.
    expect(html).not.toMatch(/type="password"[^>]*minlength/)
    expect((await world.call('GET', `${path}.js`, { as: 'nobody' })).status).toBe(200)
  }
})
