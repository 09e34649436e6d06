/** Tests of single sign-on with a real OpenID Connect provider on loopback (contract 2.15). */
import { afterEach, describe, expect, test } from 'bun:test'
import type { ServerResponse } from 'node:http'
import pino from 'pino'
import { startMailServer, tokenIn } from '../../../support/mail-server.ts'
import { use } from '../../../support/use.ts'
import { answerOf, bearer, eventually, type Person, startWorld, useWorld, type World } from '../../../support/world.ts'
import { Browser, startIdentityProvider } from './identity-provider.ts'

const idp = use(startIdentityProvider)
const post = use(startMailServer)
const settingsOf = () => ({
  OIDC_ISSUER: idp.issuer,
  OIDC_CLIENT_ID: idp.clientId,
  OIDC_CLIENT_SECRET: idp.clientSecret,
  OIDC_ROLE_CLAIM: 'role',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const warnings: string[] = []
const world = useWorld(() => ({ ...settingsOf(), SMTP_URL: post.url, MAIL_FROM: 'engage@shop.example' }), {
  log: pino({ level: 'warn' }, { write: line => void warnings.push(line) }),
})

afterEach(() => {
  warnings.length = 0
  idp.intercept = null
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
type Answer = { status: number; headers: Headers; body: any }

const send = async (browser: Browser, path: string, body: object, of: World = world): Promise<Answer> => {
  const response = await browser.request(`${of.service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json().catch(() => null) }
}

const start = async (browser: Browser, of: World = world): Promise<string> => {
  const response = await browser.request(`${of.service.url}/v1/auth/sso`, { method: 'POST' })
  const body = (await response.json()) as { url: string }
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body.url
}

let registered = ''

/** Signs in at the provider and returns the parameters of the redirect. */
const authenticate = async (
  browser: Browser,
  account: { id: string; email: string; verified?: boolean; emailInIdToken?: boolean; claims?: object },
) => {
  if (registered !== world.service.url) idp.register(world.service.url)
  registered = world.service.url
  idp.account = account as typeof idp.account
  return browser.signIn(await start(browser))
}

const finish = (browser: Browser, parameters: Record<string, string>) =>
  send(browser, '/v1/auth/sso/callback', parameters)

const signIn = async (account: Parameters<typeof authenticate>[1], browser = new Browser()) =>
  finish(browser, await authenticate(browser, account))

const accountOf = ({ id, email }: { id: string; email: string }, claims: object = {}) => ({ id, email, claims })

/** Creates a person whose account is linked. Returns the headers of a session by single sign-on. */
const linked = async (role: 'owner' | 'agent' = 'agent') => {
  const person = await world.person(role)
  const browser = new Browser()
  const { ticket } = (await signIn(accountOf(person), browser)).body
  const { status, body } = await send(browser, '/v1/auth/sso/link', { ticket, password: world.owner.password })
  expect(status, JSON.stringify(body)).toBe(200)
  return { person, browser, sso: bearer(body.token) }
}

/** Marks the address of a person as confirmed, as an invitation by mail does. */
const confirmAddress = ({ id }: Person) => world.database.sql`update users set confirmed_at = now() where id = ${id}`

/** Signs the browser out at the provider, which then sends a logout token. */
const logOut = async (browser: Browser) => {
  const ended = await browser.request(`${idp.issuer}/session/end`)
  const secret = /name="xsrf" value="(\w+)"/.exec(await ended.text())![1]!
  const reply = await browser.request(`${idp.issuer}/session/end/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf: secret, logout: 'yes' }),
  })
  expect(reply.status).toBeLessThan(400)
}

const statusOf = async (as: Record<string, string>) => (await world.call('GET', '/v1/auth/session', { as })).status
const audited = async (userId: string) =>
  (
    await world.database.sql<{ action: string }[]>`
    select action from audit_entries where actor_id = ${userId} or target_id = ${userId} order by id`
  ).map(({ action }) => action)

describe('signing in', () => {
  test('links an identity once with the password, and then needs no password', async () => {
    const person = await world.person()
    const browser = new Browser()
    const first = await signIn(accountOf(person), browser)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ link: true, ticket: expect.stringMatching(/^lnk_/), email: person.email, mail: true })
    expect(await world.database.sql`select 1 from identities where user_id = ${person.id}`).toHaveLength(0)
    const { ticket } = first.body
    expect(answerOf(await send(browser, '/v1/auth/sso/link', { ticket, password: 'another password' }))).toBe(
      '401 unauthorized',
    )
    const done = await send(browser, '/v1/auth/sso/link', { ticket, password: world.owner.password })
    expect(done.body.user.email).toBe(person.email)
    expect((await send(browser, '/v1/auth/sso/link', { ticket, password: world.owner.password })).status).toBe(401)
    expect((await post.mailTo(person.email)).subject).toBe('Single sign-on was linked to your account')
    const again = await signIn(accountOf(person))
    expect(again.status).toBe(200)
    expect(again.headers.getSetCookie().join()).toContain('session=ses_')
    expect(await statusOf(bearer(again.body.token))).toBe(200)
    expect(await audited(person.id)).toEqual(expect.arrayContaining(['linkIdentity', 'signInWithSso', 'signInFailed']))
    const { since } = await world.expect(200, 'GET', '/v1/auth/sso/identity', { as: bearer(again.body.token) })
    expect(since).toMatch(/Z$/)
  })

  test('links with a mailed link, which works once and proves the address', async () => {
    const person = await world.person()
    await confirmAddress(person)
    const { ticket } = (await signIn(accountOf(person))).body
    expect((await send(new Browser(), '/v1/auth/sso/link-mail', { ticket })).status).toBe(202)
    const mail = await eventually('the mail', () =>
      post.taken.find(({ subject, to }) => subject.startsWith('Link single') && to.includes(person.email)),
    )
    const token = tokenIn(mail)
    expect(mail.text).toContain(`${world.service.url}/link-identity#token=`)
    const confirm = () => world.answer('POST', '/v1/auth/sso/confirm', { as: 'nobody', body: { token } })
    const describe = () => world.call('POST', '/v1/auth/link', { as: 'nobody', body: { token } })
    expect((await describe()).body).toEqual({ purpose: 'identity', email: person.email, workspace: null })
    expect(await confirm()).toBe('204')
    expect(await confirm()).toBe('422 unprocessable')
    expect((await describe()).status).toBe(422)
    expect(await audited(person.id)).toContain('confirmIdentity')
    expect((await signIn(accountOf(person))).body.token).toStartWith('ses_')
    // A ticket for the password is no mailed token, and the other way round.
    const other = await world.person()
    const link = (await signIn(accountOf(other))).body
    expect(await world.answer('POST', '/v1/auth/sso/confirm', { as: 'nobody', body: { token: link.ticket } })).toBe(
      '422 unprocessable',
    )
  })

  test('mails a password reset instead if the address was never confirmed, because a stranger may know the password', async () => {
    const person = await world.person()
    const { ticket } = (await signIn(accountOf(person))).body
    expect((await send(new Browser(), '/v1/auth/sso/link-mail', { ticket })).status).toBe(202)
    const token = tokenIn(await post.mailTo(person.email))
    expect(await world.answer('POST', '/v1/auth/sso/confirm', { as: 'nobody', body: { token } })).toBe(
      '422 unprocessable',
    )
    const password = 'a password of the holder'
    expect(await world.answer('POST', '/v1/auth/reset-password', { as: 'nobody', body: { token, password } })).toBe(
      '204',
    )
    expect(await statusOf(person.as)).toBe(401)
    const linked = await send(new Browser(), '/v1/auth/sso/link', { ticket, password })
    expect(linked.body.token).toStartWith('ses_')
  })

  test('rejects unverified, unknown and disabled addresses, and a second identity', async () => {
    const { person } = await linked()
    expect(answerOf(await signIn({ ...accountOf(await world.person()), verified: false }))).toBe('403 forbidden')
    expect(answerOf(await signIn({ id: 'x', email: 'unknown@shop.example' }))).toBe('403 forbidden')
    expect(answerOf(await signIn({ id: 'other', email: person.email }))).toBe('403 forbidden')
    const disabled = await linked()
    await world.database.sql`update users set disabled_at = now() where id = ${disabled.person.id}`
    expect(answerOf(await signIn(accountOf(disabled.person)))).toBe('403 forbidden')
    // The linked account is found by its subject, whatever its address is now.
    expect((await signIn({ id: person.id, email: 'new@shop.example', verified: false })).body.user.id).toBe(person.id)
  })

  test('asks for the second factor of the account, and keeps the identity of the session', async () => {
    const { person } = await linked()
    await world.database.sql`
      insert into second_factors (user_id, secret, confirmed_at) values (${person.id}, '\\x00', now())`
    const { body } = await signIn(accountOf(person))
    expect(body).toEqual({ secondFactor: true, ticket: expect.stringMatching(/^tkt_/) })
    const [row] = await world.database.sql`select sso_subject from sign_in_tickets where user_id = ${person.id}`
    expect(row!.sso_subject).toBe(person.id)
  })

  test('completes only in the browser that started it, once, with its own state', async () => {
    const { person } = await linked()
    const browser = new Browser()
    const parameters = await authenticate(browser, accountOf(person))
    expect(answerOf(await finish(new Browser(), parameters))).toBe('401 unauthorized')
    const other = new Browser()
    const others = await authenticate(other, accountOf(person))
    expect(answerOf(await finish(browser, others))).toBe('401 unauthorized')
    expect(answerOf(await finish(browser, { ...parameters, state: 'x' }))).toBe('401 unauthorized')
    // The code of another sign-in has another nonce and PKCE challenge.
    expect(answerOf(await finish(browser, { ...parameters, code: others.code! }))).toBe('401 unauthorized')
    const third = new Browser()
    const good = await authenticate(third, accountOf(person))
    const [one, two] = await Promise.all([finish(third, good), finish(third, good)])
    expect([one.status, two.status].sort()).toEqual([200, 401])
    expect((await finish(third, good)).status).toBe(401)
  })

  test('redirects only to its own page, whatever the caller sends', async () => {
    const response = await new Browser().request(`${world.service.url}/v1/auth/sso`, {
      method: 'POST',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    const { url } = (await response.json()) as { url: string }
    expect(new URL(url).origin).toBe(idp.issuer)
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${world.service.url}/sign-in/sso`)
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
    expect(await world.answer('POST', '/v1/auth/sso?to=https://evil.example', { as: 'nobody' })).toBe(
      '400 invalid_request to',
    )
  })
})

describe('a provider that fails', () => {
  const failing: Record<string, (response: ServerResponse) => void> = {
    'answers 500': response => response.writeHead(500).end(),
    'closes the connection': response => response.destroy(),
    'sends too much': response => response.end('x'.repeat(300_000)),
  }
  test.each(Object.entries(failing))('%s: 503, and the same callback works later', async (_, fail) => {
    const { person } = await linked()
    const browser = new Browser()
    const parameters = await authenticate(browser, accountOf(person))
    idp.intercept = (path, _request, response) => {
      if (path !== '/token') return false
      fail(response)
      return true
    }
    const failed = await finish(browser, parameters)
    expect(answerOf(failed)).toBe('503 internal_error')
    expect(failed.headers.get('retry-after')).toBe('5')
    idp.intercept = null
    expect((await finish(browser, parameters)).status).toBe(200)
    expect(answerOf(await finish(browser, parameters))).toBe('401 unauthorized')
  })

  test('hangs: 503 after a few seconds, and a caller who leaves ends the request to the provider', async () => {
    const { person } = await linked()
    const closed = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    idp.intercept = (path, request) => {
      if (path !== '/token') return false
      request.socket.once('close', () => closed.resolve())
      arrived.resolve()
      return true
    }
    const browser = new Browser()
    const parameters = await authenticate(browser, accountOf(person))
    const leave = new AbortController()
    const left = browser
      .request(`${world.service.url}/v1/auth/sso/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        signal: leave.signal,
      })
      .catch(error => error)
    await arrived.promise
    const since = performance.now()
    leave.abort()
    await left
    await closed.promise
    expect(performance.now() - since).toBeLessThan(3000)
  })

  test('cannot be reached, has another issuer, or signs with other keys than it publishes', async () => {
    const { person } = await linked()
    await using fresh = await startWorld({ ...settingsOf(), RATE_LIMIT_SIGN_IN: '1' })
    const answer = (path: string, content: object | null) => {
      idp.intercept = (requested, _, response) => {
        if (requested !== path) return false
        if (content === null) response.destroy()
        else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content))
        return true
      }
    }
    const begin = () => fresh.answer('POST', '/v1/auth/sso', { as: 'nobody' })
    answer('/.well-known/openid-configuration', null)
    expect(await begin()).toBe('503 internal_error')
    answer('/.well-known/openid-configuration', { issuer: 'https://other.example' })
    expect(await begin()).toBe('503 internal_error')
    // Logout tokens name the issuer exactly as the metadata does.
    answer('/.well-known/openid-configuration', {
      issuer: `${idp.issuer}/`,
      authorization_endpoint: `${idp.issuer}/auth`,
      token_endpoint: `${idp.issuer}/token`,
      jwks_uri: `${idp.issuer}/jwks`,
    })
    expect(await begin()).toBe('503 internal_error')
    idp.register(fresh.service.url)
    registered = ''
    idp.account = accountOf(person) as typeof idp.account
    idp.intercept = null
    const browser = new Browser()
    const parameters = await browser.signIn(await start(browser, fresh))
    answer('/jwks', { keys: [] })
    const finish = () => send(browser, '/v1/auth/sso/callback', parameters, fresh)
    expect(answerOf(await finish())).toBe('401 unauthorized')
    // At most ten attempts from one network refill within ten minutes.
    const later = await Promise.all(Array.from({ length: 12 }, finish))
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([401, 429]))
  })
})

