/**
 * Tests of a full PostgreSQL disk. The response, the log and `/readyz` name the cause, and the log does not repeat it.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/index.ts'
import { eventually } from '../support/world.ts'
import { prove } from './faults.ts'
import { newDataDir, sendOrder, useProcesses } from './support.ts'

setDefaultTimeout(60_000)

const { start, atEnd } = useProcesses()

const run = (...command: string[]): boolean => spawnSync(command[0]!, command.slice(1)).status === 0

/** Mounts a small disk in memory. Returns null without the privilege for it. */
const smallDisk = (): string | null => {
  const folder = newDataDir()
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder)) {
    rmSync(folder, { recursive: true })
    return null
  }
  atEnd(async () => {
    await eventually('the disk is not used any more', async () => run('umount', folder), 20_000)
    rmSync(folder, { recursive: true })
  })
  return folder
}

const disk = smallDisk()

test.skipIf(disk === null)(
  'loses nothing while the disk of PostgreSQL is full, and records again afterwards',
  async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: disk! })
    atEnd(postgres.release)
    const started = await start({ url: await postgres.ensureDatabase('full') })
    const filler = join(disk!, 'filler')
    const { sent } = await prove('disk full', started, async load => {
      run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=64k')
      const refused = () => load.sent.filter(({ status }) => status === 503).length
      await eventually('orders are refused', () => refused() > 20, 30_000)
      rmSync(filler)
    })
    expect(sent.some(({ body }) => body.error?.message.includes('The disk of the database is full'))).toBe(true)
  },
)

test('names the cause when PostgreSQL rejects a statement because the disk is full', async () => {
  const { sql, service, shop } = await start({ behaviours: [], errors: ['53100'] })
  const record = () => sendOrder(service.url, shop.key)
  const ready = async () => {
    const response = await fetch(`${service.url}/readyz`)
    return { status: response.status, text: await response.text() }
  }
  expect((await record()).status).toBe(201)
  expect((await ready()).status).toBe(200)
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$;
    create trigger refuse before insert on events for each row execute function refuse()`)
  const { status, body } = await record()
  expect([status, body.error]).toEqual([
    503,
    {
      code: 'internal_error',
      message: expect.stringContaining('The disk of the database is full, and nothing was written.'),
      details: { reason: 'database_unavailable' },
    },
  ])
  expect(await ready()).toEqual({ status: 503, text: expect.stringContaining('The disk of the database is full.') })
  for (let n = 0; n < 30; n++) expect((await record()).status).toBe(503)
  await service.end()
  const lines = service.lines.filter(({ error }) => (error as { code?: string } | undefined)?.code === '53100')
  // Each error is one line, and its repeats are one more. All have the stack.
  const firsts = lines.filter(({ repeated }) => repeated === undefined).map(({ msg }) => msg)
  expect(firsts.sort()).toEqual([...new Set(firsts)].sort())
  expect(lines.filter(({ error }) => !('stack' in (error as object)))).toEqual([])
  expect(lines.find(({ msg, repeated }) => msg === 'request failed' && Number(repeated) >= 30)).toBeDefined()
})
