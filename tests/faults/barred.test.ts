/** Tests of an administrator who revokes the database access of a running service and restores it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { endProcesses, type ServiceProcess, startProcess } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { eventually } from '../support/world.ts'
import { connectionsLost, expectOnlyRecordsOrEnvelopes, openShop, sendOrder, shopSettings } from './support.ts'

setDefaultTimeout(60_000)

const user = `user_${randomUUID().replaceAll('-', '')}`
let name: string
let ownerOfAll: string
let receiver: Receiver
let database: TestDatabase
/** Database from which the administrator changes the other one. */
let elsewhere: TestDatabase
let service: ServiceProcess
let key: string
beforeAll(async () => {
  ;[receiver, database, elsewhere] = await Promise.all([startReceiver(), testDatabase(), testDatabase()])
  for (const one of [database, elsewhere])
    one.expectErrors(...connectionsLost, '28000', '28P01', '42501', '55000', '3D000')
  const url = new URL(database.url)
  name = url.pathname.slice(1)
  ownerOfAll = url.username
  await admin(`create role ${user} login password 'p' in role ${ownerOfAll}`)
  url.username = user
  url.password = 'p'
  service = await startProcess(shopSettings(url.href, [receiver]))
  key = (await openShop(service.url, [receiver])).key
})
afterAll(async () => {
  await endProcesses()
  await receiver.stop()
  await database.drop()
  await admin(`drop role ${user}`)
  await elsewhere.drop()
})

const admin = (statement: string) => elsewhere.sql.unsafe(statement)
const endSessions = () =>
  admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${name}', '${name}_away')`)

const readiness = async (): Promise<string> => {
  const response = await fetch(`${service.url}/readyz`)
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
    () => `revoke connect on database ${name} from public, ${ownerOfAll}`,
    () => `grant connect on database ${name} to public, ${ownerOfAll}`,
  ],
  [
    'whose database takes no connections',
    () => `alter database ${name} allow_connections off`,
    () => `alter database ${name} allow_connections on`,
  ],
  [
    'whose database is called otherwise',
    () => `alter database ${name} rename to ${name}_away`,
    () => `alter database ${name}_away rename to ${name}`,
  ],
]
test.each(ways)(
  'a database user %s: the service is not ready, answers 503 and recovers when access is restored',
  async (_, bar, letIn) => {
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
    await endSessions()

    await eventually('it is not ready', async () => (await readiness()) === '503 The database cannot be reached.')
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
