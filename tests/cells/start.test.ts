/** A process whose first workspace is in a further cell, killed and started again. */
import { afterAll, expect, test } from 'bun:test'
import { workspacesCheck } from '../../src/app/cells/compare-workspaces.ts'
import type { Log } from '../../src/platform/log.ts'
import { connect } from '../../src/platform/postgres/client.ts'
import { runCommand } from '../support/command.ts'
import { newWorkspace, useDatabase } from '../support/database.ts'
import { endProcesses, spawnProcess, startProcess } from '../support/process.ts'
import { bearer } from '../support/world.ts'

const [directory, cell] = [
  useDatabase('no cell has workspaces', 'several cells have the same workspaces'),
  useDatabase(),
]
afterAll(endProcesses)

test('the first workspace is created in the cell of WORKSPACE_CELL, once, and later starts do not need the cell', async () => {
  const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
  const settings = {
    DATABASE_URL: directory.url,
    CELLS: `b=${cell.url}`,
    WORKSPACE_CELL: 'b',
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
  }
  const first = await startProcess(settings)
  await first.end('SIGKILL')
  const second = await startProcess(settings)
  const { url } = second
  expect(await directory.sql`select from workspaces`).toHaveLength(0)
  expect(await cell.sql`select from workspaces`).toHaveLength(1)
  expect(await directory.sql`select from members`).toHaveLength(1)

  const call = async (path: string, as: Record<string, string>, body?: unknown) =>
    (
      await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...as, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
    ).json()
  const { token } = await call('/v1/auth/sign-in', {}, owner)
  const { key } = await call('/v1/api-keys', bearer(token), { name: 'shop system' })
  const { event } = await call('/v1/events', { 'X-API-Key': key }, { type: 'order.placed', phone: '+4915112345678' })
  expect(await cell.sql`select id from events`).toMatchObject([{ id: event.id }])
  expect(await (await fetch(`${url}/readyz?verbose`)).json()).toMatchObject({
    status: 'ready',
    cells: [{ status: 'ready' }, { cell: 'b', status: 'ready' }],
  })
  expect((await second.end()).code).toBe(0)
  expect(second.complaints).toBe('')

  const withoutCell = await startProcess({ ...settings, CELLS: 'b=postgres://postgres@127.0.0.1:1/b' })
  expect((await withoutCell.end()).code).toBe(0)

  const [{ id }] = await cell.sql<[{ id: string }]>`select id from workspaces`
  const missing = 'name every cell in CELLS, or restore the missing one'
  const forgotten = await startProcess({ ...settings, CELLS: '', WORKSPACE_CELL: '' })
  const line = await forgotten.waitForLine(`no cell has workspaces that have members: ${missing}`)
  expect(line.workspaces).toEqual([id])
  expect((await forgotten.end()).code).toBe(0)
  const checkOf = async (cells: string) => {
    const { out } = await runCommand(['doctor', '--json'], { DATABASE_URL: directory.url, CELLS: cells })
    return (JSON.parse(out) as { name: string }[]).find(({ name }) => name === 'workspaces')
  }
  expect(await checkOf('')).toMatchObject({
    result: 'failed',
    detail: `No cell has the workspace ${id}, which has members: ${missing}.`,
  })
  expect(await checkOf(settings.CELLS)).toMatchObject({ result: 'ok' })
  expect(await checkOf('b=postgres://postgres@127.0.0.1:1/b')).toMatchObject({ result: 'warning' })

  // As after a restore of the directory's database to before a move.
  await newWorkspace(directory.sql, id)
  const several = 'unless it is being moved, see "Restore a cell after a move" in docs/scaling.md'
  const restored = await startProcess(settings)
  const found = await restored.waitForLine(`several cells have the same workspaces: ${several}`)
  expect(found.workspaces).toEqual([{ id, cells: ['main', 'b'] }])
  expect((await restored.end()).code).toBe(0)
  expect(await checkOf(settings.CELLS)).toMatchObject({
    result: 'failed',
    detail: `The cells "main" and "b" have the same workspace ${id}: ${several}.`,
  })
  await directory.sql`delete from workspaces where id = ${id}`
})

