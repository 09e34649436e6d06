/** Tests of an administrator who revokes the database access of a running service and restores it. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { testDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually } from '../support/world.ts'
import { connectionsLost, expectOnlyRecordsOrEnvelopes, openShop, sendOrder, shopSettings } from './support.ts'

setDefaultTimeout(60_000)

const user = `user_${crypto.randomUUID().replaceAll('-', '')}`
/** The service as this user, and a database from which the administrator changes the other one. */
const barred = use(async () => {
  const [receiver, database, elsewhere] = await Promise.all([startReceiver(), testDatabase(), testDatabase()])
  for (const one of [database, elsewhere])
    one.expectErrors(...connectionsLost, '28000', '28P01', '42501', '55000', '3D000')
  const url = new URL(database.url)
  const [name, ownerOfAll] = [url.pathname.slice(1), url.username]
  const admin = (statement: string) => elsewhere.sql.unsafe(statement)
  await admin(`create role ${user} login password 'p' in role ${ownerOfAll}`)
  url.username = user
  url.password = 'p'
  const service = await startProcess(shopSettings(url.href, [receiver]))
  const { key } = await openShop(service.url, [receiver])
  const stop = async () => {
    await endProcesses()
    await receiver.stop()
    await database.drop()
    await admin(`drop role ${user}`)
    await elsewhere.drop()
  }
  return { receiver, name, ownerOfAll, admin, service, key, stop }
})

const endSessions = () =>
  barred.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${barred.name}', '${barred.name}_away')`,
  )

const readiness = async (): Promise<string> => {
  const response = await fetch(`${barred.service.url}/readyz`)
  const { status, problem } = await response.json()
  return `${response.status} ${problem ?? status}`
}

const ways: [string, () => string, () => string][] = [
  ['that may not sign in any more', () => `alter role ${user} nologin`, () => `alter role ${user} login`],
  [
    'whose password was changed',
    () => `alter role ${user} password 'another'`,
    () => `alter role ${user} password 'p'`,
  ],
  [
    'that may not connect any more',
    () => `revoke connect on database ${barred.name} from public, ${barred.ownerOfAll}`,
    () => `grant connect on database ${barred.name} to public, ${barred.ownerOfAll}`,
  ],
  [
    'whose database takes no connections',
    () => `alter database ${barred.name} allow_connections off`,
    () => `alter database ${barred.name} allow_connections on`,
  ],
  [
    'whose database is called otherwise',
    () => `alter database ${barred.name} rename to ${barred.name}_away`,
    () => `alter database ${barred.name}_away rename to ${barred.name}`,
  ],
]
test.each(ways)(
  'a database user %s: the service is not ready, answers 503 and recovers when access is restored',
  async (_, bar, letIn) => {
    const { receiver, service, key, admin } = barred
    const told = receiver.requests.length
    expect(await sendOrder(service.url, key)).toMatchObject({ status: 201 })
    await receiver.waitFor(told + 1)
    // A database that is in use cannot be renamed.
    await eventually('it is locked out', async () => {
      await endSessions()
      return admin(bar()).then(
        () => true,
        () => false,
      )
    })
    await eventually('it is not ready', async () => {
      // A session that was about to begin when the access was revoked appears a moment later.
      await endSessions()
      return (await readiness()) === '503 The database cannot be reached.'
    })
    const refused = await sendOrder(service.url, key)
    expect(refused.status).toBe(503)
    expectOnlyRecordsOrEnvelopes([refused])
    const read = await fetch(`${service.url}/v1/customers`, { headers: { 'X-API-Key': key } })
    expect([read.status, read.headers.get('retry-after')]).toEqual([503, '1'])

    await admin(letIn())
    await eventually('it is ready again', async () => (await readiness()) === '200 ready')
    expect(await sendOrder(service.url, key)).toMatchObject({ status: 201 })
    await receiver.waitFor(told + 2)
    expect(service.complaints).toBe('')
  },
)
