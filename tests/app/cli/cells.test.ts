/** Tests of the operator's commands with two cells: the databases `main` and `b`. */
import { beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withCells } from '../../../src/app/cli/with-database.ts'
import { readConfig } from '../../../src/config.ts'
import type { Database } from '../../../src/platform/postgres/client.ts'
import { checkIdentity, findReadableParts } from '../../../src/queue/hold/index.ts'
import { capture, runCommand } from '../../support/command.ts'
import { testServer, useDatabase } from '../../support/database.ts'
import { use } from '../../support/use.ts'
import { unknownId } from '../../support/world.ts'

const main = useDatabase()
const b = useDatabase()
const folder = use(async () => {
  const path = mkdtempSync(join(tmpdir(), 'cells-'))
  return { path, stop: async () => rmSync(path, { recursive: true }) }
})

const owner = { OWNER_EMAIL: 'owner@shop.example', OWNER_PASSWORD: 'a quiet river in the north' }
const key = Buffer.alloc(32, 7).toString('base64')
/** No server listens on the port. */
const refused = 'postgres://nobody:x@127.0.0.1:1/none'
const away = () => ({ CELLS: `b=${b.url},c=${refused}` })
const awayProblem = 'The database of the cell "c" cannot be reached: '
const skipped = `The cell "c" is skipped. ${awayProblem}`

const run = (line: string, settings: Record<string, string> = {}) =>
  runCommand(line.split(' '), { DATABASE_URL: main.url, CELLS: `b=${b.url}`, SECRETS_KEY: key, ...settings })

/** Runs a command that must succeed. Returns its output. */
const output = async (line: string, settings: Record<string, string> = {}): Promise<string> => {
  const { status, out, error } = await run(line, settings)
  expect({ line, status, error }).toEqual({ line, status: 0, error: '' })
  return out
}
// biome-ignore lint/suspicious/noExplicitAny: the outputs of commands differ
const objects = async (line: string, settings = {}): Promise<any[]> =>
  (await output(`${line} --json`, settings))
    .trim()
    .split('\n')
    .map(one => JSON.parse(one))
// biome-ignore lint/suspicious/noExplicitAny: the outputs of commands differ
const json = async (line: string): Promise<any> => JSON.parse(await output(`${line} --json`))

/** Returns the cells that an output names, in its order. */
const cellsOf = (found: { cell?: string }[]) => [...new Set(found.flatMap(({ cell }) => cell ?? []))]

let inMain: string
let inB: string
beforeAll(async () => {
  inMain = (await objects('workspace create --name Near', owner))[0].workspaceId
  const [created] = await objects('workspace create --name Far --cell b', { ...owner, OWNER_EMAIL: 'far@shop.example' })
  expect(created).toMatchObject({ cell: 'b', owner: 'far@shop.example', invitation: null })
  inB = created.workspaceId
})

const workspaces = async (sql: Database) => (await sql`select name from workspaces order by name`).map(row => row.name)

test('workspace create makes the workspace in the named cell, and its member in main', async () => {
  expect([await workspaces(main.sql), await workspaces(b.sql)]).toEqual([['Near'], ['Far']])
  expect(await main.sql`select 1 from members where workspace_id = ${inB}`).toHaveLength(1)
  expect(await b.sql`select 1 from members`).toHaveLength(0)
  const text = await output('workspace create --name Third --plan free', { ...owner, WORKSPACE_CELL: 'b' })
  expect(text).toMatch(/^Workspace [0-9a-f-]{36} was created in the cell b\. owner@shop\.example already has /)
  await b.sql`delete from workspaces where name = 'Third'`
})

test.each(['workspace create --name Shop --cell x', 'workspace import file.jsonl --cell x'])(
  '"%s" lists the cells',
  async line => {
    const error = 'There is no cell "x". The cells are main, b.'
    expect(await run(line, owner)).toEqual({ status: 1, out: '', error })
  },
)

test('commands with a workspace work on its cell', async () => {
  await output(`workspace plan set --workspace ${inB.toUpperCase()} --plan growth`)
  await b.sql`update workspaces set require_sso = true`
  await output(`workspace sso optional --workspace ${inB}`)
  expect(await objects(`pause runs --workspace ${inB}`)).toEqual([
    { kind: 'runs', workspaceId: inB, paused: true, changed: true },
  ])
  const [row] = await b.sql`
    select plan_id, require_sso, (select count(*)::integer from workspace_pauses) as pauses from workspaces`
  expect(row).toEqual({ plan_id: 'growth', require_sso: false, pauses: 1 })
  expect(await main.sql`select 1 from workspace_pauses`).toHaveLength(0)
  await output(`resume runs --workspace ${inB}`)
  expect(await json(`verify --workspace ${inB}`)).toMatchObject({ balanced: true, workspaces: 1 })
  expect(await run(`workspace plan set --workspace ${unknownId} --plan free`)).toEqual({
    status: 1,
    out: '',
    error: `There is no workspace "${unknownId}". "workspace list" lists all workspaces.`,
  })
})

