import { beforeAll, describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { createWorkspace } from '../../../src/accounts/workspaces/index.ts'
import { UsageError } from '../../../src/app/cli/usage.ts'
import { workspace } from '../../../src/app/cli/workspace.ts'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { useDatabase } from '../../support/database.ts'

const root = resolve(import.meta.dir, '../../..')
const database = useDatabase()
let id: string

beforeAll(async () => {
  const owner = { email: 'owner@shop.example', password: 'long enough for all' }
  id = (await createWorkspace(database.sql, { name: 'Shop', planId: 'unlimited', owner })).id
})

/** Runs a command as an operator does. */
const run = async (line: string) => {
  const child = Bun.spawn([process.execPath, 'src/main.ts', ...line.split(' ')], {
    cwd: root,
    env: { PATH: process.env.PATH!, DATABASE_URL: database.url },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { status: await child.exited, out, error: error.trim() }
}

const planOf = async (): Promise<string> =>
  (await database.sql`select plan_id as plan from workspaces where id = ${id}`)[0]!.plan

describe('workspace plan set', () => {
  test('puts the workspace on the plan', async () => {
    expect(await run(`workspace plan set --workspace ${id} --plan growth`)).toEqual({
      status: 0,
      out: `Workspace ${id} (Shop) now has the plan growth. It applies from the next request.\n`,
      error: '',
    })
    expect(await planOf()).toBe('growth')
  })

  test('reports usage above the limits of a smaller plan, and removes nothing', async () => {
    await database.sql`
      insert into channels (workspace_id, kind, name) select ${id}, 'sandbox', 'Sandbox' from generate_series(1, 2)`
    const { status, out } = await run(`workspace plan set --workspace ${id} --plan free`)
    expect(status).toBe(0)
    expect(out).toContain('These allowances are used up: connected numbers.')
    expect(await database.sql`select 1 from channels where workspace_id = ${id}`).toHaveLength(2)
  })

  test.each(['01981b7e-3c00-7a51-9a64-1f0f5c3d7e99', 'no-uuid'])('rejects the unknown workspace %s', async unknown => {
    const { status, error } = await run(`workspace plan set --workspace ${unknown} --plan free`)
    expect([status, error]).toEqual([1, `There is no workspace "${unknown}". "workspace list" lists all workspaces.`])
  })

  test('lists the plans for an unknown plan, and changes nothing', async () => {
    const before = await planOf()
    const { status, error } = await run(`workspace plan set --workspace ${id} --plan gold`)
    expect([status, error]).toEqual([1, 'There is no plan "gold". The plans are free, growth, starter, unlimited.'])
    expect(await planOf()).toBe(before)
  })
})

describe('workspace create', () => {
  const create = (owner: { email: string; password: string }) =>
    createWorkspace(database.sql, { name: 'Other', planId: 'free', owner })

  test.each([
    ['twelve less', 'OWNER_PASSWORD must have 12 to 1000 characters.'],
    ['Qwerty123456', 'OWNER_PASSWORD is one of the most common passwords. Choose another password.'],
  ])('creates no account with the password %s', async (password, problem) => {
    const email = 'new@shop.example'
    expect(await create({ email, password }).catch(error => [error.name, error.message])).toEqual([
      'WorkspaceError',
      problem,
    ])
    expect(await database.sql`select 1 from users where email = ${email}`).toHaveLength(0)
  })

  test('creates no account with an address that can be confused with another', async () => {
    const owner = { email: 'own\u0130r@shop.example', password: 'a quiet river in the north' }
    expect(await create(owner).catch(error => [error.name, error.message])).toEqual([
      'WorkspaceError',
      'OWNER_EMAIL contains an invisible character, or one that looks like another, such as \u0130 for i.',
    ])
  })

  test('ignores the password for an existing account', async () => {
    const { invitation } = await create({ email: 'owner@shop.example', password: 'twelve less' })
    expect(invitation?.token).toStartWith('inv_')
  })
})

describe('workspace list', () => {
  test('shows every workspace with its plan, in columns', async () => {
    await database.sql`update workspaces set plan_id = 'starter' where id = ${id}`
    const { status, out } = await run('workspace list')
    expect(status).toBe(0)
    const [heads, first] = out.split('\n')
    expect(heads!.split(/ +/)).toEqual(['ID', 'PLAN', 'MEMBERS', 'CREATED', 'NAME'])
    expect(first!.split(/ +/)).toEqual([id, 'starter', '1', new Date().toISOString().slice(0, 10), 'Shop'])
  })
})

describe('an invalid command line is explained before any setting or database is read', () => {
  const planUsage = 'Usage: workspace plan set --workspace ID --plan PLAN'
  const createUsage =
    'Usage: workspace create --name NAME [--plan PLAN], with OWNER_EMAIL and OWNER_PASSWORD in the environment'
  const read = (line: string) => workspace(line.split(' ').filter(Boolean))
  const refusal = (line: string): string => {
    try {
      read(line)
    } catch (error) {
      if (error instanceof UsageError) return error.message
      throw error
    }
    throw new Error('it was not refused')
  }

  test.each([
    ['plan set --plan free', `The option --workspace is missing.\n${planUsage}`],
    ['plan set --workspace x', `The option --plan is missing.\n${planUsage}`],
    ['plan set --workspace x --plan free --name y', `The option --name is not valid here.\n${planUsage}`],
    ['list --plan free', 'The option --plan is not valid here.\nUsage: workspace list'],
    ['create', `--name must be a text of 1 to 100 characters.\n${createUsage}`],
  ])('workspace %s', (line, message) => {
    expect(refusal(line)).toBe(message)
  })

  test('refuses a workspace without an owner in the settings before it connects to a database', async () => {
    const nowhere = readConfig({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })
    await expect(read('create --name Shop')(nowhere)).rejects.toThrow(
      new ConfigError('OWNER_EMAIL and OWNER_PASSWORD are not set. Set them to the owner of the new workspace.'),
    )
  })

  test.each([
    ['', 'The action is missing.'],
    ['plan', 'Unknown action "workspace plan".'],
    ['remove', 'Unknown action "workspace remove".'],
    ['list shops', 'Unknown action "workspace list shops".'],
    ['plan set --plann free', "Unknown option '--plann'"],
    ['plan set --plan', "Option '--plan <value>' argument missing"],
  ])('workspace %s: explains the error and lists all options', (line, problem) => {
    const message = refusal(line)
    expect(message).toStartWith(problem)
    for (const usage of ['workspace create --name NAME', 'workspace list', 'workspace plan set --workspace ID']) {
      expect(message).toContain(`Usage: ${usage}`)
    }
  })
})
