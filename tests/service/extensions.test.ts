import { afterAll, beforeAll, expect, test } from 'bun:test'
import { migrateDatabase } from '../../src/service/database.ts'
import { startProblem } from '../../src/service/problem.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  database.expectErrors('P0001')
})
afterAll(() => database.drop())

test('the error for a user who may not create the extensions says what to do', async () => {
  const { sql } = database
  const role = `limited_${crypto.randomUUID().slice(0, 8)}`
  await sql`drop index customers_search`
  await sql`drop extension pg_trgm, btree_gin`
  await sql`delete from later_migrations where name = '020_customers_search'`
  await sql.unsafe(`create role ${role} login password 'limited'`)
  try {
    for (const schema of ['public', 'graphile_worker'])
      await sql.unsafe(
        `grant all on schema ${schema} to ${role}; grant all on all tables in schema ${schema} to ${role}`,
      )
    const url = new URL(database.url)
    url.username = role
    url.password = 'limited'

    const error = await migrateDatabase({ url: url.href }).catch(error => error)
    expect(startProblem(error)?.message).toBe(
      'The database needs the extensions pg_trgm and btree_gin, which come with PostgreSQL: have somebody who may install them and run "create extension pg_trgm; create extension btree_gin" (now: permission denied to create extension "pg_trgm").',
    )

    await sql`create extension pg_trgm`
    await sql`create extension btree_gin`
    await sql.unsafe(`alter table customers owner to ${role}`)
    expect(await migrateDatabase({ url: url.href })).toEqual(['020_customers_search'])
  } finally {
    await sql.unsafe(`alter table customers owner to postgres; drop owned by ${role}; drop role ${role}`)
  }
})
