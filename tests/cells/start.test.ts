/** A process whose first workspace is in a further cell, killed and started again. */
import { afterAll, expect, test } from 'bun:test'
import { runCommand } from '../support/command.ts'
import { useDatabase } from '../support/database.ts'
import { endProcesses, spawnProcess, startProcess } from '../support/process.ts'
import { bearer } from '../support/world.ts'

const [directory, cell] = [useDatabase(), useDatabase()]
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
})

test.each([
  [
    'two cells',
    () => [`b=${cell.url}`, `c=${otherSpelling(cell.url)}`],
    'The cells "b" and "c" in CELLS are the same database.',
  ],
  [
    'main and a cell',
    () => [`b=${otherSpelling(directory.url)}`],
    'The cell "b" in CELLS is the database of DATABASE_URL.',
  ],
])('neither a process nor a command starts with %s in one database', async (_, cells, problem) => {
  const settings = { DATABASE_URL: directory.url, CELLS: cells().join(',') }
  const service = spawnProcess(settings)
  expect((await service.ended).code).toBe(1)
  expect(service.complaints.trim()).toBe(`${problem} Name another database.`)
  const command = await runCommand(['workspace', 'list'], settings)
  expect([command.status, command.error]).toEqual([1, `${problem} Name another database.`])
})

/** Returns another URL of a database. */
const otherSpelling = (url: string): string => `${url.replace('127.0.0.1', 'localhost')}?sslmode=disable`
