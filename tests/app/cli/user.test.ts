import { describe, expect, test } from 'bun:test'
import { runCommand } from '../../support/command.ts'
import { useWorld } from '../../support/world.ts'

const PUBLIC_URL = 'https://engage.example.com'
const world = useWorld({ PUBLIC_URL })

const run = (args: string[], settings: Record<string, string> = {}) =>
  runCommand(args, { DATABASE_URL: world.database.url, PUBLIC_URL, ...settings })

/** Runs a command that must succeed, and returns its output. */
const printed = async (args: string[], settings?: Record<string, string>): Promise<string> => {
  const { out, ...end } = await run(args, settings)
  expect(end).toEqual({ status: 0, error: '' })
  return out
}
const users = (line: string, settings?: Record<string, string>) => printed(['user', ...line.split(' ')], settings)
const setPlan = (plan: string) =>
  printed(['workspace', 'plan', 'set', '--workspace', world.workspaceId, '--plan', plan])

const post = (path: string, body: object) => world.call('POST', path, { as: 'nobody', body })
const signIn = (email: string, password: string) => post('/v1/auth/sign-in', { email, password })
const addSecondFactor = (id: string) =>
  world.database.sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'engage@example.com' }
const guessed = { PUBLIC_URL: '', HOST: '127.0.0.1', PORT: '4100' }

describe('user password reset', () => {
  const reset = async (out: string) => {
    const [, token] = /^https:\/\/engage\.example\.com\/reset-password#token=(rst_[\w-]{43})$/m.exec(out)!
    return (await post('/v1/auth/reset-password', { token, password: 'chosen by its holder' })).status
  }

  test('prints a link that works once and restores access', async () => {
    const { id, email, as } = await world.person()
    const out = await users(`password reset --email ${email.toUpperCase()}`)
    expect([await reset(out), await reset(out)]).toEqual([204, 422])
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, 'chosen by its holder')).status).toBe(200)
    // A printed link does not confirm the e-mail address.
    const [row] = await world.database.sql`select confirmed_at from users where id = ${id}`
    expect(row!.confirmed_at).toBeNull()
  })

  test('replaces the previous link, and removes the second factor on request if there is one', async () => {
    const { id, email } = await world.person()
    await addSecondFactor(id)
    const factors = async () => (await world.database.sql`select 1 from second_factors where user_id = ${id}`).length
    const first = await users(`password reset --email ${email}`)
    expect(await factors()).toBe(1)
    const second = await users(`password reset --email ${email} --without-second-factor`)
    expect(second).toStartWith(`The second factor of ${email} was removed.\n`)
    expect(await factors()).toBe(0)
    expect([await reset(first), await reset(second)]).toEqual([422, 204])

    const again = await users(`password reset --email ${email} --without-second-factor`)
    expect(again).toStartWith(`${email} has no second factor.\n`)
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}&action=makeResetLink`)
    expect(data[0]).toMatchObject({ detail: { secondFactorRemoved: false } })
  })

  test('mails the link if mail is configured, and prints it on request', async () => {
    const { email } = await world.person()
    expect(await users(`password reset --email ${email}`, mail)).toBe(
      `The running service sends a password reset link to ${email}.\n`,
    )
    const [task] = await world.database.sql`
      delete from graphile_worker._private_jobs where key like 'mail:reset:%' returning payload`
    expect(task?.payload ?? { kind: 'reset', email }).toEqual({ kind: 'reset', email })
    expect(await users(`password reset --email ${email} --print`, mail)).toContain('/reset-password#token=rst_')
  })
})

test('user sign-in-link prints a link that signs in once, replaces the previous one, and is audited', async () => {
  const { id, email } = await world.person()
  const [first, out] = [await users(`sign-in-link --email ${email}`), await users(`sign-in-link --email ${email}`)]
  expect(out).toStartWith(
    `The sign-in link for ${email} is valid once, for ten minutes. Keep it secret: it gives access to the account.\n`,
  )
  const use = (text: string) => {
    const [, token] = /^https:\/\/engage\.example\.com\/sign-in#token=(sgn_[\w-]{43})\n$/m.exec(text)!
    return post('/v1/auth/sign-in/link', { token })
  }
  expect((await use(first)).status).toBe(422)
  expect(await use(out)).toMatchObject({ status: 200, body: { user: { email } } })
  expect((await use(out)).status).toBe(422)
  const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}&action=makeSignInLink`)
  const actor = { type: 'operator', id: null, name: null }
  expect(data).toMatchObject([{ actor }, { actor }])

  const noDemo = await run(['user', 'sign-in-link', '--demo', '--email', email], { DATA_DIR: '/tmp/no-demo-was-here' })
  expect(noDemo).toMatchObject({ status: 1, out: '', error: expect.stringContaining('No demo is running on /tmp/no') })
})

