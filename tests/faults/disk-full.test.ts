/**
 * Tests of a full PostgreSQL disk. The response, the log and `/readyz` name the cause, and the log does not repeat it.
 */
import { expect, test } from 'bun:test'
import { sendOrder, useProcesses } from './support.ts'

const { start } = useProcesses()

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
  const stacks = lines.filter(({ error }) => 'stack' in (error as object)).map(({ msg }) => msg)
  expect(stacks.sort()).toEqual([...new Set(stacks)].sort())
  expect(lines.find(({ msg, repeated }) => msg === 'request failed' && Number(repeated) >= 30)).toBeDefined()
})