test('a workspace moves to another cell by export, delete and import', async () => {
  const file = join(folder.path, 'far.jsonl')
  writeFileSync(file, await exported(inB))
  expect(await run(`workspace import ${file} --cell main`)).toEqual({
    status: 1,
    out: '',
    error: `The workspace ${inB} exists in another cell. An import never changes a workspace.`,
  })
  expect((await run(`workspace delete ${inB}`)).out).toStartWith(`The workspace ${inB} (Far) has these rows: `)
  await output(`workspace delete ${inB} --yes`)
  expect(await workspaces(b.sql)).toEqual([])
  expect(await main.sql`select 1 from members where workspace_id = ${inB}`).toHaveLength(0)
  await output(`workspace import ${file}`)
  expect(await workspaces(main.sql)).toEqual(['Far', 'Near'])
  await output(`workspace delete ${inB} --yes`)
  await output(`workspace import ${file} --cell b`)
  expect([await workspaces(main.sql), await workspaces(b.sql)]).toEqual([['Near'], ['Far']])
  expect(await main.sql`select 1 from members where workspace_id = ${inB}`).toHaveLength(1)
})

/** Returns the file of a workspace. */
const exported = async (id: string): Promise<string> => {
  const { status, out } = await run(`workspace export ${id}`)
  expect(status).toBe(0)
  return out
}

test('commands over everything name the cell of each object and text', async () => {
  const listed = await objects('workspace list')
  expect(listed).toMatchObject([
    { cell: 'main', workspaceId: inMain, members: 1 },
    { cell: 'b', workspaceId: inB, members: 1 },
  ])
  const table = (await output('workspace list')).trimEnd().split('\n')
  expect(table.map(line => line.split(/ +/)[0])).toEqual(['CELL', 'main', 'b'])

  const paused = { kind: 'campaigns', workspaceId: null, paused: true, changed: true }
  expect(await objects('pause campaigns')).toEqual([
    { cell: 'main', ...paused },
    { cell: 'b', ...paused },
  ])
  const states = await json('queues')
  expect(states).toHaveLength(12)
  expect(states).toContainEqual(expect.objectContaining({ cell: 'b', queue: 'campaigns', paused: 'all' }))
  expect(await output('resume campaigns')).toBe(
    'Cell main:\nThe campaigns of all workspaces are resumed.\nCell b:\nThe campaigns of all workspaces are resumed.\n',
  )
  expect(await json('verify')).toMatchObject([
    { cell: 'main', balanced: true, workspaces: 1 },
    { cell: 'b', balanced: true, workspaces: 1 },
  ])
  expect(await json('restore release --preview')).toMatchObject([
    { cell: 'main', held: false },
    { cell: 'b', held: false },
  ])
  expect(await output('migrate')).toBe(
    'Cell main:\nThe database is up to date.\nCell b:\nThe database is up to date.\n',
  )
  expect((await output('queues')).split('\n')[0]!.split(/ {2,}/)).toEqual([
    'CELL',
    'QUEUE',
    'DUE',
    'OLDEST',
    'PER SECOND',
    'PAUSED',
  ])
})

/** Adds an endpoint to each workspace. Its secret is in plain text. */
const addWebhooks = async () => {
  const workspaceOf = [[main.sql, inMain] as const, [b.sql, inB] as const]
  for (const [sql, workspaceId] of workspaceOf)
    await sql`
      insert into webhooks (workspace_id, url, events, secret)
      values (${workspaceId}, 'https://hooks.example.com/y', '{message.status}', ${`whsec_${'c'.repeat(43)}`})`
}

test('secrets reencrypt encrypts the secrets of all cells', async () => {
  await addWebhooks()
  const done = { isComplete: true, kinds: { 'webhook secrets': { underFirstKey: 1, undecryptable: 0, left: 0 } } }
  expect(await objects('secrets reencrypt')).toEqual([
    { cell: 'main', ...done },
    { cell: 'b', ...done },
  ])
})

test('doctor checks the database of each cell', async () => {
  const checks: { cell?: string; name: string }[] = JSON.parse((await run('doctor --json')).out)
  expect(cellsOf(checks)).toEqual(['main', 'b'])
  const namesOf = (name: string) => checks.filter(({ cell }) => cell === name).map(one => one.name)
  expect(namesOf('b')).toEqual(namesOf('main').filter(name => name !== 'replica'))
  expect(checks.find(({ name }) => name === 'settings')).not.toHaveProperty('cell')
})

test('an action on an account is recorded in the workspaces of another cell by a task', async () => {
  await output('user disable --email far@shop.example')
  const tasks = await main.sql`
    select payload from graphile_worker._private_jobs where payload -> 'row' ->> 'action' = 'disableUser'`
  expect(tasks).toMatchObject([{ payload: { workspaceId: inB } }])
  expect(await b.sql`select 1 from audit_entries where action = 'disableUser'`).toHaveLength(0)
})

