import { beforeAll, describe, expect, test } from 'bun:test'
import { insertServiceMember } from '../../../src/accounts/members/sql.ts'
import { insertServiceAccount } from '../../../src/accounts/users/index.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/index.ts'
import { runCommand } from '../../support/command.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()
let id: string

beforeAll(async () => {
  const owner = { email: 'owner@shop.example', password: 'long enough for all' }
  id = (await createWorkspace(database.sql, { name: 'Shop', planId: 'unlimited', owner })).id
})

const run = (line: string, settings: Record<string, string> = {}) =>
  runCommand(['workspace', ...line.split(' ').filter(Boolean)], { DATABASE_URL: database.url, ...settings })

const planOf = async (): Promise<string> =>
  (await database.sql`select plan_id as plan from workspaces where id = ${id}`)[0]!.plan

describe('workspace plan set', () => {
  test('puts the workspace on the plan, and reports usage above the limits of a smaller one', async () => {
    expect(await run(`plan set --workspace ${id} --plan growth`)).toEqual({
      status: 0,
      out: `Workspace ${id} (Shop) now has the plan growth. It applies from the next request.\n`,
      error: '',
    })
    expect(await planOf()).toBe('growth')

    await database.sql`
      insert into channels (workspace_id, kind, name) select ${id}, 'sandbox', 'Sandbox' from generate_series(1, 2)`
    const { status, out } = await run(`plan set --workspace ${id} --plan free`)
    expect([status, out]).toEqual([0, expect.stringContaining('These allowances are used up: connected numbers.')])
    expect(await database.sql`select 1 from channels where workspace_id = ${id}`).toHaveLength(2)
  })

  test('prints the allowances that are used up with --json', async () => {
    const { status, out } = await run(`plan set --workspace ${id} --plan free --json`)
    expect([status, JSON.parse(out)]).toEqual([
      0,
      { workspaceId: id, name: 'Shop', plan: 'free', exhaustedAllowances: ['connected numbers'] },
    ])
  })

  test('rejects an unknown workspace or plan, and changes nothing', async () => {
    const before = await planOf()
    for (const unknown of ['01981b7e-3c00-7a51-9a64-1f0f5c3d7e99', 'no-uuid'])
      expect(await run(`plan set --workspace ${unknown} --plan free`)).toMatchObject({
        status: 1,
        error: `There is no workspace "${unknown}". "workspace list" lists all workspaces.`,
      })
    expect(await run(`plan set --workspace ${id} --plan gold`)).toMatchObject({
      status: 1,
      error: 'There is no plan "gold". The plans are free, growth, starter, unlimited.',
    })
    expect(await planOf()).toBe(before)
  })
})

describe('workspace create', () => {
  const create = (owner: { email: string; password: string }) =>
    createWorkspace(database.sql, { name: 'Other', planId: 'free', owner })

  test.each([
    ['new@shop.example', 'twelve less', 'OWNER_PASSWORD must have 12 to 1000 characters.'],
    [
      'new@shop.example',
      'Qwerty123456',
      'OWNER_PASSWORD is one of the most common passwords. Choose another password.',
    ],
    [
      'own\u0130r@shop.example',
      'a quiet river in the north',
      'OWNER_EMAIL contains an invisible character, or one that looks like another, such as \u0130 for i.',
    ],
  ])('creates no account %s with the password %s', async (email, password, problem) => {
    expect(await create({ email, password }).catch(error => [error.name, error.message])).toEqual([
      'WorkspaceError',
      problem,
    ])
    expect(await database.sql`select 1 from users where email = ${email}`).toHaveLength(0)
  })

  test('ignores the password for an existing account', async () => {
    const { invitation } = await create({ email: 'owner@shop.example', password: 'twelve less' })
    expect(invitation?.token).toStartWith('inv_')
  })
})

