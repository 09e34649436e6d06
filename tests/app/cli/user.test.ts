import { describe, expect, test } from 'bun:test'
import { UsageError } from '../../../src/app/cli/usage.ts'
import { user } from '../../../src/app/cli/user.ts'
import { workspace } from '../../../src/app/cli/workspace.ts'
import { readConfig } from '../../../src/config.ts'
import { useWorld } from '../../support/world.ts'

const world = useWorld({ PUBLIC_URL: 'https://engage.example.com' })

/** Runs a command in this process like the command line does, and returns its output. */
const run = async (command: typeof user, line: string[], settings: Record<string, string> = {}): Promise<string> => {
  const work = command(line)
  const { write } = process.stdout
  let out = ''
  process.stdout.write = ((text: string) => {
    out += text
    return true
  }) as typeof write
  try {
    const config = { DATABASE_URL: world.database.url, PUBLIC_URL: 'https://engage.example.com', ...settings }
    expect(await work(readConfig(config))).toBe(0)
  } finally {
    process.stdout.write = write
  }
  return out
}

const users = (line: string, settings?: Record<string, string>) => run(user, line.split(' '), settings)

/** Creates a member of the workspace with the owner's password. */
const person = async (): Promise<{ id: string; email: string; as: Record<string, string> }> => {
  const { sql } = world.database
  const email = `p-${crypto.randomUUID()}@shop.example`
  const [made] = await sql`
    insert into users (email, name, password_hash, created_by_workspace)
    select ${email}, 'Kim', password_hash, ${world.workspaceId} from users where email = ${world.owner.email} returning id`
  await sql`insert into members (workspace_id, user_id, role) values (${world.workspaceId}, ${made!.id}, 'agent')`
  const token = `ses_${crypto.randomUUID()}`
  await sql`
    insert into sessions (token_hash, user_id, expires_at)
    values (sha256(convert_to(${token}, 'UTF8')), ${made!.id}, now() + interval '1 day')`
  return { id: made!.id, email, as: { Authorization: `Bearer ${token}` } }
}

const signIn = (email: string, password: string) =>
  world.call('POST', '/v1/auth/sign-in', { as: 'nobody', body: { email, password } })

describe('user password reset', () => {
  test('prints a link that works once and restores access', async () => {
    const { id, email, as } = await person()
    const out = await users(`password reset --email ${email.toUpperCase()}`)
    const [, token] = /^https:\/\/engage\.example\.com\/reset-password#token=(rst_[\w-]{43})$/m.exec(out)!
    const reset = () =>
      world.call('POST', '/v1/auth/reset-password', { as: 'nobody', body: { token, password: 'chosen by its holder' } })
    expect((await reset()).status).toBe(204)
    expect((await reset()).status).toBe(422)
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, 'chosen by its holder')).status).toBe(200)
    // A printed link does not confirm the e-mail address.
    const [row] = await world.database.sql`select confirmed_at from users where id = ${id}`
    expect(row!.confirmed_at).toBeNull()
  })

  test('warns if the address of the link is a guess, and names the setting', async () => {
    const { email } = await person()
    const hinted = await users(`password reset --email ${email}`, { PUBLIC_URL: '', HOST: '127.0.0.1', PORT: '4100' })
    expect(hinted).toContain('http://127.0.0.1:4100/reset-password#token=rst_')
    expect(hinted).toContain('PUBLIC_URL is not set. Check the address of the link')
    expect(await users(`password reset --email ${email}`, { PUBLIC_URL: '', PORT: '0' })).toContain('PORT is 0,')
    expect(await users(`password reset --email ${email}`)).not.toContain('PUBLIC_URL')
  })

  test('replaces the previous link, and removes the second factor on request', async () => {
    const { id, email } = await person()
    const { sql } = world.database
    await sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    const first = await users(`password reset --email ${email}`)
    expect(await sql`select 1 from second_factors where user_id = ${id}`).toHaveLength(1)
    const second = await users(`password reset --email ${email} --without-second-factor`)
    expect(second).toStartWith(`The second factor of ${email} was removed.\n`)
    expect(await sql`select 1 from second_factors where user_id = ${id}`).toHaveLength(0)
    const statuses = []
    for (const out of [first, second]) {
      const body = { token: /#token=(\S+)/.exec(out)![1], password: 'chosen by its holder' }
      statuses.push((await world.call('POST', '/v1/auth/reset-password', { as: 'nobody', body })).status)
    }
    expect(statuses).toEqual([422, 204])
  })

  test('reports a removed second factor only if there was one', async () => {
    const { id, email } = await person()
    const out = await users(`password reset --email ${email} --without-second-factor`)
    expect(out).toStartWith(`${email} has no second factor.\n`)
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)
    expect(data).toMatchObject([{ action: 'makeResetLink', detail: { secondFactorRemoved: false } }])
  })

  test('mails the link if mail is configured, and prints it on request', async () => {
    const { email } = await person()
    const settings = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'engage@example.com' }
    expect(await users(`password reset --email ${email}`, settings)).toBe(
      `The running service sends a password reset link to ${email}.\n`,
    )
    const [task] = await world.database.sql`
      delete from graphile_worker._private_jobs where key like 'mail:reset:%' returning payload`
    expect(task?.payload ?? { kind: 'reset', email }).toEqual({ kind: 'reset', email })
    expect(await users(`password reset --email ${email} --print`, settings)).toContain('/reset-password#token=rst_')
  })
})

