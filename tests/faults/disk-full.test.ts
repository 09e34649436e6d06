/**
 * Tests of a full PostgreSQL disk. The response, the log and `/readyz` name the cause, and the log does not repeat it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startProcess } from '../support/process.ts'
import { type Started, useProcesses } from './support.ts'

const { start } = useProcesses(afterAll)
let { sql, service, shop, settings } = {} as Started
beforeAll(async () => {
  ;({ sql, service, shop, settings } = await start({ behaviours: [], errors: ['53100'] }))
})

/** Too large for the free space of a page, and not compressible. */
const large = () => randomBytes(750).toString('hex')

const record = async (text: string) => {
  const response = await fetch(`${service.url}/v1/events`, {
    method: 'POST',
    headers: { 'X-API-Key': shop.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'order', phone: '+4915100000001', data: { text } }),
  })
  return { status: response.status, body: await response.json() }
}

const ready = async () => {
  const response = await fetch(`${service.url}/readyz`)
  return { status: response.status, text: await response.text() }
}

/** Fails unless calls are rejected with the expected response. */
const expectDiskFull = async () => {
  const refused = await record(large())
  expect(refused).toMatchObject({
    status: 503,
    body: {
      error: {
        code: 'internal_error',
        message: expect.stringContaining('The disk of the database is full, and nothing was written.'),
        details: { reason: 'database_unavailable' },
      },
    },
  })
  expect(await ready()).toEqual({ status: 503, text: expect.stringContaining('The disk of the database is full.') })
  for (let n = 0; n < 30; n++) expect((await record(large())).status).toBe(503)
  await service.end()
  const lines = service.lines.filter(({ error }) => (error as { code?: string } | undefined)?.code === '53100')
  const stacks = lines.filter(({ error }) => 'stack' in (error as object))
  expect(stacks.map(({ msg }) => msg).sort()).toEqual([...new Set(stacks.map(({ msg }) => msg))].sort())
  expect(lines.find(({ msg, repeated }) => msg === 'request failed' && Number(repeated) >= 30)).toBeDefined()
}

test('names the cause when PostgreSQL rejects a statement because the disk is full', async () => {
  expect((await record('fits')).status).toBe(201)
  expect((await ready()).status).toBe(200)
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$;
    create trigger refuse before insert on events for each row execute function refuse()`)
  await expectDiskFull()
  await sql`drop trigger refuse on events`
})

/** Mounts a file system of 8 MB. Returns null if this user cannot mount one. */
const smallDisk = (): string | null => {
  const folder = mkdtempSync('/dev/shm/small-disk-')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
}

const disk = process.platform === 'linux' ? smallDisk() : null

describe.skipIf(disk === null)('a full tablespace', () => {
  const name = `small_${crypto.randomUUID().replaceAll('-', '')}`
  beforeAll(async () => {
    const [row] = await sql<{ data_directory: string }[]>`show data_directory`
    const { uid, gid } = statSync(row!.data_directory)
    const place = join(disk!, 'space')
    mkdirSync(place, { mode: 0o700 })
    chownSync(place, uid, gid)
    chownSync(disk!, uid, gid)
    await sql.unsafe(`create tablespace ${name} location '${place}'`)
    await sql.unsafe(`alter table events set tablespace ${name}`)
    service = await startProcess(settings)
  })
  afterAll(async () => {
    await sql`drop table if exists filler`
    await sql`truncate events cascade`
    await sql`alter table events set tablespace pg_default`
    await sql.unsafe(`drop tablespace ${name}`)
    execFileSync('umount', [disk!])
    rmSync(disk!, { recursive: true })
  })

  test('is named in the response, in the log and at /readyz', async () => {
    await sql.unsafe(`create table filler (text text) tablespace ${name}`)
    const fill = () =>
      sql`
      insert into filler select repeat(md5(n::text), 20) from generate_series(1, 100) n`.then(
        () => true,
        () => false,
      )
    while (await fill()) {
      // Repeats until nothing more fits.
    }
    let status = 201
    for (let n = 0; n < 400 && status === 201; n++) status = (await record(large())).status
    expect(status).toBe(503)
    await expectDiskFull()
  })
})