describe('a logout at the provider', () => {
  test('ends the sessions in every process, and only those of the identity', async () => {
    const { person, browser, sso } = await linked()
    const byPassword = await person.session()
    const stranger = await linked()
    await logOut(browser)
    await eventually('the session has ended', async () => (await statusOf(sso)) === 401)
    expect([await statusOf(byPassword), await statusOf(stranger.sso)]).toEqual([200, 200])
    expect(await audited(person.id)).toContain('endSsoSessions')
  })

  /** Invites a person to another workspace, and returns the mailed token. */
  const invite = async ({ email }: { email: string }): Promise<string> => {
    const other = await world.otherOwner()
    const body = { email, role: 'agent' }
    const { invitation } = await world.expect(201, 'POST', '/v1/members', { as: other, body })
    expect(invitation.mailed).toBe(true)
    const mail = await eventually('the invitation', () =>
      post.taken.find(({ to, text }) => to.includes(email) && text.includes('#token=inv_')),
    )
    return tokenIn(mail)
  }

  test('also ends a session that accepted an invitation with such a session', async () => {
    const { browser, sso, person } = await linked()
    const body = { token: await invite(person) }
    const { token } = await world.expect(200, 'POST', '/v1/auth/accept-invitation', { as: sso, body })
    expect(await statusOf(bearer(token))).toBe(200)
    await logOut(browser)
    await eventually('both sessions have ended', async () => (await statusOf(bearer(token))) === 401)
  })

  test('also ends a session that accepts an invitation at that moment', async () => {
    const { browser, sso, person } = await linked()
    const body = { token: await invite(person) }
    const { sql } = world.database
    const waiting = async () =>
      (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length
    const { accepting, loggingOut } = await sql.begin(async tx => {
      await tx`select 1 from members where email = ${person.email} for update`
      const accepting = world.expect(200, 'POST', '/v1/auth/accept-invitation', { as: sso, body })
      await eventually('the invitation is being accepted', async () => (await waiting()) === 1)
      const loggingOut = logOut(browser)
      await eventually('the logout waits', async () => (await waiting()) === 2)
      return { accepting, loggingOut }
    })
    const { token } = await accepting
    await loggingOut
    await eventually('both sessions have ended', async () => (await statusOf(bearer(token))) === 401)
  })

  test.each(['a session', 'a ticket for the second factor', 'a ticket for the password'] as const)(
    'ends a sign-in in progress that would get %s',
    async result => {
      const { person, browser } =
        result === 'a ticket for the password'
          ? { person: await world.person(), browser: new Browser() }
          : await linked()
      const { sql } = world.database
      if (result === 'a ticket for the second factor')
        await sql`insert into second_factors (user_id, secret, confirmed_at) values (${person.id}, '\\x00', now())`
      const parameters = await authenticate(browser, accountOf(person))
      const endings = async () => (await audited(person.id)).filter(action => action === 'endSsoSessions').length
      // The provider has answered everything when the person signs out. The service gets its last answer afterwards.
      idp.intercept = (path, _, response) => {
        if (path !== '/me') return false
        const end = response.end.bind(response) as (content?: unknown) => ServerResponse
        response.end = ((content?: unknown) => {
          void logOut(browser).then(() => end(content))
          return response
        }) as typeof response.end
        return false
      }
      const ended = await finish(browser, parameters)
      expect([answerOf(ended), ended.body.error.message]).toEqual([
        '401 unauthorized',
        'The identity provider ended this sign-in. Start it again.',
      ])
      const [row] = await sql`
        select (select count(*) from sessions where sso_subject = ${person.id})
          + (select count(*) from sign_in_tickets where user_id = ${person.id})
          + (select count(*) from identity_links where user_id = ${person.id}) as left`
      expect(Number(row!.left)).toBe(0)
      // Once for the session from before, and once for the new one.
      const expected = { 'a session': 2, 'a ticket for the second factor': 1, 'a ticket for the password': 0 }
      expect(await endings()).toBe(expected[result])
      idp.intercept = null
      expect((await signIn(accountOf(person))).status).toBe(200)
    },
  )

  test('also ends a ticket that waits for the password', async () => {
    const person = await world.person()
    const browser = new Browser()
    const { ticket } = (await signIn(accountOf(person), browser)).body
    await logOut(browser)
    const link = async () => (await send(browser, '/v1/auth/sso/link', { ticket, password: 'another password' })).body
    await eventually('the ticket has ended', async () => (await link()).error.message.includes('no longer valid'))
  })

  test('rejects tokens that are not logout tokens of the provider', async () => {
    const { person, sso } = await linked()
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${encode({ alg: 'none' })}.${encode({ sub: person.id, iss: idp.issuer })}.`
    for (const token of [unsigned, 'x', 'a.b.c']) {
      const raw = new URLSearchParams({ logout_token: token })
      expect(await world.answer('POST', '/v1/auth/sso/logout', { as: 'nobody', raw })).toBe('401 unauthorized')
    }
    // Anybody can send such tokens, so they do not fill the log.
    expect(warnings.filter(line => line.includes('single sign-on'))).toEqual([])
    const empty = new URLSearchParams({ token: 'x' })
    expect(await world.answer('POST', '/v1/auth/sso/logout', { as: 'nobody', raw: empty })).toBe(
      '400 invalid_request logout_token',
    )
    expect(await statusOf(sso)).toBe(200)
  })
})

describe('a workspace that requires single sign-on', () => {
  const require = (as: Person['as'], requireSso: boolean) =>
    world.answer('PATCH', '/v1/workspace', { as, body: { requireSso } })

  test('is enabled only by an owner who used it, blocks others from their next request, and applies claimed roles', async () => {
    const { person, sso } = await linked('owner')
    const agent = await linked('agent')
    const token = (
      await world.expect(201, 'POST', '/v1/auth/tokens', { as: agent.sso, body: { name: 'a', access: 'read' } })
    ).token
    expect(await require('owner' as never, true)).toBe('422 unprocessable requireSso')
    expect(await require(await person.session(), true)).toBe('422 unprocessable requireSso')
    expect(await require(sso, true)).toBe('200')
    try {
      expect(await world.answer('GET', '/v1/members')).toBe('403 forbidden sso')
      expect(await world.answer('GET', '/v1/members', { as: await agent.person.session() })).toBe('403 forbidden sso')
      expect(await world.answer('GET', '/v1/members', { as: agent.sso })).toBe('200')
      expect(await world.answer('GET', '/v1/members', { as: bearer(token) })).toBe('200')
      expect(await world.answer('GET', '/v1/customers', { as: 'key' })).toBe('200')
      expect(await world.answer('GET', '/v1/auth/session')).toBe('200')
      const unlink = { as: agent.sso, body: { password: world.owner.password } }
      expect(await world.answer('DELETE', '/v1/auth/sso/identity', unlink)).toBe('422 unprocessable')
      const staff = { ...accountOf(agent.person, { role: ['staff', 'owner'] }), emailInIdToken: true }
      expect((await signIn(staff)).body.role).toBe('owner')
      expect((await signIn(accountOf(agent.person, { role: 'agent' }))).body.role).toBe('agent')
      expect((await signIn(accountOf(agent.person, { role: 'other' }))).body.role).toBe('agent')
      const { ticket } = (await signIn(accountOf(await world.person(), { role: 'owner' }))).body
      const first = await send(new Browser(), '/v1/auth/sso/link', { ticket, password: world.owner.password })
      expect(first.body.role).toBe('owner')
    } finally {
      expect(await require(sso, false)).toBe('200')
    }
    expect((await signIn(accountOf(agent.person, { role: 'owner' }))).body.role).toBe('agent')
  })

  test('keeps its last owner, whatever the provider claims', async () => {
    const { person, sso } = await linked('owner')
    await world.database.sql`update members set role = 'agent' where user_id <> ${person.id} and role = 'owner'`
    expect(await require(sso, true)).toBe('200')
    try {
      expect((await signIn(accountOf(person, { role: 'agent' }))).body.role).toBe('owner')
    } finally {
      expect(await require(sso, false)).toBe('200')
      await world.database.sql`
        update members set role = 'owner' where user_id = (select id from users where email = ${world.owner.email})`
    }
  })

  test('an unlinked identity ends its other sessions and asks for consent again', async () => {
    const { person, sso } = await linked()
    const other = bearer((await signIn(accountOf(person))).body.token)
    const unlink = (password: string) =>
      world.answer('DELETE', '/v1/auth/sso/identity', { as: sso, body: { password } })
    expect(await unlink('another password')).toBe('422 unprocessable password')
    expect(await unlink(world.owner.password)).toBe('204')
    expect([await statusOf(sso), await statusOf(other)]).toEqual([200, 401])
    expect((await signIn(accountOf(person))).body.link).toBe(true)
    expect(await audited(person.id)).toContain('unlinkIdentity')
  })
})