test('a link whose address is a guess has a warning that names the setting', async () => {
  const { email } = await world.person()
  for (const [command, path] of [
    ['password reset', 'reset-password#token=rst_'],
    ['sign-in-link', 'sign-in#token=sgn_'],
  ]) {
    const out = await users(`${command} --email ${email}`, guessed)
    expect(out).toContain(`http://127.0.0.1:4100/${path}`)
    expect(out).toContain('PUBLIC_URL is not set. Check the address of the link')
    expect(await users(`${command} --email ${email}`, { PUBLIC_URL: '', PORT: '0' })).toContain('PORT is 0,')
    expect(await users(`${command} --email ${email}`)).not.toContain('PUBLIC_URL')
  }
})

describe('user disable and user enable', () => {
  test('block a user from the next request on, and restore access', async () => {
    const { email, as } = await world.person()
    await world.expect(200, 'GET', '/v1/auth/session', { as })
    expect(await users(`disable --email ${email}`)).toContain(`${email} is disabled, and all sessions have ended.`)
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, world.owner.password)).status).toBe(403)
    expect((await run(['user', 'password', 'reset', '--email', email])).error).toContain(
      'Enable the account with "user enable".',
    )
    expect(await users(`enable --email ${email}`)).toContain(`${email} can sign in again`)
    expect((await signIn(email, world.owner.password)).status).toBe(200)
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
  })

  test('appear in the audit log with the operator as actor, as do plans, unless they change nothing', async () => {
    const { id, email } = await world.person()
    await addSecondFactor(id)
    await users(`enable --email ${email}`)
    await users(`password reset --email ${email} --without-second-factor`)
    for (const action of ['disable', 'disable', 'enable']) await users(`${action} --email ${email}`)
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)
    const actor = { type: 'operator', id: null, name: null }
    const by = { actor, target: { type: 'user', id }, address: null }
    expect(data).toMatchObject([
      { ...by, action: 'enableUser', detail: {} },
      { ...by, action: 'disableUser', detail: {} },
      { ...by, action: 'makeResetLink', detail: { mailed: false, secondFactorRemoved: true } },
    ])
    for (const plan of ['unlimited', 'growth', 'unlimited', 'unlimited']) await setPlan(plan)
    const { data: own } = await world.expect(200, 'GET', `/v1/audit?targetId=${world.workspaceId}`)
    expect(own).toMatchObject([
      { actor, action: 'changePlan', detail: { plan: 'unlimited' } },
      { actor, action: 'changePlan', detail: { plan: 'growth' } },
      { actor, action: 'createWorkspace', detail: { name: 'Shop', plan: 'unlimited', ownerIsInvited: false } },
    ])
  })
})

test('user list shows every user with their details', async () => {
  const { id, email } = await world.person()
  await world.database.sql`update users set confirmed_at = '2026-03-01', disabled_at = now() where id = ${id}`
  await addSecondFactor(id)
  const [heads, first, ...others] = (await users('list')).split('\n').map(line => line.split(/ {2,}/))
  expect(heads).toEqual(['ID', 'CREATED', 'ADDRESS CONFIRMED', 'SECOND FACTOR', 'WORKSPACES', 'STATE', 'E-MAIL'])
  expect(first).toEqual([expect.any(String), expect.any(String), 'no', 'no', '1', 'active', world.owner.email])
  expect(others).toContainEqual([id, expect.any(String), '2026-03-01', 'yes', '1', 'disabled', email])
})