test('cells list reads the state of each cell', async () => {
  const state = { responds: true, problem: null, migrationsPending: false, workspaces: 1, held: false, paused: [] }
  await checkIdentity(b.sql, { readable: await findReadableParts(b.sql), lastHeartbeatMs: null, request: true })
  await output('pause runs', { CELLS: '' })
  expect(await objects('cells list')).toEqual([
    { cell: 'main', ...state, paused: ['runs'] },
    { cell: 'b', ...state, held: true },
  ])
  expect((await output('cells list')).split('\n').map(line => line.split(/ {2,}/))).toEqual([
    ['CELL', 'WORKSPACES', 'MIGRATIONS', 'HELD', 'PAUSED', 'STATE'],
    ['main', '1', 'applied', 'no', 'runs', 'responds'],
    ['b', '1', 'applied', 'yes', '-', 'responds'],
    [''],
  ])
  expect(await json('restore release')).toMatchObject([
    { cell: 'main', released: false },
    { cell: 'b', released: true },
  ])
  await output('resume runs', { CELLS: '' })
  expect(await objects('cells list', { CELLS: '' })).toEqual([{ cell: 'main', ...state }])
})

test.each([
  ['cells create', 2, 'Name one cell.'],
  ['cells create a b', 2, 'Name one cell.'],
  [
    'cells create main',
    2,
    'A name has up to 31 lower-case letters, digits and _, begins with a letter, and is not "main".',
  ],
  ['cells create c', 1, 'CELLS must be citus to create a cell. Add other databases to the list in CELLS instead.'],
])('%s is rejected with a sentence', async (line, status, sentence) => {
  const { error, ...outcome } = await run(line)
  expect([outcome, error.split('\n')[0]]).toEqual([{ status, out: '' }, sentence])
})

test('cells create rejects a database without Citus', async () => {
  expect(await run('cells create c', { CELLS: 'citus' })).toEqual({
    status: 1,
    out: '',
    error: 'The database of DATABASE_URL has no Citus. Run "create extension citus" on all nodes, and add the workers.',
  })
})

test('a cell that lacks migrations is named, and migrate applies them', async () => {
  const url = await (await testServer()).ensureDatabase('cells_test', { fresh: true })
  const settings = { CELLS: `c=${url}` }
  expect((await objects('cells list', settings))[1]).toMatchObject({ migrationsPending: true, workspaces: null })
  expect(await run('verify', settings)).toEqual({
    status: 2,
    out: '',
    error: 'The database of the cell "c" lacks migrations. Run "migrate".',
  })
  expect(await output('migrate', settings)).toMatch(
    /^Cell main:\nThe database is up to date\.\nCell c:\nApplied 001_.*\.\n$/,
  )
  expect(await output('verify', settings)).toEndWith('Everything matches in 0 workspaces.\n')
})

test('a cell that is away is reported and skipped, with status 1', async () => {
  for (const [line, cells] of [
    ['workspace list', ['main', 'b']],
    ['doctor', ['main', 'b', 'c']],
    ['cells list', ['main', 'b', 'c']],
  ] as const) {
    const { status, out, error } = await run(`${line} --json`, away())
    const found =
      line === 'doctor'
        ? JSON.parse(out)
        : out
            .trim()
            .split('\n')
            .map(one => JSON.parse(one))
    expect({ line, status, cells: cellsOf(found) }).toEqual({ line, status: 1, cells: [...cells] })
    if (cells.length === 2) expect(error).toStartWith(skipped)
    else expect(JSON.stringify(found)).toContain(JSON.stringify(awayProblem).slice(1, -1))
  }
  await addWebhooks()
  const { status, out, error } = await run('secrets reencrypt', away())
  expect([status, out, error]).toEqual([
    1,
    expect.stringContaining('Keep the other keys.'),
    expect.stringContaining(skipped),
  ])
  expect(out.split('\n').map(line => line.split(' ')[0])).toEqual(['CELL', 'main', 'b', 'Keep', ''])
})

test('a cell that fails during a command is skipped too, but not main', async () => {
  const config = readConfig({ DATABASE_URL: main.url, CELLS: `b=${b.url}` })
  const failIn = (name: string) =>
    capture(() =>
      withCells(config, async cells => {
        await cells.each(async cell => {
          if (cell.name === name) await cell.sql.end()
          await cell.sql`select 1`
        })
        return cells.status
      }),
    )
  const error = expect.stringMatching(/^The cell "b" is skipped\. The database of the cell "b" cannot be used: .*\.\n$/)
  expect(await failIn('b')).toEqual({ status: 1, out: '', error })
  await expect(failIn('main')).rejects.toThrow('CONNECTION_ENDED')
})

test('a workspace of a cell that is away gets one sentence, and other workspaces and accounts none', async () => {
  const problem = (id: string) =>
    expect.stringContaining(`No cell that responds has the workspace "${id}". ${awayProblem}`)
  const unknown = await run(`workspace plan set --workspace ${unknownId} --plan free`, away())
  expect(unknown).toEqual({ status: 1, out: '', error: problem(unknownId) })
  const created = await run('workspace create --name Shop --cell c', { ...away(), ...owner })
  expect(created).toEqual({ status: 1, out: '', error: expect.stringContaining(awayProblem) })
  await output(`workspace plan set --workspace ${inB} --plan free`, away())
  await output('user enable --email far@shop.example', away())
})
