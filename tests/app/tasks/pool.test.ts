import { expect, test } from 'bun:test'
import { createPool } from '../../../src/app/tasks/pool.ts'
import { useDatabase } from '../../support/database.ts'
import { eventually } from '../../support/world.ts'

const database = useDatabase()

test('a failed transaction reports an error on commit', async () => {
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

test('a connection that ends during a statement gives 57P03 to promises and callbacks', async () => {
  const pool = createPool(database.url, 'test', 2)
  const asked = [
    pool.query('select pg_sleep(60)').catch(error => error),
    new Promise(told => pool.query('select pg_sleep(60)', error => told(error))),
  ]
  const sleeping = database.sql`
    datname = current_database() and query = 'select pg_sleep(60)' and state = 'active'`
  await eventually('both are executed', async () => {
    const found = await database.sql`select 1 from pg_stat_activity where ${sleeping}`
    return found.length === 2
  })
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where ${sleeping}`
  for (const error of await Promise.all(asked)) expect(error).toMatchObject({ code: '57P03' })
  await pool.end()
})

test.each(['53100', '53200'])('a server that lacks a resource (%s) gives 57P03, so that workers retry', async state => {
  const pool = createPool(database.url, 'test', 1)
  const statement = `do $$ begin raise exception 'out of memory' using errcode = '${state}'; end $$`
  expect(await pool.query(statement).catch(error => error)).toMatchObject({ code: '57P03', message: 'out of memory' })
  await pool.end()
})

test('a session that the server refuses gives 57P03', async () => {
  const pool = createPool(`${database.url}_missing`, 'test', 1)
  expect(await pool.query('select 1').catch(error => error)).toMatchObject({ code: '57P03', severity: 'FATAL' })
  await pool.end()
})