describe('user sign-in-link', () => {
  const use = (token: string) => world.call('POST', '/v1/auth/sign-in/link', { as: 'nobody', body: { token } })

  test('prints a link that signs in once, replaces the previous one, and is audited', async () => {
    const { id, email } = await person()
    const [first, out] = [await users(`sign-in-link --email ${email}`), await users(`sign-in-link --email ${email}`)]
    expect(out).toStartWith(
      `The sign-in link for ${email} is valid once, for ten minutes. Keep it secret: it gives access to the account.\n`,
    )
    const tokenIn = (text: string) =>
      /^https:\/\/engage\.example\.com\/sign-in#token=(sgn_[\w-]{43})\n$/m.exec(text)![1]!
    expect((await use(tokenIn(first))).status).toBe(422)
    const { status, body } = await use(tokenIn(out))
    expect([status, body.user.email]).toEqual([200, email])
    expect((await use(tokenIn(out))).status).toBe(422)
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}&action=makeSignInLink`)
    expect(data.map((one: { actor: object }) => one.actor)).toEqual(
      Array(2).fill({ type: 'operator', id: null, name: null }),
    )
  })

  test('warns if the address of the link is a guess', async () => {
    const { email } = await person()
    const hinted = await users(`sign-in-link --email ${email}`, { PUBLIC_URL: '', HOST: '127.0.0.1', PORT: '4100' })
    expect(hinted).toContain('http://127.0.0.1:4100/sign-in#token=sgn_')
    expect(hinted).toContain('PUBLIC_URL is not set. Check the address of the link')
  })

  test('prints no link for a demo that is not running', async () => {
    const made = users('sign-in-link --demo --email owner@example.com', { DATA_DIR: '/tmp/no-demo-was-ever-here' })
    await expect(made).rejects.toThrow('No demo is running on /tmp/no-demo-was-ever-here')
  })
})

describe('user disable and user enable', () => {
  test('appear in the audit log of each workspace of the user, with the operator as actor', async () => {
    const { id, email } = await person()
    await world.database.sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    await users(`password reset --email ${email} --without-second-factor`)
    await users(`disable --email ${email}`)
    await users(`enable --email ${email}`)
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)
    const by = { actor: { type: 'operator', id: null, name: null }, target: { type: 'user', id }, address: null }
    expect(data).toMatchObject([
      { ...by, action: 'enableUser', detail: {} },
      { ...by, action: 'disableUser', detail: {} },
      { ...by, action: 'makeResetLink', detail: { mailed: false, secondFactorRemoved: true } },
    ])
    await run(workspace, ['plan', 'set', '--workspace', world.workspaceId, '--plan', 'growth'])
    await run(workspace, ['plan', 'set', '--workspace', world.workspaceId, '--plan', 'unlimited'])
    const { data: own } = await world.expect(200, 'GET', `/v1/audit?targetId=${world.workspaceId}`)
    expect(own).toMatchObject([
      { action: 'changePlan', actor: by.actor, detail: { plan: 'unlimited' } },
      { action: 'changePlan', actor: by.actor, detail: { plan: 'growth' } },
      {
        action: 'createWorkspace',
        actor: by.actor,
        detail: { name: 'Shop', plan: 'unlimited', ownerIsInvited: false },
      },
    ])
  })

  test('are not audited if they change nothing', async () => {
    const { id, email } = await person()
    await users(`enable --email ${email}`)
    await users(`disable --email ${email}`)
    await users(`disable --email ${email}`)
    const { data } = await world.expect(200, 'GET', `/v1/audit?targetId=${id}`)
    expect(data).toMatchObject([{ action: 'disableUser' }])
    const plans = () => world.expect(200, 'GET', `/v1/audit?targetId=${world.workspaceId}&action=changePlan`)
    const before = await plans()
    await run(workspace, ['plan', 'set', '--workspace', world.workspaceId, '--plan', 'unlimited'])
    expect(await plans()).toEqual(before)
  })

  test('block a user from the next request on, and restore access', async () => {
    const { email, as } = await person()
    await world.expect(200, 'GET', '/v1/auth/session', { as })
    expect(await users(`disable --email ${email}`)).toContain(`${email} is disabled, and all sessions have ended.`)
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
    expect((await signIn(email, world.owner.password)).status).toBe(403)
    await expect(users(`password reset --email ${email}`)).rejects.toThrow('Enable the account with "user enable".')
    expect(await users(`enable --email ${email}`)).toContain(`${email} can sign in again`)
    expect((await signIn(email, world.owner.password)).status).toBe(200)
    expect((await world.call('GET', '/v1/auth/session', { as })).status).toBe(401)
  })
})

describe('user list', () => {
  test('shows every user with their details', async () => {
    const { id, email } = await person()
    const { sql } = world.database
    await sql`update users set confirmed_at = '2026-03-01', disabled_at = now() where id = ${id}`
    await sql`insert into second_factors (user_id, secret, confirmed_at) values (${id}, 'x', now())`
    const [heads, first, ...others] = (await users('list')).split('\n').map(line => line.split(/ {2,}/))
    expect(heads).toEqual(['ID', 'CREATED', 'ADDRESS CONFIRMED', 'SECOND FACTOR', 'WORKSPACES', 'STATE', 'E-MAIL'])
    expect(first).toEqual([expect.any(String), expect.any(String), 'no', 'no', '1', 'active', world.owner.email])
    expect(others).toContainEqual([id, expect.any(String), '2026-03-01', 'yes', '1', 'disabled', email])
  })
})

describe('workspace create, for an address that has an account', () => {
  const create = (email: string, settings: Record<string, string> = {}) =>
    run(workspace, ['create', '--name', 'Theirs'], {
      OWNER_EMAIL: email,
      OWNER_PASSWORD: 'never used, but set',
      ...settings,
    })

  test('creates an invitation, and shows who created the account and when', async () => {
    const { email, as } = await person()
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
  })

  test('replaces control characters in the name of a workspace', async () => {
    const { email } = await person()
    const { sql } = world.database
    await sql`update workspaces set name = ${'x\u001b[1A\u001b[2K\nIts owner is Kim.\u202e'} where id = ${world.workspaceId}`
    try {
      expect(await create(email)).toContain(`(x\ufffd[1A\ufffd[2K\ufffdIts owner is Kim.\ufffd)`)
      expect(await run(workspace, ['list'])).toContain('x\ufffd[1A\ufffd[2K\ufffdIts owner is Kim.\ufffd\n')
    } finally {
      await sql`update workspaces set name = 'Shop' where id = ${world.workspaceId}`
    }
  })

  test('shows no link if mail is configured', async () => {
    const out = await create(world.owner.email, { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'engage@example.com' })
    expect(out).toContain(`The running service sends an invitation to ${world.owner.email}.`)
    expect(out).toContain('created on')
    expect(out).toContain('by the operator')
    expect(out).not.toContain('#token=')
  })
})

describe('an invalid command line is explained', () => {
  test.each([
    ['', 'The action is missing.'],
    ['remove', 'Unknown action "user remove".'],
    ['disable', 'The option --email is missing.\nUsage: user disable --email ADDRESS'],
    ['sign-in-link', 'The option --email is missing.\nUsage: user sign-in-link --email ADDRESS [--demo]'],
    ['list --email a@b.example', 'The option --email is not valid here.\nUsage: user list'],
    ['enable --email a@b.example --print', 'The option --print is not valid here.\nUsage: user enable --email ADDRESS'],
  ])('user %s', (line, message) => {
    let said = ''
    try {
      user(line.split(' ').filter(Boolean))
    } catch (error) {
      if (error instanceof UsageError) said = error.message
    }
    expect(said).toStartWith(message)
  })

  test('an unknown address is explained', async () => {
    for (const line of ['password reset', 'sign-in-link', 'disable', 'enable'])
      await expect(users(`${line} --email nobody@nowhere.example`)).rejects.toThrow(
        'There is no account with the address "nobody@nowhere.example". "user list" lists all accounts.',
      )
  })
})