test('workspace create prints the workspace, and the invitation of an existing account, with --json', async () => {
  const settings = { OWNER_PASSWORD: 'a quiet river in the north', PUBLIC_URL: 'https://engage.example' }
  const create = async (email: string) => {
    const { status, out } = await run('create --name Third --json', { ...settings, OWNER_EMAIL: email })
    expect(status).toBe(0)
    return JSON.parse(out)
  }
  const created = await create('third@shop.example')
  expect(created).toEqual({ workspaceId: created.workspaceId, owner: 'third@shop.example', invitation: null })
  expect(await create('owner@shop.example')).toMatchObject({
    owner: 'owner@shop.example',
    invitation: {
      link: expect.stringMatching(/^https:\/\/engage\.example\/accept-invitation#token=inv_/),
      isMailed: false,
      account: { confirmedAt: null, createdBy: null },
    },
  })
})

test('workspace sso optional reports the workspace, also with --json', async () => {
  await database.sql`update workspaces set require_sso = true where id = ${id}`
  const { out } = await run(`sso optional --workspace ${id} --json`)
  expect(JSON.parse(out)).toEqual({ workspaceId: id, name: 'Shop', requireSso: false })
  expect((await run(`sso optional --workspace ${id}`)).out).toBe(
    `Members of the workspace ${id} (Shop) can sign in without single sign-on.\n`,
  )
})

test('workspace list shows every workspace with its plan, in columns', async () => {
  await database.sql`update workspaces set plan_id = 'starter' where id = ${id}`
  const userId = await insertServiceAccount(database.sql, { name: 'Terraform', workspaceId: id })
  await insertServiceMember(database.sql, { workspaceId: id, userId, role: 'agent' })
  const { status, out } = await run('list')
  expect(status).toBe(0)
  const [heads, first] = out.split('\n')
  expect(heads!.split(/ {2,}/)).toEqual(['ID', 'PLAN', 'MEMBERS', 'SERVICE ACCOUNTS', 'CREATED', 'NAME'])
  expect(first!.split(/ +/)).toEqual([id, 'starter', '1', '1', new Date().toISOString().slice(0, 10), 'Shop'])
  const [line] = (await run('list --json')).out.split('\n')
  const expected = { workspaceId: id, name: 'Shop', plan: 'starter', members: 1, serviceAccounts: 1, closedFor: null }
  expect(JSON.parse(line!)).toMatchObject(expected)
})

describe('an invalid command line is explained before any setting or database is read', () => {
  const planUsage = 'Usage: workspace plan set --workspace ID --plan PLAN [--json], for example '
  const createUsage =
    'Usage: workspace create --name NAME [--plan PLAN] [--cell CELL] [--json], with OWNER_EMAIL and OWNER_PASSWORD in the environment, for example '
  const listUsage = 'Usage: workspace list [--json], for example '
  const all = `${createUsage}workspace create --name Shop --plan starter\n${listUsage}workspace list --json\n${planUsage}`

  test.each([
    ['plan set --plan free', `The option --workspace is missing.\n${planUsage}`],
    ['plan set --workspace x', `The option --plan is missing.\n${planUsage}`],
    ['plan set --workspace x --plan free --name y', `The option --name is not valid here.\n${planUsage}`],
    ['list --plan free', `The option --plan is not valid here.\n${listUsage}`],
    ['create', `--name must be a text of 1 to 100 characters.\n${createUsage}`],
    ['', `The action is missing.\n${all}`],
    ['plan', `Unknown action "workspace plan".\n${all}`],
    ['remove', `Unknown action "workspace remove".\n${all}`],
    ['list shops', `Unknown action "workspace list shops".\n${all}`],
    ['plan set --plann free', `Unknown option '--plann'`],
    ['plan set --plan', `Option '--plan <value>' argument missing`],
  ])('workspace %s', async (line, message) => {
    const { status, error } = await run(line, { PORT: 'http' })
    expect(status).toBe(2)
    expect(error).toStartWith(message)
  })

  test('refuses a workspace without an owner in the settings before it connects to a database', async () => {
    expect(await run('create --name Shop', { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })).toMatchObject({
      status: 1,
      error: 'OWNER_EMAIL and OWNER_PASSWORD are not set. Set them to the owner of the new workspace.',
    })
  })
})