test('each action prints JSON on request', async () => {
  const { id, email } = await world.person()
  const lines = (await users('list --json')).trimEnd().split('\n')
  // All fields: an account also has a password hash, which no list may show.
  expect(lines.map(line => JSON.parse(line))).toContainEqual({
    id,
    email,
    name: expect.any(String),
    createdAt: expect.any(String),
    confirmedAt: null,
    disabledAt: null,
    workspaces: 1,
    hasSecondFactor: false,
  })
  const parsed = async (action: string) => JSON.parse(await users(`${action} --email ${email} --json`))
  expect(await parsed('password reset')).toEqual({
    email,
    link: expect.stringContaining(`${PUBLIC_URL}/reset-password#token=rst_`),
    isMailed: false,
    secondFactorRemoved: false,
  })
  expect(await parsed('sign-in-link')).toEqual({ email, link: expect.stringContaining('/sign-in#token=') })
  expect([await parsed('disable'), await parsed('enable')]).toEqual([
    { email, state: 'disabled' },
    { email, state: 'active' },
  ])
})

describe('workspace create, for an address that has an account', () => {
  const create = (OWNER_EMAIL: string, settings: Record<string, string> = {}) =>
    printed(['workspace', 'create', '--name', 'Theirs'], {
      OWNER_EMAIL,
      OWNER_PASSWORD: 'never used at all',
      ...settings,
    })

  test('creates an invitation, shows who created the account and when, and replaces control characters', async () => {
    const { id, email, as } = await world.person()
    const { sql } = world.database
    await sql`update users set created_by_workspace = ${world.workspaceId} where id = ${id}`
    const out = await create(email)
    const today = new Date().toISOString().slice(0, 10)
    expect(out).toContain(
      `${email} already has an account, created on ${today} by an invitation of the workspace ${world.workspaceId} (Shop); its address was never confirmed by e-mail.`,
    )
    const [, token] = /^https:\/\/engage\.example\.com\/accept-invitation#token=(inv_[\w-]{43})$/m.exec(out)!
    const before = await world.expect(200, 'GET', '/v1/auth/workspaces', { as })
    expect(before.data).toHaveLength(1)
    const joined = await world.call('POST', '/v1/auth/accept-invitation', { as, body: { token } })
    expect(joined.body).toMatchObject({ workspace: { name: 'Theirs' }, role: 'owner' })

    const name = 'x\u001b[1A\u001b[2K\nIts owner is Kim.\u202e'
    await sql`update workspaces set name = ${name} where id = ${world.workspaceId}`
    expect(await create(email)).toContain(`(x\ufffd[1A\ufffd[2K\ufffdIts owner is Kim.\ufffd)`)
    expect(await printed(['workspace', 'list'])).toContain('x\ufffd[1A\ufffd[2K\ufffdIts owner is Kim.\ufffd\n')
  })

  test('shows no link if mail is configured', async () => {
    const out = await create(world.owner.email, mail)
    expect(out).toContain(`The running service sends an invitation to ${world.owner.email}.`)
    expect(out).toContain('created on')
    expect(out).toContain('by the operator')
    expect(out).not.toContain('#token=')
  })
})

test.each([
  ['', 'The action is missing.'],
  ['remove', 'Unknown action "user remove".'],
  ['disable', 'The option --email is missing.\nUsage: user disable --email ADDRESS'],
  ['sign-in-link', 'The option --email is missing.\nUsage: user sign-in-link --email ADDRESS [--demo]'],
  ['enable --email a@b.example --print', 'The option --print is not valid here.\nUsage: user enable --email ADDRESS'],
])('the invalid command line "user %s" is explained', async (line, message) => {
  const { status, error } = await run(['user', ...line.split(' ').filter(Boolean)])
  expect([status, error]).toEqual([2, expect.stringContaining(message)])
})

test('an unknown address is explained', async () => {
  for (const line of ['password reset', 'sign-in-link', 'disable', 'enable'])
    expect(await run(['user', ...line.split(' '), '--email', 'nobody@nowhere.example'])).toMatchObject({
      status: 1,
      error: 'There is no account with the address "nobody@nowhere.example". "user list" lists all accounts.',
    })
})
