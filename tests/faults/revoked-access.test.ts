/** Tests of an administrator who revokes the database access of a running service and restores it. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { testDatabase } from '../support/database.ts'
import { endProcesses, startProcess } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { use } from '../support/use.ts'
import { eventually } from '../support/world.ts'
import {
  connectionsLost,
  expectOnlyRecordsOrEnvelopes,
  expectVerified,
  openShop,
  sendOrder,
  shopSettings,
} from './support.ts'

setDefaultTimeout(60_000)

const user = `user_${crypto.randomUUID().replaceAll('-', '')}`
/** The service as this user, and a database from which the administrator changes the other one. */
const revoked = use(async () => {
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
    await expectVerified(database.sql)
    await database.drop()
    await admin(`drop role ${user}`)
    await elsewhere.drop()
  }
  return { receiver, name, ownerOfAll, admin, service, key, stop }
})

const endSessions = () =>
  revoked.admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${revoked.name}', '${revoked.name}_away')`,
  )

const readiness = async (): Promise<string> => {
  const response = await fetch(`${revoked.service.url}/readyz`)
  const { status, problem } = await response.json()
  return `${response.status} ${problem ?? status}`
}

/** Statements of the administrator, with NAME and OWNER of the database, and statements that undo them. */
test.each([
  ['cannot sign in', `alter role ${user} nologin`, `alter role ${user} login`],
  ['has another password', `alter role ${user} password 'another'`, `alter role ${user} password 'p'`],
  [
    'cannot connect',
    'revoke connect on database NAME from public, OWNER',
    'grant connect on database NAME to public, OWNER',
  ],
  ['has a closed database', 'alter database NAME allow_connections off', 'alter database NAME allow_connections on'],
  ['has a renamed database', 'alter database NAME rename to NAME_away', 'alter database NAME_away rename to NAME'],
])('a database user who %s: the service is not ready, answers 503 and recovers', async (_, bar, restore) => {
  const { receiver, service, key, name, ownerOfAll } = revoked
  const admin = (statement: string) => revoked.admin(statement.replaceAll('NAME', name).replace('OWNER', ownerOfAll))
  const before = receiver.requests.length
  expect(await sendOrder(service.url, key)).toMatchObject({ status: 201 })
  await receiver.waitFor(before + 1)
  // A database that is in use cannot be renamed.
  await eventually('it is locked out', async () => {
    await endSessions()
    return admin(bar).then(
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

  await admin(restore)
  await eventually('it is ready again', async () => (await readiness()) === '200 ready')
  expect(await sendOrder(service.url, key)).toMatchObject({ status: 201 })
  await receiver.waitFor(before + 2)
  expect(service.complaints).toBe('')
})
