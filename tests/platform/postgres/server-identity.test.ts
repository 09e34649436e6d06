/** Tests of the comparison of servers, also where a managed PostgreSQL hides its identity. */
import { expect, test } from 'bun:test'
import { connect } from '../../../src/platform/postgres/client.ts'
import {
  canReadSystemIdentifier,
  isAvailable,
  isSameDatabase,
  readReplayedPosition,
  readReplicatedIdentity,
} from '../../../src/platform/postgres/server-identity.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()
const other = useDatabase()

test('compares databases without the right to read the identity of the server', async () => {
  const { sql } = database
  const role = `plain_${crypto.randomUUID().replaceAll('-', '')}`
  await sql.unsafe(`revoke execute on function pg_control_system() from public; create role ${role} login password 'x'`)
  const plain = (url: string) => {
    const changed = new URL(url)
    changed.username = role
    changed.password = 'x'
    return connect({ url: changed.href, applicationName: 'test', max: 1 })
  }
  const [one, same, another] = [plain(database.url), plain(database.url), plain(other.url)]
  try {
    expect(await isSameDatabase(one, same)).toBe(true)
    expect(await isSameDatabase(one, another)).toBe(false)
    expect(await canReadSystemIdentifier(one)).toBe(false)
    expect(await readReplicatedIdentity(one)).toMatchObject({ systemIdentifier: null })
  } finally {
    await Promise.all([one, same, another].map(pool => pool.end()))
    await sql.unsafe(`drop role ${role}`)
  }
})

test('an overload is not a missing right', async () => {
  database.expectErrors('57014')
  const hurried = connect({ url: database.url, applicationName: 'test', max: 1, maxStatementMs: 20 })
  try {
    await expect(isAvailable(() => hurried`select pg_sleep(10)`)).rejects.toMatchObject({ code: '57014' })
  } finally {
    await hurried.end()
  }
})

test('another database and another server are no standby', async () => {
  const identity = await readReplicatedIdentity(database.sql)
  expect(identity.systemIdentifier).toMatch(/^\d+$/)
  const problem = 'it is not a standby of this database'
  await expect(readReplayedPosition(other.sql, identity)).rejects.toThrow(problem)
  await expect(readReplayedPosition(database.sql, { ...identity, systemIdentifier: '1' })).rejects.toThrow(problem)
  await expect(readReplayedPosition(database.sql, identity)).rejects.toThrow(/^it is not a standby$/)
})