test.each([
  [
    'two cells in one database',
    () => ({ main: directory, cells: [`b=${cell.url}`, `c=${otherSpelling(cell.url)}`] }),
    'The cells "b" and "c" in CELLS are the same database. Name another database.',
  ],
  [
    'main and a cell in one database',
    () => ({ main: directory, cells: [`b=${otherSpelling(directory.url)}`] }),
    'The cell "b" in CELLS is the database of DATABASE_URL. Name another database.',
  ],
  [
    'main as a cell',
    () => ({ main: cell, cells: [`b=${directory.url}`] }),
    'The database of the cell "b" in CELLS has people, and these are only in the database of DATABASE_URL. Check both URLs.',
  ],
])('neither a process nor a command starts with %s', async (_, databases, problem) => {
  const { main, cells } = databases()
  const settings = { DATABASE_URL: main.url, CELLS: cells.join(',') }
  const service = spawnProcess(settings)
  expect((await service.ended).code).toBe(1)
  expect(service.complaints.trim()).toBe(problem)
  const command = await runCommand(['workspace', 'list'], settings)
  expect([command.status, command.error]).toEqual([1, problem])
})

test('a command does not migrate the main database of another installation', async () => {
  const { sql, url } = directory
  const [last] =
    await sql`delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`
  try {
    const settings = { DATABASE_URL: cell.url, CELLS: `b=${url}` }
    const { status, error } = await runCommand(['migrate'], settings)
    expect([status, error]).toEqual([1, expect.stringContaining('The database of the cell "b" in CELLS has people')])
    expect(await sql`select from schema_migrations where name = ${last!.name}`).toHaveLength(0)
    const { out } = await runCommand(['doctor', '--json'], settings)
    const check = (JSON.parse(out) as { name: string }[]).find(({ name }) => name === 'workspaces')
    expect(check).toMatchObject({ result: 'failed', detail: error })
  } finally {
    await sql`insert into schema_migrations ${sql(last!)} on conflict do nothing`
  }
})

/** Returns another URL of a database. */
const otherSpelling = (url: string): string => `${url.replace('127.0.0.1', 'localhost')}?sslmode=disable`

test('workspaces are compared again until all cells answer', async () => {
  const lost = crypto.randomUUID()
  await directory.sql`
    insert into members (workspace_id, user_id, role) select ${lost}, user_id, 'owner' from members limit 1`
  const silent = connect({ url: 'postgres://nobody:x@127.0.0.1:1/none', applicationName: 'test', max: 1 })
  const answers = [silent, cell.sql]
  const found = Promise.withResolvers<object>()
  const check = workspacesCheck({
    directory: directory.sql,
    cells: () => [
      { name: 'main', sql: directory.sql },
      { name: 'b', sql: answers.shift()! },
    ],
    log: { debug: () => {}, error: (fields: object) => found.resolve(fields) } as unknown as Log,
    repeatMs: 10,
  })
  await check.start()
  expect(await found.promise).toEqual({ workspaces: [lost] })
  expect(answers).toEqual([])
  await check.stop(AbortSignal.timeout(1000))
  await silent.end()
  await directory.sql`delete from members where workspace_id = ${lost}`
})

test('a process opens at most half of the connections of a cell, and warns', async () => {
  const name = new URL(cell.url).pathname.slice(1)
  await cell.sql`alter database ${cell.sql(name)} connection limit 18`
  await cell.sql`
    insert into webhooks (workspace_id, url, events, secret)
    select id, 'https://shop.example', '{message.status}', 'whsec_x' from workspaces`
  const service = await startProcess({
    DATABASE_URL: directory.url,
    CELLS: `b=${cell.url}`,
    SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
  })
  const ofCell = service.lines.filter(line => line.cell === 'b').map(({ msg }) => msg)
  expect(ofCell[0]).toStartWith(
    'DATABASE_POOL_SIZE is 20, but PostgreSQL has 18 connections for its user, and a second process requires as many. This process opens at most 9.',
  )
  expect(ofCell).toContain('webhook secrets from before SECRETS_KEY was set are in plain text: run "secrets reencrypt"')
  expect((await service.end()).code).toBe(0)
})
