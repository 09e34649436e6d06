import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPool } from '../../src/tasks/pool.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('a transaction that had failed is not committed without a word', async () => {
  const pool = createPool(database.url, 'test', 1)
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select 1 / 0').catch(() => {})
  await expect(client.query('commit')).rejects.toThrow(
    'The transaction was not committed: the server answered COMMIT with ROLLBACK.',
  )
  await client.query('begin')
  expect((await client.query('commit')).command).toBe('COMMIT')
  client.release()
  await pool.end()
})
