import { afterAll, beforeAll, expect, test } from 'bun:test'
import { migrateDatabase } from '../../src/app/database.ts'
import { explainStartError } from '../../src/app/start-error.ts'
import { migrateTasks } from '../../src/app/tasks/index.ts'
import { connect, type Database } from '../../src/platform/postgres/client.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'
import { testServer } from '../support/database.ts'

const name = `extensions_${crypto.randomUUID().replaceAll('-', '')}`
const role = `limited_${name.slice(-8)}`
let url: string
let sql: Database
beforeAll(async () => {
  url = await (await testServer()).ensureDatabase(name)
  sql = connect({ url, applicationName: 'test', max: 1 })
  // Only a role that may create schemas can create the schema of the tasks.
  await migrateTasks(url)
  await sql.unsafe(`create role ${role} login password 'limited'; grant all on schema public to ${role};
    grant all on schema graphile_worker to ${role}; grant all on all tables in schema graphile_worker to ${role}`)
})
afterAll(async () => {
  await sql.unsafe(`drop owned by ${role}; drop role ${role}`)
  await sql.end({ timeout: 1 })
  await (await testServer()).dropDatabase(name)
})

test('the error for a user who may not create the extensions says what to do', async () => {
  const limited = new URL(url)
  limited.username = role
  limited.password = 'limited'

  const error = await migrateDatabase({ url: limited.href }).catch(error => error)
  expect(explainStartError(error)?.message).toBe(
    'The database needs the extensions pg_trgm and btree_gin, which come with PostgreSQL: have somebody who may install them and run "create extension pg_trgm; create extension btree_gin" (now: permission denied to create extension "pg_trgm").',
  )

  await sql`create extension pg_trgm`
  await sql`create extension btree_gin`
  expect(await migrateDatabase({ url: limited.href })).toEqual(migrations.map(({ name }) => name))
})
