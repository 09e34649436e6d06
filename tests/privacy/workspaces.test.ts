/** Tests that the tables of exports and deletions match the database. */
import { expect, test } from 'bun:test'
import { exportedTables, keptTables, temporaryTables } from '../../src/privacy/workspaces/tables.ts'
import { kindOf, readTables } from '../support/catalogue.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()
const exported = exportedTables.map(({ name }) => name)

test('every table with rows of a workspace is exported, or left out with a reason', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select distinct c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'workspace_id'
    order by name`
  const listed = new Set([...exported, ...Object.keys(temporaryTables), ...Object.keys(keptTables)])
  expect([...listed].sort()).toEqual(rows.map(({ name }) => name))
  const tenants = (await readTables(database.sql)).filter(name => kindOf(name) === 'tenant' && name !== 'workspaces')
  expect(tenants.filter(name => !listed.has(name))).toEqual([])
})

test('no table refers to a row of a workspace without naming the workspace', async () => {
  const rows = await database.sql<{ name: string }[]>`
    select conname as name from pg_constraint k
    where contype = 'f' and confrelid = any(array(select to_regclass(t) from unnest(${exported}::text[]) t))
      and not exists (select from pg_attribute a
        where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname = 'workspace_id')`
  expect(rows.map(({ name }) => name)).toEqual([])
})

test('rows come after those that they refer to', async () => {
  const rows = await database.sql<{ source: string; target: string }[]>`
    select conrelid::regclass::text as source, confrelid::regclass::text as target from pg_constraint
    where contype = 'f' and conrelid <> confrelid`
  const early = rows.filter(
    ({ source, target }) => exported.includes(target) && exported.indexOf(source) < exported.indexOf(target),
  )
  expect(early).toEqual([])
})

test('the columns of accounts are listed, and exist', async () => {
  const columns = await database.sql<{ table: string; column: string }[]>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relname = any(${exported}::text[]) and c.relnamespace = 'public'::regnamespace and a.attnum > 0
      and a.atttypid = 'uuid'::regtype and a.attname ~ '^(user_id|actor_id|.*_by(_id)?|assignee_id)$' order by 1, 2`
  // The membership itself is written from the address of the account.
  const found = columns.filter(({ table }) => table !== 'members').map(({ table, column }) => `${table}.${column}`)
  const listed = exportedTables.flatMap(({ name, accounts }) => accounts.map(column => `${name}.${column}`))
  expect(listed.sort()).toEqual(found.sort())
})
