/**
 * Checks the schema, locks and migrations against the rules of CONTRIBUTING.md, "One database or several".
 * `tests/plans.test.ts` checks the statements.
 */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemColumns } from '../../src/platform/postgres/citus-cell.ts'
import { kindOf, readHindrances, readTables } from '../support/catalogue.ts'
import { useDatabase } from '../support/database.ts'
import { readTemplates } from '../support/plans.ts'

const root = resolve(import.meta.dir, '../..')
const database = useDatabase()

/** Known exceptions. A new one needs an equally good reason. */
const knownHindrances = {
  'api_keys_key_hash_key is unique beyond one workspace': 'a request has a key, which determines the workspace',
  'workspaces_plan_id_fkey joins workspaces with plans': 'plans are few, and every database would have them',
}

test('each key of a tenant table starts with the workspace, and references stay within it', async () => {
  expect(await readHindrances(database.sql)).toEqual(Object.keys(knownHindrances))
})

const noPrimaryKey = 'stray has no primary key that begins with workspace_id'
const isUnique = 'stray is unique beyond one workspace'
test.each([
  ['create table stray (id uuid primary key)', noPrimaryKey],
  ['create table stray (workspace_id uuid)', noPrimaryKey],
  ['create table stray (workspace_id uuid, id uuid, primary key (id, workspace_id))', noPrimaryKey],
  ['create unique index stray on customers (lower(phone)) where phone is not null', isUnique],
  ['alter table customers add constraint stray exclude using hash (external_id with =)', isUnique],
  [
    'alter table consents add constraint stray foreign key (event_id, customer_id) references events (workspace_id, id)',
    'stray does not hold to one workspace',
  ],
  ['alter table workflows add author uuid constraint stray references users', 'stray joins workflows with users'],
  ['alter table users add home uuid constraint stray references workspaces', 'stray joins users with workspaces'],
  ['create unique index fine on events (type, workspace_id)', null],
  ['alter table sessions add constraint fine unique (user_id, created_at)', null],
  ['create table fine (workspace_id uuid references workspaces, id uuid, primary key (workspace_id, id))', null],
])('%s: %p', async (change, hindrance) => {
  const undone = new Error('undone')
  const work = database.sql.begin(async tx => {
    await tx.unsafe(change)
    const found = await readHindrances(tx)
    expect(found.filter(one => !(one in knownHindrances))).toEqual(hindrance === null ? [] : [hindrance])
    throw undone
  })
  await expect(work).rejects.toBe(undone)
})

/** Returns the tables that a text of SQL names. */
const tablesIn = (text: string, tables: readonly string[]): string[] =>
  [...text.matchAll(/\b(?:from|join|into|update|using|table)\s+(?:only\s+)?([a-z_]+)/g)]
    .map(([, table]) => table!)
    .filter(table => tables.includes(table))

/** Returns whether a text names tables of workspaces and of the directory: people, memberships, sessions and plans. */
const isMixed = (text: string, tables: readonly string[]): boolean => {
  const kinds = new Set(tablesIn(text, tables).map(kindOf))
  return kinds.has('tenant') && kinds.has('directory')
}

test('no statement names tables of workspaces and of the directory', async () => {
  const tables = await readTables(database.sql)
  const mixed = readTemplates().filter(({ parts }) => isMixed(parts.join(' '), tables))
  expect(mixed.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  expect(isMixed('select from members m join users u on u.id = m.user_id', tables)).toBe(false)
  for (const text of [
    'select from api_keys k join workspaces w on true join plans p on true',
    'delete from conversations where not exists (select from members)',
    'insert into audit_entries select from members',
    'with a as (update users set name = $1) delete from campaigns using a',
  ])
    expect(isMixed(text, tables), text).toBe(true)
})

test('no view or function hides a table from the statements', async () => {
  const hiding = await database.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')
    union all
    select proname from pg_proc p where pronamespace = 'public'::regnamespace
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by name`
  // Three pure computations, notifications of events and of a move with its triggers, a deletion in a table that the
  // caller names, a function that always holds, and one that rejects.
  expect(hiding.map(({ name }) => name)).toEqual([
    'add_counts',
    'delete_same_values',
    'event_type_spelling',
    'note_moved_row',
    'notify_outbound_events',
    'probe_index',
    'reject_audit_change',
    'search_text',
    'unwatch_moved_table',
    'watch_moved_table',
  ])
})

test('the views of a cell in Citus have the system columns that statements name', async () => {
  const tables = await readTables(database.sql)
  const used = new Set<string>()
  for (const { path, name, parts } of readTemplates()) {
    const column = /\b(ctid|xmin)\b/.exec(parts.join(' '))?.[1]
    const having = tablesIn(parts.join(' '), tables).filter(table => column && systemColumns[table] === column)
    // A local table of a cell is no view.
    if (column && !parts.join(' ').includes('live_feed_changes')) expect(having, `${path}: ${name}`).not.toEqual([])
    for (const table of having) used.add(table)
  }
  expect([...used].sort()).toEqual(Object.keys(systemColumns))
})

test('an advisory lock protects one workspace or one database', () => {
  const locks = readTemplates().filter(({ parts }) => parts.some(part => part.includes('advisory')))
  // Identifiers, the team, the monthly usage, the import and the move of one workspace; the migration and the stored settings of
  // one database; the tables and the move of one cell.
  expect(locks.map(({ name }) => name).sort()).toEqual([
    'awaitWriters',
    'holdsTransferLock',
    'isUnlocked',
    'lockCell',
    'lockCompletion',
    'lockIdentifiers',
    'lockTeam',
    'lockTransfer',
    'releaseLock',
    'storeSessionSettings',
    'tryLock',
    'tryLockUsage',
    'unlockCompletion',
    'unlockTransfer',
  ])
})

test('whole texts are only sent by migrations, settings, statistics, the embedded server and the history of the demo', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const senders = files.filter(
    path => path.endsWith('.ts') && /(?<!Bun)\.(unsafe|file)\(/.test(readFileSync(join(root, 'src', path), 'utf8')),
  )
  expect(senders.sort()).toEqual([
    'app/cli/demo/history/shift.ts',
    'platform/embedded-postgres/client.ts',
    'platform/postgres/citus-cell.ts',
    'platform/postgres/migrate.ts',
    'platform/postgres/pooler.ts',
    'platform/postgres/statistics.ts',
  ])
})

test('a migration uses one connection, and the runner begins and ends its transactions', () => {
  const migrations = readdirSync(join(root, 'sql')).filter(name => name.endsWith('.sql'))
  expect(migrations.length).toBeGreaterThan(5)
  for (const name of migrations)
    expect(readFileSync(join(root, 'sql', name), 'utf8'), name).not.toMatch(
      /\bdblink|_fdw\b|\bforeign (server|table)\b|^\s*(begin|commit|rollback|start transaction)\s*;/im,
    )
})
