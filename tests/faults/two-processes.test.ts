/** Test of processes that start together. `tests/events/writer.test.ts` tests events that they record together. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { spawnProcess, startProcess } from '../support/process.ts'
import { expectAllToldTo, expectBooksToBalance, openShop, owner, sendOrder, useProcesses } from './support.ts'

setDefaultTimeout(60_000)

const { prepare } = useProcesses()

test('starts three processes on an empty database: one migrates and one creates the workspace', async () => {
  const { sql, receiver, settings } = await prepare({ empty: true })
  const services = await Promise.all([1, 2, 3].map(() => startProcess(settings)))

  const said = (msg: string) => services.filter(({ lines }) => lines.some(line => line.msg === msg)).length
  expect(said('database migrated')).toBe(1)
  expect(said('first workspace created')).toBe(1)
  const [made] = await sql`
    select (select count(*)::integer from workspaces) as workspaces, (select count(*)::integer from users) as users,
      (select array_agg(email) from users) as emails, (select count(*)::integer from processes) as processes`
  expect({ ...made }).toEqual({ workspaces: 1, users: 1, emails: [owner.email], processes: 3 })
  for (const { url } of services) expect((await fetch(`${url}/readyz`)).status).toBe(200)

  const shop = await openShop(services[0]!.url, [receiver])
  const sent = await Promise.all(
    Array.from({ length: 30 }, (_, index) => sendOrder(services[index % 3]!.url, shop.key)),
  )
  await expectBooksToBalance(sql, sent)
  await expectAllToldTo(sql, [receiver])
  for (const service of services) expect(service.complaints).toBe('')

  const { port } = new URL(services[0]!.url)
  const fourth = spawnProcess({ ...settings, PORT: port })
  expect(await fourth.ended).toMatchObject({ code: 1 })
  expect(fourth.complaints).toBe(
    `Cannot listen on 127.0.0.1:${port} (HOST, PORT): another program uses this port; stop it, or set PORT to a free port.\n`,
  )
})
